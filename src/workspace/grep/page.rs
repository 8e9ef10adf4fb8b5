//! The page that is wanted, out of the first rows of all.

use std::ops::Range;

use super::query::{Detail, FileHits, Query, Row};

/// The rows of the page out of the first rows of all.
pub(super) fn page(files: impl Iterator<Item = FileHits>, query: &Query) -> Vec<FileHits> {
    let (offset, limit) = query.page;
    if query.detail != Detail::Lines {
        return files.skip(offset).take(limit).collect();
    }
    let mut page = Vec::new();
    let mut seen = 0;
    for mut file in files {
        let (first, last) = (seen, seen + file.matches);
        seen = last;
        if last <= offset {
            continue;
        }
        if first >= offset + limit {
            break;
        }
        let wanted = offset.saturating_sub(first)..(offset + limit - first);
        keep(&mut file.rows, &wanted);
        page.push(file);
    }
    page
}

/// Drops the rows of matches outside the page; context stays with the match that it stands beside.
fn keep(rows: &mut Vec<Row>, wanted: &Range<usize>) {
    let hit = |row: &Row| row.hit.is_some_and(|hit| wanted.contains(&hit));
    let first = rows.iter().position(hit).unwrap_or(rows.len());
    let last = rows.iter().rposition(hit).map_or(0, |at| at + 1);
    let is_context = |row: &Row| row.hit.is_none();
    let end = last
        + rows
            .iter()
            .skip(last)
            .take_while(|row| is_context(row))
            .count();
    let skipped = rows.len() - rows.len().min(end);
    rows.truncate(rows.len() - skipped);
    let above = rows
        .iter()
        .take(first)
        .rev()
        .take_while(|row| is_context(row))
        .count();
    rows.drain(..first - above);
}
