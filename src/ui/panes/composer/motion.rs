//! Where a cursor may stand: between graphemes, and at the edges of words.
//!
//! All columns are counted in characters, as the buffer counts them; none of the functions leaves the line.

use unicode_segmentation::UnicodeSegmentation;

/// Positions, in characters, at which graphemes of a line start, and the line's end.
fn boundaries(line: &str) -> Vec<usize> {
    let mut found = vec![0];
    let mut at = 0;
    for grapheme in line.graphemes(true) {
        at += grapheme.chars().count();
        found.push(at);
    }
    found
}

/// The start of the grapheme before a column.
pub fn previous_boundary(line: &str, column: usize) -> usize {
    boundaries(line)
        .into_iter()
        .take_while(|at| *at < column)
        .last()
        .unwrap_or(0)
}

/// The end of the grapheme at a column.
pub fn next_boundary(line: &str, column: usize) -> usize {
    let all = boundaries(line);
    let end = all.last().copied().unwrap_or(0);
    all.into_iter().find(|at| *at > column).unwrap_or(end)
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum WordKind {
    Space,
    Sign,
    Word,
}

fn word_kinds(line: &str) -> Vec<(usize, WordKind)> {
    let mut at = 0;
    line.graphemes(true)
        .map(|grapheme| {
            let start = at;
            at += grapheme.chars().count();
            let first = grapheme.chars().next().unwrap_or(' ');
            let kind = if first.is_whitespace() {
                WordKind::Space
            } else if first.is_ascii_punctuation() && first != '_' {
                WordKind::Sign
            } else {
                WordKind::Word
            };
            (start, kind)
        })
        .collect()
}

/// Where the word before the cursor starts.
pub fn word_left(line: &str, column: usize) -> usize {
    let mut before: Vec<(usize, WordKind)> = word_kinds(line)
        .into_iter()
        .take_while(|(start, _)| *start < column)
        .collect();
    while before.last().is_some_and(|last| last.1 == WordKind::Space) {
        before.pop();
    }
    let Some(kind) = before.last().map(|last| last.1) else {
        return 0;
    };
    let run = before.iter().rev().take_while(|piece| piece.1 == kind);
    run.last().map_or(0, |piece| piece.0)
}

/// Where the word at or behind the cursor ends.
pub fn word_right(line: &str, column: usize) -> usize {
    let end = line.chars().count();
    let mut rest = word_kinds(line)
        .into_iter()
        .skip_while(|(start, _)| *start < column)
        .skip_while(|(_, kind)| *kind == WordKind::Space)
        .peekable();
    let Some(kind) = rest.peek().map(|piece| piece.1) else {
        return end;
    };
    rest.find(|piece| piece.1 != kind)
        .map_or(end, |piece| piece.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_family_is_one_step_wide() {
        let line = "a👨‍👩‍👧b";

        assert_eq!(next_boundary(line, 1), 6);
        assert_eq!(previous_boundary(line, 6), 1);
        assert_eq!(previous_boundary(line, 3), 1);
        assert_eq!(next_boundary(line, 7), 7);
    }

    #[test]
    fn words_signs_and_blanks_are_told_apart() {
        let line = "let x_1 = a.b;  ";

        assert_eq!(word_left(line, 16), 13);
        assert_eq!(word_left(line, 13), 12);
        assert_eq!(word_left(line, 7), 4);
        assert_eq!(word_right(line, 3), 7);
        assert_eq!(word_right(line, 14), 16);
    }
}
