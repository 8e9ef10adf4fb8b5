//! Landlock: rights to files, by directory, that no later system call can widen.
//!
//! Where namespaces hold the command it is the second layer; alone it cannot protect something inside a writable
//! directory, hide something, or stop a change of mode or time.

use std::{
    os::fd::AsFd,
    path::{Path, PathBuf},
};

use landlock::{
    ABI, Access as _, AccessFs, AccessNet, BitFlags, CompatLevel, Compatible as _, NetPort,
    PathBeneath, PathFd, Ruleset, RulesetAttr as _, RulesetCreated, RulesetCreatedAttr as _,
    RulesetStatus, Scope,
};

use super::sys;
use crate::process::sandbox::policy::Policy;

/// The newest version whose rights are asked for; what the kernel does not know is left out.
const NEWEST: ABI = ABI::V9;

/// Devices that are harmless to write. Not those of terminals: the person's own are among them, and what is written
/// there acts in them. A command's own terminal is opened before, and is `/dev/tty` to it.
const DEVICES: &[&str] = &[
    "/dev/null",
    "/dev/zero",
    "/dev/full",
    "/dev/random",
    "/dev/urandom",
    "/dev/tty",
    "/dev/shm",
];

/// Holds this thread, and all that comes of it, to the policy. `writable` are the directories that stand for those of
/// the policy where the command looks, `port` the one of its proxy. Returns whether the kernel has Landlock at all.
pub(super) fn apply(
    policy: &Policy,
    writable: &[PathBuf],
    port: Option<u16>,
) -> Result<bool, String> {
    try_apply(policy, writable, port).map_err(|error| error.to_string())
}

fn try_apply(
    policy: &Policy,
    writable: &[PathBuf],
    port: Option<u16>,
) -> Result<bool, Box<dyn std::error::Error>> {
    let writing = AccessFs::from_write(NEWEST);
    let reading = AccessFs::from_read(NEWEST);
    let everything = writing | reading;
    let mut ruleset = Ruleset::default()
        .set_compatibility(CompatLevel::BestEffort)
        .handle_access(writing)?
        .scope(Scope::from_all(NEWEST))?;
    let is_confined = policy.readable.is_some();
    if is_confined {
        ruleset = ruleset.handle_access(reading)?;
    }
    let is_in_network_of_others = !policy.is_online() && !policy.has_own_network();
    if is_in_network_of_others {
        ruleset = ruleset.handle_access(AccessNet::from_all(NEWEST))?;
        if policy.has_proxy() {
            // Without this right the filter of system calls would leave every connection open.
            ruleset = ruleset
                .set_compatibility(CompatLevel::HardRequirement)
                .handle_access(AccessNet::ConnectTcp)?
                .set_compatibility(CompatLevel::BestEffort);
        }
    }
    let mut created = ruleset.create()?;
    if let Some(port) = port.filter(|_| is_in_network_of_others) {
        created = created.add_rule(NetPort::new(port, AccessNet::ConnectTcp))?;
    }
    let given = if is_confined { everything } else { writing };
    for place in writable {
        // A command that ran before may have put a link into one of them.
        created = allow(created, sys::locate(place)?, place, given)?;
    }
    for place in DEVICES.iter().map(Path::new) {
        if let Ok(opened) = PathFd::new(place) {
            created = allow(created, opened, place, given)?;
        }
    }
    for place in policy.readable.iter().flatten() {
        if let Ok(opened) = PathFd::new(place) {
            created = allow(created, opened, place, reading)?;
        }
    }
    Ok(created.restrict_self()?.ruleset != RulesetStatus::NotEnforced)
}

/// Gives rights at a place and below.
fn allow(
    created: RulesetCreated,
    opened: impl AsFd,
    place: &Path,
    rights: BitFlags<AccessFs>,
) -> Result<RulesetCreated, Box<dyn std::error::Error>> {
    let rights = if place.is_dir() {
        rights
    } else {
        rights & AccessFs::from_file(NEWEST)
    };
    Ok(created.add_rule(PathBeneath::new(opened, rights))?)
}
