//! The same sandbox made by bubblewrap, for machines where it may make namespaces and we may not.
//!
//! It sees to the namespaces and the mounts, and then starts this program again inside of them, as their first process,
//! which adds what it adds everywhere: Landlock, the filter, the loss of privileges. What bubblewrap says when it fails
//! is passed on as the reason.

use std::{
    ffi::{OsStr, OsString},
    fs::File,
    io::{self, Read as _, Seek as _, Write as _},
    os::{
        fd::{AsFd, AsRawFd as _, OwnedFd},
        unix::{ffi::OsStrExt as _, net::UnixStream, process::CommandExt as _},
    },
    path::{Path, PathBuf},
};

use rustix::{
    fs::{MemfdFlags, memfd_create},
    io::{FdFlags, fcntl_setfd},
};

use super::{
    launcher::{self, Ended},
    mounts,
    sys::{self, Fork},
};
use crate::process::sandbox::{
    order::{Order, SUBCOMMAND},
    policy::Policy,
};

/// Where systems install it. The search path is not asked: it may hold directories that a command can write.
const PROGRAMS: &[&str] = &[
    "/usr/bin/bwrap",
    "/bin/bwrap",
    "/usr/local/bin/bwrap",
    "/run/current-system/sw/bin/bwrap",
];
/// The longest complaint that is passed on.
const LONGEST_COMPLAINT: u64 = 4 * 1024;

/// Descriptors that go through bubblewrap to the process inside, in this order on its command line.
struct Through {
    order: File,
    line: OwnedFd,
    told: OwnedFd,
    /// What the command prints its errors to; bubblewrap has another.
    errors: OwnedFd,
}

/// Runs the order in a sandbox that bubblewrap makes. Returns how the shell ended.
pub(super) fn enclose(order: &Order, line: &UnixStream) -> Result<Ended, String> {
    let program = PROGRAMS
        .iter()
        .map(Path::new)
        .find(|program| program.is_file())
        .ok_or("bubblewrap is not installed")?;
    let failed = |error: io::Error| error.to_string();
    let (mut reader, writer) = io::pipe().map_err(failed)?;
    let (complaints, complaining) = io::pipe().map_err(failed)?;
    match sys::fork().map_err(failed)? {
        Fork::Parent(_) => {
            drop((writer, complaining));
            if launcher::has_started(&mut reader) {
                launcher::close_line(line)?;
                return Ok(launcher::pass_on(reader));
            }
            let mut said = String::new();
            let _ = complaints.take(LONGEST_COMPLAINT).read_to_string(&mut said);
            Err(format!("bubblewrap has started nothing. {}", said.trim()))
        }
        Fork::Child => {
            let error = become_bubblewrap(program, order, line, writer.into(), &complaining);
            let mut complaining = complaining;
            let _ = complaining.write_all(error.to_string().as_bytes());
            std::process::exit(1)
        }
    }
}

/// Returns only when that fails.
#[expect(
    clippy::disallowed_types,
    reason = "the process replaces itself: no child is started"
)]
fn become_bubblewrap(
    program: &Path,
    order: &Order,
    line: &UnixStream,
    told: OwnedFd,
    complaining: &io::PipeWriter,
) -> io::Error {
    let (arguments, _held) = match prepare(order, line, told) {
        Ok(prepared) => prepared,
        Err(error) => return error,
    };
    if let Err(error) = sys::replace(io::stderr().as_fd(), complaining.as_fd()) {
        return error;
    }
    std::process::Command::new(program).args(arguments).exec()
}

/// The command line, and what must stay open until it is taken over.
fn prepare(
    order: &Order,
    line: &UnixStream,
    told: OwnedFd,
) -> io::Result<(Vec<String>, Vec<OwnedFd>)> {
    let through = Through {
        order: file_of(&serde_json::to_vec(order)?)?,
        line: line.as_fd().try_clone_to_owned()?,
        told,
        errors: io::stderr().as_fd().try_clone_to_owned()?,
    };
    let ourselves = File::open("/proc/self/exe")?;
    let cwd = launcher::working_directory(order).map_err(io::Error::other)?;
    let hidden: Vec<&PathBuf> = hidden_files(&order.policy).collect();
    let mut covers = Vec::new();
    for _ in &hidden {
        covers.push(File::open("/dev/null")?);
    }
    let covered: Vec<(&Path, i32)> = hidden
        .into_iter()
        .zip(&covers)
        .map(|(place, cover)| (place.as_path(), cover.as_raw_fd()))
        .collect();
    let mut words = Vec::new();
    for word in arguments(&order.policy, &cwd, &covered) {
        words.extend(word.as_bytes());
        words.push(0);
    }
    // Not as arguments, which are bounded and which everybody can read.
    let words = file_of(&words)?;
    let mut short = vec![
        "--args".to_owned(),
        words.as_raw_fd().to_string(),
        "--".to_owned(),
        format!("/proc/self/fd/{}", ourselves.as_raw_fd()),
        SUBCOMMAND.to_owned(),
    ];
    let through = [
        through.order.into(),
        through.line,
        through.told,
        through.errors,
    ];
    short.extend(through.iter().map(|held| held.as_raw_fd().to_string()));
    let held: Vec<OwnedFd> = covers
        .into_iter()
        .map(OwnedFd::from)
        .chain([ourselves.into(), words.into()])
        .chain(through)
        .collect();
    for descriptor in &held {
        fcntl_setfd(descriptor, FdFlags::empty())?;
    }
    Ok((short, held))
}

/// A file that only a descriptor names, to be read from its start.
fn file_of(bytes: &[u8]) -> io::Result<File> {
    let mut file = File::from(memfd_create("quarterdeck", MemfdFlags::CLOEXEC)?);
    file.write_all(bytes)?;
    file.rewind()?;
    Ok(file)
}

/// The order and the ends of the lines as they came through bubblewrap, for the process inside. `None` when it was
/// started otherwise.
pub(super) fn taken_over(
    mut numbers: impl Iterator<Item = OsString>,
) -> Option<io::Result<(Order, UnixStream, io::PipeWriter)>> {
    let first = numbers.next()?;
    let mut descriptors = std::iter::once(first).chain(numbers).map(|number| {
        let number = number.to_str().and_then(|number| number.parse().ok());
        number
            .ok_or_else(|| io::ErrorKind::InvalidInput.into())
            .and_then(sys::inherited)
    });
    let mut next = || {
        descriptors
            .next()
            .unwrap_or_else(|| Err(io::ErrorKind::InvalidInput.into()))
    };
    let mut take = || {
        let mut order = Vec::new();
        File::from(next()?).read_to_end(&mut order)?;
        let (line, told, errors) = (next()?, next()?, next()?);
        sys::replace(io::stderr().as_fd(), errors.as_fd())?;
        let order = serde_json::from_slice(&order)?;
        Ok((order, UnixStream::from(line), io::PipeWriter::from(told)))
    };
    Some(take())
}

/// What of the hidden is a file that the command would see.
fn hidden_files(policy: &Policy) -> impl Iterator<Item = &PathBuf> {
    policy
        .hidden
        .iter()
        .filter(|place| is_seen(policy, place) && !place.is_dir())
}

/// Whether a place of the machine is there in the sandbox before it is hidden.
fn is_seen(policy: &Policy, place: &Path) -> bool {
    let given = policy
        .writable
        .iter()
        .chain(&policy.shown)
        .chain(policy.readable.iter().flatten())
        .any(|given| place.starts_with(given));
    given || policy.readable.is_none() && !place.starts_with("/proc") && !mounts::is_covered(place)
}

/// The policy as bubblewrap takes it: what is more special comes later. `covered` are the hidden files, each with an
/// empty one to put there.
fn arguments(policy: &Policy, cwd: &Path, covered: &[(&Path, i32)]) -> Vec<OsString> {
    let mut list = Arguments(Vec::new());
    list.words(&["--unshare-user", "--unshare-pid", "--unshare-ipc"]);
    if policy.has_own_network() {
        list.words(&["--unshare-net"]);
    }
    list.words(&["--as-pid-1", "--die-with-parent"]);
    match &policy.readable {
        None => list.bind("--ro-bind", Path::new("/")),
        Some(readable) => {
            for (place, target) in mounts::library_links() {
                list.0
                    .extend(["--symlink".into(), target.into(), place.into()]);
            }
            for place in sorted(readable) {
                list.bind("--ro-bind", place);
            }
        }
    }
    list.words(&["--proc", "/proc", "--remount-ro", "/proc", "--dev", "/dev"]);
    list.words(&[
        "--perms",
        "1777",
        "--tmpfs",
        "/dev/shm",
        "--remount-ro",
        "/dev",
    ]);
    let has_run = policy.readable.is_some() || Path::new("/run").is_dir();
    if has_run {
        list.words(&["--perms", "0755", "--tmpfs", "/run"]);
        for place in mounts::kept_of_run() {
            list.bind("--ro-bind", &place);
        }
    }
    for place in mounts::private() {
        list.0
            .extend(["--bind".into(), policy.tmp.clone().into(), place.into()]);
    }
    let shown = sorted(&policy.shown).into_iter();
    for place in shown.filter(|place| mounts::is_covered(place)) {
        list.bind("--ro-bind", place);
    }
    for place in sorted(&policy.writable) {
        list.bind("--bind", place);
    }
    for place in &policy.pinned {
        list.bind("--bind-try", place);
    }
    for place in &policy.protected {
        list.bind("--ro-bind-try", place);
    }
    for place in policy.hidden.iter().filter(|place| place.is_dir()) {
        if is_seen(policy, place) {
            list.words(&["--perms", "0000", "--tmpfs"]);
            list.0.push(place.into());
            list.words(&["--remount-ro"]);
            list.0.push(place.into());
        }
    }
    for (place, cover) in covered {
        list.words(&["--perms", "0000", "--ro-bind-data", &cover.to_string()]);
        list.0.push((*place).into());
    }
    if has_run {
        list.words(&["--remount-ro", "/run"]);
    }
    if policy.readable.is_some() {
        list.words(&["--remount-ro", "/"]);
    }
    list.words(&["--chdir"]);
    list.0.push(cwd.into());
    list.0
}

struct Arguments(Vec<OsString>);

impl Arguments {
    fn words(&mut self, words: &[&str]) {
        self.0.extend(words.iter().map(OsString::from));
    }

    fn bind(&mut self, how: &str, place: &Path) {
        let place: &OsStr = place.as_ref();
        self.0
            .extend([how.into(), place.to_owned(), place.to_owned()]);
    }
}

/// What is above comes first.
fn sorted(places: &[PathBuf]) -> Vec<&PathBuf> {
    let mut places: Vec<&PathBuf> = places.iter().collect();
    places.sort_by_key(|place| place.components().count());
    places
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        domain::permission::Network, permission::network::NetworkPolicy,
        process::sandbox::backend::Backend,
    };

    fn policy() -> Policy {
        let paths = |names: &[&str]| names.iter().map(PathBuf::from).collect::<Vec<_>>();
        Policy {
            backend: Backend::Bubblewrap,
            writable: paths(&["/srv/a/b", "/srv/a"]),
            shown: paths(&["/tmp/shown", "/srv/shown"]),
            pinned: paths(&["/srv/a/.git"]),
            protected: paths(&["/srv/a/.git/config"]),
            hidden: paths(&["/srv/secret", "/tmp/secret", "/proc/secret"]),
            readable: None,
            network: NetworkPolicy::of(Network::None),
            tmp: PathBuf::from("/own/tmp"),
        }
    }

    fn words(policy: &Policy) -> String {
        let list = arguments(
            policy,
            Path::new("/srv/a"),
            &[(Path::new("/srv/secret"), 7)],
        );
        let words: Vec<String> = list
            .iter()
            .map(|word| word.to_string_lossy().into_owned())
            .collect();
        words.join(" ")
    }

    #[test]
    fn what_is_more_special_comes_later() {
        let words = words(&policy());

        let order = [
            "--unshare-net",
            "--ro-bind / /",
            "--bind /own/tmp /tmp",
            "--ro-bind /tmp/shown /tmp/shown",
            "--bind /srv/a /srv/a",
            "--bind /srv/a/b /srv/a/b",
            "--bind-try /srv/a/.git /srv/a/.git",
            "--ro-bind-try /srv/a/.git/config /srv/a/.git/config",
            "--perms 0000 --ro-bind-data 7 /srv/secret",
            "--chdir /srv/a",
        ];
        let places: Vec<usize> = order
            .iter()
            .map(|part| {
                words
                    .find(part)
                    .unwrap_or_else(|| panic!("{part} in {words}"))
            })
            .collect();
        assert!(places.is_sorted(), "{places:?} in {words}");
        assert!(!words.contains("/srv/shown"), "{words}");
    }

    #[test]
    fn an_open_network_is_shared_and_confined_reading_starts_from_nothing() {
        let words = words(&Policy {
            readable: Some(vec![PathBuf::from("/usr")]),
            network: NetworkPolicy::of(Network::All),
            ..policy()
        });

        assert!(!words.contains("--unshare-net"), "{words}");
        assert!(!words.contains("--ro-bind / /"), "{words}");
        assert!(words.contains("--ro-bind /usr /usr"), "{words}");
        assert!(words.contains("--remount-ro / --chdir"), "{words}");
    }

    /// Hiding it would make it first, where nothing can be made.
    #[test]
    fn what_is_not_in_sight_is_not_hidden() {
        let policy = policy();
        let is_seen = |place: &str| is_seen(&policy, Path::new(place));

        assert!(is_seen("/srv/secret"));
        assert!(is_seen("/tmp/shown/x"));
        assert!(!is_seen("/tmp/secret"));
        assert!(!is_seen("/proc/secret"));
        assert!(!is_seen("/run/secret"));
    }
}
