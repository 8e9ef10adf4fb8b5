//! Making a terminal, and making it one's own.

use std::{io, os::fd::OwnedFd};

use rustix::{
    process::{ioctl_tiocsctty, setsid},
    pty::{OpenptFlags, grantpt, openpt, unlockpt},
    stdio::{dup2_stderr, dup2_stdin, dup2_stdout},
    termios::{InputModes, OptionalActions, Winsize, tcgetattr, tcsetattr, tcsetwinsize},
};

use crate::domain::terminal::TerminalSize;

/// Both ends of a terminal.
pub(in crate::process) struct Pair {
    /// The end of who types and reads.
    pub(in crate::process) near: OwnedFd,
    /// The end of the command.
    pub(in crate::process) far: OwnedFd,
}

/// Makes a terminal. It is nobody's own yet.
pub(in crate::process) fn open() -> io::Result<Pair> {
    let near = openpt(flags())?;
    grantpt(&near)?;
    unlockpt(&near)?;
    let far = far_end(&near)?;
    let mut modes = tcgetattr(&far)?;
    // Erasing takes a whole character away.
    modes.input_modes |= InputModes::IUTF8;
    tcsetattr(&far, OptionalActions::Now, &modes)?;
    tcsetwinsize(&near, winsize(TerminalSize::default()))?;
    Ok(Pair { near, far })
}

/// A size as the system takes it.
pub(in crate::process) fn winsize(size: TerminalSize) -> Winsize {
    Winsize {
        ws_row: size.rows,
        ws_col: size.columns,
        ws_xpixel: 0,
        ws_ypixel: 0,
    }
}

/// Makes a terminal the one that this process, and all that comes of it, has: it reads from it, prints to it, and gets
/// the signals of its keys.
pub(in crate::process) fn take(far: &OwnedFd) -> io::Result<()> {
    // It fails when we lead a session already, which is as good.
    let _ = setsid();
    ioctl_tiocsctty(far)?;
    dup2_stdin(far)?;
    dup2_stdout(far)?;
    Ok(dup2_stderr(far)?)
}

#[cfg(target_os = "linux")]
fn flags() -> OpenptFlags {
    OpenptFlags::RDWR | OpenptFlags::NOCTTY | OpenptFlags::CLOEXEC
}

#[cfg(not(target_os = "linux"))]
fn flags() -> OpenptFlags {
    OpenptFlags::RDWR | OpenptFlags::NOCTTY
}

#[cfg(target_os = "linux")]
fn far_end(near: &OwnedFd) -> io::Result<OwnedFd> {
    Ok(rustix::pty::ioctl_tiocgptpeer(near, flags())?)
}

/// Where the other end can be had by its name only.
#[cfg(not(target_os = "linux"))]
fn far_end(near: &OwnedFd) -> io::Result<OwnedFd> {
    use rustix::{
        fs::{Mode, OFlags, open},
        io::{FdFlags, fcntl_setfd},
        pty::ptsname,
    };

    fcntl_setfd(near, FdFlags::CLOEXEC)?;
    let name = ptsname(near, Vec::new())?;
    let flags = OFlags::RDWR | OFlags::NOCTTY | OFlags::CLOEXEC;
    Ok(open(name, flags, Mode::empty())?)
}
