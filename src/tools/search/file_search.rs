//! Searches the content of files, as ripgrep does.
//!
//! Answers are pages: the last line says what was shown of how much, where to continue and what was not looked at.

use std::time::Duration;

use schemars::JsonSchema;
use serde::Deserialize;

use super::{answer::Answer, file_find::Sort, notes};
use crate::{
    domain::{
        access::Access,
        display::Display,
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
        grep::{self, Detail, Query, Report},
        read,
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
/// The largest file that is searched when nothing is said.
const DEFAULT_FILE_BYTES: u64 = 2 * 1024 * 1024;
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
    pub(super) line_numbers: Option<bool>,
    /// The most matches, or files. Default 50.
    #[schemars(range(min = 1, max = 500))]
    limit: Option<usize>,
    /// Matches, or files, to skip, to continue a longer answer.
    pub(super) offset: Option<usize>,
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
    pub(super) max_result_chars: Option<usize>,
    /// The most characters of a line. Default 500.
    #[schemars(range(min = 80, max = 2000))]
    max_line_chars: Option<usize>,
    /// Files larger than this many bytes are not searched. Default 2097152, no limit for a file named as `path`.
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
            Shows matching lines by file with their numbers, or only paths or counts. Hidden files, generated \
            folders and what git ignores are left out unless asked for, binary files always.",
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
    pub(super) fn mode(&self) -> Mode {
        self.output_mode.unwrap_or(Mode::Content)
    }

    /// The most characters of a line.
    pub(super) fn line_chars(&self) -> usize {
        self.max_line_chars.unwrap_or(500)
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
            most_line_chars: self.line_chars(),
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
