//! Which files a listing or a search looks at.
//!
//! Files that git ignores, hidden ones, generated folders and the stores of version control are left out unless asked
//! for; files that look like secrets are left out always. The tree is walked by several threads at once.

use std::{
    cmp::Reverse,
    collections::BTreeMap,
    fs::FileType,
    path::{Path, PathBuf},
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    time::SystemTime,
};

use globset::{GlobBuilder, GlobSet, GlobSetBuilder};
use ignore::{
    DirEntry, WalkBuilder, WalkState,
    types::{Types, TypesBuilder},
};

use super::{error::WorkspaceError, secrets};
use crate::domain::permission::OwnPlaces;

/// Folders of version control: never entered.
const VERSION_CONTROL: &[&str] = &[".git", ".hg", ".svn", ".jj"];

/// Folders that programs fill: entered only when ignored files are asked for.
const GENERATED: &[&str] = &[
    "node_modules",
    ".next",
    ".turbo",
    ".venv",
    "__pycache__",
    ".mypy_cache",
    ".pytest_cache",
    ".tox",
    ".gradle",
];

/// What a walk looks at.
#[derive(Clone, Debug)]
pub struct Selection {
    /// Where it starts: a folder, or one file.
    pub root: PathBuf,
    /// The working directory, which globs may be relative to.
    pub cwd: PathBuf,
    /// Whether hidden files are looked at.
    pub hidden: bool,
    /// Whether ignored and generated files are looked at.
    pub ignored: bool,
    /// The names that are wanted.
    pub globs: Globs,
    /// The kinds of file that are wanted, as [`types`] made them.
    pub types: Option<Types>,
    /// The largest file.
    pub most_bytes: Option<u64>,
    /// Places that are never looked into.
    pub own: OwnPlaces,
    /// Files that look like secrets and are looked at all the same.
    pub opened: Vec<PathBuf>,
}

/// What a walk left out, and whether it came to its end.
#[derive(Debug, Default)]
pub struct Skipped {
    /// Files that look like secrets.
    pub secrets: AtomicUsize,
    /// Files over the size.
    pub large: AtomicUsize,
    /// Files with more in one piece than is searched at once: a line, or with matches over lines the whole.
    pub unwieldy: AtomicUsize,
    /// Files and folders that could not be read.
    pub unreadable: AtomicUsize,
    /// Whether it was stopped.
    pub stopped: AtomicBool,
}

/// Patterns of names.
#[derive(Clone, Debug, Default)]
pub struct Globs {
    include: Option<GlobSet>,
    exclude: Option<GlobSet>,
}

/// In which order results are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// By path.
    Path,
    /// The file changed last comes first.
    Modified,
}

/// What sorts a file.
pub type Key = (Reverse<SystemTime>, PathBuf);

/// The first files of an order, and no more than are needed. Weights say how many rows a file fills.
#[derive(Debug)]
pub struct Top<V> {
    need: usize,
    held: usize,
    files: BTreeMap<Key, (V, usize)>,
}

impl Globs {
    /// Compiles patterns. `*.rs` is looked for at any depth, `src/*.rs` from the start of the walk or the working
    /// directory; `!` before a pattern leaves its files out.
    pub fn new(patterns: &[String], selection_root: &Path) -> Result<Self, WorkspaceError> {
        let mut include = Vec::new();
        let mut exclude = Vec::new();
        for pattern in patterns {
            match pattern.strip_prefix('!') {
                Some(pattern) => exclude.push(pattern),
                None => include.push(pattern.as_str()),
            }
        }
        Ok(Self {
            include: set(&include, selection_root)?,
            exclude: set(&exclude, selection_root)?,
        })
    }

    fn wants(&self, selection: &Selection, path: &Path) -> bool {
        if self.include.is_none() && self.exclude.is_none() {
            return true;
        }
        let from_root = path.strip_prefix(&selection.root).unwrap_or(path);
        let from_cwd = path.strip_prefix(&selection.cwd).unwrap_or(path);
        // A root that is one file has no path below itself.
        let from_root = if from_root.as_os_str().is_empty() {
            from_cwd
        } else {
            from_root
        };
        let fits = |set: &GlobSet| set.is_match(from_root) || set.is_match(from_cwd);
        self.include.as_ref().is_none_or(fits) && !self.exclude.as_ref().is_some_and(fits)
    }
}

fn set(patterns: &[&str], root: &Path) -> Result<Option<GlobSet>, WorkspaceError> {
    if patterns.is_empty() {
        return Ok(None);
    }
    let bad = |pattern: &str, error: &globset::Error| {
        WorkspaceError::Search(format!(
            "`{pattern}` is not a usable glob: {}",
            error.kind()
        ))
    };
    let mut set = GlobSetBuilder::new();
    for pattern in patterns {
        let inside = Path::new(pattern).strip_prefix(root).ok();
        let inside = inside.and_then(Path::to_str).unwrap_or(pattern);
        let mut glob = inside.trim_start_matches("./").to_owned();
        if glob.ends_with('/') {
            glob.push_str("**");
        }
        if !glob.contains('/') {
            glob = format!("**/{glob}");
        }
        let built = GlobBuilder::new(&glob)
            .literal_separator(true)
            .build()
            .map_err(|error| bad(pattern, &error))?;
        set.add(built);
    }
    set.build()
        .map(Some)
        .map_err(|error| bad(&patterns.join(", "), &error))
}

/// The files of a kind, by ripgrep's names of kinds.
pub fn types(names: &[String]) -> Result<Option<Types>, WorkspaceError> {
    if names.is_empty() {
        return Ok(None);
    }
    let mut builder = TypesBuilder::new();
    builder.add_defaults();
    for name in names {
        let known: Vec<String> = builder
            .definitions()
            .iter()
            .map(|kind| kind.name().to_owned())
            .collect();
        if !known.contains(name) {
            let known: Vec<&str> = known.iter().map(String::as_str).collect();
            let near = similar::get_close_matches(name.as_str(), &known, 3, 0.5);
            let near = if near.is_empty() {
                String::new()
            } else {
                format!(" Near it: {}.", near.join(", "))
            };
            return Err(WorkspaceError::Search(format!(
                "`{name}` is not a known file type.{near} Use `glob` for other kinds, such as \"*.{name}\""
            )));
        }
        builder.select(name);
    }
    let built = builder.build();
    built
        .map(Some)
        .map_err(|error| WorkspaceError::Search(error.to_string()))
}

/// Visits the files of a selection from several threads; `worker` makes the visitor of one thread. Ends early when
/// `stop` says so.
pub fn walk<'s, V>(
    selection: &'s Selection,
    skipped: &'s Skipped,
    stop: &'s (dyn Fn() -> bool + Sync),
    mut worker: impl FnMut() -> V,
) where
    V: FnMut(&DirEntry) + Send + 's,
{
    let mut builder = WalkBuilder::new(&selection.root);
    builder
        .hidden(!selection.hidden)
        .follow_links(false)
        .require_git(false);
    if selection.ignored {
        builder
            .parents(false)
            .ignore(false)
            .git_ignore(false)
            .git_global(false)
            .git_exclude(false);
    }
    if let Some(types) = &selection.types {
        builder.types(types.clone());
    }
    let ignored = selection.ignored;
    let has_own = |place: &PathBuf| place.starts_with(&selection.root);
    let own = (selection.own.closed.iter().any(has_own)).then(|| selection.own.clone());
    builder.filter_entry(move |entry| {
        entry.depth() == 0
            || enters(entry, ignored) && !own.as_ref().is_some_and(|own| own.hold(entry.path()))
    });
    builder.build_parallel().run(|| {
        let mut visit = worker();
        Box::new(move |entry| {
            if stop() {
                skipped.stopped.store(true, Ordering::Relaxed);
                return WalkState::Quit;
            }
            match entry {
                Ok(entry) if is_wanted(selection, skipped, &entry) => visit(&entry),
                Ok(_) => {}
                Err(_) => {
                    skipped.unreadable.fetch_add(1, Ordering::Relaxed);
                }
            }
            WalkState::Continue
        })
    });
}

/// Whether a folder below the root is entered.
fn enters(entry: &DirEntry, ignored: bool) -> bool {
    if !entry.file_type().is_some_and(|kind| kind.is_dir()) {
        return true;
    }
    let name = entry.file_name().to_string_lossy();
    if VERSION_CONTROL.contains(&name.as_ref()) {
        return false;
    }
    ignored
        || !(GENERATED.contains(&name.as_ref())
            || name == "target" && entry.path().join("CACHEDIR.TAG").exists())
}

fn is_wanted(selection: &Selection, skipped: &Skipped, entry: &DirEntry) -> bool {
    if !entry.file_type().as_ref().is_some_and(FileType::is_file)
        || !selection.globs.wants(selection, entry.path())
    {
        return false;
    }
    if secrets::reason(entry.path()).is_some()
        && !selection.opened.iter().any(|path| path == entry.path())
    {
        skipped.secrets.fetch_add(1, Ordering::Relaxed);
        return false;
    }
    if let Some(most) = selection.most_bytes
        && entry.metadata().is_ok_and(|about| about.len() > most)
    {
        skipped.large.fetch_add(1, Ordering::Relaxed);
        return false;
    }
    true
}

impl Order {
    /// What sorts an entry.
    pub fn key(self, entry: &DirEntry) -> Key {
        let modified = match self {
            Self::Path => None,
            Self::Modified => entry
                .metadata()
                .ok()
                .and_then(|about| about.modified().ok()),
        };
        let modified = modified.unwrap_or(SystemTime::UNIX_EPOCH);
        (Reverse(modified), entry.path().to_owned())
    }
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
        self.files
            .into_iter()
            .map(|((_, path), (value, _))| (path, value))
    }
}

/// The files of a page, and how many there are in all.
pub fn list(
    selection: &Selection,
    order: Order,
    (offset, limit): (usize, usize),
    stop: &(dyn Fn() -> bool + Sync),
) -> (Vec<PathBuf>, usize, Skipped) {
    let skipped = Skipped::default();
    let top = Arc::new(Mutex::new(Top::new(offset.saturating_add(limit))));
    let total = AtomicUsize::new(0);
    walk(selection, &skipped, stop, || {
        let (top, total) = (Arc::clone(&top), &total);
        move |entry: &DirEntry| {
            total.fetch_add(1, Ordering::Relaxed);
            let key = order.key(entry);
            let mut top = top.lock().unwrap_or_else(PoisonError::into_inner);
            top.insert(key, (), 1);
        }
    });
    let top =
        Arc::into_inner(top).map(|top| top.into_inner().unwrap_or_else(PoisonError::into_inner));
    let files = top.into_iter().flat_map(Top::into_files);
    let page = files.map(|(path, ())| path).skip(offset).take(limit);
    (page.collect(), total.into_inner(), skipped)
}

#[cfg(test)]
#[path = "walk_tests.rs"]
mod tests;
