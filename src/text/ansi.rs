//! Output of programs as plain text, fed in pieces of any size.
//!
//! What a terminal would show is kept, how it would get there is not: progress lines that go back to their start
//! collapse into their last state, backspaces and erasing are obeyed, colours and all other sequences are dropped.
//! The same bytes give the same text however they are cut into pieces, characters and sequences split between
//! pieces included, and no sequence can swallow more than the line on which it starts.

use vte::{Params, Parser, Perform};

use super::overprint::Line;

/// Lines above the last one that a program may go back up to, once it has shown that it does.
const MOST_LINES_UP: usize = 64;
/// A line longer than this is settled in parts; a return then goes back to the start of its last part.
const LONGEST_OPEN_LINE: usize = 64 * 1024;
/// The parser is looked after at multiples of this many bytes.
const CHECK_EVERY: usize = 4096;
/// Checks without any effect after which a sequence counts as broken.
const CHECKS_WITHOUT_EFFECT: usize = 256;

/// Turns the bytes of one stream into text.
///
/// Text is *settled* when the program can no longer change it, else *open*.
pub struct Printer {
    parser: Parser,
    page: Page,
    /// The beginning of a character whose end has not come: the parser loses characters when it gets pieces of
    /// them.
    held: Vec<u8>,
    fed: usize,
    idle_checks: usize,
}

impl Default for Printer {
    fn default() -> Self {
        Self::new()
    }
}

impl std::fmt::Debug for Printer {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter
            .debug_struct("Printer")
            .field("fed", &self.fed)
            .field("open", &self.open())
            .finish()
    }
}

impl Printer {
    /// A printer on an empty page.
    pub fn new() -> Self {
        Self {
            parser: Parser::new(),
            page: Page::default(),
            held: Vec::new(),
            fed: 0,
            idle_checks: 0,
        }
    }

    /// Reads a piece of output.
    pub fn feed(&mut self, bytes: &[u8]) {
        let mut rest = bytes;
        while !rest.is_empty() {
            let room = CHECK_EVERY - self.fed % CHECK_EVERY;
            let limit = rest.len().min(room);
            let end = rest[..limit]
                .iter()
                .position(|byte| *byte == b'\n')
                .map_or(limit, |at| at + 1);
            let (piece, behind) = rest.split_at(end);
            self.feed_line(piece);
            rest = behind;
        }
    }

    /// Ends the stream: an unfinished character becomes U+FFFD, and everything is settled.
    pub fn finish(&mut self) {
        // A string terminator ends whatever sequence or character is unfinished.
        self.held.extend(b"\x1b\\");
        let rest = std::mem::take(&mut self.held);
        self.parser.advance(&mut self.page, &rest);
        self.parser = Parser::new();
        self.page.settle_all();
    }

    /// The text that was settled since the last call.
    pub fn take(&mut self) -> String {
        std::mem::take(&mut self.page.settled)
    }

    /// The part of the last line that may still change.
    pub fn open(&self) -> String {
        self.page.last().map(Line::text).unwrap_or_default()
    }

    /// Bytes read so far.
    pub fn bytes(&self) -> usize {
        self.fed
    }

    fn advance(&mut self, piece: &[u8]) {
        let mut joined = std::mem::take(&mut self.held);
        let bytes = if joined.is_empty() {
            piece
        } else {
            joined.extend(piece);
            &joined
        };
        let (whole, begun) = bytes.split_at(bytes.len() - unfinished_character(bytes));
        self.held.extend(begun);
        self.parser.advance(&mut self.page, whole);
    }

    /// Reads up to and including a newline, or up to a check.
    fn feed_line(&mut self, piece: &[u8]) {
        self.page.newlines = 0;
        self.advance(piece);
        self.fed += piece.len();
        if piece.ends_with(b"\n") && self.page.newlines == 0 {
            // A string sequence has swallowed the newline: it will hardly ever end.
            self.parser = Parser::new();
            self.page.newline();
        }
        if self.fed.is_multiple_of(CHECK_EVERY) {
            let effects = std::mem::take(&mut self.page.effects);
            self.idle_checks = if effects == 0 {
                self.idle_checks + 1
            } else {
                0
            };
            if self.idle_checks > CHECKS_WITHOUT_EFFECT {
                self.parser = Parser::new();
                self.idle_checks = 0;
            }
        }
    }
}

/// Bytes at the end that are the beginning of a character.
fn unfinished_character(bytes: &[u8]) -> usize {
    let longest = bytes.len().min(3);
    (1..=longest)
        .rev()
        .find(|length| {
            let end = &bytes[bytes.len() - length..];
            std::str::from_utf8(end)
                .is_err_and(|error| error.valid_up_to() == 0 && error.error_len().is_none())
        })
        .unwrap_or(0)
}

/// The text of a whole output.
pub fn plain(bytes: &[u8]) -> String {
    let mut printer = Printer::new();
    printer.feed(bytes);
    printer.finish();
    printer.take()
}

/// Adds a piece of live output to what is shown and keeps the last `limit` bytes of it. A `\r` in a piece takes
/// back the line that is not ended yet.
pub fn append(shown: &mut String, piece: &str, limit: usize) {
    for (number, part) in piece.split('\r').enumerate() {
        if number > 0 {
            let line = shown.rfind('\n').map_or(0, |at| at + 1);
            shown.truncate(line);
        }
        shown.push_str(part);
    }
    if shown.len() > limit {
        let cut = shown.ceil_char_boundary(shown.len() - limit);
        let line = shown.as_bytes()[cut - 1..]
            .iter()
            .position(|byte| *byte == b'\n')
            .map_or(cut, |at| cut + at);
        shown.drain(..if line < shown.len() { line } else { cut });
    }
}

/// The lines that may still change, the settled text above them.
#[derive(Default)]
struct Page {
    settled: String,
    open: Vec<Line>,
    row: usize,
    /// How far up the program has gone so far.
    reach: usize,
    returned: bool,
    effects: usize,
    newlines: usize,
}

impl Page {
    fn last(&self) -> Option<&Line> {
        self.open.iter().rev().find(|line| !line.is_empty())
    }

    fn line(&mut self) -> &mut Line {
        while self.open.len() <= self.row {
            self.open.push(Line::default());
        }
        &mut self.open[self.row]
    }

    fn newline(&mut self) {
        self.effects += 1;
        self.returned = false;
        self.down(1);
        self.line().home();
    }

    fn down(&mut self, rows: usize) {
        self.row += rows;
        self.line();
        while self.open.len() > self.reach + 1 && self.row > 0 {
            let line = self.open.remove(0).take();
            self.settled.push_str(&line);
            self.settled.push('\n');
            self.row -= 1;
        }
    }

    fn up(&mut self, rows: usize) {
        self.reach = self.reach.max(rows.min(MOST_LINES_UP));
        self.go_to_row(self.row.saturating_sub(rows));
    }

    /// Moves straight up or down.
    fn go_to_row(&mut self, row: usize) {
        let column = self.line().column();
        self.row = row;
        match column {
            0 => self.line().home(),
            _ => self.line().go_to(column),
        }
    }

    fn settle_all(&mut self) {
        for (number, mut line) in std::mem::take(&mut self.open).into_iter().enumerate() {
            if number > 0 {
                self.settled.push('\n');
            }
            self.settled.push_str(&line.take());
        }
        self.row = 0;
        self.returned = false;
    }

    /// Carries out a return that was not followed by a newline.
    fn settle_return(&mut self) {
        if std::mem::take(&mut self.returned) {
            self.line().home();
        }
    }

    /// Settles the beginning of a line that has grown too long, and the lines above it.
    fn settle_long_line(&mut self) {
        if self.line().size() <= LONGEST_OPEN_LINE {
            return;
        }
        for mut above in self.open.drain(..self.row) {
            self.settled.push_str(&above.take());
            self.settled.push('\n');
        }
        self.row = 0;
        let part = self.line().take();
        self.settled.push_str(&part);
    }
}

impl Perform for Page {
    fn print(&mut self, character: char) {
        self.effects += 1;
        self.settle_return();
        self.line().print(character);
        self.settle_long_line();
    }

    fn execute(&mut self, byte: u8) {
        self.effects += 1;
        match byte {
            b'\n' => {
                self.newlines += 1;
                self.newline();
            }
            0x0b | 0x0c => self.newline(),
            b'\r' => self.returned = true,
            b'\t' => {
                self.settle_return();
                self.line().tab();
                self.settle_long_line();
            }
            0x08 => {
                self.settle_return();
                self.line().go_by(-1);
            }
            _ => {}
        }
    }

    fn csi_dispatch(&mut self, params: &Params, marks: &[u8], ignore: bool, action: char) {
        self.effects += 1;
        if ignore || !marks.is_empty() {
            return;
        }
        let mut numbers = params.iter().map(|values| values.first().copied());
        let first = numbers
            .next()
            .flatten()
            .map(usize::from)
            .unwrap_or_default();
        let count = first.max(1);
        self.settle_return();
        match action {
            'A' => self.up(count),
            'B' => self.go_to_row((self.row + count).min(self.open.len().saturating_sub(1))),
            'C' => self.line().go_by(count as isize),
            'D' => self.line().go_by(-(count as isize)),
            'E' => {
                self.down(count.min(MOST_LINES_UP));
                self.line().home();
            }
            'F' => {
                self.up(count);
                self.line().home();
            }
            'G' | '`' => self.line().go_to(count - 1),
            // Text that is placed on a screen is not glued to what was there.
            'H' | 'f' if !self.line().is_empty() => self.newline(),
            'J' if first == 0 => {
                self.line().erase_end();
                let row = self.row;
                self.open.truncate(row + 1);
            }
            'K' => match first {
                0 => self.line().erase_end(),
                1 => self.line().erase_start(),
                _ => self.line().erase(),
            },
            _ => {}
        }
    }

    fn esc_dispatch(&mut self, marks: &[u8], _ignore: bool, byte: u8) {
        self.effects += 1;
        match (marks, byte) {
            ([], b'D' | b'E') => self.newline(),
            ([], b'M') => self.up(1),
            _ => {}
        }
    }

    fn osc_dispatch(&mut self, _params: &[&[u8]], _bell_terminated: bool) {
        self.effects += 1;
    }
}

#[cfg(test)]
#[path = "ansi_tests.rs"]
mod tests;
