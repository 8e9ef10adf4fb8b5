//! Files that are no text and go to a model as they are: what they are, and whether a model gets them.
//!
//! Two things must hold: the model takes the kind, and its wire carries a file of that size.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::domain::ids::ArtifactId;

/// What sort of file it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MediaKind {
    /// A picture.
    Image,
    /// A PDF document.
    Pdf,
    /// Sound.
    Audio,
    /// Moving pictures.
    Video,
}

impl MediaKind {
    /// Files of this kind, in words.
    pub fn plural(self) -> &'static str {
        match self {
            Self::Image => "images",
            Self::Pdf => "PDF documents",
            Self::Audio => "audio",
            Self::Video => "video",
        }
    }

    /// Where a profile says that its model takes it.
    pub fn setting(self) -> Option<&'static str> {
        match self {
            Self::Image => Some("vision"),
            Self::Pdf => Some("pdf"),
            Self::Video => Some("video"),
            // No wire carries it.
            Self::Audio => None,
        }
    }
}

/// A file that goes with a tool's answer, kept as a stored output.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Attachment {
    /// Its content.
    pub id: ArtifactId,
    /// What sort of file it is.
    pub kind: MediaKind,
    /// What it is on the wire: `image/png`.
    pub mime: String,
    /// Its size.
    pub bytes: u64,
    /// What it is called.
    pub name: String,
}

/// What a language model takes beside text, as far as that is known, and what its wire carries.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct MediaSupport {
    /// Whether it takes a kind; nothing where nobody said so.
    #[serde(default)]
    pub takes: BTreeMap<MediaKind, bool>,
    /// The most bytes of a file of each kind that its wire carries.
    #[serde(default)]
    pub carried: BTreeMap<MediaKind, u64>,
}

/// What stands between a file and a model.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MediaGate {
    /// The model's name.
    pub model_id: String,
    /// The wire's name.
    pub wire: String,
    /// What both can do.
    pub support: MediaSupport,
}

impl MediaGate {
    /// Why the model does not get a file, in words for the model; nothing when it does.
    pub fn refusal(&self, kind: MediaKind, bytes: u64) -> Option<String> {
        let kinds = kind.plural();
        // What no setting speaks of, no wire carries.
        if kind.setting().is_some() && self.support.takes.get(&kind) != Some(&true) {
            let setting = kind.setting().map_or_else(String::new, |setting| {
                format!(" (`{setting} = true` in its profile says that it does)")
            });
            let model = &self.model_id;
            return Some(format!(
                "the model {model} is not known to take {kinds}{setting}"
            ));
        }
        match self.support.carried.get(&kind) {
            None => Some(format!(
                "the wire {} carries no {kinds} to {}",
                self.wire, self.model_id
            )),
            Some(most) if bytes > *most => Some(format!(
                "it is over the {} MiB that can be sent",
                most >> 20
            )),
            Some(_) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_needs_a_model_that_takes_it_and_a_wire_that_carries_it() {
        let gate = MediaGate {
            model_id: "m".to_owned(),
            wire: "w".to_owned(),
            support: MediaSupport {
                takes: BTreeMap::from([
                    (MediaKind::Image, true),
                    (MediaKind::Pdf, false),
                    (MediaKind::Video, true),
                ]),
                carried: BTreeMap::from([(MediaKind::Image, 1 << 20), (MediaKind::Pdf, 5)]),
            },
        };
        let refusal = |kind, bytes| gate.refusal(kind, bytes).unwrap_or_default();

        assert_eq!(refusal(MediaKind::Image, 1 << 20), "");
        assert_eq!(
            refusal(MediaKind::Image, (1 << 20) + 1),
            "it is over the 1 MiB that can be sent"
        );
        assert_eq!(
            refusal(MediaKind::Pdf, 1),
            "the model m is not known to take PDF documents (`pdf = true` in its profile says that it does)"
        );
        assert_eq!(
            refusal(MediaKind::Audio, 1),
            "the wire w carries no audio to m"
        );
        assert_eq!(
            refusal(MediaKind::Video, 1),
            "the wire w carries no video to m"
        );
    }
}
