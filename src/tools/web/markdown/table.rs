//! Tables: of Markdown where they are simple, else HTML or with every cell repeated wherever it reaches.

use super::{
    blocks::{Block, Writer, paragraph},
    convert::Tables,
    escape,
    parse::{At, DEEPEST, attribute, name, text},
};

/// The most columns that a cell reaches over.
const WIDEST: usize = 100;
/// The most cells of a table that is flattened.
const MOST_CELLS: usize = 20_000;

/// A cell: its text, how many columns and rows it covers.
struct Cell {
    text: String,
    columns: usize,
    rows: usize,
}

impl<'t> Writer<'t> {
    pub(super) fn table(&self, table: At<'t>, blocks: &mut Vec<Block>, depth: usize) {
        let caption = table.children().find(|child| name(*child) == "caption");
        if let Some(caption) = caption {
            self.push(blocks, paragraph(&self.single_line(caption, depth)));
        }
        let nested = table
            .descendants()
            .skip(1)
            .any(|node| name(node) == "table");
        if nested && self.options.tables == Tables::Html {
            let mut html = String::new();
            self.html(table, &mut html, depth);
            self.push(blocks, Block::plain(html));
            return;
        }
        let rows = self.rows(table, depth);
        let is_simple = rows
            .iter()
            .flatten()
            .all(|cell| cell.columns == 1 && cell.rows == 1);
        if !is_simple && self.options.tables == Tables::Html {
            let mut html = String::new();
            self.html(table, &mut html, depth);
            self.push(blocks, Block::plain(html));
            return;
        }
        self.push(blocks, Block::plain(pipes(&grid(rows))));
    }

    fn rows(&self, table: At<'t>, depth: usize) -> Vec<Vec<Cell>> {
        let parts = table.children().flat_map(|part| {
            let is_part = matches!(name(part), "thead" | "tbody" | "tfoot");
            let inner = is_part.then(|| part.children()).into_iter().flatten();
            std::iter::once(part).chain(inner)
        });
        let rows = parts.filter(|row| name(*row) == "tr" && !self.removal.takes(*row));
        rows.map(|row| {
            let cells = row
                .children()
                .filter(|cell| matches!(name(*cell), "td" | "th"));
            cells
                .filter(|cell| !self.removal.takes(*cell))
                .map(|cell| Cell {
                    text: self.cell(cell, depth),
                    columns: span(cell, "colspan"),
                    rows: span(cell, "rowspan"),
                })
                .collect()
        })
        .filter(|row: &Vec<Cell>| !row.is_empty())
        .collect()
    }

    fn cell(&self, cell: At<'t>, depth: usize) -> String {
        let line = self.line(cell, depth + 1).replace("\\\n", "<br>");
        let line = line.split_whitespace().collect::<Vec<_>>().join(" ");
        line.replace('|', "\\|")
    }

    /// A table as HTML, without what only browsers need.
    fn html(&self, node: At<'t>, out: &mut String, depth: usize) {
        if let Some(words) = node.value().as_text() {
            let text: &str = words;
            let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
            if text.starts_with(char::is_whitespace) && !out.ends_with(['\n', ' ', '>']) {
                out.push(' ');
            }
            out.push_str(&escape::html(&words));
            if !words.is_empty() && text.ends_with(char::is_whitespace) {
                out.push(' ');
            }
            return;
        }
        if self.removal.takes(node) || self.is_full() {
            return;
        }
        if depth > DEEPEST {
            return out.push_str(&escape::html(text(node).trim()));
        }
        let name = name(node);
        let kept: &[&str] = match name {
            "td" | "th" => &["colspan", "rowspan"],
            "a" => &["href"],
            "img" => &["src", "alt"],
            "table" | "thead" | "tbody" | "tfoot" | "tr" | "caption" | "b" | "strong" | "i"
            | "em" | "code" | "br" | "p" | "ul" | "ol" | "li" | "pre" => &[],
            _ => {
                for child in node.children() {
                    self.html(child, out, depth + 1);
                }
                return;
            }
        };
        out.push_str(&format!("<{name}"));
        for key in kept {
            let value = attribute(node, key).filter(|value| is_kept(key, value));
            if let Some(value) = value {
                out.push_str(&format!(" {key}=\"{}\"", escape::html(value)));
            }
        }
        out.push('>');
        for child in node.children() {
            self.html(child, out, depth + 1);
        }
        if matches!(name, "br" | "img") {
            return;
        }
        out.truncate(out.trim_end_matches(' ').len());
        out.push_str(&format!("</{name}>"));
        if matches!(name, "tr" | "thead" | "tbody" | "tfoot" | "caption") {
            out.push('\n');
        }
    }
}

/// Whether an attribute says something to a reader.
fn is_kept(key: &str, value: &str) -> bool {
    match key {
        "colspan" | "rowspan" => value.trim().parse::<usize>().is_ok_and(|count| count > 1),
        "href" | "src" => {
            let start = value.trim_start().to_ascii_lowercase();
            !start.starts_with("javascript:") && !start.starts_with("data:")
        }
        _ => true,
    }
}

fn span(cell: At<'_>, which: &str) -> usize {
    let span = attribute(cell, which).and_then(|span| span.trim().parse().ok());
    span.unwrap_or(1).clamp(1, WIDEST)
}

/// Cells in their columns, each repeated wherever it reaches as far as there is room.
fn grid(rows: Vec<Vec<Cell>>) -> Vec<Vec<String>> {
    let mut grid: Vec<Vec<Option<String>>> = rows.iter().map(|_| Vec::new()).collect();
    let mut placed = 0;
    for (index, row) in rows.into_iter().enumerate() {
        let mut column = 0;
        for cell in row {
            while slot(&grid, index, column).is_some() {
                column += 1;
            }
            for below in grid.iter_mut().skip(index).take(cell.rows) {
                for at in column..column + cell.columns {
                    placed += 1;
                    let is_first = at == column;
                    if placed > MOST_CELLS && !is_first {
                        break;
                    }
                    if below.len() <= at {
                        below.resize(at + 1, None);
                    }
                    if let Some(slot) = below.get_mut(at) {
                        slot.get_or_insert_with(|| cell.text.clone());
                    }
                }
                if placed > MOST_CELLS {
                    break;
                }
            }
            column += 1;
        }
    }
    let filled =
        |row: Vec<Option<String>>| row.into_iter().map(Option::unwrap_or_default).collect();
    grid.into_iter().map(filled).collect()
}

fn slot(grid: &[Vec<Option<String>>], row: usize, column: usize) -> Option<&String> {
    grid.get(row)?.get(column)?.as_ref()
}

/// A table of Markdown; the first row is its head.
fn pipes(rows: &[Vec<String>]) -> String {
    let width = rows.iter().map(Vec::len).max().unwrap_or(0);
    if rows.iter().flatten().all(String::is_empty) {
        return String::new();
    }
    let mut lines = Vec::new();
    for (index, row) in rows.iter().enumerate() {
        let cells = row.iter().map(String::as_str);
        // A row of one cell is not filled up to the width of the widest.
        let missing = width.min(WIDEST).saturating_sub(row.len());
        let cells: Vec<&str> = cells.chain(std::iter::repeat_n("", missing)).collect();
        lines.push(format!("| {} |", cells.join(" | ")));
        if index == 0 {
            lines.push(format!("|{}", " --- |".repeat(cells.len())));
        }
    }
    lines.join("\n")
}
