//! The one gate through which project files are loaded to be changed, and saved.
//!
//! What it keeps: encoding, byte order mark, line ends, mode, owner, links and every byte outside a change. What it
//! refuses: secrets, files outside the roots, files that nobody may write, content that is not what the caller saw.

use std::{
    fs::{self, File, Metadata},
    io::{self, Read},
    os::unix::fs::MetadataExt,
    thread,
};

use sha2::{Digest as _, Sha256};

use super::{
    encoding::{self, Encoding, Text},
    error::{Kind, WorkspaceError},
    freshness::{DIGEST_LIMIT, Digest},
    line_ends::{Splice, Unified},
    replace::{self, Outcome},
    root::{Located, Roots},
    secrets, way,
};

/// The largest file that is loaded whole.
pub const LOAD_LIMIT: u64 = 256 * 1024 * 1024;

/// A text file as it was found.
#[derive(Clone, Debug)]
pub struct Loaded {
    /// Its text, line ends as on disk.
    pub text: Text,
    /// The view with `\n` only, which changes are made to.
    pub unified: Unified,
    /// What identifies its content.
    pub digest: Digest,
}

/// What a caller saw of a file before it changes it.
#[derive(Clone, Copy, Debug)]
pub enum Basis<'a> {
    /// There was none.
    Absent,
    /// It had this content.
    Content(&'a Digest),
}

impl Loaded {
    /// The file's bytes after some replacements in the unified view.
    pub fn spliced(&self, splices: &[Splice]) -> Vec<u8> {
        let body = self.unified.splice(&self.text.body, splices);
        self.text.encoding.encode_own(body)
    }

    /// The file's bytes when its text is replaced whole.
    pub fn rewritten(&self, new: &str) -> Result<Vec<u8>, WorkspaceError> {
        if new == self.unified.text {
            return Ok(self.text.encoding.encode(&self.text.body));
        }
        genuine(new)?;
        let new = new.strip_prefix('\u{FEFF}').unwrap_or(new);
        let body = self.unified.rewrite(&self.text.body, new);
        Ok(self.text.encoding.encode_own(body))
    }
}

/// Opens a file for reading, refusing at once what is secret, missing or not an ordinary file.
pub fn open(file: &Located) -> Result<(File, Metadata), WorkspaceError> {
    secrets::check(file)?;
    let about = match fs::symlink_metadata(&file.real) {
        Ok(about) => about,
        Err(error) if is_missing(&error) => {
            return Err(WorkspaceError::Missing {
                file: file.shown.clone(),
                near: super::read::nearby(file),
            });
        }
        Err(error) => return Err(WorkspaceError::system(&file.shown, "read", &error)),
    };
    ordinary(file, &about)?;
    let opened = way::open(&file.real)
        .map_err(|error| WorkspaceError::system(&file.shown, "open", &error))?;
    let about = opened
        .metadata()
        .map_err(|error| WorkspaceError::system(&file.shown, "read", &error))?;
    ordinary(file, &about)?;
    Ok((opened, about))
}

fn ordinary(file: &Located, about: &Metadata) -> Result<(), WorkspaceError> {
    match Kind::of(about.file_type()) {
        Kind::File => Ok(()),
        kind => Err(WorkspaceError::not_a_file(&file.shown, kind)),
    }
}

fn is_missing(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory
    )
}

/// Loads a text file whole; `None` when there is none.
pub fn load(file: &Located) -> Result<Option<Loaded>, WorkspaceError> {
    let (mut opened, about) = match open(file) {
        Ok(opened) => opened,
        Err(WorkspaceError::Missing { .. }) => return Ok(None),
        Err(error) => return Err(error),
    };
    if about.len() > LOAD_LIMIT {
        return Err(WorkspaceError::TooLarge {
            file: file.shown.clone(),
            bytes: about.len(),
            limit: LOAD_LIMIT,
        });
    }
    let mut bytes = Vec::with_capacity(about.len() as usize);
    (&mut opened)
        .take(LOAD_LIMIT)
        .read_to_end(&mut bytes)
        .map_err(|error| WorkspaceError::system(&file.shown, "read", &error))?;
    let digest = Digest::of(&bytes, &about);
    let text = encoding::decode(bytes).map_err(|what| WorkspaceError::Binary {
        file: file.shown.clone(),
        what,
        bytes: about.len(),
    })?;
    Ok(Some(Loaded {
        unified: Unified::of(&text.body),
        text,
        digest,
    }))
}

/// A file whose content is not text, as one that holds none: for who replaces it whole and means it.
pub fn opaque(file: &Located) -> Result<Loaded, WorkspaceError> {
    let (opened, _) = open(file)?;
    let digest =
        digest_of(&opened).map_err(|error| WorkspaceError::system(&file.shown, "read", &error))?;
    let text = Text {
        body: String::new(),
        encoding: Encoding::Utf8,
        invalid: 0,
    };
    Ok(Loaded {
        unified: Unified::of(&text.body),
        text,
        digest,
    })
}

/// Refuses a write before any work is done: a secret, outside the roots, a directory, read-only.
pub fn check_writable(file: &Located, roots: &Roots) -> Result<(), WorkspaceError> {
    secrets::check(file)?;
    roots.check(file)?;
    match fs::symlink_metadata(&file.real) {
        Ok(about) => {
            ordinary(file, &about)?;
            if about.mode() & 0o222 == 0 {
                return Err(WorkspaceError::ReadOnly {
                    file: file.shown.clone(),
                    mode: about.mode() & 0o777,
                });
            }
            Ok(())
        }
        Err(error) if is_missing(&error) => Ok(()),
        Err(error) => Err(WorkspaceError::system(&file.shown, "write", &error)),
    }
}

/// Saves a file whose content was `basis` when the caller looked; refuses when it is not any more.
pub fn save(
    file: &Located,
    roots: &Roots,
    basis: Basis<'_>,
    bytes: &[u8],
) -> Result<Digest, WorkspaceError> {
    check_writable(file, roots)?;
    let (outcome, digest) = digest_beside(bytes, || match basis {
        Basis::Absent => replace::create(&file.real, bytes),
        Basis::Content(digest) => replace::overwrite(&file.real, bytes, &|present| {
            Ok(digest_of(present)? == *digest)
        }),
    });
    match outcome {
        Ok(Outcome::Written(about)) => Ok(digest.unwrap_or_else(|| Digest::of(bytes, &about))),
        Ok(Outcome::Moved) => Err(match basis {
            Basis::Absent => WorkspaceError::NeverRead {
                file: file.shown.clone(),
            },
            Basis::Content(_) => WorkspaceError::Changed {
                file: file.shown.clone(),
            },
        }),
        Err(error) => Err(WorkspaceError::system(&file.shown, "write", &error)),
    }
}

/// Digests large content while something is done that mostly waits for the disk.
fn digest_beside<T>(bytes: &[u8], deed: impl FnOnce() -> T) -> (T, Option<Digest>) {
    const LARGE: u64 = 1024 * 1024;
    if !(LARGE..=DIGEST_LIMIT).contains(&(bytes.len() as u64)) {
        return (deed(), None);
    }
    thread::scope(|scope| {
        let digest = || Digest::finish(Sha256::new().chain_update(bytes));
        let beside = thread::Builder::new().spawn_scoped(scope, digest);
        let outcome = deed();
        let digest = beside.ok().and_then(|beside| beside.join().ok());
        (outcome, digest)
    })
}

/// The bytes of a new file.
pub fn new_file(content: &str) -> Result<Vec<u8>, WorkspaceError> {
    genuine(content)?;
    Ok(Encoding::Utf8.encode(content))
}

/// Refuses text that would be stored as something else than what it looks like.
fn genuine(text: &str) -> Result<(), WorkspaceError> {
    match encoding::forged(text) {
        None => Ok(()),
        Some(letter) => Err(WorkspaceError::Forged { letter }),
    }
}

fn digest_of(mut file: &File) -> io::Result<Digest> {
    let about = file.metadata()?;
    if about.len() > DIGEST_LIMIT {
        return Ok(Digest::stat(&about));
    }
    let mut hasher = Sha256::new();
    let mut buffer = vec![0; 64 * 1024];
    loop {
        match file.read(&mut buffer) {
            Ok(0) => return Ok(Digest::finish(hasher)),
            Ok(length) => hasher.update(buffer.get(..length).unwrap_or_default()),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
}

#[cfg(test)]
#[path = "gate_tests.rs"]
mod tests;
