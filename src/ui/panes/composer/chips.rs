//! Pasted texts that stand in the buffer as one character each.
//!
//! The one invariant: a stand-in is a noncharacter, which Unicode keeps for such use, and [`clean`] lets none in
//! from outside; so a text typed or pasted can never be taken for a chip.

use super::editor::{Editor, LONGEST_LINE, MOST_LINES};

/// The first stand-in.
const FIRST: char = '\u{fdd0}';
/// The last noncharacter of that block.
const LAST: char = '\u{fdef}';
/// A paste with more lines than this becomes a chip.
const LINES: usize = 10;
/// A paste with more characters than this becomes a chip.
const CHARACTERS: usize = 2_000;

/// The pasted texts of one draft. A deleted chip stays, for undo may bring its stand-in back.
#[derive(Clone, Debug, Default)]
pub struct Chips {
    texts: Vec<Chip>,
}

#[derive(Clone, Debug, Default)]
struct Chip {
    text: String,
    /// How many line ends it has: it may be too large to be counted with every key.
    line_ends: usize,
}

impl Chip {
    fn add(&mut self, text: &str) {
        self.text.push_str(text);
        self.line_ends += text.matches('\n').count();
    }
}

impl Chips {
    /// Keeps a text and returns the character that stands for it; `None` when all are taken and the last chip
    /// took the text in.
    pub fn add(&mut self, text: String) -> Option<char> {
        let number = u32::try_from(self.texts.len()).unwrap_or(u32::MAX);
        let stand_in = (FIRST as u32)
            .checked_add(number)
            .and_then(char::from_u32)
            .filter(|c| *c <= LAST);
        if stand_in.is_some() {
            self.texts.push(Chip::default());
        }
        if let Some(last) = self.texts.last_mut() {
            last.add(&text);
        }
        stand_in
    }

    /// The text that a character stands for.
    pub fn text(&self, c: char) -> Option<&str> {
        self.chip(c).map(|chip| chip.text.as_str())
    }

    fn chip(&self, c: char) -> Option<&Chip> {
        if !is_stand_in(c) {
            return None;
        }
        self.texts.get((c as u32 - FIRST as u32) as usize)
    }

    /// What is shown for a character that stands for a text: `[paste 1: 240 lines, 12 KB]`.
    pub fn label(&self, c: char) -> Option<String> {
        let chip = self.chip(c)?;
        let number = c as u32 - FIRST as u32 + 1;
        let lines = chip.line_ends + 1;
        let size = size_words(chip.text.len());
        Some(if lines == 1 {
            format!("[paste {number}: {size}]")
        } else {
            format!("[paste {number}: {lines} lines, {size}]")
        })
    }
}

impl Editor {
    /// Takes a pasted text: a large one becomes a chip, or is cut in a field. Returns how many characters were left out.
    pub fn paste(&mut self, text: &str) -> usize {
        self.paste_or_chip(text, is_large)
    }

    /// Takes a pasted text and shows it, unless there are lines too long or too many to be edited here.
    pub fn paste_shown(&mut self, text: &str) -> usize {
        self.paste_or_chip(text, |_| false)
    }

    fn paste_or_chip(&mut self, text: &str, is_large: fn(&str) -> bool) -> usize {
        let clean = self.clean(text);
        let lines = clean.split('\n').count();
        let (row, _) = self.area.cursor();
        let crowds = self.line(row).len() + clean.len() > LONGEST_LINE
            || self.line_count() + lines > MOST_LINES;
        if self.most.is_some() || !(is_large(&clean) || crowds) {
            return self.insert(&clean);
        }
        self.insert_chip(clean);
        0
    }

    /// Opens the chip beside the cursor: its text takes its place. Says whether there was one that fits.
    pub fn open_chip(&mut self) -> bool {
        let Some((index, text)) = self.chip_beside() else {
            return false;
        };
        let text = text.to_owned();
        self.jump(self.area.cursor().0, index);
        self.area.delete_str(1);
        self.area.insert_str(text);
        true
    }

    /// The chip beside the cursor that can be opened: its place in the line, and its text.
    pub fn chip_beside(&self) -> Option<(usize, &str)> {
        let (row, column) = self.area.cursor();
        let line: Vec<char> = self.line(row).chars().collect();
        let beside = [column.checked_sub(1), Some(column)];
        let (index, text) = beside.into_iter().flatten().find_map(|index| {
            let text = self.chips.text(*line.get(index)?)?;
            Some((index, text))
        })?;
        let fits = text.split('\n').count() <= MOST_LINES
            && text.split('\n').all(|line| line.len() <= LONGEST_LINE);
        fits.then_some((index, text))
    }

    pub(super) fn insert_chip(&mut self, text: String) {
        // Without a character of its own it joined the last chip, whose label says more now.
        self.wrapped.forget();
        if let Some(stand_in) = self.chips.add(text) {
            self.area.insert_char(stand_in);
        }
    }
}

/// Whether a pasted text is better shown as a chip.
pub fn is_large(text: &str) -> bool {
    text.split('\n').nth(LINES).is_some() || text.chars().nth(CHARACTERS).is_some()
}

/// The text with all line ends as newlines and without control characters and stand-ins. In a single line, line ends
/// become blanks.
pub fn clean(text: &str, is_single_line: bool) -> String {
    text.replace("\r\n", "\n")
        .replace('\r', "\n")
        .chars()
        .filter(|c| matches!(c, '\n' | '\t') || !c.is_control())
        .filter(|c| !is_stand_in(*c))
        .map(|c| if is_single_line && c == '\n' { ' ' } else { c })
        .collect()
}

/// A size for people: `840 B`, `12 KB`, `3.4 MB`.
pub fn size_words(bytes: usize) -> String {
    match bytes {
        0..1_000 => format!("{bytes} B"),
        1_000..999_500 => format!("{} KB", (bytes + 500) / 1_000),
        _ => format!("{:.1} MB", bytes as f64 / 1_000_000.0),
    }
}

fn is_stand_in(c: char) -> bool {
    (FIRST..=LAST).contains(&c)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stand_in_from_outside_is_not_let_in() {
        assert_eq!(clean("a\u{fdd0}b\u{fdef}c", false), "abc");
    }

    #[test]
    fn ten_lines_and_two_thousand_characters_are_still_shown() {
        let lines = |count: usize| vec!["x"; count].join("\n");

        assert!(!is_large(&lines(10)));
        assert!(is_large(&lines(11)));
        assert!(!is_large(&"各".repeat(2_000)));
        assert!(is_large(&"各".repeat(2_001)));
    }

    #[test]
    fn sizes_have_one_unit() {
        let words: Vec<String> = [0, 999, 1_000, 12_499, 999_499, 999_500, 3_440_000]
            .into_iter()
            .map(size_words)
            .collect();

        assert_eq!(
            words,
            [
                "0 B", "999 B", "1 KB", "12 KB", "999 KB", "1.0 MB", "3.4 MB"
            ]
        );
    }
}
