//! Where relative paths start and in which directories writing is possible.

use std::path::{Component, Path, PathBuf};

/// Directories in which writing is possible, canonical.
#[derive(Clone, Debug, Default)]
pub struct Roots {
    /// The directories.
    pub directories: Vec<PathBuf>,
}

/// A path made absolute and lexically clean, without touching the disk.
pub fn absolute(cwd: &Path, path: &str) -> PathBuf {
    let mut clean = PathBuf::new();
    for part in cwd.join(path).components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => {
                clean.pop();
            }
            other => clean.push(other),
        }
    }
    clean
}
