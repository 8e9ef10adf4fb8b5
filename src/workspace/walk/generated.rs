//! Folders that are not entered: the stores of version control, and those that programs fill.
//!
//! A folder that git does not ignore and that is left out for its name alone is told, since a person may keep files of
//! their own in it.

use std::sync::{
    Arc,
    atomic::{AtomicU32, Ordering},
};

use ignore::DirEntry;

/// Folders of version control: never entered.
const VERSION_CONTROL: &[&str] = &[".git", ".hg", ".svn", ".jj"];

/// Folders that programs fill: entered only when ignored files are asked for.
const GENERATED: &[&str] = &[
    "node_modules",
    "dist",
    "build",
    ".next",
    ".nuxt",
    ".turbo",
    ".parcel-cache",
    ".svelte-kit",
    ".venv",
    "__pycache__",
    ".mypy_cache",
    ".pytest_cache",
    ".tox",
    ".gradle",
    TARGET,
];

/// Where cargo builds, when it has marked the folder as its own.
const TARGET: &str = "target";

/// The names of generated folders that were left out.
#[derive(Clone, Debug, Default)]
pub struct LeftOut(Arc<AtomicU32>);

impl LeftOut {
    /// The names, as a list.
    pub fn names(&self) -> Vec<&'static str> {
        let bits = self.0.load(Ordering::Relaxed);
        let names = GENERATED.iter().enumerate();
        names
            .filter(|(index, _)| bits & (1 << index) != 0)
            .map(|(_, name)| *name)
            .collect()
    }

    /// Whether an entry below the root is a folder to enter, or no folder.
    pub(super) fn enters(&self, entry: &DirEntry, ignored: bool) -> bool {
        if !entry.file_type().is_some_and(|kind| kind.is_dir()) {
            return true;
        }
        let Some(name) = entry.file_name().to_str() else {
            return true;
        };
        if VERSION_CONTROL.contains(&name) {
            return false;
        }
        if ignored {
            return true;
        }
        let Some(index) = GENERATED.iter().position(|known| *known == name) else {
            return true;
        };
        if name == TARGET && !entry.path().join("CACHEDIR.TAG").exists() {
            return true;
        }
        self.0.fetch_or(1 << index, Ordering::Relaxed);
        false
    }
}
