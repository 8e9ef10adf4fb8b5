//! Rows with the number of lines that each of them stands for, so that what is left out can be counted truly.

use crate::{
    text::figures::counted,
    ui::{
        rows::{Joint, Piece, Row},
        theme::StyleName,
    },
};

/// A row, and how many lines are missing when it is not shown.
#[derive(Clone, Debug)]
pub(super) struct Line {
    /// The row.
    pub(super) row: Row,
    lines: usize,
}

impl Line {
    /// The row stands for lines that are not shown.
    pub(super) fn left_out(lines: usize, key: &str, width: usize) -> Self {
        let what = counted(lines, "line", "lines");
        Self {
            row: left_out(&[what], key, width),
            lines,
        }
    }

    /// The row stands for so many lines; none when it says itself what is missing.
    pub(super) fn standing_for(lines: usize, row: Row) -> Self {
        Self { row, lines }
    }

    /// The row divides and says nothing.
    pub(super) fn gap() -> Self {
        Self {
            row: Row::empty(),
            lines: 0,
        }
    }

    /// Whether it goes on with the row above.
    pub(super) fn goes_on(&self) -> bool {
        self.row.joint != Joint::Line
    }
}

impl From<Row> for Line {
    fn from(row: Row) -> Self {
        Self {
            lines: usize::from(row.joint == Joint::Line),
            row,
        }
    }
}

/// How many lines these rows stand for; a line of which only the end is here counts.
pub(super) fn lines_in(rows: &[Line]) -> usize {
    let begun = rows.first().is_some_and(Line::goes_on);
    usize::from(begun) + rows.iter().map(|row| row.lines).sum::<usize>()
}

/// The row that stands for what is not shown: as much of what can be said of it as has room, the fullest first.
pub(super) fn left_out(what: &[String], key: &str, width: usize) -> Row {
    let said = |what: &String, words: &str, shows: &str| {
        let mut pieces = vec![Piece::new(format!("… {what}{words}"), StyleName::Warn)];
        if !key.is_empty() {
            pieces.push(Piece::new(" · ", StyleName::Warn));
            pieces.push(Piece::new(key, StyleName::Key));
            pieces.push(Piece::new(shows.to_owned(), StyleName::Dim));
        }
        Row::new(pieces)
    };
    let ways = [(" left out", " shows all"), ("", " shows all"), ("", "")];
    let mut rows = what
        .iter()
        .flat_map(|what| ways.map(|(words, shows)| said(what, words, shows)));
    rows.find(|row| row.columns() <= width)
        .or_else(|| what.last().map(|what| said(what, "", "")))
        .unwrap_or_default()
}

/// What can be said of a part of a text that is not shown, the fullest first.
pub(super) fn amount_of(hidden: &str) -> Vec<String> {
    let characters = counted(hidden.chars().count(), "character", "characters");
    match hidden.trim_matches('\n').matches('\n').count() {
        0 => vec![characters],
        more => {
            let lines = counted(more + 1, "line", "lines");
            vec![format!("{lines}, {characters}"), characters]
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ui::rows::{Flow, flow};

    #[test]
    fn a_line_of_several_rows_is_one_line_and_a_fold_is_all_that_it_folds() {
        let words = [Piece::text("alpha beta gamma")];
        let mut rows: Vec<Line> = flow(&words, &Flow::words(6))
            .into_iter()
            .map(Line::from)
            .collect();
        rows.push(Line::gap());
        rows.push(Line::left_out(31, "d", 80));

        assert_eq!(lines_in(&rows), 32);
        assert_eq!(lines_in(&rows[1..]), 32, "the end of a line is missing too");
        assert_eq!(lines_in(&rows[3..]), 31);
    }
}
