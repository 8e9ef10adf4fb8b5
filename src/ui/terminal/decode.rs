//! From the terminal's bytes to what the person did and what the terminal answered, in order and wherever they are cut.
//! An answer is never taken for typing, however late it comes, and no key is lost to one.

use std::time::{Duration, Instant};

use crossterm::event::{Event, KeyModifiers};

use super::{
    capabilities::{self, Answer},
    keys,
    sequence::{Front, front},
};

/// How long Escape waits for what would make it another key.
const ESCAPE: Duration = Duration::from_millis(50);
/// How long a sequence that has begun waits for its rest.
const SEQUENCE: Duration = Duration::from_secs(2);
/// How long a paste without an end waits for it: whatever comes then is typing again.
const PASTE: Duration = Duration::from_secs(5);
/// So many bytes at once are a piece of a paste and not typed into it.
const PIECE: usize = 32;
/// Longest sequence that is kept.
const LONGEST: usize = 4_096;
/// A longer paste comes in pieces.
const LONGEST_PASTE: usize = 16 << 20;

const PASTE_BEGIN: &[u8] = b"\x1b[200~";
const PASTE_END: &[u8] = b"\x1b[201~";

/// What came.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Heard {
    /// The person did something.
    Event(Event),
    /// The terminal answered.
    Answer(Answer),
}

/// Takes answers and what the person does apart.
#[derive(Debug, Default)]
pub struct Decoder {
    /// What has begun and is not whole.
    bytes: Vec<u8>,
    /// What has come of a paste so far.
    pasted: Option<Vec<u8>>,
    /// Whether answers are still to come.
    asked: bool,
    /// What was told as a key while answers were to come: it may have been the beginning of one.
    told: Vec<u8>,
    /// So many bytes in front are that beginning, put back before what came then.
    put_back: usize,
    /// Until when the end of a paste is waited for.
    paste_until: Option<Instant>,
}

impl Decoder {
    /// One that waits for answers, or for none.
    pub fn new(asked: bool) -> Self {
        Self {
            asked,
            ..Self::default()
        }
    }

    /// Whether answers are still to come.
    pub fn is_asked(&self) -> bool {
        self.asked
    }

    /// Takes bytes.
    pub fn feed(&mut self, bytes: &[u8]) -> Vec<Heard> {
        if !self.told.is_empty() {
            self.bytes = std::mem::take(&mut self.told);
            self.put_back = self.bytes.len();
        }
        self.bytes.extend_from_slice(bytes);
        let mut heard = Vec::new();
        let bytes = std::mem::take(&mut self.bytes);
        let mut rest = bytes.as_slice();
        while let Some(used) = self.step(rest, &mut heard) {
            rest = rest.get(used..).unwrap_or_default();
        }
        self.keep(rest);
        heard
    }

    /// Until when what has begun waits for its rest, `read` bytes having come just now; `None` when nothing has begun.
    /// What is typed into a paste whose end was lost does not make it wait on.
    pub fn waits_until(&mut self, read: usize, now: Instant) -> Option<Instant> {
        let until = self.patience().map(|patience| now + patience);
        let goes_on = self.pasted.is_some() && read < PIECE;
        let until = match self.paste_until {
            Some(paste) if goes_on => Some(paste),
            _ => until,
        };
        self.paste_until = until.filter(|_| self.pasted.is_some());
        until
    }

    /// How long what has begun waits for its rest; `None` when nothing has begun.
    fn patience(&self) -> Option<Duration> {
        match (&self.pasted, self.bytes.len()) {
            (Some(_), _) => Some(PASTE),
            (None, 0) => None,
            (None, 1 | 2) => Some(ESCAPE),
            (None, _) => Some(SEQUENCE),
        }
    }

    /// The rest did not come in time: Escape was a key, and what else had begun is nothing.
    pub fn give_up(&mut self) -> Vec<Heard> {
        let bytes = std::mem::take(&mut self.bytes);
        let put_back = std::mem::take(&mut self.put_back);
        if put_back > 0 {
            let typed = bytes.get(put_back..).unwrap_or_default();
            let keys = typed
                .iter()
                .map(|byte| key((*byte).into(), KeyModifiers::NONE));
            return keys.flatten().collect();
        }
        if let Some(mut pasted) = self.pasted.take() {
            pasted.extend_from_slice(&bytes);
            return vec![paste(&pasted)];
        }
        let told = match bytes.as_slice() {
            [0x1b] => key('\u{1b}', KeyModifiers::NONE),
            [0x1b, last] => key((*last).into(), KeyModifiers::ALT),
            _ => None,
        };
        if self.asked && told.is_some() {
            self.told = bytes;
        }
        told.into_iter().collect()
    }

    /// Keeps what is not whole. Of a sequence that is too long only its end is still of interest.
    fn keep(&mut self, rest: &[u8]) {
        let kept = match rest {
            [0x1b, kind, .., last] if rest.len() > LONGEST => vec![0x1b, *kind, b'?', *last],
            _ => rest.to_vec(),
        };
        self.bytes = kept;
    }

    /// Takes what stands in front; `None` when it is not whole.
    fn step(&mut self, bytes: &[u8], heard: &mut Vec<Heard>) -> Option<usize> {
        if let Some(pasted) = self.pasted.take() {
            return self.paste(pasted, bytes, heard);
        }
        // What was put back is the beginning of an answer or was typed.
        if self.put_back > 0
            && !matches!(
                bytes,
                [_, b'[' | b']'] | [_, b']', b'1', ..] | [_, b'[', b'?', ..]
            )
        {
            return Some(std::mem::take(&mut self.put_back));
        }
        let (front, used) = front(bytes);
        let told = match front {
            Front::Part => return None,
            Front::Char(character) => key(character, KeyModifiers::NONE),
            Front::Alt(character) => key(character, KeyModifiers::ALT),
            Front::Escape => key('\u{1b}', KeyModifiers::NONE),
            Front::Control(PASTE_BEGIN) => {
                self.pasted = Some(Vec::new());
                None
            }
            Front::Control(sequence) => self.control(sequence),
            Front::Command(body) => capabilities::of_command(body).map(Heard::Answer),
            Front::Junk => None,
        };
        self.put_back = 0;
        heard.extend(told);
        Some(used)
    }

    fn control(&mut self, sequence: &[u8]) -> Option<Heard> {
        match sequence {
            [_, b'[', body @ ..] if body.starts_with(b"?") => {
                let answer = capabilities::of_control(body)?;
                self.asked &= answer != Answer::Last;
                Some(Heard::Answer(answer))
            }
            _ => keys::of_control(sequence).map(Heard::Event),
        }
    }

    fn paste(
        &mut self,
        mut pasted: Vec<u8>,
        bytes: &[u8],
        heard: &mut Vec<Heard>,
    ) -> Option<usize> {
        let end = bytes
            .windows(PASTE_END.len())
            .position(|window| window == PASTE_END);
        // The end may be cut: its beginning stays until the rest comes.
        let whole = end.unwrap_or((bytes.len() + 1).saturating_sub(PASTE_END.len()));
        pasted.extend_from_slice(bytes.get(..whole).unwrap_or_default());
        if end.is_some() {
            heard.push(paste(&pasted));
            return Some(whole + PASTE_END.len());
        }
        if pasted.len() > LONGEST_PASTE {
            let rest = pasted.split_off(boundary(&pasted));
            heard.push(paste(&pasted));
            pasted = rest;
        }
        self.pasted = Some(pasted);
        (whole > 0).then_some(whole)
    }
}

/// Where the last character of a text begins when it is not whole, else its end.
fn boundary(text: &[u8]) -> usize {
    match std::str::from_utf8(text) {
        Err(error) if error.error_len().is_none() => error.valid_up_to(),
        _ => text.len(),
    }
}

fn key(character: char, modifiers: KeyModifiers) -> Option<Heard> {
    keys::of_character(character, modifiers).map(Heard::Event)
}

fn paste(bytes: &[u8]) -> Heard {
    Heard::Event(Event::Paste(String::from_utf8_lossy(bytes).into_owned()))
}

#[cfg(test)]
#[path = "decode_tests.rs"]
mod tests;
