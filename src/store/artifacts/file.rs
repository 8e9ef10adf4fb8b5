//! Keeping an output and reading it again.
//!
//! A file appears under its name only when it is complete; one that is there already, and sound, is used again.

use std::{
    collections::HashMap,
    fs::{self, File},
    io::{BufReader, Read, Seek, SeekFrom, Write},
    path::{Path, PathBuf},
    sync::{Mutex, PoisonError},
    time::SystemTime,
};

use sha2::{Digest, Sha256};

use super::{
    publishing::Publishing,
    streams::{self, listed},
    temporary::Incoming,
};
use crate::{
    domain::{
        artifact::{ArtifactRef, is_digest},
        ids::ArtifactId,
    },
    store::{error::StoreError, lock::create_private_directory, places::StorePlaces},
};

/// Bytes that are read at once.
const CHUNK: usize = 64 * 1024;
/// Files whose soundness is remembered.
const REMEMBERED: usize = 1024;

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

impl ArtifactRead {
    /// The bytes as text, without the beginning of a character at the place where they were cut.
    pub fn text(&self) -> String {
        let mut text = String::with_capacity(self.bytes.len());
        let is_cut = self.is_cut();
        let mut chunks = self.bytes.utf8_chunks().peekable();
        while let Some(chunk) = chunks.next() {
            text.push_str(chunk.valid());
            let begun = std::str::from_utf8(chunk.invalid());
            let is_begun = begun.is_err_and(|error| error.error_len().is_none());
            let is_end = is_cut && chunks.peek().is_none();
            if !(chunk.invalid().is_empty() || is_end && is_begun) {
                text.push(char::REPLACEMENT_CHARACTER);
            }
        }
        text
    }

    /// Whether there is more.
    pub fn is_cut(&self) -> bool {
        self.total > self.bytes.len() as u64
    }
}

/// What this program knows of the stored outputs.
#[derive(Debug, Default)]
pub(in crate::store) struct Kept {
    /// What stands in no log yet.
    pub(in crate::store) publishing: Publishing,
    /// Files that were found sound, as they were then.
    sound: Mutex<HashMap<ArtifactId, (u64, SystemTime)>>,
}

/// Keeps an output. `cut` says that it lacks its middle already.
pub(super) fn put(
    places: &StorePlaces,
    kept: &Kept,
    source: ArtifactSource,
    cut: bool,
) -> Result<ArtifactRef, StoreError> {
    let hold = kept.publishing.begin(places);
    let artifact = place(places, source, cut)?;
    hold.keep(&artifact.id);
    let path = location(places, &artifact.id);
    let synced = File::open(&path).and_then(|file| file.sync_data());
    synced.map_err(|error| StoreError::write(&path, &error))?;
    Ok(artifact)
}

/// Puts a file under its name. What is kept is as good as new, whenever it was written. A power cut may still take it,
/// which is told when it is read.
pub(super) fn place(
    places: &StorePlaces,
    source: ArtifactSource,
    cut: bool,
) -> Result<ArtifactRef, StoreError> {
    let measured = match &source {
        ArtifactSource::Bytes(bytes) => Measure::of(&mut bytes.as_slice()),
        ArtifactSource::File(path) => measure_file(path),
    };
    let path = match &source {
        ArtifactSource::Bytes(_) => Path::new("memory"),
        ArtifactSource::File(path) => path,
    };
    let kept = measured
        .map_err(|error| StoreError::read(path, &error))?
        .finish(cut);
    let target = location(places, &kept.id);
    let directory = target.parent().unwrap_or(&target).to_owned();
    create_private_directory(&directory)?;

    // Touched before it is looked at: from then on nobody takes it for old.
    let exists = touch(&target) && is_sound(&target, &kept.id);
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

/// The path of a stored output, or of one of its streams, once its content was found to be what it was when it was
/// kept.
pub(super) fn open(
    places: &StorePlaces,
    kept: &Kept,
    id: &ArtifactId,
    stream: Option<&str>,
) -> Result<PathBuf, StoreError> {
    let path = checked(places, kept, id)?;
    let Some(name) = stream else {
        return Ok(path);
    };
    let known = if fs::metadata(&path).is_ok_and(|about| about.len() <= streams::LARGEST) {
        let bytes = fs::read(&path).map_err(|error| StoreError::read(&path, &error))?;
        listed(&bytes)
    } else {
        Vec::new()
    };
    match known.iter().find(|(known, _)| known == name) {
        Some((_, id)) => checked(places, kept, id),
        None => Err(StoreError::NoStream {
            artifact: id.to_string(),
            name: name.to_owned(),
            known: known.into_iter().map(|(name, _)| name).collect(),
        }),
    }
}

/// Reads at most `cap` bytes from the beginning.
pub(super) fn read(
    places: &StorePlaces,
    kept: &Kept,
    id: &ArtifactId,
    cap: u64,
) -> Result<ArtifactRead, StoreError> {
    let path = checked(places, kept, id)?;
    let failed = |error| StoreError::read(&path, &error);
    let file = File::open(&path).map_err(failed)?;
    let total = file.metadata().map_err(failed)?.len();
    let mut bytes = Vec::with_capacity(total.min(cap) as usize);
    file.take(cap).read_to_end(&mut bytes).map_err(failed)?;
    Ok(ArtifactRead { bytes, total })
}

/// Reads at most `head` bytes from the beginning, and of the rest at most `tail` bytes from the end.
pub(super) fn read_ends(
    places: &StorePlaces,
    kept: &Kept,
    id: &ArtifactId,
    (head, tail): (u64, u64),
) -> Result<(ArtifactRead, Vec<u8>), StoreError> {
    let begun = read(places, kept, id, head)?;
    let start = (begun.bytes.len() as u64).max(begun.total.saturating_sub(tail));
    let mut end = Vec::new();
    if start < begun.total {
        let path = location(places, id);
        let failed = |error| StoreError::read(&path, &error);
        let mut file = File::open(&path).map_err(failed)?;
        file.seek(SeekFrom::Start(start)).map_err(failed)?;
        file.take(tail).read_to_end(&mut end).map_err(failed)?;
    }
    Ok((begun, end))
}

/// The path of a stored output that is sound. One that was looked at before and did not change is not read again.
fn checked(places: &StorePlaces, kept: &Kept, id: &ArtifactId) -> Result<PathBuf, StoreError> {
    let none = || StoreError::NoArtifact(id.to_string());
    // Anything else could name a file outside.
    if !is_digest(id.as_str()) {
        return Err(none());
    }
    let path = location(places, id);
    let about = fs::symlink_metadata(&path).map_err(|_| none())?;
    if !about.is_file() {
        return Err(none());
    }
    let stamp = about.modified().ok().map(|changed| (about.len(), changed));
    let known = || kept.sound.lock().unwrap_or_else(PoisonError::into_inner);
    if stamp.is_some() && known().get(id).copied() == stamp {
        return Ok(path);
    }
    if !is_sound(&path, id) {
        return Err(StoreError::DamagedArtifact(id.to_string()));
    }
    if let Some(stamp) = stamp {
        let mut known = known();
        if known.len() >= REMEMBERED {
            known.clear();
        }
        known.insert(id.clone(), stamp);
    }
    Ok(path)
}

fn is_sound(path: &Path, id: &ArtifactId) -> bool {
    measure_file(path).is_ok_and(|found| found.finish(false).id == *id)
}

/// Says that a file was used now; whether there is one.
fn touch(path: &Path) -> bool {
    File::open(path).is_ok_and(|file| file.set_modified(SystemTime::now()).is_ok())
}

fn location(places: &StorePlaces, id: &ArtifactId) -> PathBuf {
    let name = id.as_str();
    let (head, _) = name.split_at_checked(2).unwrap_or((name, ""));
    places.artifacts().join(head).join(name)
}

fn place_bytes(bytes: &[u8], directory: &Path, target: &Path) -> Result<(), StoreError> {
    let failed = |error| StoreError::write(target, &error);
    let mut incoming = Incoming::create(directory).map_err(failed)?;
    incoming.file.write_all(bytes).map_err(failed)?;
    incoming.place(target).map_err(failed)
}

fn place_file(source: &Path, directory: &Path, target: &Path) -> Result<(), StoreError> {
    let failed = |error| StoreError::write(target, &error);
    let mut reader = File::open(source).map_err(|error| StoreError::read(source, &error))?;
    make_private(&reader).map_err(failed)?;
    // The last words of a command may be hours old.
    let _ = reader.set_modified(SystemTime::now());
    if fs::rename(source, target).is_ok() {
        return Ok(());
    }
    // Another file system: a copy takes its place.
    let mut incoming = Incoming::create(directory).map_err(failed)?;
    std::io::copy(&mut reader, &mut incoming.file).map_err(failed)?;
    incoming.place(target).map_err(failed)
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

    fn of(source: &mut dyn Read) -> std::io::Result<Self> {
        let mut measure = Self::default();
        let mut piece = vec![0; CHUNK];
        loop {
            let count = match source.read(&mut piece) {
                Err(error) if error.kind() == std::io::ErrorKind::Interrupted => continue,
                count => count?,
            };
            let Some(read) = piece.get(..count).filter(|read| !read.is_empty()) else {
                return Ok(measure);
            };
            measure.take(read);
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
            streams: None,
        }
    }
}

fn measure_file(path: &Path) -> std::io::Result<Measure> {
    Measure::of(&mut BufReader::with_capacity(CHUNK, File::open(path)?))
}
