//! The files of large outputs, from their first byte until somebody has taken them over.
//!
//! A file is removed with its last owner. One whose program was killed is removed by a later start: each is locked
//! for as long as it is owned, and a lock ends with its process.

use std::{
    fs::File,
    io,
    ops::Deref,
    path::Path,
    sync::Arc,
    time::{Duration, SystemTime},
};

use tempfile::TempPath;

const PREFIX: &str = "output-";
const SUFFIX: &str = ".txt";
/// A file younger than this may be between its making and its locking.
const YOUNG: Duration = Duration::from_mins(1);

/// A file that is removed with its last owner, unless it was moved away.
#[derive(Clone, Debug)]
pub struct SpoolFile(Arc<Owned>);

#[derive(Debug)]
struct Owned {
    path: TempPath,
    /// Keeps the lock.
    _file: File,
}

impl SpoolFile {
    /// Makes a file in a directory, which is made if need be. Answers what writes to it as well.
    pub fn create(directory: &Path) -> io::Result<(Self, File)> {
        std::fs::create_dir_all(directory)?;
        let made = tempfile::Builder::new()
            .prefix(PREFIX)
            .suffix(SUFFIX)
            .tempfile_in(directory)?;
        let (file, path) = made.into_parts();
        // Where files cannot be locked, none is ever taken for one that is left behind.
        let _ = file.try_lock();
        let owned = Owned {
            path,
            _file: file.try_clone()?,
        };
        Ok((Self(Arc::new(owned)), file))
    }
}

impl Deref for SpoolFile {
    type Target = Path;

    fn deref(&self) -> &Path {
        &self.0.path
    }
}

impl AsRef<Path> for SpoolFile {
    fn as_ref(&self) -> &Path {
        self
    }
}

impl PartialEq for SpoolFile {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

impl Eq for SpoolFile {}

/// Removes the files that killed programs have left in a directory. What cannot be looked at stays.
pub fn sweep(directory: &Path) {
    let Ok(entries) = std::fs::read_dir(directory) else {
        return;
    };
    for entry in entries.flatten() {
        let name = entry.file_name();
        let is_ours = name
            .to_str()
            .is_some_and(|name| name.starts_with(PREFIX) && name.ends_with(SUFFIX));
        if is_ours && is_left_behind(&entry.path()) {
            // Another start may have been faster.
            let _ = std::fs::remove_file(entry.path());
        }
    }
}

fn is_left_behind(path: &Path) -> bool {
    let Ok(file) = File::open(path) else {
        return false;
    };
    let age = file
        .metadata()
        .and_then(|data| data.modified())
        .ok()
        .and_then(|modified| SystemTime::now().duration_since(modified).ok());
    age.is_some_and(|age| age > YOUNG) && file.try_lock().is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(directory: &Path) -> Vec<String> {
        let mut names: Vec<String> = std::fs::read_dir(directory)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }

    fn age(file: &File) {
        file.set_modified(SystemTime::now() - 2 * YOUNG).unwrap();
    }

    #[test]
    fn a_file_goes_with_its_last_owner_unless_it_was_moved_away() {
        let folder = tempfile::tempdir().unwrap();
        let spool = folder.path().join("spool");
        let (dropped, _) = SpoolFile::create(&spool).unwrap();
        let (moved, _) = SpoolFile::create(&spool).unwrap();
        let other = dropped.clone();
        drop(dropped);
        assert!(other.is_file());
        std::fs::rename(&moved, folder.path().join("kept")).unwrap();

        drop((other, moved));

        assert!(names(&spool).is_empty());
        assert!(folder.path().join("kept").is_file());
    }

    #[test]
    fn only_what_nobody_owns_is_swept() {
        let folder = tempfile::tempdir().unwrap();
        let (owned, writer) = SpoolFile::create(folder.path()).unwrap();
        age(&writer);
        for name in ["output-dead.txt", "output-young.txt", "other.txt"] {
            let file = File::create(folder.path().join(name)).unwrap();
            if name != "output-young.txt" {
                age(&file);
            }
        }

        sweep(folder.path());

        let owned = owned.file_name().unwrap().to_str().unwrap();
        let mut expected = vec!["other.txt", "output-young.txt", owned];
        expected.sort_unstable();
        assert_eq!(names(folder.path()), expected);
    }
}
