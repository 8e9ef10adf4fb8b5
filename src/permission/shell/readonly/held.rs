//! Programs that only look, and may look at more than they name: through whole folders, at what `*` stands for, at what
//! another command lists. Only where a sandbox keeps secrets from them does that say that looking is all.

use std::path::PathBuf;

use super::{
    super::{Line, Role, Simple, Word, line::Input},
    git::revised,
    options::known,
    special::{cut_out, dated, found, printed},
};

/// Programs that read and print whatever they are given.
const HARMLESS: &[&str] = &[
    "arch",
    "basename",
    "cat",
    "cmp",
    "column",
    "comm",
    "cut",
    "df",
    "dirname",
    "du",
    "egrep",
    "expand",
    "fgrep",
    "fold",
    "free",
    "grep",
    "groups",
    "head",
    "id",
    "join",
    "ls",
    "md5sum",
    "nl",
    "nproc",
    "od",
    "paste",
    "ps",
    "pwd",
    "readlink",
    "realpath",
    "rev",
    "seq",
    "sha1sum",
    "sha256sum",
    "sha512sum",
    "sleep",
    "stat",
    "tac",
    "tail",
    "test",
    "tr",
    "uname",
    "unexpand",
    "uptime",
    "wc",
    "which",
    "whoami",
    "[",
];

/// Of those the ones whose words name no files.
const WORDS_ONLY: &[&str] = &[
    "arch", "basename", "dirname", "groups", "id", "nproc", "ps", "seq", "sleep", "tr", "uname",
    "which", "whoami",
];

/// Those whose first word is a pattern, unless an option gives it.
pub(super) const SEARCHERS: &[&str] = &["egrep", "fgrep", "grep", "rg"];

/// Letters of searchers that take no value.
const FLAGS: &str = "abcEFGhHiIlLnoPqrRsTUvwxyzZ";

/// The paths that a command names, when it only looks; `None` when it may do more.
pub(super) fn looks_at(line: &Line, command: &Simple) -> Option<Vec<PathBuf>> {
    let words = command.arguments();
    let program = bare(command)?;
    if words.iter().any(|word| !word.literal)
        && !(only_prints(program) && are_listed(line, command))
    {
        return None;
    }
    if only_prints(program) {
        let names_none = WORDS_ONLY.contains(&program);
        return Some(if names_none {
            Vec::new()
        } else {
            operands(program, words)
        });
    }
    let named = match program {
        "date" => dated(words)?,
        "find" => found(words)?,
        "git" => return revised(words),
        "printf" => printed(words)?,
        "sed" => cut_out(words)?,
        "type" => Vec::new(),
        _ => known(program, words)?,
    };
    Some(
        named
            .into_iter()
            .map(|word| PathBuf::from(&word.text))
            .collect(),
    )
}

/// Whether a command by itself only looks, wherever it stands in its line, as long as it is held.
pub fn looks_when_held(line: &Line, command: &Simple) -> bool {
    command.role == Role::Plain && looks_at(line, command).is_some()
}

fn bare(command: &Simple) -> Option<&str> {
    let first = command.words.first()?;
    (first.literal && !first.glob && !first.text.contains('/')).then_some(first.text.as_str())
}

/// Whether a program reads and prints, and nothing else, whatever it is given.
pub fn only_prints(program: &str) -> bool {
    HARMLESS.contains(&program)
}

/// Whether what is not known of a command's words is what `xargs` reads from commands that only list.
fn are_listed(line: &Line, command: &Simple) -> bool {
    let mut unknown = command.arguments().iter().filter(|word| !word.literal);
    if !unknown.all(|word| word.text == "{}" || word.text == "…") {
        return false;
    }
    let Input::Pipe(places) = &command.input else {
        return false;
    };
    let commands = line.commands.get(places.clone()).unwrap_or_default();
    !commands.is_empty() && commands.iter().all(lists)
}

/// Whether what a command prints are names of files below those that it is given.
fn lists(command: &Simple) -> bool {
    let words = command.arguments();
    let has = |options: &[&str]| {
        words
            .iter()
            .any(|word| options.contains(&word.text.as_str()))
    };
    match bare(command) {
        Some("find") => !has(&["-printf"]),
        Some("git") => words.first().is_some_and(|word| word.text == "ls-files"),
        Some("rg") => has(&["--files", "-l", "--files-with-matches"]) && !has(&["-r", "--replace"]),
        _ => false,
    }
}

/// What a harmless program is given that may be files.
fn operands(program: &str, words: &[Word]) -> Vec<PathBuf> {
    let gives_pattern = |word: &Word| {
        let text = word.text.as_str();
        let is_long = ["--regexp", "--file"]
            .iter()
            .any(|long| text.starts_with(long));
        is_long || text.starts_with('-') && !text.starts_with("--") && text.contains(['e', 'f'])
    };
    let mut is_behind = false;
    let mut words_of_own = Vec::new();
    let mut values = Vec::new();
    let is_searcher = SEARCHERS.contains(&program);
    let mut words_left = words.iter().filter(|word| word.literal);
    while let Some(word) = words_left.next() {
        let text = word.text.as_str();
        if is_searcher && !is_behind && takes_next_word(text) {
            words_left.next();
        } else if !is_behind && text == "--" {
            is_behind = true;
        } else if is_behind || !text.starts_with('-') {
            words_of_own.push(PathBuf::from(text));
        } else if let Some(place) = text.find('/') {
            // A path stands behind `=` or right behind the letter.
            let value = text
                .split_once('=')
                .map_or(text.get(place..), |(_, value)| Some(value));
            values.extend(value.map(PathBuf::from));
        }
    }
    let is_pattern = is_searcher && !words.iter().any(gives_pattern);
    if is_pattern && !words_of_own.is_empty() {
        words_of_own.remove(0);
    }
    values.append(&mut words_of_own);
    values
}

/// Whether short options of a searcher end in one whose value is the next word.
fn takes_next_word(options: &str) -> bool {
    let flags = options
        .strip_prefix('-')
        .and_then(|letters| letters.strip_suffix(['e', 'A', 'B', 'C', 'm']));
    flags.is_some_and(|flags| flags.chars().all(|flag| FLAGS.contains(flag)))
}

#[cfg(test)]
#[path = "held_tests.rs"]
mod tests;
