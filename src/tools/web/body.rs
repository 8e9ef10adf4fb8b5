//! What came: HTML, text, an image or something else, by its bytes first and by what the server says second.

use encoding_rs::{Encoding, UTF_8, WINDOWS_1252};

use crate::workspace::encoding;

/// Where a page may name its own charset.
const META: usize = 4096;

/// What a body is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Body {
    /// A page.
    Html(String),
    /// Text that is shown as it is.
    Text(String),
    /// An image, by kind and size.
    Image {
        kind: &'static str,
        size: Option<(u32, u32)>,
    },
    /// Anything else, in words.
    Binary(String),
}

/// Says what a body is, and decodes it when it is text.
pub(super) fn read(bytes: &[u8], content_type: &str) -> Body {
    let (essence, charset) = split(content_type);
    let named = charset.and_then(|label| Encoding::for_label(label.as_bytes()));
    let is_wide = named.is_some_and(|encoding| !encoding.is_ascii_compatible());
    if let Some((kind, size)) = image(bytes) {
        return Body::Image { kind, size };
    }
    let head = bytes.get(..8192).unwrap_or(bytes);
    if let Some(what) = encoding::binary(head).filter(|what| !is_wide || *what != "a binary file") {
        return Body::Binary(what.to_owned());
    }
    let is_media = ["image/", "audio/", "video/", "font/"]
        .iter()
        .any(|kind| essence.starts_with(kind));
    if is_media && essence != "image/svg+xml" {
        return Body::Binary(format!("something that is sent as {essence}"));
    }
    let text = decode(bytes, named);
    let is_html = match essence.as_str() {
        "text/html" | "application/xhtml+xml" => true,
        "" | "application/octet-stream" => opens_as_html(&text),
        _ => false,
    };
    if is_html {
        Body::Html(text)
    } else if is_text(&essence) || std::str::from_utf8(bytes).is_ok() || bytes.len() > META {
        Body::Text(text)
    } else {
        Body::Binary("a binary file".to_owned())
    }
}

/// The kind before the semicolon in small letters, and the charset behind it.
fn split(content_type: &str) -> (String, Option<&str>) {
    let mut parts = content_type.split(';');
    let essence = parts.next().unwrap_or_default().trim().to_ascii_lowercase();
    let charset = parts.find_map(|part| {
        let (name, value) = part.split_once('=')?;
        name.trim()
            .eq_ignore_ascii_case("charset")
            .then(|| value.trim().trim_matches(['"', '\'']))
    });
    (essence, charset)
}

fn is_text(essence: &str) -> bool {
    essence.starts_with("text/")
        || essence.ends_with("+json")
        || essence.ends_with("+xml")
        || matches!(
            essence,
            "application/json"
                | "application/xml"
                | "application/javascript"
                | "application/ecmascript"
                | "application/x-www-form-urlencoded"
                | "application/yaml"
                | "application/toml"
        )
}

fn opens_as_html(text: &str) -> bool {
    let start = text.trim_start().get(..64).unwrap_or(text.trim_start());
    let start = start.to_ascii_lowercase();
    ["<!doctype html", "<html", "<head", "<body"]
        .iter()
        .any(|tag| start.starts_with(tag))
}

/// Byte order mark, header, the page's own word, valid UTF-8, else what the web means by nothing.
fn decode(bytes: &[u8], named: Option<&'static Encoding>) -> String {
    let encoding = Encoding::for_bom(bytes)
        .map(|(encoding, _)| encoding)
        .or(named)
        .or_else(|| meta(bytes))
        .unwrap_or_else(|| {
            // A body that was cut may end inside a character.
            let is_valid = match std::str::from_utf8(bytes) {
                Ok(_) => true,
                Err(error) => {
                    let valid = bytes.get(..error.valid_up_to()).unwrap_or_default();
                    error.error_len().is_none() && !valid.is_ascii()
                }
            };
            if is_valid { UTF_8 } else { WINDOWS_1252 }
        });
    encoding.decode(bytes).0.into_owned()
}

/// The charset that a page names in its head.
fn meta(bytes: &[u8]) -> Option<&'static Encoding> {
    let head = bytes.get(..META).unwrap_or(bytes);
    let head = String::from_utf8_lossy(head).to_ascii_lowercase();
    head.split("<meta").skip(1).find_map(|tag| {
        let tag = tag.split('>').next().unwrap_or_default();
        let (_, value) = tag.split_once("charset")?;
        let value = value.trim_start().strip_prefix('=')?;
        let value = value.trim_start().trim_start_matches(['"', '\'']);
        let end = value.find(|c: char| !c.is_ascii_alphanumeric() && !"-_:.".contains(c));
        let label = value.get(..end.unwrap_or(value.len()))?;
        let encoding = Encoding::for_label(label.as_bytes())?;
        // The word was read as ASCII, so the page cannot be what it says.
        Some(if encoding.is_ascii_compatible() {
            encoding
        } else {
            UTF_8
        })
    })
}

/// The kind and size of an image, by its bytes.
fn image(bytes: &[u8]) -> Option<(&'static str, Option<(u32, u32)>)> {
    let big = |at: usize, length: usize| number(bytes.get(at..at + length)?.iter());
    let little = |at: usize, length: usize| number(bytes.get(at..at + length)?.iter().rev());
    let both = |one: Option<u32>, other: Option<u32>| one.zip(other);
    if bytes.starts_with(b"\x89PNG\r\n\x1a\n") {
        return Some(("PNG", both(big(16, 4), big(20, 4))));
    }
    if bytes.starts_with(b"GIF87a") || bytes.starts_with(b"GIF89a") {
        return Some(("GIF", both(little(6, 2), little(8, 2))));
    }
    if bytes.starts_with(b"\xFF\xD8\xFF") {
        return Some(("JPEG", jpeg(bytes)));
    }
    if bytes.starts_with(b"RIFF") && bytes.get(8..12) == Some(b"WEBP") {
        let size = match bytes.get(12..16) {
            Some(b"VP8X") => both(little(24, 3), little(27, 3)).map(|(w, h)| (w + 1, h + 1)),
            _ => None,
        };
        return Some(("WebP", size));
    }
    None
}

fn number<'b>(bytes: impl Iterator<Item = &'b u8>) -> Option<u32> {
    Some(bytes.fold(0_u32, |sum, byte| sum << 8 | u32::from(*byte)))
}

/// The size in the first frame of a JPEG.
fn jpeg(bytes: &[u8]) -> Option<(u32, u32)> {
    let mut rest = bytes.get(2..)?;
    loop {
        let (&[0xFF, marker], body) = rest.split_first_chunk()? else {
            return None;
        };
        let length = usize::try_from(number(body.get(..2)?.iter())?).ok()?;
        if matches!(marker, 0xC0..=0xCF) && !matches!(marker, 0xC4 | 0xC8 | 0xCC) {
            let height = number(body.get(3..5)?.iter())?;
            return Some((number(body.get(5..7)?.iter())?, height));
        }
        rest = body.get(length.max(2)..)?;
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn the_charset_is_taken_from_mark_header_page_and_bytes_in_this_order() {
        let text = |bytes: &[u8], kind: &str| match read(bytes, kind) {
            Body::Html(text) | Body::Text(text) => text,
            other => panic!("{other:?}"),
        };

        for (bytes, kind, expected) in [
            (&b"caf\xe9"[..], "text/plain; charset=ISO-8859-1", "café"),
            (b"caf\xc3\xa9", "text/plain", "café"),
            (b"caf\xe9 \x80", "text/plain", "café €"),
            (
                b"\xef\xbb\xbfcaf\xc3\xa9",
                "text/plain; charset=latin1",
                "café",
            ),
            (b"\xff\xfea\0b\0", "text/plain", "ab"),
            (b"a\0b\0", "text/plain; charset=\"utf-16le\"", "ab"),
            (b"\x93\xfa\x96\x7b", "text/plain; charset=Shift_JIS", "日本"),
            (b"caf\xe9", "text/plain; charset=no-such-name", "café"),
            (
                b"<meta charset=koi8-r>\xd0\xd2\xc9",
                "text/html",
                "<meta charset=koi8-r>при",
            ),
            (
                b"<META http-equiv=Content-Type content='text/html; charset=windows-1251'>\xef",
                "text/html",
                "<META http-equiv=Content-Type content='text/html; charset=windows-1251'>п",
            ),
            (b"caf\xc3\xa9 \xc3", "text/plain", "café \u{fffd}"),
        ] {
            assert_eq!(text(bytes, kind), expected, "{kind} {bytes:?}");
        }
    }

    #[test]
    fn b161_bytes_say_more_than_the_server_does() {
        let png = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\x02\x80\0\0\x01\xe0\x08\x06\0\0\0";
        let jpeg = b"\xff\xd8\xff\xe0\0\x04ab\xff\xc0\0\x0b\x08\x00\x10\x00\x20\x03";
        let image = |kind, size| Body::Image { kind, size };

        assert_eq!(read(png, "text/html"), image("PNG", Some((640, 480))));
        assert_eq!(read(jpeg, ""), image("JPEG", Some((32, 16))));
        assert_eq!(
            read(b"GIF89a\x01\0\x02\0", "text/plain"),
            image("GIF", Some((1, 2)))
        );
        assert_eq!(
            read(b"%PDF-1.7 x", "text/html"),
            Body::Binary("a PDF document".to_owned())
        );
        assert!(matches!(read(b"a\0b", "text/html"), Body::Binary(_)));
        assert!(matches!(
            read(b"\xfe\xed\xff", "application/x"),
            Body::Binary(_)
        ));
        assert!(matches!(read(b"abc", "audio/mpeg"), Body::Binary(_)));
    }

    #[test]
    fn a_page_without_a_kind_is_known_by_its_beginning() {
        assert!(matches!(read(b" \n<!DOCTYPE html><p>a", ""), Body::Html(_)));
        assert!(matches!(
            read(b"<!DOCTYPE html><p>a", "text/plain"),
            Body::Text(_)
        ));
        assert!(matches!(read(b"{}", "application/json"), Body::Text(_)));
        assert!(matches!(read(b"a: b", ""), Body::Text(_)));
    }

    proptest! {
        #[test]
        fn any_bytes_are_something(
            start in prop::sample::select(vec![&b""[..], b"\xff\xd8\xff", b"\x89PNG\r\n\x1a\n", b"RIFF0000WEBP", b"<meta charset="]),
            bytes: Vec<u8>,
            kind in "(text/html|image/png|)(; ?charset=[a-z0-9\"-]{0,10})?",
        ) {
            let _ = read(&[start, &bytes].concat(), &kind);
        }
    }
}
