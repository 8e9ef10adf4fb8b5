//! Finds the documents: those of the person, then those of the project when it is trusted.

use std::{
    fs,
    path::{Path, PathBuf},
};

use super::document;
use crate::{
    config::{error::Place, layers::read_text, paths::Paths, project::ProjectFiles},
    domain::{agent_policy::AgentTypes, notice::Notice},
    text::sanitize::clean_line,
};

/// The most documents of a folder.
const MOST: usize = 64;
/// The most files of a folder that documents are looked for in.
const MOST_ENTRIES: usize = 4096;
/// The longest document in bytes.
pub const LONGEST: usize = 64 * 1024;
/// The longest name.
const LONGEST_NAME: usize = 24;
/// Names that mean something already.
const BUILT_IN: [&str; 2] = ["agent", "main"];

/// Reads the documents. What is left out, and why, is told. `project` are the project's files, when it is trusted.
pub fn load(paths: &Paths, project: Option<&ProjectFiles>) -> (AgentTypes, Vec<Notice>) {
    let mut loading = Loading::default();
    let (files, notices) = documents(&paths.config().join("agents"));
    loading.notices.extend(notices);
    for file in files {
        loading.file(&file, &read_text(&file, LONGEST as u64), false);
    }
    for (file, text) in project.iter().flat_map(|project| &project.documents) {
        loading.file(file, text, true);
    }
    (loading.types, loading.notices)
}

/// The documents of a folder that count, by name.
pub fn documents(folder: &Path) -> (Vec<PathBuf>, Vec<Notice>) {
    let warning = |text: String| vec![Notice::warning(clean_line(&text).into_owned())];
    let Ok(entries) = fs::read_dir(folder) else {
        // Most have none; one that cannot be read describes nothing.
        return (Vec::new(), Vec::new());
    };
    let mut files = Vec::new();
    for (number, entry) in entries.enumerate() {
        if number == MOST_ENTRIES {
            let folder = folder.display();
            let text = format!("{folder} holds more than {MOST_ENTRIES} files: none is read");
            return (Vec::new(), warning(text));
        }
        let path = entry.map(|entry| entry.path()).unwrap_or_default();
        if path.extension().is_some_and(|ending| ending == "md") {
            files.push(path);
        }
    }
    files.sort();
    if files.len() <= MOST {
        return (files, Vec::new());
    }
    files.truncate(MOST);
    let folder = folder.display();
    let text = format!("only the first {MOST} agent documents of {folder} count");
    (files, warning(text))
}

/// The name of the type that a file describes; `None` where it can be none.
pub fn type_name(file: &Path) -> Option<&str> {
    let name = file.file_stem()?.to_str()?;
    let fits = name.len() <= LONGEST_NAME
        && name.starts_with(|first: char| first.is_ascii_lowercase())
        && name
            .chars()
            .all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-');
    fits.then_some(name)
}

#[derive(Default)]
struct Loading {
    types: AgentTypes,
    notices: Vec<Notice>,
}

impl Loading {
    fn file(&mut self, file: &Path, text: &Result<Option<String>, String>, is_project: bool) {
        let stem = file.file_stem().unwrap_or_default().to_string_lossy();
        let name = clean_line(&stem).into_owned();
        let place = |line: usize| {
            let place = Place {
                file: file.to_owned(),
                line,
                column: 1,
            };
            place.short()
        };
        if let Some(why) = self.refuses(file, &name) {
            let notice = Notice::warning(format!("the agent document {name} is left out: {why}"));
            self.notices.push(notice.with_hint(place(1)));
            return;
        }
        let read = match text {
            Ok(Some(text)) => document::read(&name, text, place(1), is_project),
            Ok(None) => return,
            Err(problem) => Err((1, problem.clone())),
        };
        match read {
            Ok(document) => self.types.known.push(document),
            Err((line, what)) => {
                let text = format!("the agent document {name} is wrong: {what}");
                let notice = Notice::warning(clean_line(&text).into_owned());
                self.notices.push(notice.with_hint(place(line)));
                let why = clean_line(&format!("{}: {what}", place(line))).into_owned();
                self.types.broken.push((name, why));
            }
        }
    }

    /// Why the name of a file cannot be that of a type.
    fn refuses(&self, file: &Path, name: &str) -> Option<&'static str> {
        let is_taken = self.types.known.iter().any(|known| known.name == name)
            || self.types.broken.iter().any(|(broken, _)| broken == name);
        if type_name(file).is_none() {
            Some("a name has lower-case letters, digits and `-`, a letter first, at most 24")
        } else if BUILT_IN.contains(&name) {
            Some("this name is quarterdeck's own")
        } else if is_taken {
            Some("you have one of this name")
        } else {
            None
        }
    }
}

#[cfg(test)]
#[path = "load_tests.rs"]
mod tests;
