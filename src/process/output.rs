//! What a command printed: bounded in memory, whole on disk up to a cap, shown while it comes.
//!
//! Standard output and error are read as two streams (a character split between writes of one stream stays
//! whole though the other one writes in between) and laid into one text, line by line in the order in which
//! they were read. All text is plain, see `text::ansi`.

use std::path::Path;

use super::{spool::SpoolFile, whole::Whole};
use crate::text::{
    ansi::Printer,
    truncate::{ceil_boundary, grouped},
};

/// Bytes of live text that wait to be shown.
const LIVE_CAP: usize = 8_000;

/// One of a command's two streams.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stream {
    /// Standard output.
    Output,
    /// Standard error.
    Error,
}

/// A finished output.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Captured {
    /// The text; of a large one the beginning and the end, with a line between them that says what is missing.
    pub text: String,
    /// The same with shorter ends, for a model.
    pub preview: String,
    /// Lines missing in `text`.
    pub omitted_lines: usize,
    /// Bytes of the whole text.
    pub bytes: u64,
    /// The whole text, when `text` is not.
    pub file: Option<CapturedFile>,
    /// Standard output and standard error, each by itself, when there is a file.
    pub streams: Option<[Part; 2]>,
    /// Why there is no file though there should be one.
    pub file_error: Option<String>,
}

/// A text on disk.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CapturedFile {
    /// Where. It is removed when nobody took it over.
    pub path: SpoolFile,
    /// Whether even the file lacks the middle.
    pub cut: bool,
}

/// What one stream said.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Part {
    /// Nothing.
    Nothing,
    /// Everything: the other one said nothing.
    Everything,
    /// This.
    File(CapturedFile),
}

/// Collects an output while it comes.
#[derive(Debug)]
pub struct Collector {
    printers: [Printer; 2],
    /// The stream that was read last.
    last: Stream,
    text: Whole,
    /// The stream whose line is not ended yet.
    in_line: Option<Stream>,
    parts: Parts,
    live: Live,
}

/// The streams by themselves. As long as only one of them speaks, its text is the whole.
#[derive(Debug)]
enum Parts {
    None,
    One(Stream),
    Both(Box<[Whole; 2]>),
}

/// What was not shown yet.
#[derive(Debug, Default)]
struct Live {
    pending: String,
    left_out: usize,
    open_shown: String,
}

impl Collector {
    /// An empty collector whose file, if one is needed, is made in `directory`.
    pub fn new(directory: &Path) -> Self {
        Self {
            printers: [Printer::new(), Printer::new()],
            last: Stream::Output,
            text: Whole::new(directory.to_owned()),
            in_line: None,
            parts: Parts::None,
            live: Live::default(),
        }
    }

    /// Takes in what was read from a stream.
    pub fn feed(&mut self, stream: Stream, bytes: &[u8]) {
        let printer = &mut self.printers[stream as usize];
        printer.feed(bytes);
        let settled = printer.take();
        self.last = stream;
        self.settle(stream, &settled);
    }

    /// What is new since the last call, for a person who watches: a piece for `text::ansi::append`.
    pub fn live(&mut self) -> Option<String> {
        let open = self.printers[self.last as usize].open();
        let start = ceil_boundary(&open, open.len().saturating_sub(LIVE_CAP / 4));
        self.live.piece(&open[start..])
    }

    /// Ends both streams and answers the text.
    pub fn finish(mut self) -> Captured {
        let order = match self.last {
            Stream::Output => [Stream::Error, Stream::Output],
            Stream::Error => [Stream::Output, Stream::Error],
        };
        for stream in order {
            let printer = &mut self.printers[stream as usize];
            printer.finish();
            let settled = printer.take();
            self.settle(stream, &settled);
        }
        let mut captured = self.text.finish();
        if captured.file.is_some() {
            captured.streams = self.parts.finish();
        }
        captured
    }

    fn settle(&mut self, stream: Stream, settled: &str) {
        if settled.is_empty() {
            return;
        }
        self.parts.take(stream, settled, &mut self.text);
        if self.in_line.is_some_and(|other| other != stream) {
            self.text.push("\n");
            self.live.push("\n");
        }
        self.text.push(settled);
        self.live.push(settled);
        self.in_line = (!settled.ends_with('\n')).then_some(stream);
    }
}

impl Parts {
    /// Takes what a stream said. `whole` is what both said before.
    fn take(&mut self, stream: Stream, text: &str, whole: &mut Whole) {
        match self {
            Self::None => *self = Self::One(stream),
            Self::One(first) if *first == stream => {}
            Self::One(_) => {
                let mut second = whole.fresh();
                second.push(text);
                let first = whole.copy();
                *self = Self::Both(Box::new(match stream {
                    Stream::Output => [second, first],
                    Stream::Error => [first, second],
                }));
            }
            Self::Both(parts) => parts[stream as usize].push(text),
        }
    }

    /// Each stream; nothing when one could not be kept, since what they said stands in the whole too.
    fn finish(self) -> Option<[Part; 2]> {
        match self {
            Self::None => Some([Part::Nothing, Part::Nothing]),
            Self::One(Stream::Output) => Some([Part::Everything, Part::Nothing]),
            Self::One(Stream::Error) => Some([Part::Nothing, Part::Everything]),
            Self::Both(parts) => {
                let [output, error] = parts.map(|part| part.finish_on_disk().file);
                Some([Part::File(output?), Part::File(error?)])
            }
        }
    }
}

impl Live {
    fn push(&mut self, text: &str) {
        self.pending.push_str(text);
        if self.pending.len() > 2 * LIVE_CAP {
            let cut = ceil_boundary(&self.pending, self.pending.len() - LIVE_CAP);
            self.pending.drain(..cut);
            self.left_out += cut;
        }
    }

    fn piece(&mut self, open: &str) -> Option<String> {
        if self.pending.is_empty() && open == self.open_shown {
            return None;
        }
        let mut piece = String::new();
        if !self.open_shown.is_empty() {
            piece.push('\r');
        }
        match std::mem::take(&mut self.left_out) {
            0 => {}
            bytes => piece.push_str(&format!("[… {} bytes not shown live …]\n", grouped(bytes))),
        }
        piece.push_str(&std::mem::take(&mut self.pending));
        piece.push_str(open);
        self.open_shown = open.to_owned();
        Some(piece)
    }
}

#[cfg(test)]
#[path = "output_tests.rs"]
mod tests;
