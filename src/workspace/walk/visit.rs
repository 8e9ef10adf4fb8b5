//! Which files a listing or a search looks at.
//!
//! Files that git ignores, hidden ones, generated folders and the stores of version control are left out unless asked
//! for; files that look like secrets are left out always. The tree is walked by several threads at once.

use std::{
    fs::FileType,
    path::PathBuf,
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
};

use ignore::{DirEntry, WalkBuilder, WalkState, types::Types};

use super::{
    super::secrets,
    generated::LeftOut,
    order::{Order, Part, Top},
    pattern::Globs,
};
use crate::domain::permission::OwnPlaces;

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
    /// The kinds of file that are wanted, as [`super::types`] made them.
    pub types: Option<Types>,
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
    /// Folders that were not entered for their names.
    pub generated: LeftOut,
    /// Whether it was stopped.
    pub stopped: AtomicBool,
}

/// Visits the files of a selection from several threads; `worker` makes the visitor of one thread. Ends early when
/// `stop` says so.
pub fn walk<'s, V>(
    selection: &'s Selection,
    skipped: &'s Skipped,
    stop: &'s (dyn Fn() -> bool + Sync),
    mut worker: impl FnMut() -> V,
) where
    V: FnMut(DirEntry) + Send + 's,
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
    let (ignored, generated) = (selection.ignored, skipped.generated.clone());
    let has_own = |place: &PathBuf| place.starts_with(&selection.root);
    let own = (selection.own.closed.iter().any(has_own)).then(|| selection.own.clone());
    builder.filter_entry(move |entry| {
        entry.depth() == 0
            || generated.enters(entry, ignored)
                && !own.as_ref().is_some_and(|own| own.hold(entry.path()))
    });
    builder.build_parallel().run(|| {
        let mut visit = worker();
        Box::new(move |entry| {
            if stop() {
                skipped.stopped.store(true, Ordering::Relaxed);
                return WalkState::Quit;
            }
            match entry {
                Ok(entry) if is_wanted(selection, skipped, &entry) => visit(entry),
                Ok(_) => {}
                Err(_) => {
                    skipped.unreadable.fetch_add(1, Ordering::Relaxed);
                }
            }
            WalkState::Continue
        })
    });
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
    true
}

/// The files of a page, and how many there are in all.
pub fn list(
    selection: &Selection,
    order: Order,
    (offset, limit): (usize, usize),
    stop: &(dyn Fn() -> bool + Sync),
) -> (Vec<PathBuf>, usize, Skipped) {
    let skipped = Skipped::default();
    let top = Mutex::new(Top::new(offset.saturating_add(limit)));
    let total = AtomicUsize::new(0);
    walk(selection, &skipped, stop, || {
        let (mut top, total) = (Part::of(&top), &total);
        move |entry: DirEntry| {
            total.fetch_add(1, Ordering::Relaxed);
            top.insert(order.key(entry), (), 1);
        }
    });
    let top = top.into_inner().unwrap_or_else(PoisonError::into_inner);
    let page = top
        .into_files()
        .map(|(path, ())| path)
        .skip(offset)
        .take(limit);
    (page.collect(), total.into_inner(), skipped)
}

#[cfg(test)]
#[path = "visit_tests.rs"]
mod tests;
