//! Which of the files that results brought go with a request: the latest, as many as a server takes at once.
//!
//! A file that stays behind is named in its result with the address under which it can be read again.

use std::{collections::HashSet, sync::Arc};

use crate::{
    domain::{
        chat::{ChatMessage, ContentBlock},
        ids::ArtifactId,
        media::{Attachment, MediaGate},
        tool::ToolResult,
    },
    providers::contract::MediaContent,
    store::StoreHandle,
};

/// The most files of a request.
const MOST_FILES: usize = 20;
/// The most bytes of all of them: a third more on the wire.
const MOST_BYTES: u64 = 36 << 20;

/// The messages with the files that go with them. The model may be another one than the one that asked for a file.
pub fn chosen(messages: Arc<[ChatMessage]>, gate: &MediaGate) -> Arc<[ChatMessage]> {
    if !messages.iter().any(has_files) {
        return messages;
    }
    let mut messages = messages.to_vec();
    let mut room = Room {
        gate,
        sent: HashSet::new(),
        bytes: 0,
        is_full: false,
    };
    for message in messages.iter_mut().rev() {
        for block in message.blocks.iter_mut().rev() {
            if let ContentBlock::ToolResult(result) = block {
                room.fill(result);
            }
        }
    }
    messages.into()
}

/// The content of the files of these messages. What cannot be read is left out.
pub async fn content(store: &StoreHandle, messages: &[ChatMessage]) -> MediaContent {
    let mut content = MediaContent::default();
    for file in messages.iter().flat_map(files) {
        match store.read_artifact(&file.id, file.bytes).await {
            Ok(read) => drop(content.0.insert(file.id.clone(), read.bytes)),
            Err(error) => tracing::warn!(%error, "a file does not go with the request"),
        }
    }
    content
}

/// Whether a message has files.
pub fn has_files(message: &ChatMessage) -> bool {
    files(message).next().is_some()
}

fn files(message: &ChatMessage) -> impl Iterator<Item = &Attachment> {
    message.blocks.iter().flat_map(|block| match block {
        ContentBlock::ToolResult(result) => result.attachments.as_slice(),
        _ => &[],
    })
}

/// What is left of a request's room for files.
struct Room<'a> {
    gate: &'a MediaGate,
    sent: HashSet<ArtifactId>,
    bytes: u64,
    is_full: bool,
}

impl Room<'_> {
    /// Leaves a result the files that go.
    fn fill(&mut self, result: &mut ToolResult) {
        let mut kept = Vec::new();
        let mut notes = Vec::new();
        for file in result.attachments.drain(..).rev() {
            match self.refusal(&file) {
                None => {
                    self.bytes += file.bytes;
                    self.sent.insert(file.id.clone());
                    kept.push(file);
                }
                Some(why) => notes.push(format!("[{} is not shown here: {why}]", file.name)),
            }
        }
        kept.reverse();
        result.attachments = kept;
        for note in notes.into_iter().rev() {
            result.text.push('\n');
            result.text.push_str(&note);
        }
    }

    /// Why a file does not go.
    fn refusal(&mut self, file: &Attachment) -> Option<String> {
        if self.sent.contains(&file.id) {
            return Some("it is shown below, where it was read again".to_owned());
        }
        if let Some(why) = self.gate.refusal(file.kind, file.bytes) {
            return Some(why);
        }
        // Once one stays behind, all that came before it do: what a provider has cached changes once.
        self.is_full |= self.sent.len() >= MOST_FILES || self.bytes + file.bytes > MOST_BYTES;
        self.is_full.then(|| {
            let again = format!("file_read of artifact://{} shows it again", file.id);
            format!("later files take all the room; {again}")
        })
    }
}

#[cfg(test)]
#[path = "attach_tests.rs"]
mod tests;
