//! Whether a file is whole, and of a size that can be shown.

use super::{picture, sniff::Media};
use crate::domain::media::MediaKind;

/// Where the end of a PDF document is looked for.
const PDF_END: usize = 2048;

/// What is wrong with a file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Flaw {
    /// It breaks off, or is not what it says.
    #[error("it is damaged")]
    Damaged,
    /// A picture with more points than can be shown.
    #[error("with {0}×{1} pixels it is too large; make a smaller one")]
    Large(u32, u32),
    /// A picture with more frames than can be shown.
    #[error("it has more than {0} frames; make a shorter one")]
    Frames(u32),
    /// A document that needs a password.
    #[error("it is locked with a password")]
    Locked,
}

/// Looks through a file. Answers width and height of a picture.
pub fn check(media: &Media, bytes: &[u8]) -> Result<Option<(u32, u32)>, Flaw> {
    match media.kind {
        MediaKind::Image => picture::check(media.mime, bytes).map(Some),
        MediaKind::Pdf => document(bytes).map(|()| None),
        // What they hold is known to who plays them.
        MediaKind::Audio | MediaKind::Video => Ok(None),
    }
}

/// A PDF document ends with the place of its table; one that breaks off has none.
fn document(bytes: &[u8]) -> Result<(), Flaw> {
    let end = bytes.get(bytes.len().saturating_sub(PDF_END)..);
    let end = end.unwrap_or(bytes);
    let holds = |part: &[u8], word: &[u8]| part.windows(word.len()).any(|found| found == word);
    if !holds(end, b"startxref") || !holds(end, b"%%EOF") {
        return Err(Flaw::Damaged);
    }
    if holds(bytes, b"/Encrypt") {
        return Err(Flaw::Locked);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::media::sniff;

    #[test]
    fn a_document_that_breaks_off_or_is_locked_is_told() {
        let whole = b"%PDF-1.4\n1 0 obj\n<<>>\nendobj\ntrailer\n<<>>\nstartxref\n9\n%%EOF\n";
        let locked = b"%PDF-1.4\ntrailer\n<</Encrypt 3 0 R>>\nstartxref\n9\n%%EOF\n";
        let media = sniff(whole).unwrap();

        assert_eq!(check(&media, whole), Ok(None));
        assert_eq!(check(&media, &whole[..40]), Err(Flaw::Damaged));
        assert_eq!(check(&media, locked), Err(Flaw::Locked));
    }
}
