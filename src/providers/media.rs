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

/// What goes over this wire to this model at this address, with the most bytes of a file. Azure's servers have no part for
/// a document, and nobody's for sound.
pub fn carried(backend: &str, base_url: &str, model_id: &str) -> BTreeMap<MediaKind, u64> {
    if backend != openai_chat::BACKEND {
        return BTreeMap::new();
    }
    let mut carried = BTreeMap::from([(MediaKind::Image, USUAL)]);
    if !openai_chat::is_azure(base_url) {
        carried.insert(MediaKind::Pdf, USUAL);
    }
    let name = model_id.to_ascii_lowercase();
    if name.contains("kimi") || name.contains("qwen") {
        carried.insert(MediaKind::Video, VIDEO);
    }
    carried
}

#[cfg(test)]
mod tests {
    use super::{USUAL, VIDEO, carried};
    use crate::{domain::media::MediaKind, providers::openai_chat::BACKEND};

    #[test]
    fn each_server_carries_what_it_has_a_part_for() {
        let (image, pdf) = ((MediaKind::Image, USUAL), (MediaKind::Pdf, USUAL));
        let video = (MediaKind::Video, VIDEO);
        for (backend, base_url, model_id, expected) in [
            (
                BACKEND,
                "https://api.openai.com/v1",
                "gpt-5",
                vec![image, pdf],
            ),
            (
                BACKEND,
                "https://work.openai.azure.com/openai/v1",
                "gpt-5",
                vec![image],
            ),
            (
                BACKEND,
                "http://127.0.0.1:8080/v1",
                "llama",
                vec![image, pdf],
            ),
            (
                BACKEND,
                "http://127.0.0.1:8080/v1",
                "Qwen3-VL",
                vec![image, pdf, video],
            ),
            (
                BACKEND,
                "https://api.moonshot.ai/v1",
                "kimi-k2",
                vec![image, pdf, video],
            ),
            ("practice", "", "practice", Vec::new()),
        ] {
            let carried: Vec<(MediaKind, u64)> =
                carried(backend, base_url, model_id).into_iter().collect();
            assert_eq!(carried, expected, "{model_id} at {base_url}");
        }
    }
}
