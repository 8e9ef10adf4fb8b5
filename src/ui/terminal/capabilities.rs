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

use crossterm::event::{Event, KeyCode, KeyEvent, KeyModifiers};

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
    /// What was typed and pasted meanwhile.
    pub typed: Vec<Event>,
}

/// So many tenths of a second without a byte end a paste that has no end.
const PASTE_SILENCES: usize = 10;
const PASTE_END: &[u8] = b"\x1b[201~";

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
    let mut buffer = [0_u8; 4096];
    let mut silences = 0;
    // A paste that has begun is read to its end: whoever reads next would take its rest for typing.
    while parser.pasted.is_some() || (parser.fences == 0 && Instant::now() < deadline) {
        match rustix::io::read(input, &mut buffer) {
            Ok(0) if parser.pasted.is_none() || silences == PASTE_SILENCES => break,
            Ok(0) => silences += 1,
            Ok(count) => {
                silences = 0;
                parser.feed(buffer.get(..count).unwrap_or_default());
            }
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
    /// What has come of a paste so far.
    pasted: Option<Vec<u8>>,
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
        if let Some(mut pasted) = self.pasted.take() {
            let end = bytes
                .windows(PASTE_END.len())
                .position(|window| window == PASTE_END);
            // The end may be cut: its beginning stays until the rest comes.
            let whole = end.unwrap_or((bytes.len() + 1).saturating_sub(PASTE_END.len()));
            pasted.extend_from_slice(bytes.get(..whole).unwrap_or_default());
            if end.is_some() {
                self.found.typed.push(paste(&pasted));
                return Some(whole + PASTE_END.len());
            }
            self.pasted = Some(pasted);
            return (whole > 0).then_some(whole);
        }
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
            b"200~" => self.pasted = Some(Vec::new()),
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
        let key = KeyEvent::new(code, modifiers);
        self.found.typed.push(Event::Key(key));
        Some(length)
    }

    fn finish(mut self) -> Capabilities {
        if self.bytes == [0x1b] {
            let escape = KeyEvent::new(KeyCode::Esc, KeyModifiers::NONE);
            self.found.typed.push(Event::Key(escape));
        }
        if let Some(pasted) = self.pasted.take() {
            self.found.typed.push(paste(&pasted));
        }
        self.found
    }
}

fn paste(bytes: &[u8]) -> Event {
    Event::Paste(String::from_utf8_lossy(bytes).into_owned())
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

        let key = |code, modifiers| Event::Key(KeyEvent::new(code, modifiers));
        assert_eq!(
            found.typed,
            [
                key(KeyCode::Char('h'), KeyModifiers::NONE),
                key(KeyCode::Char('é'), KeyModifiers::NONE),
                key(KeyCode::Enter, KeyModifiers::NONE),
                key(KeyCode::Char('c'), KeyModifiers::CONTROL),
            ]
        );
    }

    #[test]
    fn a_paste_meanwhile_is_one_paste_wherever_it_is_cut() {
        let all = "a\x1b[200~one\r各\x1b[Btwo\x1b[201~b".as_bytes();
        let key = |c| Event::Key(KeyEvent::new(KeyCode::Char(c), KeyModifiers::NONE));

        for cut in 0..=all.len() {
            let (found, _) = parse(&[&all[..cut], &all[cut..]]);
            let pasted = Event::Paste("one\r各\x1b[Btwo".to_owned());
            assert_eq!(found.typed, [key('a'), pasted, key('b')], "cut at {cut}");
        }
    }

    #[test]
    fn a_mode_that_is_not_known_is_not_used() {
        let (found, fences) = parse(&[b"\x1b[?2026;0$y\x1b[?1;2c"]);

        assert_eq!((found, fences), (Capabilities::default(), 1));
    }
}
