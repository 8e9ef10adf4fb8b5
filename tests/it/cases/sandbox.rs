//! Commands in a sandbox: ordinary work passes, and what is denied is named.

use std::path::Path;

use quarterdeck::{
    domain::permission::{Level, Network},
    process::{
        sandbox::{backend::Backend, probe, state::State},
        table,
    },
};
use serde_json::json;

use crate::support::cage::{Cage, backends};

/// Runs commands that must pass, in each sandbox that works here.
async fn pass(commands: &[(&str, &str)]) {
    for backend in backends() {
        let cage = Cage::new(backend);
        for (command, expected) in commands {
            let answer = cage.run(command).await;
            assert_eq!(answer, *expected, "{} in {}", command, backend.name());
        }
    }
}

#[test]
fn this_machine_has_a_sandbox_that_holds() {
    let backends = backends();
    for backend in Backend::ALL {
        if let State::Broken { why, .. } = Cage::new(*backend).state() {
            println!("{} is not tried: {why}", backend.name());
        }
    }
    let is_installed = Path::new("/usr/bin/bwrap").exists();

    assert!(
        backends.contains(&Backend::Namespaces) || backends.contains(&Backend::Landlock),
        "{:?}",
        Cage::new(Backend::Namespaces).state()
    );
    // Where the one makes namespaces, the other can as well.
    assert!(
        !is_installed
            || !backends.contains(&Backend::Namespaces)
            || backends.contains(&Backend::Bubblewrap),
        "{:?}",
        Cage::new(Backend::Bubblewrap).state()
    );
}

/// B117: the sandbox must not break ordinary work.
#[tokio::test]
async fn b117_ordinary_commands_pass() {
    pass(&[
        ("echo a >/dev/null; echo done", "done"),
        ("f=$(mktemp) && echo x >$f && cat $f && rm $f", "x"),
        ("printf a | tee /dev/stderr >/dev/null", "a"),
        ("python3 -c 'print(1)'", "1"),
        (
            "python3 -c 'import multiprocessing as m; print(m.Lock() is not None)'",
            "True",
        ),
        ("cat <(echo pipe)", "pipe"),
        ("cat <<<here", "here"),
        ("exec 3>file; echo three >&3; cat file; rm file", "three"),
        ("ln -s a b; mkdir d; mv b d/; ls d; rm -r d", "b"),
        ("ls /proc/self/fd | wc -l | tr -d ' '", "4"),
        ("[ -w . ] && echo writable", "writable"),
        ("cargo --version | cut -d' ' -f1", "cargo"),
        ("echo $$ >/dev/null; (exit 3); echo $?", "3"),
        ("exit 7", "(no output)\n[exit code: 7]"),
        ("kill -9 $$", "(no output)\n[ended by SIGKILL]"),
        ("kill -TERM $$", "(no output)\n[ended by SIGTERM]"),
        (
            "trap 'echo caught' TERM; kill -TERM $$; echo after",
            "caught\nafter",
        ),
        ("tty -s || echo none", "none"),
        ("sleep 0.01 & wait; echo waited", "waited"),
        ("echo kept >$TMPDIR/note", "(no output)"),
    ])
    .await;
}

#[tokio::test]
async fn a_commit_is_made_and_a_worktree_works() {
    for backend in backends() {
        let cage = Cage::new(backend);
        let git = "git -c user.name=a -c user.email=a@b -c init.defaultBranch=main";

        let made = cage
            .run(&format!(
                "{git} init -q . && echo x >f && {git} add f && {git} commit -qm one && {git} log --format=%s"
            ))
            .await;
        let again = cage
            .run(&format!(
                "echo y >f && {git} commit -qam two && {git} branch b && {git} stash list && {git} log --format=%s"
            ))
            .await;

        assert_eq!((made.as_str(), again.as_str()), ("one", "two\none"));
    }
}

#[tokio::test]
async fn what_one_command_leaves_in_tmp_the_next_one_finds() {
    for backend in backends() {
        let cage = Cage::new(backend);

        cage.run("echo kept >$TMPDIR/note").await;

        assert_eq!(cage.run("cat $TMPDIR/note").await, "kept");
    }
}

#[tokio::test]
async fn a_denied_write_is_named() {
    for backend in backends() {
        let cage = Cage::new(backend);
        let outside = cage.path("outside/x");

        let answer = cage.run(&format!("echo x >{}", outside.display())).await;

        assert!(!outside.exists());
        // Below `/tmp`, which is the command's own, the place is not there and nothing is closed.
        if outside.starts_with("/tmp") && backend != Backend::Landlock {
            assert!(answer.contains("No such file"), "{answer}");
            continue;
        }
        assert!(
            answer.contains(&format!(
                "[this may be the sandbox: it closes {}; writing is possible in",
                outside.display()
            )),
            "{answer}"
        );
        assert!(answer.contains("/permission unrestricted"), "{answer}");
    }
}

#[tokio::test]
async fn at_level_read_nothing_but_tmp_is_written() {
    for backend in backends() {
        let cage = Cage::new(backend).at(Level::Read);
        cage.put("work/f", "as it was");

        let answer = cage
            .run("echo x >f; echo y >new; echo z >$TMPDIR/z && cat f $TMPDIR/z")
            .await;

        // The two streams may end in either order.
        assert!(answer.contains("as it wasz"), "{answer}");
        assert_eq!(cage.text("work/f"), "as it was");
        assert!(!cage.path("work/new").exists());
    }
}

/// B117: `/tmp` is the command's own, but a project that lies there is still in sight.
#[tokio::test]
async fn b117_a_workspace_in_tmp_is_there() {
    for backend in backends() {
        for confined in [false, true] {
            let cage = Cage::in_tmp(backend);
            let cage = if confined { cage.confined() } else { cage };
            cage.put("work/note", "words");
            cage.put("outside/note", "words");
            let beside = cage.path("outside/note").display().to_string();

            let written = cage.run("cat note && echo more >note && cat note").await;
            let looked = cage.run(&format!("cat {beside}")).await;
            let cage = cage.at(Level::Read);
            let read = cage.run("cat note").await;
            let denied = cage.run("echo less >note || echo denied").await;

            assert_eq!(written, "wordsmore", "{}", backend.name());
            assert_eq!(read, "more", "{}", backend.name());
            assert!(denied.contains("denied"), "{denied}");
            assert_eq!(cage.text("work/note"), "more\n");
            if backend != Backend::Landlock {
                assert!(looked.contains("No such file"), "{looked}");
            }
        }
    }
}

#[tokio::test]
async fn at_level_unrestricted_there_is_no_sandbox() {
    let cage = Cage::new(Backend::Namespaces).at(Level::Unrestricted);
    let outside = cage.path("outside/x");

    cage.run(&format!("echo x >{}", outside.display())).await;

    assert_eq!(cage.text("outside/x"), "x\n");
}

#[tokio::test]
async fn without_a_network_loopback_inside_works_and_nothing_else() {
    let cage = Cage::new(Backend::Namespaces).with_network(Network::None);
    let script = "import socket\ns=socket.socket(); s.bind(('127.0.0.1',0)); s.listen()\n\
        c=socket.create_connection(s.getsockname()); print('inside')\n\
        try: socket.create_connection(('192.0.2.1',80),1)\nexcept OSError as e: print(e.strerror)";
    cage.put("work/s.py", script);

    assert_eq!(
        cage.run("python3 s.py").await,
        "inside\nNetwork is unreachable"
    );
}

#[tokio::test]
async fn confined_reading_sees_the_workspace_and_the_system() {
    for backend in backends() {
        let cage = Cage::new(backend).confined();
        let secret = cage.put("outside/secret", "hidden words");
        cage.put("work/f", "mine");

        let answer = cage
            .run(&format!(
                "cat f; ls /usr/bin >/dev/null && python3 -c 'print(2)'; cat {}",
                secret.display()
            ))
            .await;

        assert!(answer.starts_with("mine2\n"), "{answer}");
        assert!(!answer.contains("hidden words"), "{answer}");
    }
}

#[tokio::test]
async fn a_job_is_named_and_ends_with_all_it_started() {
    for backend in backends() {
        let cage = Cage::new(backend);
        let session = cage.bench().context.session.clone();

        let answer = cage.run("setsid sleep 1000 & echo started").await;
        let jobs = table::list(&session);
        table::stop_all(&session).await;

        assert!(
            answer.starts_with("started\n[still running in the background: "),
            "{answer}"
        );
        assert_eq!(jobs.len(), 1, "{}", backend.name());
        let commands: Vec<&str> = jobs[0]
            .processes
            .iter()
            .map(|job| job.command.as_str())
            .collect();
        assert_eq!(commands, ["sleep 1000"], "{}", backend.name());
        let id = jobs[0].processes[0].pid;
        assert!(!Path::new(&format!("/proc/{id}")).exists());
    }
}

#[tokio::test]
async fn a_command_that_takes_too_long_ends_with_all_it_started() {
    for backend in backends() {
        let cage = Cage::new(backend);

        let answer = cage
            .bench()
            .text(
                "shell_execute",
                json!({ "command": "(setsid sleep 1000 &) ; echo here; sleep 1000", "timeout_ms": 1000 }),
            )
            .await;

        assert!(
            answer.starts_with("here\n[ended with all its processes after 1000 ms"),
            "{answer}"
        );
        assert_eq!(table::list(&cage.bench().context.session), []);
    }
}

/// B116: a sandbox that does not hold is never called one, and nothing runs open by accident.
#[tokio::test]
async fn b116_a_backend_that_does_not_work_refuses_every_command() {
    let place = tempfile::tempdir().unwrap();
    let why = "writes outside worked".to_owned();
    let broken = State::Broken {
        backend: Backend::Bubblewrap,
        why,
    };
    for level in [Level::None, Level::Read, Level::Workspace] {
        let cage = Cage::new(Backend::Namespaces)
            .at(level)
            .held_by(broken.clone());
        let ran = place.path().join("ran");

        let answer = cage.run(&format!("echo x >{}", ran.display())).await;

        assert_eq!(
            answer,
            "refused: sandbox.backend is bubblewrap, which does not work here: writes outside worked. No command runs \
             below level unrestricted; the person can set sandbox.backend to auto, or raise the level with /permission \
             unrestricted"
        );
        assert!(!ran.exists());
    }
}

/// A program that does as if it were the helper, and holds nothing.
#[test]
fn b116_a_helper_that_holds_nothing_is_found_out() {
    let place = tempfile::tempdir().unwrap();

    for backend in Backend::ALL {
        let found = probe::try_backend(*backend, Path::new("/bin/true"), place.path());

        assert!(found.is_err(), "{found:?}");
    }
}
