//! Characters of several code points (Thai and Indic vowels, flags, emoji in sequence). Terminals do not agree on how
//! many columns they take: some give each part its own. The drawing library trusts the one width it knows, and would
//! move what stands behind such a character and leave parts of it behind. So a row that has one, or had one, is drawn
//! once more when it changes, each such character and what follows it put at its own column.

use std::{
    collections::{BTreeMap, BTreeSet},
    io::{self, Write},
    ops::Range,
};

use ratatui::{
    backend::Backend,
    buffer::{Buffer, Cell},
};

use crate::text::width::columns;

/// The rows on the screen that have such characters.
#[derive(Debug, Default)]
pub struct Clusters {
    shown: BTreeMap<u16, Vec<Cell>>,
}

impl Clusters {
    /// Draws over the frame that was just drawn; says which rows were written.
    pub fn draw<B>(&mut self, frame: &Buffer, out: &mut B) -> io::Result<BTreeSet<u16>>
    where
        B: Backend<Error = io::Error> + Write,
    {
        let width = usize::from(frame.area.width.max(1));
        let has_any = |cells: &&[Cell]| cells.iter().any(is_cluster);
        let now: BTreeMap<u16, &[Cell]> = (frame.area.y..)
            .zip(frame.content.chunks(width))
            .filter(|(_, cells)| has_any(cells))
            .collect();
        let mut changed = BTreeSet::new();
        for y in self.shown.keys().chain(now.keys()).copied() {
            let before = self.shown.get(&y).map(Vec::as_slice);
            if before != now.get(&y).copied() {
                // What ran over the end of the row stands in the one below.
                changed.extend([y, y.saturating_add(1)]);
            }
        }
        changed.retain(|y| *y < frame.area.bottom());
        for y in &changed {
            put(frame, *y, frame.area.x..frame.area.right(), out)?;
        }
        if !changed.is_empty() {
            let now = now.into_iter().map(|(y, cells)| (y, cells.to_vec()));
            self.shown = now.collect();
        }
        Ok(changed)
    }

    /// Whether a frame has such a character, or the one before had.
    pub fn concern(&self, frame: &Buffer) -> bool {
        !self.shown.is_empty() || frame.content.iter().any(is_cluster)
    }

    /// The screen was emptied.
    pub fn forget(&mut self) {
        self.shown.clear();
    }
}

fn is_cluster(cell: &Cell) -> bool {
    cell.symbol().chars().nth(1).is_some()
}

/// Draws a part of a row as it stands in the frame.
pub(super) fn put<B>(frame: &Buffer, y: u16, range: Range<u16>, out: &mut B) -> io::Result<()>
where
    B: Backend<Error = io::Error>,
{
    let mut plain: Vec<(u16, u16, &Cell)> = Vec::new();
    let mut covered = 0;
    for x in range.clone() {
        let Some(cell) = frame.cell((x, y)) else {
            continue;
        };
        // A wide character stands in its first cell and covers the next.
        if covered > 0 {
            covered -= 1;
            continue;
        }
        let wide = columns(cell.symbol()).max(1) as u16;
        covered = wide - 1;
        if !is_cluster(cell) {
            plain.push((x, y, cell));
            continue;
        }
        // Every call begins with the place of its first cell. The blanks are for columns that we count and the
        // terminal does not.
        out.draw(plain.drain(..))?;
        let mut blank = cell.clone();
        blank.set_symbol(" ");
        let end = x.saturating_add(wide).min(range.end);
        out.draw((x..end).map(|x| (x, y, &blank)))?;
        out.draw(std::iter::once((x, y, cell)))?;
    }
    out.draw(plain.into_iter())
}

#[cfg(test)]
mod tests {
    use ratatui::{backend::CrosstermBackend, layout::Rect, style::Style};

    use super::*;

    const WIDTH: usize = 16;

    fn frame(rows: [&str; 2]) -> Buffer {
        let mut buffer = Buffer::empty(Rect::new(0, 0, WIDTH as u16, 2));
        for (y, row) in (0..).zip(rows) {
            buffer.set_string(0, y, row, Style::default());
            buffer.set_string(WIDTH as u16 - 1, y, "|", Style::default());
        }
        buffer
    }

    /// A terminal that gives every code point a cell of its own, and goes on in the next row at the end of one.
    struct EachItsCell {
        cells: [[char; WIDTH]; 3],
    }

    impl EachItsCell {
        fn process(&mut self, bytes: &str) {
            let (mut row, mut column) = (0, 0);
            let mut rest = bytes.chars();
            while let Some(c) = rest.next() {
                if c == '\x1b' {
                    let code: String = rest
                        .by_ref()
                        .take_while(|c| !c.is_ascii_alphabetic())
                        .collect();
                    // Only a place has a semicolon and no more than two numbers here.
                    let numbers: Vec<usize> = code
                        .trim_start_matches('[')
                        .split(';')
                        .filter_map(|number| number.parse().ok())
                        .collect();
                    if let [y, x] = numbers[..] {
                        (row, column) = (y - 1, x - 1);
                    }
                    continue;
                }
                if column == WIDTH {
                    (row, column) = (row + 1, 0);
                }
                self.cells[row][column] = c;
                column += 1;
            }
        }

        fn row(&self, row: usize) -> String {
            self.cells[row].iter().collect()
        }
    }

    /// What such a terminal shows after these frames.
    fn shown(frames: &[[&str; 2]]) -> (String, String) {
        let mut terminal = EachItsCell {
            cells: [[' '; WIDTH]; 3],
        };
        let mut clusters = Clusters::default();
        let mut before = Buffer::empty(Rect::new(0, 0, WIDTH as u16, 2));
        for rows in frames {
            let now = frame(*rows);
            let mut bytes = Vec::new();
            let mut out = CrosstermBackend::new(&mut bytes);
            out.draw(before.diff(&now).into_iter()).unwrap();
            clusters.draw(&now, &mut out).unwrap();
            terminal.process(&String::from_utf8(bytes).unwrap());
            before = now;
        }
        (terminal.row(0), terminal.row(1))
    }

    #[test]
    fn nothing_of_a_character_of_several_cells_stays_behind() {
        for text in ["ทำงาน น้ำ คำ", "हिन्दी", "நி", "🇩🇪 x", "e\u{301}"]
        {
            for left in ["", "a", "ab cd"] {
                let (first, second) = shown(&[[text, text], [left, "next"]]);

                assert_eq!(first, format!("{left:<15}|"), "{text}");
                assert_eq!(second, format!("{:<15}|", "next"), "{text}");
            }
        }
    }

    #[test]
    fn what_stands_behind_one_keeps_its_column() {
        let (first, second) = shown(&[["", "below"], ["நி நி நி end", "below"]]);

        assert!(first.ends_with('|'), "{first:?}");
        assert_eq!(second, format!("{:<15}|", "below"));
    }

    #[test]
    fn a_row_that_did_not_change_is_not_drawn_again() {
        let mut clusters = Clusters::default();
        let now = frame(["கி", "plain"]);
        let mut bytes = Vec::new();
        let mut out = CrosstermBackend::new(&mut bytes);

        assert_eq!(clusters.draw(&now, &mut out).unwrap(), [0, 1].into());
        assert_eq!(clusters.draw(&now, &mut out).unwrap(), [].into());
        assert!(clusters.concern(&frame(["", ""])));
        clusters.forget();
        assert!(!clusters.concern(&frame(["", ""])));
        assert_eq!(clusters.draw(&now, &mut out).unwrap(), [0, 1].into());
    }
}
