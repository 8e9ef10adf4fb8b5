//! Cuts a text into its top-level blocks.
//!
//! A block that another one follows never changes again, whatever text is appended. So only the last block of the
//! finished lines is looked at again when a text grows; the blocks are the same as if the whole came at once.

use pulldown_cmark::{Event, Options, Parser, Tag};

/// A text with a line longer than this is no prose: it is shown as it is.
pub(super) const LONGEST_LINE: usize = 64 * 1_024;
/// A block longer than this is shown as it is.
pub(super) const LONGEST_BLOCK: usize = 1_024 * 1_024;

/// The Markdown that is understood.
pub(super) fn options() -> Options {
    Options::ENABLE_TABLES | Options::ENABLE_TASKLISTS | Options::ENABLE_STRIKETHROUGH
}

/// Where the blocks of a growing text start.
#[derive(Clone, Debug, Default)]
pub(super) struct Split {
    /// Starts of the blocks that will not change, and of the last one of the finished lines.
    fixed: Vec<usize>,
    /// Starts behind `fixed`, as the text is now.
    open: Vec<usize>,
    /// How much of the text was looked at.
    seen: usize,
    /// Up to where lines are finished.
    finished: usize,
}

impl Split {
    /// Looks at what was appended to `text` since the last call.
    pub(super) fn follow(&mut self, text: &str) {
        if text.len() == self.seen {
            return;
        }
        let finished = text.rfind('\n').map_or(0, |at| at + 1);
        if finished > self.finished {
            let from = self.fixed.pop().unwrap_or(0);
            self.fixed
                .extend(starts(text.get(from..finished).unwrap_or_default(), from));
            self.finished = finished;
        }
        let from = self.fixed.last().copied().unwrap_or(0);
        self.open = starts(text.get(from..).unwrap_or_default(), from);
        if !self.fixed.is_empty() && !self.open.is_empty() {
            self.open.remove(0);
        }
        self.seen = text.len();
    }

    /// The blocks as byte ranges.
    pub(super) fn blocks(&self, length: usize) -> impl Iterator<Item = (usize, usize)> + '_ {
        let starts = self.fixed.iter().chain(&self.open).copied();
        let ends = starts.clone().skip(1).chain(std::iter::once(length));
        starts.zip(ends)
    }
}

/// Starts of the top-level blocks of a text, each at the start of its line, moved by `offset`.
fn starts(text: &str, offset: usize) -> Vec<usize> {
    if text.trim().is_empty() {
        return Vec::new();
    }
    if is_hostile(text) {
        return vec![offset];
    }
    let mut starts: Vec<usize> = Vec::new();
    let mut depth = 0_usize;
    let mut ended = 0;
    // Up to where the last list certainly goes: its range may take in definitions that follow it.
    let mut listed = None;
    for (event, range) in Parser::new_ext(text, options()).into_offset_iter() {
        let top = depth == 0;
        match &event {
            Event::Start(_) => depth += 1,
            Event::End(_) => {
                depth = depth.saturating_sub(1);
                continue;
            }
            _ => {}
        }
        if top {
            let line = line_start(text, range.start);
            let start = listed.map_or(line, |listed| paragraph_start(text, listed, line));
            // Definitions in front of a block are a part of it: without them, its first line could be read as code.
            let before = text.get(ended..start).unwrap_or_default();
            let start = if before.trim().is_empty() {
                start
            } else {
                ended
            };
            if starts.last().is_none_or(|last| *last < start + offset) {
                starts.push(start + offset);
            }
            ended = next_line(text, range.end);
            listed = matches!(event, Event::Start(Tag::List(_))).then_some(line);
        } else if let Some(listed) = &mut listed {
            let end = match event {
                Event::Start(Tag::List(_)) => continue,
                Event::Start(Tag::Item) => range.start + 1,
                _ => range.end,
            };
            *listed = next_line(text, end).max(*listed);
        }
    }
    if let Some(first) = starts.first_mut() {
        *first = offset;
    } else {
        starts.push(offset);
    }
    starts
}

/// Where the line starts that holds a position.
fn line_start(text: &str, position: usize) -> usize {
    text.get(..position)
        .and_then(|before| before.rfind('\n'))
        .map_or(0, |at| at + 1)
}

/// Where the lines start that stand directly in front of a line, none of them before `first` or indented as code.
fn paragraph_start(text: &str, first: usize, line: usize) -> usize {
    let between = text.get(first..line).unwrap_or_default();
    let lines = between.split_inclusive('\n').rev();
    let joined = lines.take_while(|line| {
        !line.trim().is_empty() && !line.starts_with("    ") && !line.starts_with('\t')
    });
    line - joined.map(str::len).sum::<usize>()
}

/// A position, or where the next line starts when it is inside of one.
fn next_line(text: &str, position: usize) -> usize {
    if text
        .get(..position)
        .is_some_and(|before| before.ends_with('\n'))
    {
        return position;
    }
    text.get(position..)
        .and_then(|after| after.find('\n'))
        .map_or(text.len(), |at| position + at + 1)
}

/// Whether a text would take too long to understand.
pub(super) fn is_hostile(text: &str) -> bool {
    text.len() > LONGEST_BLOCK
        || text.len() > LONGEST_LINE && text.split('\n').any(|line| line.len() > LONGEST_LINE)
}
