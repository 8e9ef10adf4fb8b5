//! A project's own files that act once it is trusted, read once: what the person is asked about and what is loaded
//! are the same bytes, whatever is written meanwhile.
//!
//! The reading is bounded. What leads outside of the project is not read: it could change without being seen.

use std::{
    fs,
    path::{Path, PathBuf},
};

use sha2::{Digest as _, Sha256};

use super::{
    agents::{self, LONGEST},
    layers::{FILE_LIMIT, read_text},
    paths::Paths,
};
use crate::domain::{configured::seen::Seen, notice::Notice};

/// What stands where the project keeps its settings.
const SETTINGS: &str = ".quarterdeck/config.toml";
/// What stands in front of a document's name.
const DOCUMENTS: &str = ".quarterdeck/agents";
/// Why something is not read.
const OUTSIDE: &str = "it leads outside of the project, where it could change unseen";

/// The text of a file; `None` where there is none, an error where it cannot be read.
pub(super) type Text = Result<Option<String>, String>;

/// A project's own files as they were at one moment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProjectFiles {
    /// Where its settings stand.
    pub(super) file: PathBuf,
    pub(super) settings: Text,
    pub(super) documents: Vec<(PathBuf, Text)>,
    /// What of them is left out.
    pub(super) notices: Vec<Notice>,
    seen: Seen,
}

impl ProjectFiles {
    /// Reads them. Blocks on the disk.
    pub fn read(project: &Path) -> Self {
        let root = fs::canonicalize(project).unwrap_or_else(|_| project.to_owned());
        let file = Paths::project_file(project);
        let settings = inside(&root, &file, FILE_LIMIT);
        let folder = project.join(DOCUMENTS);
        let (paths, notices) = match fs::canonicalize(&folder) {
            Ok(real) if !real.starts_with(&root) => {
                let text = format!("the project's agent documents are left out: {OUTSIDE}");
                (Vec::new(), vec![Notice::warning(text)])
            }
            _ => agents::documents(&folder),
        };
        let documents: Vec<(PathBuf, Text)> = paths
            .into_iter()
            .map(|path| {
                let text = inside(&root, &path, LONGEST as u64);
                (path, text)
            })
            .collect();
        let mut seen = Seen::default();
        let mut see = |name: String, text: &Text| {
            if let Some(digest) = digest(text) {
                seen.0.insert(name, digest);
            }
        };
        see(SETTINGS.to_owned(), &settings);
        for (path, text) in &documents {
            // One of another name never acts, and could look like one that does.
            if let Some(name) = agents::type_name(path) {
                see(format!("{DOCUMENTS}/{name}.md"), text);
            }
        }
        Self {
            file,
            settings,
            documents,
            notices,
            seen,
        }
    }

    /// What a person sees of them.
    pub fn seen(&self) -> &Seen {
        &self.seen
    }
}

/// The text of a file of the project.
fn inside(root: &Path, file: &Path, limit: u64) -> Text {
    match fs::canonicalize(file) {
        Ok(real) if !real.starts_with(root) => Err(OUTSIDE.to_owned()),
        Ok(real) => read_text(&real, limit),
        // What is not there, and what says itself why it cannot be read.
        Err(_) => read_text(file, limit),
    }
}

/// What stands for a file. One that cannot be read does nothing, and is another one when it can.
fn digest(text: &Text) -> Option<String> {
    let digest = match text {
        Ok(None) => return None,
        Ok(Some(text)) => Sha256::digest(text.as_bytes())
            .iter()
            .map(|byte| format!("{byte:02x}"))
            .collect(),
        Err(why) => format!("unread: {why}"),
    };
    Some(digest)
}

#[cfg(test)]
#[path = "project_tests.rs"]
mod tests;
