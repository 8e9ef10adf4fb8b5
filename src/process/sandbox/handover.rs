//! Descriptors on their way from a helper: a listener for the command's proxy, our end of its terminal.

use std::{
    io::{self, IoSlice, IoSliceMut},
    mem::MaybeUninit,
    os::fd::{AsFd, OwnedFd},
};

use rustix::net::{
    RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags, SendAncillaryBuffer,
    SendAncillaryMessage, SendFlags, recvmsg, sendmsg,
};

/// The longest explanation of why a command does not run.
const LONGEST_ANSWER: usize = 64 * 1024;

/// What comes with a descriptor, and says what that is: nothing can be handed over without a byte. No explanation holds
/// such a byte.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::process) enum Mark {
    /// A listener.
    Listener = 0,
    /// Our end of a terminal.
    Terminal = 1,
}

/// What was handed over.
#[derive(Debug, Default)]
pub(in crate::process) struct Handed {
    pub(in crate::process) listener: Option<OwnedFd>,
    pub(in crate::process) terminal: Option<OwnedFd>,
}

/// Hands a descriptor over.
pub(in crate::process) fn send(line: impl AsFd, mark: Mark, what: impl AsFd) -> io::Result<()> {
    let descriptors = [what.as_fd()];
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(1))];
    let mut control = SendAncillaryBuffer::new(&mut space);
    control.push(SendAncillaryMessage::ScmRights(&descriptors));
    let mark = [mark as u8];
    sendmsg(line, &[IoSlice::new(&mark)], &mut control, quietly())?;
    Ok(())
}

/// Receives once: so many bytes, and a descriptor when one came with them.
pub(in crate::process) fn receive(
    line: impl AsFd,
    piece: &mut [u8],
) -> io::Result<(usize, Option<OwnedFd>)> {
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(1))];
    let mut control = RecvAncillaryBuffer::new(&mut space);
    let mut pieces = [IoSliceMut::new(piece)];
    let length = recvmsg(line, &mut pieces, &mut control, close_at_exec())?.bytes;
    let mut descriptor = None;
    for message in control.drain() {
        if let RecvAncillaryMessage::ScmRights(descriptors) = message {
            descriptor = descriptors.last();
        }
    }
    Ok((length, descriptor))
}

/// Everything that is said until the end, and what is handed over.
pub(super) fn hear(near: impl AsFd) -> io::Result<(Vec<u8>, Handed)> {
    let (mut answer, mut handed) = (Vec::new(), Handed::default());
    let mut piece = [0; 4096];
    loop {
        let (length, descriptor) = match receive(&near, &mut piece) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            heard => heard?,
        };
        let said = piece.get(..length).unwrap_or_default();
        // A descriptor ends what is received at once, so its mark is the last byte.
        match said.last() {
            None => return Ok((answer, handed)),
            Some(mark) if *mark == Mark::Terminal as u8 => handed.terminal = descriptor,
            Some(_) => handed.listener = handed.listener.or(descriptor),
        }
        let is_mark = |byte: &u8| *byte <= Mark::Terminal as u8;
        answer.extend(said.iter().filter(|byte| !is_mark(byte)));
        if answer.len() > LONGEST_ANSWER {
            return Err(io::ErrorKind::InvalidData.into());
        }
    }
}

#[cfg(target_os = "linux")]
fn close_at_exec() -> RecvFlags {
    RecvFlags::CMSG_CLOEXEC
}

/// Only Linux can say so; what is received is closed by the standard library's own way of starting children.
#[cfg(not(target_os = "linux"))]
fn close_at_exec() -> RecvFlags {
    RecvFlags::empty()
}

#[cfg(target_os = "linux")]
fn quietly() -> SendFlags {
    SendFlags::NOSIGNAL
}

#[cfg(not(target_os = "linux"))]
fn quietly() -> SendFlags {
    SendFlags::empty()
}

#[cfg(test)]
mod tests {
    use std::{fs::File, io::Write as _, os::unix::net::UnixStream};

    use super::*;

    #[test]
    fn each_descriptor_arrives_as_what_it_is_and_words_stay_words() {
        let (mut far, near) = UnixStream::pair().unwrap();
        far.write_all(b"said before, ").unwrap();
        let null = File::open("/dev/null").unwrap();
        send(&far, Mark::Terminal, &null).unwrap();
        send(&far, Mark::Listener, &null).unwrap();
        far.write_all(b"said after").unwrap();
        drop(far);

        let (said, handed) = hear(&near).unwrap();

        assert_eq!(said, b"said before, said after");
        assert!(handed.terminal.is_some() && handed.listener.is_some());
    }
}
