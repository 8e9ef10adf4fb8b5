//! What stays as it is inside a writable directory: files through which something could be made to run later.
//!
//! That is `.git/hooks` and the configuration of git, `.envrc` and `.quarterdeck`. The rest of `.git` is written by
//! every commit. In a linked worktree or a submodule it lies elsewhere and becomes writable too, but only when it
//! names this directory as its own: a `.git` file that a command wrote must not open any directory it likes.

use std::{
    fs,
    path::{Path, PathBuf},
};

/// Names in a directory of git that decide what runs, or where git looks for what decides it.
const DECIDING: &[&str] = &["hooks", "config", "config.worktree", "commondir", "gitdir"];
/// Names in a root.
const GUARDED: &[&str] = &[".quarterdeck", ".envrc"];
/// How deep submodules may be nested in each other's directories.
const DEEPEST: usize = 6;
/// The most directories of git that are looked at.
const MOST: usize = 512;
/// The longest file that names another place.
const LONGEST: u64 = 8 * 1024;

/// What a root needs beside itself.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Found {
    /// Directories outside the root that git writes for it.
    pub(super) writable: Vec<PathBuf>,
    /// What must stay where it is.
    pub(super) pinned: Vec<PathBuf>,
    /// What must stay as it is.
    pub(super) protected: Vec<PathBuf>,
}

/// Looks at a root and at what is `nested` in it. Blocks on the disk.
pub(super) fn look(root: &Path, nested: &[PathBuf]) -> Found {
    let mut found = Found::default();
    for name in GUARDED {
        found.protect(&root.join(name));
    }
    // What became a link since it was found leads elsewhere, and no mount follows it.
    let still_there = |place: &&PathBuf| place.canonicalize().is_ok_and(|real| real == **place);
    for directory in nested.iter().filter(still_there) {
        // Who could move it away could put another one in its place.
        let way = directory.ancestors().take_while(|above| *above != root);
        found.pinned.extend(way.map(Path::to_owned));
        found.take_nested(directory);
    }
    let git = root.join(".git");
    let Ok(data) = fs::symlink_metadata(&git) else {
        return found;
    };
    if data.is_dir() {
        found.take_git(&git, None);
    } else if data.is_file() {
        found.protect(&git);
        found.take_linked(root, &git);
    } else {
        found.protect(&git);
    }
    found
}

impl Found {
    /// A link is left: a mount would be made on what it leads to.
    fn protect(&mut self, path: &Path) {
        if fs::symlink_metadata(path).is_ok_and(|data| !data.is_symlink()) {
            self.protected.push(path.to_owned());
        }
    }

    /// A repository inside of the root. Where its `.git` only names another place, that is found by way of the root,
    /// or it is outside.
    fn take_nested(&mut self, directory: &Path) {
        for name in GUARDED {
            self.protect(&directory.join(name));
        }
        let git = directory.join(".git");
        let is_git = ["HEAD", "config"]
            .iter()
            .any(|name| git.join(name).is_file());
        if is_directory(&git) && is_git {
            self.take_git(&git, None);
        } else {
            self.protect(&git);
        }
    }

    /// A directory of git. Of its worktrees only `own` stays writable, when there is one.
    fn take_git(&mut self, git: &Path, own: Option<&Path>) {
        self.pinned.push(git.to_owned());
        let mut waiting = vec![(git.to_owned(), 0)];
        let mut looked_at = 0;
        while let Some((directory, depth)) = waiting.pop() {
            looked_at += 1;
            if looked_at > MOST {
                // Too many to protect each: what is left of them is protected whole.
                self.protected.push(directory);
                continue;
            }
            // Not by `HEAD`, which a command may have removed: these two it cannot.
            let is_git = directory == git
                || ["config", "hooks"]
                    .iter()
                    .any(|name| fs::symlink_metadata(directory.join(name)).is_ok());
            if is_git {
                // Without it, a command could make it and put hooks there.
                let _ = fs::create_dir(directory.join("hooks"));
                if directory != git {
                    self.pinned.push(directory.clone());
                }
                for name in DECIDING {
                    self.protect(&directory.join(name));
                }
            }
            if depth >= DEEPEST {
                continue;
            }
            let below = if is_git {
                vec![directory.join("modules")]
            } else {
                directories_in(&directory)
            };
            waiting.extend(
                below
                    .into_iter()
                    .filter(|below| is_directory(below))
                    .map(|below| (below, depth + 1)),
            );
            for worktree in directories_in(&directory.join("worktrees")) {
                if own.is_some_and(|own| own != worktree) {
                    self.protected.push(worktree);
                } else {
                    for name in DECIDING {
                        self.protect(&worktree.join(name));
                    }
                }
            }
        }
    }

    /// What a `.git` file leads to, when that belongs to this root.
    fn take_linked(&mut self, root: &Path, file: &Path) {
        let Some(directory) = named_in(file, "gitdir:", root) else {
            return;
        };
        if named_in(&directory.join("gitdir"), "", &directory).as_deref() == Some(file) {
            let common = named_in(&directory.join("commondir"), "", &directory);
            if let Some(common) = common.filter(|common| directory.starts_with(common)) {
                self.writable.push(common.clone());
                self.take_git(&common, Some(&directory));
                // The worktree that is not linked has these for itself.
                self.protect(&common.join("HEAD"));
                self.protect(&common.join("index"));
            }
        } else if work_tree_of(&directory).as_deref() == Some(root) {
            self.writable.push(directory.clone());
            self.take_git(&directory, None);
        }
    }
}

fn is_directory(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok_and(|data| data.is_dir())
}

fn directories_in(path: &Path) -> Vec<PathBuf> {
    if !is_directory(path) {
        return Vec::new();
    }
    let entries = fs::read_dir(path).into_iter().flatten().flatten();
    entries
        .filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir()))
        .map(|entry| entry.path())
        .collect()
}

fn small_text(file: &Path) -> Option<String> {
    let data = fs::symlink_metadata(file).ok()?;
    (data.is_file() && data.len() <= LONGEST)
        .then(|| fs::read_to_string(file).ok())
        .flatten()
}

/// The place that a file names behind `key`, from `base` when it is relative.
fn named_in(file: &Path, key: &str, base: &Path) -> Option<PathBuf> {
    let text = small_text(file)?;
    let named = text.trim().strip_prefix(key)?.trim();
    fs::canonicalize(base.join(named)).ok()
}

/// The directory that a submodule's configuration calls its work tree.
fn work_tree_of(directory: &Path) -> Option<PathBuf> {
    let text = small_text(&directory.join("config"))?;
    let named = text.lines().find_map(|line| {
        let (key, value) = line.split_once('=')?;
        (key.trim() == "worktree").then(|| value.trim().trim_matches('"').to_owned())
    })?;
    fs::canonicalize(directory.join(named)).ok()
}

#[cfg(test)]
#[path = "protect_tests.rs"]
mod tests;
