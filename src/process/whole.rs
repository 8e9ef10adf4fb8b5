//! A text that may be large while it comes: both ends in memory, the whole on disk up to a cap.

use std::{
    fs::File,
    io::{self, BufWriter, Write as _},
    path::PathBuf,
};

use super::{
    output::{Captured, CapturedFile},
    spool::SpoolFile,
};
use crate::text::truncate::{ceil_boundary, floor_boundary, grouped, omission};

/// A text up to this size is answered whole.
pub(super) const WHOLE_INLINE: usize = 30_000;
/// Bytes of both ends of a larger one that a person sees.
const SHOWN: (usize, usize) = (6_000, 12_000);
/// Bytes of both ends that a model gets.
const PREVIEW: (usize, usize) = (2_000, 1_000);
/// Bytes of the end that are kept in memory, for the file's end and the answer's.
pub(super) const END_IN_MEMORY: usize = 256 << 10;
/// Bytes that go to the file before only the end is kept.
pub(super) const FILE_CAP: u64 = 63 << 20;

/// The text so far: its beginning, its end, and the file.
#[derive(Debug)]
pub(super) struct Whole {
    directory: PathBuf,
    bytes: u64,
    lines: usize,
    /// The beginning, up to [`WHOLE_INLINE`] bytes and the piece that passed them.
    pub(super) head: String,
    /// The end, once the text is longer than that.
    pub(super) end: String,
    file: Option<Spool>,
    file_error: Option<String>,
}

#[derive(Debug)]
struct Spool {
    path: SpoolFile,
    writer: BufWriter<File>,
    bytes: u64,
    /// Whether the first part is complete: what comes now is written at the end, as far as it is still known.
    full: bool,
}

impl Whole {
    /// An empty text whose file, if one is needed, is made in `directory`.
    pub(super) fn new(directory: PathBuf) -> Self {
        Self {
            directory,
            bytes: 0,
            lines: 0,
            head: String::new(),
            end: String::new(),
            file: None,
            file_error: None,
        }
    }

    /// Adds what came.
    pub(super) fn push(&mut self, text: &str) {
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

    /// The same text once more, on disk too.
    pub(super) fn copy(&mut self) -> Self {
        let mut copy = Self {
            directory: self.directory.clone(),
            bytes: self.bytes,
            lines: self.lines,
            head: self.head.clone(),
            end: self.end.clone(),
            file: None,
            file_error: self.file_error.clone(),
        };
        if let Some(spool) = &mut self.file {
            match spool.copy(&self.directory) {
                Ok(file) => copy.file = Some(file),
                Err(error) => copy.fail(&error),
            }
        }
        copy
    }

    /// An empty one in the same place.
    pub(super) fn fresh(&self) -> Self {
        Self::new(self.directory.clone())
    }

    /// Both ends of the text, of these sizes, and the lines missing between them.
    fn ends(&self, (head, tail): (usize, usize)) -> (String, usize) {
        if self.head.len() <= WHOLE_INLINE {
            return (self.head.clone(), 0);
        }
        let head = &self.head[..floor_boundary(&self.head, head)];
        let tail = &self.end[ceil_boundary(&self.end, self.end.len() - tail)..];
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

    /// Ends the text.
    pub(super) fn finish(mut self) -> Captured {
        let (text, omitted_lines) = self.ends(SHOWN);
        let (preview, _) = self.ends(PREVIEW);
        let file = match self.close_file() {
            Ok(file) => file,
            Err(error) => {
                self.fail(&error);
                None
            }
        };
        Captured {
            text,
            preview,
            omitted_lines,
            bytes: self.bytes,
            file,
            streams: None,
            file_error: self.file_error,
        }
    }

    /// Ends the text and has it on disk however small it is.
    pub(super) fn finish_on_disk(mut self) -> Captured {
        if self.head.len() <= WHOLE_INLINE {
            self.open_file();
        }
        self.finish()
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

impl Spool {
    /// The same once more.
    fn copy(&mut self, directory: &std::path::Path) -> io::Result<Self> {
        self.writer.flush()?;
        let (path, mut file) = SpoolFile::create(directory)?;
        io::copy(&mut File::open(&self.path)?, &mut file)?;
        Ok(Self {
            path,
            writer: BufWriter::with_capacity(64 << 10, file),
            bytes: self.bytes,
            full: self.full,
        })
    }
}
