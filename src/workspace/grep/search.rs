//! Lines that match a pattern, file by file.
//!
//! ripgrep's own engine, in process and in parallel. Only the rows of the page that is wanted are kept, however many
//! there are; all are counted.

use std::{
    fs::File,
    io::{self, Read},
    path::Path,
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
};

use grep_regex::{RegexMatcher, RegexMatcherBuilder};
use grep_searcher::{BinaryDetection, Searcher, SearcherBuilder};
use ignore::DirEntry;

use super::{
    super::{
        error::WorkspaceError,
        walk::{self, Part, Selection, Skipped, Top},
        way,
    },
    collect::Collect,
    page::page,
    query::{Detail, FileHits, Query, Report},
};

/// The most bytes of a file that are held at once: the longest line, with matches over lines the largest file.
const MOST_HELD: usize = 32 * 1024 * 1024;

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
    let top = Mutex::new(Top::new(need));
    let (matches, matching_files) = (AtomicUsize::new(0), AtomicUsize::new(0));
    walk::walk(selection, &skipped, stop, || {
        let (matcher, mut top) = (matcher.clone(), Part::of(&top));
        let (matches, matching_files, skipped) = (&matches, &matching_files, &skipped);
        let mut searcher = searcher(query);
        move |entry: DirEntry| {
            let mut sink = Collect::new(query, &matcher, need, stop);
            search_file(&mut searcher, entry.path(), &mut sink).tell(skipped);
            if sink.matches == 0 {
                return;
            }
            matches.fetch_add(sink.matches, Ordering::Relaxed);
            matching_files.fetch_add(1, Ordering::Relaxed);
            let weight = match query.detail {
                Detail::Lines => sink.matches.min(need),
                Detail::Files | Detail::Counts => 1,
            };
            top.insert(query.order.key(entry), (sink.rows, sink.matches), weight);
        }
    });
    let top = top.into_inner().unwrap_or_else(PoisonError::into_inner);
    let files = top.into_files();
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
    /// Not begun: the file is over the size.
    Large,
}

impl End {
    fn tell(self, skipped: &Skipped) {
        let count = match self {
            Self::Reached => return,
            Self::Stopped => return skipped.stopped.store(true, Ordering::Relaxed),
            Self::Unwieldy => &skipped.unwieldy,
            Self::Unreadable => &skipped.unreadable,
            Self::Large => &skipped.large,
        };
        count.fetch_add(1, Ordering::Relaxed);
    }
}

fn search_file(searcher: &mut Searcher, path: &Path, sink: &mut Collect<'_>) -> End {
    let Ok(inner) = way::open(path) else {
        return End::Unreadable;
    };
    // Asked of the open file, which is found already.
    if let Some(most) = sink.query.most_bytes
        && inner.metadata().is_ok_and(|about| about.len() > most)
    {
        return End::Large;
    }
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

#[cfg(test)]
#[path = "search_tests.rs"]
mod tests;
