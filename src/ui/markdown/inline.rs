//! Words and their looks inside one paragraph, heading or table cell.

use std::sync::Arc;

use pulldown_cmark::{LinkType, Tag, TagEnd};
use ratatui::style::Modifier;

use super::link::address;
use crate::{
    text::{sanitize::clean, width::TAB_STOP},
    ui::{
        rows::{Paint, Piece},
        theme::StyleName,
    },
};

/// Collects the pieces of one run of words.
#[derive(Debug, Default)]
pub(super) struct Inline {
    pieces: Vec<Piece>,
    strong: usize,
    emphasis: usize,
    strike: usize,
    links: Vec<Link>,
    /// Look of plain words here: a heading's or a quote's.
    pub(super) base: Option<Paint>,
}

#[derive(Debug)]
struct Link {
    target: String,
    /// Number of pieces when it began.
    from: usize,
    /// Whether the target is said anyway.
    automatic: bool,
    is_email: bool,
}

impl Inline {
    /// Whether nothing was written yet.
    pub(super) fn is_empty(&self) -> bool {
        self.pieces.is_empty()
    }

    /// The pieces written so far.
    pub(super) fn take(&mut self) -> Vec<Piece> {
        self.links.clear();
        std::mem::take(&mut self.pieces)
    }

    /// Plain words.
    pub(super) fn text(&mut self, text: &str) {
        let paint = self.paint();
        self.write(text, paint);
    }

    /// Inline code.
    pub(super) fn code(&mut self, text: &str) {
        let mut paint = Paint::of(StyleName::CodeInline);
        paint.modifier = self.modifier();
        self.write(text, paint);
    }

    /// HTML as it was written.
    pub(super) fn html(&mut self, text: &str) {
        self.write(text, Paint::of(StyleName::Dim));
    }

    /// A line break that must stay.
    pub(super) fn hard_break(&mut self) {
        let paint = self.paint();
        self.put("\n", paint);
    }

    /// An element begins. Says whether it is one of words.
    pub(super) fn start(&mut self, tag: &Tag<'_>) -> bool {
        match tag {
            Tag::Emphasis => self.emphasis += 1,
            Tag::Strong => self.strong += 1,
            Tag::Strikethrough => self.strike += 1,
            Tag::Link {
                link_type,
                dest_url,
                ..
            } => self.links.push(Link {
                target: clean(dest_url).into_owned(),
                from: self.pieces.len(),
                automatic: matches!(link_type, LinkType::Autolink | LinkType::Email),
                is_email: matches!(link_type, LinkType::Email),
            }),
            Tag::Image { dest_url, .. } => {
                self.put("image: ", Paint::of(StyleName::Dim));
                self.links.push(Link {
                    target: clean(dest_url).into_owned(),
                    from: self.pieces.len(),
                    automatic: false,
                    is_email: false,
                });
            }
            _ => return false,
        }
        true
    }

    /// An element ends.
    pub(super) fn end(&mut self, tag: TagEnd) {
        match tag {
            TagEnd::Emphasis => self.emphasis = self.emphasis.saturating_sub(1),
            TagEnd::Strong => self.strong = self.strong.saturating_sub(1),
            TagEnd::Strikethrough => self.strike = self.strike.saturating_sub(1),
            TagEnd::Link | TagEnd::Image => {
                if let Some(link) = self.links.pop() {
                    self.end_link(&link);
                }
            }
            _ => {}
        }
    }

    /// Says where a link leads unless its words are the target.
    fn end_link(&mut self, link: &Link) {
        let said: String = self
            .pieces
            .get(link.from..)
            .unwrap_or_default()
            .iter()
            .map(|piece| piece.text.as_str())
            .collect();
        let known = link.automatic || link.target.is_empty() || said == link.target;
        if !known {
            self.put(&format!(" ({})", link.target), Paint::of(StyleName::Faint));
        }
        if let Some(address) = address(&link.target, link.is_email) {
            for piece in self.pieces.iter_mut().skip(link.from) {
                piece.link = Some(Arc::clone(&address));
            }
        }
    }

    fn paint(&self) -> Paint {
        let base = self.base.unwrap_or(Paint::of(StyleName::Text));
        let mut paint = if self.links.is_empty() {
            base
        } else {
            Paint::of(StyleName::Link).with(Modifier::UNDERLINED)
        };
        paint.modifier |= base.modifier | self.modifier();
        paint
    }

    fn modifier(&self) -> Modifier {
        let mut modifier = Modifier::empty();
        if self.strong > 0 {
            modifier |= Modifier::BOLD;
        }
        if self.emphasis > 0 {
            modifier |= Modifier::ITALIC;
        }
        if self.strike > 0 {
            modifier |= Modifier::CROSSED_OUT;
        }
        modifier
    }

    fn write(&mut self, text: &str, paint: Paint) {
        let cleaned = clean(text);
        if cleaned.contains('\t') {
            self.put(&cleaned.replace('\t', &" ".repeat(TAB_STOP)), paint);
        } else {
            self.put(&cleaned, paint);
        }
    }

    fn put(&mut self, text: &str, paint: Paint) {
        let joins = self
            .links
            .last()
            .is_none_or(|link| link.from < self.pieces.len());
        match self.pieces.last_mut() {
            Some(last) if joins && last.link.is_none() && last.paint == paint => {
                last.text.push_str(text);
            }
            _ if text.is_empty() => {}
            _ => self.pieces.push(Piece::new(text, paint)),
        }
    }
}
