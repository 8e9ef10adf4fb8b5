//! Our end of a command's terminal.

use std::{
    io,
    os::{fd::OwnedFd, unix::net::UnixStream as StdUnixStream},
};

use rustix::{
    fs::{OFlags, fcntl_getfl, fcntl_setfl},
    termios::tcsetwinsize,
};
use tokio::{
    io::Interest,
    net::{
        UnixStream,
        unix::pipe::{Receiver, Sender},
    },
};

use super::pair::winsize;
use crate::{
    domain::terminal::{TerminalInput, TerminalSize},
    process::sandbox::handover,
};

/// Bytes that may wait for a program that does not read. What is typed beyond them is dropped, as every terminal does.
const MOST_WAITING: usize = 64 << 10;

/// Our end.
#[derive(Debug)]
pub(in crate::process) struct Near {
    end: End,
    /// Typed, and not yet taken.
    waiting: Vec<u8>,
    size: Option<TerminalSize>,
}

#[derive(Debug)]
enum End {
    /// It is to be handed over here.
    Coming(UnixStream),
    There(Channel),
    Gone,
}

/// Both directions of a terminal's end.
#[derive(Debug)]
struct Channel {
    output: Receiver,
    input: Sender,
}

impl Near {
    /// One that is handed over on a line; answers our end of that line and the other one.
    pub(in crate::process) fn coming() -> io::Result<(Self, OwnedFd)> {
        let (near, far) = StdUnixStream::pair()?;
        near.set_nonblocking(true)?;
        let near = Self {
            end: End::Coming(UnixStream::from_std(near)?),
            waiting: Vec::new(),
            size: None,
        };
        Ok((near, far.into()))
    }

    /// Takes what comes from the person; it is written while the output is read.
    pub(in crate::process) fn take(&mut self, input: &TerminalInput) {
        match input {
            TerminalInput::Typed(typed) => {
                let room = MOST_WAITING.saturating_sub(self.waiting.len());
                self.waiting.extend(typed.bytes().iter().take(room));
            }
            TerminalInput::Size(size) => {
                self.size = Some(*size);
                self.resize();
            }
        }
    }

    /// Reads what was printed; nothing at the end. Dropping the wait loses nothing.
    pub(in crate::process) async fn read(&mut self, piece: &mut [u8]) -> usize {
        loop {
            let step = match &self.end {
                End::Coming(line) => {
                    let there = arrive(line).await;
                    self.end = there.map_or(End::Gone, End::There);
                    self.resize();
                    continue;
                }
                End::There(channel) => channel.step(&mut self.waiting, piece).await,
                End::Gone => return 0,
            };
            // An error is how a terminal says that nobody has its other end any more.
            match step {
                Ok(Some(length @ 1..)) => return length,
                Ok(None) => {}
                Ok(Some(0)) | Err(_) => self.end = End::Gone,
            }
        }
    }

    fn resize(&self) {
        if let (End::There(channel), Some(size)) = (&self.end, self.size) {
            // It fails when the command is gone.
            let _ = tcsetwinsize(&channel.output, winsize(size));
        }
    }
}

/// Waits for the end that is handed over.
async fn arrive(line: &UnixStream) -> io::Result<Channel> {
    loop {
        line.readable().await?;
        let heard = line.try_io(Interest::READABLE, || handover::receive(line, &mut [0]));
        let (length, end) = match heard {
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => continue,
            heard => heard?,
        };
        if let Some(end) = end {
            fcntl_setfl(&end, fcntl_getfl(&end)? | OFlags::NONBLOCK)?;
            // It is waited for as a pipe is; none is one way only.
            return Ok(Channel {
                input: Sender::from_owned_fd_unchecked(end.try_clone()?)?,
                output: Receiver::from_owned_fd_unchecked(end)?,
            });
        }
        if length == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
    }
}

impl Channel {
    /// Writes or reads once, whichever is possible first. Answers how much was read.
    async fn step(&self, waiting: &mut Vec<u8>, piece: &mut [u8]) -> io::Result<Option<usize>> {
        let done = tokio::select! {
            ready = self.input.writable(), if !waiting.is_empty() => {
                ready?;
                match self.input.try_write(waiting) {
                    Ok(length) => drop(waiting.drain(..length)),
                    Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
                    // Nobody takes it any more; what was printed is still to be read.
                    Err(_) => waiting.clear(),
                }
                Ok(None)
            }
            ready = self.output.readable() => {
                ready?;
                self.output.try_read(piece).map(Some)
            }
        };
        match done {
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => Ok(None),
            done => done,
        }
    }
}
