//! What the terminal is asked once: its background, whether it can hold a frame back until it is whole, and whether it
//! speaks the kitty keyboard protocol.
//!
//! It is asked after the first frame is painted, and nobody waits: an answer is used whenever it comes. The last
//! question is one that all terminals answer, so its answer says that no other one is still to come.

use std::io::{self, Write};

use crate::ui::theme::Rgb;

/// An answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// Its background.
    Background(Rgb),
    /// It can hold a frame back until it is whole.
    Synchronized,
    /// It speaks the kitty keyboard protocol.
    Keyboard,
    /// It has answered everything that it understood.
    Last,
}

const QUESTIONS: &[u8] = b"\x1b]11;?\x1b\\\x1b[?2026$p\x1b[?u\x1b[c";

/// Asks everything.
pub fn ask() -> io::Result<()> {
    let mut out = io::stdout();
    out.write_all(QUESTIONS)?;
    out.flush()
}

/// What an operating system command from the terminal says.
pub fn of_command(body: &[u8]) -> Option<Answer> {
    let text = std::str::from_utf8(body).ok()?;
    let color = Rgb::parse_answer(text.strip_prefix("11;")?)?;
    Some(Answer::Background(color))
}

/// What a control sequence from the terminal says, from its first parameter to its end.
pub fn of_control(body: &[u8]) -> Option<Answer> {
    match body {
        [b'?', .., b'c'] => Some(Answer::Last),
        [b'?', .., b'u'] => Some(Answer::Keyboard),
        // Set, reset or permanently set: the mode is known. 0 and 4 say that it is not.
        b"?2026;1$y" | b"?2026;2$y" | b"?2026;3$y" => Some(Answer::Synchronized),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_understood() {
        let white = Answer::Background(Rgb(255, 255, 255));
        assert_eq!(of_command(b"11;rgb:ffff/ffff/ffff"), Some(white));
        assert_eq!(of_control(b"?62;4c"), Some(Answer::Last));
        assert_eq!(of_control(b"?0u"), Some(Answer::Keyboard));
        assert_eq!(of_control(b"?2026;2$y"), Some(Answer::Synchronized));
    }

    #[test]
    fn a_mode_that_is_not_known_is_not_used() {
        for other in ["?2026;0$y", "?2026;4$y", "?2027;1$y", "97u", ">1;2c"] {
            assert_eq!(of_control(other.as_bytes()), None, "{other}");
        }
        for other in ["10;rgb:f/f/f", "11;?", "11;rgb:", "52;c;eA==", "\u{fffd}"] {
            assert_eq!(of_command(other.as_bytes()), None, "{other}");
        }
    }
}
