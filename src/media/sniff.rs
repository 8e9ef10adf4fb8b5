//! What a file is, by its first bytes and never by its name.

use crate::domain::media::MediaKind;

/// What a file is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Media {
    /// What sort of file.
    pub kind: MediaKind,
    /// What it is on the wire.
    pub mime: &'static str,
    /// What it is in words, with its article.
    pub what: &'static str,
}

/// Names as the recogniser has them, as wires have them, and in words.
const KNOWN: &[(&str, MediaKind, &str, &str)] = &[
    ("image/png", MediaKind::Image, "image/png", "a PNG image"),
    ("image/jpeg", MediaKind::Image, "image/jpeg", "a JPEG image"),
    ("image/gif", MediaKind::Image, "image/gif", "a GIF image"),
    ("image/webp", MediaKind::Image, "image/webp", "a WebP image"),
    (
        "application/pdf",
        MediaKind::Pdf,
        "application/pdf",
        "a PDF document",
    ),
    (
        "audio/mpeg",
        MediaKind::Audio,
        "audio/mpeg",
        "an MP3 recording",
    ),
    (
        "audio/x-wav",
        MediaKind::Audio,
        "audio/wav",
        "a WAV recording",
    ),
    (
        "audio/ogg",
        MediaKind::Audio,
        "audio/ogg",
        "an Ogg recording",
    ),
    (
        "audio/opus",
        MediaKind::Audio,
        "audio/ogg",
        "an Ogg recording",
    ),
    (
        "audio/x-flac",
        MediaKind::Audio,
        "audio/flac",
        "a FLAC recording",
    ),
    ("video/mp4", MediaKind::Video, "video/mp4", "an MP4 video"),
    ("video/x-m4v", MediaKind::Video, "video/mp4", "an MP4 video"),
    (
        "video/quicktime",
        MediaKind::Video,
        "video/quicktime",
        "a QuickTime video",
    ),
    ("video/webm", MediaKind::Video, "video/webm", "a WebM video"),
    (
        "video/x-matroska",
        MediaKind::Video,
        "video/x-matroska",
        "a Matroska video",
    ),
    (
        "video/x-msvideo",
        MediaKind::Video,
        "video/x-msvideo",
        "an AVI video",
    ),
    (
        "video/x-flv",
        MediaKind::Video,
        "video/x-flv",
        "a Flash video",
    ),
    (
        "video/mpeg",
        MediaKind::Video,
        "video/mpeg",
        "an MPEG video",
    ),
    (
        "video/x-ms-wmv",
        MediaKind::Video,
        "video/x-ms-wmv",
        "a Windows Media video",
    ),
    ("video/3gpp", MediaKind::Video, "video/3gpp", "a 3GPP video"),
];

/// Says what a file is that begins with these bytes, when it is one that a model may take.
pub fn sniff(head: &[u8]) -> Option<Media> {
    let is_3gpp =
        head.get(4..8) == Some(b"ftyp") && matches!(head.get(8..11), Some(b"3gp" | b"3g2"));
    let found = if is_3gpp {
        "video/3gpp"
    } else {
        infer::get(head)?.mime_type()
    };
    let (_, kind, mime, what) = KNOWN.iter().find(|(name, ..)| *name == found)?;
    Some(Media {
        kind: *kind,
        mime,
        what,
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn padded(head: &[u8]) -> Vec<u8> {
        let mut bytes = head.to_vec();
        bytes.resize(600, 0);
        bytes
    }

    #[test]
    fn every_kind_of_file_is_known_by_its_beginning() {
        let mut matroska = padded(b"\x1a\x45\xdf\xa3");
        matroska[30..41].copy_from_slice(b"\x42\x82\x88matroska");
        let mut webm = padded(b"\x1a\x45\xdf\xa3");
        webm[30..37].copy_from_slice(b"\x42\x82\x84webm");
        let what = |bytes: &[u8]| sniff(bytes).map_or("nothing", |media| media.what);

        for (bytes, expected) in [
            (padded(b"\x89PNG\r\n\x1a\n"), "a PNG image"),
            (padded(b"\xff\xd8\xff\xe0"), "a JPEG image"),
            (padded(b"GIF89a"), "a GIF image"),
            (padded(b"RIFF\x10\0\0\0WEBPVP8 "), "a WebP image"),
            (padded(b"%PDF-1.7"), "a PDF document"),
            (padded(b"ID3\x04"), "an MP3 recording"),
            (padded(b"\xff\xfb\x90"), "an MP3 recording"),
            (padded(b"RIFF\x10\0\0\0WAVEfmt "), "a WAV recording"),
            (padded(b"OggS\0\x02"), "an Ogg recording"),
            (padded(b"fLaC"), "a FLAC recording"),
            (padded(b"\0\0\0\x18ftypisom"), "an MP4 video"),
            (padded(b"\0\0\0\x14ftypqt  "), "a QuickTime video"),
            (padded(b"\0\0\0\x14ftyp3gp5"), "a 3GPP video"),
            (webm, "a WebM video"),
            (matroska, "a Matroska video"),
            (padded(b"RIFF\x10\0\0\0AVI LIST"), "an AVI video"),
            (padded(b"FLV\x01"), "a Flash video"),
            (padded(b"\0\0\x01\xba"), "an MPEG video"),
            (
                padded(b"\x30\x26\xb2\x75\x8e\x66\xcf\x11\xa6\xd9"),
                "a Windows Media video",
            ),
            // Pictures that no wire takes, and what is no such file at all.
            (padded(b"\0\0\0\x18ftypheic"), "nothing"),
            (padded(b"\0\0\0\x18ftypM4A "), "nothing"),
            (padded(b"PK\x03\x04"), "nothing"),
            (padded(b"BM"), "nothing"),
            (b"plain words".to_vec(), "nothing"),
            (Vec::new(), "nothing"),
        ] {
            assert_eq!(
                what(&bytes),
                expected,
                "{:?}",
                &bytes[..bytes.len().min(12)]
            );
        }
    }

    proptest! {
        #[test]
        fn any_bytes_are_something_or_nothing(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
            let _ = sniff(&bytes);
        }
    }
}
