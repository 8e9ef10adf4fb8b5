//! What is known of a language model. Not to be confused with the screen's `Model`.

use serde::{Deserialize, Serialize};

use super::media::{MediaGate, MediaSupport};

/// US dollars per million tokens.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Price {
    /// Fresh input tokens.
    pub input: f64,
    /// Input tokens read from the provider's cache; the input price when left out.
    #[serde(default)]
    pub cached: Option<f64>,
    /// Output tokens.
    pub output: f64,
}

/// How a model is asked to think; what is left open is the provider's choice.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Thinking {
    /// How hard, in the provider's word.
    #[serde(default)]
    pub effort: Option<String>,
    /// Whether at all.
    #[serde(default)]
    pub enabled: Option<bool>,
}

/// The language model of a profile.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ModelInfo {
    /// Name of the profile.
    pub profile: String,
    /// The wire: `openai-chat-completions`, `practice`, `scripted`.
    pub backend: String,
    /// The provider's name for the model.
    pub model_id: String,
    /// Context window in tokens, when known.
    pub context_window: Option<u64>,
    /// Most output tokens per step, when known.
    pub max_output_tokens: Option<u64>,
    /// Price, when known.
    pub price: Option<Price>,
    /// Whether this is a script and no language model; the screen says so everywhere.
    pub is_script: bool,
    /// How it is asked to think.
    #[serde(default)]
    pub thinking: Thinking,
    /// Which files it gets.
    #[serde(default)]
    pub media: MediaSupport,
}

/// What came of taking a model out of its server's memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unloaded {
    /// It is out.
    Done,
    /// It was not in there.
    NotLoaded,
    /// It is still in there, as far as is known; why, on one line.
    Failed(String),
}

impl ModelInfo {
    /// What stands between a file and this model.
    pub fn media_gate(&self) -> MediaGate {
        MediaGate {
            model_id: self.model_id.clone(),
            wire: self.backend.clone(),
            support: self.media.clone(),
        }
    }
}
