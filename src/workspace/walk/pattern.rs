//! Which names and kinds of file are wanted.

use std::{ffi::OsStr, os::unix::ffi::OsStrExt, path::Path};

use globset::{GlobBuilder, GlobSet, GlobSetBuilder};
use ignore::types::{Types, TypesBuilder};

use super::{super::error::WorkspaceError, visit::Selection};

/// Patterns of names.
#[derive(Clone, Debug, Default)]
pub struct Globs {
    include: Option<GlobSet>,
    exclude: Option<GlobSet>,
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

    pub(super) fn wants(&self, selection: &Selection, path: &Path) -> bool {
        if self.include.is_none() && self.exclude.is_none() {
            return true;
        }
        let from_cwd = below(path, &selection.cwd).unwrap_or(path);
        let from_root = below(path, &selection.root).unwrap_or(path);
        // A root that is one file has no path below itself.
        let from_root = Some(from_root).filter(|inside| !inside.as_os_str().is_empty());
        let other = from_root.filter(|inside| inside.as_os_str() != from_cwd.as_os_str());
        let fits =
            |set: &GlobSet| set.is_match(from_cwd) || other.is_some_and(|path| set.is_match(path));
        self.include.as_ref().is_none_or(fits) && !self.exclude.as_ref().is_some_and(fits)
    }
}

/// The rest of a path below a folder. Both are clean, so that bytes decide; each file of a walk comes by here.
fn below<'p>(path: &'p Path, folder: &Path) -> Option<&'p Path> {
    let rest = path
        .as_os_str()
        .as_bytes()
        .strip_prefix(folder.as_os_str().as_bytes())?;
    let inside = match rest {
        [] => rest,
        [b'/', inside @ ..] => inside,
        _ if folder.parent().is_none() => rest,
        _ => return None,
    };
    Some(Path::new(OsStr::from_bytes(inside)))
}

fn set(patterns: &[&str], root: &Path) -> Result<Option<GlobSet>, WorkspaceError> {
    // What every name fits needs no look at each.
    if patterns.is_empty()
        || patterns
            .iter()
            .any(|pattern| matches!(*pattern, "*" | "**" | "**/*"))
    {
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
