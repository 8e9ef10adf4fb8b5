//! From the events of one top-level block to rows.
//!
//! One loop over the events, no recursion, so hostile nesting is drawn in bounded time.

use pulldown_cmark::{BrokenLink, CodeBlockKind, CowStr, Event, HeadingLevel, Parser, Tag, TagEnd};
use ratatui::style::Modifier;

use super::{
    code::block_rows,
    definitions::Definitions,
    inline::Inline,
    nesting::{Nesting, trimmed},
    split::{is_hostile, options},
    table::Table,
};
use crate::{
    text::{
        sanitize::clean,
        truncate::{floor_boundary, grouped},
        width::{TAB_STOP, expand_tabs},
    },
    ui::{
        highlight::Highlights,
        rows::{Flow, Paint, Piece, Row, flow},
        theme::StyleName,
    },
};

/// How much is shown of a block that is too long to be understood.
const HOSTILE_SHOWN: usize = 64 * 1_024;
/// Longest rule.
const RULE: usize = 40;

/// The rows of a block.
pub(super) struct Written {
    /// The rows.
    pub(super) rows: Vec<Row>,
    /// Whether no highlighting is still to come.
    pub(super) settled: bool,
}

/// Turns one top-level block into rows.
pub(super) fn write(
    source: &str,
    definitions: &Definitions,
    width: usize,
    highlights: &Highlights,
) -> Written {
    let width = width.max(1);
    if is_hostile(source) {
        return hostile(source, width);
    }
    // Before parsing: the parser's pieces would part an escape sequence and hide it from the cleaner.
    let source = &*clean(source);
    let mut writer = Writer {
        width,
        highlights,
        rows: Vec::new(),
        settled: true,
        nesting: Nesting::default(),
        inline: Inline::default(),
        code: None,
        table: None,
        cells: Vec::new(),
    };
    let resolve = |link: BrokenLink<'_>| {
        definitions
            .get(&link.reference)
            .map(|target| (CowStr::from(target.to_owned()), CowStr::from("")))
    };
    for event in Parser::new_with_broken_link_callback(source, options(), Some(resolve)) {
        writer.take(event);
    }
    writer.flush();
    Written {
        rows: writer.rows,
        settled: writer.settled,
    }
}

/// Whether the end of a block is not shown.
pub(super) fn is_cut(source: &str) -> bool {
    source.len() > HOSTILE_SHOWN && is_hostile(source)
}

/// The beginning of a text that is no prose, and how much is not shown.
fn hostile(source: &str, width: usize) -> Written {
    let end = floor_boundary(source, HOSTILE_SHOWN);
    let shown = source.get(..end).unwrap_or_default();
    let text = expand_tabs(&clean(shown), 0, TAB_STOP).into_owned();
    let mut rows = flow(&[Piece::text(text)], &Flow::anywhere(width));
    if end < source.len() {
        let note = format!(
            "… {} bytes more: open this to read them",
            grouped(source.len() - end)
        );
        rows.push(Row::of(note, StyleName::Dim));
    }
    Written {
        rows,
        settled: true,
    }
}

struct Writer<'a> {
    width: usize,
    highlights: &'a Highlights,
    rows: Vec<Row>,
    settled: bool,
    nesting: Nesting,
    inline: Inline,
    /// Language and text of the open block of code.
    code: Option<(String, String)>,
    table: Option<Table>,
    cells: Vec<Vec<Piece>>,
}

impl Writer<'_> {
    fn take(&mut self, event: Event<'_>) {
        match event {
            Event::Start(tag) => self.start(&tag),
            Event::End(tag) => self.end(tag),
            Event::Text(text) => match &mut self.code {
                Some((_, code)) => code.push_str(&text),
                None => self.inline.text(&text),
            },
            Event::Code(text) => self.inline.code(&text),
            Event::Html(text) => match &mut self.code {
                Some((_, code)) => code.push_str(&text),
                None => self.inline.html(&text),
            },
            Event::InlineHtml(text) => self.inline.html(&text),
            Event::SoftBreak => self.inline.text(" "),
            Event::HardBreak => self.inline.hard_break(),
            Event::Rule => self.rule(),
            Event::TaskListMarker(done) => self.nesting.task(done),
            Event::FootnoteReference(text) | Event::InlineMath(text) | Event::DisplayMath(text) => {
                self.inline.text(&text);
            }
        }
    }

    fn start(&mut self, tag: &Tag<'_>) {
        if self.inline.start(tag) {
            return;
        }
        match tag {
            Tag::TableHead | Tag::TableRow | Tag::TableCell => return,
            _ => self.flush(),
        }
        match tag {
            Tag::Paragraph => self.nesting.loosen(),
            Tag::Heading { level, .. } => self.inline.base = Some(heading(*level)),
            Tag::BlockQuote(_) => {
                self.open();
                self.nesting.quote();
                self.inline.base = Some(Paint::of(StyleName::Quote));
            }
            Tag::CodeBlock(kind) => {
                let language = match kind {
                    CodeBlockKind::Fenced(word) => word.to_string(),
                    CodeBlockKind::Indented => String::new(),
                };
                self.code = Some((language, String::new()));
            }
            Tag::HtmlBlock => self.code = Some(("html".to_owned(), String::new())),
            Tag::List(next) => {
                self.open();
                self.nesting.list(*next);
            }
            Tag::Item => {
                self.open();
                self.nesting.item();
            }
            Tag::Table(alignments) => {
                self.table = Some(Table {
                    alignments: alignments.clone(),
                    ..Table::default()
                });
            }
            _ => {}
        }
    }

    fn end(&mut self, tag: TagEnd) {
        match tag {
            TagEnd::Paragraph => self.flush(),
            TagEnd::Heading(_) => {
                self.flush();
                self.inline.base = self.nesting.paint();
            }
            TagEnd::BlockQuote(_) => {
                self.flush();
                self.nesting.close();
                self.inline.base = self.nesting.paint();
            }
            TagEnd::CodeBlock | TagEnd::HtmlBlock => self.end_code(),
            TagEnd::List(_) => self.nesting.close(),
            TagEnd::Item => self.end_item(),
            TagEnd::Table => self.end_table(),
            TagEnd::TableHead => {
                let cells = std::mem::take(&mut self.cells);
                if let Some(table) = &mut self.table {
                    table.head = cells;
                }
            }
            TagEnd::TableRow => {
                let cells = std::mem::take(&mut self.cells);
                if let Some(table) = &mut self.table {
                    table.rows.push(cells);
                }
            }
            TagEnd::TableCell => {
                let cell = self.inline.take();
                self.cells.push(cell);
            }
            other => self.inline.end(other),
        }
    }

    fn end_item(&mut self) {
        if self.nesting.is_bare() && self.inline.is_empty() {
            self.emit(&[], true);
        } else {
            self.flush();
        }
        self.nesting.close();
    }

    /// Begins a block and parts it from the one before.
    fn open(&mut self) {
        if self.nesting.open() {
            let (_, rest) = self.nesting.prefix(self.width);
            self.rows.push(Row::empty().indented(&trimmed(rest)));
        }
    }

    /// Writes what was said so far as a block of words.
    fn flush(&mut self) {
        if self.inline.is_empty() {
            return;
        }
        let pieces = self.inline.take();
        self.emit(&pieces, true);
    }

    fn emit(&mut self, pieces: &[Piece], words: bool) {
        self.open();
        let (first, rest) = self.nesting.prefix(self.width);
        self.nesting.mark_shown();
        let how = Flow {
            width: self.width,
            first: &first,
            rest: &rest,
            words,
        };
        self.rows.extend(flow(pieces, &how));
    }

    /// Writes finished rows as a block.
    fn emit_rows(&mut self, make: impl FnOnce(usize) -> Vec<Row>) {
        self.open();
        let (first, rest) = self.nesting.prefix(self.width);
        self.nesting.mark_shown();
        let taken: usize = rest.iter().map(Piece::columns).sum();
        let rows = make(self.width.saturating_sub(taken).max(1));
        for (index, row) in rows.into_iter().enumerate() {
            let prefix = if index == 0 { &first } else { &rest };
            self.rows.push(row.indented(prefix));
        }
    }

    fn end_code(&mut self) {
        let Some((language, code)) = self.code.take() else {
            return;
        };
        let highlights = self.highlights;
        let mut settled = true;
        self.emit_rows(|width| {
            let (rows, done) = block_rows(&code, &language, width, highlights);
            settled = done;
            rows
        });
        self.settled &= settled;
    }

    fn end_table(&mut self) {
        if let Some(table) = self.table.take() {
            self.emit_rows(|width| table.draw(width));
        }
    }

    fn rule(&mut self) {
        self.flush();
        self.emit_rows(|width| vec![Row::of("─".repeat(width.min(RULE)), StyleName::Faint)]);
    }
}

fn heading(level: HeadingLevel) -> Paint {
    let paint = Paint::of(StyleName::Heading).with(Modifier::BOLD);
    match level {
        HeadingLevel::H1 => paint.with(Modifier::UNDERLINED),
        HeadingLevel::H2 => paint,
        _ => paint.with(Modifier::ITALIC),
    }
}
