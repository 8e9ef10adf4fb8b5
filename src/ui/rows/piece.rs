//! The parts of a row. Texts in here hold no tabs, no line ends and no control characters: whoever makes a
//! [`Piece`] from outside text cleans it first (`text::sanitize`).

use std::sync::Arc;

use ratatui::style::{Modifier, Style};

use crate::{
    text::width::columns,
    ui::theme::{StyleName, Theme},
};

/// How a piece looks, as meanings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Paint {
    /// The meaning.
    pub base: StyleName,
    /// A second meaning laid over it: a changed word inside an added line.
    pub over: Option<StyleName>,
    /// Bold, italic and the like, which no theme takes away.
    pub modifier: Modifier,
}

impl Paint {
    /// One meaning.
    pub const fn of(base: StyleName) -> Self {
        Self {
            base,
            over: None,
            modifier: Modifier::empty(),
        }
    }

    /// The same in bold or italic.
    pub fn with(mut self, modifier: Modifier) -> Self {
        self.modifier |= modifier;
        self
    }

    /// What the theme makes of it.
    pub fn style(self, theme: &Theme) -> Style {
        let style = theme.style(self.base);
        match self.over {
            Some(over) => style.patch(theme.style(over)),
            None => style,
        }
        .add_modifier(self.modifier)
    }
}

impl From<StyleName> for Paint {
    fn from(base: StyleName) -> Self {
        Self::of(base)
    }
}

/// Text in one look.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Piece {
    /// The text.
    pub text: String,
    /// How it looks.
    pub paint: Paint,
    /// Where it leads, as printable ASCII.
    pub link: Option<Arc<str>>,
}

impl Piece {
    /// Text with a look.
    pub fn new(text: impl Into<String>, paint: impl Into<Paint>) -> Self {
        Self {
            text: text.into(),
            paint: paint.into(),
            link: None,
        }
    }

    /// Ordinary text.
    pub fn text(text: impl Into<String>) -> Self {
        Self::new(text, StyleName::Text)
    }

    /// Blanks.
    pub fn blank(count: usize) -> Self {
        Self::text(" ".repeat(count))
    }

    /// Columns that it takes.
    pub fn columns(&self) -> usize {
        columns(&self.text)
    }
}

/// How a row joins the row above.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Joint {
    /// It starts a line.
    #[default]
    Line,
    /// It goes on with the line; the blank between them is not shown.
    Blank,
    /// It goes on with the line; nothing is left out.
    Cut,
}

/// One row on the screen.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Row {
    /// The pieces from left to right.
    pub pieces: Vec<Piece>,
    /// Leading columns that are decoration (bars, guides, line numbers) and are not copied.
    pub gutter: usize,
    /// How it joins the row above when copied.
    pub joint: Joint,
    /// What fills the rest of the row: the background of an added line.
    pub fill: Option<StyleName>,
}

impl Row {
    /// A row of these pieces.
    pub fn new(pieces: Vec<Piece>) -> Self {
        Self {
            pieces,
            ..Self::default()
        }
    }

    /// A row of one piece.
    pub fn of(text: impl Into<String>, paint: impl Into<Paint>) -> Self {
        Self::new(vec![Piece::new(text, paint)])
    }

    /// An empty row.
    pub fn empty() -> Self {
        Self::default()
    }

    /// The same with so many leading columns as decoration.
    pub fn with_gutter(mut self, gutter: usize) -> Self {
        self.gutter = gutter;
        self
    }

    /// Columns that it takes.
    pub fn columns(&self) -> usize {
        self.pieces.iter().map(Piece::columns).sum()
    }

    /// What leads somewhere: first column, number of columns, address.
    pub fn links(&self) -> impl Iterator<Item = (usize, usize, &Arc<str>)> {
        let mut begin = 0;
        self.pieces.iter().filter_map(move |piece| {
            let (at, columns) = (begin, piece.columns());
            begin += columns;
            piece.link.as_ref().map(|link| (at, columns, link))
        })
    }

    /// The text of the whole row.
    pub fn text(&self) -> String {
        self.pieces
            .iter()
            .map(|piece| piece.text.as_str())
            .collect()
    }

    /// Puts decoration in front.
    pub fn indented(mut self, prefix: &[Piece]) -> Self {
        self.gutter += prefix.iter().map(Piece::columns).sum::<usize>();
        self.pieces.splice(0..0, prefix.iter().cloned());
        self
    }
}
