//! What a command printed: bounded in memory, whole on disk up to a cap, shown while it comes.
//!
//! Standard output and error are read as two streams (a character split between writes of one stream stays
//! whole though the other one writes in between) and laid into one text, line by line in the order in which
//! they were read. All text is plain, see `text::ansi`.

use std::{
    fs::File,
    io::{self, BufWriter, Write as _},
    path::{Path, PathBuf},
};

use super::spool::SpoolFile;
use crate::text::{
    ansi::Printer,
    truncate::{ceil_boundary, floor_boundary, grouped, omission},
};

/// An output up to this size is answered whole.
const WHOLE_INLINE: usize = 30_000;
/// Bytes of the beginning of a larger one.
const HEAD: usize = 6_000;
/// Bytes of its end.
const TAIL: usize = 12_000;
/// Bytes of the end that are kept in memory, for the file's end and the answer's.
const END_IN_MEMORY: usize = 256 << 10;
/// Bytes that go to the file before only the end is kept.
const FILE_CAP: u64 = 63 << 20;
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
    /// Lines missing in `text`.
    pub omitted_lines: usize,
    /// Bytes of the whole text.
    pub bytes: u64,
    /// The whole text, when `text` is not.
    pub file: Option<CapturedFile>,
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

/// Collects an output while it comes.
#[derive(Debug)]
pub struct Collector {
    printers: [Printer; 2],
    /// The stream that was read last.
    last: Stream,
    text: Whole,
    live: Live,
}

/// The text so far: its beginning, its end, and the file.
#[derive(Debug)]
struct Whole {
    directory: PathBuf,
    bytes: u64,
    lines: usize,
    /// The beginning, up to [`WHOLE_INLINE`] bytes and the piece that passed them.
    head: String,
    /// The end, once the text is longer than that.
    end: String,
    file: Option<Spool>,
    file_error: Option<String>,
    in_line: Option<Stream>,
}

#[derive(Debug)]
struct Spool {
    path: SpoolFile,
    writer: BufWriter<File>,
    bytes: u64,
    /// Whether the first part is complete: what comes now is written at the end, as far as it is still known.
    full: bool,
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
        self.text.finish()
    }

    fn settle(&mut self, stream: Stream, settled: &str) {
        if settled.is_empty() {
            return;
        }
        if self.text.in_line.is_some_and(|other| other != stream) {
            self.text.push("\n");
            self.live.push("\n");
        }
        self.text.push(settled);
        self.live.push(settled);
        self.text.in_line = (!settled.ends_with('\n')).then_some(stream);
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

impl Whole {
    fn new(directory: PathBuf) -> Self {
        Self {
            directory,
            bytes: 0,
            lines: 0,
            head: String::new(),
            end: String::new(),
            file: None,
            file_error: None,
            in_line: None,
        }
    }

    fn push(&mut self, text: &str) {
        self.bytes += text.len() as u64;
        self.lines += text.bytes().filter(|byte| *byte == b'\n').count();
        if self.head.len() <= WHOLE_INLINE {
            self.head.push_str(text);
            if self.head.len() <= WHOLE_INLINE {
                return;
            }
            self.end.push_str(&self.head);
            self.open_file();
        } else {
            self.end.push_str(text);
            self.write(text);
        }
        if self.head.len() > 2 * WHOLE_INLINE {
            let keep = floor_boundary(&self.head, 2 * WHOLE_INLINE);
            self.head.truncate(keep);
        }
        if self.end.len() > 2 * END_IN_MEMORY {
            let start = self.end.ceil_char_boundary(self.end.len() - END_IN_MEMORY);
            self.end.drain(..start);
        }
    }

    fn open_file(&mut self) {
        match SpoolFile::create(&self.directory) {
            Ok((path, file)) => {
                self.file = Some(Spool {
                    path,
                    writer: BufWriter::with_capacity(64 << 10, file),
                    bytes: 0,
                    full: false,
                });
                let head = std::mem::take(&mut self.head);
                self.write(&head);
                self.head = head;
            }
            Err(error) => self.file_error = Some(error.to_string()),
        }
    }

    fn write(&mut self, text: &str) {
        let Some(spool) = &mut self.file else {
            return;
        };
        spool.full |= spool.bytes + text.len() as u64 > FILE_CAP;
        if spool.full {
            return;
        }
        match spool.writer.write_all(text.as_bytes()) {
            Ok(()) => spool.bytes += text.len() as u64,
            Err(error) => self.fail(&error),
        }
    }

    fn fail(&mut self, error: &io::Error) {
        self.file = None;
        self.file_error = Some(error.to_string());
    }

    /// The answer's text, and the lines missing in it.
    fn ends(&self) -> (String, usize) {
        if self.head.len() <= WHOLE_INLINE {
            return (self.head.clone(), 0);
        }
        let head = &self.head[..floor_boundary(&self.head, HEAD)];
        let tail = &self.end[ceil_boundary(&self.end, self.end.len() - TAIL)..];
        let shown = [head, tail]
            .iter()
            .map(|part| part.bytes().filter(|byte| *byte == b'\n').count())
            .sum();
        let lines = self.lines.saturating_sub(shown).max(1);
        let bytes = usize::try_from(self.bytes).unwrap_or(usize::MAX) - head.len() - tail.len();
        let gap = if head.ends_with('\n') { "" } else { "\n" };
        let note = omission(lines, bytes);
        (format!("{head}{gap}[{note}]\n{tail}"), lines)
    }

    fn finish(mut self) -> Captured {
        let (text, omitted_lines) = self.ends();
        let file = match self.close_file() {
            Ok(file) => file,
            Err(error) => {
                self.fail(&error);
                None
            }
        };
        Captured {
            text,
            omitted_lines,
            bytes: self.bytes,
            file,
            file_error: self.file_error,
        }
    }

    /// Writes the end of the file, with a line that says what is missing before it.
    fn close_file(&mut self) -> io::Result<Option<CapturedFile>> {
        let Some(mut spool) = self.file.take() else {
            return Ok(None);
        };
        let missing = usize::try_from(self.bytes - spool.bytes).unwrap_or(usize::MAX);
        let cut = missing > self.end.len();
        let start = self
            .end
            .ceil_char_boundary(self.end.len() - missing.min(self.end.len()));
        let rest = &self.end[start..];
        if cut {
            let bytes = missing - rest.len();
            let bytes = grouped(bytes);
            writeln!(
                spool.writer,
                "\n[… {bytes} bytes left out: the output was too large to keep …]"
            )?;
        }
        spool.writer.write_all(rest.as_bytes())?;
        spool.writer.flush()?;
        Ok(Some(CapturedFile {
            path: spool.path,
            cut,
        }))
    }
}

#[cfg(test)]
#[path = "output_tests.rs"]
mod tests;
