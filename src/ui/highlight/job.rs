//! One piece of highlighting work. It takes milliseconds per hundred lines, so a worker runs it, never the screen.
//!
//! A job may go on from the result of a shorter text with the same beginning: a block that streams in costs
//! each of its lines once.

use std::{
    hash::{DefaultHasher, Hash, Hasher},
    sync::{Arc, OnceLock},
};

use syntect::parsing::{ParseState, ScopeStack, SyntaxReference, SyntaxSet};

use super::scopes::meaning;
use crate::ui::theme::StyleName;

/// Lines beyond this stay plain.
const MOST_LINES: usize = 2_000;
/// From the first line longer than this on, text stays plain.
const LONGEST_LINE: usize = 2_048;

/// Names a text in a language.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Key(u64);

impl Key {
    /// The key of a text in a language.
    pub fn of(language: &str, text: &str) -> Self {
        let mut hasher = DefaultHasher::new();
        (language, text).hash(&mut hasher);
        Self(hasher.finish())
    }
}

/// A part of a line that is not plain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mark {
    /// First byte within the line.
    pub start: usize,
    /// The byte behind it.
    pub end: usize,
    /// What it is.
    pub name: StyleName,
}

/// Highlighting work.
#[derive(Clone, Debug, PartialEq)]
pub struct Job {
    /// Names `text`.
    pub key: Key,
    /// The language as written behind the fence, or a file name.
    pub language: Arc<str>,
    /// Whole lines, each ended by a newline.
    pub text: Arc<str>,
    /// The result of a text that this one begins with.
    pub resume: Option<Arc<Highlighted>>,
}

/// Marks of every line of a text.
#[derive(Clone, Debug)]
pub struct Highlighted {
    /// Names the text.
    pub key: Key,
    /// Length of the text.
    pub bytes: usize,
    /// The marks, line by line.
    pub lines: Vec<Vec<Mark>>,
    /// Where to go on; `None` when the language is not known.
    end: Option<(ParseState, ScopeStack)>,
}

impl PartialEq for Highlighted {
    fn eq(&self, other: &Self) -> bool {
        self.key == other.key && self.lines == other.lines
    }
}

impl Job {
    /// Does the work. Blocks; for a worker.
    pub fn run(&self) -> Highlighted {
        let set = syntaxes();
        let mut done = match self.resume.as_deref() {
            Some(before) if before.bytes <= self.text.len() => before.clone(),
            _ => Highlighted {
                key: self.key,
                bytes: 0,
                lines: Vec::new(),
                end: syntax(set, &self.language)
                    .map(|found| (ParseState::new(found), ScopeStack::new())),
            },
        };
        let rest = self.text.get(done.bytes..).unwrap_or_default();
        for line in rest.split_inclusive('\n') {
            let marks = done
                .end
                .as_mut()
                .map(|(state, stack)| marks(state, stack, line, set));
            done.lines.push(marks.unwrap_or_default());
        }
        done.key = self.key;
        done.bytes = self.text.len();
        done
    }
}

/// The part of a text that is highlighted at all: whole lines within the limits.
pub(super) fn limited(text: &str) -> &str {
    let mut end = 0;
    for line in text.split_inclusive('\n').take(MOST_LINES) {
        if line.len() > LONGEST_LINE || !line.ends_with('\n') {
            break;
        }
        end += line.len();
    }
    text.get(..end).unwrap_or_default()
}

fn syntaxes() -> &'static SyntaxSet {
    static SET: OnceLock<SyntaxSet> = OnceLock::new();
    SET.get_or_init(two_face::syntax::extra_newlines)
}

/// Finds a grammar by the word behind a fence or by a file name.
fn syntax<'a>(set: &'a SyntaxSet, language: &str) -> Option<&'a SyntaxReference> {
    let word = language
        .split([' ', ',', '{', '\t'])
        .find(|word| !word.is_empty())?;
    let file = word.rsplit(['/', '\\']).next().unwrap_or(word);
    let extension = file.rsplit('.').next().unwrap_or(file);
    set.find_syntax_by_token(word)
        .or_else(|| set.find_syntax_by_extension(file))
        .or_else(|| set.find_syntax_by_token(extension))
        .or_else(|| set.find_syntax_by_token(alias(extension)?))
        .filter(|found| found.name != "Plain Text")
}

/// Names in use that no grammar answers to.
fn alias(word: &str) -> Option<&'static str> {
    match word.to_ascii_lowercase().as_str() {
        "console" | "shell-session" | "shellscript" | "zsh" => Some("bash"),
        "jsonc" | "json5" | "jsonl" => Some("json"),
        "mjs" | "cjs" | "node" => Some("js"),
        "mts" | "cts" => Some("ts"),
        "golang" => Some("go"),
        "c++" | "hh" => Some("cpp"),
        "py3" | "pyi" => Some("py"),
        _ => None,
    }
}

/// Marks of one line; neighbours of one meaning are one mark.
fn marks(state: &mut ParseState, stack: &mut ScopeStack, line: &str, set: &SyntaxSet) -> Vec<Mark> {
    let Ok(operations) = state.parse_line(line, set) else {
        return Vec::new();
    };
    let mut marks: Vec<Mark> = Vec::new();
    let length = line.trim_end_matches(['\n', '\r']).len();
    let mut start = 0;
    let mut close = |start: usize, end: usize, stack: &ScopeStack| {
        let end = end.min(length);
        let name = meaning(stack);
        if start >= end || name == StyleName::Text {
            return;
        }
        match marks.last_mut() {
            Some(last) if last.end == start && last.name == name => last.end = end,
            _ => marks.push(Mark { start, end, name }),
        }
    };
    for (at, operation) in operations {
        close(start, at, stack);
        start = at.max(start);
        if stack.apply(&operation).is_err() {
            break;
        }
    }
    close(start, length, stack);
    marks
}

#[cfg(test)]
mod tests {
    use super::*;

    fn job(language: &str, text: &str) -> Job {
        Job {
            key: Key::of(language, text),
            language: language.into(),
            text: text.into(),
            resume: None,
        }
    }

    fn shown(language: &str, text: &str) -> Vec<(String, StyleName)> {
        job(language, text).run().lines[0]
            .iter()
            .map(|mark| (text[mark.start..mark.end].to_owned(), mark.name))
            .collect()
    }

    #[test]
    fn rust_is_named_by_meaning() {
        let found = shown("rust", "let x = \"a\"; // why\n");

        assert!(found.contains(&("let".to_owned(), StyleName::SyntaxKeyword)));
        assert!(found.contains(&("\"a\"".to_owned(), StyleName::SyntaxString)));
        assert!(found.contains(&("// why".to_owned(), StyleName::SyntaxComment)));
    }

    #[test]
    fn a_language_is_found_by_fence_word_file_name_and_alias() {
        for language in [
            "rs",
            "src/main.rs",
            "Rust",
            "py3",
            "tsx",
            "console",
            "Makefile",
            "a.toml",
        ] {
            assert!(syntax(syntaxes(), language).is_some(), "{language}");
        }
        assert!(syntax(syntaxes(), "no-such-language").is_none());
        assert!(syntax(syntaxes(), "").is_none());
    }

    #[test]
    fn going_on_from_a_shorter_text_gives_the_same_as_the_whole() {
        let whole = "/* a\n b */ let x = 1;\nfn y() {}\n";
        let part = job("rust", "/* a\n").run();
        let resumed = Job {
            resume: Some(Arc::new(part)),
            ..job("rust", whole)
        };

        assert_eq!(resumed.run(), job("rust", whole).run());
    }

    #[test]
    fn only_finished_lines_within_the_limits_are_looked_at() {
        assert_eq!(limited("a\nb\nhalf"), "a\nb\n");
        let long = format!("a\n{}\nb\n", "x".repeat(3_000));
        assert_eq!(limited(&long), "a\n");
        assert_eq!(limited(&"x\n".repeat(5_000)).len(), 4_000);
    }
}
