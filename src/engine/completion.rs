//! Paths below the working directory, for completion.

use std::{path::Path, sync::Arc};

use tokio_util::sync::CancellationToken;

use super::{
    event::{EventKind, Fetched},
    session::state::Session,
};
use crate::{
    domain::{ids::AgentId, permission::OwnPlaces},
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

/// Tells the front end the paths, off the worker's task: a large tree must not hold up commands.
pub fn tell(session: &Arc<Session>) {
    let telling = Arc::clone(session);
    let task = async move {
        let (cwd, stop) = (telling.cwd.clone(), telling.cancel.clone());
        let listed = tokio::task::spawn_blocking(move || files(&cwd, &stop)).await;
        if let Ok(files) = listed {
            telling
                .tell(&AgentId::main(), EventKind::Fetched(Fetched::Files(files)))
                .await;
        }
    };
    let task = until_closed(session.cancel.clone(), task);
    session.tasks.spawn(task);
}

/// Runs a task until it ends or the session closes.
pub async fn until_closed(closed: CancellationToken, task: impl Future<Output = ()>) {
    tokio::select! {
        () = closed.cancelled() => {}
        () = task => {}
    }
}
