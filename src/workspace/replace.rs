//! Puts bytes in the place of a file: the whole old content or the whole new, at any moment.
//!
//! No link is followed on the way to the file, so what is written is what was judged. The new content has no name until it is complete (`O_TMPFILE`), so a killed program leaves nothing behind; it takes
//! over mode, owner and extended attributes. Only a file with several names, or one that cannot be replaced (its owner
//! is another, its folder takes no new names, it is a mount of its own), is written in place.

use std::{
    ffi::OsStr,
    fs::{File, Metadata},
    io::{self, Write},
    os::{fd::AsRawFd, unix::fs::MetadataExt},
    path::Path,
    sync::atomic::{AtomicU64, Ordering},
};

use rustix::{
    fd::OwnedFd,
    fs::{self, AtFlags, CWD, Mode, OFlags},
    io::Errno,
};

use super::way;

/// What happened to a write.
pub(super) enum Outcome {
    /// The bytes are on disk.
    Written(Metadata),
    /// There is a file where none was expected, or none or another where one was.
    Moved,
}

/// Creates a file with this content, and the directories above it. Never touches a file that is there.
pub(super) fn create(real: &Path, bytes: &[u8]) -> io::Result<Outcome> {
    let (folder, name) = way::parent(real, true)?;
    let mut draft = Draft::new(&folder, Mode::from_raw_mode(0o666))?;
    draft.fill(bytes, None)?;
    match draft.link(&folder, name) {
        Err(Errno::EXIST) => return Ok(Outcome::Moved),
        result => result?,
    }
    sync_folder(&folder);
    draft.file.metadata().map(Outcome::Written)
}

/// Gives an existing file this content. `present` judges the file as it is found just before.
pub(super) fn overwrite(
    real: &Path,
    bytes: &[u8],
    present: &dyn Fn(&File) -> io::Result<bool>,
) -> io::Result<Outcome> {
    let (folder, name) = way::parent(real, false)?;
    let old = match fs::openat(&folder, name, way::READ, Mode::empty()) {
        Ok(old) => File::from(old),
        Err(Errno::NOENT | Errno::LOOP) => return Ok(Outcome::Moved),
        Err(error) => return Err(error.into()),
    };
    let about = old.metadata()?;
    if !about.is_file() || !present(&old)? {
        return Ok(Outcome::Moved);
    }
    if about.nlink() > 1 {
        return in_place(&folder, name, bytes);
    }
    let mut draft = match Draft::new(&folder, Mode::from_raw_mode(0o600)) {
        Ok(draft) => draft,
        Err(error) if is_closed(&error) => return in_place(&folder, name, bytes),
        Err(error) => return Err(error),
    };
    if !draft.take_over(&old, &about)? {
        return in_place(&folder, name, bytes);
    }
    draft.fill(bytes, Some(mode_of(&about)))?;
    match draft.replace(&folder, name) {
        Ok(()) => {}
        Err(error) if is_closed(&error) || error.kind() == io::ErrorKind::ResourceBusy => {
            return in_place(&folder, name, bytes);
        }
        Err(error) => return Err(error),
    }
    sync_folder(&folder);
    draft.file.metadata().map(Outcome::Written)
}

/// Whether a folder takes no new names; a file in it may be writable all the same.
fn is_closed(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem
    )
}

fn mode_of(about: &Metadata) -> Mode {
    Mode::from_bits_truncate((about.mode() & 0o7777) as _)
}

fn in_place(folder: &OwnedFd, name: &OsStr, bytes: &[u8]) -> io::Result<Outcome> {
    let flags = OFlags::WRONLY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let mut file = File::from(fs::openat(folder, name, flags, Mode::empty())?);
    let mode = mode_of(&file.metadata()?);
    // The length is cut last, so that a full disk is noticed while the old tail is still there.
    file.write_all(bytes)?;
    file.set_len(bytes.len() as u64)?;
    restore_mode(&file, mode);
    file.sync_all()?;
    file.metadata().map(Outcome::Written)
}

/// Puts the set-id bits back that the system takes off a file that is written. Only its owner may.
fn restore_mode(file: &File, mode: Mode) {
    if file.metadata().is_ok_and(|now| mode_of(&now) != mode) {
        let _ = fs::fchmod(file, mode);
    }
}

/// Makes the new name durable. Some file systems cannot; the content itself is durable already.
fn sync_folder(folder: &OwnedFd) {
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
    if let Ok(folder) = fs::openat(folder, ".", flags, Mode::empty()) {
        let _ = fs::fsync(&folder);
    }
}

/// New content on its way to a name.
struct Draft<'a> {
    file: File,
    folder: &'a OwnedFd,
    /// Its own name where the file system has no nameless files; removed when the draft is dropped.
    name: Option<String>,
}

impl<'a> Draft<'a> {
    fn new(folder: &'a OwnedFd, mode: Mode) -> io::Result<Self> {
        #[cfg(target_os = "linux")]
        {
            let flags = OFlags::TMPFILE | OFlags::RDWR | OFlags::CLOEXEC;
            match fs::openat(folder, ".", flags, mode) {
                Ok(file) => {
                    return Ok(Self {
                        file: File::from(file),
                        folder,
                        name: None,
                    });
                }
                Err(Errno::OPNOTSUPP | Errno::ISDIR | Errno::INVAL) => {}
                Err(error) => return Err(error.into()),
            }
        }
        loop {
            let name = draft_name();
            let flags = OFlags::CREATE | OFlags::EXCL | OFlags::RDWR | OFlags::CLOEXEC;
            match fs::openat(folder, name.as_str(), flags, mode) {
                Ok(file) => {
                    return Ok(Self {
                        file: File::from(file),
                        folder,
                        name: Some(name),
                    });
                }
                Err(Errno::EXIST) => {}
                Err(error) => return Err(error.into()),
            }
        }
    }

    /// Takes over owner and attributes; `false` when the owner cannot be kept.
    fn take_over(&self, old: &File, about: &Metadata) -> io::Result<bool> {
        let own = self.file.metadata()?;
        if (own.uid(), own.gid()) != (about.uid(), about.gid()) {
            let owner = Some(fs::Uid::from_raw(about.uid()));
            let group = Some(fs::Gid::from_raw(about.gid()));
            if fs::fchown(&self.file, owner, group).is_err() {
                return Ok(false);
            }
        }
        copy_attributes(old, &self.file);
        Ok(true)
    }

    /// Writes the content, then sets the mode: a change of owner and every write clear the set-id bits.
    fn fill(&mut self, bytes: &[u8], mode: Option<Mode>) -> io::Result<()> {
        self.file.write_all(bytes)?;
        if let Some(mode) = mode {
            fs::fchmod(&self.file, mode)?;
        }
        self.file.sync_all()
    }

    /// Gives the content a name that nothing has yet.
    fn link(&self, folder: &OwnedFd, name: impl rustix::path::Arg) -> rustix::io::Result<()> {
        match &self.name {
            Some(own) => fs::linkat(folder, own.as_str(), folder, name, AtFlags::empty()),
            None => {
                let own = format!("/proc/self/fd/{}", self.file.as_raw_fd());
                fs::linkat(CWD, own, folder, name, AtFlags::SYMLINK_FOLLOW)
            }
        }
    }

    /// Puts the content in the place of a name. A nameless file gets a name for the moment of the exchange.
    fn replace(&mut self, folder: &OwnedFd, name: &OsStr) -> io::Result<()> {
        while self.name.is_none() {
            let own = draft_name();
            match self.link(folder, own.as_str()) {
                Ok(()) => self.name = Some(own),
                Err(Errno::EXIST) => {}
                Err(error) => return Err(error.into()),
            }
        }
        if let Some(own) = &self.name {
            fs::renameat(folder, own.as_str(), folder, name)?;
        }
        self.name = None;
        Ok(())
    }
}

impl Drop for Draft<'_> {
    fn drop(&mut self) {
        if let Some(name) = &self.name {
            let _ = fs::unlinkat(self.folder, name.as_str(), AtFlags::empty());
        }
    }
}

fn draft_name() -> String {
    static COUNT: AtomicU64 = AtomicU64::new(0);
    let count = COUNT.fetch_add(1, Ordering::Relaxed);
    format!(".qd-{}-{count}.part", std::process::id())
}

/// Copies what extended attributes may be copied: access lists, labels, a person's own.
fn copy_attributes(old: &File, new: &File) {
    const MOST: usize = 64 * 1024;
    let mut names = vec![0; MOST];
    let Ok(length) = fs::flistxattr(old, &mut names) else {
        return;
    };
    names.truncate(length);
    let mut value = vec![0; MOST];
    for name in names
        .split(|byte| *byte == 0)
        .filter(|name| !name.is_empty())
    {
        if let Ok(length) = fs::fgetxattr(old, name, &mut value)
            && let Some(value) = value.get(..length)
        {
            let _ = fs::fsetxattr(new, name, value, fs::XattrFlags::empty());
        }
    }
}
