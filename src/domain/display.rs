//! How a result looks to a person, without style, colour or width.
//!
//! A tool chooses one of these shapes; the screen draws shapes and never asks for a tool's name.

use serde::{Deserialize, Serialize};

use super::checklist::Checklist;

/// What a person sees of a result.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Display {
    /// Plain words.
    Text {
        /// The words.
        text: String,
    },
    /// Markdown.
    Markdown {
        /// The source.
        text: String,
    },
    /// Source text of a file with line numbers.
    Code {
        /// The file, for its name and its highlighting.
        path: String,
        /// Number of the first line, from 1.
        first_line: usize,
        /// The lines.
        text: String,
    },
    /// A change to a file.
    Diff(FileDiff),
    /// Output of a program, stdout and stderr interleaved, escapes already neutralised.
    Terminal {
        /// The command line.
        command: String,
        /// The output, perhaps only its head and tail.
        output: String,
        /// Exit status; `None` when it was stopped by a signal or still runs.
        exit: Option<i32>,
        /// Lines left out of the middle of `output`.
        omitted_lines: usize,
    },
    /// Rows under headings.
    Table {
        /// The headings.
        headings: Vec<String>,
        /// The rows, each as long as `headings`.
        rows: Vec<Vec<String>>,
    },
    /// Paths, perhaps with matching lines.
    Files {
        /// The files, in the order to show them.
        files: Vec<FileMatch>,
        /// Files or lines that were found but left out.
        omitted: usize,
    },
    /// Named nodes with depth.
    Tree {
        /// The nodes in drawing order.
        nodes: Vec<TreeNode>,
    },
    /// The checklist after a change.
    Checklist(Checklist),
}

/// A change to one file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileDiff {
    /// The file, relative to the working directory where possible.
    pub path: String,
    /// Text before; empty for a new file.
    pub old: String,
    /// Text after; empty for a deleted file.
    pub new: String,
    /// Number of the first line of `old` and `new` within the file, from 1 (a window around the change).
    pub first_line: usize,
    /// Whether the file did not exist before.
    pub created: bool,
}

/// One file of a search.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileMatch {
    /// The path as the model sees it.
    pub path: String,
    /// The lines that match, with their context; empty when only the path matters.
    pub lines: Vec<MatchLine>,
}

/// One line of a search result.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MatchLine {
    /// Line number, from 1.
    pub number: u64,
    /// The line without its end.
    pub text: String,
    /// Byte ranges of the match inside `text`; empty for a context line.
    pub ranges: Vec<(usize, usize)>,
}

/// One node of a drawn tree.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TreeNode {
    /// Distance from the root, from 0.
    pub depth: usize,
    /// What stands there.
    pub label: String,
}

impl Display {
    /// A plain text display.
    pub fn text(text: impl Into<String>) -> Self {
        Self::Text { text: text.into() }
    }
}
