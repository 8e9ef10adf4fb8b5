//! The filter of system calls: what no command needs and what would lead around the other layers.

use std::collections::BTreeMap;

use seccompiler::{
    BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter,
    SeccompRule, TargetArch, apply_filter,
};

use crate::process::sandbox::policy::Policy;

/// System calls by number, each with the conditions under which it is refused; none means always.
type Rules = BTreeMap<i64, Vec<SeccompRule>>;

/// Bit of a number that means the same call under the x32 convention, where the kernel has it.
#[cfg(target_arch = "x86_64")]
const X32: i64 = 0x4000_0000;

/// Flags of `clone` and `unshare` that make namespaces.
const NAMESPACES: &[i32] = &[
    libc::CLONE_NEWNS,
    libc::CLONE_NEWCGROUP,
    libc::CLONE_NEWUTS,
    libc::CLONE_NEWIPC,
    libc::CLONE_NEWUSER,
    libc::CLONE_NEWPID,
    libc::CLONE_NEWNET,
];
/// The same of a namespace for time; in `clone` the bit belongs to the signal.
const NEW_TIME: u64 = 0x80;
/// Asks the terminal to take input from a program.
const TIOCSTI: u64 = 0x5412;
/// Asks the console for a selection, which can be pasted.
const TIOCLINUX: u64 = 0x541C;
/// `open_tree_attr`, which the library has no name for.
const OPEN_TREE_ATTR: i64 = 467;

/// Refused with "not permitted", whatever the arguments.
const REFUSED: &[i64] = &[
    libc::SYS_setns,
    libc::SYS_mount,
    libc::SYS_umount2,
    libc::SYS_pivot_root,
    libc::SYS_chroot,
    libc::SYS_open_tree,
    OPEN_TREE_ATTR,
    libc::SYS_move_mount,
    libc::SYS_fsopen,
    libc::SYS_fsconfig,
    libc::SYS_fsmount,
    libc::SYS_fspick,
    libc::SYS_mount_setattr,
    libc::SYS_open_by_handle_at,
    libc::SYS_keyctl,
    libc::SYS_add_key,
    libc::SYS_request_key,
    libc::SYS_bpf,
    libc::SYS_perf_event_open,
    libc::SYS_userfaultfd,
    libc::SYS_io_uring_setup,
    libc::SYS_io_uring_enter,
    libc::SYS_io_uring_register,
    libc::SYS_kexec_load,
    libc::SYS_init_module,
    libc::SYS_finit_module,
    libc::SYS_delete_module,
    libc::SYS_swapon,
    libc::SYS_swapoff,
    libc::SYS_reboot,
    libc::SYS_acct,
    libc::SYS_syslog,
    libc::SYS_quotactl,
    libc::SYS_settimeofday,
    libc::SYS_clock_settime,
    libc::SYS_sethostname,
    libc::SYS_setdomainname,
    libc::SYS_fanotify_init,
    libc::SYS_vhangup,
];

/// Refused the same way, where the architecture has them.
#[cfg(target_arch = "x86_64")]
const REFUSED_HERE: &[i64] = &[
    libc::SYS_iopl,
    libc::SYS_ioperm,
    libc::SYS_kexec_file_load,
    libc::SYS_modify_ldt,
    libc::SYS_uselib,
];
#[cfg(not(target_arch = "x86_64"))]
const REFUSED_HERE: &[i64] = &[];

/// Families of sockets that a command with a network may make. `VSOCK` (the machine's host) and the rest have no use
/// in an ordinary one and no namespace holds some of them.
const ONLINE: &[i32] = &[
    libc::AF_UNIX,
    libc::AF_INET,
    libc::AF_INET6,
    libc::AF_NETLINK,
];
/// The same for one without, where no namespace takes the network away.
const OFFLINE: &[i32] = &[libc::AF_UNIX];

/// The same for one that has TCP alone, since what holds its connections to one port knows nothing else.
const TCP_ONLY: &[i32] = &[libc::AF_UNIX, libc::AF_INET, libc::AF_INET6];
/// The part of a socket's type that is the type.
const TYPE: u64 = 0xf;

/// Puts the filter on this thread and all that comes of it, for good.
pub(super) fn apply(policy: &Policy) -> Result<(), String> {
    let is_tcp_only = policy.has_proxy() && !policy.has_own_network();
    let families = if policy.is_online() || policy.has_own_network() {
        ONLINE
    } else if is_tcp_only {
        TCP_ONLY
    } else {
        OFFLINE
    };
    let mut rules = refused(families).map_err(|error| error.to_string())?;
    if is_tcp_only {
        refuse_all_but_tcp(&mut rules).map_err(|error| error.to_string())?;
    }
    let refused = rules;
    put_on(refused, libc::EPERM)?;
    // Its flags lie in memory, where no filter sees them. "Not there" makes libraries use the older call.
    let mut absent = Rules::new();
    refuse(&mut absent, libc::SYS_clone3, Vec::new());
    put_on(absent, libc::ENOSYS)
}

fn put_on(rules: Rules, error: i32) -> Result<(), String> {
    let architecture =
        TargetArch::try_from(std::env::consts::ARCH).map_err(|error| error.to_string())?;
    let program: BpfProgram = SeccompFilter::new(
        rules,
        SeccompAction::Allow,
        SeccompAction::Errno(error as u32),
        architecture,
    )
    .and_then(TryInto::try_into)
    .map_err(|error| error.to_string())?;
    apply_filter(&program).map_err(|error| error.to_string())
}

fn refused(families: &[i32]) -> Result<Rules, seccompiler::BackendError> {
    let mut rules = Rules::new();
    for number in REFUSED.iter().chain(REFUSED_HERE) {
        refuse(&mut rules, *number, Vec::new());
    }
    let mut flags: Vec<u64> = NAMESPACES.iter().map(|flag| *flag as u64).collect();
    refuse(&mut rules, libc::SYS_clone, any_flag(&flags)?);
    flags.push(NEW_TIME);
    refuse(&mut rules, libc::SYS_unshare, any_flag(&flags)?);
    let requests = [TIOCSTI, TIOCLINUX]
        .map(|request| rule(1, SeccompCmpOp::Eq, request))
        .into_iter()
        .collect::<Result<Vec<_>, _>>()?;
    refuse(&mut rules, libc::SYS_ioctl, requests);
    let others = families
        .iter()
        .map(|family| condition(0, SeccompCmpOp::Ne, *family as u64))
        .collect::<Result<Vec<_>, _>>()?;
    refuse(
        &mut rules,
        libc::SYS_socket,
        vec![SeccompRule::new(others)?],
    );
    Ok(rules)
}

/// Everything of the internet's families that is no plain TCP, and the ways of TCP to connect while it sends.
fn refuse_all_but_tcp(rules: &mut Rules) -> Result<(), seccompiler::BackendError> {
    let mut sockets = Vec::new();
    let others = (0..=TYPE).filter(|kind| *kind != libc::SOCK_STREAM as u64);
    for family in [libc::AF_INET, libc::AF_INET6] {
        let family = condition(0, SeccompCmpOp::Eq, family as u64)?;
        for kind in others.clone() {
            let kind = condition(1, SeccompCmpOp::MaskedEq(TYPE), kind)?;
            sockets.push(SeccompRule::new(vec![family.clone(), kind])?);
        }
        let foreign = [0, libc::IPPROTO_TCP]
            .iter()
            .map(|protocol| condition(2, SeccompCmpOp::Ne, *protocol as u64))
            .chain([Ok(family.clone())])
            .collect::<Result<Vec<_>, _>>()?;
        sockets.push(SeccompRule::new(foreign)?);
    }
    also_refuse(rules, libc::SYS_socket, sockets);
    let fast = libc::MSG_FASTOPEN as u64;
    for (number, argument) in [
        (libc::SYS_sendto, 3),
        (libc::SYS_sendmmsg, 3),
        (libc::SYS_sendmsg, 2),
    ] {
        let when = rule(argument, SeccompCmpOp::MaskedEq(fast), fast)?;
        also_refuse(rules, number, vec![when]);
    }
    Ok(())
}

/// Refuses a call under more conditions.
fn also_refuse(rules: &mut Rules, number: i64, when: Vec<SeccompRule>) {
    let mut all = rules.get(&number).cloned().unwrap_or_default();
    all.extend(when);
    refuse(rules, number, all);
}

fn refuse(rules: &mut Rules, number: i64, when: Vec<SeccompRule>) {
    #[cfg(target_arch = "x86_64")]
    rules.insert(number | X32, when.clone());
    rules.insert(number, when);
}

fn any_flag(flags: &[u64]) -> Result<Vec<SeccompRule>, seccompiler::BackendError> {
    flags
        .iter()
        .map(|flag| rule(0, SeccompCmpOp::MaskedEq(*flag), *flag))
        .collect()
}

fn rule(
    argument: u8,
    compare: SeccompCmpOp,
    value: u64,
) -> Result<SeccompRule, seccompiler::BackendError> {
    SeccompRule::new(vec![condition(argument, compare, value)?])
}

/// The kernel takes 32 bits of each of these arguments, so what a program puts above them must not matter.
fn condition(
    argument: u8,
    compare: SeccompCmpOp,
    value: u64,
) -> Result<SeccompCondition, seccompiler::BackendError> {
    SeccompCondition::new(argument, SeccompCmpArgLen::Dword, compare, value)
}
