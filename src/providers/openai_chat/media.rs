//! Files in the user's turn: behind the results that brought them, in front of the words.

use base64::{Engine as _, prelude::BASE64_STANDARD};
use serde_json::{Value, json};

use crate::{
    domain::{
        chat::{ChatMessage, ContentBlock},
        media::{Attachment, MediaKind},
    },
    providers::contract::{ChatRequest, MediaContent},
};

/// The content of the user's turn: the words alone, or a list of parts when files go with it. Nothing when there is
/// nothing to say.
pub(super) fn turn(said: &[&ChatMessage], words: &str, content: &MediaContent) -> Option<Value> {
    let blocks = said.iter().flat_map(|message| &message.blocks);
    let attached = blocks.flat_map(|block| match block {
        ContentBlock::ToolResult(result) => result.attachments.as_slice(),
        _ => &[],
    });
    let mut parts: Vec<Value> = attached.flat_map(|file| part(file, content)).collect();
    if parts.is_empty() {
        return (!words.is_empty()).then(|| json!(words));
    }
    if !words.is_empty() {
        parts.push(text(words));
    }
    Some(Value::Array(parts))
}

/// What to do when a server has refused a request with files: as long as they are in the conversation, it will refuse
/// every one. Nothing when something else must be the reason.
pub(super) fn advice(request: &ChatRequest, status: u16) -> String {
    let is_possible = matches!(status, 400 | 404 | 413 | 415 | 422 | 500 | 501);
    if request.media.0.is_empty() || !is_possible {
        return String::new();
    }
    let blocks = request.messages.iter().flat_map(|message| &message.blocks);
    let files = blocks.flat_map(|block| match block {
        ContentBlock::ToolResult(result) => result.attachments.as_slice(),
        _ => &[],
    });
    let mut settings: Vec<String> = files
        .filter_map(|file| file.kind.setting())
        .map(|setting| format!("`{setting} = false`"))
        .collect();
    settings.sort();
    settings.dedup();
    format!(
        "; files go with it: if the model cannot take them, write {} into profile {}",
        settings.join(" and "),
        request.model.profile
    )
}

/// A file under the name that the results call it by.
fn part(file: &Attachment, content: &MediaContent) -> Vec<Value> {
    let name = &file.name;
    let Some(bytes) = content.0.get(&file.id) else {
        return vec![text(&format!(
            "[{name} could not be read again and is not shown]"
        ))];
    };
    let data = format!(
        "data:{};base64,{}",
        file.mime,
        BASE64_STANDARD.encode(bytes)
    );
    let part = match file.kind {
        MediaKind::Image => json!({"type": "image_url", "image_url": {"url": data}}),
        MediaKind::Pdf => json!({
            "type": "file",
            "file": {"filename": short_name(name), "file_data": data},
        }),
        MediaKind::Video => json!({"type": "video_url", "video_url": {"url": data}}),
        // No server of this wire has a part for it.
        MediaKind::Audio => return vec![text(&format!("[{name} cannot be sent]"))],
    };
    vec![text(&format!("[{name}]")), part]
}

fn text(words: &str) -> Value {
    json!({"type": "text", "text": words})
}

/// The last part of a path: some servers take it for the name of a file of their own.
fn short_name(name: &str) -> &str {
    name.rsplit('/').next().unwrap_or(name)
}
