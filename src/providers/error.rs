//! What can go wrong with a provider, by what follows from it.

use std::time::Duration;

/// The class of a failure; what the engine does depends on nothing else.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fault {
    /// No connection: refused, unknown host, TLS.
    Unreachable,
    /// 401 or 403: the key is missing or wrong.
    Unauthorized,
    /// 404: wrong base URL or unknown model.
    NotFound,
    /// 429.
    RateLimited {
        /// What the server asked us to wait.
        retry_after: Option<Duration>,
    },
    /// 5xx or an overload notice.
    Overloaded {
        /// What the server asked us to wait.
        retry_after: Option<Duration>,
    },
    /// The request does not fit into the context window, in any spelling.
    WindowFull,
    /// Any other 4xx: the server does not like the request.
    Rejected,
    /// A web page came instead of an API answer.
    WebPage,
    /// The answer is not what the wire promises.
    Malformed,
    /// The stream ended or broke before its end marker.
    CutOff,
    /// The server reported an error in the middle of a stream.
    InStream,
    /// Nothing came for too long.
    Silent,
    /// The profile cannot be used as configured.
    Setup,
}

/// A failed request.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct ProviderError {
    /// What follows from it.
    pub fault: Fault,
    /// One line for the person: what, where, and what to do. Already sanitised and bounded.
    pub message: String,
    /// The HTTP status, when there was one.
    pub status: Option<u16>,
    /// The provider's id of the request, when it sent one.
    pub request_id: Option<String>,
}

impl ProviderError {
    /// A failure without status.
    pub fn new(fault: Fault, message: impl Into<String>) -> Self {
        Self {
            fault,
            message: message.into(),
            status: None,
            request_id: None,
        }
    }

    /// Whether asking again may help (as long as nothing was shown and nothing ran).
    pub fn is_retryable(&self) -> bool {
        match self.fault {
            Fault::Unreachable
            | Fault::RateLimited { .. }
            | Fault::Overloaded { .. }
            | Fault::CutOff
            | Fault::Silent => true,
            Fault::WebPage => self.status.is_some_and(|status| status >= 500),
            Fault::Unauthorized
            | Fault::NotFound
            | Fault::WindowFull
            | Fault::Rejected
            | Fault::Malformed
            | Fault::InStream
            | Fault::Setup => false,
        }
    }

    /// What the server asked us to wait.
    pub fn retry_after(&self) -> Option<Duration> {
        match self.fault {
            Fault::RateLimited { retry_after } | Fault::Overloaded { retry_after } => retry_after,
            _ => None,
        }
    }
}
