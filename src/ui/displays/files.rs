//! Paths, perhaps with matching lines in which the match is marked.

use super::{
    amount::{Amount, fold_row, one_row, shown},
    render::{Canvas, Rendered},
};
use crate::{
    domain::display::{FileMatch, MatchLine},
    text::{
        sanitize::clean_line,
        truncate::{grouped, tail},
    },
    ui::{
        rows::{Flow, Piece, Row, flow},
        theme::StyleName,
    },
};

pub(super) fn render(files: &[FileMatch], omitted: usize, canvas: &Canvas<'_>) -> Rendered {
    let (head, last) = canvas.amount.ends();
    let most = head + last;
    let mut budget = most;
    let mut rows = Vec::new();
    let total: usize = files.iter().map(|file| 1 + file.lines.len()).sum();
    let mut drawn = 0;
    let digits = files
        .iter()
        .flat_map(|file| &file.lines)
        .map(|line| line.number.to_string().len())
        .max()
        .unwrap_or(1);
    'files: for file in files {
        if budget == 0 {
            break;
        }
        budget -= 1;
        drawn += 1;
        let path = tail(&clean_line(&file.path), canvas.width).into_owned();
        rows.push(Row::of(path, StyleName::ToolSubject));
        for line in &file.lines {
            if budget == 0 {
                break 'files;
            }
            budget -= 1;
            drawn += 1;
            rows.extend(match_rows(line, digits, canvas));
        }
    }
    let folded = total - drawn;
    if folded > 0 {
        rows.push(fold_row(folded, canvas.open_key, canvas.width));
    }
    if omitted > 0 {
        rows.push(Row::of(
            format!("{} more were found and left out", grouped(omitted)),
            StyleName::Dim,
        ));
    }
    if files.is_empty() && omitted == 0 {
        rows.push(Row::of("nothing found", StyleName::Faint));
    }
    Rendered {
        rows,
        folded: folded > 0,
        unsettled: false,
    }
}

fn match_rows(line: &MatchLine, digits: usize, canvas: &Canvas<'_>) -> Vec<Row> {
    let first = [Piece::new(
        format!("  {:>digits$}  ", line.number),
        StyleName::LineNumber,
    )];
    let taken = digits + 4;
    let rest = [Piece::blank(taken)];
    let how = Flow {
        width: canvas.width,
        first: &first,
        rest: &rest,
        words: false,
    };
    let pieces = marked(line, canvas.width);
    let mut rows = flow(&pieces, &how);
    if canvas.amount == Amount::Preview {
        rows.truncate(1);
    }
    rows
}

/// The line with its matches marked. Context lines are dim.
fn marked(line: &MatchLine, width: usize) -> Vec<Piece> {
    const LONGEST: usize = 4_096;
    if line.ranges.is_empty() {
        return vec![Piece::new(
            one_row(&line.text, width.max(LONGEST / 8)),
            StyleName::Dim,
        )];
    }
    let mut pieces = Vec::new();
    let mut at = 0;
    let text = line.text.as_str();
    let end = crate::text::truncate::floor_boundary(text, LONGEST);
    for (start, stop) in &line.ranges {
        // Ranges come from elsewhere: what does not fit the text is not marked.
        let (Some(before), Some(matched)) = (text.get(at..*start), text.get(*start..*stop)) else {
            continue;
        };
        if *stop > end {
            break;
        }
        push(&mut pieces, before, StyleName::Text);
        push(&mut pieces, matched, StyleName::Match);
        at = *stop;
    }
    push(
        &mut pieces,
        text.get(at..end.max(at)).unwrap_or_default(),
        StyleName::Text,
    );
    pieces
}

fn push(pieces: &mut Vec<Piece>, text: &str, name: StyleName) {
    if !text.is_empty() {
        pieces.push(Piece::new(shown(text), name));
    }
}
