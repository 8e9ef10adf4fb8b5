//! B117: ordinary work, done by real programs, passes inside every sandbox. A program that is not installed is left out.

use quarterdeck::domain::permission::Network;

use crate::support::cage::{Cage, backends, has};

/// Runs a script in a workspace with files, in each sandbox and without a network; its last line.
#[expect(
    clippy::print_stdout,
    reason = "who reads the run's output should see what was not run"
)]
async fn pass(program: &str, files: &[(&str, &str)], script: &str, expected: &str) {
    if !has(program) {
        println!("{program} is not installed");
        return;
    }
    for backend in backends() {
        let cage = Cage::new(backend).with_network(Network::None);
        for (name, text) in files {
            cage.put(&format!("work/{name}"), text);
        }

        let answer = cage.run(script).await;

        let last = answer.lines().last().unwrap_or_default();
        assert_eq!(last, expected, "in {}: {answer}", backend.name());
    }
}

#[tokio::test]
async fn b117_cargo_builds_and_tests_a_crate() {
    let files = [
        (
            "Cargo.toml",
            "[package]\nname = \"tiny\"\nversion = \"0.1.0\"\nedition = \"2021\"\n[workspace]\n",
        ),
        (
            "src/main.rs",
            "fn main() { println!(\"built\"); }\n#[test]\nfn works() {}\n",
        ),
    ];
    // The variables of the build that runs these tests are not the crate's.
    let script = "unset CARGO_TARGET_DIR RUSTFLAGS CARGO_BUILD_TARGET; cargo test --offline 2>&1 | grep 'test result' | cut -d. -f1 && \
                  cargo run --offline --quiet";
    pass("cargo", &files, script, "built").await;
}

#[tokio::test]
async fn b117_make_and_a_compiler_build_a_program() {
    let files = [
        ("Makefile", "hello: hello.o\n\t$(CC) -o $@ $<\n"),
        (
            "hello.c",
            "#include <stdio.h>\nint main(void) { puts(\"compiled\"); return 0; }\n",
        ),
    ];
    if has("cc") {
        pass("make", &files, "make -s CC=cc && ./hello", "compiled").await;
    }
}

#[tokio::test]
async fn b117_python_tests_with_temporary_files_and_processes() {
    let files = [(
        "test_it.py",
        "import multiprocessing, os, socket, sqlite3, subprocess, tempfile, threading, unittest\n\
         class Works(unittest.TestCase):\n\
         \x20   def test_files(self):\n\
         \x20       with tempfile.NamedTemporaryFile() as file:\n\
         \x20           file.write(b'x')\n\
         \x20       with tempfile.TemporaryDirectory() as place:\n\
         \x20           sqlite3.connect(os.path.join(place, 'd.db')).execute('create table t (a)')\n\
         \x20   def test_processes(self):\n\
         \x20       self.assertEqual(subprocess.check_output(['sh', '-c', 'echo a']), b'a\\n')\n\
         \x20       with multiprocessing.Pool(2) as pool:\n\
         \x20           self.assertEqual(pool.map(abs, [-1, 2]), [1, 2])\n\
         \x20   def test_pairs(self):\n\
         \x20       a, b = socket.socketpair()\n\
         \x20       a.send(b'x')\n\
         \x20       self.assertEqual(b.recv(1), b'x')\n\
         unittest.main(argv=['x'], exit=False)\n\
         print('tested')\n",
    )];
    pass(
        "python3",
        &files,
        "python3 test_it.py 2>/dev/null",
        "tested",
    )
    .await;
}

#[tokio::test]
async fn b117_a_virtual_environment_is_made() {
    let script = "python3 -m venv --without-pip v && . v/bin/activate && python -c 'import sys; print(sys.prefix != sys.base_prefix)'";
    pass("python3", &[], script, "True").await;
}

#[tokio::test]
async fn b117_node_and_npm_start_a_package() {
    let files = [("index.js", "console.log(require('os').tmpdir() !== '')\n")];
    let script = "npm init -y >/dev/null && npm pkg set scripts.start='node index.js' && npm start --silent && npm install --offline --silent && echo installed";
    if has("npm") {
        pass("node", &files, script, "installed").await;
    }
}

/// Tools that need their cache have one though the person's is closed, and what is closed is named with its setting.
#[tokio::test]
async fn b117_caches_work_or_are_named() {
    let script = "mkdir -p $npm_config_cache $GOCACHE && echo x >$GOCACHE/a && echo done";
    pass("sh", &[], script, "done").await;
    for backend in backends() {
        let cage = Cage::new(backend);
        let home = std::env::home_dir().unwrap();
        let cache = home.join(".cargo/registry/none/x");

        let answer = cage
            .run(&format!(
                "mkdir -p {0} | cat; mkdir -p {0}",
                cache.display()
            ))
            .await;

        assert!(
            answer.contains("it closes "),
            "{}: {answer}",
            backend.name()
        );
        assert!(
            answer.contains("can add ~/.cargo/registry and ~/.cargo/git to sandbox.writable"),
            "{answer}"
        );
    }
}

#[tokio::test]
async fn b117_git_works_with_branches_stashes_and_worktrees() {
    let git = "git() { command git -c user.name=a -c user.email=a@b -c init.defaultBranch=main \"$@\"; }\n";
    let script = format!(
        "{git}git init -q . && echo a >f && git add f && git commit -qm one && git checkout -qb other && echo b >f && \
         git stash -q && git stash pop -q && git commit -qam two && git rebase -q main && git gc -q && git worktree add -q w main && \
         cd w && echo c >g && git add g && git commit -qm three && git status --short && git log --format=%s | head -1"
    );
    pass("git", &[], &script, "three").await;
}

#[tokio::test]
async fn b117_archives_pipes_and_devices() {
    for script in [
        "echo a >a && tar cz a | tar tz >/dev/null && echo done",
        "yes | head -1 >/dev/null; head -c 3 /dev/urandom | wc -c | tr -d ' ' && echo done",
        "mkfifo p && (echo x >p &) && cat p >/dev/null && echo done",
        "f=$(mktemp -d) && cd $f && touch a && [ -e $f/a ] && echo done",
        "script -qc 'tty >/dev/null && echo terminal' /dev/null | tr -d '\\r' && echo done",
        "(sleep 60 & kill $!; wait $! 2>/dev/null); echo done",
        "ulimit -n >/dev/null; nproc >/dev/null; df . >/dev/null; id -un >/dev/null; echo done",
        "find / -maxdepth 1 >/dev/null && which sh >/dev/null && echo done",
        "echo x >$TMPDIR/a && mv $TMPDIR/a ./moved && cat moved >/dev/null && echo done",
        "cp -a /etc/hostname copied; chmod 600 copied; touch -d 2020-01-01 copied; echo done",
    ] {
        pass("sh", &[], script, "done").await;
    }
}
