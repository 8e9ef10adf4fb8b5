//! What others call. File work runs beside the runtime, and needs no worker.

use std::{path::PathBuf, sync::Arc, time::Duration};

use super::{
    collect::{self, Collected},
    file::{self, ArtifactRead, ArtifactSource, Kept},
    streams::{self, StreamSource},
};
use crate::{
    domain::{
        artifact::{Address, ArtifactRef},
        ids::ArtifactId,
    },
    store::{error::StoreError, handle::StoreHandle, places::StorePlaces},
};

impl StoreHandle {
    /// Keeps an output whole. `cut` says that it lacks its middle already. A file is taken over.
    pub async fn put_artifact(
        &self,
        source: ArtifactSource,
        cut: bool,
    ) -> Result<ArtifactRef, StoreError> {
        let (places, kept) = self.of_artifacts();
        blocking(move || file::put(&places, &kept, source, cut)).await
    }

    /// Keeps the streams of an output, each by itself, and answers the id of the list of them.
    pub async fn put_streams(&self, streams: Vec<StreamSource>) -> Result<ArtifactId, StoreError> {
        let (places, kept) = self.of_artifacts();
        blocking(move || streams::put_streams(&places, &kept, streams)).await
    }

    /// The path of a stored output, or of one of its streams, once its content was found to be what was kept.
    pub async fn open_artifact(&self, address: &Address) -> Result<PathBuf, StoreError> {
        let (places, kept) = self.of_artifacts();
        let Address { id, stream } = address.clone();
        blocking(move || file::open(&places, &kept, &id, stream.as_deref())).await
    }

    /// Reads at most `cap` bytes of a stored output from its beginning.
    pub async fn read_artifact(
        &self,
        id: &ArtifactId,
        cap: u64,
    ) -> Result<ArtifactRead, StoreError> {
        let (places, kept) = self.of_artifacts();
        let id = id.clone();
        blocking(move || file::read(&places, &kept, &id, cap)).await
    }

    /// Reads both ends of a stored output: at most `head` bytes of its beginning, and at most `tail` of what follows them.
    pub async fn read_artifact_ends(
        &self,
        id: &ArtifactId,
        (head, tail): (u64, u64),
    ) -> Result<(ArtifactRead, Vec<u8>), StoreError> {
        let (places, kept) = self.of_artifacts();
        let id = id.clone();
        blocking(move || file::read_ends(&places, &kept, &id, (head, tail))).await
    }

    /// Removes outputs that no log names any more, if nobody did `every` so long. `cancel` is asked between steps.
    pub async fn collect_artifacts(
        &self,
        every: Duration,
        cancel: impl Fn() -> bool + Send + 'static,
    ) -> Result<Collected, StoreError> {
        let (places, _) = self.of_artifacts();
        blocking(move || {
            if collect::is_due(&places, every) {
                collect::collect(&places, &cancel)
            } else {
                Ok(Collected::default())
            }
        })
        .await
    }

    fn of_artifacts(&self) -> (Arc<StorePlaces>, Arc<Kept>) {
        (Arc::clone(&self.places), Arc::clone(&self.kept))
    }
}

/// Runs file work beside the runtime.
async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, StoreError> + Send + 'static,
) -> Result<T, StoreError> {
    match tokio::task::spawn_blocking(work).await {
        Ok(outcome) => outcome,
        Err(error) => Err(StoreError::Failed(error.to_string())),
    }
}
