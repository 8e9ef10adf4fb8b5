//! Files that a model gets as they are, when it takes them: the way there for every tool that meets one.

use super::{context::ToolContext, output::OutputFile};
use crate::{
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
    Ok(Shown {
        what: format!("{}{sides}, {} bytes", media.what, grouped(size)),
        file: OutputFile {
            kind: media.kind,
            mime: media.mime,
            name: name.to_owned(),
            bytes,
        },
    })
}
