//! What is proven to only look, run for real: nothing in its folder changes and nothing of the folder is run.

#![expect(
    clippy::disallowed_types,
    reason = "the programs of the system are what the proof is held against"
)]

use std::{
    collections::BTreeMap,
    fs, io,
    io::Write as _,
    os::unix::fs::PermissionsExt as _,
    path::Path,
    process::{Command, Stdio},
};

use quarterdeck::permission::shell::Line;

/// Programs, each with words that mean something to it. Of `date` only what sets no clock could be tried: the clock is
/// everyone's.
const PROGRAMS: &[(&str, &str)] = &[
    (
        "sort",
        "-o -oout --output=out --output -T -S1b --compress-program=./zap -k 1 -u -n -c -m --files0-from=a *",
    ),
    ("uniq", "out -c -d -f 1 - sub/*"),
    (
        "find",
        ". sub -delete -exec ./zap -execdir -ok rm '{}' ';' + -fprint out -fls -printf 'x' -name '*' -type f ! ( *",
    ),
    (
        "rg",
        "x --pre ./zap --pre=./zap --hostname-bin=./zap -z -l --files -r -g '*' sub -n -C 1 --search-zip",
    ),
    ("grep", "x -r -f a -O./zap -o -e b sub --include=* -P -z *"),
    (
        "git diff",
        "HEAD --output=out --output out --ext-diff --no-index a b -- --stat -O a --textconv",
    ),
    ("git log", "-p -1 --output=out HEAD -- a --format=%H -O a"),
    (
        "git grep",
        "x -O./zap --open-files-in-pager=./zap -n -i -- a",
    ),
    ("git show", "HEAD HEAD:a --stat --output=out --textconv"),
    ("git branch", "new -d -a --list -v"),
    ("git rev-parse", "--short HEAD --parseopt --sq-quote a"),
    (
        "sed",
        "-n '1p' '1,2p' 'w out' '1w out' '1e ./zap' '1p;w out' '$p' -i -s -e --in-place -f a",
    ),
    ("diff", "-u -l -r --to-file=a a b sub -o out -U 1"),
    ("printf", "'%s' '%n' PATH -v x '%b' ./zap"),
    ("file", "-C -m a b -f -z"),
    ("tail", "-n 1 -c 2 -q --pid=1"),
    ("cat", "- -n * '-oout' sub/*"),
    ("tee", "out -a"),
    ("awk", "'{print}' '{system(\"./zap\")}' '{print>\"out\"}'"),
    (
        "find . | xargs",
        "cat sort -o out -I {} sh -c ./zap rm wc -l -a a",
    ),
    ("git ls-files | xargs", "cat touch out head -1 ./zap"),
    ("ls | xargs", "cat ./zap rm"),
    ("head a | xargs", "cat"),
    ("nice", "cat a ./zap touch out"),
    ("cp", "a out"),
];

/// Words that mean something to the shell.
const WORDS: &[&str] = &[
    "a",
    "out",
    "--",
    "2>/dev/null",
    ">/dev/null",
    "> out",
    "2> out",
    "| sort",
    "| uniq - out",
    "| ./zap",
    "&& ./zap",
];

/// Every program with every two of its words.
fn lines() -> Vec<String> {
    let mut lines = Vec::new();
    for (program, own) in PROGRAMS {
        let words: Vec<&str> = own
            .split(' ')
            .chain(WORDS.iter().copied())
            .chain([""])
            .collect();
        for first in &words {
            for second in &words {
                lines.push(format!("{program} {first} {second}"));
            }
        }
    }
    lines
}

/// Files by name, with their text and mode.
fn files(folder: &Path) -> BTreeMap<String, (Vec<u8>, u32)> {
    let mut found = BTreeMap::new();
    for name in ["", "sub"] {
        for entry in fs::read_dir(folder.join(name)).unwrap() {
            let path = entry.unwrap().path();
            let mode = path.metadata().unwrap().permissions().mode();
            found.insert(
                path.display().to_string(),
                (fs::read(&path).unwrap_or_default(), mode),
            );
        }
    }
    found
}

fn write(path: impl AsRef<Path>, text: &str) -> io::Result<()> {
    fs::File::create(path)?.write_all(text.as_bytes())
}

fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let place = folder.path();
    fs::create_dir(place.join("sub")).unwrap();
    write(place.join("a"), "x\nx\ny\n").unwrap();
    write(place.join("b"), "y\nx\n").unwrap();
    write(place.join("sub/c"), "x a\n").unwrap();
    // A name that is an option of some.
    write(place.join("-oout"), "x\n").unwrap();
    write(
        place.join("zap"),
        "#!/bin/sh\necho >> \"$(dirname \"$0\")/zapped\"\ncat\n",
    )
    .unwrap();
    fs::set_permissions(place.join("zap"), fs::Permissions::from_mode(0o755)).unwrap();
    let mut git = Command::new("git");
    assert!(
        git.args(["init", "-q"])
            .current_dir(place)
            .status()
            .unwrap()
            .success()
    );
    folder
}

/// Runs lines one after the other.
fn run(folder: &Path, lines: &[String]) {
    let script: String = lines.iter().map(|line| format!("( {line}\n)\n")).collect();
    let mut bash = Command::new("timeout");
    bash.args(["-s", "KILL", "20", "bash", "-c", &script])
        .current_dir(folder)
        .env("HOME", folder.join("sub"))
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    bash.status().unwrap();
}

#[test]
fn what_is_proven_to_look_changes_nothing() {
    let proven: Vec<String> = lines()
        .into_iter()
        .filter(|line| Line::read(line).prove_readonly().is_ok())
        .collect();
    assert!(proven.len() > 500, "only {} lines are proven", proven.len());
    let place = folder();
    let before = files(place.path());
    for lines in proven.chunks(100) {
        run(place.path(), lines);
        if files(place.path()) == before {
            continue;
        }
        for line in lines {
            let place = folder();
            let before = files(place.path());
            run(place.path(), std::slice::from_ref(line));
            assert_eq!(files(place.path()), before, "{line}");
        }
        panic!("something changes the folder: {lines:?}");
    }
}
