//! Searches the content of files, as ripgrep does.
//!
//! Answers are pages: the last line says what was shown of how much, where to continue and what was not looked at.

use std::{path::Path, time::Duration};

use schemars::JsonSchema;
use serde::Deserialize;

use super::{file_find::Sort, notes};
use crate::{
    domain::{
        access::Access,
        display::{Display, FileMatch, MatchLine},
        permission::{Level, Risk},
    },
    text::figures::counted,
    tools::{
        context::ToolContext,
        contract::{About, Tool},
        disk::{blocking, stopper},
        error::ToolError,
        output::ToolOutput,
    },
    workspace::{
        error::Kind,
        grep::{self, Detail, FileHits, Query, Report, Row},
        read, root,
        walk::{self, Globs, Order, Selection},
    },
};

/// Rows of an answer when nothing is said.
const DEFAULT_ROWS: usize = 50;
/// Characters of an answer when nothing is said: what stays in the conversation.
const DEFAULT_CHARS: usize = 28_000;
/// The same for an answer that goes to the scratchpad.
const KEPT_ROWS: usize = 20_000;
const KEPT_CHARS: usize = 1_000_000;
/// Rows that a person sees.
const MOST_DRAWN: usize = 500;
/// Characters of a line when nothing is said.
const DEFAULT_LINE_CHARS: usize = 500;
/// The largest file that is searched when nothing is said.
const DEFAULT_FILE_BYTES: u64 = 2_000_000;
/// The longest that a search takes.
const TIME: Duration = Duration::from_secs(30);

/// The tool.
pub(super) struct FileSearch;

/// What to search for.
#[derive(Deserialize, JsonSchema)]
pub(super) struct Arguments {
    /// Regular expression to search for (Rust syntax); plain text with `literal`.
    pattern: String,
    /// File or folder to search. Default: the working directory.
    path: Option<String>,
    /// Searches only files that match these globs; `!` before one leaves its files out.
    glob: Option<Vec<String>>,
    /// Searches only files of these kinds, by ripgrep's names: `rust`, `py`, `js`.
    #[serde(rename = "type")]
    kind: Option<Vec<String>>,
    /// What to show: `content` (default) the matching lines, `files` their paths, `count` matches per file.
    output_mode: Option<Mode>,
    /// Takes the pattern as plain text.
    #[serde(default)]
    literal: bool,
    /// Ignores case.
    #[serde(default)]
    ignore_case: bool,
    /// Lets a match reach over line ends; `.` matches them.
    #[serde(default)]
    multiline: bool,
    /// Lines to show before each match.
    #[schemars(range(max = 100))]
    before: Option<usize>,
    /// Lines to show after each match.
    #[schemars(range(max = 100))]
    after: Option<usize>,
    /// Lines to show before and after each match.
    #[schemars(range(max = 100))]
    context: Option<usize>,
    /// Shows line numbers. Default true.
    line_numbers: Option<bool>,
    /// The most matches, or files. Default 50.
    #[schemars(range(min = 1, max = 500))]
    limit: Option<usize>,
    /// Matches, or files, to skip, to continue a longer answer.
    offset: Option<usize>,
    /// The order of files: `path` (default), or `modified`, the file changed last first.
    sort: Option<Sort>,
    /// Searches hidden files too.
    #[serde(default)]
    include_hidden: bool,
    /// Searches files too that git ignores or that programs generate.
    #[serde(default)]
    include_ignored: bool,
    /// The most characters of the answer. Default 28000.
    #[schemars(range(min = 500, max = 150_000))]
    max_result_chars: Option<usize>,
    /// The most characters of a line. Default 500.
    #[schemars(range(min = 80, max = 2000))]
    max_line_chars: Option<usize>,
    /// Files larger than this many bytes are not searched. Default 2000000, no limit for a file named as `path`.
    #[schemars(range(min = 1))]
    max_filesize: Option<u64>,
}

/// What to show.
#[derive(Clone, Copy, Deserialize, JsonSchema, PartialEq)]
#[serde(rename_all = "snake_case")]
pub(super) enum Mode {
    Content,
    Files,
    Count,
}

impl Tool for FileSearch {
    type Arguments = Arguments;

    const ABOUT: About = About {
        name: "file_search",
        aliases: &["grep", "file.grep", "file.search", "search_contents"],
        argument_aliases: &[
            ("query", "pattern"),
            ("-i", "ignore_case"),
            ("case_insensitive", "ignore_case"),
            ("-A", "after"),
            ("-B", "before"),
            ("-C", "context"),
            ("-n", "line_numbers"),
            ("include", "glob"),
            ("head_limit", "limit"),
            ("max_results", "limit"),
            ("directory", "path"),
        ],
        verb: "search files",
        description: "Searches the content of files with a regular expression.\n\
            Shows matching lines by file with their numbers, or only paths or counts. Hidden files, those that git \
            ignores and binary ones are left out unless asked for.",
        subject: "pattern",
        editable: None,
    };

    fn needs(_held: bool) -> (Level, Risk) {
        (Level::Read, Risk::ReadOnlyLocal)
    }

    fn access(arguments: &Arguments, context: &ToolContext) -> Access {
        Access::read(context.absolute(arguments.path.as_deref().unwrap_or(".")))
    }

    async fn run(arguments: Arguments, context: ToolContext) -> Result<ToolOutput, ToolError> {
        blocking(move || search(&arguments, &context)).await
    }
}

impl Arguments {
    fn mode(&self) -> Mode {
        self.output_mode.unwrap_or(Mode::Content)
    }

    fn query(&self, usual: usize, most_bytes: Option<u64>) -> Query {
        let around = self.context.unwrap_or(0);
        Query {
            pattern: self.pattern.clone(),
            literal: self.literal,
            ignore_case: self.ignore_case,
            multiline: self.multiline,
            before: self.before.unwrap_or(around),
            after: self.after.unwrap_or(around),
            detail: match self.mode() {
                Mode::Content => Detail::Lines,
                Mode::Files => Detail::Files,
                Mode::Count => Detail::Counts,
            },
            page: (self.offset.unwrap_or(0), self.limit.unwrap_or(usual)),
            order: self.sort.map_or(Order::Path, Order::from),
            most_line_chars: self.max_line_chars.unwrap_or(DEFAULT_LINE_CHARS),
            most_bytes,
        }
    }
}

fn search(arguments: &Arguments, context: &ToolContext) -> Result<ToolOutput, ToolError> {
    let start = notes::start(context, arguments.path.as_deref())?;
    let globs = arguments.glob.as_deref().unwrap_or_default();
    // A file that is named is meant, whatever its size, unless a size is named as well.
    let is_file = read::kind(&start)? == Some(Kind::File);
    let usual = (!is_file).then_some(DEFAULT_FILE_BYTES);
    let most_bytes = arguments.max_filesize.or(usual);
    let selection = Selection {
        globs: Globs::new(globs, &start.real)?,
        types: walk::types(arguments.kind.as_deref().unwrap_or_default())?,
        root: start.real,
        cwd: context.cwd.clone(),
        hidden: arguments.include_hidden,
        ignored: arguments.include_ignored,
        own: context.settings.own.clone(),
        opened: context.opened(),
    };
    let (rows, chars) = if context.keeps {
        (KEPT_ROWS, KEPT_CHARS)
    } else {
        (DEFAULT_ROWS, DEFAULT_CHARS)
    };
    let query = arguments.query(rows, most_bytes);
    let stop = stopper(context.cancel.clone(), TIME);
    let report = grep::search(&selection, &query, &stop)?;
    notes::cancelled(context)?;
    let mut answer = Answer::new(arguments, &context.cwd, chars);
    for file in &report.files {
        if !answer.push(file) {
            break;
        }
    }
    let mut ends = answer.ends(&report);
    if report.matching_files == 0 {
        ends.push(format!("no matches in {}", start.shown));
        let widen = notes::widen(arguments.include_hidden, arguments.include_ignored);
        ends.extend(widen.map(str::to_owned));
    }
    ends.extend(notes::left_out(&report.skipped, most_bytes));
    let text = format!("{}[{}]", answer.text, ends.join("; "));
    Ok(ToolOutput::text(text)
        .with_outcome(outcome(arguments.mode(), &report))
        .with_display(Display::Files {
            omitted: answer.omitted(&report),
            files: answer.files,
        }))
}

fn outcome(mode: Mode, report: &Report) -> String {
    let files = counted(report.matching_files, "file", "files");
    if report.matching_files == 0 {
        "no matches".to_owned()
    } else if mode == Mode::Files {
        files
    } else {
        format!("{} · {files}", counted(report.matches, "match", "matches"))
    }
}

/// The answer as it grows, up to its size.
struct Answer<'a> {
    mode: Mode,
    cwd: &'a Path,
    numbers: bool,
    most_chars: usize,
    offset: usize,
    text: String,
    chars: usize,
    files: Vec<FileMatch>,
    /// Matches or files shown.
    rows: usize,
    /// Of these, those that a person sees.
    drawn: usize,
    full: bool,
}

impl<'a> Answer<'a> {
    fn new(arguments: &Arguments, cwd: &'a Path, usual: usize) -> Self {
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

    fn push(&mut self, file: &FileHits) -> bool {
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

    fn omitted(&self, report: &Report) -> usize {
        self.total(report).saturating_sub(self.offset + self.drawn)
    }

    /// What was shown of how much, and where to continue.
    fn ends(&self, report: &Report) -> Vec<String> {
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
        if self.rows > 0 && last < total {
            ends.push(format!("next: offset={last}"));
        }
        ends
    }
}
