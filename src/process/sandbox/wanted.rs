//! From what a session allows to a policy.

use std::{
    io,
    net::SocketAddr,
    path::{Path, PathBuf},
};

use super::{
    backend::{Backend, Choice},
    nested,
    policy::Policy,
    protect, readable, sockets, tmp,
};
use crate::{
    domain::{
        ids::SessionId,
        permission::{Level, Network, OwnPlaces},
    },
    permission::network::NetworkPolicy,
};

/// What the configuration says of the sandbox.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SandboxSettings {
    /// What holds commands.
    pub choice: Choice,
    /// Directories outside the roots that commands may write as well.
    pub writable: Vec<PathBuf>,
    /// Addresses that the network `remote` reaches although they are local. No configuration names any.
    pub reachable: Vec<SocketAddr>,
}

impl SandboxSettings {
    /// Nothing holds commands.
    pub fn none() -> Self {
        Self {
            choice: Choice::None,
            ..Self::default()
        }
    }
}

/// What a session allows a command.
#[derive(Clone, Debug)]
pub struct Wanted<'a> {
    /// What holds it.
    pub backend: Backend,
    /// The session, for its own directory of temporary files.
    pub session: &'a SessionId,
    /// Reach.
    pub level: Level,
    /// The roots, resolved.
    pub roots: &'a [PathBuf],
    /// Directories outside of them that may be written as well.
    pub writable: &'a [PathBuf],
    /// The program's own places.
    pub own: &'a OwnPlaces,
    /// Files that hold secrets.
    pub secrets: Vec<PathBuf>,
    /// Where connections may go.
    pub network: Network,
    /// Addresses that `remote` reaches although they are local.
    pub reachable: &'a [SocketAddr],
    /// Whether only the roots and the system can be read.
    pub confine_reads: bool,
    /// Where directories for temporary files are made.
    pub place: &'a Path,
}

/// Makes the policy. Blocks on the disk.
pub fn policy(wanted: &Wanted<'_>) -> io::Result<Policy> {
    let tmp = tmp::of_session(wanted.session, wanted.place)?;
    let mut policy = Policy {
        backend: wanted.backend,
        writable: Vec::new(),
        shown: Vec::new(),
        pinned: Vec::new(),
        protected: Vec::new(),
        hidden: Vec::new(),
        readable: None,
        network: NetworkPolicy {
            network: wanted.network,
            allowed: wanted.reachable.to_vec(),
        },
        tmp,
    };
    let roots = wanted.roots.iter().filter(|root| root.is_dir());
    if wanted.level < Level::Workspace {
        policy.shown.extend(roots.cloned());
    } else {
        for root in roots {
            policy.writable.push(root.clone());
            let nested = nested::in_root(wanted.session, root);
            let found = protect::look(root, &nested);
            policy.writable.extend(found.writable);
            policy.pinned.extend(found.pinned);
            policy.protected.extend(found.protected);
        }
        let more = wanted.writable.iter();
        policy
            .writable
            .extend(more.filter_map(|place| place.canonicalize().ok()));
    }
    let sockets = sockets::listened_to();
    let others = sockets
        .iter()
        .filter(|socket| !policy.writable.iter().any(|root| socket.starts_with(root)));
    let hidden = wanted
        .own
        .closed
        .iter()
        .chain(&wanted.secrets)
        .chain(others);
    policy.hidden = hidden
        .filter(|place| place.symlink_metadata().is_ok())
        .filter_map(|place| place.canonicalize().ok())
        .collect();
    if wanted.confine_reads {
        let mut places = readable::system();
        places.extend(wanted.roots.iter().filter(|root| root.is_dir()).cloned());
        policy.readable = Some(places);
    }
    for list in [
        &mut policy.writable,
        &mut policy.shown,
        &mut policy.pinned,
        &mut policy.protected,
        &mut policy.hidden,
    ] {
        list.sort();
        list.dedup();
    }
    Ok(policy)
}
