//! The title of the terminal window.

use std::io::{self, Write};

use crate::text::sanitize::clean_line;

/// Longest title, in characters.
const LONGEST: usize = 120;

/// The bytes that set a title; whatever it holds, it is one sequence.
pub fn sequence(title: &str) -> String {
    let short: String = clean_line(title).chars().take(LONGEST).collect();
    format!("\x1b]2;{short}\x1b\\")
}

/// Sets the title.
pub fn set(title: &str) -> io::Result<()> {
    let mut out = io::stdout();
    out.write_all(sequence(title).as_bytes())?;
    out.flush()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_title_cannot_break_out_of_its_sequence() {
        let set = sequence("a\x1b]52;c;eA==\x07b\u{202e}\nc");

        assert!(set.starts_with("\x1b]2;"));
        assert!(set.ends_with("\x1b\\"));
        assert_eq!(set.matches('\x1b').count(), 2);
        assert!(!set.contains(['\x07', '\n', '\u{202e}']));
    }
}
