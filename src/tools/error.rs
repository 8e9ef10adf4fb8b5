//! How a tool fails: in words that the model can act on, or for good.

/// A failed call.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ToolError {
    /// The model can mend it: one line that says what to do next.
    #[error("{0}")]
    ForModel(String),
    /// The call was stopped; what was done until then is unknown. The text holds what had come.
    #[error("interrupted, effects unknown")]
    Interrupted(Box<super::output::ToolOutput>),
    /// The program itself is broken here (disk full, store gone): the turn ends with this line.
    #[error("{0}")]
    Fatal(String),
}

impl ToolError {
    /// A failure that the model can mend.
    pub fn model(text: impl Into<String>) -> Self {
        Self::ForModel(text.into())
    }
}
