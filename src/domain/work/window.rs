//! How full the context window is, and with what.

use serde::{Deserialize, Serialize};

/// Tokens by source. All are estimates except where the provider reported a total.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct WindowShares {
    /// System prompt.
    pub system: u64,
    /// Tool schemas.
    pub tools: u64,
    /// Words of the person and the model.
    pub conversation: u64,
    /// Tool results.
    pub outputs: u64,
}

/// The gauge.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ContextGauge {
    /// Tokens in the window: the provider's last report plus an estimate of what came since.
    pub used: u64,
    /// Size of the window; `None` when unknown.
    pub window: Option<u64>,
    /// Share of the window, in percent, at which something must go.
    pub ceiling_percent: u8,
    /// Whether `used` rests on a provider's report (else on an estimate alone).
    pub reported: bool,
    /// Tokens by source.
    pub shares: WindowShares,
}

impl ContextGauge {
    /// How full the window is in percent, when its size is known.
    pub fn percent(&self) -> Option<u64> {
        let window = self.window.filter(|window| *window > 0)?;
        let percent = u128::from(self.used) * 100 / u128::from(window);
        Some(u64::try_from(percent).unwrap_or(u64::MAX))
    }
}

/// What a part of the window is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WindowPart {
    /// The system prompt.
    System,
    /// The schema of a tool.
    Tool,
    /// Words in the user's role.
    Said,
    /// A reply of the model, its calls included.
    Reply,
    /// What a tool answered.
    Output,
}

impl WindowPart {
    /// A word for it.
    pub fn name(self) -> &'static str {
        match self {
            Self::System => "system",
            Self::Tool => "tool",
            Self::Said => "words",
            Self::Reply => "reply",
            Self::Output => "output",
        }
    }
}

/// A part of the window and its size.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WindowItem {
    /// What it is.
    pub part: WindowPart,
    /// Which: the tool, the first words.
    pub name: String,
    /// Tokens, estimated.
    pub tokens: u64,
}
