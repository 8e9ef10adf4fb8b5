//! The way to a resolved path: opened from the root of the system on, following no link. What was judged to lie inside
//! of a directory, and held no link then, is opened there or not at all.

use std::{
    ffi::{OsStr, OsString},
    fs::File,
    io,
    os::unix::ffi::OsStrExt,
    path::{Component, Path},
};

use rustix::{
    fd::OwnedFd,
    fs::{self, AtFlags, Dir, FileType, Mode, OFlags},
    io::Errno,
};

use super::error::Kind;

/// How a file is opened for reading: never waits, even when it became a pipe since it was looked at.
pub(super) const READ: OFlags = OFlags::RDONLY
    .union(OFlags::NOFOLLOW)
    .union(OFlags::CLOEXEC)
    .union(OFlags::NONBLOCK)
    .union(OFlags::NOCTTY);

#[cfg(target_os = "linux")]
const SEARCH: OFlags = OFlags::PATH;
#[cfg(not(target_os = "linux"))]
const SEARCH: OFlags = OFlags::RDONLY;

/// How a directory is opened to go on from it.
const FOLDER: OFlags = SEARCH.union(OFlags::DIRECTORY).union(OFlags::CLOEXEC);

/// Opens a file for reading.
pub(super) fn open(real: &Path) -> io::Result<File> {
    Ok(File::from(at(real, READ)?))
}

/// Opens a directory to list it.
pub(super) fn folder(real: &Path) -> io::Result<OwnedFd> {
    at(
        real,
        OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC | OFlags::NOFOLLOW,
    )
}

/// The names in a directory.
pub(super) fn names(folder: &OwnedFd) -> io::Result<impl Iterator<Item = io::Result<OsString>>> {
    let names = Dir::read_from(folder)?.map(|entry| {
        let entry = entry?;
        Ok(OsStr::from_bytes(entry.file_name().to_bytes()).to_owned())
    });
    Ok(names.filter(|name| !matches!(name, Ok(name) if name == "." || name == "..")))
}

/// What a name in a directory is, and its size in bytes.
pub(super) fn about(folder: &OwnedFd, name: &OsStr) -> Option<(Kind, u64)> {
    let about = fs::statat(folder, name, AtFlags::SYMLINK_NOFOLLOW).ok()?;
    let kind = match FileType::from_raw_mode(about.st_mode) {
        FileType::RegularFile => Kind::File,
        FileType::Directory => Kind::Directory,
        FileType::Symlink => Kind::Link,
        FileType::Fifo => Kind::Fifo,
        FileType::Socket => Kind::Socket,
        FileType::CharacterDevice => Kind::CharDevice,
        FileType::BlockDevice => Kind::BlockDevice,
        FileType::Unknown => Kind::Other,
    };
    Some((kind, u64::try_from(about.st_size).unwrap_or(0)))
}

/// What stands at a path; nothing where nothing does.
pub(super) fn kind(real: &Path) -> io::Result<Option<Kind>> {
    if real.file_name().is_none() {
        return Ok(Some(Kind::Directory));
    }
    match parent(real, false) {
        Ok((folder, name)) => Ok(about(&folder, name).map(|(kind, _)| kind)),
        Err(error)
            if matches!(
                error.kind(),
                io::ErrorKind::NotFound | io::ErrorKind::NotADirectory
            ) =>
        {
            Ok(None)
        }
        Err(error) => Err(error),
    }
}

/// Opens the directory of a path; makes what is missing when asked.
pub(super) fn parent(real: &Path, make: bool) -> io::Result<(OwnedFd, &OsStr)> {
    let name = real
        .file_name()
        .ok_or_else(|| io::Error::from(io::ErrorKind::IsADirectory))?;
    let above = real.parent().unwrap_or(Path::new("/"));
    let folder = if make {
        walk(above, true)?
    } else {
        at(above, FOLDER)?
    };
    Ok((folder, name))
}

fn at(real: &Path, flags: OFlags) -> io::Result<OwnedFd> {
    #[cfg(target_os = "linux")]
    {
        let opened = fs::openat2(
            fs::CWD,
            real,
            flags,
            Mode::empty(),
            fs::ResolveFlags::NO_SYMLINKS,
        );
        match opened {
            // Old systems and some containers have no such call.
            Err(Errno::NOSYS | Errno::PERM) => {}
            opened => return Ok(opened?),
        }
    }
    let Some(name) = real.file_name() else {
        return walk(real, false);
    };
    let folder = walk(real.parent().unwrap_or(Path::new("/")), false)?;
    match fs::openat(&folder, name, flags | OFlags::NOFOLLOW, Mode::empty()) {
        Err(error) => Err(told(&folder, name, error).into()),
        opened => Ok(opened?),
    }
}

/// Goes through directories one by one.
fn walk(real: &Path, make: bool) -> io::Result<OwnedFd> {
    let mut folder = fs::open("/", FOLDER, Mode::empty())?;
    for part in real.components() {
        let Component::Normal(part) = part else {
            continue;
        };
        let next = || fs::openat(&folder, part, FOLDER | OFlags::NOFOLLOW, Mode::empty());
        let opened = match next() {
            Err(Errno::NOENT) if make => {
                match fs::mkdirat(&folder, part, Mode::from_raw_mode(0o777)) {
                    Ok(()) | Err(Errno::EXIST) => {}
                    Err(error) => return Err(error.into()),
                }
                next()
            }
            opened => opened,
        };
        folder = match opened {
            Err(error) => return Err(told(&folder, part, error).into()),
            Ok(next) => next,
        };
    }
    Ok(folder)
}

/// A link in the place of a directory is told as one.
fn told(folder: &OwnedFd, name: &OsStr, error: Errno) -> Errno {
    let is_link = || about(folder, name).is_some_and(|(kind, _)| kind == Kind::Link);
    if error == Errno::NOTDIR && is_link() {
        Errno::LOOP
    } else {
        error
    }
}

#[cfg(test)]
mod tests {
    use std::{fs, os::unix::fs::symlink};

    use super::*;

    /// The system's own call and the walk part by part agree.
    #[test]
    fn no_link_is_followed_anywhere_on_the_way() {
        let folder = tempfile::tempdir().unwrap();
        let base = folder.path().canonicalize().unwrap();
        fs::create_dir_all(base.join("a/b")).unwrap();
        File::create(base.join("a/b/f")).unwrap();
        symlink("a", base.join("l")).unwrap();
        symlink("b/f", base.join("a/g")).unwrap();
        let link = Some(Errno::LOOP.raw_os_error());

        let code = |path: &Path| open(path).err().and_then(|error| error.raw_os_error());
        let walked = |path: &Path| {
            walk(path, false)
                .err()
                .and_then(|error| error.raw_os_error())
        };

        assert_eq!(code(&base.join("a/b/f")), None);
        assert_eq!(code(&base.join("l/b/f")), link);
        assert_eq!(code(&base.join("a/g")), link);
        assert_eq!(walked(&base.join("a/b")), None);
        assert_eq!(walked(&base.join("l/b")), link);
        for (path, found) in [
            ("a/b/f", Some(Kind::File)),
            ("a/b", Some(Kind::Directory)),
            ("a/g", Some(Kind::Link)),
            ("none/f", None),
            ("a/b/f/g", None),
        ] {
            assert_eq!(kind(&base.join(path)).unwrap(), found, "{path}");
        }
        assert!(kind(&base.join("l/b/f")).is_err());
        let mut listed: Vec<OsString> = names(&super::folder(&base.join("a")).unwrap())
            .unwrap()
            .map(Result::unwrap)
            .collect();
        listed.sort();
        assert_eq!(listed, ["b", "g"]);
        assert!(super::folder(&base.join("l")).is_err());
    }
}
