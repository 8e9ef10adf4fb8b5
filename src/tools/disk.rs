//! How a tool reaches the disk: off the threads that serve everything else, with failures in words for a model.

use std::time::{Duration, Instant};

use tokio_util::sync::CancellationToken;

use super::{context::ToolContext, error::ToolError, output::ToolOutput};
use crate::workspace::{
    error::WorkspaceError,
    root::{self, Located},
};

impl From<WorkspaceError> for ToolError {
    fn from(error: WorkspaceError) -> Self {
        match error {
            WorkspaceError::Cancelled => Self::Interrupted(Box::new(ToolOutput::text(""))),
            error => Self::ForModel(error.to_string()),
        }
    }
}

/// Runs work that waits for the disk on a thread of its own.
pub(super) async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, ToolError> + Send + 'static,
) -> Result<T, ToolError> {
    match tokio::task::spawn_blocking(work).await {
        Ok(result) => result,
        Err(_) => Err(ToolError::model(
            "the tool broke down on this call; nothing is known of what it did. Try another way",
        )),
    }
}

/// The file that a call names.
pub(super) fn locate(context: &ToolContext, path: &str) -> Result<Located, ToolError> {
    let mut file = root::locate(&context.cwd, &context.absolute(path))?;
    file.opened = context.opened.contains(&file.real);
    Ok(file)
}

/// Whether a call must stop: cancelled, or over its time.
pub(super) fn stopper(cancel: CancellationToken, limit: Duration) -> impl Fn() -> bool + Sync {
    let end = Instant::now() + limit;
    move || cancel.is_cancelled() || Instant::now() >= end
}
