//! Why a session cannot be opened.

use crate::{providers::error::ProviderError, store::StoreError};

/// A failed start of the engine.
#[derive(Debug, thiserror::Error)]
pub enum EngineError {
    /// The store does not work.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The profile cannot be used.
    #[error(transparent)]
    Provider(#[from] ProviderError),
}
