//! Finds the documents: those of the person, then those of the project when it is trusted.

use std::{
    fs,
    path::{Path, PathBuf},
};

use super::document;
use crate::{
    config::{error::Place, layers::read_file, paths::Paths},
    domain::{agent_policy::AgentTypes, notice::Notice},
    text::sanitize::clean_line,
};

/// The most documents of a folder.
const MOST: usize = 64;
/// The longest document in bytes.
const LONGEST: usize = 64 * 1024;
/// The longest name.
const LONGEST_NAME: usize = 24;
/// Names that mean something already.
const BUILT_IN: [&str; 2] = ["agent", "main"];

/// Reads the documents. What is left out, and why, is told. `project` is the project's folder, when it is trusted.
pub fn load(paths: &Paths, project: Option<&Path>) -> (AgentTypes, Vec<Notice>) {
    let mut loading = Loading::default();
    loading.folder(&paths.config().join("agents"), false);
    if let Some(project) = project {
        loading.folder(&project.join(".quarterdeck").join("agents"), true);
    }
    (loading.types, loading.notices)
}

#[derive(Default)]
struct Loading {
    types: AgentTypes,
    notices: Vec<Notice>,
}

impl Loading {
    fn folder(&mut self, folder: &Path, is_project: bool) {
        let Ok(entries) = fs::read_dir(folder) else {
            // Most have none; one that cannot be read describes nothing.
            return;
        };
        let is_document = |path: &PathBuf| path.extension().is_some_and(|ending| ending == "md");
        let mut files: Vec<PathBuf> = entries
            .filter_map(|entry| Some(entry.ok()?.path()))
            .filter(is_document)
            .collect();
        files.sort();
        if files.len() > MOST {
            let text = format!(
                "only the first {MOST} agent documents of {} count",
                folder.display()
            );
            self.notices
                .push(Notice::warning(clean_line(&text).into_owned()));
            files.truncate(MOST);
        }
        for file in files {
            self.file(&file, is_project);
        }
    }

    fn file(&mut self, file: &Path, is_project: bool) {
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
        if let Some(why) = self.refuses(&name) {
            let notice = Notice::warning(format!("the agent document {name} is left out: {why}"));
            self.notices.push(notice.with_hint(place(1)));
            return;
        }
        let read = match read_file(file, is_project) {
            Ok(Some(text)) if text.len() > LONGEST => {
                Err((1, "it is longer than 64 KiB".to_owned()))
            }
            Ok(Some(text)) => document::read(&name, &text, place(1), is_project),
            Ok(None) => return,
            Err(error) => Err((1, error.problem)),
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

    /// Why a name cannot be that of a type.
    fn refuses(&self, name: &str) -> Option<&'static str> {
        let fits = name.len() <= LONGEST_NAME
            && name.starts_with(|first: char| first.is_ascii_lowercase())
            && name
                .chars()
                .all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-');
        let is_taken = self.types.known.iter().any(|known| known.name == name)
            || self.types.broken.iter().any(|(broken, _)| broken == name);
        if !fits {
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
