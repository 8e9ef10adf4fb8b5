//! Starting the helper and hearing whether the command runs.

use std::{
    io::{self, IoSliceMut, Write as _},
    mem::MaybeUninit,
    net::{Ipv4Addr, Shutdown, TcpListener},
    os::{
        fd::OwnedFd,
        unix::{net::UnixStream, process::CommandExt as _},
    },
    path::Path,
    process::{Child, Stdio},
    time::Duration,
};

use rustix::net::{RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags, recvmsg};

use super::{
    order::{Act, Order, SUBCOMMAND},
    policy::Policy,
};
use crate::{permission::network::NetworkPolicy, process::network::proxy::ProxyAddress};

/// The longest that setting a sandbox up may take.
const SETTING_UP: Duration = Duration::from_secs(10);

/// The longest explanation of why a command does not run.
const LONGEST_ANSWER: usize = 64 * 1024;
/// What comes with a listener: nothing can be handed over without a byte.
pub(super) const WITH_LISTENER: u8 = 0;

/// The way of a command to other machines, while nobody serves it yet.
pub(crate) struct Outlet {
    /// Where the command connects to.
    pub(crate) listener: TcpListener,
    /// As it was told.
    pub(crate) address: ProxyAddress,
    /// Where it may go.
    pub(crate) policy: NetworkPolicy,
}

/// Starts the helper, in a group of its own, and waits until the command runs. The error says why it does not.
pub(crate) fn start_inside(
    program: &Path,
    policy: Policy,
    act: Act,
    within: Option<Duration>,
) -> io::Result<(Child, Option<Outlet>)> {
    let mut shared = None;
    let proxy = if !policy.has_proxy() {
        None
    } else if policy.has_own_network() {
        Some(ProxyAddress::in_own_network())
    } else {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
        let port = listener.local_addr()?.port();
        shared = Some(listener);
        Some(ProxyAddress::among_others(port))
    };
    let network = policy.network.clone();
    let order = Order { policy, proxy, act };
    let (child, own) = start_helper(program, &order, within.unwrap_or(SETTING_UP))?;
    let outlet = order
        .proxy
        .zip(shared.or(own))
        .map(|(address, listener)| Outlet {
            listener,
            address,
            policy: network,
        });
    Ok((child, outlet))
}

#[expect(clippy::disallowed_types, reason = "this folder starts the children")]
fn start_helper(
    program: &Path,
    order: &Order,
    within: Duration,
) -> io::Result<(Child, Option<TcpListener>)> {
    let (mut near, far) = UnixStream::pair()?;
    near.set_read_timeout(Some(within))?;
    let mut child = std::process::Command::new(program)
        .arg(SUBCOMMAND)
        .stdin(Stdio::from(OwnedFd::from(far)))
        .process_group(0)
        .spawn()?;
    match talk(&mut near, order) {
        Ok(listener) => Ok((child, listener)),
        Err(error) => {
            // Nothing of it may be left: it would run what was given up.
            let _ = child.kill();
            let _ = child.wait();
            Err(error)
        }
    }
}

fn talk(near: &mut UnixStream, order: &Order) -> io::Result<Option<TcpListener>> {
    let order = serde_json::to_vec(order)?;
    near.write_all(&order)?;
    near.shutdown(Shutdown::Write)?;
    let (answer, listener) = hear(near).map_err(|error| {
        io::Error::other(format!("the sandbox was not set up in time: {error}"))
    })?;
    if answer.is_empty() {
        Ok(listener.map(TcpListener::from))
    } else {
        let answer = String::from_utf8_lossy(&answer);
        Err(io::Error::other(format!(
            "the sandbox was not set up: {answer}"
        )))
    }
}

/// Everything that is said until the end, and what is handed over.
fn hear(near: &UnixStream) -> io::Result<(Vec<u8>, Option<OwnedFd>)> {
    let (mut answer, mut handed_over) = (Vec::new(), None);
    let mut piece = [0; 4096];
    loop {
        let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(1))];
        let mut control = RecvAncillaryBuffer::new(&mut space);
        let mut pieces = [IoSliceMut::new(&mut piece)];
        let heard = match recvmsg(near, &mut pieces, &mut control, close_at_exec()) {
            Err(rustix::io::Errno::INTR) => continue,
            heard => heard?,
        };
        for message in control.drain() {
            if let RecvAncillaryMessage::ScmRights(descriptors) = message {
                handed_over = handed_over.or(descriptors.last());
            }
        }
        if heard.bytes == 0 {
            return Ok((answer, handed_over));
        }
        let said = piece.iter().take(heard.bytes);
        answer.extend(said.filter(|byte| **byte != WITH_LISTENER));
        if answer.len() > LONGEST_ANSWER {
            return Err(io::ErrorKind::InvalidData.into());
        }
    }
}

#[cfg(target_os = "linux")]
fn close_at_exec() -> RecvFlags {
    RecvFlags::CMSG_CLOEXEC
}

/// Only Linux has a helper that hands something over.
#[cfg(not(target_os = "linux"))]
fn close_at_exec() -> RecvFlags {
    RecvFlags::empty()
}
