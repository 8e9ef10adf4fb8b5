//! What is looked for in files, and what is found.

use std::path::PathBuf;

use super::super::walk::{Order, Skipped};

/// What is looked for.
#[derive(Clone, Debug)]
pub struct Query {
    /// A regular expression, or text when `literal`.
    pub pattern: String,
    /// Whether the pattern is plain text.
    pub literal: bool,
    /// Whether case does not matter.
    pub ignore_case: bool,
    /// Whether a match may reach over line ends.
    pub multiline: bool,
    /// Lines of context before a match.
    pub before: usize,
    /// Lines of context after a match.
    pub after: usize,
    /// What is wanted of a match.
    pub detail: Detail,
    /// Rows to leave out, and rows to give.
    pub page: (usize, usize),
    /// In which order files are shown.
    pub order: Order,
    /// The most characters of a line.
    pub most_line_chars: usize,
    /// The largest file that is searched, in bytes.
    pub most_bytes: Option<u64>,
}

/// What is wanted of a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Detail {
    /// The lines; a row is a line that matches.
    Lines,
    /// The file; a row is a file.
    Files,
    /// How many lines match; a row is a file.
    Counts,
}

/// What was found.
#[derive(Debug)]
pub struct Report {
    /// The page, in order.
    pub files: Vec<FileHits>,
    /// How many lines match in all; with [`Detail::Files`] how many files.
    pub matches: usize,
    /// How many files match in all.
    pub matching_files: usize,
    /// What was left out.
    pub skipped: Skipped,
}

/// What was found in one file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileHits {
    /// The file.
    pub path: PathBuf,
    /// Its lines of the page.
    pub rows: Vec<Row>,
    /// How many of its lines match.
    pub matches: usize,
}

/// One line of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// Its number, from 1.
    pub number: u64,
    /// Its text without its end.
    pub text: String,
    /// Where in the text the pattern matches; empty for context.
    pub ranges: Vec<(usize, usize)>,
    /// The match that it belongs to, counted in its file from 0; context has none.
    pub hit: Option<usize>,
}
