//! The first files of an order, and no more of them than are needed.
//!
//! Each thread of a walk keeps its own, so that none waits for another; they become one when the threads end.

use std::{
    cmp::{self, Reverse},
    collections::BTreeMap,
    os::unix::ffi::OsStrExt,
    path::{Path, PathBuf},
    sync::{Mutex, PoisonError},
    time::SystemTime,
};

use ignore::DirEntry;

/// In which order results are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// By path.
    Path,
    /// The file changed last comes first.
    Modified,
}

/// What sorts a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Key {
    modified: Reverse<SystemTime>,
    path: PathBuf,
}

/// The first files of an order. Weights say how many rows a file fills.
#[derive(Debug)]
pub struct Top<V> {
    need: usize,
    held: usize,
    files: BTreeMap<Key, (V, usize)>,
}

/// What one thread has of the first files; the whole gets it when the thread lets go of it.
#[derive(Debug)]
pub struct Part<'w, V> {
    own: Top<V>,
    whole: &'w Mutex<Top<V>>,
}

impl Order {
    /// What sorts an entry.
    pub fn key(self, entry: DirEntry) -> Key {
        let modified = match self {
            Self::Path => None,
            Self::Modified => entry
                .metadata()
                .ok()
                .and_then(|about| about.modified().ok()),
        };
        Key {
            modified: Reverse(modified.unwrap_or(SystemTime::UNIX_EPOCH)),
            path: entry.into_path(),
        }
    }
}

impl Ord for Key {
    fn cmp(&self, other: &Self) -> cmp::Ordering {
        let by_time = self.modified.cmp(&other.modified);
        by_time.then_with(|| by_parts(&self.path, &other.path))
    }
}

impl PartialOrd for Key {
    fn partial_cmp(&self, other: &Self) -> Option<cmp::Ordering> {
        Some(self.cmp(other))
    }
}

/// By the names of folders, one after the other, as the standard library compares paths: `a/b` comes before `a.b`. Paths
/// of a walk are clean, so that it is enough to look at the first byte that differs.
fn by_parts(a: &Path, b: &Path) -> cmp::Ordering {
    let (a, b) = (a.as_os_str().as_bytes(), b.as_os_str().as_bytes());
    let same = a.iter().zip(b).take_while(|(a, b)| a == b).count();
    let rank = |bytes: &[u8]| bytes.get(same).map(|byte| (*byte != b'/', *byte));
    rank(a).cmp(&rank(b))
}

impl<V> Top<V> {
    /// Keeps the files that fill the first `need` rows.
    pub fn new(need: usize) -> Self {
        Self {
            need,
            held: 0,
            files: BTreeMap::new(),
        }
    }

    /// Takes a file in, and drops those that its rows push out.
    pub fn insert(&mut self, key: Key, value: V, weight: usize) {
        if self.held >= self.need
            && self
                .files
                .last_key_value()
                .is_none_or(|(last, _)| *last < key)
        {
            return;
        }
        self.held += weight;
        self.files.insert(key, (value, weight));
        while let Some(last) = self.files.last_entry() {
            let weight = last.get().1;
            if self.held - weight < self.need {
                break;
            }
            last.remove();
            self.held -= weight;
        }
    }

    /// The files in order.
    pub fn into_files(self) -> impl Iterator<Item = (PathBuf, V)> {
        let files = self.files.into_iter();
        files.map(|(key, (value, _))| (key.path, value))
    }
}

impl<'w, V> Part<'w, V> {
    /// The part of one thread.
    pub fn of(whole: &'w Mutex<Top<V>>) -> Self {
        let need = whole.lock().unwrap_or_else(PoisonError::into_inner).need;
        Self {
            own: Top::new(need),
            whole,
        }
    }

    /// Takes a file in.
    pub fn insert(&mut self, key: Key, value: V, weight: usize) {
        self.own.insert(key, value, weight);
    }
}

impl<V> Drop for Part<'_, V> {
    fn drop(&mut self) {
        let mut whole = self.whole.lock().unwrap_or_else(PoisonError::into_inner);
        for (key, (value, weight)) in std::mem::take(&mut self.own.files) {
            whole.insert(key, value, weight);
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn key(path: &str) -> Key {
        Key {
            modified: Reverse(SystemTime::UNIX_EPOCH),
            path: PathBuf::from(path),
        }
    }

    proptest! {
        #[test]
        fn paths_are_ordered_as_the_standard_library_does(
            a in "/([a./-é]{1,3}/){0,2}[a.-]{1,2}", b in "/([a./-é]{1,3}/){0,2}[a.-]{1,2}",
        ) {
            // A walk comes from names that the disk has: never nothing, this folder or the one above.
            let clean = |path: &str| path.split('/').skip(1).all(|part| !matches!(part, "" | "." | ".."));
            prop_assume!(clean(&a) && clean(&b));
            prop_assert_eq!(by_parts(Path::new(&a), Path::new(&b)), Path::new(&a).cmp(Path::new(&b)));
        }

        #[test]
        fn the_parts_of_threads_make_the_first_rows_of_all(
            files in prop::collection::btree_map("[a-f]{1,3}", 1usize..4, 0..20),
            need in 0usize..12,
            threads in 1usize..4,
        ) {
            let whole = Mutex::new(Top::new(need));
            let mut parts: Vec<Part<'_, ()>> = (0..threads).map(|_| Part::of(&whole)).collect();
            for (index, (path, weight)) in files.iter().enumerate() {
                parts[index % threads].insert(key(path), (), *weight);
            }
            drop(parts);

            let kept: Vec<String> = whole
                .into_inner()
                .unwrap()
                .into_files()
                .map(|(path, ())| path.display().to_string())
                .collect();

            // The fewest files from the start that fill the rows.
            let mut rows = 0;
            let first = files.iter().take_while(|(_, weight)| {
                let wanted = rows < need;
                rows += *weight;
                wanted
            });
            prop_assert_eq!(kept, first.map(|(path, _)| path.clone()).collect::<Vec<_>>());
        }
    }
}
