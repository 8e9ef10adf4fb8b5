//! What `file_search` answers, as it grows up to its size, and the line that says what was shown of how much.

use std::path::Path;

use super::file_search::{Arguments, Mode};
use crate::{
    domain::display::{FileMatch, MatchLine},
    text::figures::counted,
    workspace::{
        grep::{FileHits, Report, Row},
        root,
    },
};

/// Rows that a person sees.
const MOST_DRAWN: usize = 500;

/// The answer as it grows, up to its size.
pub(super) struct Answer<'a> {
    mode: Mode,
    cwd: &'a Path,
    numbers: bool,
    most_chars: usize,
    offset: usize,
    pub(super) text: String,
    chars: usize,
    pub(super) files: Vec<FileMatch>,
    /// Matches or files shown.
    rows: usize,
    /// Of these, those that a person sees.
    drawn: usize,
    most_line_chars: usize,
    /// Lines of which only a part is shown.
    cut_lines: usize,
    full: bool,
}

impl<'a> Answer<'a> {
    pub(super) fn new(arguments: &Arguments, cwd: &'a Path, usual: usize) -> Self {
        Self {
            mode: arguments.mode(),
            cwd,
            numbers: arguments.line_numbers.unwrap_or(true),
            most_chars: arguments.max_result_chars.unwrap_or(usual),
            offset: arguments.offset.unwrap_or(0),
            text: String::new(),
            chars: 0,
            files: Vec::new(),
            rows: 0,
            drawn: 0,
            most_line_chars: arguments.line_chars(),
            cut_lines: 0,
            full: false,
        }
    }

    /// Adds some text, unless it is too much. The first is always added.
    fn add(&mut self, text: &str) -> bool {
        let chars = text.chars().count();
        if !self.text.is_empty() && self.chars + chars > self.most_chars {
            self.full = true;
            return false;
        }
        self.chars += chars;
        self.text.push_str(text);
        true
    }

    pub(super) fn push(&mut self, file: &FileHits) -> bool {
        let path = root::shown(self.cwd, &file.path);
        if self.mode != Mode::Content {
            let line = match self.mode {
                Mode::Count => format!("{path}: {}\n", file.matches),
                _ => format!("{path}\n"),
            };
            if !self.add(&line) {
                return false;
            }
            self.rows += 1;
            self.draw(path, Vec::new());
            return true;
        }
        let gap = if self.text.is_empty() { "" } else { "\n" };
        let mut head = format!("{gap}{path}\n");
        let mut lines = Vec::new();
        for (index, row) in file.rows.iter().enumerate() {
            let before = index
                .checked_sub(1)
                .and_then(|before| file.rows.get(before));
            let apart = before.is_some_and(|before| before.number + 1 < row.number);
            let has_context = file.rows.iter().any(|row| row.hit.is_none());
            let gap = if apart && has_context { "--\n" } else { "" };
            let text = format!("{head}{gap}{}", self.line(row));
            if !self.add(&text) {
                break;
            }
            head.clear();
            let is_new = row.hit.is_some() && before.and_then(|before| before.hit) != row.hit;
            self.rows += usize::from(is_new);
            // The signs at its cut ends come on top of the characters kept.
            self.cut_lines += usize::from(row.text.chars().count() > self.most_line_chars);
            lines.push(MatchLine {
                number: row.number,
                text: row.text.clone(),
                ranges: row.ranges.clone(),
            });
        }
        if !lines.is_empty() {
            self.draw(path, lines);
        }
        !self.full
    }

    fn draw(&mut self, path: String, lines: Vec<MatchLine>) {
        if self.drawn < MOST_DRAWN {
            self.files.push(FileMatch { path, lines });
            self.drawn = self.rows;
        }
    }

    fn line(&self, row: &Row) -> String {
        match (self.numbers, row.hit.is_some()) {
            (true, true) => format!("{}: {}\n", row.number, row.text),
            (true, false) => format!("{}- {}\n", row.number, row.text),
            (false, _) => format!("{}\n", row.text),
        }
    }

    fn total(&self, report: &Report) -> usize {
        match self.mode {
            Mode::Content => report.matches,
            Mode::Files | Mode::Count => report.matching_files,
        }
    }

    pub(super) fn omitted(&self, report: &Report) -> usize {
        self.total(report).saturating_sub(self.offset + self.drawn)
    }

    /// What was shown of how much, and where to continue.
    pub(super) fn ends(&self, report: &Report) -> Vec<String> {
        let total = self.total(report);
        if report.matching_files == 0 {
            return Vec::new();
        }
        let (one, many) = match self.mode {
            Mode::Content => ("match", "matches"),
            Mode::Files | Mode::Count => ("file", "files"),
        };
        let files = counted(report.matching_files, "file", "files");
        let last = self.offset + self.rows;
        let mut ends = Vec::new();
        if self.rows == 0 {
            ends.push(format!(
                "nothing after offset {}, of {}",
                self.offset,
                counted(total, one, many)
            ));
        } else if last < total || self.offset > 0 {
            ends.push(format!(
                "{many} {}–{last} of {total} in {files}",
                self.offset + 1
            ));
        } else if self.mode == Mode::Files {
            ends.push(files);
        } else {
            ends.push(format!(
                "{} in {files}",
                counted(report.matches, "match", "matches")
            ));
        }
        if self.full {
            ends.push("cut at max_result_chars".to_owned());
        }
        if self.cut_lines > 0 {
            ends.push(format!(
                "{} cut at {} characters (max_line_chars)",
                counted(self.cut_lines, "line", "lines"),
                self.most_line_chars
            ));
        }
        if self.rows > 0 && last < total {
            ends.push(format!("next: offset={last}"));
        }
        ends
    }
}
