use std::path::PathBuf;

use proptest::prelude::*;

use super::*;

fn texts(line: &str) -> Vec<String> {
    Line::read(line).commands.iter().map(Simple::text).collect()
}

/// Whether a pattern may answer for the line: it is understood, and so is every word.
fn is_plain(line: &str) -> bool {
    let line = Line::read(line);
    line.doubts.is_empty()
        && line.redirects.is_empty()
        && line
            .commands
            .iter()
            .all(|command| command.role == Role::Plain)
        && line
            .commands
            .iter()
            .flat_map(|command| &command.words)
            .all(|word| word.literal)
}

#[test]
fn every_simple_command_of_a_line_is_found() {
    let table: [(&str, &[&str]); 30] = [
        ("ls;  rm   x", &["ls", "rm x"]),
        ("a && b || c | d & e", &["a", "b", "c", "d", "e"]),
        ("for f in a; do rm -rf $f; done", &["rm -rf $f"]),
        ("while true; do x; done < in", &["true", "x"]),
        (
            "if a; then b; elif c; then d; else e; fi",
            &["a", "b", "c", "d", "e"],
        ),
        ("case $x in a) rm a;; *) rm b;; esac", &["rm a", "rm b"]),
        ("! rm x", &["rm x"]),
        ("{ a; b; } > o", &["a", "b"]),
        ("(cd x && make) &", &["cd x", "make"]),
        ("f() { rm x; }; f", &["rm x", "f"]),
        ("[[ -f x && $(rm y) ]] && echo ok", &["rm y", "echo ok"]),
        ("(( x = 1 + $(rm z) ))", &["rm z"]),
        (
            "echo \"$(date)\"; rm -rf x",
            &["echo $(date)", "date", "rm -rf x"],
        ),
        ("V=\"$(cat v)\"; git push", &["cat v", "git push"]),
        ("x=(a $(rm b) c)", &["rm b"]),
        (
            "echo ${x:-$(rm d)} `rm f`",
            &["echo ${x:-$(rm d)} `rm f`", "rm d", "rm f"],
        ),
        (
            "diff <(sort a) <(sort b)",
            &["diff <(sort a) <(sort b)", "sort a", "sort b"],
        ),
        (">o rm x", &["rm x"]),
        ("\"rm\" -rf /", &["rm -rf /"]),
        ("r\\m -rf /", &["rm -rf /"]),
        ("rm == $ x =~ y", &["rm == $ x =~ y"]),
        ("'r'm -rf \"/tmp/x y\" a\\ b", &["rm -rf /tmp/x y a b"]),
        ("A=1 rm x", &["rm x"]),
        ("echo 'a; rm x'", &["echo a; rm x"]),
        ("cat <<EOF\nrm x\nEOF\nls", &["cat", "ls"]),
        (
            "a <<EOF && rm -rf x\n body $(rm b)\nEOF\nrm after",
            &["a", "rm -rf x", "rm b", "rm after"],
        ),
        ("a=($\"$(rm x)\"); b", &["rm x", "b"]),
        ("bash <<< 'rm x'", &["bash", "rm x"]),
        ("cat <<EOF | sh\nrm x\nEOF", &["cat", "sh"]),
        ("echo rm x | sh", &["echo rm x", "sh", "rm x"]),
    ];

    for (line, expected) in table {
        assert_eq!(texts(line), expected, "{line:?}");
    }
}

/// The grammar gives them to the redirection, bash to the command.
#[test]
fn arguments_behind_a_redirection_belong_to_the_command() {
    let table: [(&str, &[&str]); 18] = [
        ("x=$(a >o -5) && rm >o x", &["a -5", "rm x"]),
        ("rm >o -rf /", &["rm -rf /"]),
        ("rm 2>&1 -rf / >p q; ls", &["rm -rf / q", "ls"]),
        ("rm 2>/dev/null '-rf' \"/\" $x", &["rm -rf / $x"]),
        ("a | rm >o x", &["a", "rm x"]),
        ("a && ! rm >o x | b", &["a", "rm x", "b"]),
        ("time >o rm x", &["time rm x", "rm x"]),
        ("A=1 sh 2>o -c 'rm x'", &["sh -c rm x", "rm x"]),
        ("rm <<E -rf x\nq\nE", &["rm -rf x"]),
        ("rm <<E >o -rf x\nq\nE", &["rm -rf x"]),
        ("rm <<< a -rf >o x", &["rm -rf x"]),
        (">o rm a >p b", &["rm a b"]),
        ("! rm >o a", &["rm a"]),
        ("rm >o $(ls)", &["rm $(ls)", "ls"]),
        ("a >o; rm 2>o x", &["a", "rm x"]),
        ("x=`env\\\n 2>/dev/null rm x`", &["env rm x", "rm x"]),
        ("env >o \\\n 2>p rm x", &["env rm x", "rm x"]),
        ("echo 2 >o", &["echo 2"]),
    ];

    for (line, expected) in table {
        assert_eq!(texts(line), expected, "{line:?}");
    }
    assert_eq!(
        Line::read("cat 2>/dev/null a .env")
            .prove_readonly()
            .map(|proof| proof.paths),
        Ok(["a", ".env"].map(PathBuf::from).to_vec())
    );
    assert!(!Line::read("{ a; } >o rm x").doubts.is_empty());
}

/// A deny rule finds what a shell may be given although it is not known for certain.
#[test]
fn what_a_shell_may_be_given_is_seen() {
    for line in [
        "echo rm x *| sh",
        "! echo rm x *| sh",
        "echo rm x $y | env sh",
        "echo rm x | cat | sh",
        "{ echo rm x; ls; } | sh -s",
        "echo -n rm x | sh",
        "printf '%s ' rm x | sh",
        "echo -e 'ls\\nrm x\\n' | sh",
        "flock f sh -c 'echo rm x * | sh'",
    ] {
        let read = Line::read(line);

        assert!(!read.doubts.is_empty(), "{line:?}");
        assert!(
            read.subjects()
                .iter()
                .any(|found| found.starts_with("rm x")),
            "{line:?}: {:?}",
            read.subjects()
        );
    }
    let read = Line::read("echo rm x; ls | sh");
    assert!(read.maybe.is_empty(), "{:?}", read.maybe);
}

#[test]
fn wrappers_are_opened() {
    let table: [(&str, &str); 25] = [
        ("env =2 a-b=1 rm x", "rm x"),
        ("sudo -u root -n rm x", "rm x"),
        ("env -i FOO=1 rm x", "rm x"),
        ("env -u A rm x", "rm x"),
        ("nice -n 5 rm x", "rm x"),
        ("timeout -k 1 5s rm x", "rm x"),
        ("time -p rm x", "rm x"),
        ("nohup setsid rm x", "rm x"),
        ("command rm x", "rm x"),
        ("exec -a y rm x", "rm x"),
        ("find . -name y | xargs -n 1 rm -f", "rm -f …"),
        ("xargs -I{} sh -c 'rm {}'", "rm {}"),
        ("find . -exec rm {} +", "rm {}"),
        ("find . -name x -execdir rm -f {} \\; -print", "rm -f {}"),
        ("bash -lc 'true; rm x'", "rm x"),
        ("sh -c \"rm x\"", "rm x"),
        ("bash -c 'bash -c \"rm x\"'", "rm x"),
        ("eval 'rm x'", "rm x"),
        ("eval rm x", "rm x"),
        ("trap 'rm x' EXIT", "rm x"),
        ("watch -n 1 rm x", "rm x"),
        ("busybox rm x", "rm x"),
        ("coproc rm x", "rm x"),
        ("sudo env A=1 nice bash -c 'rm x'", "rm x"),
        ("stdbuf -oL rm x", "rm x"),
    ];

    for (line, inner) in table {
        assert!(
            texts(line).contains(&inner.to_owned()),
            "{line}: {:?}",
            texts(line)
        );
    }
}

#[test]
fn a_rule_can_name_what_a_line_may_run() {
    let table = [
        ("ssh host rm x", "rm x"),
        ("ssh host 'cd /; rm x'", "rm x"),
        ("docker exec -it box rm x", "rm x"),
        ("env -S 'rm x'", "rm x"),
        ("su -c 'rm x' me", "rm x"),
        ("/bin/rm x", "rm x"),
        ("/usr/bin/git push origin", "git push origin"),
        ("git -C . push", "git push"),
        ("git --no-pager -c a=b push", "git push"),
        ("git -c alias.x='!rm x' x", "rm x"),
        ("cargo +nightly --config a=b publish", "cargo publish"),
        ("parallel rm ::: a", "rm ::: a"),
    ];

    for (line, subject) in table {
        let subjects = Line::read(line).subjects();
        assert!(
            subjects.contains(&subject.to_owned()),
            "{line}: {subjects:?}"
        );
    }
}

#[test]
fn plain_lines_are_understood() {
    for line in [
        "ls",
        "ls -la src",
        "cargo test --lib permission::",
        "grep -rn 'DROP TABLE' src",
        "find . -name \"*.rs\"",
        "/usr/bin/ls",
        "cargo test 2>&1 | tail -5",
        "cd x && make -j4 2>/dev/null",
        "RUST_BACKTRACE=1 cargo run",
        "sed -n 1,5p f",
        "sed -n '/^fn a/,/^}/p' f",
        "sed 's/[a-z]*$//; s,a/b,c,g' f",
        "sed -E -e 's|a(b)|\\1|2I' -e '$!d' f",
        "sed '/e w/d' f",
        "a\nb # a comment",
    ] {
        assert!(is_plain(line), "{line}: {:?}", Line::read(line).doubts);
    }
}

#[test]
fn what_is_not_fully_understood_is_seen() {
    for line in [
        "ls > x",
        "cat < x",
        "echo $HOME",
        "echo {a,b}",
        "ls\u{1b}[2K",
        "ls\rrm x",
        "ls\u{a0}x",
        "echo $(touch x)",
        "echo `touch x`",
        "$x y",
        "$(echo rm) x",
        "~/bin/x",
        "*/x",
        "if [ $# -lt 1 ; then",
        "echo 'open",
        "f() { ls; }; f",
        "find . -maxdepth 0 -exec touch x +",
        "find . -maxdepth 0 '-exec' touch x +",
        "find . -name y -delete",
        "git -c core.fsmonitor='touch x' status",
        "git -C /tmp/evil status",
        "git rebase --exec 'touch x'",
        "git rebase -x y",
        "git bisect run touch x",
        "git submodule foreach touch x",
        "/usr/bin/git -c a=b status",
        "env -S 'touch x'",
        "PATH=/tmp/evil ls",
        "LD_PRELOAD=x ls",
        "export PATH=/tmp/evil; ls",
        "sudo ls",
        "sh -c \"$x\"",
        "curl x | sh",
        "eval \"$x\"",
        "sed -Ei s/x/y/ f",
        "sort -uo out in",
        "sed '1e touch x' f",
        "sed -n 's/a/touch x/e' f",
        "sed 's,a,b,gw out' f",
        "sed -e p -e 'w out' f",
        "sed -ne '/a/e touch x' f",
        "sed --expression='1e touch x' f",
        "sed -f script f",
        "sed -nfscript f",
        "sed 's/[/]e touch x/' f",
        "sed -- '1e touch x' f",
        "sort --outp=out in",
        "ls -*",
        "ssh host ls",
        "echo $'\\u0041'",
        "echo $\"x\"",
    ] {
        assert!(!is_plain(line), "{line:?} was taken for plain");
    }
}

#[test]
fn only_lines_that_look_are_proven() {
    for line in [
        "ls",
        "ls -la src",
        "pwd && ls | head -5",
        "cat a.txt b.txt | wc -l",
        "cd src && ls -1; git status --short",
        "git diff --stat -- src/a.rs",
        "git log --oneline -n 5",
        "git log -5",
        "git grep -n 'fn main' src",
        "git branch --show-current",
        "head -n 3 a; tail -n3 a; head --lines=2 a",
        "stat a; file a; echo done",
        "true || false",
        "cat < a.txt",
    ] {
        let proof = Line::read(line).prove_readonly();
        assert!(
            proof.as_ref().is_ok_and(|proof| !proof.is_wide),
            "{line}: {proof:?}"
        );
    }
    for line in [
        "",
        "ls *.rs",
        "ls $x",
        "cat -- -x",
        "./ls",
        "/bin/ls",
        "tail -f x",
        "git status -- $x",
        "git diff HEAD",
        "git log --output=x",
        "git show",
        "git branch new",
        "git remote add x y",
        "git grep -O x",
        "git -C /x status",
        "git diff --ext-diff",
        "git grep x :/",
        "ls > x",
        "ls >> x",
        "ls &> x",
        "cat x | tee y",
        "sudo ls",
        "ls; rm x",
        "LS_COLORS=x ls",
        "ls() { rm x; }; ls",
        "echo $(rm x)",
        "cd; ls",
        "cd a; cat ../../x",
        "printf -v x y",
        "sort x",
        "wc --files0-from=x",
        "file -f x",
        "head -c 5 /dev/sda",
    ] {
        let proof = Line::read(line).prove_readonly();
        assert!(
            proof.as_ref().map_or(true, |proof| proof.is_wide),
            "{line:?}: {proof:?}"
        );
    }
}

#[test]
fn a_proof_names_what_is_looked_at() {
    let paths = |line: &str| Line::read(line).prove_readonly().unwrap().paths;

    assert_eq!(
        paths("cat a /etc/passwd"),
        ["a", "/etc/passwd"].map(PathBuf::from)
    );
    // The `cd` may fail: then it is the other one.
    assert_eq!(
        paths("cd src; cat b"),
        ["src", "b", "src/b"].map(PathBuf::from)
    );
    assert_eq!(
        paths("cd src; cat < b"),
        ["src", "b", "src/b"].map(PathBuf::from)
    );
    assert_eq!(paths("git grep -n 'x y' src"), ["src"].map(PathBuf::from));
    assert_eq!(paths("cat < secret"), ["secret"].map(PathBuf::from));
}

#[test]
fn only_the_blanks_of_bash_part_words() {
    for (line, expected) in [
        ("sh <<< 'rm x' 2>a\rb", vec!["sh", "rm x"]),
        ("ls\r a", vec!["ls\r a"]),
        ("rm\u{a0}x y\u{c}z", vec!["rm\u{a0}x y\u{c}z"]),
    ] {
        assert_eq!(texts(line), expected, "{line:?}");
        assert!(!is_plain(line), "{line:?}");
    }
}

#[test]
fn a_word_goes_on_behind_an_escaped_line_end() {
    for line in ["r\\\nm x", "ls;\\\nrm x", "r\\\n\\\nm x", "env r\\\nm x"] {
        let read = Line::read(line);
        assert!(
            read.subjects().contains(&"rm x".to_owned()),
            "{line:?}: {read:?}"
        );
    }
    assert!(is_plain("ls \\\n  -la \\\nsrc"));
    assert!(!Line::read("r\\\nm x").doubts.is_empty());
}

#[test]
fn substitutions_that_the_grammar_takes_for_text_are_seen() {
    for line in [
        "cat <<E\n`rm x`\nE",
        "cat <<E | ls\na `rm x` b\nE",
        "echo \"${y:-`rm x`}\"",
        "echo ${y:-<(rm x)}",
        "a=(\"b\")#;rm x",
    ] {
        let read = Line::read(line);
        assert!(!read.doubts.is_empty(), "{line:?}");
        assert!(read.prove_readonly().is_err(), "{line:?}");
        assert!(
            read.subjects()
                .iter()
                .any(|found| found.starts_with("rm x")),
            "{line:?}: {:?}",
            read.subjects()
        );
    }
    assert!(Line::read("cat <<'E'\n`rm x`\nE").prove_readonly().is_ok());
    assert!(
        Line::read("cat <<E\na \\`rm x\\`\nE")
            .prove_readonly()
            .is_ok()
    );
    assert!(is_plain("ls; # a (comment)"));
}

#[test]
fn what_the_grammar_takes_for_a_comment_or_a_program_is_seen() {
    for line in [
        "a\\ # b | rm x",
        "a\\\\\\\t#b; rm x",
        "a\\\n#b; rm x",
        "a &! { rm x; }",
        "! { rm x; }",
    ] {
        let read = Line::read(line);
        assert!(!read.doubts.is_empty(), "{line:?}");
        assert!(read.subjects().contains(&"rm x".to_owned()), "{line:?}");
    }
    assert!(is_plain("a\\\\ # rm x"));
}

/// The grammar's own scanner reads far outside of its table for these.
#[test]
fn letters_behind_a_brace_do_not_end_the_program() {
    for line in [
        "{\u{31860}",
        "a; {1\u{10fffd}",
        "{1..23\u{31860}; rm x",
        "echo {}{\u{e0001}}",
    ] {
        let read = Line::read(line);
        assert!(!read.doubts.is_empty(), "{line:?}");
        assert!(!line.contains("rm") || read.subjects().contains(&"rm x".to_owned()));
    }
    assert!(is_plain("echo '{\"é\": 1}' é"));
}

#[test]
fn hostile_lines_end_soon_and_are_doubted() {
    let hostile = [
        "(".repeat(20_000),
        "$(".repeat(5_000),
        "a;".repeat(5_000),
        "if ".repeat(3_000),
        "sudo ".repeat(3_000) + "x",
        "<<E ".repeat(2_000),
        "x".repeat(LONGEST + 1),
        "\\".repeat(9_999),
        "`".repeat(9_999),
        "{".repeat(9_999),
        "'".repeat(9_999),
        "((".repeat(5_000),
        "a ${x:-<(b)} ".repeat(3_000),
        "a `\\b`; ".repeat(3_000),
        "x=$(a)\\; ".repeat(3_000),
        "[[ ".repeat(5_000),
    ];
    for line in hostile {
        let read = Line::read(&line);
        assert!(!read.doubts.is_empty(), "{}…", line.get(..20).unwrap());
    }
}

const FRAGMENTS: &[&str] = &[
    "rm", "-rf", "x", "ls", " ", " ", "\n", ";", "&", "&&", "||", "|", "'", "\"", "\\", "$", "$(",
    ")", "(", "`", "{", "}", "<", ">", "<<E", "E", "<<<", "#", "!", "if", "then", "fi", "for",
    "in", "do", "done", "case", "esac", "[[", "]]", "=", "A=", "$x", "${x", "}", "~", "*", "sudo",
    "env", "xargs", "sh", "-c", "eval", "git", "status", "\t", "\r", "各", "$'", "((", "))",
    "function", "f()", "2>&1", "cat", "a.txt", "𱡠", "é", "{1..",
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn no_line_breaks_the_reading(line in any::<String>()) {
        let read = Line::read(&line);
        read.subjects();
        let _ = read.prove_readonly();
    }

    #[test]
    fn no_mixture_breaks_the_reading(parts in proptest::collection::vec(proptest::sample::select(FRAGMENTS), 0..30)) {
        let read = Line::read(&parts.concat());
        read.subjects();
        let _ = read.prove_readonly();
    }

    #[test]
    fn a_command_in_any_place_is_found(
        place in proptest::sample::select(vec![
            "{}", "a; {}", "a && {}", "a | {}", "a & {}", "! {}", "( {} )", "{ {}; }", "if {}; then b; fi",
            "if a; then {}; fi", "while {}; do b; done", "for x in y; do {}; done", "x=$({})", "echo \"$({})\"",
            "echo `{}`", "cat <({})", "f() { {}; }", "case x in y) {};; esac", "sudo {}", "env A=1 {}", "nice {}",
            "timeout 5 {}", "xargs {}", "find . -exec {} \\;", "time {}", "nohup {} &", "sh -c '{}'", "eval '{}'",
            "a > o; {}", "a <<E; {}\nE",
            "a <<E | b; {}\nE",
            "a <<E &\nE\n{}", "A=1 {}", ">o {}", "echo 'x' \"y\"; {}", "a\n{}",
        ]),
    ) {
        let line = place.replace("{}", "rm -rf zone");
        let subjects = Line::read(&line).subjects();
        prop_assert!(
            subjects.iter().any(|subject| subject.starts_with("rm -rf zone")),
            "{line:?}: {subjects:?}"
        );
    }
}
