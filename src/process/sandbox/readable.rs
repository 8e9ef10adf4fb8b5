//! What of the machine can be read where reading is confined: the system and the tools on the search path.

use std::{
    collections::BTreeSet,
    path::{Path, PathBuf},
};

/// Directories of the system.
const SYSTEM: &[&str] = &[
    "/usr",
    "/bin",
    "/sbin",
    "/lib",
    "/lib32",
    "/lib64",
    "/libx32",
    "/etc",
    "/opt",
    "/nix/store",
];
/// Variables that name the home of a tool, with its usual place in the person's home.
const HOMES: &[(&str, &str)] = &[
    ("CARGO_HOME", ".cargo"),
    ("RUSTUP_HOME", ".rustup"),
    ("NVM_DIR", ".nvm"),
    ("PYENV_ROOT", ".pyenv"),
    ("GOROOT", "sdk"),
    ("VOLTA_HOME", ".volta"),
];

/// The directories, resolved.
pub(super) fn system() -> Vec<PathBuf> {
    let home = std::env::home_dir();
    let mut places: BTreeSet<PathBuf> = SYSTEM.iter().map(PathBuf::from).collect();
    let path = std::env::var_os("PATH").unwrap_or_default();
    for entry in std::env::split_paths(&path).filter(|entry| entry.is_absolute()) {
        if let Some(parent) = entry.parent()
            && is_home_of_tool(parent, home.as_deref())
        {
            places.insert(parent.to_owned());
        }
        places.insert(entry);
    }
    for (variable, usual) in HOMES {
        let named = std::env::var_os(variable).map(PathBuf::from);
        places.extend(named.or_else(|| Some(home.as_ref()?.join(usual))));
    }
    let mut found: Vec<PathBuf> = places
        .into_iter()
        .filter_map(|place| place.canonicalize().ok())
        .filter(|place| !is_too_wide(place, home.as_deref()))
        .collect();
    found.sort();
    found.dedup();
    found
}

/// Whether the directory above a directory of programs is a tool's, and not one that holds all sorts of things.
fn is_home_of_tool(directory: &Path, home: Option<&Path>) -> bool {
    !is_too_wide(directory, home) && directory.file_name().is_some_and(|name| name != ".local")
}

/// The root, the person's home and what is above it are no tools.
fn is_too_wide(directory: &Path, home: Option<&Path>) -> bool {
    directory.parent().is_none() || home.is_some_and(|home| home.starts_with(directory))
}
