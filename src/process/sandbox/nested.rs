//! Repositories inside of a root: what could make something run later is theirs as well.
//!
//! They are looked for once in a session, before its first command: what a command makes itself, it could always have
//! filled as it likes. The search is bounded, and leaves out where only tools put things.

use std::{
    collections::{BTreeMap, VecDeque},
    fs,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, PoisonError},
};

use crate::domain::ids::SessionId;

/// What makes a directory one of a repository.
const SIGN: &str = ".git";
/// Directories that are not searched.
const LEFT_OUT: &[&str] = &[
    ".git",
    ".quarterdeck",
    ".venv",
    "__pycache__",
    "node_modules",
    "target",
];
/// How deep below the root is searched.
const DEEPEST: usize = 6;
/// The most directories that are searched.
const MOST_SEARCHED: usize = 4_000;
/// The most that are protected. Each costs every command some mounts.
const MOST_FOUND: usize = 64;

type Found = Arc<[PathBuf]>;

static FOUND: Mutex<BTreeMap<(SessionId, PathBuf), Found>> = Mutex::new(BTreeMap::new());

/// Directories below a root that are repositories, the nearest first. The first call of a session searches.
pub(super) fn in_root(session: &SessionId, root: &Path) -> Found {
    let key = (session.clone(), root.to_owned());
    let known = || FOUND.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(found) = known().get(&key) {
        return Arc::clone(found);
    }
    // Without the lock: two commands that begin together search twice and find the same.
    let found: Found = search(root).into();
    Arc::clone(known().entry(key).or_insert(found))
}

/// Forgets a session that has ended.
pub(super) fn forget(session: &SessionId) {
    FOUND
        .lock()
        .unwrap_or_else(PoisonError::into_inner)
        .retain(|(held, _), _| held != session);
}

/// Level by level, so that what is near is found even where there is too much.
fn search(root: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut waiting = VecDeque::from([(root.to_owned(), 0)]);
    let mut searched = 0;
    while let Some((directory, depth)) = waiting.pop_front() {
        searched += 1;
        if searched > MOST_SEARCHED || found.len() >= MOST_FOUND {
            break;
        }
        let entries = fs::read_dir(&directory).into_iter().flatten().flatten();
        let mut has_sign = false;
        for entry in entries {
            let name = entry.file_name();
            has_sign |= name == SIGN;
            let is_directory = entry.file_type().is_ok_and(|kind| kind.is_dir());
            let is_left_out = LEFT_OUT.iter().any(|known| name == *known);
            if is_directory && depth < DEEPEST && !is_left_out {
                waiting.push_back((entry.path(), depth + 1));
            }
        }
        if has_sign && directory != root {
            found.push(directory);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(root: &Path) -> Vec<String> {
        let mut names: Vec<String> = search(root)
            .iter()
            .map(|path| path.strip_prefix(root).unwrap().display().to_string())
            .collect();
        names.sort();
        names
    }

    #[test]
    fn repositories_are_found_where_people_put_them() {
        let root = tempfile::tempdir().unwrap();
        let root = root.path();
        for place in [
            ".git",
            "a/.git",
            "a/b/c/.git",
            "plain/src",
            "node_modules/m/.git",
            "target/x/.git",
            "1/2/3/4/5/6/.git",
            "1/2/3/4/5/6/7/.git",
        ] {
            fs::create_dir_all(root.join(place)).unwrap();
        }
        fs::File::create(root.join("plain/.git")).unwrap();
        std::os::unix::fs::symlink(root.join("a"), root.join("link")).unwrap();

        assert_eq!(names(root), ["1/2/3/4/5/6", "a", "a/b/c", "plain"]);
    }

    #[test]
    fn the_search_ends() {
        let root = tempfile::tempdir().unwrap();
        for number in 0..MOST_FOUND + 20 {
            fs::create_dir_all(root.path().join(format!("{number}/.git"))).unwrap();
        }

        assert_eq!(search(root.path()).len(), MOST_FOUND);
    }

    #[test]
    fn a_session_keeps_what_was_there_when_it_began() {
        let root = tempfile::tempdir().unwrap();
        let session = SessionId::new(root.path().display().to_string());
        fs::create_dir_all(root.path().join("a/.git")).unwrap();
        let before = in_root(&session, root.path());
        fs::create_dir_all(root.path().join("b/.git")).unwrap();

        assert_eq!(in_root(&session, root.path()), before);
        forget(&session);
        assert_eq!(in_root(&session, root.path()).len(), 2);
        forget(&session);
    }
}
