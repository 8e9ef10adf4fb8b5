//! The person's side of a terminal that a command has: what they type, and how large it is for them.

use std::fmt;

/// Something typed, as the bytes that the program gets. It may be a password: nothing shows it, and nothing keeps it.
#[derive(Clone, PartialEq, Eq)]
pub struct Typed {
    bytes: Vec<u8>,
    characters: usize,
}

impl Typed {
    /// What one key or one paste sends.
    pub fn new(bytes: impl Into<Vec<u8>>) -> Self {
        let bytes = bytes.into();
        Self {
            characters: match bytes.as_slice() {
                [] => 0,
                // A key that sends a sequence.
                [0x1b, ..] => 1,
                bytes => String::from_utf8_lossy(bytes).chars().count(),
            },
            bytes,
        }
    }

    /// What was typed behind it.
    pub fn append(&mut self, next: &Self) {
        self.bytes.extend(&next.bytes);
        self.characters += next.characters;
    }

    /// What the program gets.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// How many characters it is to the person: a key that sends a sequence is one.
    pub fn characters(&self) -> usize {
        self.characters
    }
}

impl fmt::Debug for Typed {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Typed({} bytes)", self.bytes.len())
    }
}

/// How large a terminal is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TerminalSize {
    /// Columns.
    pub columns: u16,
    /// Rows.
    pub rows: u16,
}

impl Default for TerminalSize {
    fn default() -> Self {
        Self {
            columns: 80,
            rows: 24,
        }
    }
}

/// What a terminal gets from the person's side.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TerminalInput {
    /// Something typed.
    Typed(Typed),
    /// It is this large now.
    Size(TerminalSize),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_typed_is_counted_and_never_shown() {
        let counts = ["a", "各é", "yes\r", "\u{1b}[A", "\u{3}", ""]
            .map(|text| Typed::new(text).characters());
        assert_eq!(counts, [1, 2, 4, 1, 1, 0]);

        let mut all = Typed::new("yes");
        all.append(&Typed::new("\u{1b}[A"));
        assert_eq!((all.characters(), all.bytes()), (4, &b"yes\x1b[A"[..]));

        let shown = format!("{:?}", TerminalInput::Typed(Typed::new("secret")));
        assert_eq!(shown, "Typed(Typed(6 bytes))");
    }
}
