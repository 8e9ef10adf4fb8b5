//! A change to a file: in one column, or side by side where there is room. Numbers of both sides, a sign in front,
//! the changed words marked, colours of the language beneath.

use std::{ops::Range, sync::Arc};

use super::{
    amount::{Amount, fold_row},
    diff_sides::{Pair, halves, paired},
    render::{Canvas, Rendered},
};
use crate::{
    domain::display::FileDiff,
    text::{
        diff::{Diff, DiffLine, LineEnd, Side, lines},
        sanitize::{Revealed, clean, reveal_line},
        width::{TAB_STOP, columns, expand_tabs},
    },
    ui::{
        highlight::{Highlighted, Mark},
        markdown::shown_code,
        rows::{Flow, Paint, Piece, Row, flow},
        theme::StyleName,
    },
};

/// Unchanged lines around a change.
const CONTEXT: usize = 3;
/// Rows of a preview.
const PREVIEW: usize = 14;
/// Rows of a change that is shown whole.
const WHOLE: usize = 2_000;
/// From this width on a change stands side by side by itself: a pane of 120 columns without its borders.
const SIDE_BY_SIDE: usize = 108;

/// How changes are shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum DiffStyle {
    /// Side by side where there is room.
    #[default]
    Auto,
    /// In one column.
    Unified,
    /// Side by side.
    SideBySide,
}

impl DiffStyle {
    /// Whether a change of this many columns stands side by side.
    pub fn is_side_by_side(self, width: usize) -> bool {
        match self {
            Self::Auto => width >= SIDE_BY_SIDE,
            Self::Unified => false,
            Self::SideBySide => width >= 40,
        }
    }

    /// The other way than what is seen at this width.
    pub fn toggled(self, width: usize) -> Self {
        if self.is_side_by_side(width) {
            Self::Unified
        } else {
            Self::SideBySide
        }
    }
}

/// Draws a change.
pub(super) fn render(change: &FileDiff, canvas: &Canvas<'_>) -> Rendered {
    let most = match canvas.amount {
        Amount::Preview => PREVIEW,
        Amount::Whole => WHOLE,
    };
    let ChangeRows {
        mut rows,
        beyond,
        unsettled,
        ..
    } = change_rows(change, canvas, most);
    let folded = beyond > 0;
    if folded {
        rows.push(fold_row(beyond, canvas.open_key, canvas.width));
    }
    if rows.is_empty() {
        rows.push(Row::of("nothing changed", StyleName::Faint));
    }
    Rendered {
        rows,
        folded,
        unsettled,
    }
}

/// The rows of a change.
#[derive(Clone, Debug, Default)]
pub struct ChangeRows {
    /// The rows; no more than were asked for.
    pub rows: Vec<Row>,
    /// The row of the first line that changed.
    pub first_changed: usize,
    /// Lines that are not shown whole.
    pub beyond: usize,
    /// Whether colours are still to come.
    pub unsettled: bool,
}

/// Draws a change line by line in so many rows; in one more when nothing is left out then, since a fold that hides
/// one row saves nothing. A line that is not shown is not made into rows.
pub fn change_rows(change: &FileDiff, canvas: &Canvas<'_>, most: usize) -> ChangeRows {
    let found = lines(&change.old, &change.new, CONTEXT);
    let (old, old_settled) = canvas
        .highlights
        .find(&change.path, &shown_code(&change.old));
    let (new, new_settled) = canvas
        .highlights
        .find(&change.path, &shown_code(&change.new));
    let sheet = Sheet {
        width: canvas.width,
        shift: change.first_line.saturating_sub(1),
        digits: digits(&found, change.first_line.saturating_sub(1)),
        reveal: canvas.reveal,
        old,
        new,
    };
    // Where one side has nothing to show, the other takes the whole width.
    let has_both = found.added > 0 && found.removed > 0;
    let beside = has_both && canvas.diff.is_side_by_side(canvas.width);
    let mut drawn = ChangeRows {
        unsettled: !(old_settled && new_settled),
        ..ChangeRows::default()
    };
    let mut first_changed = None;
    // Behind which row each line ends.
    let mut ends = Vec::new();
    for (index, hunk) in found.hunks.iter().enumerate() {
        if index > 0 && drawn.rows.len() <= most {
            let gap = format!("{:>width$}", "⋯", width = sheet.digits);
            drawn.rows.push(Row::of(gap, StyleName::Faint));
        }
        let pairs = if beside {
            paired(&hunk.lines)
        } else {
            hunk.lines.iter().map(|line| (Some(line), None)).collect()
        };
        for pair in pairs {
            if drawn.rows.len() > most {
                drawn.beyond += 1;
                continue;
            }
            if is_changed(pair) {
                first_changed.get_or_insert(drawn.rows.len());
            }
            match pair {
                (Some(line), None) if !beside => drawn.rows.extend(sheet.unified(line)),
                (left, right) => drawn.rows.extend(halves(&sheet, left, right)),
            }
            ends.push(drawn.rows.len());
        }
    }
    if drawn.beyond > 0 || drawn.rows.len() > most.saturating_add(1) {
        drawn.rows.truncate(most);
        drawn.beyond += ends.iter().filter(|end| **end > most).count();
    }
    drawn.first_changed = first_changed.unwrap_or(0).min(drawn.rows.len());
    drawn
}

fn is_changed((left, right): Pair<'_>) -> bool {
    let changed = |line: Option<&DiffLine<'_>>| line.is_some_and(|line| line.side != Side::Both);
    changed(left) || changed(right)
}

fn digits(diff: &Diff<'_>, shift: usize) -> usize {
    let last = diff
        .hunks
        .last()
        .map_or(0, |hunk| hunk.old.end.max(hunk.new.end));
    (last + shift).max(1).to_string().len()
}

/// What the lines of one change have in common.
pub(super) struct Sheet {
    pub(super) width: usize,
    pub(super) digits: usize,
    shift: usize,
    reveal: bool,
    old: Option<Arc<Highlighted>>,
    new: Option<Arc<Highlighted>>,
}

impl Sheet {
    /// A number with its blanks; nothing but blanks where the line does not stand.
    pub(super) fn number(&self, number: Option<usize>) -> String {
        let digits = self.digits;
        match number {
            Some(number) => format!("{:>digits$} ", number + self.shift),
            None => " ".repeat(digits + 1),
        }
    }

    fn unified(&self, line: &DiffLine<'_>) -> Vec<Row> {
        let (sign, name) = sign(line.side);
        let numbers = format!("{}{}", self.number(line.old), self.number(line.new));
        let taken = columns(&numbers);
        let first = [
            Piece::new(numbers, StyleName::LineNumber),
            Piece::new(sign, name),
        ];
        let rest = [
            Piece::new(" ".repeat(taken), StyleName::LineNumber),
            Piece::new("  ", name),
        ];
        self.flowed(line, self.width, &first, &rest)
    }

    /// The rows of a line at a width, in the background of its side.
    pub(super) fn flowed(
        &self,
        line: &DiffLine<'_>,
        width: usize,
        first: &[Piece],
        rest: &[Piece],
    ) -> Vec<Row> {
        let (_, name) = sign(line.side);
        let mut rows = flow(
            &self.pieces(line),
            &Flow {
                width,
                first,
                rest,
                words: false,
            },
        );
        if line.side != Side::Both {
            for row in &mut rows {
                row.fill = Some(name);
            }
        }
        rows
    }

    /// A line in its colours.
    pub(super) fn pieces(&self, line: &DiffLine<'_>) -> Vec<Piece> {
        let (side, word) = match line.side {
            Side::Both => (StyleName::Text, StyleName::Text),
            Side::Added => (StyleName::DiffAdd, StyleName::DiffAddWord),
            Side::Removed => (StyleName::DiffDelete, StyleName::DiffDeleteWord),
        };
        if self.reveal {
            let revealed = reveal_line(&line.text.replace('\t', "    "));
            if revealed.is_suspicious() {
                return revealed_pieces(&revealed, Paint::of(side));
            }
        }
        let (shown, changed) = shown(line);
        let marks = self.marks(line);
        let mut pieces = Vec::new();
        let mut cuts: Vec<usize> = [0, shown.len()].to_vec();
        cuts.extend(changed.iter().flat_map(|range| [range.start, range.end]));
        cuts.extend(marks.iter().flat_map(|mark| [mark.start, mark.end]));
        cuts.retain(|cut| *cut <= shown.len());
        cuts.sort_unstable();
        cuts.dedup();
        for pair in cuts.windows(2) {
            let [start, end] = *pair else { continue };
            let Some(text) = shown.get(start..end) else {
                continue;
            };
            let is_changed = changed.iter().any(|range| range.contains(&start));
            let syntax = marks
                .iter()
                .find(|mark| mark.start <= start && start < mark.end)
                .map(|mark| mark.name);
            let paint = Paint {
                over: if is_changed { Some(word) } else { syntax },
                ..Paint::of(side)
            };
            pieces.push(Piece::new(text, paint));
        }
        if line.side != Side::Both {
            match line.end {
                LineEnd::Lf => {}
                LineEnd::CrLf => pieces.push(Piece::new("␍", StyleName::Faint)),
                LineEnd::Missing => pieces.push(Piece::new(" ⌿ no newline", StyleName::Faint)),
            }
        }
        pieces
    }

    fn marks(&self, line: &DiffLine<'_>) -> &[Mark] {
        let (side, number) = match line.side {
            Side::Removed => (self.old.as_deref(), line.old),
            Side::Added | Side::Both => (self.new.as_deref(), line.new),
        };
        side.zip(number)
            .and_then(|(side, number)| side.lines.get(number.checked_sub(1)?))
            .map_or(&[], Vec::as_slice)
    }
}

/// The sign of a side and how it looks.
pub(super) fn sign(side: Side) -> (&'static str, StyleName) {
    match side {
        Side::Both => ("  ", StyleName::Text),
        Side::Added => ("+ ", StyleName::DiffAdd),
        Side::Removed => ("- ", StyleName::DiffDelete),
    }
}

/// A text in which what was hidden stands out.
pub fn revealed_pieces(revealed: &Revealed, paint: Paint) -> Vec<Piece> {
    let mut pieces = Vec::new();
    let mut at = 0;
    let mut push = |text: Option<&str>, paint: Paint| {
        if let Some(text) = text
            && !text.is_empty()
        {
            pieces.push(Piece::new(text, paint));
        }
    };
    for mark in &revealed.marks {
        push(revealed.text.get(at..mark.range.start), paint);
        push(
            revealed.text.get(mark.range.clone()),
            Paint::of(StyleName::Suspicious),
        );
        at = mark.range.end;
    }
    push(revealed.text.get(at..), paint);
    pieces
}

/// The line as it is shown, and where its changed words stand in that.
fn shown(line: &DiffLine<'_>) -> (String, Vec<Range<usize>>) {
    let whole = super::amount::shown(line.text);
    let mut built = String::with_capacity(whole.len());
    let mut ranges = Vec::new();
    let mut at = 0;
    for changed in &line.changed {
        let (Some(before), Some(word)) = (
            line.text.get(at..changed.start),
            line.text.get(changed.clone()),
        ) else {
            return (whole, Vec::new());
        };
        append(&mut built, before);
        let start = built.len();
        append(&mut built, word);
        ranges.push(start..built.len());
        at = changed.end;
    }
    append(&mut built, line.text.get(at..).unwrap_or_default());
    if built == whole {
        (built, ranges)
    } else {
        (whole, Vec::new())
    }
}

fn append(built: &mut String, part: &str) {
    let part = clean(part);
    let opened = expand_tabs(&part, columns(built), TAB_STOP);
    built.push_str(&opened);
}

#[cfg(test)]
#[path = "diff_tests.rs"]
mod tests;
