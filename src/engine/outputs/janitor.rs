//! Clears away what killed programs and dropped calls have left on disk, beside everything else.

use std::{path::PathBuf, time::Duration};

use tokio_util::{sync::CancellationToken, task::AbortOnDropHandle};

use crate::{
    process::{sandbox::tmp, spool},
    store::StoreHandle,
};

/// How often stored outputs are looked through, by whichever program comes first.
const EVERY: Duration = Duration::from_hours(6);
/// How long a start has the disk for itself.
const SETTLED: Duration = Duration::from_mins(1);
/// How often it is asked whether that is due.
const LOOK: Duration = Duration::from_hours(1);

/// Work that ends with this.
pub struct Janitor {
    _task: AbortOnDropHandle<()>,
    stop: CancellationToken,
}

impl Janitor {
    /// Begins at once.
    pub fn start(store: StoreHandle, spool: PathBuf) -> Self {
        let stop = CancellationToken::new();
        let stopped = stop.clone();
        let task = tokio::spawn(async move {
            // Nothing depends on it: what cannot be removed is tried again by the next start.
            let _ = tokio::task::spawn_blocking(move || {
                spool::sweep(&spool);
                tmp::sweep(&spool);
            })
            .await;
            tokio::time::sleep(SETTLED).await;
            loop {
                let stopped = stopped.clone();
                match store
                    .collect_artifacts(EVERY, move || stopped.is_cancelled())
                    .await
                {
                    Ok(done) if done.files > 0 => {
                        tracing::info!(
                            files = done.files,
                            bytes = done.bytes,
                            "old outputs removed"
                        );
                    }
                    Ok(_) => {}
                    Err(error) => tracing::warn!(%error, "old outputs were not removed"),
                }
                tokio::time::sleep(LOOK).await;
            }
        });
        Self {
            _task: AbortOnDropHandle::new(task),
            stop,
        }
    }
}

impl Drop for Janitor {
    fn drop(&mut self) {
        self.stop.cancel();
    }
}
