//! Lines that match a pattern, file by file.
//!
//! ripgrep's own engine, in process and in parallel. Only the rows of the page that is wanted are kept, however many
//! there are; all are counted.

use std::{
    fs::File,
    io::{self, Read},
    ops::Range,
    path::{Path, PathBuf},
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
};

use grep_matcher::Matcher;
use grep_regex::{RegexMatcher, RegexMatcherBuilder};
use grep_searcher::{BinaryDetection, Searcher, SearcherBuilder, Sink, SinkContext, SinkMatch};
use ignore::DirEntry;

use super::{
    error::WorkspaceError,
    excerpt::trimmed,
    walk::{self, Order, Selection, Skipped, Top},
    way,
};

/// The most bytes of a file that are held at once: the longest line, with matches over lines the largest file.
const MOST_HELD: usize = 32 * 1024 * 1024;

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

/// Searches the files of a selection.
pub fn search(
    selection: &Selection,
    query: &Query,
    stop: &(dyn Fn() -> bool + Sync),
) -> Result<Report, WorkspaceError> {
    let matcher = matcher(query)?;
    let (offset, limit) = query.page;
    let need = offset.saturating_add(limit);
    let skipped = Skipped::default();
    let top = Arc::new(Mutex::new(Top::new(need)));
    let (matches, matching_files) = (AtomicUsize::new(0), AtomicUsize::new(0));
    walk::walk(selection, &skipped, stop, || {
        let (matcher, top) = (matcher.clone(), Arc::clone(&top));
        let (matches, matching_files, skipped) = (&matches, &matching_files, &skipped);
        let mut searcher = searcher(query);
        move |entry: &DirEntry| {
            let mut sink = Collect::new(query, &matcher, need, stop);
            match search_file(&mut searcher, entry.path(), &mut sink) {
                End::Reached => {}
                End::Stopped => skipped.stopped.store(true, Ordering::Relaxed),
                End::Unwieldy => {
                    skipped.unwieldy.fetch_add(1, Ordering::Relaxed);
                }
                End::Unreadable => {
                    skipped.unreadable.fetch_add(1, Ordering::Relaxed);
                }
            }
            if sink.matches == 0 {
                return;
            }
            matches.fetch_add(sink.matches, Ordering::Relaxed);
            matching_files.fetch_add(1, Ordering::Relaxed);
            let weight = match query.detail {
                Detail::Lines => sink.matches.min(need),
                Detail::Files | Detail::Counts => 1,
            };
            let key = query.order.key(entry);
            let hits = (sink.rows, sink.matches);
            let mut top = top.lock().unwrap_or_else(PoisonError::into_inner);
            top.insert(key, hits, weight);
        }
    });
    let top =
        Arc::into_inner(top).map(|top| top.into_inner().unwrap_or_else(PoisonError::into_inner));
    let files = top.into_iter().flat_map(Top::into_files);
    let files = files.map(|(path, (rows, matches))| FileHits {
        path,
        rows,
        matches,
    });
    Ok(Report {
        files: page(files, query),
        matches: matches.into_inner(),
        matching_files: matching_files.into_inner(),
        skipped,
    })
}

fn matcher(query: &Query) -> Result<RegexMatcher, WorkspaceError> {
    let mut builder = RegexMatcherBuilder::new();
    builder
        .case_insensitive(query.ignore_case)
        .fixed_strings(query.literal)
        .multi_line(true)
        .dot_matches_new_line(query.multiline);
    if !query.multiline {
        builder.crlf(true).line_terminator(Some(b'\n'));
    }
    builder.build(&query.pattern).map_err(|error| {
        let text = error.to_string();
        let reason = text.lines().next_back().unwrap_or_default();
        let reason = reason.strip_prefix("error: ").unwrap_or(reason);
        let hint = if text.contains("\\n") {
            "set `multiline` to match over line ends"
        } else {
            "escape special characters with \\, or set `literal` to search for plain text"
        };
        WorkspaceError::Search(format!(
            "`{}` is not a usable pattern: {reason}; {hint}",
            query.pattern.replace('\n', "\\n")
        ))
    })
}

fn searcher(query: &Query) -> Searcher {
    let lines = query.detail == Detail::Lines;
    SearcherBuilder::new()
        .line_number(lines)
        .before_context(if lines { query.before } else { 0 })
        .after_context(if lines { query.after } else { 0 })
        .multi_line(query.multiline)
        .binary_detection(BinaryDetection::quit(0))
        .heap_limit(Some(MOST_HELD))
        .build()
}

/// How the search of one file ended.
enum End {
    /// At its end, or where enough was known.
    Reached,
    /// Before, since the whole search is to stop.
    Stopped,
    /// At a piece that is too large.
    Unwieldy,
    /// At an error of the system.
    Unreadable,
}

fn search_file(searcher: &mut Searcher, path: &Path, sink: &mut Collect<'_>) -> End {
    let Ok(inner) = way::open(path) else {
        return End::Unreadable;
    };
    let mut reader = Watched {
        inner,
        stop: sink.stop,
        stopped: false,
        failed: false,
    };
    let matcher = sink.matcher;
    match searcher.search_reader(matcher, &mut reader, &mut *sink) {
        _ if reader.stopped || sink.stopped => End::Stopped,
        Ok(()) => End::Reached,
        Err(_) if reader.failed => End::Unreadable,
        // Nothing but the limit of what is held can fail beside the reader.
        Err(_) => End::Unwieldy,
    }
}

/// A file that reads as failed from the moment that the search is to stop: a large one without matches would
/// otherwise be read to its end.
struct Watched<'a> {
    inner: File,
    stop: &'a (dyn Fn() -> bool + Sync),
    stopped: bool,
    failed: bool,
}

impl Read for Watched<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if (self.stop)() {
            self.stopped = true;
            return Err(io::Error::other("stopped"));
        }
        let read = self.inner.read(buffer);
        let is_failure = |error: &io::Error| error.kind() != io::ErrorKind::Interrupted;
        self.failed |= read.as_ref().is_err_and(is_failure);
        read
    }
}

/// The rows of the page out of the first rows of all.
fn page(files: impl Iterator<Item = FileHits>, query: &Query) -> Vec<FileHits> {
    let (offset, limit) = query.page;
    if query.detail != Detail::Lines {
        return files.skip(offset).take(limit).collect();
    }
    let mut page = Vec::new();
    let mut seen = 0;
    for mut file in files {
        let (first, last) = (seen, seen + file.matches);
        seen = last;
        if last <= offset {
            continue;
        }
        if first >= offset + limit {
            break;
        }
        let wanted = offset.saturating_sub(first)..(offset + limit - first);
        keep(&mut file.rows, &wanted);
        page.push(file);
    }
    page
}

/// Drops the rows of matches outside the page; context stays with the match that it stands beside.
fn keep(rows: &mut Vec<Row>, wanted: &Range<usize>) {
    let hit = |row: &Row| row.hit.is_some_and(|hit| wanted.contains(&hit));
    let first = rows.iter().position(hit).unwrap_or(rows.len());
    let last = rows.iter().rposition(hit).map_or(0, |at| at + 1);
    let is_context = |row: &Row| row.hit.is_none();
    let end = last
        + rows
            .iter()
            .skip(last)
            .take_while(|row| is_context(row))
            .count();
    let skipped = rows.len() - rows.len().min(end);
    rows.truncate(rows.len() - skipped);
    let above = rows
        .iter()
        .take(first)
        .rev()
        .take_while(|row| is_context(row))
        .count();
    rows.drain(..first - above);
}

/// Takes the matches of one file.
struct Collect<'a> {
    query: &'a Query,
    matcher: &'a RegexMatcher,
    need: usize,
    stop: &'a (dyn Fn() -> bool + Sync),
    stopped: bool,
    matches: usize,
    rows: Vec<Row>,
}

impl<'a> Collect<'a> {
    fn new(
        query: &'a Query,
        matcher: &'a RegexMatcher,
        need: usize,
        stop: &'a (dyn Fn() -> bool + Sync),
    ) -> Self {
        Self {
            query,
            matcher,
            need,
            stop,
            stopped: false,
            matches: 0,
            rows: Vec::new(),
        }
    }

    fn keeps(&self) -> bool {
        self.query.detail == Detail::Lines && self.matches <= self.need
    }

    /// Where the pattern matches in some bytes.
    fn ranges(&self, bytes: &[u8]) -> Vec<Range<usize>> {
        const MOST: usize = 100;
        let mut ranges = Vec::new();
        // A matcher of regular expressions cannot fail; its error type is empty.
        let _ = self.matcher.find_iter(bytes, |found| {
            ranges.push(found.start()..found.end());
            ranges.len() < MOST
        });
        ranges
    }
}

impl Sink for Collect<'_> {
    type Error = io::Error;

    fn matched(&mut self, _: &Searcher, found: &SinkMatch<'_>) -> Result<bool, Self::Error> {
        self.matches += 1;
        if self.query.detail == Detail::Files {
            return Ok(false);
        }
        if self.keeps() {
            let bytes = found.bytes();
            let ranges = self.ranges(bytes);
            let mut start = 0;
            for (number, line) in (found.line_number().unwrap_or(1)..).zip(found.lines()) {
                let end = start + line.len();
                let own = ranges
                    .iter()
                    .filter(|range| range.start < end && range.end > start)
                    .map(|range| range.start.saturating_sub(start)..range.end.min(end) - start);
                let (text, ranges) = trimmed(line, own, self.query.most_line_chars);
                self.rows.push(Row {
                    number,
                    text,
                    ranges,
                    hit: Some(self.matches - 1),
                });
                start = end;
            }
        }
        self.stopped = (self.stop)();
        Ok(!self.stopped)
    }

    fn context(&mut self, _: &Searcher, context: &SinkContext<'_>) -> Result<bool, Self::Error> {
        if self.keeps() {
            let none = std::iter::empty();
            let (text, ranges) = trimmed(context.bytes(), none, self.query.most_line_chars);
            self.rows.push(Row {
                number: context.line_number().unwrap_or(1),
                text,
                ranges,
                hit: None,
            });
        }
        Ok(true)
    }
}

#[cfg(test)]
#[path = "grep_tests.rs"]
mod tests;
