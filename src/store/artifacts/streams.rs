//! An output in named streams: each is a stored output of its own, and a list says which is which.
//!
//! The list is stored like any output, under the digest of its bytes.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use super::file::{self, ArtifactSource, Kept};
use crate::{
    domain::{
        artifact::{ArtifactRef, is_digest, is_stream_name},
        ids::ArtifactId,
    },
    store::{error::StoreError, places::StorePlaces},
};

/// The most streams of an output.
const MOST: usize = 8;
/// A file that is larger is no list.
pub(super) const LARGEST: u64 = 16 * 1024;

/// A stream that is to be kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StreamSource {
    /// Its name.
    pub name: String,
    /// What it holds.
    pub content: StreamContent,
}

/// What a stream holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StreamContent {
    /// The same as an output that is stored already.
    Stored(ArtifactRef),
    /// A temporary file, which is taken over; whether it lacks its middle.
    File(PathBuf, bool),
    /// Nothing.
    Empty,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct List {
    streams: Vec<Listed>,
}

#[derive(Serialize, Deserialize)]
struct Listed {
    name: String,
    #[serde(flatten)]
    artifact: ArtifactRef,
}

/// Keeps each stream and the list of them; answers the list's id.
pub(super) fn put_streams(
    places: &StorePlaces,
    kept: &Kept,
    sources: Vec<StreamSource>,
) -> Result<ArtifactId, StoreError> {
    let wrong = |source: &StreamSource| !is_stream_name(&source.name);
    if sources.len() > MOST || sources.iter().any(wrong) {
        return Err(StoreError::Failed("streams cannot be named so".to_owned()));
    }
    let hold = kept.publishing.begin(places);
    let mut streams = Vec::with_capacity(sources.len());
    for source in sources {
        let artifact = match source.content {
            StreamContent::Stored(artifact) => artifact,
            StreamContent::File(path, cut) => file::place(places, ArtifactSource::File(path), cut)?,
            StreamContent::Empty => file::place(places, ArtifactSource::Bytes(Vec::new()), false)?,
        };
        streams.push(Listed {
            name: source.name,
            artifact,
        });
    }
    let list = serde_json::to_vec(&List { streams })
        .map_err(|error| StoreError::Failed(error.to_string()))?;
    let list = file::place(places, ArtifactSource::Bytes(list), false)?;
    hold.keep(&list.id);
    Ok(list.id)
}

/// Names and ids of the streams that a file lists; nothing when it is no list.
pub(super) fn listed(bytes: &[u8]) -> Vec<(String, ArtifactId)> {
    let Ok(list) = serde_json::from_slice::<List>(bytes) else {
        return Vec::new();
    };
    let known = list.streams.into_iter();
    known
        .filter(|listed| is_digest(listed.artifact.id.as_str()) && is_stream_name(&listed.name))
        .map(|listed| (listed.name, listed.artifact.id))
        .collect()
}
