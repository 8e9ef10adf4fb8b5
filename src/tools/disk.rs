//! How a tool reaches the disk: off the threads that serve everything else, with failures in words for a model.

use std::time::{Duration, Instant};

use tokio_util::sync::CancellationToken;

use super::{context::ToolContext, error::ToolError, output::ToolOutput};
use crate::workspace::{
    error::WorkspaceError,
    read,
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

/// The file that a call names: the one that was judged, wherever a link leads by now.
pub(super) fn locate(context: &ToolContext, path: &str) -> Result<Located, ToolError> {
    let named = context.absolute(path);
    let Some(places) = &context.places else {
        return Ok(root::locate(&context.cwd, &named)?);
    };
    let place = places.of(&named).ok_or_else(|| {
        let shown = root::shown(&context.cwd, &named);
        ToolError::model(format!("{shown} was not judged with this call; call again"))
    })?;
    Ok(Located::at(
        &context.cwd,
        named,
        place.real.clone(),
        place.opened,
    ))
}

/// The refusal when nothing is where a call looks for a file, with how there can be one.
pub(super) fn missing(file: &Located) -> ToolError {
    let error = WorkspaceError::Missing {
        file: file.shown.clone(),
        near: read::nearby(file),
    };
    ToolError::model(format!("{error}. Create it with file_write"))
}

/// Whether a call must stop: cancelled, or over its time.
pub(super) fn stopper(cancel: CancellationToken, limit: Duration) -> impl Fn() -> bool + Sync {
    let end = Instant::now() + limit;
    move || cancel.is_cancelled() || Instant::now() >= end
}
