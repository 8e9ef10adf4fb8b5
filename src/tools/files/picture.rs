//! Files that are no text, read for the model to look at: images, PDF documents, sound, video.

use crate::{
    domain::display::Display,
    media::sniff,
    text::truncate::grouped,
    tools::{context::ToolContext, error::ToolError, output::ToolOutput, shown},
    workspace::{encoding, raw, root::Located},
};

/// Shows the file to the model; nothing when it is none that can be shown. One that the model does not get is a
/// failure that says what it is and why.
pub(super) fn read(file: &Located, context: &ToolContext) -> Result<Option<ToolOutput>, ToolError> {
    let (head, bytes) = raw::head(file)?;
    if encoding::binary(&head).is_none() {
        return Ok(None);
    }
    let Some(media) = sniff(&head) else {
        return Ok(None);
    };
    let refused = |why: &str| {
        let size = grouped(usize::try_from(bytes).unwrap_or(usize::MAX));
        ToolError::model(format!(
            "{} is {} ({size} bytes) and cannot be shown: {why}. Ask the person what is in it, or look into it with \
             shell_execute",
            file.shown, media.what
        ))
    };
    // Before it is read.
    if let Some(why) = context.media.refusal(media.kind, bytes) {
        return Err(refused(&why));
    }
    let content = raw::whole(file, bytes)?.ok_or_else(|| refused("it grew while it was read"))?;
    let shown = shown::show(&file.shown, &media, content, context).map_err(|why| refused(&why))?;
    let text = format!("[{}: {}, shown with this answer]", file.shown, shown.what);
    let mut output = ToolOutput::text(text)
        .with_display(Display::text(format!("{}, shown to the model", shown.what)))
        .with_outcome(shown.what);
    output.files.push(shown.file);
    Ok(Some(output))
}
