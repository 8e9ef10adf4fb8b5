//! What the file has instead, when nothing matches.
//!
//! Look-alike characters are named by their code points. Else the region is shown that came closest, with real line
//! numbers; half the lines have to line up first, since pointing at an innocent part of the file is worse than
//! saying nothing.

use std::collections::{BTreeSet, HashMap};

use similar::TextDiff;

use super::super::encoding;

/// The most lines of an excerpt.
const MOST_LINES: usize = 30;
/// A larger file or piece is not searched for what comes close.
const MOST_WORK: usize = 20_000_000;
/// Pairs of bytes that are compared to find one line; the worst case of a difference looks at each.
const MOST_COMPARED: usize = 50_000_000;
/// How alike one line must be to stand for another.
const ALIKE: f32 = 0.75;

/// Why `old` was not found, with what to send instead.
pub(super) fn refusal(text: &str, old: &str, exact_only: bool) -> String {
    if let Some(alike) = look_alike(text, old) {
        return alike;
    }
    let sent: Vec<&str> = old.trim_matches('\n').split('\n').collect();
    let quoted = excerpt(sent.iter().map(|line| (None, *line)));
    let how = if exact_only {
        "old text not found, and it must match exactly here"
    } else {
        "old text not found: it must match the file, including line breaks"
    };
    match closest(text, &sent) {
        Some((first, lines)) => {
            let numbered = lines.iter().enumerate();
            let found = excerpt(numbered.map(|(index, line)| (Some(first + index), *line)));
            format!("{how}:\n{quoted}the closest the file comes to it, to copy from:\n{found}")
                .trim_end()
                .to_owned()
        }
        None => format!(
            "{how}:\n{quoted}nothing in the file comes close; read it again with file_read and copy the lines"
        ),
    }
}

fn excerpt<'a>(lines: impl Iterator<Item = (Option<usize>, &'a str)>) -> String {
    let lines: Vec<(Option<usize>, &str)> = lines.collect();
    let width = lines
        .iter()
        .filter_map(|(number, _)| number.map(|number| number.to_string().len()))
        .max()
        .unwrap_or(0);
    let mut text = String::new();
    for (number, line) in lines.iter().take(MOST_LINES) {
        let line = encoding::shown(line);
        match number {
            Some(number) => text.push_str(&format!("  │ {number:>width$} │ {line}\n")),
            None => text.push_str(&format!("  │ {line}\n")),
        }
    }
    if lines.len() > MOST_LINES {
        text.push_str(&format!("  … {} more lines\n", lines.len() - MOST_LINES));
    }
    text
}

/// The lines of the file that line up best with those sent, and the number of the first.
fn closest<'a>(text: &'a str, sent: &[&str]) -> Option<(usize, Vec<&'a str>)> {
    let lines: Vec<&str> = text.split('\n').collect();
    if lines.len().saturating_mul(sent.len()) > MOST_WORK {
        return None;
    }
    if let [line] = sent {
        return closest_line(&lines, line.trim());
    }
    // Each line as a small number, so that a window is compared without comparing text.
    let mut names: HashMap<&str, usize> = HashMap::new();
    let mut name = |line: &'a str| {
        let next = names.len();
        *names.entry(line.trim()).or_insert(next)
    };
    let have: Vec<usize> = lines.iter().map(|line| name(line)).collect();
    let want: Vec<Option<usize>> = sent
        .iter()
        .map(|line| {
            let line = line.trim();
            // A blank line or a lone bracket lines up everywhere and proves nothing.
            (line.len() > 1).then(|| names.get(line).copied()).flatten()
        })
        .collect();
    let telling = sent.iter().filter(|line| line.trim().len() > 1).count();
    let width = want.len().min(have.len());
    let (start, score) = have
        .windows(width)
        .enumerate()
        .map(|(start, window)| {
            let pairs = window.iter().zip(&want);
            let same = pairs.filter(|(have, want)| Some(**have) == **want).count();
            (start, same)
        })
        .max_by_key(|(start, same)| (*same, std::cmp::Reverse(*start)))?;
    let window = lines.get(start..start + width)?;
    (score > 0 && score * 2 >= telling).then(|| (start + 1, window.to_vec()))
}

/// How often each character stands in a text, by its last byte: cheap to compare, and never less alike than the texts
/// themselves.
struct Letters {
    counts: [u32; 256],
    total: usize,
}

impl Letters {
    fn of(text: &str) -> Self {
        let mut counts = [0; 256];
        let mut total = 0;
        for letter in text.chars() {
            counts[u32::from(letter) as usize % 256] += 1;
            total += 1;
        }
        Self { counts, total }
    }

    fn may_be_alike(&self, line: &str) -> bool {
        // Lines of another length cannot be alike enough, at four bytes a character at most.
        if line.len() * 2 < self.total || line.len() > self.total * 8 {
            return false;
        }
        let other = Self::of(line);
        let total = self.total + other.total;
        let pairs = self.counts.iter().zip(&other.counts);
        let same: u32 = pairs.map(|(a, b)| a.min(b)).sum();
        2.0 * same as f32 >= ALIKE * total as f32
    }
}

/// The one line most like another.
fn closest_line<'a>(lines: &[&'a str], sent: &str) -> Option<(usize, Vec<&'a str>)> {
    const MOST: usize = 20_000;
    let length = sent.chars().count();
    if !(3..=400).contains(&length) {
        return None;
    }
    let letters = Letters::of(sent);
    let mut left = MOST_COMPARED;
    let mut best: Option<(f32, usize, &'a str)> = None;
    for (index, line) in lines.iter().take(MOST).enumerate() {
        if !letters.may_be_alike(line.trim()) {
            continue;
        }
        let work = sent.len() * line.trim().len();
        if work > left {
            break;
        }
        left -= work;
        let ratio = TextDiff::from_chars(sent, line.trim()).ratio();
        if ratio >= ALIKE && best.is_none_or(|(most, ..)| ratio > most) {
            best = Some((ratio, index, line));
        }
    }
    best.map(|(_, index, line)| (index + 1, vec![line]))
}

/// The refusal when the file has the text but for characters that look the same.
fn look_alike(text: &str, old: &str) -> Option<String> {
    let old = old.trim();
    let folded_old: String = old.chars().map(fold).collect();
    let folded_text: String = text.chars().map(fold).collect();
    let at = folded_text.find(&folded_old)?;
    let before = folded_text.get(..at)?;
    let skipped = before.chars().count();
    let mut differences: BTreeSet<(char, char)> = BTreeSet::new();
    for (have, sent) in text.chars().skip(skipped).zip(old.chars()) {
        if have != sent {
            differences.insert((have, sent));
        }
    }
    if differences.is_empty() {
        return None;
    }
    let named: Vec<String> = differences
        .iter()
        .take(8)
        .map(|(have, sent)| format!("{} where {} was sent", point(*have), point(*sent)))
        .collect();
    let line = before.bytes().filter(|byte| *byte == b'\n').count() + 1;
    let count = old.split('\n').count();
    let lines = text.split('\n').skip(line - 1).take(count).enumerate();
    Some(format!(
        "old text not found: line {line} differs from it only in characters that look alike: the file has {}; \
         copy them as they are, or leave them out of the old text:\n{}",
        named.join(", "),
        excerpt(lines.map(|(index, text)| (Some(line + index), text))).trim_end()
    ))
}

fn point(letter: char) -> String {
    if encoding::shown(letter.encode_utf8(&mut [0; 4])) == "\u{FFFD}" && letter != '\u{FFFD}' {
        return "bytes that are not valid text".to_owned();
    }
    format!("U+{:04X}", u32::from(letter))
}

/// One character for all that look like it.
fn fold(letter: char) -> char {
    match letter {
        letter if letter.is_ascii() => letter,
        '\u{2018}' | '\u{2019}' | '\u{201A}' | '\u{201B}' | '\u{2032}' | '\u{FF07}' => '\'',
        '\u{201C}' | '\u{201D}' | '\u{201E}' | '\u{201F}' | '\u{2033}' | '\u{FF02}' => '"',
        '\u{2010}'..='\u{2015}' | '\u{2212}' | '\u{FE58}' | '\u{FE63}' | '\u{FF0D}' => '-',
        '\u{A0}' | '\u{2000}'..='\u{200A}' | '\u{202F}' | '\u{205F}' | '\u{3000}' => ' ',
        '\u{FF01}'..='\u{FF5E}' => char::from_u32(u32::from(letter) - 0xFEE0).unwrap_or(letter),
        letter if encoding::shown(letter.encode_utf8(&mut [0; 4])) == "\u{FFFD}" => '\u{FFFD}',
        letter => letter,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_file_of_lines_that_come_close_is_searched_in_part_only() {
        let sent = "x".repeat(400);
        let line = format!("{}y", "x".repeat(390));
        let mut lines = vec![line.as_str(); 10_000];
        lines.push(&sent);

        let found = closest_line(&lines, &sent);

        assert_eq!(found, Some((1, vec![line.as_str()])));
    }

    proptest! {
        #[test]
        fn no_line_that_is_alike_is_passed_over(sent in "[abcdé漢]{3,12}", line in "[abcdé漢]{1,12}") {
            let alike = TextDiff::from_chars(sent.as_str(), line.as_str()).ratio() >= ALIKE;

            prop_assert!(!alike || Letters::of(&sent).may_be_alike(&line));
        }
    }
}
