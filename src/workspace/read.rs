//! A window of a file's lines, at the cost of the window.
//!
//! Lines are counted without being kept; a file up to 32 MiB is also digested on the way, so that the caller can say
//! later whether it changed. A line is never cut, unless it alone is over a mebibyte; that is said.

use std::{
    borrow::Cow,
    io::{self, BufRead, BufReader},
    path::Path,
};

use regex::Regex;
use sha2::{Digest as _, Sha256};

use super::{
    encoding::{self, Encoding},
    error::{Kind, WorkspaceError},
    freshness::{DIGEST_LIMIT, Digest},
    gate,
    root::Located,
    secrets, way,
};

/// The longest line that is shown whole.
pub const LINE_LIMIT: usize = 1024 * 1024;

/// Which lines are wanted.
#[derive(Clone, Debug)]
pub struct Request {
    /// The first line, from 1.
    pub start: usize,
    /// Bytes of the first line to leave out, to go on in a line that was cut.
    pub skip: u64,
    /// The last line, itself included.
    pub end: usize,
    /// The most lines.
    pub most_lines: usize,
    /// The most bytes; one line is shown even when it is longer.
    pub most_bytes: usize,
    /// What the caller puts before each line, in bytes.
    pub line_overhead: usize,
    /// Only lines that match.
    pub only: Option<Regex>,
}

/// Some lines of a file.
#[derive(Clone, Debug)]
pub struct Window {
    /// The lines with their numbers, without their ends.
    pub lines: Vec<(usize, String)>,
    /// The first line that was asked for and did not fit.
    pub next: Option<usize>,
    /// How many lines the file has, when that is known.
    pub total: Option<usize>,
    /// The file's size in bytes.
    pub bytes: u64,
    /// Whether the last line ends with a line end, when that is known.
    pub final_newline: Option<bool>,
    /// Whether a line of the window ends in `\r\n`, and whether one ends in `\n` alone.
    pub line_ends: (bool, bool),
    /// How it is stored.
    pub encoding: Encoding,
    /// How many lines of the window hold bytes that are not valid text.
    pub damaged: usize,
    /// The line that was cut for its length.
    pub cut: Option<Cut>,
    /// What identifies the file's content.
    pub digest: Digest,
}

/// A line of which only a part is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cut {
    /// Its number.
    pub line: usize,
    /// Its length in bytes.
    pub bytes: u64,
    /// Where in it the rest begins.
    pub next: u64,
}

/// Reads the lines that are wanted.
pub fn window(
    file: &Located,
    request: &Request,
    cancelled: &dyn Fn() -> bool,
) -> Result<Window, WorkspaceError> {
    let (opened, about) = gate::open(file)?;
    let system = |error: io::Error| WorkspaceError::system(&file.shown, "read", &error);
    let mut reader = BufReader::with_capacity(64 * 1024, opened);
    let head = reader.fill_buf().map_err(system)?;
    let probe = head.get(..8192).unwrap_or(head);
    if let Some(what) = encoding::binary(probe) {
        return Err(WorkspaceError::Binary {
            file: file.shown.clone(),
            what,
            bytes: about.len(),
        });
    }
    let encoding = Encoding::sniff(probe);
    let mut gather = Gather::new(request, encoding);
    if matches!(encoding, Encoding::Utf16Le | Encoding::Utf16Be) {
        // A line end is two bytes here: such files are decoded whole, within the limit of the gate.
        drop(reader);
        let loaded = gate::load(file)?.ok_or(WorkspaceError::Cancelled)?;
        gather.feed(loaded.text.body.as_bytes());
        gather.finish_line();
        return Ok(gather.window(about.len(), true, loaded.digest));
    }
    let whole = about.len() <= DIGEST_LIMIT;
    let mut hasher = Sha256::new();
    let mut first = true;
    let mut at_end = false;
    while !gather.is_done() || whole {
        if cancelled() {
            return Err(WorkspaceError::Cancelled);
        }
        let piece = match reader.fill_buf() {
            Ok(piece) => piece,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(system(error)),
        };
        if piece.is_empty() {
            at_end = true;
            break;
        }
        if whole {
            hasher.update(piece);
        }
        let mark = first && encoding == Encoding::Utf8Bom;
        gather.feed(piece.get(if mark { 3 } else { 0 }..).unwrap_or_default());
        first = false;
        let length = piece.len();
        reader.consume(length);
    }
    if at_end {
        gather.finish_line();
    }
    let digest = if whole {
        Digest::finish(hasher)
    } else {
        Digest::stat(&about)
    };
    Ok(gather.window(about.len(), at_end, digest))
}

/// Lines as they come out of pieces.
struct Gather<'a> {
    request: &'a Request,
    encoding: Encoding,
    lines: Vec<(usize, String)>,
    /// Bytes of the lines kept.
    kept: usize,
    /// Number of the line that is being read.
    number: usize,
    /// What is known of that line.
    line: Vec<u8>,
    line_bytes: u64,
    next: Option<usize>,
    line_ends: (bool, bool),
    damaged: usize,
    cut: Option<Cut>,
    final_newline: bool,
}

impl<'a> Gather<'a> {
    fn new(request: &'a Request, encoding: Encoding) -> Self {
        Self {
            request,
            encoding,
            lines: Vec::new(),
            kept: 0,
            number: 1,
            line: Vec::new(),
            line_bytes: 0,
            next: None,
            line_ends: (false, false),
            damaged: 0,
            cut: None,
            final_newline: false,
        }
    }

    /// Whether the line being read may still be part of the window.
    fn wanted(&self) -> bool {
        self.next.is_none() && self.number >= self.request.start && self.number <= self.request.end
    }

    fn is_done(&self) -> bool {
        self.next.is_some() || self.number > self.request.end
    }

    /// What is left out of the line that is being read.
    fn skip(&self) -> u64 {
        if self.number == self.request.start {
            self.request.skip
        } else {
            0
        }
    }

    fn feed(&mut self, piece: &[u8]) {
        let mut rest = piece;
        while !rest.is_empty() {
            let end = memchr::memchr(b'\n', rest).map_or(rest.len(), |at| at + 1);
            let (part, after) = rest.split_at(end);
            rest = after;
            let left_out = self.skip().saturating_sub(self.line_bytes);
            self.line_bytes += part.len() as u64;
            if self.wanted() {
                let kept = usize::try_from(left_out).ok();
                let kept = kept.and_then(|left_out| part.get(left_out..));
                let kept = kept.unwrap_or_default();
                let room = (LINE_LIMIT + 2).saturating_sub(self.line.len());
                self.line
                    .extend_from_slice(kept.get(..room).unwrap_or(kept));
            }
            self.final_newline = part.ends_with(b"\n");
            if self.final_newline {
                self.end_line();
            }
        }
    }

    /// Takes what stands after the last line end as a line.
    fn finish_line(&mut self) {
        if self.line_bytes > 0 {
            self.end_line();
        }
    }

    fn end_line(&mut self) {
        let number = self.number;
        if self.wanted() {
            self.keep(number);
        }
        self.line.clear();
        self.line_bytes = 0;
        self.number += 1;
    }

    fn keep(&mut self, number: usize) {
        let mut line = self.line.as_slice();
        let mut ends = self.line_ends;
        if let Some(rest) = line.strip_suffix(b"\r\n") {
            (line, ends.0) = (rest, true);
        } else if let Some(rest) = line.strip_suffix(b"\n") {
            (line, ends.1) = (rest, true);
        }
        let long = line.len() > LINE_LIMIT;
        if long {
            line = whole_characters(line.get(..LINE_LIMIT).unwrap_or(line));
        }
        let shown = line.len() as u64;
        let text = String::from_utf8_lossy(line);
        let mut damaged = std::str::from_utf8(line).is_err();
        let wide = matches!(self.encoding, Encoding::Utf16Le | Encoding::Utf16Be);
        let text = if wide && encoding::forged(&text).is_some() {
            damaged = true;
            Cow::Owned(encoding::shown(&text).into_owned())
        } else {
            text
        };
        if self
            .request
            .only
            .as_ref()
            .is_some_and(|only| !only.is_match(&text))
        {
            return;
        }
        let full = self.lines.len() >= self.request.most_lines
            || (self.kept + text.len() > self.request.most_bytes && !self.lines.is_empty());
        if full {
            self.next = Some(number);
            return;
        }
        self.line_ends = ends;
        self.damaged += usize::from(damaged);
        if long && self.cut.is_none() {
            self.cut = Some(Cut {
                line: number,
                bytes: self.line_bytes,
                next: self.skip() + shown,
            });
        }
        self.kept += text.len() + 1 + self.request.line_overhead;
        let text = text.into_owned();
        self.lines.push((number, text));
    }

    fn window(self, bytes: u64, at_end: bool, digest: Digest) -> Window {
        Window {
            lines: self.lines,
            next: self.next,
            total: at_end.then_some(self.number - 1),
            bytes,
            final_newline: at_end.then_some(self.final_newline),
            line_ends: self.line_ends,
            encoding: self.encoding,
            damaged: self.damaged,
            cut: self.cut,
            digest,
        }
    }
}

/// The bytes without the beginning of a character at their end.
fn whole_characters(bytes: &[u8]) -> &[u8] {
    let last = bytes.utf8_chunks().last();
    let begun = last.map_or(&[][..], |last| last.invalid());
    let is_begun = std::str::from_utf8(begun).is_err_and(|error| error.error_len().is_none());
    let cut = if is_begun { begun.len() } else { 0 };
    bytes.get(..bytes.len() - cut).unwrap_or(bytes)
}

/// One entry of a directory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Its name, one line whatever it holds.
    pub name: String,
    /// What it is.
    pub kind: Kind,
    /// Its size in bytes.
    pub bytes: u64,
    /// Whether it looks like a secret.
    pub secret: bool,
}

/// The entries of a directory, directories first, by name.
pub fn entries(folder: &Located) -> Result<Vec<Entry>, WorkspaceError> {
    let system = |error: io::Error| WorkspaceError::system(&folder.shown, "list", &error);
    let opened = way::folder(&folder.real).map_err(system)?;
    let mut entries = Vec::new();
    for name in way::names(&opened).map_err(system)? {
        let name = name.map_err(system)?;
        let (kind, bytes) = way::about(&opened, &name).unwrap_or((Kind::Other, 0));
        entries.push(Entry {
            kind,
            bytes,
            secret: secrets::reason(&folder.real.join(&name)).is_some(),
            name: super::root::quoted(name.as_ref()),
        });
    }
    entries.sort_by(|a, b| {
        let key = |entry: &Entry| (entry.kind != Kind::Directory, entry.name.clone());
        key(a).cmp(&key(b))
    });
    Ok(entries)
}

/// What a path is, without opening it; `None` when there is nothing.
pub fn kind(file: &Located) -> Result<Option<Kind>, WorkspaceError> {
    way::kind(&file.real).map_err(|error| WorkspaceError::system(&file.shown, "look at", &error))
}

/// Whether a file that was found is where its path says: a folder that became a link meanwhile leads elsewhere.
pub fn is_in_place(found: &Path) -> bool {
    matches!(way::kind(found), Ok(Some(kind)) if kind != Kind::Link)
}

/// What is there instead of a missing file, as the rest of a sentence.
pub fn nearby(file: &Located) -> String {
    const MOST: usize = 5000;
    let (Some(parent), Some(name)) = (file.real.parent(), file.real.file_name()) else {
        return String::new();
    };
    if !parent.is_dir() {
        let above = parent.ancestors().find(|above| above.is_dir());
        return above.map_or_else(String::new, |above| {
            format!(
                "; the nearest folder that does is {}",
                super::root::quoted(above)
            )
        });
    }
    let Ok(opened) = way::folder(parent) else {
        return String::new();
    };
    let Ok(listing) = way::names(&opened) else {
        return String::new();
    };
    let names: Vec<String> = listing
        .take(MOST)
        .filter_map(Result::ok)
        .map(|name| super::root::quoted(name.as_ref()))
        .collect();
    let name = name.to_string_lossy();
    let known: Vec<&str> = names.iter().map(String::as_str).collect();
    let near = similar::get_close_matches(name.as_ref(), &known, 3, 0.6);
    if near.is_empty() {
        String::new()
    } else {
        format!("; in the same folder: {}", near.join(", "))
    }
}

#[cfg(test)]
#[path = "read_tests.rs"]
mod tests;
