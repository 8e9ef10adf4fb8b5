//! System calls that neither the standard library nor `rustix` (as it is built here) offers, each behind a safe face: the only unsafe code of
//! the sandbox.
//!
//! All of it runs in a process that was started for this alone and has one thread.

use std::{
    ffi::{CStr, CString, c_int, c_long, c_uint, c_ulong},
    io,
    os::{
        fd::{AsFd, AsRawFd as _, BorrowedFd, FromRawFd as _, OwnedFd},
        unix::ffi::OsStrExt as _,
    },
    path::Path,
};

use rustix::fs::{CWD, Mode, OFlags, ResolveFlags, openat2};

/// Makes a mount read-only.
pub(super) const READ_ONLY: u64 = 0x1;
/// Makes setuid programs of a mount ordinary ones.
pub(super) const NO_SUID: u64 = 0x2;
/// Makes devices of a mount unusable.
pub(super) const NO_DEVICES: u64 = 0x4;
/// Nothing on the mount can be executed.
pub(super) const NO_EXEC: u64 = 0x8;

const OPEN_TREE_CLONE: c_uint = 1;
const AT_RECURSIVE: c_uint = 0x8000;
const AT_EMPTY_PATH: c_uint = 0x1000;
const MOVE_FROM_EMPTY: c_uint = 0x4;
const MOVE_TO_EMPTY: c_uint = 0x40;
const FSOPEN_CLOEXEC: c_uint = 1;
const FSCONFIG_SET_STRING: c_uint = 1;
const FSCONFIG_CREATE: c_uint = 6;
const FSMOUNT_CLOEXEC: c_uint = 1;

/// Which side of a fork this is.
pub(super) enum Fork {
    /// The new process.
    Child,
    /// The old one, with the number of the new one.
    Parent(i32),
}

/// The kernel's form of attributes of a mount.
#[repr(C)]
struct MountAttributes {
    set: u64,
    clear: u64,
    propagation: u64,
    namespace: u64,
}

fn checked(result: c_long) -> io::Result<c_long> {
    if result < 0 {
        Err(io::Error::last_os_error())
    } else {
        Ok(result)
    }
}

fn text(path: &[u8]) -> io::Result<CString> {
    CString::new(path).map_err(|_| io::ErrorKind::InvalidInput.into())
}

fn owned(result: c_long) -> io::Result<OwnedFd> {
    let number = checked(result)? as c_int;
    // SAFETY: the kernel has just made this descriptor for us.
    Ok(unsafe { OwnedFd::from_raw_fd(number) })
}

/// Leaves the namespaces that `flags` name.
pub(super) fn unshare(flags: c_int) -> io::Result<()> {
    // SAFETY: the process has one thread, so nothing shares what is unshared.
    checked(c_long::from(unsafe { libc::unshare(flags) })).map(drop)
}

/// Goes on twice.
pub(super) fn fork() -> io::Result<Fork> {
    // SAFETY: the process has one thread, so no lock is held by another one in the child.
    match checked(c_long::from(unsafe { libc::fork() }))? {
        0 => Ok(Fork::Child),
        child => Ok(Fork::Parent(child as i32)),
    }
}

/// Mounts of others still reach us, ours reach nobody.
pub(super) fn follow_mounts() -> io::Result<()> {
    let flags: c_ulong = libc::MS_SLAVE | libc::MS_REC;
    // SAFETY: all pointers are null or end with a zero.
    let result = unsafe {
        libc::mount(
            std::ptr::null(),
            c"/".as_ptr(),
            std::ptr::null(),
            flags,
            std::ptr::null(),
        )
    };
    checked(c_long::from(result)).map(drop)
}

/// Takes away the topmost mount at the working directory, with all below it.
pub(super) fn unmount_here() -> io::Result<()> {
    unmount(Path::new("."))
}

/// Takes away the topmost mount at a place, with all below it.
pub(super) fn unmount(place: &Path) -> io::Result<()> {
    let place = text(place.as_os_str().as_bytes())?;
    // SAFETY: the path ends with a zero.
    let result = unsafe { libc::umount2(place.as_ptr(), libc::MNT_DETACH) };
    checked(c_long::from(result)).map(drop)
}

/// Takes hold of a place, of which no part may be a symbolic link: who can write near it could lead us elsewhere.
pub(super) fn locate(path: &Path) -> io::Result<OwnedFd> {
    let flags = OFlags::PATH | OFlags::CLOEXEC;
    Ok(openat2(
        CWD,
        path,
        flags,
        Mode::empty(),
        ResolveFlags::NO_SYMLINKS,
    )?)
}

/// A tree of mounts that is not mounted anywhere yet.
#[derive(Debug)]
pub(super) struct Tree(OwnedFd);

impl Tree {
    /// A copy of what is at a place, with everything that is mounted below it.
    pub(super) fn copy(path: &Path) -> io::Result<Self> {
        let place = locate(path)?;
        let flags = OPEN_TREE_CLONE | AT_RECURSIVE | AT_EMPTY_PATH | libc::O_CLOEXEC as c_uint;
        // SAFETY: the descriptor is open and the path ends with a zero.
        owned(unsafe { libc::syscall(libc::SYS_open_tree, place.as_raw_fd(), c"".as_ptr(), flags) })
            .map(Self)
    }

    /// A file system of its own.
    pub(super) fn of(kind: &CStr, options: &[(&CStr, &CStr)], attributes: u64) -> io::Result<Self> {
        // SAFETY: the name ends with a zero.
        let context =
            owned(unsafe { libc::syscall(libc::SYS_fsopen, kind.as_ptr(), FSOPEN_CLOEXEC) })?;
        for (key, value) in options {
            configure(&context, FSCONFIG_SET_STRING, Some((key, value)))?;
        }
        configure(&context, FSCONFIG_CREATE, None)?;
        // SAFETY: the descriptor is open.
        owned(unsafe {
            libc::syscall(
                libc::SYS_fsmount,
                context.as_raw_fd(),
                FSMOUNT_CLOEXEC,
                attributes as c_uint,
            )
        })
        .map(Self)
    }

    /// Takes something away from the whole tree.
    pub(super) fn restrict(&self, attributes: u64) -> io::Result<()> {
        self.set(attributes, AT_RECURSIVE)
    }

    /// Takes something away from its topmost mount.
    pub(super) fn restrict_alone(&self, attributes: u64) -> io::Result<()> {
        self.set(attributes, 0)
    }

    fn set(&self, attributes: u64, depth: c_uint) -> io::Result<()> {
        let attributes = MountAttributes {
            set: attributes,
            clear: 0,
            propagation: 0,
            namespace: 0,
        };
        // SAFETY: the descriptor is open, the path ends with a zero, and the structure has the size that is told.
        checked(unsafe {
            libc::syscall(
                libc::SYS_mount_setattr,
                self.0.as_raw_fd(),
                c"".as_ptr(),
                AT_EMPTY_PATH | depth,
                &raw const attributes,
                size_of::<MountAttributes>(),
            )
        })
        .map(drop)
    }

    /// Mounts it at a place.
    pub(super) fn attach(&self, path: &Path) -> io::Result<()> {
        let place = locate(path)?;
        // SAFETY: both descriptors are open and both paths end with a zero.
        checked(unsafe {
            libc::syscall(
                libc::SYS_move_mount,
                self.0.as_raw_fd(),
                c"".as_ptr(),
                place.as_raw_fd(),
                c"".as_ptr(),
                MOVE_FROM_EMPTY | MOVE_TO_EMPTY,
            )
        })
        .map(drop)
    }
}

impl AsFd for Tree {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.0.as_fd()
    }
}

fn configure(context: &OwnedFd, what: c_uint, pair: Option<(&CStr, &CStr)>) -> io::Result<()> {
    let (key, value) = pair.map_or((std::ptr::null(), std::ptr::null()), |(key, value)| {
        (key.as_ptr(), value.as_ptr())
    });
    // SAFETY: the descriptor is open; the texts end with a zero or are null where the kernel takes none.
    checked(unsafe {
        libc::syscall(
            libc::SYS_fsconfig,
            context.as_raw_fd(),
            what,
            key,
            value,
            0 as c_int,
        )
    })
    .map(drop)
}

/// Makes a descriptor mean what another one means.
pub(super) fn replace(old: BorrowedFd<'_>, new: BorrowedFd<'_>) -> io::Result<()> {
    let flags = if old.as_raw_fd() > 2 {
        libc::O_CLOEXEC
    } else {
        0
    };
    // SAFETY: both are open; whoever owns the old one goes on owning its number.
    let result = unsafe { libc::dup3(new.as_raw_fd(), old.as_raw_fd(), flags) };
    checked(c_long::from(result)).map(drop)
}

/// Takes over a descriptor that the program before this one left open for it.
pub(super) fn inherited(number: c_int) -> io::Result<OwnedFd> {
    if number <= 2 {
        return Err(io::ErrorKind::InvalidInput.into());
    }
    // SAFETY: plain numbers; that it is open is what is found out.
    checked(c_long::from(unsafe {
        libc::fcntl(number, libc::F_SETFD, libc::FD_CLOEXEC)
    }))?;
    // SAFETY: it is open, was left open for this alone, and nothing else in this process knows its number.
    Ok(unsafe { OwnedFd::from_raw_fd(number) })
}

/// Every descriptor but the three standard ones ends with this program.
pub(super) fn close_at_exec() -> io::Result<()> {
    // SAFETY: nothing is closed now.
    checked(unsafe {
        libc::syscall(
            libc::SYS_close_range,
            3 as c_uint,
            c_uint::MAX,
            libc::CLOSE_RANGE_CLOEXEC,
        )
    })
    .map(drop)
}

/// Gives up every capability, for programs that this one becomes as well.
pub(super) fn drop_capabilities() -> io::Result<()> {
    for capability in 0..=63 as c_ulong {
        // SAFETY: plain numbers.
        let result = unsafe { libc::prctl(libc::PR_CAPBSET_DROP, capability, 0, 0, 0) };
        if result < 0 {
            let error = io::Error::last_os_error();
            match error.raw_os_error() {
                // The last one was the one before.
                Some(libc::EINVAL) => break,
                // Who has none has none to lose.
                Some(libc::EPERM) => break,
                _ => return Err(error),
            }
        }
    }
    // SAFETY: plain numbers. An old kernel without ambient capabilities has none to clear.
    unsafe {
        libc::prctl(
            libc::PR_CAP_AMBIENT,
            libc::PR_CAP_AMBIENT_CLEAR_ALL as c_ulong,
            0,
            0,
            0,
        );
    }
    // Version 3, this thread; then effective, permitted and inheritable, twice 32 bits each.
    let header: [u32; 2] = [0x2008_0522, 0];
    let none = [0_u32; 6];
    // SAFETY: both arrays have the layout that version 3 asks for.
    checked(unsafe { libc::syscall(libc::SYS_capset, header.as_ptr(), none.as_ptr()) }).map(drop)
}

/// Switches the loopback interface of our network on.
pub(super) fn loopback_up() -> io::Result<()> {
    // SAFETY: plain numbers.
    let socket = owned(c_long::from(unsafe {
        libc::socket(libc::AF_INET, libc::SOCK_DGRAM | libc::SOCK_CLOEXEC, 0)
    }))?;
    // SAFETY: a structure of plain numbers.
    let mut request: libc::ifreq = unsafe { std::mem::zeroed() };
    for (place, letter) in request.ifr_name.iter_mut().zip(*b"lo") {
        *place = letter.cast_signed();
    }
    request.ifr_ifru.ifru_flags = (libc::IFF_UP | libc::IFF_RUNNING) as libc::c_short;
    // SAFETY: the descriptor is open and the structure is the one that the request asks for.
    let result = unsafe { libc::ioctl(socket.as_raw_fd(), libc::SIOCSIFFLAGS, &raw const request) };
    checked(c_long::from(result)).map(drop)
}

/// Gives a signal its default meaning and sends it to this process.
pub(super) fn end_by(signal: c_int) {
    // SAFETY: a default action runs no code of ours.
    unsafe {
        libc::signal(signal, libc::SIG_DFL);
        libc::kill(libc::getpid(), signal);
    }
}

/// From now on a signal means nothing to this process.
pub(super) fn ignore(signal: c_int) {
    // SAFETY: an ignored signal runs no code of ours.
    unsafe {
        libc::signal(signal, libc::SIG_IGN);
    }
}

/// From now on a signal has its default meaning.
pub(super) fn heed(signal: c_int) {
    // SAFETY: a default action runs no code of ours.
    unsafe {
        libc::signal(signal, libc::SIG_DFL);
    }
}
