//! What a write does to a file: counts, the window that a person sees and the numbered lines that a model reads.

use std::borrow::Cow;

use crate::{
    domain::{
        display::{Display, FileDiff},
        tool::SeenFile,
    },
    text::diff,
    tools::{
        context::ToolContext,
        contract::{Concurrency, Preview},
        error::ToolError,
    },
    workspace::{
        encoding,
        gate::{self, Basis, Loaded},
        line_ends::Unified,
        root::Located,
    },
};

/// Unchanged lines around a change.
const CONTEXT: usize = 3;
/// The most bytes of numbered lines in an answer to a model: it knows what it wrote.
const MOST_BYTES: usize = 6000;

/// A write that was looked at but not done.
pub(in crate::tools) struct Prepared {
    pub(in crate::tools) file: Located,
    /// What is there now.
    pub(in crate::tools) old: Option<Loaded>,
    /// What is to be there.
    pub(in crate::tools) bytes: Vec<u8>,
    pub(in crate::tools) change: Change,
}

impl Prepared {
    /// The whole content of a file, which may be there already. What is shown has the line ends that are written,
    /// but for those of a file that keeps its own.
    pub(in crate::tools) fn whole(
        file: Located,
        old: Option<Loaded>,
        content: &str,
    ) -> Result<Self, ToolError> {
        let bytes = match &old {
            None => gate::new_file(content)?,
            Some(old) => old.rewritten(content)?,
        };
        let before = old.as_ref().map_or("", |old| old.unified.text.as_str());
        let after = match &old {
            None => Cow::Borrowed(content),
            Some(old) => {
                let content = content.strip_prefix('\u{FEFF}').unwrap_or(content);
                if old.unified.has_ends() {
                    Cow::Owned(Unified::plain(content))
                } else {
                    Cow::Borrowed(content)
                }
            }
        };
        let change = Change::between(&file.shown, before, &after, old.is_none());
        Ok(Self {
            file,
            old,
            bytes,
            change,
        })
    }

    /// What a person is shown before it is done, and the arguments that this shows.
    pub(in crate::tools) fn preview(self, shows: &'static [&'static str]) -> Preview {
        let content = match &self.old {
            None => "absent".to_owned(),
            Some(old) => old.digest.to_string(),
        };
        Preview {
            shows,
            // Where the path leads is part of what is allowed: a link may be turned while the person looks.
            basis: format!(
                "{content} {}",
                self.file.real.as_os_str().as_encoded_bytes().escape_ascii()
            ),
            display: self.change.display,
        }
    }

    /// Does it, unless the file was changed meanwhile.
    pub(in crate::tools) fn save(
        &self,
        context: &ToolContext,
    ) -> Result<Option<SeenFile>, ToolError> {
        let expected = match &self.old {
            None => Basis::Absent,
            Some(old) => Basis::Content(&old.digest),
        };
        let digest = gate::save(&self.file, &context.roots, expected, &self.bytes)?;
        Ok(context.freshness.record(&self.file, digest))
    }
}

/// Calls that write the same file follow each other.
pub(in crate::tools) fn one_by_one(path: &str, context: &ToolContext) -> Concurrency {
    let path = context.absolute(path);
    Concurrency::Keyed(path.to_string_lossy().into_owned())
}

/// A change to one file.
pub(in crate::tools) struct Change {
    /// What a person sees.
    pub(in crate::tools) display: Display,
    /// `+3 −1`.
    pub(in crate::tools) counts: String,
    /// The first changed line of the new text, from 1.
    pub(super) first_line: usize,
    /// The numbered lines.
    pub(super) numbered: String,
}

impl Change {
    /// The change from one text to another.
    pub(in crate::tools) fn between(path: &str, old: &str, new: &str, created: bool) -> Self {
        let (old, new) = (encoding::shown(old), encoding::shown(new));
        let window = Window::around(&old, &new);
        let (old, new) = window.cut(&old, &new);
        let diff = diff::lines(old, new, CONTEXT);
        let first = diff.hunks.first().and_then(|hunk| {
            let line = |line: &&diff::DiffLine<'_>| line.side != diff::Side::Both;
            let at = hunk.lines.iter().position(|own| line(&own))?;
            Some(hunk.new.start + at)
        });
        Self {
            counts: format!("+{} −{}", diff.added, diff.removed),
            first_line: window.first_line + first.unwrap_or(0),
            numbered: bounded(diff.numbered(window.first_line)),
            display: Display::Diff(FileDiff {
                path: path.to_owned(),
                old: old.to_owned(),
                new: new.to_owned(),
                first_line: window.first_line,
                created,
            }),
        }
    }
}

fn bounded(text: String) -> String {
    if text.len() <= MOST_BYTES {
        return text;
    }
    let mut kept = String::new();
    for line in text.split_inclusive('\n') {
        if kept.len() + line.len() > MOST_BYTES {
            break;
        }
        kept.push_str(line);
    }
    let left = text.lines().count() - kept.lines().count();
    kept.push_str(&format!("… {left} more lines of the change\n"));
    kept
}

/// The part of two texts that holds everything that differs, with some lines around it.
struct Window {
    /// Number of its first line, from 1.
    first_line: usize,
    /// Bytes before it in both texts.
    head: usize,
    /// Bytes after it in both texts.
    tail: usize,
}

impl Window {
    fn around(old: &str, new: &str) -> Self {
        let (old, new) = (old.as_bytes(), new.as_bytes());
        let same = common_start(old, new);
        // A line is the same only as a whole.
        let same = lines_before(old.get(..same).unwrap_or(old), 0);
        let head = lines_before(old.get(..same).unwrap_or_default(), CONTEXT);
        let most = old.len().min(new.len()) - same;
        let tail = common_end(old, new).min(most);
        let begins = |text: &[u8]| {
            let start = text.len() - tail;
            start == same || text.get(start.wrapping_sub(1)) == Some(&b'\n')
        };
        let skip = CONTEXT + usize::from(!(begins(old) && begins(new)));
        let after = old.get(old.len() - tail..).unwrap_or_default();
        let context: usize = after
            .split_inclusive(|byte| *byte == b'\n')
            .take(skip)
            .map(<[u8]>::len)
            .sum();
        let head_lines = old.get(..head).unwrap_or_default();
        Self {
            first_line: memchr::memchr_iter(b'\n', head_lines).count() + 1,
            head,
            tail: tail - context,
        }
    }

    fn cut<'a>(&self, old: &'a str, new: &'a str) -> (&'a str, &'a str) {
        let part = |text: &'a str| {
            text.get(self.head..text.len() - self.tail)
                .unwrap_or_default()
        };
        (part(old), part(new))
    }
}

/// Bytes that are compared at once.
const PIECE: usize = 4096;

/// How many bytes two texts begin with alike.
fn common_start(a: &[u8], b: &[u8]) -> usize {
    let pieces = a.chunks(PIECE).zip(b.chunks(PIECE));
    let same = pieces.take_while(|(a, b)| a == b);
    let same: usize = same.map(|(piece, _)| piece.len()).sum();
    let rest = a.iter().skip(same).zip(b.iter().skip(same));
    same + rest.take_while(|(a, b)| a == b).count()
}

/// How many bytes two texts end with alike.
fn common_end(a: &[u8], b: &[u8]) -> usize {
    let pieces = a.rchunks(PIECE).zip(b.rchunks(PIECE));
    let same = pieces.take_while(|(a, b)| a == b);
    let same: usize = same.map(|(piece, _)| piece.len()).sum();
    let rest = a.iter().rev().skip(same).zip(b.iter().rev().skip(same));
    same + rest.take_while(|(a, b)| a == b).count()
}

/// Where the last lines of a text begin, so many whole ones before its last line end.
fn lines_before(text: &[u8], lines: usize) -> usize {
    let mut ends = text.iter().enumerate().rev();
    let found = ends.by_ref().filter(|(_, byte)| **byte == b'\n').nth(lines);
    found.map_or(0, |(at, _)| at + 1)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// What the window is, line by line.
    fn by_lines(old: &str, new: &str) -> (usize, usize, usize) {
        let old: Vec<&str> = old.split_inclusive('\n').collect();
        let new: Vec<&str> = new.split_inclusive('\n').collect();
        let same = |(a, b): &(&&str, &&str)| a == b;
        let before = old.iter().zip(&new).take_while(same).count();
        let rest = old.len().min(new.len()) - before;
        let after = old.iter().rev().zip(new.iter().rev());
        let after = after.take(rest).take_while(same).count();
        let (before, after) = (
            before.saturating_sub(CONTEXT),
            after.saturating_sub(CONTEXT),
        );
        let bytes = |lines: &[&str]| lines.iter().map(|line| line.len()).sum();
        (
            before + 1,
            bytes(&old[..before]),
            bytes(&old[old.len() - after..]),
        )
    }

    proptest! {
        #[test]
        fn the_window_is_made_of_whole_lines_around_all_that_differs(
            start in "(\n|[ab]\n){0,9}", end in "(\n|[ab]\n){0,9}[ab]?",
            old in "([aé]{0,2}\n){0,3}[a]?", new in "([aé]{0,2}\n){0,3}[a]?",
            long in prop::bool::ANY,
        ) {
            let long = if long { "long\n".repeat(2 * PIECE) } else { String::new() };
            let old = format!("{start}{long}{old}{long}{end}");
            let new = format!("{start}{long}{new}{long}{end}");
            prop_assume!(old != new);

            let window = Window::around(&old, &new);

            prop_assert_eq!((window.first_line, window.head, window.tail), by_lines(&old, &new));
        }
    }

    #[test]
    fn a_change_is_shown_with_its_surroundings_and_real_line_numbers() {
        let lines = |changed: &str| {
            let line = |number: usize| match number {
                50 => format!("{changed}\n"),
                number => format!("line {number}\n"),
            };
            (1..=100).map(line).collect::<String>()
        };

        let change = Change::between("f", &lines("old"), &lines("new\nmore"), false);

        assert_eq!(change.counts, "+2 −1");
        assert_eq!(change.first_line, 50);
        assert_eq!(
            change.display,
            Display::Diff(FileDiff {
                path: "f".to_owned(),
                old: "line 47\nline 48\nline 49\nold\nline 51\nline 52\nline 53\n".to_owned(),
                new: "line 47\nline 48\nline 49\nnew\nmore\nline 51\nline 52\nline 53\n".to_owned(),
                first_line: 47,
                created: false,
            })
        );
        assert!(
            change
                .numbered
                .contains("50    -old\n   50 +new\n   51 +more\n"),
            "{}",
            change.numbered
        );
    }

    #[test]
    fn a_long_change_is_cut_for_the_model_and_says_so() {
        let new: String = (0..2000).map(|line| format!("line {line}\n")).collect();

        let change = Change::between("f", "", &new, true);

        assert!(change.numbered.len() < MOST_BYTES + 100);
        assert!(change.numbered.ends_with(" more lines of the change\n"));
        assert_eq!(change.counts, "+2000 −0");
    }
}
