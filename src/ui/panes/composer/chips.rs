//! Pasted texts that stand in the buffer as one character each.
//!
//! The one invariant: a stand-in is a noncharacter, which Unicode keeps for such use, and [`clean`] lets none in
//! from outside; so a text typed or pasted can never be taken for a chip.

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
    texts: Vec<String>,
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
            self.texts.push(text);
        } else if let Some(last) = self.texts.last_mut() {
            last.push_str(&text);
        }
        stand_in
    }

    /// The text that a character stands for.
    pub fn text(&self, c: char) -> Option<&str> {
        if !is_stand_in(c) {
            return None;
        }
        self.texts
            .get((c as u32 - FIRST as u32) as usize)
            .map(String::as_str)
    }

    /// What is shown for a character that stands for a text: `[paste 1: 240 lines, 12 KB]`.
    pub fn label(&self, c: char) -> Option<String> {
        let text = self.text(c)?;
        let number = c as u32 - FIRST as u32 + 1;
        let lines = text.split('\n').count();
        let size = size_words(text.len());
        Some(if lines == 1 {
            format!("[paste {number}: {size}]")
        } else {
            format!("[paste {number}: {lines} lines, {size}]")
        })
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
