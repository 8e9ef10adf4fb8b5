//! The files that a command sees: everything read-only, the writable directories on top, and nothing of what is hidden.
//!
//! What comes from outside is taken hold of first, by descriptors; then the root is exchanged, and the pieces are
//! attached where they belong. No path is followed through a symbolic link: a command that ran before may have left
//! one.

use std::{
    ffi::CStr,
    fs, io,
    path::{Path, PathBuf},
};

use rustix::process::{chdir, fchdir, pivot_root};

use super::sys::{self, NO_DEVICES, NO_EXEC, NO_SUID, READ_ONLY, Tree};
use crate::process::sandbox::policy::Policy;

/// Devices that a command gets.
const DEVICES: &[&str] = &["null", "zero", "full", "random", "urandom", "tty"];
/// Links in `/dev` and where they lead.
const LINKS: &[(&str, &str)] = &[
    ("/proc/self/fd", "fd"),
    ("/proc/self/fd/0", "stdin"),
    ("/proc/self/fd/1", "stdout"),
    ("/proc/self/fd/2", "stderr"),
    ("pts/ptmx", "ptmx"),
];
/// What of `/run` ordinary programs need: programs and drivers of NixOS.
const KEPT_OF_RUN: &[&str] = &[
    "/run/current-system",
    "/run/booted-system",
    "/run/opengl-driver",
];
/// Directories of programs and libraries that are links on many systems.
const LIBRARIES: &[&str] = &["/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32"];
/// Directories that the command has for itself.
const PRIVATE: &[&str] = &["/tmp", "/var/tmp"];
/// Where the new root is put together; any directory that is always there.
const STAGE: &str = "/usr";

/// Directories that can be written in the new root.
pub(super) fn writable(policy: &Policy) -> Vec<PathBuf> {
    let private = PRIVATE.iter().map(PathBuf::from);
    let there = private.filter(|place| place.is_dir());
    there.chain(policy.writable.iter().cloned()).collect()
}

/// What of `/run` a command gets.
pub(super) fn kept_of_run() -> impl Iterator<Item = PathBuf> {
    KEPT_OF_RUN
        .iter()
        .map(PathBuf::from)
        .filter(|place| place.exists())
        .chain(fs::canonicalize("/etc/resolv.conf").ok())
        .filter(|place| place.starts_with("/run"))
}

/// Where the command finds a directory of its own. `/var/tmp` may be a link to `/tmp`.
pub(super) fn private() -> impl Iterator<Item = PathBuf> {
    PRIVATE
        .iter()
        .map(PathBuf::from)
        .filter(|place| place.is_dir() && !place.is_symlink())
}

/// Directories of programs and libraries that are links here, and where they lead.
pub(super) fn library_links() -> impl Iterator<Item = (PathBuf, PathBuf)> {
    LIBRARIES
        .iter()
        .filter_map(|place| Some((PathBuf::from(place), fs::read_link(place).ok()?)))
}

/// Exchanges the root for what the policy lets the command see, and goes to `cwd` in it.
pub(super) fn enter(policy: &Policy, cwd: &Path) -> Result<(), String> {
    let what = |what: &str| {
        let what = what.to_owned();
        move |error: io::Error| format!("{what}: {error}")
    };
    sys::follow_mounts().map_err(what("the mounts cannot be parted"))?;
    let pieces = Pieces::take(policy)?;
    pieces
        .base
        .attach(Path::new(STAGE))
        .and_then(|()| Ok(fchdir(&sys::locate(Path::new(STAGE))?)?))
        .map_err(what("the new root cannot be attached"))?;
    pivot_root(".", ".")
        .map_err(io::Error::from)
        .and_then(|()| sys::unmount_here())
        .and_then(|()| Ok(chdir("/")?))
        .map_err(what("the root cannot be exchanged"))?;
    pieces.put(policy)?;
    chdir(cwd).map_err(io::Error::from).map_err(what(&format!(
        "the sandbox hides the working directory {}",
        cwd.display()
    )))
}

/// What is taken hold of outside.
struct Pieces {
    base: Tree,
    processes: Tree,
    devices: Vec<(PathBuf, Tree)>,
    kept: Vec<(PathBuf, Tree)>,
    readable: Vec<(PathBuf, Tree)>,
    private: Vec<(PathBuf, Tree)>,
    links: Vec<(PathBuf, PathBuf)>,
    shown: Vec<(PathBuf, Tree)>,
    writable: Vec<(PathBuf, Tree)>,
}

impl Pieces {
    fn take(policy: &Policy) -> Result<Self, String> {
        let base = match &policy.readable {
            None => copy(Path::new("/"), READ_ONLY | NO_SUID | NO_DEVICES)?,
            Some(_) => empty(c"0755")?,
        };
        let mut devices = Vec::new();
        for name in DEVICES {
            let place = Path::new("/dev").join(name);
            if let Ok(device) = Tree::copy(&place) {
                device
                    .restrict(NO_SUID | NO_EXEC)
                    .map_err(|error| format!("{}: {error}", place.display()))?;
                devices.push((place, device));
            }
        }
        let kept = kept_of_run()
            .map(|place| {
                Ok((
                    place.clone(),
                    copy(&place, READ_ONLY | NO_SUID | NO_DEVICES)?,
                ))
            })
            .collect::<Result<_, String>>()?;
        let taken = |places: &[PathBuf], attributes| {
            let mut places = places.to_vec();
            places.sort_by_key(|place| place.components().count());
            places
                .into_iter()
                .map(|place| Ok((place.clone(), copy(&place, attributes)?)))
                .collect::<Result<Vec<_>, String>>()
        };
        let private = private()
            .map(|place| Ok((place, copy(&policy.tmp, NO_SUID | NO_DEVICES)?)))
            .collect::<Result<_, String>>()?;
        let links = library_links()
            .filter(|_| policy.readable.is_some())
            .collect();
        // The kernel gives a new one only to who sees a whole one.
        let attributes = READ_ONLY | NO_SUID | NO_DEVICES | NO_EXEC;
        let processes = Tree::of(c"proc", &[], attributes)
            .map_err(|error| format!("/proc cannot be mounted: {error}"))?;
        Ok(Self {
            base,
            processes,
            devices,
            kept,
            readable: taken(
                policy.readable.as_deref().unwrap_or_default(),
                READ_ONLY | NO_SUID | NO_DEVICES,
            )?,
            private,
            links,
            shown: taken(&policy.shown, READ_ONLY | NO_SUID | NO_DEVICES)?,
            writable: taken(&policy.writable, NO_SUID | NO_DEVICES)?,
        })
    }

    /// Attaches everything in the new root, what is more special later.
    fn put(self, policy: &Policy) -> Result<(), String> {
        let is_confined = policy.readable.is_some();
        if is_confined {
            for place in ["/proc", "/dev", "/tmp", "/var/tmp", "/run"] {
                make(Path::new(place), true)?;
            }
        }
        for (place, target) in &self.links {
            std::os::unix::fs::symlink(target, place)
                .map_err(|error| format!("{}: {error}", place.display()))?;
        }
        for (place, tree) in &self.readable {
            make_like(place, tree)?;
            attach(tree, place)?;
        }
        attach(&self.processes, Path::new("/proc"))?;
        self.put_devices()?;
        if Path::new("/run").is_dir() {
            let run = empty(c"0755")?;
            attach(&run, Path::new("/run"))?;
            for (place, tree) in &self.kept {
                make_like(place, tree)?;
                attach(tree, place)?;
            }
        }
        for (place, tree) in &self.private {
            attach(tree, place)?;
        }
        for (place, tree) in self.shown.iter().filter(|(place, _)| is_covered(place)) {
            make(place, true)?;
            attach(tree, place)?;
        }
        for (place, tree) in &self.writable {
            if is_confined || is_covered(place) {
                make(place, true)?;
            }
            attach(tree, place)?;
        }
        for place in &policy.pinned {
            again(place, 0)?;
        }
        for place in &policy.protected {
            again(place, READ_ONLY)?;
        }
        for place in &policy.hidden {
            hide(place)?;
        }
        if is_confined {
            self.base
                .restrict_alone(READ_ONLY | NO_SUID | NO_DEVICES)
                .map_err(|error| format!("the new root: {error}"))?;
        }
        Ok(())
    }

    fn put_devices(&self) -> Result<(), String> {
        let directory = Path::new("/dev");
        let failed = |error: io::Error| format!("/dev cannot be made: {error}");
        let own = empty(c"0755")?;
        attach(&own, directory)?;
        for (place, device) in &self.devices {
            make(place, false)?;
            attach(device, place)?;
        }
        for (target, name) in LINKS {
            std::os::unix::fs::symlink(target, directory.join(name)).map_err(failed)?;
        }
        make(&directory.join("pts"), true)?;
        make(&directory.join("shm"), true)?;
        let shared =
            Tree::of(c"tmpfs", &[(c"mode", c"1777")], NO_SUID | NO_DEVICES).map_err(failed)?;
        attach(&shared, &directory.join("shm"))?;
        // Without it programs that want a terminal of their own have none; nothing else is missing.
        if let Ok(terminals) = Tree::of(c"devpts", &[(c"ptmxmode", c"0666")], NO_SUID | NO_EXEC) {
            attach(&terminals, &directory.join("pts"))?;
        }
        own.restrict_alone(READ_ONLY | NO_SUID | NO_EXEC)
            .map_err(failed)
    }
}

/// Whether a place lies in a directory that was covered.
pub(super) fn is_covered(place: &Path) -> bool {
    ["/run", "/dev"]
        .iter()
        .chain(PRIVATE)
        .any(|covered| place.starts_with(covered))
}

/// An empty file system in memory.
fn empty(mode: &CStr) -> Result<Tree, String> {
    Tree::of(c"tmpfs", &[(c"mode", mode)], NO_SUID | NO_DEVICES)
        .map_err(|error| format!("a tmpfs cannot be mounted: {error}"))
}

fn copy(place: &Path, attributes: u64) -> Result<Tree, String> {
    let failed = |error: io::Error| format!("{} cannot be taken over: {error}", place.display());
    let tree = Tree::copy(place).map_err(failed)?;
    tree.restrict(attributes).map_err(failed)?;
    Ok(tree)
}

fn attach(tree: &Tree, place: &Path) -> Result<(), String> {
    tree.attach(place)
        .map_err(|error| format!("{} cannot be attached: {error}", place.display()))
}

/// Mounts a place on itself: it can no longer be moved or replaced, and `attributes` are taken from it.
fn again(place: &Path, attributes: u64) -> Result<(), String> {
    match Tree::copy(place) {
        Ok(tree) => {
            tree.restrict(attributes | NO_SUID | NO_DEVICES)
                .map_err(|error| format!("{}: {error}", place.display()))?;
            attach(&tree, place)
        }
        // It has gone since it was looked at.
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        Err(error) => Err(format!("{} cannot be protected: {error}", place.display())),
    }
}

/// Covers a place with something empty that nobody may look into.
fn hide(place: &Path) -> Result<(), String> {
    let failed = |error: io::Error| format!("{} cannot be hidden: {error}", place.display());
    let Ok(data) = fs::symlink_metadata(place) else {
        return Ok(());
    };
    let cover = empty(c"0000")?;
    if data.is_dir() {
        attach(&cover, place)?;
        return cover.restrict(READ_ONLY).map_err(failed);
    }
    // A file is covered by a file: for a moment, the empty file system stands where it can be written.
    let stage = Path::new("/dev/shm");
    attach(&cover, stage)?;
    let file = stage.join("hidden");
    let covered = fs::File::create(&file)
        .and_then(|made| made.set_permissions(std::os::unix::fs::PermissionsExt::from_mode(0o0)))
        .and_then(|()| Tree::copy(&file))
        .and_then(|tree| {
            tree.restrict(READ_ONLY)?;
            tree.attach(place)
        })
        .map_err(failed);
    sys::unmount(stage).map_err(failed)?;
    covered
}

/// Makes what something can be attached to, with the directories above.
fn make(place: &Path, is_directory: bool) -> Result<(), String> {
    let failed = |error: io::Error| format!("{} cannot be made: {error}", place.display());
    let directory = if is_directory {
        Some(place)
    } else {
        place.parent()
    };
    if let Some(directory) = directory {
        fs::create_dir_all(directory).map_err(failed)?;
    }
    if !is_directory {
        fs::File::create(place).map_err(failed)?;
    }
    Ok(())
}

fn make_like(place: &Path, tree: &Tree) -> Result<(), String> {
    let data = rustix::fs::fstat(tree).map_err(|error| format!("{}: {error}", place.display()))?;
    let kind = rustix::fs::FileType::from_raw_mode(data.st_mode);
    make(place, kind.is_dir())
}
