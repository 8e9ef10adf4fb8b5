//! Links in the terminal (OSC 8). The drawing library knows cells and no links, so what it has drawn of a link is drawn
//! once more between the sequences that open and close one: only where a link or its cells changed.

use std::{
    collections::BTreeSet,
    io::{self, Write},
    sync::Arc,
};

use ratatui::{
    backend::Backend,
    buffer::{Buffer, Cell},
    layout::Position,
};

use super::clusters;

const CLOSE: &[u8] = b"\x1b]8;;\x1b\\";

/// A part of a row that leads somewhere. The address is printable ASCII.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Link {
    /// Where it begins.
    pub at: Position,
    /// How many columns it takes.
    pub columns: u16,
    /// Where it leads.
    pub address: Arc<str>,
}

/// The links that are on the screen.
#[derive(Debug, Default)]
pub struct Links {
    shown: Vec<Shown>,
}

/// A link as it was drawn.
#[derive(Debug, PartialEq)]
struct Shown {
    link: Link,
    cells: Vec<Cell>,
}

impl Shown {
    fn of(link: Link, buffer: &Buffer) -> Self {
        let cells = columns(&link).filter_map(|at| buffer.cell(at)).cloned();
        Self {
            cells: cells.collect(),
            link,
        }
    }
}

impl Links {
    /// Puts links over the frame that was just drawn; says whether anything was written.
    pub fn draw<B>(&mut self, links: Vec<Link>, frame: &Buffer, out: &mut B) -> io::Result<bool>
    where
        B: Backend<Error = io::Error> + Write,
    {
        let new: Vec<Shown> = links
            .into_iter()
            .map(|link| Shown::of(link, frame))
            .collect();
        let old = std::mem::replace(&mut self.shown, new);
        let mut wrote = false;
        // What leads nowhere any more first: a link may stand there now.
        for gone in old.iter().filter(|old| !self.shown.contains(old)) {
            cells(&gone.link, frame, out)?;
            wrote = true;
        }
        for shown in &self.shown {
            let is_untouched = old.contains(shown)
                && !old
                    .iter()
                    .any(|gone| !self.shown.contains(gone) && overlap(&gone.link, &shown.link));
            if is_untouched {
                continue;
            }
            write!(out, "\x1b]8;;{}\x1b\\", shown.link.address)?;
            cells(&shown.link, frame, out)?;
            out.write_all(CLOSE)?;
            wrote = true;
        }
        Ok(wrote)
    }

    /// Whether none is on the screen.
    pub fn is_empty(&self) -> bool {
        self.shown.is_empty()
    }

    /// These rows were drawn again, without their links.
    pub fn forget_rows(&mut self, rows: &BTreeSet<u16>) {
        self.shown.retain(|shown| !rows.contains(&shown.link.at.y));
    }

    /// The screen was emptied.
    pub fn forget(&mut self) {
        self.shown.clear();
    }
}

fn overlap(one: &Link, other: &Link) -> bool {
    one.at.y == other.at.y
        && one.at.x < other.at.x + other.columns
        && other.at.x < one.at.x + one.columns
}

fn columns(link: &Link) -> impl Iterator<Item = Position> {
    let Position { x, y } = link.at;
    (x..x.saturating_add(link.columns)).map(move |x| Position { x, y })
}

/// Draws the cells of a link as they stand in the frame.
fn cells<B>(link: &Link, frame: &Buffer, out: &mut B) -> io::Result<()>
where
    B: Backend<Error = io::Error>,
{
    let Position { x, y } = link.at;
    clusters::put(frame, y, x..x.saturating_add(link.columns), out)
}

/// Whether a terminal of this kind (`TERM`) passes over the sequences when it knows no links.
pub fn are_known(term: &str) -> bool {
    let plain = ["linux", "dumb", "vt", "cons", "sun"];
    !term.is_empty() && !plain.iter().any(|name| term.starts_with(name))
}

#[cfg(test)]
mod tests {
    use ratatui::{backend::CrosstermBackend, layout::Rect, style::Style};

    use super::*;

    fn frame(text: &str) -> Buffer {
        let mut buffer = Buffer::empty(Rect::new(0, 0, 20, 2));
        buffer.set_string(0, 1, text, Style::default());
        buffer
    }

    fn link(x: u16, columns: u16, address: &str) -> Link {
        Link {
            at: Position { x, y: 1 },
            columns,
            address: address.into(),
        }
    }

    fn drawn(links: &mut Links, now: Vec<Link>, frame: &Buffer) -> String {
        let mut bytes = Vec::new();
        let mut out = CrosstermBackend::new(&mut bytes);
        let wrote = links.draw(now, frame, &mut out).unwrap();
        let text = String::from_utf8(bytes).unwrap();
        assert_eq!(wrote, !text.is_empty());
        text
    }

    #[test]
    fn a_link_is_opened_and_closed_around_its_cells_and_drawn_once() {
        let mut links = Links::default();
        let frame = frame("see 各 here");
        let there = link(4, 7, "https://a.b");

        let text = drawn(&mut links, vec![there.clone()], &frame);
        let opened = text.find("\x1b]8;;https://a.b\x1b\\").expect("opened");
        let words = text.find("here").expect("its words");
        assert!(
            opened < words && text.ends_with("\x1b]8;;\x1b\\"),
            "{text:?}"
        );
        assert_eq!(drawn(&mut links, vec![there.clone()], &frame), "");

        links.forget();
        assert_eq!(drawn(&mut links, vec![there], &frame), text);
    }

    #[test]
    fn what_leads_nowhere_any_more_is_drawn_without_a_link() {
        let mut links = Links::default();
        let frame = frame("see there");
        drawn(&mut links, vec![link(4, 5, "https://a.b")], &frame);

        let text = drawn(&mut links, Vec::new(), &frame);
        assert!(text.contains("there") && !text.contains("]8;"), "{text:?}");
        assert_eq!(drawn(&mut links, Vec::new(), &frame), "");
    }

    #[test]
    fn a_link_whose_cells_or_address_changed_is_drawn_again() {
        let mut links = Links::default();
        drawn(
            &mut links,
            vec![link(4, 5, "https://a.b")],
            &frame("see there"),
        );

        let text = drawn(
            &mut links,
            vec![link(4, 5, "https://a.b")],
            &frame("see where"),
        );
        assert!(text.contains("https://a.b"), "{text:?}");
        let text = drawn(
            &mut links,
            vec![link(4, 5, "https://c.d")],
            &frame("see where"),
        );
        assert!(
            text.contains("https://c.d") && !text.contains("https://a.b"),
            "{text:?}"
        );
    }

    #[test]
    fn terminals_that_would_show_the_sequences_get_none() {
        assert!(are_known("xterm-256color") && are_known("tmux-256color"));
        for plain in ["linux", "dumb", "vt100", ""] {
            assert!(!are_known(plain), "{plain}");
        }
    }
}
