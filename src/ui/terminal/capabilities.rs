//! What the terminal is asked once: its background, whether it can hold a frame back until it is whole, and whether it
//! speaks the kitty keyboard protocol.
//!
//! It is asked after the first frame is painted and never for longer than [`PATIENCE`]. Every question is followed by
//! one that all terminals answer, so a terminal that does not know the first costs nothing. Keys typed meanwhile are
//! not lost.

use std::{
    io::{self, Write},
    time::{Duration, Instant},
};

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use crate::ui::theme::Rgb;

/// How long answers are waited for in all.
pub const PATIENCE: Duration = Duration::from_millis(100);

/// What the terminal answered.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Capabilities {
    /// Its background.
    pub background: Option<Rgb>,
    /// Whether it can hold a frame back until it is whole.
    pub synchronized: bool,
    /// Whether it speaks the kitty keyboard protocol.
    pub keyboard: bool,
    /// Keys that were typed meanwhile.
    pub typed: Vec<KeyEvent>,
}

const BACKGROUND: &[u8] = b"\x1b]11;?\x1b\\\x1b[c";
const MODES: &[u8] = b"\x1b[?2026$p\x1b[?u\x1b[c";

/// Asks. Blocks for at most [`PATIENCE`]; to be called in raw mode while nobody else reads the terminal.
#[cfg(unix)]
pub fn ask() -> Capabilities {
    let deadline = Instant::now() + PATIENCE;
    let mut parser = Parser::default();
    let answered = exchange(BACKGROUND, deadline, &mut parser).unwrap_or(false);
    // A terminal that is slow to answer would answer the rest into the person's typing.
    if answered {
        parser.fences = 0;
        let _ = exchange(MODES, deadline, &mut parser);
    }
    parser.finish()
}

/// Asks nothing where the terminal cannot be read byte by byte.
#[cfg(not(unix))]
pub fn ask() -> Capabilities {
    Capabilities::default()
}

/// Writes a question and reads until the fence is answered (true) or the time is over (false).
#[cfg(unix)]
fn exchange(question: &[u8], deadline: Instant, parser: &mut Parser) -> io::Result<bool> {
    use rustix::termios::{OptionalActions, SpecialCodeIndex, tcgetattr, tcsetattr};

    let mut out = io::stdout();
    out.write_all(question)?;
    out.flush()?;
    let input = rustix::stdio::stdin();
    let before = tcgetattr(input)?;
    let mut modes = before.clone();
    // A read returns with the first byte, or with none after a tenth of a second.
    modes.special_codes[SpecialCodeIndex::VMIN] = 0;
    modes.special_codes[SpecialCodeIndex::VTIME] = 1;
    tcsetattr(input, OptionalActions::Now, &modes)?;
    let mut buffer = [0_u8; 512];
    while parser.fences == 0 && Instant::now() < deadline {
        match rustix::io::read(input, &mut buffer) {
            Ok(0) => break,
            Ok(count) => parser.feed(buffer.get(..count).unwrap_or_default()),
            Err(rustix::io::Errno::INTR) => {}
            Err(_) => break,
        }
    }
    tcsetattr(input, OptionalActions::Now, &before)?;
    Ok(parser.fences > 0)
}

/// Takes answers and typed keys apart.
#[derive(Debug, Default)]
struct Parser {
    bytes: Vec<u8>,
    found: Capabilities,
    fences: usize,
}

impl Parser {
    fn feed(&mut self, bytes: &[u8]) {
        self.bytes.extend_from_slice(bytes);
        while let Some(used) = self.step() {
            self.bytes.drain(..used.min(self.bytes.len()));
        }
    }

    /// Takes one sequence or character from the front; `None` when it is not whole.
    fn step(&mut self) -> Option<usize> {
        let bytes = std::mem::take(&mut self.bytes);
        let used = self.take(&bytes);
        self.bytes = bytes;
        used
    }

    fn take(&mut self, bytes: &[u8]) -> Option<usize> {
        match bytes {
            [] => None,
            [0x1b, b']', rest @ ..] => {
                let (body, used) = osc(rest)?;
                let answer = body.strip_prefix("11;").and_then(Rgb::parse_answer);
                self.found.background = answer.or(self.found.background);
                Some(used + 2)
            }
            [0x1b, b'[', rest @ ..] => {
                let end = rest.iter().position(|byte| (0x40..=0x7e).contains(byte))?;
                self.control(rest.get(..=end).unwrap_or_default());
                Some(end + 3)
            }
            [0x1b] => None,
            [0x1b, ..] => Some(2),
            _ => self.key(bytes),
        }
    }

    fn control(&mut self, body: &[u8]) {
        match body {
            [b'?', .., b'c'] => self.fences += 1,
            [b'?', .., b'u'] => self.found.keyboard = true,
            // Set, reset or permanently set: the mode is known. 0 and 4 say that it is not.
            b"?2026;1$y" | b"?2026;2$y" | b"?2026;3$y" => self.found.synchronized = true,
            _ => {}
        }
    }

    fn key(&mut self, bytes: &[u8]) -> Option<usize> {
        let length = match bytes.first()? {
            0x00..=0x7f => 1,
            0xc0..=0xdf => 2,
            0xe0..=0xef => 3,
            _ => 4,
        };
        let character = std::str::from_utf8(bytes.get(..length)?)
            .ok()
            .and_then(|text| text.chars().next());
        let (code, modifiers) = match character {
            Some('\r' | '\n') => (KeyCode::Enter, KeyModifiers::NONE),
            Some('\t') => (KeyCode::Tab, KeyModifiers::NONE),
            Some('\u{7f}' | '\u{8}') => (KeyCode::Backspace, KeyModifiers::NONE),
            Some(control @ '\u{1}'..='\u{1a}') => {
                let letter = char::from(b'a' + control as u8 - 1);
                (KeyCode::Char(letter), KeyModifiers::CONTROL)
            }
            Some(character) if !character.is_control() => {
                (KeyCode::Char(character), KeyModifiers::NONE)
            }
            _ => return Some(1),
        };
        self.found.typed.push(KeyEvent::new(code, modifiers));
        Some(length)
    }

    fn finish(mut self) -> Capabilities {
        if self.bytes == [0x1b] {
            let escape = KeyEvent::new(KeyCode::Esc, KeyModifiers::NONE);
            self.found.typed.push(escape);
        }
        self.found
    }
}

/// The body of an operating system command and the bytes up to and with its end.
fn osc(bytes: &[u8]) -> Option<(&str, usize)> {
    let end = bytes.iter().position(|byte| matches!(byte, 0x07 | 0x1b))?;
    let used = match bytes.get(end..)? {
        [0x07, ..] => end + 1,
        [0x1b, b'\\', ..] => end + 2,
        [0x1b] => return None,
        _ => end,
    };
    Some((
        std::str::from_utf8(bytes.get(..end)?).unwrap_or_default(),
        used,
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(pieces: &[&[u8]]) -> (Capabilities, usize) {
        let mut parser = Parser::default();
        for piece in pieces {
            parser.feed(piece);
        }
        let fences = parser.fences;
        (parser.finish(), fences)
    }

    #[test]
    fn answers_are_understood_wherever_they_are_cut() {
        let all = b"\x1b]11;rgb:ffff/ffff/ffff\x1b\\\x1b[?62;4c\x1b[?2026;2$y\x1b[?0u\x1b[?1c";
        let expected = Capabilities {
            background: Some(Rgb(255, 255, 255)),
            synchronized: true,
            keyboard: true,
            typed: Vec::new(),
        };

        for cut in 0..=all.len() {
            let (found, fences) = parse(&[&all[..cut], &all[cut..]]);
            assert_eq!((found, fences), (expected.clone(), 2), "cut at {cut}");
        }
    }

    #[test]
    fn what_is_typed_meanwhile_is_kept() {
        let (found, _) = parse(&["h\x1b[?1cé\x1b[A\r\x03".as_bytes()]);

        let codes: Vec<KeyCode> = found.typed.iter().map(|key| key.code).collect();
        assert_eq!(
            codes,
            [
                KeyCode::Char('h'),
                KeyCode::Char('é'),
                KeyCode::Enter,
                KeyCode::Char('c')
            ]
        );
        assert_eq!(found.typed[3].modifiers, KeyModifiers::CONTROL);
    }

    #[test]
    fn a_mode_that_is_not_known_is_not_used() {
        let (found, fences) = parse(&[b"\x1b[?2026;0$y\x1b[?1;2c"]);

        assert_eq!((found, fences), (Capabilities::default(), 1));
    }
}
