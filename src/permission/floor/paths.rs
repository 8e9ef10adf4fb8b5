//! Paths that a whole machine, account or project hangs on.

/// Folders of the system; everything below them counts.
const SYSTEM: &[&str] = &[
    "/Applications",
    "/Library",
    "/System",
    "/bin",
    "/boot",
    "/dev",
    "/etc",
    "/lib",
    "/lib32",
    "/lib64",
    "/opt",
    "/proc",
    "/root",
    "/sbin",
    "/sys",
    "/usr",
    "/var",
];

/// Folders below them in which programs keep what may go.
const FREE: &[&str] = &["/var/tmp", "/dev/shm"];

/// Folders of accounts: they and each account count, not what is below.
const HOMES: &[&str] = &["/Users", "/home"];

/// What of a path is broad, in words.
pub(super) fn broad(path: &str) -> Option<&'static str> {
    let path = path.trim_end_matches("/*").trim_end_matches("/.");
    let is_home = ["~", "$HOME", "${HOME}", "$HOME/", "~/"].contains(&path)
        || path
            .strip_prefix('~')
            .is_some_and(|user| !user.is_empty() && !user.contains('/'));
    if is_home {
        return Some("a home folder");
    }
    if path.is_empty() || path == "/*" {
        return Some("the whole file system");
    }
    if !path.starts_with('/') {
        let plain = plain(path);
        let climbs = plain.iter().all(|part| *part == "..");
        return climbs.then_some("the folder that everything is in");
    }
    let parts = plain(path);
    let clean = format!("/{}", parts.join("/"));
    let below = |folders: &[&str]| {
        folders.iter().any(|folder| {
            clean
                .strip_prefix(folder)
                .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        })
    };
    if clean == "/" || clean == "/*" {
        Some("the whole file system")
    } else if HOMES.contains(&clean.as_str()) || (below(HOMES) && parts.len() == 2) {
        Some("a home folder")
    } else if FREE.contains(&clean.as_str()) || (below(SYSTEM) && !below(FREE)) {
        Some("a folder of the system")
    } else {
        None
    }
}

/// The parts of a path without `.` and with `..` carried out where that is possible.
fn plain(path: &str) -> Vec<&str> {
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." if parts.last().is_some_and(|last| *last != "..") => drop(parts.pop()),
            ".." if path.starts_with('/') => {}
            other => parts.push(other),
        }
    }
    parts
}

/// Whether a path is a disk or another device that writing to destroys.
pub(super) fn is_device(path: &str) -> bool {
    const HARMLESS: &[&str] = &[
        "/dev/null",
        "/dev/zero",
        "/dev/full",
        "/dev/stdout",
        "/dev/stderr",
        "/dev/stdin",
        "/dev/tty",
        "/dev/random",
        "/dev/urandom",
    ];
    path.strip_prefix("/dev/").is_some_and(|rest| {
        !HARMLESS.contains(&path)
            && !["fd/", "shm/", "pts/", "tcp/", "udp/", "mqueue/"]
                .iter()
                .any(|free| rest.starts_with(free))
    })
}
