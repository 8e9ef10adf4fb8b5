//! Proves that a line only looks: every command is in the table below with options that are known, and nothing is
//! redirected but to nowhere. Whether what it looks at may be seen is for the caller to judge, by the paths of the proof.

use std::path::{Component, PathBuf};

use super::{
    super::{Line, Role, Simple, Word},
    git::git,
    held,
};

/// What a line that only looks looks at.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Proof {
    /// The paths that it names, relative to the working directory or absolute.
    pub paths: Vec<PathBuf>,
    /// Whether git looks: it may start what the folder's own configuration names (`core.fsmonitor`, filters).
    pub runs_git: bool,
    /// Whether it looks at more than these paths: then a sandbox has to keep secrets from it.
    pub is_wide: bool,
}

/// Where what is written is gone.
const NOWHERE: &str = "/dev/null";

/// Folders that a line may be in, of which its paths are judged.
const MOST_PLACES: usize = 16;

impl Line {
    /// Proves that the line only looks, or says why that is not known.
    pub fn prove_readonly(&self) -> Result<Proof, String> {
        if let Some(doubt) = self.doubts.first() {
            return Err(doubt.to_string());
        }
        let mut proof = Proof::default();
        let mut places = vec![PathBuf::new()];
        for command in &self.commands {
            match command.role {
                Role::Wrapper => continue,
                Role::Gateway => return Err(unknown(command)),
                Role::Plain => {}
            }
            let paths = match looks_at(command) {
                Some(paths) => paths,
                None => {
                    proof.is_wide = true;
                    held::looks_at(self, command).ok_or_else(|| unknown(command))?
                }
            };
            proof.runs_git |= command.program() == "git";
            // A `cd` may fail, or stand in a subshell: what follows is looked at from everywhere it may be.
            let seen: Vec<PathBuf> = places
                .iter()
                .flat_map(|place| paths.iter().map(move |path| place.join(path)))
                .collect();
            if command.program() == "cd" {
                places.extend(seen.iter().cloned());
            }
            proof.paths.extend(seen);
            if places.len() > MOST_PLACES {
                return Err("it goes through too many folders".to_owned());
            }
        }
        for redirect in &self.redirects {
            if redirect.file.literal && redirect.file.text == NOWHERE {
                continue;
            }
            if redirect.writes || !redirect.file.literal || redirect.file.glob {
                return Err(format!("it redirects to {}", redirect.file.text));
            }
            proof
                .paths
                .extend(places.iter().map(|place| place.join(&redirect.file.text)));
        }
        if self.commands.is_empty() {
            return Err("it runs nothing that is known".to_owned());
        }
        let climbs = |path: &PathBuf| path.components().any(|part| part == Component::ParentDir);
        let moves = self
            .commands
            .iter()
            .any(|command| command.program() == "cd");
        if moves && proof.paths.iter().any(climbs) {
            return Err("it goes through folders by `..`".to_owned());
        }
        Ok(proof)
    }
}

fn unknown(command: &Simple) -> String {
    let text: String = command.text().chars().take(60).collect();
    format!("`{text}` is not known to only look")
}

/// Whether a command by itself only looks, wherever it stands in its line.
pub fn only_looks(command: &Simple) -> bool {
    command.role == Role::Plain && looks_at(command).is_some()
}

/// The paths that a command looks at; `None` when it may do more than look.
fn looks_at(command: &Simple) -> Option<Vec<PathBuf>> {
    let words = command.arguments();
    let is_bare = command
        .words
        .first()
        .is_some_and(|word| !word.text.contains('/'));
    if !is_bare || words.iter().any(|word| !word.literal || word.glob) {
        return None;
    }
    match command.program() {
        "pwd" | "true" | "false" | ":" => words.is_empty().then(Vec::new),
        "echo" => Some(Vec::new()),
        "cd" => match words {
            [folder] => paths(words).filter(|_| !folder.text.is_empty()),
            _ => None,
        },
        "ls" => {
            let is_option =
                |word: &Word| is_cluster(word, "1aAdFhlprRStu") || word.text == "--color=never";
            paths_behind(words, is_option)
        }
        "cat" => paths_behind(words, |word| is_cluster(word, "n")),
        "stat" | "file" => paths(words).filter(|paths| !paths.is_empty()),
        "head" | "tail" => counted(words),
        "wc" => paths_behind(words, |word| is_cluster(word, "lwcmb")),
        "git" => git(words),
        _ => None,
    }
}

/// Whether a word is a group of these short options.
fn is_cluster(word: &Word, letters: &str) -> bool {
    word.text
        .strip_prefix('-')
        .is_some_and(|rest| !rest.is_empty() && rest.chars().all(|letter| letters.contains(letter)))
}

pub(super) fn is_number(text: &str) -> bool {
    !text.is_empty() && text.len() < 10 && text.chars().all(|c| c.is_ascii_digit())
}

/// All words as paths; none of them is an option.
pub(super) fn paths(words: &[Word]) -> Option<Vec<PathBuf>> {
    let is_path = |word: &Word| !word.text.starts_with('-') && !word.text.is_empty();
    words
        .iter()
        .all(is_path)
        .then(|| words.iter().map(|word| PathBuf::from(&word.text)).collect())
}

fn paths_behind(words: &[Word], is_option: impl Fn(&Word) -> bool) -> Option<Vec<PathBuf>> {
    let start = words
        .iter()
        .position(|word| !is_option(word))
        .unwrap_or(words.len());
    paths(words.get(start..).unwrap_or_default())
}

/// `head` and `tail`: a count, then paths.
fn counted(words: &[Word]) -> Option<Vec<PathBuf>> {
    let texts: Vec<&str> = words.iter().map(|word| word.text.as_str()).collect();
    let behind = match texts.as_slice() {
        ["-n", count, ..] if is_number(count) => 2,
        [first, ..] if is_counted(first) => 1,
        _ => 0,
    };
    paths(words.get(behind..).unwrap_or_default())
}

fn is_counted(word: &str) -> bool {
    ["--lines=", "-n", "-"]
        .iter()
        .any(|prefix| word.strip_prefix(prefix).is_some_and(is_number))
}
