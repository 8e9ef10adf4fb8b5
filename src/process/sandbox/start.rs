//! Starting the helper and hearing whether the command runs.

use std::{
    io::{self, Write as _},
    net::{Ipv4Addr, Shutdown, TcpListener},
    os::{
        fd::OwnedFd,
        unix::{net::UnixStream, process::CommandExt as _},
    },
    path::Path,
    process::{Child, Stdio},
    time::Duration,
};

use super::{
    handover::{self, Handed},
    order::{Act, Order, SUBCOMMAND},
    policy::Policy,
};
use crate::{permission::network::NetworkPolicy, process::network::proxy::ProxyAddress};

/// The longest that setting a sandbox up may take.
const SETTING_UP: Duration = Duration::from_secs(10);

/// The way of a command to other machines, while nobody serves it yet.
pub(crate) struct Outlet {
    /// Where the command connects to.
    pub(crate) listener: TcpListener,
    /// As it was told.
    pub(crate) address: ProxyAddress,
    /// Where it may go.
    pub(crate) policy: NetworkPolicy,
}

/// A command that runs inside.
pub(crate) struct Inside {
    /// What the helper has become, or waits for.
    pub(crate) child: Child,
    /// Its way to other machines.
    pub(crate) outlet: Option<Outlet>,
    /// Our end of its terminal.
    pub(crate) terminal: Option<OwnedFd>,
}

/// This program under a hidden name, and what it is told.
pub(in crate::process) struct Helper {
    pub(in crate::process) subcommand: &'static str,
    pub(in crate::process) order: Vec<u8>,
    /// Whether it makes itself the first of a group, of a session even.
    pub(in crate::process) leads_itself: bool,
    /// How long it may take to become the command.
    pub(in crate::process) within: Option<Duration>,
}

/// Starts the helper, in a group of its own, and waits until the command runs. The error says why it does not.
pub(crate) fn start_inside(
    program: &Path,
    policy: Policy,
    act: Act,
    within: Option<Duration>,
) -> io::Result<Inside> {
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
    let helper = Helper {
        subcommand: SUBCOMMAND,
        order: serde_json::to_vec(&order)?,
        leads_itself: order.is_attended(),
        within,
    };
    let (child, handed) = start_helper(program, &helper)?;
    let own = handed.listener.map(TcpListener::from);
    let outlet = order
        .proxy
        .zip(shared.or(own))
        .map(|(address, listener)| Outlet {
            listener,
            address,
            policy: network,
        });
    Ok(Inside {
        child,
        outlet,
        terminal: handed.terminal,
    })
}

/// Starts a helper and waits until it has become the command.
#[expect(clippy::disallowed_types, reason = "this folder starts the children")]
pub(in crate::process) fn start_helper(
    program: &Path,
    helper: &Helper,
) -> io::Result<(Child, Handed)> {
    let (mut near, far) = UnixStream::pair()?;
    near.set_read_timeout(Some(helper.within.unwrap_or(SETTING_UP)))?;
    let mut command = std::process::Command::new(program);
    command
        .arg(helper.subcommand)
        .stdin(Stdio::from(OwnedFd::from(far)));
    if !helper.leads_itself {
        command.process_group(0);
    }
    let mut child = command.spawn()?;
    // It holds the other end of the line.
    drop(command);
    match talk(&mut near, &helper.order) {
        Ok(handed) => Ok((child, handed)),
        Err(error) => {
            // Nothing of it may be left: it would run what was given up.
            let _ = child.kill();
            let _ = child.wait();
            Err(error)
        }
    }
}

fn talk(near: &mut UnixStream, order: &[u8]) -> io::Result<Handed> {
    near.write_all(order)?;
    near.shutdown(Shutdown::Write)?;
    let (answer, handed) = handover::hear(&*near).map_err(|error| {
        io::Error::other(format!("the command was not set up in time: {error}"))
    })?;
    if answer.is_empty() {
        Ok(handed)
    } else {
        let answer = String::from_utf8_lossy(&answer);
        Err(io::Error::other(format!(
            "the command was not set up: {answer}"
        )))
    }
}
