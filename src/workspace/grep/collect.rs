//! Takes the matches of one file, as many as the page may need.

use std::{io, ops::Range};

use grep_matcher::Matcher;
use grep_regex::RegexMatcher;
use grep_searcher::{Searcher, Sink, SinkContext, SinkMatch};

use super::{
    super::excerpt::trimmed,
    query::{Detail, Query, Row},
};

/// Takes the matches of one file.
pub(super) struct Collect<'a> {
    pub(super) query: &'a Query,
    pub(super) matcher: &'a RegexMatcher,
    need: usize,
    pub(super) stop: &'a (dyn Fn() -> bool + Sync),
    pub(super) stopped: bool,
    pub(super) matches: usize,
    pub(super) rows: Vec<Row>,
}

impl<'a> Collect<'a> {
    pub(super) fn new(
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
