//! The judgement of command lines held against the real bash: whatever the shell starts, the judge has seen, and a
//! line that was proven to only look starts nothing else.

#![expect(
    clippy::disallowed_types,
    reason = "bash itself is what the judge is held against"
)]

use std::{
    cell::Cell,
    fs,
    os::unix::fs::{PermissionsExt as _, symlink},
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use proptest::prelude::*;
use quarterdeck::{
    domain::{
        access::{Access, Resource},
        permission::{Level, Mode, Network, OwnPlaces, PermissionSettings, Risk, Rule, Verdict},
    },
    permission::{Grants, PreparedCall, evaluate, kinds, shell::Line},
};

/// Programs that only write down that they were started.
const WATCHED: &[&str] = &[
    "cat", "file", "git", "head", "ls", "make", "mktemp", "rm", "stat", "tail", "tar", "touch",
    "wc", "zap",
];
/// Programs that start others, as they are.
const REAL: &[&str] = &["bash", "env", "nice", "nohup", "sh", "timeout", "xargs"];
/// Those of them that only look.
const LOOKING: &[&str] = &["cat", "file", "git", "head", "ls", "stat", "tail", "wc"];

/// Where a program of the system is.
fn real(name: &str) -> PathBuf {
    let places = ["/usr/bin", "/bin"].map(|place| Path::new(place).join(name));
    places.into_iter().find(|path| path.exists()).unwrap()
}

/// Makes a program of a line of shell.
fn script(path: &Path, line: &str) {
    let mut file = fs::File::create(path).unwrap();
    std::io::Write::write_all(&mut file, format!("#!/bin/sh\n{line}\n").as_bytes()).unwrap();
    file.set_permissions(fs::Permissions::from_mode(0o755))
        .unwrap();
}

/// A folder whose programs write down what was started.
struct Bash {
    folder: tempfile::TempDir,
    runs: Cell<usize>,
}

impl Bash {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let bin = folder.path().join("bin");
        fs::create_dir(&bin).unwrap();
        let stub = bin.join("stub");
        script(
            &stub,
            "echo \"${0##*/}\" >> \"$STARTED\"; echo \"$PRINTED\"",
        );
        for name in WATCHED {
            symlink(&stub, bin.join(name)).unwrap();
        }
        for name in REAL {
            symlink(real(name), bin.join(name)).unwrap();
        }
        Self {
            folder,
            runs: Cell::new(0),
        }
    }

    /// What a line starts, and what it leaves in its folder.
    fn run(&self, line: &str) -> (Vec<String>, Vec<String>) {
        self.run_printing(line, "")
    }

    /// The same where every program that is watched prints this.
    fn run_printing(&self, line: &str, printed: &str) -> (Vec<String>, Vec<String>) {
        // What an earlier line left in the background must not write into this one.
        let number = self.runs.get();
        self.runs.set(number + 1);
        let place = self.folder.path().join(format!("place{number}"));
        let started = self.folder.path().join(format!("started{number}"));
        fs::create_dir(&place).unwrap();
        // Some lines wait for themselves for ever: `coproc xargs | x=$(xargs)`.
        let mut child = Command::new(real("timeout"))
            .args(["-s", "KILL", "10", "/bin/bash", "-c"])
            .arg(format!("ulimit -t 2; {line}"))
            .env_clear()
            .env("PATH", self.folder.path().join("bin"))
            .env("STARTED", &started)
            .env("PRINTED", printed)
            .current_dir(&place)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        child.wait().unwrap();
        let names = fs::read_to_string(&started).unwrap_or_default();
        let mut names: Vec<String> = names.lines().map(str::to_owned).collect();
        names.sort();
        names.dedup();
        let left = fs::read_dir(&place).unwrap();
        let left = left.map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned());
        let left = left.collect();
        (names, left)
    }
}

const COMMANDS: &[&str] = &[
    "ls",
    "ls -la src",
    "cat a.txt",
    "git status",
    "git log -5",
    "head -n 3 a",
    "wc -l a",
    "cd .",
    "echo x",
    "true",
    "rm x",
    "touch y",
    "zap",
    "env zap",
    "xargs zap",
    "sh -c 'zap'",
    "nice rm x",
    "timeout 5 zap",
    "bash -c \"rm x\"",
    "A=1 zap",
    "eval 'zap'",
    "eval zap",
    "echo zap | sh",
    "echo zap | xargs -n 1 env",
    "sh <<< zap",
    "git -c a=b status",
    "command zap",
    "cat <<E\nrm x\nE\n",
    "sh <<E\nzap\nE\n",
    "trap zap EXIT",
    "exec zap",
    "env 2>/dev/null zap",
    "eval >o zap",
    "sh <<E -c zap\nls\nE\n",
    "touch \"$t\"",
    "make -j$x all",
    "git add $x",
    "mktemp -d",
    "tar xf a.tar -C \"$t\"",
];
const JOINTS: &[&str] = &["; ", " && ", " || ", " | ", " & ", "\n", " |& ", ";", "&"];
const FRAMES: &[&str] = &[
    "{}",
    "( {} )",
    "{ {}; }",
    "if true; then {}; fi",
    "for i in 1; do {}; done",
    "! {}",
    "! { {}; }",
    "! ( {} )",
    "x=$({})",
    "echo \"$({})\"",
    "echo `{}`",
    "case a in a) {};; esac",
    "[[ a ]] && {}",
    "echo 'it''s' \"x\"; {}",
    "> o {}",
    "{} > o",
    "{} 2>/dev/null",
    "{} # a comment",
    "cat <({})",
    "until {}; do break; done",
    "time {}",
    "coproc {}",
    "a=(\"$({})\")",
    "a=($\"$({})\")",
    "echo $\"$({})\"",
    "echo ${x:-$({})}",
    "echo \"${x:-`{}`}\"",
    "echo ${x:-<({})}",
    "cat <<F\n`{}`\nF\n",
    "cat <<F\n$({})\nF\n",
    "cat <<'F'\n`{}`\nF\n",
    "t=$({})",
    "x=$({}); touch $x",
    "for f in $({}); do touch $f; done",
    "cd \"$({})\" && make",
    "timeout $({}) touch y",
    "nice -n $({}) touch y",
    "touch y $({}) | xargs make",
    "touch y > $({})",
    "touch $(({}))",
    "x=$({}); [[ $x -eq 1 ]] && touch y",
    "x=$({}); touch ${x:-$((x))}",
    "sh -c \"$({})\"",
    "git commit -m \"$({})\"",
    "x='a[$({})]'; [[ x -eq 1 ]]",
    "x='a[$({})]'; touch $((x))",
    "[ \"$({})\" ] && ls",
    "case $({}) in *) ls;; esac",
    "x=${y:-$({})}",
    "cat <<< \"$({})\"",
    "export x=$({})",
    "f() { {}; }; f",
    "ls {a,$({})}",
];
const NOISE: &[&str] = &[
    "\\ ", "\\\n", "'", "\"", "\\", "$", "(", ")", "`", "{", "}", "<", ">", "<<E", "#", "!", "\t",
    "$'", "*", "~", "\r", "=", "[", "]", "((", "))", "<(", "&>", "<<<", "${x", ";;", "! ", "time ",
    "\\\\", ":", "if ", "<<'E'\n", "\n\\\n", "$((", "[[ ", " ]]", "x=", "a[", "{ ", "; }", " # ",
    "\n)", "'\"'", "$\"",
];

fn line() -> impl Strategy<Value = String> {
    let command = prop::sample::select(COMMANDS);
    let joint = prop::sample::select(JOINTS);
    let frame = prop::sample::select(FRAMES);
    let parts = prop::collection::vec((frame, command, joint), 1..4);
    let noise = prop::sample::select(NOISE);
    let noise = prop::collection::vec((any::<prop::sample::Index>(), noise), 0..3);
    (parts, noise).prop_map(|(parts, noise)| {
        let last = parts.len() - 1;
        let mut line = String::new();
        for (index, (frame, command, joint)) in parts.into_iter().enumerate() {
            line.push_str(&frame.replacen("{}", command, 1));
            if index < last {
                line.push_str(joint);
            }
        }
        for (place, noise) in noise {
            // Nowhere is left whole: a name beside it would stay in a folder of the system.
            let nowhere: Vec<_> = line
                .match_indices("/dev/null")
                .map(|(at, _)| at..=at + 9)
                .collect();
            let places: Vec<usize> = (0..=line.len())
                .filter(|at| line.is_char_boundary(*at))
                .filter(|at| !nowhere.iter().any(|place| place.contains(at)))
                .collect();
            line.insert_str(*place.get(&places), noise);
        }
        line
    })
}

/// Holds the judgement of a line against what bash makes of it.
fn held(bash: &Bash, line: &str) -> Result<(), String> {
    let read = Line::read(line);
    let (started, left) = bash.run(line);
    let subjects = read.subjects();
    let is_unknown = read
        .doubts
        .iter()
        .any(|doubt| doubt.to_string().contains("before it runs"));
    for name in &started {
        let is_seen = subjects
            .iter()
            .any(|subject| subject.split(' ').next() == Some(name));
        if !is_seen && !is_unknown {
            return Err(format!("{line:?} started {name}: {read:?}"));
        }
    }
    if read.prove_readonly().is_ok() {
        let others = started
            .iter()
            .find(|name| !LOOKING.contains(&name.as_str()));
        if others.is_some() || !left.is_empty() {
            return Err(format!("{line:?}: {started:?}, {left:?}"));
        }
    }
    // What an answer for kinds lets run starts only what has a kind, whatever is printed.
    if !kinds_of(line).is_empty() {
        let printed = PRINTED.get(bash.runs.get() % PRINTED.len());
        let (started, left) = bash.run_printing(line, printed.unwrap());
        let is_told = |name: &String| read.commands.iter().any(|found| found.program() == name);
        let others = started.iter().find(|name| !is_told(name));
        if others.is_some() || !left.is_empty() {
            return Err(format!("{line:?} {printed:?}: {started:?}, {left:?}"));
        }
    }
    Ok(())
}

/// What programs print to have something else run.
const PRINTED: &[&str] = &["5 zap", "a[$(zap)]", "-c zap"];

/// The kinds of a line that a sandbox holds.
fn kinds_of(line: &str) -> Vec<String> {
    let (mut call, mut settings) = prepared(line);
    call.held = true;
    settings.mode = Mode::Adaptive;
    let rules = kinds::rules(&call, &settings).into_iter();
    rules.map(|rule| rule.resource).collect()
}

/// Lines that once went past the judge.
#[test]
fn lines_that_were_missed_are_seen() {
    let bash = Bash::new();
    for line in [
        "! echo zap *| sh",
        "echo zap | tee o | sh",
        "echo -n zap | sh",
        "echo `env\\\n 2>/dev/null zap`",
        "cat <<E\n`zap`\nE",
        "echo ${x:-$<(ls)}",
        "a=(\"$(head -n 3 a)\")#;echo \"$(git status)\" && { cd .; }",
        "a=($\"$(A=1 zap)\")& ls",
        "sh -c 'zap'\\ # a comment | cat <(exec zap)",
        "true &! { zap; } & ! ( rm x )",
        "time >nice rm x",
        "sh <<< zap 2>o\rnull",
        "time e=val 'zap'",
        "time echo zap | sh; ls -la src",
        "time eval zap&! sh <<< zap | for i in) 1; do ls -la src; done",
        "exec zap >( o;ls # a comment",
        "trap zap EXIT # a co'mment | if true; then eval 'zap'; fi",
        "{ sh -c '~zap'; }",
        "! eval<<E zap",
        "case a in a) sh <<E\n\\zap\nE\n;; esac && ( wc -l a )",
        "ls | > o sh <<E\nzap\nE\n",
        "echo ${x:-$(env }zap)}",
        "x=!$(ls); cat# <(env zap)&> o A=1 zap",
        "cat <<F\n`A=1 z\\\nap`\nF\n",
        "x=$(git status)\\; touch $x",
        "export x=$(git status)\\; touch $x",
        "! e=nv 2>/dev/null zap",
        "sh <<E\n\\\nzap\nE\n",
        "echo \"${x:-'$(zap)'}\"",
        "bash +e -c zap",
        "echo ${x:-<(A=$1 zap)! }",
        "ls -la src # a comment;\n\\\n > o eval >o zap",
        "ls\n\\\n zap",
        "echo `\\\\nice rm x`",
        "cat <<F\n`\\\\head -n 3 a`\nF\n",
        "bash -e +o posix -x -c zap",
        "bash /dev/stdin <<< zap",
        "echo zap | sh /proc/self/fd/0",
        ". /dev/stdin <<< zap",
        "source /dev/stdin <<E\nzap\nE",
        "cat <<E<<'F'\n`touch \"$t\"`\nF\n",
    ] {
        assert_eq!(held(&bash, line), Ok(()));
    }
}

/// Where bash calculates, it reads a text as a calculation of its own and runs what a subscript in it substitutes.
#[test]
fn what_a_calculation_runs_is_doubted() {
    let bash = Bash::new();
    for line in [
        "[[ -v 'a[$(zap)]' ]]; ls",
        "[ -v 'a[$(zap)]' ]; ls",
        "[ '-v' \"a[\\$(zap)]\" ]; ls",
        "x=-v; y='a[$(zap)]'; [ $x \"$y\" ]; ls",
        "x=-v; y='a[$(zap)]'; [ \"$x\" \"$y\" ]; ls",
        "x='z -o -v a[`zap`]'; [ -n $x ]; ls",
        "[[ 'a[$(zap)]' -eq 0 ]]; ls",
        "x='a[$(zap)]'; [[ 1 -lt x ]]; ls",
        "x='a[$(zap)]'; [[ ( ! a || $x -gt 2 ) ]]; ls",
        "x='a[$(zap)]'; (( x )); ls",
        "x=a\\[\\$\\(zap\\)]; ls; (( 1 + x )) && ls",
        "x='a[$(zap)]'; y=$((x)); ls",
        "x='a[$(zap)]'; y=$[x]; ls",
        "x='a[$(zap)]'; for ((; x; )); do ls; done",
        "x='a[$(zap)]'; z=abc; y=${z:x:1}; ls",
        "x='a[$(zap)]'; b=(1); y=${b[x]}; ls",
        "x='a[$(zap)]'; y=(1 [x]=2); ls",
        "x='a[$(zap)]'; y=${!x}; ls",
        "x='$(zap)'; y=${x@P}; ls",
        "x='a[$(zap)]'; case ${z:-$((x))} in *) ls;; esac",
        "x='a[$(zap)]'; cat <<E\n${!x}\nE",
        "x='a[$(zap)]'; cat <<E\n$[x]\nE",
        "x='a[$(zap)]'; cat <<< \"$[x]\"",
        "declare 'a[$(zap)]=1'; ls",
        "a=(1); unset 'a[$(zap)]'; ls",
        "x='a[$(zap)]'; let x; ls",
        "printf -v 'a[$(zap)]' 1; ls",
    ] {
        let read = Line::read(line);
        let (started, _) = bash.run(line);
        assert!(started.contains(&"zap".to_owned()), "{line:?}");
        assert!(!read.doubts.is_empty(), "{line:?}");
        assert!(read.prove_readonly().is_err(), "{line:?}");
        assert_eq!(held(&bash, line), Ok(()));
    }
}

/// Every way by which a line can have its commands found elsewhere is a doubt about it.
#[test]
fn what_changes_where_programs_are_found_is_doubted() {
    let bash = Bash::new();
    let evil = bash.folder.path().join("evil");
    fs::create_dir(&evil).unwrap();
    script(&evil.join("ls"), "echo zap >> \"$STARTED\"");
    for line in [
        "for PATH in ../evil; do ls; done",
        "select PATH in ../evil; do ls; break; done <<< 1",
        "declare -n p=PATH; p=../evil; ls",
        "builtin export PATH=../evil; ls",
        "'export' PATH=../evil; ls",
        "command declare -x PATH=../evil; ls",
        "cd ../evil; unset PATH; ls",
        "read PATH <<< ../evil; ls",
        "unset PATH; : ${PATH:=../evil}; ls",
        "../evil/ls",
        "cd ../evil; ./ls",
        "hash -p ../evil/ls ls; ls",
    ] {
        let read = Line::read(line);
        let (started, _) = bash.run(line);
        assert_eq!(started, ["zap"], "{line:?}");
        let is_allowed = |wanted: &str| {
            let rules = [("shell_execute", wanted)];
            answers(line, &rules)
        };
        assert!(read.prove_readonly().is_err(), "{line:?}");
        assert!(!is_allowed("ls"), "{line:?}");
    }
    // What lies elsewhere under the name of a wrapper, or of a builtin that does nothing, is a program as any other.
    for line in ["./nice ls", "./true; ls", "./env ls", "x/sh -c ls"] {
        assert!(!answers(line, &[("shell_execute", "ls")]), "{line:?}");
    }
    for line in ["nice ls", "true; ls", "/usr/bin/env ls", "sh -c ls"] {
        assert!(answers(line, &[("shell_execute", "ls")]), "{line:?}");
    }
}

/// Whether rules that allow these lines let a line run that mode strict asks about.
fn answers(line: &str, rules: &[(&str, &str)]) -> bool {
    let (mut call, mut settings) = prepared(line);
    // What is proven is another matter.
    call.risk = Risk::Execution;
    let rules = rules.iter().map(|(action, resource)| Rule {
        action: (*action).to_owned(),
        resource: (*resource).to_owned(),
        verdict: Verdict::Allow,
    });
    settings.rules = rules.collect();
    evaluate(&call, &settings, &Grants::default()).verdict == Verdict::Allow
}

/// A line of `shell_execute`, and settings at level workspace and in mode strict.
fn prepared(line: &str) -> (PreparedCall, PermissionSettings) {
    let access = Access {
        resources: vec![Resource::Shell {
            command: line.to_owned(),
        }],
        level: Level::Workspace,
        risk: Risk::Execution,
    };
    let settings = PermissionSettings {
        level: Level::Workspace,
        mode: Mode::Strict,
        approvals: true,
        network: Network::All,
        confine_reads: false,
        rules: Vec::new(),
        roots: vec![PathBuf::from("/proj")],
        own: OwnPlaces::default(),
    };
    let resolve = |path: &Path| (Path::new("/proj").join(path), false);
    let call = PreparedCall::new("shell_execute", &[], &access, resolve);
    (call, settings)
}

/// A line of kinds has them whatever it substitutes, as long as no argument decides what it does.
#[test]
fn kinds_cover_what_commands_print_where_it_decides_nothing() {
    let bash = Bash::new();
    for line in [
        "t=$(mktemp -d) && tar xf a.tar -C \"$t\"",
        "echo \"$(git rev-parse HEAD)\"",
        "git commit -m \"$(cat <<'E'\nit's (done)\nE\n)\"",
        "for f in $(git ls-files); do touch $f; done",
        "cd \"$(git rev-parse --show-toplevel)\" && make -j$(nproc)",
        "x=$(ls $(cat a)); touch ${x%.*} \"${x:-y}\"",
        "timeout 5 make $(ls)",
        "if [ \"$(cat a)\" = b ]; then touch y; fi",
        "if [ \"$(cat a)\" = b ]; then echo yes; fi",
        "cd \"$(dirname a)\" && ls",
    ] {
        assert_ne!(kinds_of(line), [""; 0], "{line:?}");
        for printed in PRINTED {
            let (started, left) = bash.run_printing(line, printed);
            assert!(!started.contains(&"zap".to_owned()), "{line:?} {printed:?}");
            assert_eq!(left, [""; 0], "{line:?} {printed:?}");
        }
    }
    for line in [
        "$(ls) touch y",
        "touch y > $(ls)",
        "touch y < \"$(ls)\"",
        "sh -c \"$(ls)\"",
        "timeout $(ls) touch y",
        "nice -n $(ls) touch y",
        "env $(ls) touch y",
        "xargs $(ls) touch y",
        "eval $(ls)",
        "x=$(ls); $x y",
        "x=$(ls); (( x )); touch y",
        "x=$(ls); touch ${x:-$((x))}",
        "x=$(ls); [[ $x -eq 1 ]] && touch y",
        "export $(ls); touch y",
        "PATH=$(ls) touch y",
        "export PATH=$(ls); touch y",
        "rm $(ls)",
        "echo zap | xargs -I make make y",
        "echo zap | xargs -rImake make y",
        "echo zap | xargs --replace=make make y",
        "echo \"${x:-'$(zap)'}\"",
        "python3 $(ls)",
        "python3 -c \"$(ls)\"",
        "touch $(zap)",
        "echo `ls`",
        "cat <(ls)",
        "rg \"$(ls)\" .",
        "git log $(ls)",
        "uniq $(ls)",
        "cat /home/other/notes $(ls)",
        "tar xf a.tar -C src",
        "t=src; tar xf a.tar -C \"$t\"",
        "t=$(mktemp -d); t=src; tar xf a.tar -C \"$t\"",
        "t=$(mktemp -d); for t in src; do tar xf a.tar -C \"$t\"; done",
        "t=$(mktemp -d); tar xf a.tar $(ls) -C \"$t\"",
    ] {
        assert_eq!(kinds_of(line), [""; 0], "{line:?}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn bash_starts_nothing_that_the_judge_has_not_seen(lines in prop::collection::vec(line(), 8)) {
        let bash = Bash::new();
        for line in lines {
            prop_assert_eq!(held(&bash, &line), Ok(()));
        }
    }
}

#[test]
fn the_programs_of_the_trial_are_written_down() {
    let bash = Bash::new();

    assert_eq!(
        bash.run("ls | xargs zap; sh -c 'rm x'; echo a > b"),
        (
            ["ls", "rm", "zap"].map(str::to_owned).to_vec(),
            vec!["b".to_owned()]
        )
    );
}
