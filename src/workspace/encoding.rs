//! Bytes as text and back, without loss.
//!
//! UTF-8, UTF-8 with a byte order mark and UTF-16 with one are understood. Bytes that are not valid are carried through
//! as reserved private characters and come out unchanged; [`shown`] makes them `U+FFFD` for eyes. Encoding what was
//! decoded always gives the same bytes.

use std::borrow::Cow;

/// How a file's text is stored.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Encoding {
    /// UTF-8.
    #[default]
    Utf8,
    /// UTF-8 that opens with a byte order mark.
    Utf8Bom,
    /// UTF-16, little end first, with a byte order mark.
    Utf16Le,
    /// UTF-16, big end first, with a byte order mark.
    Utf16Be,
}

/// Decoded text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Text {
    /// The text without its byte order mark; line ends are as in the file.
    pub body: String,
    /// How it is stored.
    pub encoding: Encoding,
    /// How many bytes or units of it are not valid.
    pub invalid: usize,
}

/// Unpaired surrogates live at `SURROGATES + (unit - 0xD800)`.
const SURROGATES: u32 = 0x10_F000;
/// Invalid bytes live at `BYTES + byte`.
const BYTES: u32 = 0x10_F800;
/// The last reserved character.
const LAST: u32 = 0x10_F8FF;

/// Where a NUL byte is looked for.
const PROBE: usize = 8192;

/// The byte that every reserved character begins with in UTF-8, and hardly another.
const LEAD: u8 = 0xF4;

const UTF8_BOM: &[u8] = b"\xEF\xBB\xBF";

impl Encoding {
    /// The name in a note to the model; `None` for plain UTF-8.
    pub fn note(self) -> Option<&'static str> {
        match self {
            Self::Utf8 => None,
            Self::Utf8Bom => Some("UTF-8 with BOM"),
            Self::Utf16Le => Some("UTF-16 LE"),
            Self::Utf16Be => Some("UTF-16 BE"),
        }
    }

    /// The encoding that the first bytes announce.
    pub fn sniff(head: &[u8]) -> Self {
        if head.starts_with(UTF8_BOM) {
            Self::Utf8Bom
        } else if head.starts_with(&[0xFF, 0xFE]) {
            Self::Utf16Le
        } else if head.starts_with(&[0xFE, 0xFF]) {
            Self::Utf16Be
        } else {
            Self::Utf8
        }
    }

    /// The same of a text that is not needed any more: mostly its own bytes.
    pub fn encode_own(self, body: String) -> Vec<u8> {
        if self == Self::Utf8 && !may_hold_reserved(&body) {
            body.into_bytes()
        } else {
            self.encode(&body)
        }
    }

    /// The bytes of a text in this encoding, byte order mark included.
    pub fn encode(self, body: &str) -> Vec<u8> {
        match self {
            Self::Utf8 => encode_utf8(Vec::with_capacity(body.len()), body),
            Self::Utf8Bom => encode_utf8(UTF8_BOM.to_vec(), body),
            Self::Utf16Le => encode_utf16(vec![0xFF, 0xFE], body, u16::to_le_bytes),
            Self::Utf16Be => encode_utf16(vec![0xFE, 0xFF], body, u16::to_be_bytes),
        }
    }
}

/// The text of some bytes, or what they are instead of text.
pub fn decode(bytes: Vec<u8>) -> Result<Text, &'static str> {
    let encoding = Encoding::sniff(&bytes);
    let head = bytes.get(..PROBE).unwrap_or(&bytes);
    if let Some(what) = binary(head) {
        return Err(what);
    }
    let (body, invalid) = match encoding {
        Encoding::Utf8 => decode_utf8(bytes),
        Encoding::Utf8Bom => decode_utf8(bytes.get(UTF8_BOM.len()..).unwrap_or_default().to_vec()),
        Encoding::Utf16Le => decode_utf16(bytes.get(2..).unwrap_or_default(), u16::from_le_bytes),
        Encoding::Utf16Be => decode_utf16(bytes.get(2..).unwrap_or_default(), u16::from_be_bytes),
    };
    let reserved = if may_hold_reserved(&body) {
        body.chars().filter(|letter| is_reserved(*letter)).count()
    } else {
        0
    };
    if reserved != invalid {
        return Err("text with private characters that cannot be told from damaged bytes");
    }
    Ok(Text {
        body,
        encoding,
        invalid,
    })
}

/// What the first bytes of a file say it is, when it is not text.
pub fn binary(head: &[u8]) -> Option<&'static str> {
    const MAGIC: &[(&[u8], &str)] = &[
        (b"\x89PNG\r\n\x1a\n", "a PNG image"),
        (b"\xFF\xD8\xFF", "a JPEG image"),
        (b"GIF8", "a GIF image"),
        (b"%PDF-", "a PDF document"),
        (b"PK\x03\x04", "a ZIP archive"),
        (b"\x1F\x8B", "a gzip archive"),
        (b"\x28\xB5\x2F\xFD", "a zstd archive"),
        (b"\xFD7zXZ\0", "an xz archive"),
        (b"BZh", "a bzip2 archive"),
        (b"\x7FELF", "a compiled program"),
        (b"\0asm", "a WebAssembly module"),
        (b"SQLite format 3\0", "an SQLite database"),
        (b"ID3", "an MP3 recording"),
        (b"OggS", "an Ogg recording"),
        (b"fLaC", "a FLAC recording"),
    ];
    let magic = MAGIC.iter().find(|(magic, _)| head.starts_with(magic));
    // These two open with words that a text may open with as well.
    let texty = |magic: &[u8]| magic == b"BZh" || magic == b"ID3" || magic == b"GIF8";
    if let Some((magic, what)) = magic
        && (!texty(magic) || has_nul(head))
    {
        return Some(what);
    }
    if head.starts_with(b"RIFF") && has_nul(head) {
        return Some("a RIFF recording or image");
    }
    has_nul(head).then_some("a binary file")
}

/// Whether a unit of text is zero: a byte, or two in UTF-16.
fn has_nul(head: &[u8]) -> bool {
    match Encoding::sniff(head) {
        Encoding::Utf8 | Encoding::Utf8Bom => head.contains(&0),
        Encoding::Utf16Le | Encoding::Utf16Be => head.chunks_exact(2).any(|unit| unit == [0, 0]),
    }
}

/// Text for eyes: what stands for invalid bytes becomes `U+FFFD`.
pub fn shown(text: &str) -> Cow<'_, str> {
    if may_hold_reserved(text) && text.contains(is_reserved) {
        Cow::Owned(text.replace(is_reserved, "\u{FFFD}"))
    } else {
        Cow::Borrowed(text)
    }
}

/// The first character of a text that would be stored as something else than itself. Text from outside must have
/// none: a person is shown one sign for it, and the file would get a raw byte, such as a line end.
pub fn forged(text: &str) -> Option<char> {
    if !may_hold_reserved(text) {
        return None;
    }
    text.chars().find(|letter| is_reserved(*letter))
}

/// Whether it is worth to look at each character: a large text is asked this several times in one change.
fn may_hold_reserved(text: &str) -> bool {
    memchr::memchr(LEAD, text.as_bytes()).is_some()
}

fn is_reserved(letter: char) -> bool {
    (SURROGATES..=LAST).contains(&u32::from(letter))
}

fn decode_utf8(bytes: Vec<u8>) -> (String, usize) {
    let bytes = match String::from_utf8(bytes) {
        Ok(body) => return (body, 0),
        Err(error) => error.into_bytes(),
    };
    let mut body = String::with_capacity(bytes.len());
    let mut invalid = 0;
    for chunk in bytes.utf8_chunks() {
        body.push_str(chunk.valid());
        for byte in chunk.invalid() {
            body.extend(char::from_u32(BYTES + u32::from(*byte)));
            invalid += 1;
        }
    }
    (body, invalid)
}

fn decode_utf16(bytes: &[u8], unit: fn([u8; 2]) -> u16) -> (String, usize) {
    let (pairs, rest) = bytes.as_chunks::<2>();
    let mut invalid = 0;
    let mut body: String = char::decode_utf16(pairs.iter().map(|pair| unit(*pair)))
        .filter_map(|letter| match letter {
            Ok(letter) => Some(letter),
            Err(lone) => {
                invalid += 1;
                char::from_u32(SURROGATES + u32::from(lone.unpaired_surrogate()) - 0xD800)
            }
        })
        .collect();
    for byte in rest {
        body.extend(char::from_u32(BYTES + u32::from(*byte)));
        invalid += 1;
    }
    (body, invalid)
}

fn encode_utf8(mut bytes: Vec<u8>, body: &str) -> Vec<u8> {
    if !may_hold_reserved(body) {
        bytes.extend_from_slice(body.as_bytes());
        return bytes;
    }
    let mut buffer = [0; 4];
    for letter in body.chars() {
        match u32::from(letter) {
            code @ BYTES..=LAST => bytes.push((code - BYTES) as u8),
            _ => bytes.extend_from_slice(letter.encode_utf8(&mut buffer).as_bytes()),
        }
    }
    bytes
}

fn encode_utf16(mut bytes: Vec<u8>, body: &str, unit: fn(u16) -> [u8; 2]) -> Vec<u8> {
    let mut buffer = [0; 2];
    for letter in body.chars() {
        match u32::from(letter) {
            code @ BYTES..=LAST => bytes.push((code - BYTES) as u8),
            code @ SURROGATES..BYTES => {
                bytes.extend(unit((code - SURROGATES + 0xD800) as u16));
            }
            _ => {
                for part in letter.encode_utf16(&mut buffer) {
                    bytes.extend(unit(*part));
                }
            }
        }
    }
    bytes
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn each_encoding_is_recognised_and_its_mark_hidden() {
        for (bytes, body, encoding) in [
            (b"plain\n".to_vec(), "plain\n", Encoding::Utf8),
            (
                b"\xEF\xBB\xBFfirst\n".to_vec(),
                "first\n",
                Encoding::Utf8Bom,
            ),
            (b"\xFF\xFEh\0i\0".to_vec(), "hi", Encoding::Utf16Le),
            (b"\xFE\xFF\0h\0i".to_vec(), "hi", Encoding::Utf16Be),
        ] {
            let text = decode(bytes.clone()).unwrap();

            assert_eq!(text.body, body);
            assert_eq!((text.encoding, text.invalid), (encoding, 0));
            assert_eq!(encoding.encode(&text.body), bytes);
        }
    }

    #[test]
    fn bytes_that_are_not_utf_8_are_counted_shown_and_kept() {
        let bytes = b"n = 1\n# pre\xe7o\n";

        let text = decode(bytes.to_vec()).unwrap();

        assert_eq!(text.invalid, 1);
        assert_eq!(shown(&text.body), "n = 1\n# pre\u{FFFD}o\n");
        assert_eq!(text.encoding.encode(&text.body), bytes);
    }

    #[test]
    fn binary_content_is_named() {
        let decode = |bytes: &[u8]| decode(bytes.to_vec());
        assert_eq!(decode(b"\x89PNG\r\n\x1a\n\0\0"), Err("a PNG image"));
        assert_eq!(decode(b"abc\0def"), Err("a binary file"));
        assert_eq!(decode(b"\xFF\xFE\0\0a\0\0\0"), Err("a binary file"));
        assert_eq!(decode(b"GIF8 is how it starts\n").unwrap().invalid, 0);
    }

    #[test]
    fn every_reserved_character_begins_with_the_byte_that_is_looked_for() {
        for code in SURROGATES..=LAST {
            let letter = char::from_u32(code).unwrap();
            assert!(may_hold_reserved(&letter.to_string()), "{code:x}");
        }
    }

    proptest! {
        #[test]
        fn what_was_decoded_encodes_to_the_same_bytes(
            mark in prop::sample::select(vec![&b""[..], UTF8_BOM, b"\xFF\xFE", b"\xFE\xFF"]),
            bytes in prop::collection::vec(1u8.., 0..200),
        ) {
            let bytes = [mark, &bytes].concat();
            if let Ok(text) = decode(bytes.clone()) {
                prop_assert_eq!(text.encoding.encode(&text.body), bytes.clone());
                prop_assert_eq!(text.encoding.encode_own(text.body), bytes);
            }
        }
    }
}
