//! Makes the attempts and looks at the world around them.

use std::{
    fmt::Write as _,
    fs,
    net::{TcpListener, UdpSocket},
    os::{
        linux::net::SocketAddrExt as _,
        unix::{
            fs::MetadataExt as _,
            net::{SocketAddr, UnixListener},
        },
    },
    path::Path,
};

use portable_pty::{PtyPair, PtySize, native_pty_system};
use quarterdeck::{
    domain::permission::Network,
    process::sandbox::{backend::Backend, probe::Enforced},
};

use super::attempts::{ATTEMPTS, Against};
use crate::support::cage::{Cage, backends};

/// The seconds that one attempt may take.
const SECONDS: u32 = 10;

/// Whether a sandbox claims to hold against an attempt.
fn is_claimed(enforced: &Enforced, network: Network, against: Against) -> bool {
    if network == Network::Remote && !matches!(against, Against::Network | Against::Proxy) {
        // The rest is the same whatever the network.
        return false;
    }
    match against {
        Against::Writes => enforced.writes,
        Against::Metadata => enforced.metadata,
        Against::Protected => enforced.protected,
        Against::Hidden => enforced.hidden,
        Against::Network if network == Network::Remote => enforced.remote,
        Against::Network => enforced.network,
        Against::Proxy => network == Network::Remote && enforced.remote,
        Against::Processes => enforced.processes,
        Against::Sockets => enforced.sockets,
        Against::Namespaces => enforced.backend.has_namespaces(),
        Against::Privileges => true,
    }
}

/// Everything about a tree that an attempt could have changed.
fn fingerprint(top: &Path) -> String {
    let mut lines = Vec::new();
    let mut waiting = vec![top.to_owned()];
    while let Some(path) = waiting.pop() {
        let data = fs::symlink_metadata(&path).unwrap();
        let content = if data.is_dir() {
            waiting.extend(
                fs::read_dir(&path)
                    .unwrap()
                    .map(|entry| entry.unwrap().path()),
            );
            String::new()
        } else {
            fs::read_to_string(&path).unwrap_or_default()
        };
        lines.push(format!(
            "{} {:o} {} {} {content}",
            path.display(),
            data.mode(),
            data.uid(),
            // The time of a directory with a lock file in it changes though nothing else does.
            if data.is_dir() { 0 } else { data.mtime() },
        ));
    }
    lines.sort();
    lines.join("\n")
}

/// The places in the workspace that stay as they are.
const PROTECTED: &[&str] = &[
    "work/.git/hooks",
    "work/.git/config",
    "work/.git/modules/sub/config",
    "work/.git/modules/sub/hooks",
    "work/.git/worktrees/w/commondir",
    "work/sub/.git",
    "work/vendor/lib/.git/config",
    "work/vendor/lib/.git/hooks",
    "work/vendor/lib/.envrc",
    "work/.envrc",
    "work/.quarterdeck",
    "own",
];

fn lay(cage: &Cage) {
    for (name, text) in [
        ("work/mine", "mine\n"),
        ("work/.env", "KEY=words\n"),
        ("work/.envrc", "as it was\n"),
        ("work/.quarterdeck/config.toml", "as it was\n"),
        ("work/.git/HEAD", "ref: refs/heads/main\n"),
        (
            "work/.git/config",
            "[core]\n\trepositoryformatversion = 0\n",
        ),
        ("work/.git/hooks/sample", "as it was\n"),
        ("work/.git/objects/keep", ""),
        ("work/.git/refs/keep", ""),
        ("work/.git/modules/sub/HEAD", "ref: refs/heads/main\n"),
        ("work/.git/modules/sub/config", "as it was\n"),
        ("work/.git/modules/sub/hooks/sample", "as it was\n"),
        ("work/.git/worktrees/w/HEAD", "ref: refs/heads/main\n"),
        ("work/.git/worktrees/w/commondir", "../..\n"),
        ("work/sub/.git", "gitdir: ../.git/modules/sub\n"),
        ("work/vendor/lib/.git/HEAD", "ref: refs/heads/main\n"),
        ("work/vendor/lib/.git/config", "as it was\n"),
        ("work/vendor/lib/.git/hooks/sample", "as it was\n"),
        ("work/vendor/lib/.envrc", "as it was\n"),
        ("own/secret", "secret words\n"),
        ("own/secret-of-qd", "secret words\n"),
    ] {
        cage.put(name, text);
    }
    for number in 0..ATTEMPTS.len() {
        cage.put(&format!("outside/{number}/kept"), "as it was\n");
    }
}

/// What listens outside, and the lines that name it.
struct Listening {
    tcp: TcpListener,
    udp: UdpSocket,
    _sockets: [UnixListener; 2],
    _terminal: PtyPair,
    names: String,
}

fn listen(cage: &Cage) -> Listening {
    let tcp = TcpListener::bind("127.0.0.1:0").unwrap();
    tcp.set_nonblocking(true).unwrap();
    let port = tcp.local_addr().unwrap().port();
    let udp = UdpSocket::bind(("127.0.0.1", port)).unwrap();
    udp.set_nonblocking(true).unwrap();
    let name = format!("escape-{}", cage.path("").display());
    let hidden = UnixListener::bind_addr(&SocketAddr::from_abstract_name(&name).unwrap()).unwrap();
    let terminal = native_pty_system().openpty(PtySize::default()).unwrap();
    let terminal_path = terminal.master.tty_name().unwrap();
    let path = cage.path("outside/socket");
    let named = UnixListener::bind(&path).unwrap();
    Listening {
        tcp,
        udp,
        _sockets: [hidden, named],
        names: format!(
            "export PATH=/usr/sbin:/usr/bin:/sbin:/bin PORT={port} ABSTRACT='{name}' SOCKET='{}' TERMINAL='{}'\n",
            path.display(),
            terminal_path.display()
        ),
        _terminal: terminal,
    }
}

/// Every attempt that a sandbox claims to hold against, one after the other; what got out.
async fn escaped(backend: Backend, network: Network) -> (usize, Vec<String>) {
    let cage = Cage::new(backend).with_network(network);
    lay(&cage);
    let listening = listen(&cage);
    let enforced = cage.state().enforced().unwrap().clone();
    let mark = std::process::id();
    let mut script = listening.names.clone();
    writeln!(
        script,
        "export WORK='{}' OWN='{}' QD={mark} MARK={mark}-{}",
        cage.path("work").display(),
        cage.path("own").display(),
        backend.name()
    )
    .unwrap();
    let mut made = 0;
    for (number, (against, attempt)) in ATTEMPTS.iter().enumerate() {
        if !is_claimed(&enforced, network, *against) {
            continue;
        }
        made += 1;
        let file = cage.put(&format!("work/attempts/{number}.sh"), attempt);
        let out = cage.path(&format!("outside/{number}"));
        writeln!(
            script,
            "OUT='{}' N={number} timeout -k 1 {SECONDS} bash '{}' </dev/null 2>/dev/null | grep -q ESCAPED && echo escaped {number}",
            out.display(),
            file.display()
        )
        .unwrap();
    }
    cage.put("work/all.sh", &script);
    let look = |name: &str| fingerprint(&cage.path(name));
    let before: Vec<String> = PROTECTED.iter().map(|name| look(name)).collect();
    let outside: Vec<String> = (0..ATTEMPTS.len())
        .map(|number| look(&format!("outside/{number}")))
        .collect();

    let answer = cage.run("setsid bash all.sh; echo over").await;

    assert!(answer.contains("over"), "{answer}");
    let mut found: Vec<String> = answer
        .lines()
        .filter_map(|line| line.strip_prefix("escaped ")?.parse::<usize>().ok())
        .map(|number| format!("says so: {}", ATTEMPTS[number].1))
        .collect();
    for (number, before) in outside.iter().enumerate() {
        if look(&format!("outside/{number}")) != *before {
            found.push(format!("changed the outside: {}", ATTEMPTS[number].1));
        }
    }
    for (name, before) in PROTECTED.iter().zip(&before) {
        let is_claimed = if *name == "own" {
            enforced.hidden
        } else {
            enforced.protected
        };
        if is_claimed && look(name) != *before {
            found.push(format!("changed {name}"));
        }
    }
    if listening.tcp.accept().is_ok() || listening.udp.recv(&mut [0; 8]).is_ok() {
        found.push("reached the network".to_owned());
    }
    if Path::new(&format!("/tmp/outside-{mark}-{}", backend.name())).exists() {
        found.push("wrote into /tmp".to_owned());
    }
    (made, found)
}

#[tokio::test]
async fn nothing_gets_out_of_any_sandbox() {
    for backend in backends() {
        let (made, found) = escaped(backend, Network::None).await;

        assert!(found.is_empty(), "{}: {found:#?}", backend.name());
        let least = if backend == Backend::Landlock {
            90
        } else {
            120
        };
        assert!(made >= least, "{}: only {made} attempts", backend.name());
    }
}

#[tokio::test]
async fn nothing_but_other_machines_is_reached_through_the_proxy() {
    for backend in backends() {
        let (made, found) = escaped(backend, Network::Remote).await;

        assert!(found.is_empty(), "{}: {found:#?}", backend.name());
        assert!(made >= 50, "{}: only {made} attempts", backend.name());
    }
}

/// The attempts are real: without a sandbox, they get out.
#[tokio::test]
async fn the_attempts_get_out_where_nothing_holds_them() {
    let cage =
        Cage::new(Backend::Namespaces).at(quarterdeck::domain::permission::Level::Unrestricted);
    lay(&cage);
    for number in [0, 5, 10, 32, 37] {
        let attempt = cage.put("work/attempt.sh", ATTEMPTS[number].1);
        let name = format!("outside/{number}");
        let before = fingerprint(&cage.path(&name));

        cage.run(&format!(
            "WORK='{}' OUT='{}' N={number} bash '{}'",
            cage.path("work").display(),
            cage.path(&name).display(),
            attempt.display()
        ))
        .await;

        assert_ne!(
            fingerprint(&cage.path(&name)),
            before,
            "{}",
            ATTEMPTS[number].1
        );
    }
}

#[tokio::test]
async fn who_ends_everything_ends_only_the_sandbox() {
    for backend in backends() {
        let cage = Cage::new(backend);
        if backend == Backend::Landlock {
            continue;
        }

        let answer = cage.run("sleep 100 & kill -9 -1; echo still").await;

        assert!(answer == "still", "{answer}");
    }
}
