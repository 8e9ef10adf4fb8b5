//! Files that a model gets as they are, when it takes them: the way there for every tool that meets one.

use super::{context::ToolContext, output::OutputFile};
use crate::{
    domain::media::MediaKind,
    media::{Media, check},
    text::truncate::grouped,
};

/// A file that a model gets.
pub(super) struct Shown {
    /// What it is: `a PNG image, 640×480 pixels, 12,345 bytes`.
    pub(super) what: String,
    /// The file.
    pub(super) file: OutputFile,
}

/// Lets a file through to the model, or says why not.
pub(super) fn show(
    name: &str,
    media: &Media,
    bytes: Vec<u8>,
    context: &ToolContext,
) -> Result<Shown, String> {
    let size = bytes.len();
    if let Some(why) = context.media.refusal(media.kind, size as u64) {
        return Err(why);
    }
    let sides = check(media, &bytes).map_err(|flaw| flaw.to_string())?;
    let sides = sides.map_or_else(String::new, |(width, height)| {
        format!(", {width}×{height} pixels")
    });
    // A damaged picture or document is refused here; what moves or sounds is known to whoever plays it.
    let unchecked = match media.kind {
        MediaKind::Image | MediaKind::Pdf => "",
        MediaKind::Audio | MediaKind::Video => ", not checked",
    };
    Ok(Shown {
        what: format!("{}{sides}, {} bytes{unchecked}", media.what, grouped(size)),
        file: OutputFile {
            kind: media.kind,
            mime: media.mime,
            name: name.to_owned(),
            bytes,
        },
    })
}

#[cfg(test)]
mod tests {
    use super::show;
    use crate::{domain::media::MediaKind, media::sniff, tools::fake_host::FakeHost};

    #[test]
    fn a_video_is_sent_as_it_is_and_called_that() {
        let (_, mut context) = FakeHost::new();
        let support = &mut context.media.support;
        support.takes.insert(MediaKind::Video, true);
        support.carried.insert(MediaKind::Video, 1_024);
        let bytes = b"\0\0\0\x18ftypisom\0\0\0\0".to_vec();
        let media = sniff(&bytes).unwrap();

        let shown = show("clip.mp4", &media, bytes.clone(), &context).unwrap();

        assert_eq!(shown.what, "an MP4 video, 16 bytes, not checked");
        assert_eq!((shown.file.mime, shown.file.bytes), ("video/mp4", bytes));
    }
}
