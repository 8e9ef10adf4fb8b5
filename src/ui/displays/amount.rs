//! How much of a long result is shown, chosen before anything is measured or wrapped: a result of megabytes costs
//! no more than what is seen of it.

use crate::{
    text::{
        figures::counted,
        sanitize::clean,
        truncate::{floor_boundary, head},
        width::{TAB_STOP, columns, expand_tabs},
    },
    ui::{
        rows::{Flow, Paint, Piece, Row, flow},
        theme::StyleName,
    },
};

/// Lines of a preview before and behind what is folded.
const PREVIEW_HEAD: usize = 4;
const PREVIEW_TAIL: usize = 4;
/// Lines and bytes of a result that is shown whole; the viewer shows the rest.
const WHOLE_LINES: usize = 2_000;
const WHOLE_BYTES: usize = 256 * 1_024;
/// Rows of one line of a preview that is wrapped.
const LINE_ROWS: usize = 10;
/// Bytes that a line of a preview can need at most, per column.
const BYTES_PER_COLUMN: usize = 32;

/// How much is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Amount {
    /// Beginning and end, each line cut to one row.
    Preview,
    /// Everything that is reasonable in a transcript, wrapped.
    Whole,
}

impl Amount {
    /// Lines kept at the beginning and at the end.
    pub fn ends(self) -> (usize, usize) {
        match self {
            Self::Preview => (PREVIEW_HEAD, PREVIEW_TAIL),
            Self::Whole => (WHOLE_LINES, 0),
        }
    }
}

/// Lines that are shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Selected<'a> {
    /// The beginning.
    pub head: Vec<&'a str>,
    /// Lines that are not shown between beginning and end.
    pub folded: usize,
    /// The end.
    pub tail: Vec<&'a str>,
}

/// Chooses the lines to show.
pub fn select(text: &str, amount: Amount) -> Selected<'_> {
    let body = text.strip_suffix('\n').unwrap_or(text);
    let (first, last) = amount.ends();
    let body_shown = match amount {
        Amount::Whole if body.len() > WHOLE_BYTES => body
            .get(..floor_boundary(body, WHOLE_BYTES))
            .unwrap_or(body),
        _ => body,
    };
    let mut lines = body_shown.split('\n');
    let mut head: Vec<&str> = lines.by_ref().take(first).collect();
    let rest = lines.clone().count();
    let beyond = body
        .get(body_shown.len()..)
        .map_or(0, |cut| cut.matches('\n').count());
    // A fold that hides one line saves nothing.
    if rest <= last + 1 && beyond == 0 && last > 0 {
        head.extend(lines);
        return Selected {
            head,
            folded: 0,
            tail: Vec::new(),
        };
    }
    let folded = rest.saturating_sub(last);
    let tail: Vec<&str> = lines.skip(folded).collect();
    let unfinished = usize::from(body_shown.len() < body.len());
    Selected {
        head,
        folded: folded + beyond + unfinished,
        tail,
    }
}

impl Selected<'_> {
    /// Whether something is not shown.
    pub fn is_folded(&self) -> bool {
        self.folded > 0
    }

    /// Rows of the chosen lines, each of them wrapped as far as [`LINE_ROWS`] reach: what went wrong stands at the end
    /// of a line as often as at its beginning.
    pub fn wrapped_rows(&self, width: usize, open_key: &str, paint: StyleName) -> Vec<Row> {
        let most = width.saturating_mul(LINE_ROWS);
        let mut cut = 0;
        let mut draw = |line: &&str| {
            let whole = line.get(..floor_boundary(line, most.saturating_mul(4)).min(line.len()));
            let text = shown(whole.unwrap_or_default());
            let mut rows = flow(&[Piece::new(text, paint)], &Flow::words(width));
            if rows.len() > LINE_ROWS {
                rows.truncate(LINE_ROWS);
                cut += 1;
                if let Some(last) = rows.last_mut() {
                    let text = format!("{} …", last.text());
                    *last = Row::of(head(&text, width).into_owned(), paint);
                }
            }
            rows
        };
        let above: Vec<Row> = self.head.iter().flat_map(&mut draw).collect();
        let below: Vec<Row> = self.tail.iter().flat_map(&mut draw).collect();
        let mut rows = above;
        if self.folded + cut > 0 {
            rows.push(fold_row(self.folded + cut, open_key, width));
        }
        rows.extend(below);
        rows
    }

    /// Rows of the chosen lines; `pieces` says how a cleaned line looks.
    pub fn rows(
        &self,
        width: usize,
        amount: Amount,
        open_key: &str,
        pieces: impl Fn(String) -> Vec<Piece>,
    ) -> Vec<Row> {
        let mut rows = Vec::new();
        let draw = |line: &&str, rows: &mut Vec<Row>| match amount {
            Amount::Preview => rows.push(Row::new(pieces(one_row(line, width)))),
            Amount::Whole => rows.extend(flow(&pieces(shown(line)), &Flow::anywhere(width))),
        };
        for line in &self.head {
            draw(line, &mut rows);
        }
        if self.folded > 0 {
            rows.push(fold_row(self.folded, open_key, width));
        }
        for line in &self.tail {
            draw(line, &mut rows);
        }
        rows
    }
}

/// The row that stands for lines that are not shown; it says which key opens them where there is room.
pub fn fold_row(lines: usize, open_key: &str, width: usize) -> Row {
    let said = format!("…  {} folded", counted(lines, "line", "lines"));
    let said = head(&said, width).into_owned();
    let room = width.saturating_sub(columns(&said));
    let mut pieces = vec![Piece::new(said, StyleName::Faint)];
    if !open_key.is_empty() && room >= columns(open_key) + columns(" ·  opens") {
        pieces.push(Piece::new(" · ", StyleName::Faint));
        pieces.push(Piece::new(open_key, StyleName::Dim));
        pieces.push(Piece::new(" opens", StyleName::Faint));
    }
    Row::new(pieces)
}

/// A line without hazards, its tabs opened.
pub fn shown(line: &str) -> String {
    let cleaned = clean(line);
    let one = cleaned.replace('\n', " ");
    expand_tabs(&one, 0, TAB_STOP).into_owned()
}

/// A line cut to one row.
pub fn one_row(line: &str, width: usize) -> String {
    let most = width.saturating_mul(BYTES_PER_COLUMN).max(256);
    let is_long = line.len() > most;
    let line = if is_long {
        line.get(..floor_boundary(line, most)).unwrap_or_default()
    } else {
        line
    };
    head(&shown(line), width).into_owned()
}

/// A line in one look.
pub(super) fn plain(paint: impl Into<Paint> + Copy) -> impl Fn(String) -> Vec<Piece> {
    move |line| vec![Piece::new(line, paint)]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbered(count: usize) -> String {
        (1..=count).map(|line| format!("{line}\n")).collect()
    }

    #[test]
    fn a_preview_keeps_both_ends_and_counts_what_lies_between() {
        let text = numbered(50);

        let selected = select(&text, Amount::Preview);

        assert_eq!(selected.head, ["1", "2", "3", "4"]);
        assert_eq!(selected.folded, 42);
        assert_eq!(selected.tail, ["47", "48", "49", "50"]);
    }

    #[test]
    fn nothing_is_folded_that_takes_no_more_room_than_the_fold() {
        assert_eq!(select(&numbered(9), Amount::Preview).head.len(), 9);
        assert_eq!(select(&numbered(10), Amount::Preview).folded, 2);
        assert_eq!(select("", Amount::Preview).head, [""]);
    }

    #[test]
    fn a_whole_result_has_bounds_and_says_so() {
        let lines = numbered(3_000);
        assert_eq!(select(&lines, Amount::Whole).folded, 1_000);

        let long = "x".repeat(8 << 20);
        let selected = select(&long, Amount::Whole);
        assert_eq!((selected.head[0].len(), selected.folded), (WHOLE_BYTES, 1));
    }

    #[test]
    fn a_preview_row_never_exceeds_the_width() {
        let line = "各".repeat(40);
        for width in 1..130 {
            assert!(columns(&one_row(&line, width)) <= width);
        }
        let long = "各".repeat(1 << 20);
        assert_eq!(one_row(&long, 5), "各各…");
    }
}
