//! Paths below the working directory, for completion.

use std::path::Path;

use tokio_util::sync::CancellationToken;

use crate::{
    domain::permission::OwnPlaces,
    workspace::walk::{self, Globs, Order, Selection},
};

/// Most paths that are listed.
const FILES: usize = 50_000;

/// Paths relative to `cwd`, sorted. What a search leaves out is left out here as well: ignored and hidden files, and
/// those that look like secrets.
pub fn files(cwd: &Path, stop: &CancellationToken) -> Vec<String> {
    let selection = Selection {
        root: cwd.to_owned(),
        cwd: cwd.to_owned(),
        hidden: false,
        ignored: false,
        globs: Globs::default(),
        types: None,
        most_bytes: None,
        own: OwnPlaces::default(),
        opened: Vec::new(),
    };
    let stop = || stop.is_cancelled();
    let (files, ..) = walk::list(&selection, Order::Path, (0, FILES), &stop);
    files
        .iter()
        .filter_map(|path| path.strip_prefix(cwd).ok())
        .map(|path| path.to_string_lossy().into_owned())
        .collect()
}

/// Runs a task until it ends or the session closes.
pub async fn until_closed(closed: CancellationToken, task: impl Future<Output = ()>) {
    tokio::select! {
        () = closed.cancelled() => {}
        () = task => {}
    }
}
