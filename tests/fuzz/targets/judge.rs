//! The judge of command lines held against the real bash: whatever the shell starts, the judge has seen, and a line that
//! was proven to only look starts nothing else and leaves nothing. Lines run in a sandbox in which nothing can be changed
//! but one empty folder.
#![no_main]

use std::{
    fs,
    os::unix::fs::{PermissionsExt as _, symlink},
    path::{Path, PathBuf},
    process::{Command, Stdio},
    sync::OnceLock,
};

use libfuzzer_sys::fuzz_target;
use quarterdeck::permission::shell::Line;

/// Programs that only write down that they were started.
const WATCHED: &[&str] = &[
    "cat", "cut", "file", "find", "git", "grep", "head", "ls", "rm", "sed", "sort", "stat", "tail",
    "tee", "touch", "uniq", "wc", "zap",
];
/// Programs that start others, as they are.
const REAL: &[&str] = &["bash", "env", "nice", "nohup", "sh", "timeout", "xargs"];
/// Of the first what only looks.
const LOOKING: &[&str] = &[
    "cat", "cut", "file", "find", "git", "grep", "head", "ls", "sed", "sort", "stat", "tail",
    "uniq", "wc",
];

/// What a byte stands for; any other is itself.
const PIECES: &[&str] = &[
    "ls",
    "cat a",
    "zap",
    "rm x",
    "echo ",
    "eval ",
    "sh -c ",
    "bash",
    "env ",
    "xargs ",
    "find . ",
    "sort ",
    "git status",
    "touch y",
    "-exec ",
    "exec ",
    "command ",
    "builtin ",
    "trap ",
    "nice ",
    "timeout 5 ",
    "cd ",
    "a=",
    "$a",
    "${a}",
    "$(",
    ")",
    "`",
    "\"",
    "'",
    "$'",
    "$\"",
    "\\",
    " ",
    "\n",
    ";",
    ";;",
    "&",
    "&&",
    "||",
    "|",
    "|&",
    ">",
    ">>",
    "<",
    "<<E\n",
    "E\n",
    "<<<",
    "<(",
    ">(",
    "{ ",
    " }",
    "(",
    "((",
    "))",
    "[[ ",
    " ]]",
    "if ",
    "then ",
    "fi",
    "for i in a; ",
    "do ",
    "done",
    "while ",
    "case a in a) ",
    "esac",
    "function f ",
    "f() ",
    "coproc ",
    "time ",
    "! ",
    "*",
    "?",
    "~",
    "#",
    "=",
    "{}",
    "{a,b}",
    "${a:-",
    "}",
    "$((",
    "2>/dev/null",
    "2>&1",
    "--",
    "-n",
    "x",
    "/",
    "\t",
    "!",
    "^",
    "%",
    "+",
    "[",
    "]",
    "@",
    "printf ",
    "printf -v ",
    "read ",
    "declare ",
    "export ",
    "unset ",
    "alias ",
    "source ",
    ". ",
    "let ",
    "test ",
    "[ ",
    "select ",
    "mapfile ",
];

fn line(bytes: &[u8]) -> String {
    let mut line = String::new();
    for byte in bytes.iter().take(60) {
        match PIECES.get(usize::from(*byte)) {
            Some(piece) => line.push_str(piece),
            None => line.push(char::from(byte & 0x7f)),
        }
    }
    line.replace('\0', " ")
}

fn real(name: &str) -> PathBuf {
    let places = ["/usr/bin", "/bin"].map(|place| Path::new(place).join(name));
    places
        .into_iter()
        .find(|path| path.exists())
        .expect("a program of the system")
}

/// The folder of programs that write down what was started.
fn programs() -> &'static Path {
    static FOLDER: OnceLock<tempfile::TempDir> = OnceLock::new();
    let folder = FOLDER.get_or_init(|| {
        let folder = tempfile::tempdir().expect("a folder");
        let bin = folder.path().join("bin");
        fs::create_dir(&bin).expect("bin");
        let stub = bin.join("stub");
        fs::write(&stub, "#!/bin/sh\necho \"${0##*/}\" >> /tmp/log/started\n").expect("the stub");
        fs::set_permissions(&stub, fs::Permissions::from_mode(0o755)).expect("its mode");
        for name in WATCHED {
            symlink("stub", bin.join(name)).expect("a name of it");
        }
        for name in REAL {
            symlink(real(name), bin.join(name)).expect("a link");
        }
        folder
    });
    folder.path()
}

/// What a line starts, and what it leaves in its folder.
fn run(line: &str) -> (Vec<String>, Vec<String>) {
    let folder = tempfile::tempdir().expect("a folder");
    let (place, log) = (folder.path().join("place"), folder.path().join("log"));
    fs::create_dir(&place).expect("its place");
    fs::create_dir(&log).expect("its log");
    let status = Command::new(real("timeout"))
        .args([
            "-s",
            "KILL",
            "5",
            "bwrap",
            "--unshare-all",
            "--die-with-parent",
            "--ro-bind",
            "/",
            "/",
        ])
        .args([
            "--dev", "/dev", "--proc", "/proc", "--tmpfs", "/tmp", "--tmpfs", "/run",
        ])
        .arg("--ro-bind")
        .args([programs().join("bin"), PathBuf::from("/tmp/bin")])
        .arg("--bind")
        .args([place.clone(), PathBuf::from("/tmp/place")])
        .arg("--bind")
        .args([log.clone(), PathBuf::from("/tmp/log")])
        .args([
            "--clearenv",
            "--setenv",
            "PATH",
            "/tmp/bin",
            "--chdir",
            "/tmp/place",
            "/bin/bash",
            "-c",
        ])
        .arg(format!("ulimit -t 1; ulimit -u 500; {line}"))
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    assert!(status.is_ok(), "bwrap (bubblewrap) is needed");
    let started = fs::read_to_string(log.join("started")).unwrap_or_default();
    let left = fs::read_dir(&place).expect("its place");
    let left = left
        .flatten()
        .map(|entry| entry.file_name().to_string_lossy().into_owned());
    (started.lines().map(str::to_owned).collect(), left.collect())
}

fuzz_target!(|bytes: &[u8]| {
    let line = line(bytes);
    let read = Line::read(&line);
    let is_unknown = read
        .doubts
        .iter()
        .any(|doubt| doubt.to_string().contains("before it runs"));
    let proof = read.prove_readonly();
    if is_unknown && proof.is_err() {
        return;
    }
    let (started, left) = run(&line);
    let subjects = read.subjects();
    // `. zap` has the shell itself read what stands in for a program.
    for name in started.iter().filter(|name| *name != "bash") {
        let is_seen = subjects
            .iter()
            .any(|subject| subject.split(' ').next() == Some(name));
        assert!(is_seen, "{line:?} started {name}: {read:?}");
    }
    if proof.is_ok() {
        let others = started
            .iter()
            .find(|name| !LOOKING.contains(&name.as_str()));
        assert!(
            others.is_none() && left.is_empty(),
            "{line:?}: {started:?}, {left:?}"
        );
    }
});
