//! Paths below the working directory, for completion.

use std::path::Path;

use tokio_util::sync::CancellationToken;

/// Most paths that are listed.
const FILES: usize = 50_000;

/// Paths relative to `cwd`, ignored files left out, sorted.
pub fn files(cwd: &Path) -> Vec<String> {
    let mut files: Vec<String> = ignore::WalkBuilder::new(cwd)
        .require_git(false)
        .build()
        .filter_map(Result::ok)
        .filter(|entry| entry.file_type().is_some_and(|kind| kind.is_file()))
        .filter_map(|entry| {
            let path = entry.path().strip_prefix(cwd).ok()?;
            Some(path.to_string_lossy().into_owned())
        })
        .take(FILES)
        .collect();
    files.sort();
    files
}

/// Runs a task until it ends or the session closes.
pub async fn until_closed(closed: CancellationToken, task: impl Future<Output = ()>) {
    tokio::select! {
        () = closed.cancelled() => {}
        () = task => {}
    }
}
