//! Locks of the operating system: one writer to a session, and who uses the database.
//!
//! A lock ends with the process that holds it, however that ends; a file that is left behind is harmless.

use std::{
    fs::{self, File, OpenOptions},
    io::{Read, Seek, Write},
    path::{Path, PathBuf},
    thread,
    time::{Duration, Instant},
};

use super::{error::StoreError, places::StorePlaces};
use crate::domain::ids::SessionId;

/// How long to sleep between two attempts to get the database lock.
const RETRY: Duration = Duration::from_millis(10);

/// The right to write one session. Given back when dropped.
#[derive(Debug)]
pub struct SessionLock {
    session: SessionId,
    path: PathBuf,
    /// Keeps the lock.
    _file: File,
}

impl SessionLock {
    /// Takes the lock, or says who has it. Never waits.
    pub(super) fn take(places: &StorePlaces, session: &SessionId) -> Result<Self, StoreError> {
        let directory = places.locks();
        create_private_directory(&directory)?;
        let path = directory.join(format!("{session}.lock"));
        loop {
            let mut file = lock_file(&path)?;
            match file.try_lock() {
                Ok(()) => {}
                Err(fs::TryLockError::WouldBlock) => {
                    return Err(StoreError::InUse {
                        session: session.clone(),
                        holder: holder(&mut file),
                    });
                }
                Err(fs::TryLockError::Error(error)) => {
                    return Err(StoreError::write(&path, &error));
                }
            }
            // The last holder removes the file while it still has the lock: what we locked may be a file that
            // nobody can see any more, and then the lock means nothing.
            if is_at(&file, &path) {
                name_holder(&mut file);
                return Ok(Self {
                    session: session.clone(),
                    path,
                    _file: file,
                });
            }
        }
    }

    /// The session that may be written.
    pub fn session(&self) -> &SessionId {
        &self.session
    }
}

impl Drop for SessionLock {
    fn drop(&mut self) {
        // A file that cannot be removed is harmless: the lock itself ends with the handle.
        let _ = fs::remove_file(&self.path);
    }
}

/// Shared by everyone who uses the database; taken alone to make, migrate or repair it.
#[derive(Debug)]
pub(super) struct DatabaseLock {
    path: PathBuf,
    file: File,
}

impl DatabaseLock {
    /// Opens the lock's file without locking it.
    pub(super) fn open(places: &StorePlaces) -> Result<Self, StoreError> {
        create_private_directory(&places.locks())?;
        let path = places.database_lock();
        Ok(Self {
            file: lock_file(&path)?,
            path,
        })
    }

    /// Tries to become the only user.
    pub(super) fn try_alone(&self) -> Result<bool, StoreError> {
        self.release()?;
        self.outcome(self.file.try_lock())
    }

    /// Tries to become one of the users.
    pub(super) fn try_shared(&self) -> Result<bool, StoreError> {
        self.release()?;
        self.outcome(self.file.try_lock_shared())
    }

    /// Waits until it is one of the users.
    pub(super) fn share(&self, patience: Duration) -> Result<(), StoreError> {
        let deadline = Instant::now() + patience;
        while !self.try_shared()? {
            pause(deadline, patience)?;
        }
        Ok(())
    }

    fn release(&self) -> Result<(), StoreError> {
        self.file
            .unlock()
            .map_err(|error| StoreError::write(&self.path, &error))
    }

    fn outcome(&self, outcome: Result<(), fs::TryLockError>) -> Result<bool, StoreError> {
        match outcome {
            Ok(()) => Ok(true),
            Err(fs::TryLockError::WouldBlock) => Ok(false),
            Err(fs::TryLockError::Error(error)) => Err(StoreError::write(&self.path, &error)),
        }
    }
}

/// Sleeps a little, or fails when the deadline has passed.
pub(super) fn pause(deadline: Instant, patience: Duration) -> Result<(), StoreError> {
    if Instant::now() >= deadline {
        return Err(StoreError::Busy {
            seconds: patience.as_secs(),
        });
    }
    thread::sleep(RETRY);
    Ok(())
}

/// Makes a directory that only this user can enter; one that exists is left as it is.
pub(super) fn create_private_directory(path: &Path) -> Result<(), StoreError> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder
        .create(path)
        .map_err(|error| StoreError::write(path, &error))
}

/// Options that make a file which only this user can read.
pub(super) fn private_options() -> OpenOptions {
    let mut options = OpenOptions::new();
    options.read(true).write(true).create(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options
}

fn lock_file(path: &Path) -> Result<File, StoreError> {
    private_options()
        .truncate(false)
        .open(path)
        .map_err(|error| StoreError::write(path, &error))
}

fn holder(file: &mut File) -> Option<u32> {
    let mut text = String::new();
    file.take(32).read_to_string(&mut text).ok()?;
    text.trim().parse().ok()
}

/// Writes our process id into the lock for the message to others; the lock holds without it.
fn name_holder(file: &mut File) {
    let _ = file.set_len(0);
    let _ = file.rewind();
    let _ = writeln!(file, "{}", std::process::id());
}

#[cfg(unix)]
fn is_at(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    match (file.metadata(), fs::metadata(path)) {
        (Ok(ours), Ok(there)) => ours.dev() == there.dev() && ours.ino() == there.ino(),
        _ => false,
    }
}

#[cfg(not(unix))]
fn is_at(_file: &File, path: &Path) -> bool {
    path.exists()
}
