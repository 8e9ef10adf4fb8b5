//! Reads lines of a file, the entries of a folder or a stored output. What is no text is shown as it is.
//!
//! What is shown are whole lines, as many as stay in the conversation; the answer always ends with the range and the
//! next line. A file that was read may be changed afterwards.

use regex::Regex;
use schemars::JsonSchema;
use serde::Deserialize;

use super::{listing, picture};
use crate::{
    domain::{
        access::Access,
        artifact::{Address, SCHEME},
        display::{Display, FileMatch, MatchLine},
        permission::{Level, Risk},
    },
    text::figures::counted,
    tools::{
        context::ToolContext,
        contract::{About, Tool},
        disk::{blocking, locate, missing},
        error::ToolError,
        output::ToolOutput,
    },
    workspace::{
        error::Kind,
        read::{self, Request, Window},
        root::Located,
        secrets,
    },
};

/// Lines shown when no end is given.
const DEFAULT_LINES: usize = 2000;
/// Bytes that stay in the conversation with room for the last line of the answer.
pub(super) const MOST_BYTES: usize = 29_000;

/// Bytes of lines that go to the scratchpad.
const KEPT_BYTES: usize = 1_000_000;

/// The tool.
pub(super) struct FileRead;

/// What to read.
#[derive(Deserialize, JsonSchema)]
pub(super) struct Arguments {
    /// File or folder, relative to the working directory or absolute; or the `artifact://` address of a stored
    /// output, for one of its streams with its name: `artifact://…/stderr`.
    path: String,
    /// First line, counted from 1.
    start: Option<usize>,
    /// Bytes of the first line to skip, to go on in a line that was cut.
    start_byte: Option<u64>,
    /// Last line, itself included. Without it, up to 2000 lines.
    end: Option<usize>,
    /// Lines to skip, instead of `start`.
    offset: Option<usize>,
    /// The most lines, instead of `end`.
    #[schemars(range(min = 1))]
    limit: Option<usize>,
    /// Puts its number and a tab before each line.
    #[serde(default)]
    numbered: bool,
    /// Shows only the lines that match this regular expression, with their numbers.
    regex: Option<String>,
}

/// The lines that are asked for.
struct Lines {
    start: usize,
    end: Option<usize>,
    limit: usize,
}

impl Lines {
    /// The most lines, whichever way they were limited.
    fn most(&self) -> usize {
        let to_end = |end: usize| end.saturating_add(1).saturating_sub(self.start);
        self.end
            .map_or(self.limit, |end| to_end(end).min(self.limit))
    }
}

impl Tool for FileRead {
    type Arguments = Arguments;

    const ABOUT: About = About {
        name: "file_read",
        aliases: &["read", "read_file", "file.read"],
        argument_aliases: &[
            ("file_path", "path"),
            ("file", "path"),
            ("line_start", "start"),
            ("line_end", "end"),
            ("start_line", "start"),
            ("end_line", "end"),
            ("pattern", "regex"),
        ],
        verb: "read a file",
        description: "Reads a text file, shows an image or PDF, or lists a folder.\n\
            Shows whole lines: up to 2000 by default, fewer when they are long. The answer ends with the range shown \
            and, when there is more, the line to continue from. Images, PDF documents and video are shown to models \
            that take them. Read a file before you change it.",
        subject: "path",
        editable: None,
    };

    fn needs(_held: bool) -> (Level, Risk) {
        (Level::Read, Risk::ReadOnlyLocal)
    }

    fn access(arguments: &Arguments, context: &ToolContext) -> Access {
        if arguments.path.starts_with(SCHEME) {
            // A stored output belongs to the session, not to the disk that rules speak of.
            return Access {
                resources: Vec::new(),
                level: Level::Read,
                risk: Risk::ReadOnlyLocal,
            };
        }
        Access::read(context.absolute(&arguments.path))
    }

    async fn run(arguments: Arguments, context: ToolContext) -> Result<ToolOutput, ToolError> {
        let lines = arguments.lines()?;
        let only = arguments.regex.as_deref().map(pattern).transpose()?;
        let stored = if arguments.path.starts_with(SCHEME) {
            Some(artifact(&context, &arguments.path).await?)
        } else {
            None
        };
        blocking(move || {
            let file = match stored {
                Some(file) => file,
                None => locate(&context, &arguments.path)?,
            };
            secrets::check(&file)?;
            match read::kind(&file)? {
                None => return Err(missing(&file)),
                Some(Kind::Directory) => {
                    let entries = read::entries(&file)?;
                    return listing::page(&file, &entries, lines.start, lines.most());
                }
                Some(_) => {}
            }
            match picture::read(&file, &context)? {
                Some(output) => Ok(output),
                None => file_lines(&arguments, &lines, only, &file, &context),
            }
        })
        .await
    }
}

impl Arguments {
    fn lines(&self) -> Result<Lines, ToolError> {
        let refuse = |text: &str| Err(ToolError::model(format!("file_read: {text}")));
        if self.start.is_some_and(|start| start > 1) && self.offset.is_some_and(|skip| skip > 0) {
            return refuse("send `start` (the first line) or `offset` (lines to skip), not both");
        }
        let start = match (self.start, self.offset) {
            (Some(start), _) if start > 0 => start,
            (_, offset) => offset.unwrap_or(0).saturating_add(1),
        };
        let start = start.max(self.offset.unwrap_or(0).saturating_add(1));
        // Zero is how some models say that they leave it open.
        let end = self.end.filter(|end| *end > 0);
        if let Some(end) = end
            && end < start
        {
            return refuse(&format!("`end` {end} is before `start` {start}"));
        }
        let limit = match (self.limit, end) {
            (Some(limit), _) => limit,
            (None, Some(_)) => usize::MAX,
            (None, None) => DEFAULT_LINES,
        };
        Ok(Lines { start, end, limit })
    }
}

fn pattern(pattern: &str) -> Result<Regex, ToolError> {
    Regex::new(pattern).map_err(|error| {
        let text = error.to_string();
        let reason = text.lines().next_back().unwrap_or_default();
        ToolError::model(format!(
            "file_read: `regex` is not a usable pattern: {}; escape special characters with \\",
            reason.trim_start_matches("error: ")
        ))
    })
}

/// The file behind the address of a stored output.
async fn artifact(context: &ToolContext, address: &str) -> Result<Located, ToolError> {
    let parsed = Address::parse(address);
    let parsed = parsed.map_err(|why| ToolError::model(format!("file_read: {why}")))?;
    let path = context.host.artifact(&parsed).await?;
    Ok(Located {
        named: path.clone(),
        real: path,
        shown: address.to_owned(),
        // An output is stored under its digest, whatever the name of the directory above it.
        opened: true,
    })
}

fn file_lines(
    arguments: &Arguments,
    lines: &Lines,
    only: Option<Regex>,
    file: &Located,
    context: &ToolContext,
) -> Result<ToolOutput, ToolError> {
    let numbered = arguments.numbered || only.is_some();
    let request = Request {
        start: lines.start,
        skip: arguments.start_byte.unwrap_or(0),
        end: lines.end.unwrap_or(usize::MAX),
        most_lines: lines.limit,
        most_bytes: if context.keeps {
            KEPT_BYTES
        } else {
            MOST_BYTES
        },
        line_overhead: if numbered { 8 } else { 0 },
        only,
    };
    let cancel = context.cancel.clone();
    let window = read::window(file, &request, &|| cancel.is_cancelled())?;
    let seen = if arguments.path.starts_with(SCHEME) {
        None
    } else {
        context.freshness.record(file, window.digest.clone())
    };
    if window.total == Some(0) {
        return Ok(
            ToolOutput::text(format!("{} is empty ({} bytes)", file.shown, window.bytes))
                .with_outcome("empty")
                .with_seen(seen),
        );
    }
    if let Some(total) = window.total
        && lines.start > total
    {
        return Err(ToolError::model(format!(
            "file_read: {} has {}; line {} is past the end",
            file.shown,
            counted(total, "line", "lines"),
            lines.start
        )));
    }
    let mut text = String::new();
    for (number, line) in &window.lines {
        if numbered {
            text.push_str(&format!("{number}\t"));
        }
        text.push_str(line);
        text.push('\n');
    }
    let footer = Footer {
        window: &window,
        lines,
        filtered: request.only.is_some(),
    };
    text.push_str(&footer.text());
    Ok(ToolOutput::text(text)
        .with_outcome(footer.outcome())
        .with_seen(seen)
        .with_display(display(file, &window, request.only.as_ref())))
}

fn display(file: &Located, window: &Window, only: Option<&Regex>) -> Display {
    let Some(only) = only else {
        let lines: Vec<&str> = window.lines.iter().map(|(_, line)| line.as_str()).collect();
        return Display::Code {
            path: file.shown.clone(),
            first_line: window.lines.first().map_or(1, |(number, _)| *number),
            text: lines.join("\n"),
        };
    };
    let lines = window.lines.iter().map(|(number, line)| MatchLine {
        number: *number as u64,
        text: line.clone(),
        ranges: only
            .find_iter(line)
            .take(100)
            .map(|found| (found.start(), found.end()))
            .collect(),
    });
    Display::Files {
        files: vec![FileMatch {
            path: file.shown.clone(),
            lines: lines.collect(),
        }],
        omitted: 0,
    }
}

/// The last line of an answer.
struct Footer<'a> {
    window: &'a Window,
    lines: &'a Lines,
    filtered: bool,
}

impl Footer<'_> {
    fn range(&self) -> String {
        let first = self.lines.start;
        let last = self
            .window
            .lines
            .last()
            .map_or(first, |(number, _)| *number);
        let last = if self.filtered {
            let end = self.lines.end.unwrap_or(usize::MAX);
            let known = self.window.next.map_or(end, |next| next - 1);
            self.window.total.map_or(known, |total| known.min(total))
        } else {
            last
        };
        if last == usize::MAX {
            format!("{first}–")
        } else {
            format!("{first}–{last}")
        }
    }

    /// Where to go on.
    fn next(&self) -> Option<String> {
        let after = self.lines.end.unwrap_or(usize::MAX).saturating_add(1);
        match (self.window.next, self.window.total) {
            (Some(next), _) => Some(format!("next: start={next}")),
            (None, Some(total)) => (after <= total).then(|| format!("next: start={after}")),
            (None, None) => Some(format!("next: start={after}, if there is more")),
        }
    }

    fn outcome(&self) -> String {
        if self.filtered {
            let count = self.window.lines.len();
            format!("{} match", counted(count, "line", "lines"))
        } else {
            format!("lines {}", self.range())
        }
    }

    fn text(&self) -> String {
        let window = self.window;
        let mut notes = Vec::new();
        if self.filtered {
            notes.push(self.outcome());
        }
        let total = window.total.map(|total| format!(" of {total}"));
        let size = || format!(" of a file of {} bytes", window.bytes);
        notes.push(format!(
            "lines {}{}",
            self.range(),
            total.unwrap_or_else(size)
        ));
        notes.extend(self.next());
        match window.line_ends {
            (true, true) => notes.push("mixed line ends".to_owned()),
            (true, false) => notes.push("CRLF line ends".to_owned()),
            _ => {}
        }
        notes.extend(window.encoding.note().map(str::to_owned));
        if window.final_newline == Some(false) {
            notes.push("no newline at the end of the file".to_owned());
        }
        if window.damaged > 0 {
            notes.push(format!(
                "{} hold bytes that are not valid text, shown as \u{FFFD}; an edit beside them keeps them",
                counted(window.damaged, "line", "lines")
            ));
        }
        if let Some(cut) = window.cut {
            notes.push(format!(
                "line {0} is {1} bytes long and was cut; its rest: start={0}, start_byte={2}",
                cut.line, cut.bytes, cut.next
            ));
        }
        format!("[{}]", notes.join("; "))
    }
}
