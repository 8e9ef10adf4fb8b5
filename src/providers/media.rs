//! Which files a wire carries to a model, and how large one may be.
//!
//! Only what a tool brings is meant. It goes in the user's turn behind the results: no server of this wire takes a
//! file inside a tool's message.

use std::collections::BTreeMap;

use super::openai_chat;
use crate::domain::media::MediaKind;

/// The largest image, document or sound.
const USUAL: u64 = 20 << 20;
/// The largest video.
const VIDEO: u64 = 25 << 20;

/// What goes over this wire to this model, with the most bytes of a file.
pub fn carried(backend: &str, model_id: &str) -> BTreeMap<MediaKind, u64> {
    if backend != openai_chat::BACKEND {
        return BTreeMap::new();
    }
    let mut carried = BTreeMap::from([(MediaKind::Image, USUAL), (MediaKind::Pdf, USUAL)]);
    let name = model_id.to_ascii_lowercase();
    if name.contains("kimi") || name.contains("qwen") {
        carried.insert(MediaKind::Video, VIDEO);
    }
    carried
}
