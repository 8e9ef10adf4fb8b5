//! Values in an approval box: both ends of what is long, with a count of what is left out and the key that shows it;
//! every hidden character made visible.

use super::lines::{Line, amount_of, left_out};
use crate::{
    text::{
        sanitize::reveal,
        truncate::{ceil_boundary, floor_boundary},
        width::graphemes,
    },
    ui::{
        displays::revealed_pieces,
        rows::{Flow, Joint, Paint, Piece, Row, flow},
    },
};

/// Lines of an argument that are shown at both ends.
const HEAD_LINES: usize = 6;
const TAIL_LINES: usize = 3;
/// Bytes of a line that are shown at both ends.
const HEAD_BYTES: usize = 600;
const TAIL_BYTES: usize = 200;
/// Rows in which both ends of a text and what lies between them have a place.
pub(super) const LEAST_ENDS: usize = 3;
/// Bytes that a row is given at most, per column.
const BYTES_PER_COLUMN: usize = 16;

/// A text, and how it is drawn.
#[derive(Clone, Copy)]
pub(super) struct Value<'a> {
    /// The text.
    pub(super) text: &'a str,
    /// How it looks.
    pub(super) look: Paint,
    /// In so many columns.
    pub(super) width: usize,
    /// The key that shows all of it; empty when it does nothing here.
    pub(super) key: &'a str,
}

impl<'a> Value<'a> {
    /// The same, another text.
    fn with(self, text: &'a str) -> Self {
        Self { text, ..self }
    }

    /// Both ends of its lines, both ends of a long line, everything hidden made visible.
    pub(super) fn rows(self) -> Vec<Line> {
        let text = self.text.trim_end_matches('\n');
        let mut starts: Vec<usize> = text.match_indices('\n').map(|(at, _)| at + 1).collect();
        starts.insert(0, 0);
        let folded = starts.len().saturating_sub(HEAD_LINES + TAIL_LINES);
        if folded <= 1 {
            return self.with(text).lines();
        }
        let from = starts.get(HEAD_LINES).copied().unwrap_or(text.len());
        let to = starts
            .get(HEAD_LINES + folded)
            .copied()
            .unwrap_or(text.len());
        let part = |range: std::ops::Range<usize>| text.get(range).unwrap_or_default();
        let mut rows = self.with(part(0..from.saturating_sub(1))).lines();
        rows.push(Line::standing_for(folded, self.fold(part(from..to))));
        rows.extend(self.with(part(to..text.len())).lines());
        rows
    }

    /// In no more than so many rows: the beginning, what is left out, and the end; short of rows without the end.
    pub(super) fn within(self, rows: usize) -> Vec<Line> {
        let whole = self.rows();
        if whole.len() <= rows {
            return whole;
        }
        let text = self.text.trim_end_matches('\n');
        let (above, below) = match rows {
            0 => return Vec::new(),
            1 | 2 => (1, 0),
            _ => {
                let below = (rows - 1) / 3;
                (rows - 1 - below.max(1), below.max(1))
            }
        };
        // The mark of the cut, where no row has room to say how much it is.
        let value = match rows {
            1 => Self {
                width: self.width.saturating_sub(1),
                ..self
            },
            _ => self,
        };
        let head = value.head(text, above);
        let head = value.without_begun_word(text, head);
        let rest = text.get(head.len()..).unwrap_or_default();
        let tail = value.without_ended_word(rest, value.tail(rest, below));
        let hidden = rest.get(..rest.len() - tail.len()).unwrap_or_default();
        let plain = |part| value.with(part).plain().into_iter().map(Line::from);
        let mut lines: Vec<Line> = plain(head.trim_end_matches('\n')).collect();
        match lines.last_mut().filter(|_| rows == 1) {
            Some(line) => line.row.pieces.push(Piece::new("…", self.look)),
            None => lines.push(Line::standing_for(0, self.fold(hidden))),
        }
        if below > 0 {
            lines.extend(plain(tail.trim_start_matches('\n')));
        }
        lines
    }

    /// The longest beginning that has no more than so many rows.
    fn head(self, text: &'a str, rows: usize) -> &'a str {
        let most = floor_boundary(text, (rows * self.width * BYTES_PER_COLUMN).min(text.len()));
        let part = text.get(..most).unwrap_or_default();
        let ends: Vec<usize> = graphemes(part)
            .map(|(at, grapheme)| at + grapheme.len())
            .collect();
        let fits = |end: &usize| {
            let part = part.get(..*end).unwrap_or_default();
            self.with(part.trim_end_matches('\n')).plain().len() <= rows
        };
        let fitting = ends.partition_point(fits);
        let end = fitting.checked_sub(1).and_then(|at| ends.get(at).copied());
        part.get(..end.unwrap_or(0)).unwrap_or_default()
    }

    /// The longest end that has no more than so many rows.
    fn tail(self, text: &'a str, rows: usize) -> &'a str {
        let most = (rows * self.width * BYTES_PER_COLUMN).min(text.len());
        let part = text
            .get(ceil_boundary(text, text.len() - most)..)
            .unwrap_or_default();
        let starts: Vec<usize> = graphemes(part).map(|(at, _)| at).collect();
        let is_too_long = |start: &usize| {
            let part = part.get(*start..).unwrap_or_default();
            self.with(part.trim_start_matches('\n')).plain().len() > rows
        };
        let at = starts.partition_point(is_too_long);
        let start = starts.get(at).copied().unwrap_or(part.len());
        part.get(start..).unwrap_or_default()
    }

    /// The beginning without a word that is cut at its end, where the row has little of it: a part of a word may look
    /// like another one.
    fn without_begun_word(self, text: &str, head: &'a str) -> &'a str {
        let goes_on = text.get(head.len()..).unwrap_or_default();
        let is_cut = !goes_on.starts_with(char::is_whitespace);
        match head.rfind(char::is_whitespace).filter(|_| is_cut) {
            Some(at) if head.len() - at <= self.width / 3 => head.get(..=at).unwrap_or(head),
            _ => head,
        }
    }

    /// The end without a word that is cut at its beginning, in the same way.
    fn without_ended_word(self, text: &str, tail: &'a str) -> &'a str {
        let before = text.get(..text.len() - tail.len()).unwrap_or_default();
        let is_cut = !before.ends_with(char::is_whitespace);
        match tail.find(char::is_whitespace).filter(|_| is_cut) {
            Some(at) if at <= self.width / 3 => tail.get(at..).unwrap_or(tail).trim_start(),
            _ => tail,
        }
    }

    /// All of its lines, both ends of a long one.
    fn lines(self) -> Vec<Line> {
        let rows = self.text.split('\n').flat_map(|line| self.line(line));
        rows.map(Line::from).collect()
    }

    /// All of its lines, whole.
    fn plain(self) -> Vec<Row> {
        let lines = self.text.split('\n');
        lines.flat_map(|line| self.with(line).revealed()).collect()
    }

    /// One line; all parts of it are one line.
    fn line(self, line: &'a str) -> Vec<Row> {
        if line.len() <= HEAD_BYTES + TAIL_BYTES + 40 {
            return self.with(line).revealed();
        }
        let head = floor_boundary(line, HEAD_BYTES);
        let tail = ceil_boundary(line, line.len() - TAIL_BYTES);
        let part = |range: std::ops::Range<usize>| line.get(range).unwrap_or_default();
        let mut rows = self.with(part(0..head)).revealed();
        rows.push(self.fold(part(head..tail)));
        rows.extend(self.with(part(tail..line.len())).revealed());
        let later = rows.iter_mut().skip(1);
        for row in later.filter(|row| row.joint == Joint::Line) {
            row.joint = Joint::Cut;
        }
        rows
    }

    fn fold(self, hidden: &str) -> Row {
        left_out(&amount_of(hidden), self.key, self.width)
    }

    fn revealed(self) -> Vec<Row> {
        let revealed = reveal(&self.text.replace('\t', "    "));
        flow(
            &revealed_pieces(&revealed, self.look),
            &Flow::anywhere(self.width),
        )
    }
}
