//! What a child may know: the environment without secrets, with pagers and editors that never wait.
//!
//! The rule: a variable is taken out when it is one of our own keys by its configured name; when a part of its
//! name between underscores ends with `TOKEN`, `SECRET`, `PASSWORD`, `PASSWD`, `PASSPHRASE`, `CREDENTIAL` or `APIKEY`
//! (`PGPASSWORD`), or is `SECRETS`, `CREDENTIALS`, `PASS`, `SSHPASS`, `KEY` or `KEYS`, or its last part is `AUTH` or,
//! of several, `PWD` or `PAT`; or when its value is an address with a password in it (proxies excepted, since nothing
//! works without them). Everything else passes.
//!
//! `/proc/PID/environ` keeps showing what a program was started with, whatever it does later. So [`hide`]
//! executes this program again without those variables and hands them over in a pipe.

use std::{
    ffi::{OsStr, OsString},
    io::{self, Read as _, Write as _},
    os::{
        fd::{FromRawFd as _, OwnedFd},
        unix::{
            ffi::{OsStrExt as _, OsStringExt as _},
            process::CommandExt as _,
        },
    },
};

use super::sandbox::policy::Policy;

/// The variable that tells the second execution which descriptor to read.
pub(super) const HANDED_OVER: &str = "QD_HANDED_OVER";
/// The variable that marks every process of a command, so that those whose supervisor was killed are found.
pub(super) const MARK: &str = "QD_SUPERVISED";
/// Ends of names, or of parts of names, that hold secrets.
const ENDINGS: &[&str] = &[
    "TOKEN",
    "SECRET",
    "PASSWORD",
    "PASSWD",
    "PASSPHRASE",
    "CREDENTIAL",
    "APIKEY",
];
/// The most that is handed over: what a pipe holds without a reader.
const MOST_HANDED_OVER: usize = 60 * 1024;

/// What keeps programs from waiting for a person who cannot answer.
const UNATTENDED: &[(&str, &str)] = &[
    ("PAGER", "cat"),
    ("GIT_PAGER", "cat"),
    ("MANPAGER", "cat"),
    ("SYSTEMD_PAGER", "cat"),
    ("EDITOR", "true"),
    ("VISUAL", "true"),
    ("GIT_EDITOR", "true"),
    ("GIT_SEQUENCE_EDITOR", "true"),
    ("GIT_TERMINAL_PROMPT", "0"),
    ("SSH_ASKPASS_REQUIRE", "never"),
    ("DEBIAN_FRONTEND", "noninteractive"),
    ("TERM", "dumb"),
];

/// The environment of a child: this process's own, scrubbed, unattended. `own_keys` are the configured names of
/// our own keys.
pub fn for_child(own_keys: &[String]) -> Vec<(OsString, OsString)> {
    let mut variables = scrub(std::env::vars_os(), own_keys);
    variables.retain(|(name, _)| UNATTENDED.iter().all(|(fixed, _)| name != fixed));
    let unattended = UNATTENDED
        .iter()
        .map(|(name, value)| (name.into(), value.into()));
    variables.extend(unattended);
    variables
}

/// What of that keeps programs from asking at all.
const SILENT: &[&str] = &["GIT_TERMINAL_PROMPT", "DEBIAN_FRONTEND"];

/// Lets programs ask, since a person can answer. Editors and pagers stay away: theirs is a whole screen.
pub(super) fn let_ask(variables: &mut Vec<(OsString, OsString)>) {
    variables.retain(|(name, _)| SILENT.iter().all(|silent| name != silent));
}

/// Ways to programs of the person that would act for a command outside of its sandbox, and to places that it hides.
const WAYS_OUT: &[&str] = &[
    "SSH_AUTH_SOCK",
    "SSH_AGENT_PID",
    "GPG_AGENT_INFO",
    "DBUS_SESSION_BUS_ADDRESS",
    "DBUS_SYSTEM_BUS_ADDRESS",
    "XDG_RUNTIME_DIR",
    "DISPLAY",
    "WAYLAND_DISPLAY",
    "XAUTHORITY",
    "DOCKER_HOST",
    "CONTAINER_HOST",
    "PODMAN_HOST",
    "TMUX",
    "TMUX_PANE",
    "STY",
    "KITTY_LISTEN_ON",
    "NVIM",
    "VSCODE_IPC_HOOK_CLI",
    "PULSE_SERVER",
    "SUDO_ASKPASS",
    "SSH_ASKPASS",
    "TMPDIR",
    "TMP",
    "TEMP",
];

/// Caches without which their tools do not work at all: variable, folder below the directory for temporary files, usual
/// place in the person's home. Where commands cannot write there, they get one that lasts as long as the session. (A
/// cache that other work runs from, such as cargo's, must not be one that a command writes.)
const CACHES: &[(&str, &str, &str)] = &[
    ("npm_config_cache", "npm", ".npm"),
    ("YARN_CACHE_FOLDER", "yarn", ".cache/yarn"),
    ("BUN_INSTALL_CACHE_DIR", "bun", ".bun/install/cache"),
    ("DENO_DIR", "deno", ".cache/deno"),
    ("GOCACHE", "go-build", ".cache/go-build"),
    ("UV_CACHE_DIR", "uv", ".cache/uv"),
    ("PIP_CACHE_DIR", "pip", ".cache/pip"),
    ("CCACHE_DIR", "ccache", ".cache/ccache"),
];

/// The environment of a child in a sandbox: without ways out of it, and with its own places for temporary files.
pub fn in_sandbox(own_keys: &[String], policy: &Policy) -> Vec<(OsString, OsString)> {
    let mut variables = for_child(own_keys);
    variables.retain(|(name, _)| WAYS_OUT.iter().all(|way| name != way));
    let tmp = policy.seen_tmp();
    variables.push(("TMPDIR".into(), tmp.into()));
    let home = std::env::home_dir().unwrap_or_default();
    for (name, folder, usual) in CACHES {
        let is_set = variables
            .iter()
            .any(|(set, _)| set.eq_ignore_ascii_case(name));
        let usual = home.join(usual);
        let is_open = policy.writable.iter().any(|open| usual.starts_with(open));
        if !is_set && !is_open {
            variables.push((name.into(), tmp.join(".cache").join(folder).into()));
        }
    }
    variables
}

/// The variables that a child may know.
fn scrub(
    variables: impl Iterator<Item = (OsString, OsString)>,
    own_keys: &[String],
) -> Vec<(OsString, OsString)> {
    variables
        .filter(|(name, value)| {
            name != HANDED_OVER
                && own_keys.iter().all(|key| name != key.as_str())
                && !is_secret(name, value)
        })
        .collect()
}

/// Whether a variable is a secret by the rule above.
pub fn is_secret(name: &OsStr, value: &OsStr) -> bool {
    let name = name.to_string_lossy().to_ascii_uppercase();
    let mut last = "";
    let parts = name.split('_');
    let is_compound = parts.clone().nth(1).is_some();
    for part in parts {
        let secret = ENDINGS.iter().any(|ending| part.ends_with(ending))
            || matches!(
                part,
                "SECRETS" | "PASS" | "SSHPASS" | "CREDENTIALS" | "KEY" | "KEYS"
            );
        if secret {
            return true;
        }
        last = part;
    }
    last == "AUTH"
        || is_compound && matches!(last, "PWD" | "PAT")
        || last != "PROXY" && holds_password(&value.to_string_lossy())
}

/// Whether a value is an address such as `postgres://user:password@host`.
fn holds_password(value: &str) -> bool {
    let Some((_, rest)) = value.split_once("://") else {
        return false;
    };
    let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
    authority
        .rsplit_once('@')
        .and_then(|(user, _)| user.split_once(':'))
        .is_some_and(|(_, password)| !password.is_empty())
}

/// Takes secrets out of what `/proc/PID/environ` shows of this process, and returns them.
///
/// Must be the first thing that `main` does: when there is something to hide, the program is executed again
/// with the same arguments, and this function returns in the second execution only. `own_keys`, asked for
/// in the first execution only, are hidden beside what the rule names. A program that reads a key later must take it from the answer, not from its environment.
pub fn hide(own_keys: impl FnOnce() -> Vec<String>) -> io::Result<Vec<(OsString, OsString)>> {
    if let Some(descriptor) = std::env::var_os(HANDED_OVER) {
        return take_over(&descriptor);
    }
    let kept = scrub(std::env::vars_os(), &own_keys());
    let hidden: Vec<(OsString, OsString)> = std::env::vars_os()
        .filter(|variable| !kept.contains(variable))
        .collect();
    if hidden.is_empty() {
        return Ok(hidden);
    }
    let packed = pack(&hidden);
    if packed.len() > MOST_HANDED_OVER {
        return Err(io::Error::other(
            "the secrets in the environment are too large to hide",
        ));
    }
    let (reader, mut writer) = io::pipe()?;
    writer.write_all(&packed)?;
    drop(writer);
    // The second execution reads from this end.
    rustix::io::fcntl_setfd(&reader, rustix::io::FdFlags::empty())?;
    Err(execute_again(kept, &reader))
}

#[expect(
    clippy::disallowed_types,
    reason = "the program replaces itself: no child is started"
)]
fn execute_again(kept: Vec<(OsString, OsString)>, reader: &io::PipeReader) -> io::Error {
    use std::os::fd::AsRawFd as _;

    let mut arguments = std::env::args_os();
    let name = arguments.next().unwrap_or_default();
    std::process::Command::new("/proc/self/exe")
        .arg0(name)
        .args(arguments)
        .env_clear()
        .envs(kept)
        .env(HANDED_OVER, reader.as_raw_fd().to_string())
        .exec()
}

fn take_over(descriptor: &OsStr) -> io::Result<Vec<(OsString, OsString)>> {
    let number = descriptor
        .to_str()
        .and_then(|text| text.parse::<i32>().ok())
        .filter(|number| *number > 2)
        .ok_or_else(|| io::Error::other("the descriptor handed over is no number"))?;
    let target = std::fs::read_link(format!("/proc/self/fd/{number}"))?;
    if !target.to_string_lossy().starts_with("pipe:") {
        return Err(io::Error::other("the descriptor handed over is no pipe"));
    }
    #[expect(
        unsafe_code,
        reason = "a descriptor that was inherited has no owner yet"
    )]
    // SAFETY: the descriptor is open (it was just looked at) and was left open for this function alone by the
    // execution before; nothing else runs in this process yet.
    let pipe = unsafe { OwnedFd::from_raw_fd(number) };
    let mut packed = Vec::new();
    io::PipeReader::from(pipe).read_to_end(&mut packed)?;
    Ok(unpack(&packed))
}

fn pack(variables: &[(OsString, OsString)]) -> Vec<u8> {
    let mut packed = Vec::new();
    for (name, value) in variables {
        for part in [name, value] {
            packed.extend(part.as_bytes());
            packed.push(0);
        }
    }
    packed
}

fn unpack(packed: &[u8]) -> Vec<(OsString, OsString)> {
    let mut parts = packed
        .split(|byte| *byte == 0)
        .map(|part| OsString::from_vec(part.to_vec()));
    let mut variables = Vec::new();
    while let (Some(name), Some(value)) = (parts.next(), parts.next()) {
        variables.push((name, value));
    }
    variables
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pair(name: &str, value: &str) -> (OsString, OsString) {
        (name.into(), value.into())
    }

    #[test]
    fn secrets_are_taken_out_by_name_and_by_value() {
        let secrets = [
            ("OPENAI_API_KEY", "x"),
            ("AWS_ACCESS_KEY_ID", "x"),
            ("MY_TOKEN", "x"),
            ("github_token", "x"),
            ("DB_PASSWORD", "x"),
            ("NPM_CONFIG__AUTH", "x"),
            ("PGPASSWORD", "x"),
            ("MYSQL_PWD", "x"),
            ("GITHUB_PAT", "x"),
            ("SSHPASS", "x"),
            ("SMTP_PASS", "x"),
            ("DATABASE_URL", "postgres://user:pass@host/db"),
        ];
        let harmless = [
            ("PATH", "/bin"),
            ("SSH_AUTH_SOCK", "/run/agent"),
            ("MAX_TOKENS", "5"),
            ("KEYBOARD", "de"),
            ("PWD", "/p"),
            ("OLDPWD", "/p"),
            ("SSH_ASKPASS", "/usr/bin/ask"),
            ("COMPASS", "north"),
            ("HTTPS_PROXY", "http://user:pass@proxy:8080"),
            ("REPOSITORY", "https://host/a:b@c"),
            ("GIT_URL", "ssh://git@host/x"),
        ];
        for (name, value) in secrets {
            assert!(is_secret(name.as_ref(), value.as_ref()), "{name}");
        }
        for (name, value) in harmless {
            assert!(!is_secret(name.as_ref(), value.as_ref()), "{name}");
        }
    }

    #[test]
    fn our_own_keys_are_taken_out_whatever_their_name() {
        let variables = [
            pair("MINE", "1"),
            pair("HOME", "/h"),
            pair(HANDED_OVER, "3"),
        ];

        let kept = scrub(variables.into_iter(), &["MINE".to_owned()]);

        assert_eq!(kept, [pair("HOME", "/h")]);
    }

    #[test]
    fn a_child_has_no_pager_and_no_editor_that_waits() {
        let variables = for_child(&[]);

        for (name, value) in UNATTENDED {
            let found: Vec<&OsString> = variables
                .iter()
                .filter(|(found, _)| found == name)
                .map(|(_, value)| value)
                .collect();
            assert_eq!(found, [value], "{name}");
        }
    }

    #[test]
    fn where_a_person_can_answer_programs_may_ask_and_still_open_nothing() {
        let mut variables = for_child(&[]);
        let_ask(&mut variables);
        let has = |name: &str| variables.iter().any(|(found, _)| found == name);

        assert!(!has("GIT_TERMINAL_PROMPT") && !has("DEBIAN_FRONTEND"));
        assert!(has("PAGER") && has("EDITOR") && has("TERM"));
    }

    #[test]
    fn what_is_handed_over_arrives_whole() {
        let hidden = vec![
            pair("A_KEY", "1"),
            pair("B_TOKEN", ""),
            pair("C_KEY", "=\n各"),
        ];

        assert_eq!(unpack(&pack(&hidden)), hidden);
        assert_eq!(unpack(b""), []);
    }
}
