//! Outputs kept whole, as files named by the SHA-256 of their bytes.
//!
//! A file appears under its name only when it is complete; one that is there already is used again. Nothing here
//! needs the database, so none of it waits for the worker.

use std::{
    fs::{self, File},
    io::{BufReader, Read, Write},
    path::{Path, PathBuf},
};

use sha2::{Digest, Sha256};

use super::{error::StoreError, lock::create_private_directory, places::StorePlaces};
use crate::domain::{artifact::ArtifactRef, ids::ArtifactId};

/// Bytes that are read at once.
const CHUNK: usize = 64 * 1024;

/// What is to be kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ArtifactSource {
    /// Bytes in memory.
    Bytes(Vec<u8>),
    /// A temporary file, which is taken over: it is gone afterwards.
    File(PathBuf),
}

/// A stored output, or its beginning.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ArtifactRead {
    /// The first bytes, at most as many as were asked for.
    pub bytes: Vec<u8>,
    /// The size of the whole.
    pub total: u64,
}

/// Keeps an output. `cut` says that it lacks its middle already.
pub(super) fn put(
    places: &StorePlaces,
    source: ArtifactSource,
    cut: bool,
) -> Result<ArtifactRef, StoreError> {
    let mut measure = Measure::default();
    match &source {
        ArtifactSource::Bytes(bytes) => measure.take(bytes),
        ArtifactSource::File(path) => measure.take_file(path)?,
    }
    let kept = measure.finish(cut);
    let target = location(places, &kept.id);
    let directory = target.parent().unwrap_or(&target).to_owned();
    create_private_directory(&directory)?;

    // A file of the right name and size is this one: names come from the content.
    let exists = fs::metadata(&target).is_ok_and(|found| found.len() == kept.bytes);
    match source {
        ArtifactSource::Bytes(bytes) if !exists => place_bytes(&bytes, &directory, &target)?,
        ArtifactSource::Bytes(_) => {}
        ArtifactSource::File(path) => {
            if !exists {
                place_file(&path, &directory, &target)?;
            }
            // After a rename there is nothing left to remove.
            let _ = fs::remove_file(path);
        }
    }
    Ok(kept)
}

/// The path of a stored output, when there is one of this id.
pub(super) fn path(places: &StorePlaces, id: &ArtifactId) -> Option<PathBuf> {
    let name = id.as_str();
    // Anything else could name a file outside.
    let is_digest = name.len() == 64
        && name
            .bytes()
            .all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
    if !is_digest {
        return None;
    }
    Some(location(places, id)).filter(|path| path.is_file())
}

/// Reads at most `cap` bytes from the beginning.
pub(super) fn read(
    places: &StorePlaces,
    id: &ArtifactId,
    cap: u64,
) -> Result<ArtifactRead, StoreError> {
    let path = path(places, id).ok_or_else(|| StoreError::NoArtifact(id.to_string()))?;
    let failed = |error| StoreError::read(&path, &error);
    let file = File::open(&path).map_err(failed)?;
    let total = file.metadata().map_err(failed)?.len();
    let mut bytes = Vec::with_capacity(total.min(cap) as usize);
    file.take(cap).read_to_end(&mut bytes).map_err(failed)?;
    Ok(ArtifactRead { bytes, total })
}

fn location(places: &StorePlaces, id: &ArtifactId) -> PathBuf {
    let name = id.as_str();
    let (head, _) = name.split_at_checked(2).unwrap_or((name, ""));
    places.artifacts().join(head).join(name)
}

fn place_bytes(bytes: &[u8], directory: &Path, target: &Path) -> Result<(), StoreError> {
    let failed = |error| StoreError::write(target, &error);
    // Made with mode 0600.
    let mut file = tempfile::NamedTempFile::new_in(directory).map_err(failed)?;
    file.write_all(bytes).map_err(failed)?;
    persist(file, target)
}

fn place_file(source: &Path, directory: &Path, target: &Path) -> Result<(), StoreError> {
    let failed = |error| StoreError::write(target, &error);
    let mut reader = File::open(source).map_err(|error| StoreError::read(source, &error))?;
    make_private(&reader).map_err(failed)?;
    reader.sync_data().map_err(failed)?;
    if fs::rename(source, target).is_ok() {
        return Ok(());
    }
    // Another file system: a copy takes its place.
    let mut file = tempfile::NamedTempFile::new_in(directory).map_err(failed)?;
    std::io::copy(&mut reader, &mut file).map_err(failed)?;
    persist(file, target)
}

fn persist(file: tempfile::NamedTempFile, target: &Path) -> Result<(), StoreError> {
    let failed = |error| StoreError::write(target, &error);
    file.as_file().sync_data().map_err(failed)?;
    file.persist(target)
        .map_err(|error| StoreError::write(target, &error.error))?;
    Ok(())
}

#[cfg(unix)]
fn make_private(file: &File) -> std::io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    file.set_permissions(fs::Permissions::from_mode(0o600))
}

#[cfg(not(unix))]
fn make_private(_file: &File) -> std::io::Result<()> {
    Ok(())
}

/// Digest, size and lines of bytes that come piece by piece.
#[derive(Default)]
struct Measure {
    digest: Sha256,
    bytes: u64,
    line_ends: u64,
    last: Option<u8>,
}

impl Measure {
    fn take(&mut self, piece: &[u8]) {
        self.digest.update(piece);
        self.bytes += piece.len() as u64;
        self.line_ends += piece.split(|byte| *byte == b'\n').skip(1).count() as u64;
        self.last = piece.last().copied().or(self.last);
    }

    fn take_file(&mut self, path: &Path) -> Result<(), StoreError> {
        let failed = |error| StoreError::read(path, &error);
        let mut reader = BufReader::with_capacity(CHUNK, File::open(path).map_err(failed)?);
        let mut piece = vec![0; CHUNK];
        loop {
            let count = reader.read(&mut piece).map_err(failed)?;
            let Some(read) = piece.get(..count).filter(|read| !read.is_empty()) else {
                return Ok(());
            };
            self.take(read);
        }
    }

    fn finish(self, cut: bool) -> ArtifactRef {
        let mut hex = String::with_capacity(64);
        for byte in self.digest.finalize() {
            hex.push_str(&format!("{byte:02x}"));
        }
        let open_line = u64::from(self.last.is_some_and(|byte| byte != b'\n'));
        ArtifactRef {
            id: ArtifactId::new(hex),
            bytes: self.bytes,
            lines: self.line_ends + open_line,
            cut,
        }
    }
}
