//! What a command was denied, as far as its own words tell, and what the person can do about it.

use std::path::{Path, PathBuf};

use crate::{
    domain::permission::{Level, Network},
    process::{
        sandbox::policy::Policy,
        spawn::{End, Finished},
    },
    text::sanitize::clean_line,
    tools::context::ToolContext,
    workspace::root::absolute,
};

/// What a program says of a file system on which nothing is written.
const READ_ONLY: &str = "Read-only file system";
/// Words by which programs say that something was not allowed.
const DENIALS: &[&str] = &[
    READ_ONLY,
    "Permission denied",
    "Operation not permitted",
    // What cannot be moved away is mounted on itself.
    "Device or resource busy",
    "EROFS",
    "EACCES",
    "EPERM",
    "EBUSY",
];
/// Words by which they say that nothing could be reached.
const UNREACHABLE: &[&str] = &[
    "Network is unreachable",
    "No route to host",
    "Could not resolve host",
    "Could not resolve proxy",
    "Failed to connect to",
    "Temporary failure in name resolution",
    "Name or service not known",
    "ENETUNREACH",
    "EAI_AGAIN",
    "ENOTFOUND",
    "dns error",
];
/// Words by which they say that nobody listens: in a network of the command's own, nobody of this machine does.
const REFUSED: &[&str] = &["Connection refused", "ECONNREFUSED"];
/// Words beside a denial that is about the network, where the kernel's filter closes it.
const CONNECTING: &[&str] = &["/dev/tcp/", "/dev/udp/", "socket", "connect"];
/// The tail of an output in which the reason of a failure stands.
const TAIL: usize = 8 * 1024;
/// How many lines above the reason the place may stand.
const ABOVE: usize = 3;
/// The most places that are named.
const MOST: usize = 3;
/// The longest word that is taken for a place.
const LONGEST: usize = 300;

/// Where tools of the person keep what they have fetched, below their home, and what of it to open to commands. What
/// tools run from stays closed.
const CACHES: &[(&str, &[&str])] = &[
    (".cargo", &["~/.cargo/registry", "~/.cargo/git"]),
    (".rustup", &["~/.rustup"]),
    (".npm", &["~/.npm"]),
    ("go/pkg", &["~/go/pkg"]),
    (".gradle", &["~/.gradle"]),
    (".m2", &["~/.m2/repository"]),
    (".nuget", &["~/.nuget/packages"]),
    (".local/share/pnpm", &["~/.local/share/pnpm"]),
    (".cache", &["~/.cache"]),
];

/// What to say of the sandbox after a command: the connections that it refused, and when the command failed with words
/// that sound like it, what it may have been in the way of.
pub(in crate::tools) fn notes(
    context: &ToolContext,
    policy: &Policy,
    finished: &Finished,
) -> Vec<String> {
    let mut notes: Vec<String> = finished
        .refused
        .iter()
        .map(|refused| format!("network: {}", clean_line(refused)))
        .collect();
    let tail = tail(&finished.captured.text);
    let suspicion = match finished.end {
        End::Cancelled => None,
        // Behind a pipe a failure is no failure; that no other file system is read-only is likely enough.
        End::Exited(0) => {
            let places = places(tail, policy, &context.cwd);
            let is_denied = tail.contains(READ_ONLY) && !places.is_empty();
            is_denied.then(|| closed(context, policy, &places))
        }
        _ => suspicion(context, policy, tail),
    };
    notes.extend(suspicion);
    notes
}

fn suspicion(context: &ToolContext, policy: &Policy, tail: &str) -> Option<String> {
    let says = |words: &[&str]| words.iter().any(|word| tail.contains(word));
    let places = places(tail, policy, &context.cwd);
    let is_filtered = !policy.has_own_network() && says(DENIALS) && says(CONNECTING);
    match policy.network.network {
        Network::None if says(UNREACHABLE) || is_filtered => {
            let narrowed = match context.reach.network {
                Network::Remote => ", since this sandbox cannot hold `remote`",
                _ => "",
            };
            return Some(format!(
                "this may be the sandbox: the command has no network{narrowed}; the person can open it with /network"
            ));
        }
        Network::Remote if says(UNREACHABLE) || says(REFUSED) || is_filtered => {
            return Some(
                "this may be the sandbox: at network `remote` other machines are reached only through the proxy that \
                 http_proxy and https_proxy name, and this machine's own ports are not; the person can open it with \
                 /network"
                    .to_owned(),
            );
        }
        _ => {}
    }
    says(DENIALS).then(|| closed(context, policy, &places))
}

/// That a place is closed, and how the person opens it.
fn closed(context: &ToolContext, policy: &Policy, places: &[PathBuf]) -> String {
    let named = |places: &[PathBuf]| {
        let names = places.iter().map(|place| place.display().to_string());
        names.collect::<Vec<_>>().join(", ")
    };
    let denied = if places.is_empty() {
        String::new()
    } else {
        format!("it closes {}; ", clean_line(&named(places)))
    };
    let mut writable = vec![policy.seen_tmp().to_owned()];
    writable.extend(policy.writable.iter().cloned());
    let raise = match context.reach.level {
        Level::None | Level::Read => {
            "the person can allow writing in the workspace with /permission workspace".to_owned()
        }
        Level::Workspace | Level::Unrestricted => format!(
            "the person can add {} to sandbox.writable, or run without a sandbox at /permission unrestricted",
            to_open(places, std::env::home_dir().as_deref())
        ),
    };
    format!(
        "this may be the sandbox: {denied}writing is possible in {} only, .git/hooks, .git/config, .envrc and \
         .quarterdeck stay as they are, and files with secrets are closed; {raise}",
        named(&writable)
    )
}

/// What the person would open for the first of these places.
fn to_open(places: &[PathBuf], home: Option<&Path>) -> String {
    let cache = home.and_then(|home| {
        CACHES.iter().find(|(cache, _)| {
            let cache = home.join(cache);
            places.iter().any(|place| place.starts_with(&cache))
        })
    });
    cache.map_or_else(|| "a directory".to_owned(), |(_, open)| open.join(" and "))
}

fn tail(output: &str) -> &str {
    let mut start = output.len().saturating_sub(TAIL);
    while !output.is_char_boundary(start) {
        start += 1;
    }
    output.get(start..).unwrap_or_default()
}

/// The places beside the words of denial that the policy does not let the command write.
fn places(tail: &str, policy: &Policy, cwd: &Path) -> Vec<PathBuf> {
    let lines: Vec<&str> = tail.lines().collect();
    let mut found = Vec::new();
    for (number, line) in lines.iter().enumerate() {
        if !DENIALS.iter().any(|word| line.contains(word)) {
            continue;
        }
        let above = lines.iter().take(number + 1).rev().take(ABOVE + 1);
        let nearest = above
            .map(|line| denied_in(line, policy, cwd))
            .find(|places| !places.is_empty());
        for place in nearest.into_iter().flatten() {
            if found.len() < MOST && !found.contains(&place) {
                found.push(place);
            }
        }
    }
    found
}

fn denied_in(line: &str, policy: &Policy, cwd: &Path) -> Vec<PathBuf> {
    line.split(|letter: char| letter.is_whitespace() || "'\"`‘’“”,;()[]<>=".contains(letter))
        .map(|word| word.trim_end_matches([':', '.']))
        .filter(|word| word.contains('/') && !word.contains("://") && word.len() <= LONGEST)
        .map(|word| absolute(cwd, word))
        .filter(|place| is_closed(place, policy))
        .collect()
}

fn is_closed(place: &Path, policy: &Policy) -> bool {
    let lies_in = |places: &[PathBuf]| places.iter().any(|closed| place.starts_with(closed));
    let is_open = lies_in(&policy.writable)
        || place.starts_with(policy.seen_tmp())
        || place.starts_with("/dev")
        || place.starts_with("/proc");
    let is_pinned = policy.pinned.iter().any(|pinned| pinned == place);
    !is_open || is_pinned || lies_in(&policy.protected) || lies_in(&policy.hidden)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::process::sandbox::backend::Backend;

    fn policy() -> Policy {
        Policy {
            backend: Backend::Namespaces,
            writable: vec![PathBuf::from("/p")],
            shown: Vec::new(),
            pinned: vec![PathBuf::from("/p/sub")],
            protected: vec![PathBuf::from("/p/.git/config")],
            hidden: vec![PathBuf::from("/p/.env")],
            readable: None,
            network: Default::default(),
            tmp: PathBuf::from("/own/tmp"),
        }
    }

    #[test]
    fn places_stand_beside_the_words_or_above_them() {
        let table: &[(&str, &[&str])] = &[
            ("bash: line 1: /etc/x: Permission denied", &["/etc/x"]),
            (
                "touch: cannot touch '/usr/a/b': Read-only file system",
                &["/usr/a/b"],
            ),
            (
                "bash: .git/config: Read-only file system",
                &["/p/.git/config"],
            ),
            ("cat: ./.env: Permission denied", &["/p/.env"]),
            ("bash: ../x: Read-only file system", &["/x"]),
            (
                "error: failed to open `/h/.cargo/registry/a.crate`\n\nCaused by:\n  Read-only file system (os error 30)",
                &["/h/.cargo/registry/a.crate"],
            ),
            (
                "mv: cannot move '/p/sub' to 'x': Device or resource busy",
                &["/p/sub"],
            ),
            ("./run.sh: Permission denied", &[]),
            ("/tmp/x: Permission denied", &[]),
            ("https://host/x: Permission denied and/or not", &[]),
            ("/etc/x is fine", &[]),
        ];

        for (text, expected) in table {
            let found = places(text, &policy(), Path::new("/p"));
            let expected: Vec<PathBuf> = expected.iter().map(PathBuf::from).collect();
            assert_eq!(found, expected, "{text}");
        }
    }

    #[test]
    fn a_cache_is_opened_by_its_name_and_programs_stay_closed() {
        let open = |place: &str| to_open(&[PathBuf::from(place)], Some(Path::new("/h")));

        assert_eq!(
            open("/h/.cargo/registry/x"),
            "~/.cargo/registry and ~/.cargo/git"
        );
        assert_eq!(open("/h/.npm/_cacache"), "~/.npm");
        assert_eq!(open("/h/other"), "a directory");
        assert_eq!(to_open(&[], None), "a directory");
    }
}
