//! A file's bytes as they are, for what is no text.

use std::io::{self, Read};

use super::{error::WorkspaceError, gate, root::Located};

/// Bytes that tell what a file is.
const HEAD: u64 = 8192;

/// The beginning of a file, and its size.
pub fn head(file: &Located) -> Result<(Vec<u8>, u64), WorkspaceError> {
    let (opened, about) = gate::open(file)?;
    let mut head = Vec::new();
    read(file, opened.take(HEAD).read_to_end(&mut head))?;
    Ok((head, about.len()))
}

/// The whole of a file that holds at most so many bytes; nothing of a larger one.
pub fn whole(file: &Located, most: u64) -> Result<Option<Vec<u8>>, WorkspaceError> {
    let (opened, _) = gate::open(file)?;
    let mut bytes = Vec::new();
    read(file, opened.take(most + 1).read_to_end(&mut bytes))?;
    Ok((bytes.len() as u64 <= most).then_some(bytes))
}

fn read(file: &Located, outcome: io::Result<usize>) -> Result<usize, WorkspaceError> {
    outcome.map_err(|error| WorkspaceError::system(&file.shown, "read", &error))
}
