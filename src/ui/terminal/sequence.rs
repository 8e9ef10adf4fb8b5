//! Where a sequence ends in the terminal's bytes, as ECMA-48 and the keys of terminals have it. What a sequence means
//! is not decided here: an unknown one is passed over whole and never becomes text.

const ESCAPE: u8 = 0x1b;
const BELL: u8 = 0x07;
/// Ends of sequences that were given up by whoever sent them.
const CANCEL: u8 = 0x18;
const SUBSTITUTE: u8 = 0x1a;

/// What stands in front.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Front<'a> {
    /// The beginning of something whose rest is still to come.
    Part,
    /// A character.
    Char(char),
    /// A character behind Escape: typed with Alt.
    Alt(char),
    /// Escape, and behind it another sequence of its own.
    Escape,
    /// A control sequence, or a function key that is sent like one, with its introducer.
    Control(&'a [u8]),
    /// An operating system command, without introducer and end.
    Command(&'a [u8]),
    /// Nothing of use.
    Junk,
}

/// What stands in front, and how many bytes it takes.
pub fn front(bytes: &[u8]) -> (Front<'_>, usize) {
    match bytes {
        [] | [ESCAPE] | [ESCAPE, b'[' | b']' | b'O' | b'P'] => (Front::Part, 0),
        [ESCAPE, ESCAPE, ..] => (Front::Escape, 1),
        [ESCAPE, b'[', rest @ ..] => control(bytes, rest),
        [ESCAPE, b'O', last, ..] if last.is_ascii_alphabetic() => three(bytes),
        [ESCAPE, kind @ (b']' | b'P'), rest @ ..] => string(*kind, rest),
        [ESCAPE, rest @ ..] => match character(rest) {
            (Front::Char(character), used) => (Front::Alt(character), used + 1),
            (Front::Junk, used) => (Front::Junk, used + 1),
            part => part,
        },
        _ => character(bytes),
    }
}

/// The first bytes of a slice; all of it when it is shorter.
fn first(bytes: &[u8], count: usize) -> &[u8] {
    bytes.get(..count).unwrap_or(bytes)
}

fn three(bytes: &[u8]) -> (Front<'_>, usize) {
    (Front::Control(first(bytes, 3)), 3)
}

fn control<'a>(bytes: &'a [u8], rest: &[u8]) -> (Front<'a>, usize) {
    // Two forms are older than the standard: the mouse as three bare bytes, and the function keys of the Linux console.
    let bare = match rest.first() {
        Some(b'M') => Some(6),
        Some(b'[') => Some(4),
        _ => None,
    };
    if let Some(length) = bare {
        return match bytes.get(..length) {
            Some(whole) => (Front::Control(whole), length),
            None => (Front::Part, 0),
        };
    }
    let is_inside = |byte: &u8| (0x20..=0x3f).contains(byte);
    match rest.iter().position(|byte| !is_inside(byte)) {
        None => (Front::Part, 0),
        Some(at) => match rest.get(at) {
            Some(0x40..=0x7e) => (Front::Control(first(bytes, at + 3)), at + 3),
            Some(&(CANCEL | SUBSTITUTE)) => (Front::Junk, at + 3),
            // Something else begins in the middle.
            _ => (Front::Junk, at + 2),
        },
    }
}

fn string(kind: u8, rest: &[u8]) -> (Front<'_>, usize) {
    let Some(at) = rest.iter().position(|byte| *byte < 0x20) else {
        return (Front::Part, 0);
    };
    let body = first(rest, at);
    let whole = match kind {
        b']' => Front::Command(body),
        _ => Front::Junk,
    };
    match rest.get(at..).unwrap_or_default() {
        [BELL, ..] => (whole, at + 3),
        [ESCAPE, b'\\', ..] => (whole, at + 4),
        [ESCAPE] => (Front::Part, 0),
        [CANCEL | SUBSTITUTE, ..] => (Front::Junk, at + 3),
        // Something else begins in the middle: a key that somebody presses is not swallowed.
        _ => (Front::Junk, at + 2),
    }
}

fn character(bytes: &[u8]) -> (Front<'_>, usize) {
    let length = match bytes.first() {
        Some(0x00..=0x7f) => 1,
        Some(0xc2..=0xdf) => 2,
        Some(0xe0..=0xef) => 3,
        Some(0xf0..=0xf4) => 4,
        _ => return (Front::Junk, 1),
    };
    let bytes = first(bytes, length);
    match std::str::from_utf8(bytes).map(|text| text.chars().next()) {
        Ok(Some(character)) => (Front::Char(character), length),
        Ok(None) => (Front::Part, 0),
        Err(error) if error.error_len().is_none() => (Front::Part, 0),
        Err(error) => (Front::Junk, error.error_len().unwrap_or(1)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_sequence_ends_where_it_ends() {
        let all: &[(&[u8], Front<'_>)] = &[
            (b"a", Front::Char('a')),
            ("各".as_bytes(), Front::Char('各')),
            (b"\x03", Front::Char('\x03')),
            (b"\x1ba", Front::Alt('a')),
            ("\x1bé".as_bytes(), Front::Alt('é')),
            (b"\x1b[A", Front::Control(b"\x1b[A")),
            (b"\x1b[1;5A", Front::Control(b"\x1b[1;5A")),
            (b"\x1b[[A", Front::Control(b"\x1b[[A")),
            (b"\x1b[M\x20\x21\x22", Front::Control(b"\x1b[M\x20\x21\x22")),
            (b"\x1b[?2026;2$y", Front::Control(b"\x1b[?2026;2$y")),
            (b"\x1bOP", Front::Control(b"\x1bOP")),
            (b"\x1b]11;x\x1b\\", Front::Command(b"11;x")),
            (b"\x1b]11;x\x07", Front::Command(b"11;x")),
            (b"\x1bP1$r0m\x1b\\", Front::Junk),
        ];
        for (bytes, expected) in all {
            for cut in 0..bytes.len() {
                assert_eq!(front(&bytes[..cut]), (Front::Part, 0), "{bytes:?} {cut}");
            }
            let mut more = bytes.to_vec();
            assert_eq!(front(&more), (*expected, bytes.len()), "{bytes:?}");
            more.extend_from_slice(b"zz");
            assert_eq!(front(&more), (*expected, bytes.len()), "{bytes:?} and more");
        }
    }

    #[test]
    fn a_sequence_that_is_broken_off_takes_no_key_with_it() {
        for (bytes, used) in [
            (&b"\x1b[12\x03"[..], 4),
            (b"\x1b]11;rgb:\r", 9),
            (b"\x1b]11;\x1b[A", 5),
            (b"\x1bPq\x18", 4),
            (b"\xff", 1),
        ] {
            assert_eq!(front(bytes), (Front::Junk, used), "{bytes:?}");
        }
        assert_eq!(front(b"\x1b\x1b[A"), (Front::Escape, 1));
    }
}
