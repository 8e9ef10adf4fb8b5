//! Which files look like stores of secrets, by name and place alone.
//!
//! One rule for every built-in reader, writer, search and mention. A file is looked at under the name that was given
//! and under the one it leads to, so that a link does not open what its target closes.

use std::{
    borrow::Cow,
    path::{Path, PathBuf},
};

use super::{error::WorkspaceError, root::Located};

/// Names of files that hold keys, passwords or tokens.
const NAMES: &[&str] = &[
    ".netrc",
    "_netrc",
    ".npmrc",
    ".pypirc",
    ".pgpass",
    ".my.cnf",
    ".git-credentials",
    ".htpasswd",
    ".dockercfg",
    ".vault-token",
    ".boto",
    ".s3cfg",
    "id_rsa",
    "id_dsa",
    "id_ecdsa",
    "id_ed25519",
    "id_ecdsa_sk",
    "id_ed25519_sk",
    "authinfo.gpg",
    ".authinfo",
    "master.key",
    "credentials.json",
    "service-account.json",
    "shadow-",
];

/// Endings of files that hold keys.
const ENDINGS: &[&str] = &[
    "pem", "key", "p12", "pfx", "jks", "keystore", "kdbx", "ppk", "gpg-key", "p8", "ovpn",
];

/// Directories in which everything is a secret.
const DIRECTORIES: &[&str] = &[
    ".gnupg",
    ".aws",
    ".azure",
    ".password-store",
    "keychains",
    ".kube",
    ".oci",
];

/// Two last parts of paths that hold tokens, and prefixes of them.
const PLACES: &[&str] = &[
    ".docker/config.json",
    ".cargo/credentials",
    ".cargo/credentials.toml",
    "gh/hosts.yml",
    "/etc/shadow",
    "/etc/gshadow",
    ".config/gcloud",
    ".config/op",
    ".gem/credentials",
    ".terraform.d/credentials.tfrc.json",
];

/// Forms of `.env` that are made to be shared.
const EXAMPLES: &[&str] = &["example", "sample", "template", "dist", "defaults"];

/// Why a path looks like a secret, or `None`.
pub fn reason(path: &Path) -> Option<&'static str> {
    let text = path.to_string_lossy();
    let is_lower = |byte: u8| byte.is_ascii() && !byte.is_ascii_uppercase();
    let lower = if text.bytes().all(is_lower) {
        text
    } else {
        Cow::Owned(text.to_lowercase())
    };
    let name = lower.rsplit('/').next().unwrap_or_default();
    by_name(name).or_else(|| by_place(&lower, name))
}

fn by_name(name: &str) -> Option<&'static str> {
    if is_environment(name) {
        return Some("an environment file");
    }
    if NAMES.contains(&name) {
        return Some("a key or credential file");
    }
    let is_key = name
        .split_once('.')
        .is_some_and(|(stem, _)| !stem.is_empty())
        && name
            .rsplit_once('.')
            .is_some_and(|(_, ending)| ENDINGS.contains(&ending));
    is_key.then_some("a private key or certificate")
}

/// Goes through the parts of a path once: a walk asks this of every file.
fn by_place(lower: &str, name: &str) -> Option<&'static str> {
    let mut parent = "";
    let mut in_place = false;
    let mut parts = lower.split('/').peekable();
    while let Some(part) = parts.next() {
        if (part.starts_with('.') || part == "keychains") && DIRECTORIES.contains(&part) {
            return Some("inside a credential store");
        }
        if part == ".ssh" && parts.peek().is_some() && !is_public_in_ssh(name) {
            return Some("inside .ssh");
        }
        in_place |= (parent.starts_with('.') || parent == "gh") && is_place(parent, part);
        parent = part;
    }
    if lower.starts_with("/proc/") && matches!(name, "environ" | "mem" | "kcore") {
        return Some("the memory of a process");
    }
    let is_of_system = |place: &&str| place.starts_with('/') && lower.ends_with(*place);
    (in_place || PLACES.iter().any(is_of_system)).then_some("a key or credential file")
}

fn is_place(parent: &str, part: &str) -> bool {
    PLACES.iter().any(|place| {
        let rest = place.strip_prefix(parent);
        rest.and_then(|rest| rest.strip_prefix('/')) == Some(part)
    })
}

/// Stores of secrets that are there: those of the person and of the system, and environment files at the top of the
/// roots. Blocks on the disk.
pub fn stores(home: Option<&Path>, roots: &[PathBuf]) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut look = |path: PathBuf| {
        if path.symlink_metadata().is_ok() {
            found.push(path);
        }
    };
    for place in PLACES.iter().filter(|place| place.starts_with('/')) {
        look(PathBuf::from(place));
    }
    if let Some(home) = home {
        for name in NAMES.iter().chain(DIRECTORIES) {
            look(home.join(name));
        }
        for place in PLACES.iter().filter(|place| place.starts_with('.')) {
            look(home.join(place));
        }
        look(home.join(".config/gh/hosts.yml"));
        look(home.join(".local/share/keyrings"));
        for path in files_in(&home.join(".ssh")) {
            if reason(&path).is_some() {
                look(path);
            }
        }
    }
    for path in roots.iter().flat_map(|root| files_in(root)) {
        let name = path
            .file_name()
            .map(|name| name.to_string_lossy().to_lowercase());
        if name.is_some_and(|name| is_environment(&name)) {
            look(path);
        }
    }
    found
}

fn files_in(directory: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(directory).into_iter().flatten().flatten();
    entries
        .filter(|entry| entry.file_type().is_ok_and(|kind| !kind.is_dir()))
        .map(|entry| entry.path())
        .collect()
}

/// Refuses a file that looks like a secret under the name given or the one it leads to, unless it was opened.
pub fn check(file: &Located) -> Result<(), WorkspaceError> {
    if file.opened {
        return Ok(());
    }
    match reason(&file.named).or_else(|| reason(&file.real)) {
        None => Ok(()),
        Some(reason) => Err(WorkspaceError::Secret {
            file: file.shown.clone(),
            reason,
        }),
    }
}

/// `.env`, `.env.local`, `.env-prod`, `.envrc`, `prod.env`; not `.env.example`.
fn is_environment(name: &str) -> bool {
    let form = if let Some(form) = name.strip_prefix(".env") {
        form.rsplit(['.', '-', '_']).next()
    } else {
        name.strip_suffix(".env")
            .and_then(|form| form.split(['.', '-', '_']).next())
    };
    form.is_some_and(|form| !EXAMPLES.contains(&form))
}

fn is_public_in_ssh(name: &str) -> bool {
    name.strip_suffix(".pub").is_some() || name.starts_with("known_hosts")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn environment_files_keys_and_credential_stores_look_like_secrets() {
        for path in [
            "/p/.env",
            "/p/.ENV",
            "/p/.env.local",
            "/p/.env.production",
            "/p/.envrc",
            "/p/.env-prod",
            "/p/.env_local",
            "/p/.env~",
            "/p/.env.swp",
            "/p/.env.example.local",
            "/p/prod.env",
            "/p/certs/server.pem",
            "/p/tls.key",
            "/p/a.p12",
            "/p/a.pfx",
            "/p/id_rsa",
            "/home/u/.ssh/id_ed25519",
            "/home/u/.ssh/config",
            "/home/u/.aws/credentials",
            "/home/u/.config/gcloud/access_tokens.db",
            "/home/u/.docker/config.json",
            "/home/u/.cargo/credentials.toml",
            "/home/u/.netrc",
            "/home/u/.npmrc",
            "/etc/shadow",
            "/proc/1/environ",
        ] {
            assert!(reason(Path::new(path)).is_some(), "{path}");
        }
    }

    #[test]
    fn ordinary_files_do_not() {
        for path in [
            "/p/.env.example",
            "/p/.env-sample",
            "/p/.env.production.example",
            "/p/example.env",
            "/p/env",
            "/p/src/env.rs",
            "/p/environment.md",
            "/p/keys.rs",
            "/p/src/secrets.rs",
            "/p/tokens/lexer.rs",
            "/p/.key",
            "/p/monkey",
            "/home/u/.ssh/id_rsa.pub",
            "/home/u/.ssh/known_hosts",
            "/p/docker/config.json",
            "/p/etc/shadow.md",
            "/p/proc/environ",
        ] {
            assert_eq!(reason(Path::new(path)), None, "{path}");
        }
    }

    #[test]
    fn a_link_does_not_open_what_its_target_closes() {
        let file = Located {
            named: "/p/notes.txt".into(),
            real: "/p/.env".into(),
            shown: ".env".to_owned(),
            opened: false,
        };

        assert_eq!(
            check(&file).unwrap_err().to_string(),
            ".env looks like a secret (an environment file): no tool reads or writes it. \
             Ask the person for what you need from it"
        );
    }
}
