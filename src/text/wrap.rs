//! Breaking text into rows of a given width.
//!
//! Rows are byte ranges into the text: nothing is copied, so a caller slices styled spans with the same ranges.
//! Laid end to end, the ranges from [`Row::start`] to [`Row::next`] are the whole text. No grapheme is split, and
//! the time is linear in the length of the text, however long a line is.

use std::ops::Range;

use super::width::{TAB_STOP, advance, grapheme_columns, graphemes};

/// One row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Row {
    /// Where the shown part begins.
    pub start: usize,
    /// Where the shown part ends. Blanks at a break and the line's end lie behind it.
    pub end: usize,
    /// Where the next row begins.
    pub next: usize,
    /// Whether this row goes on with the line of the row above.
    pub continues: bool,
}

impl Row {
    /// The shown part.
    pub fn range(&self) -> Range<usize> {
        self.start..self.end
    }

    /// The shown part of `text`, which must be the text that was wrapped.
    pub fn of<'text>(&self, text: &'text str) -> &'text str {
        text.get(self.start..self.end).unwrap_or_default()
    }
}

/// How to wrap.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wrap {
    /// Columns of the first row of a line; 0 counts as 1.
    pub first: usize,
    /// Columns of the rows that go on with a line; 0 counts as 1.
    pub rest: usize,
    /// Columns from one tab stop to the next.
    pub tab_stop: usize,
    /// Whether rows break between words (else anywhere).
    pub words: bool,
}

impl Wrap {
    /// Between words, at this width.
    pub fn words(width: usize) -> Self {
        Self {
            first: width,
            rest: width,
            tab_stop: TAB_STOP,
            words: true,
        }
    }

    /// Anywhere, at this width: for code and program output. Behind a blank where one stands in the last third.
    pub fn anywhere(width: usize) -> Self {
        Self {
            words: false,
            ..Self::words(width)
        }
    }

    /// With `columns` less in rows that go on with a line.
    pub fn hanging(self, columns: usize) -> Self {
        Self {
            rest: self.rest.saturating_sub(columns),
            ..self
        }
    }

    /// The rows of a text, made as they are asked for. A text has at least one row; a newline at its very end
    /// opens no row of its own.
    pub fn rows(self, text: &str) -> Rows<'_> {
        Rows {
            wrap: self,
            text,
            at: 0,
            continues: false,
            done: false,
        }
    }
}

/// The rows of `text`, broken between words at `width` columns.
pub fn wrap(text: &str, width: usize) -> Vec<Row> {
    Wrap::words(width).rows(text).collect()
}

/// The rows of a text.
#[derive(Clone, Debug)]
pub struct Rows<'text> {
    wrap: Wrap,
    text: &'text str,
    at: usize,
    continues: bool,
    done: bool,
}

impl Iterator for Rows<'_> {
    type Item = Row;

    fn next(&mut self) -> Option<Row> {
        if self.done {
            return None;
        }
        let row = self.row();
        self.at = row.next;
        self.done = row.next >= self.text.len();
        self.continues = !self.text[..row.next].ends_with('\n');
        Some(row)
    }
}

impl Rows<'_> {
    fn row(&self) -> Row {
        let start = self.at;
        let limit = if self.continues {
            self.wrap.rest
        } else {
            self.wrap.first
        }
        .max(1);
        let mut column = 0;
        let mut scan = Scan::default();
        let mut soft = None;
        for (offset, grapheme) in graphemes(&self.text[start..]) {
            let offset = start + offset;
            if grapheme.ends_with('\n') {
                return self.row_of(start, offset, offset + grapheme.len());
            }
            if self.wrap.words {
                scan.see(offset, grapheme);
            }
            let after = advance(column, grapheme, self.wrap.tab_stop);
            if after > limit && after > column && offset > start {
                return match soft {
                    Some(end) if !self.wrap.words && grapheme != " " => {
                        self.row_of(start, end, end)
                    }
                    _ => self.overflow(start, offset, &scan),
                };
            }
            column = after;
            // Code breaks behind a blank where one stands near the end of the row: nothing of it is left out.
            if grapheme == " " && column * 3 >= limit * 2 {
                soft = Some(offset + grapheme.len());
            }
        }
        self.row_of(start, self.text.len(), self.text.len())
    }

    /// The row that the grapheme at `offset` no longer fits into.
    fn overflow(&self, start: usize, offset: usize, scan: &Scan) -> Row {
        if scan.blank && scan.word_end > 0 {
            let blanks = self.text[offset..]
                .find(|character| !matches!(character, ' ' | '\t' | '\u{3000}'))
                .map_or(self.text.len(), |length| offset + length);
            let rest = &self.text[blanks..];
            let newline = ["\n", "\r\n"].into_iter().find(|end| rest.starts_with(end));
            return self.row_of(start, scan.word_end, blanks + newline.map_or(0, str::len));
        }
        match scan.breaking {
            Some((end, next)) if !scan.blank => self.row_of(start, end, next),
            _ => self.row_of(start, offset, offset),
        }
    }

    fn row_of(&self, start: usize, end: usize, next: usize) -> Row {
        Row {
            start,
            end,
            next,
            continues: self.continues,
        }
    }
}

/// What was seen of a row so far, to find where it may end.
#[derive(Default)]
struct Scan {
    /// The last place where the row may end, and where the next one would begin.
    breaking: Option<(usize, usize)>,
    /// End of the last word; 0 while only indentation was seen, which is never parted from its word.
    word_end: usize,
    /// Whether the last grapheme was a blank.
    blank: bool,
    /// Whether the last grapheme was a wide one (such as an ideograph), which may end a row.
    wide: bool,
}

impl Scan {
    fn see(&mut self, offset: usize, grapheme: &str) {
        if matches!(grapheme, " " | "\t" | "\u{3000}") {
            self.blank = true;
            self.wide = false;
            return;
        }
        let wide = !grapheme.is_ascii() && grapheme_columns(grapheme) > 1;
        let parts = self.blank || ((self.wide || wide) && !grapheme.starts_with(NEVER_FIRST));
        if self.word_end > 0 && parts {
            self.breaking = Some((self.word_end, offset));
        }
        self.word_end = offset + grapheme.len();
        self.blank = false;
        self.wide = wide;
    }
}

/// Marks that never begin a row beside ideographs.
const NEVER_FIRST: &[char] = &[
    '、', '。', '，', '．', '：', '；', '！', '？', '）', '」', '』', '】', '〉', '》', '〕', '］',
    '｝', 'ー', '々', ',', '.', ':', ';', '!', '?', ')', ']', '}',
];

#[cfg(test)]
#[path = "wrap_tests.rs"]
mod tests;
