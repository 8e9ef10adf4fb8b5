//! What a tool returns: a text for the model and a display for the person.

use crate::{
    domain::{display::Display, media::MediaKind, tool::SeenFile},
    process::{output::Part, spool::SpoolFile},
};

/// A finished call's answer, before it is bounded and stored.
#[derive(Clone, Debug, PartialEq)]
pub struct ToolOutput {
    /// The text that the model reads. The engine moves it to the scratchpad when it is over 30,000 bytes.
    pub text: String,
    /// What a person sees.
    pub display: Display,
    /// A short phrase for the folded line: `12 matches · 4 files`, `exit 101`.
    pub outcome: String,
    /// The whole output in a temporary file, when `text` holds only a part of it; the engine takes the file over
    /// into the artifact store.
    pub whole: Option<WholeOutput>,
    /// Files that the model gets beside the text.
    pub files: Vec<OutputFile>,
    /// Whether a large text stays inline (a scratchpad read asked for it).
    pub stays_inline: bool,
    /// The file that was read or written.
    pub seen: Option<SeenFile>,
}

/// A file that a model gets as it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutputFile {
    /// What sort of file it is.
    pub kind: MediaKind,
    /// What it is on the wire.
    pub mime: &'static str,
    /// What it is called.
    pub name: String,
    /// Its content.
    pub bytes: Vec<u8>,
}

/// An output that was written to disk while it came.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WholeOutput {
    /// The temporary file; it is removed with its last owner.
    pub path: SpoolFile,
    /// Whether even the file lacks the middle.
    pub cut: bool,
    /// What `text` says below it, such as how a command ended; an entry that takes the whole gets it too.
    pub notes: String,
    /// Its streams by name, when each is kept by itself as well.
    pub streams: Vec<(&'static str, Part)>,
}

impl ToolOutput {
    /// An answer that shows the person the same text as the model.
    pub fn text(text: impl Into<String>) -> Self {
        let text = text.into();
        Self {
            display: Display::Text { text: text.clone() },
            text,
            outcome: String::new(),
            whole: None,
            files: Vec::new(),
            stays_inline: false,
            seen: None,
        }
    }

    /// Sets what a person sees.
    pub fn with_display(mut self, display: Display) -> Self {
        self.display = display;
        self
    }

    /// Sets the file that was read or written.
    pub fn with_seen(mut self, seen: Option<SeenFile>) -> Self {
        self.seen = seen;
        self
    }

    /// Sets the phrase of the folded line.
    pub fn with_outcome(mut self, outcome: impl Into<String>) -> Self {
        self.outcome = outcome.into();
        self
    }
}
