//! Identifiers as newtypes, so that a session id cannot be passed where a call id is meant.

use std::fmt;

use serde::{Deserialize, Serialize};

macro_rules! text_id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
        #[serde(transparent)]
        pub struct $name(pub std::sync::Arc<str>);

        impl $name {
            /// Wraps the text of an id.
            pub fn new(text: impl AsRef<str>) -> Self {
                Self(text.as_ref().into())
            }

            /// The id as text.
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }
    };
}

macro_rules! number_id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(
            Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize,
        )]
        #[serde(transparent)]
        pub struct $name(pub u64);

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(f)
            }
        }
    };
}

text_id!(
    /// A stored conversation (UUID version 7 as text).
    SessionId
);
text_id!(
    /// An agent of a session: `main`, or `<type>_<8 hex>` for a sub-agent.
    AgentId
);
text_id!(
    /// A tool call, unique within its session. It is the wire's id when that was usable.
    CallId
);
text_id!(
    /// A stored output: the SHA-256 of its bytes in lower-case hex.
    ArtifactId
);
number_id!(
    /// Everything from one prompt until the agent rests; counted per session from 1.
    TurnId
);
number_id!(
    /// A request to a person (approval or question); counted per session from 1.
    RequestId
);
number_id!(
    /// A message waiting to be sent; counted per session from 1.
    QueuedId
);
number_id!(
    /// Position of a record in its session's log; counted from 1 and never reused.
    Sequence
);

impl AgentId {
    /// The agent that the person talks to first.
    pub fn main() -> Self {
        Self::new("main")
    }

    /// Whether this is the session's first agent.
    pub fn is_main(&self) -> bool {
        self.as_str() == "main"
    }
}
