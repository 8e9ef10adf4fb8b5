use proptest::prelude::{any, proptest};

use super::{hides, parts};

#[test]
fn a_plain_command_hides_nothing() {
    for line in [
        "ls",
        "ls -la src",
        "cargo test --lib permission::",
        "git status",
        "git log --oneline -5",
        "grep -rn 'DROP TABLE' src",
        "find . -name \"*.rs\"",
        "/usr/bin/ls",
    ] {
        assert_eq!(hides(line), None, "{line}");
    }
}

#[test]
fn whatever_can_start_or_change_something_else_is_seen() {
    for line in [
        "",
        "   ",
        "ls; touch x",
        "ls && touch x",
        "ls | tee x",
        "ls & touch x",
        "ls\ntouch x",
        "echo $(touch x)",
        "echo `touch x`",
        "echo hi > x",
        "cat < x",
        "echo $HOME",
        "echo {a,b}",
        "(ls)",
        "ls \\\n x",
        "ls\u{1b}[2K",
        "find . -maxdepth 0 -exec touch x +",
        "find . -maxdepth 0 '-exec' touch x +",
        "find . -name y -delete",
        "git -c core.fsmonitor='touch x' status",
        "git -C /tmp/evil status",
        "/usr/bin/git -c a=b status",
        "env touch x",
        "env -S 'touch x'",
        "PATH=/tmp/evil ls",
        "nice touch x",
        "sudo ls",
        "sh -c ls",
        "'sh' -c ls",
        "xargs touch",
    ] {
        assert!(hides(line).is_some(), "{line:?} was taken for plain");
    }
}

#[test]
fn every_command_of_a_line_is_a_part() {
    let table: [(&str, &[&str]); 9] = [
        ("ls", &[]),
        ("ls;  rm   x", &["ls", "rm x"]),
        ("a && b || c | d & e", &["a", "b", "c", "d", "e"]),
        ("echo \"$(rm x)\"", &["echo", "rm x"]),
        ("echo `rm x`", &["echo", "rm x"]),
        ("echo 'a; rm x'", &["echo a; rm x"]),
        ("sudo -n rm x", &["-n rm x", "rm x", "x"]),
        (
            "sh -c 'true; rm x'",
            &["sh -c true; rm x", "-c true", "rm x", "true", "x"],
        ),
        ("A=1 rm x", &["rm x", "x"]),
    ];

    for (line, expected) in table {
        assert_eq!(parts(line), expected, "{line:?}");
    }
}

proptest! {
    #[test]
    fn no_line_breaks_the_reading(line in any::<String>()) {
        hides(&line);
        parts(&line);
    }

    #[test]
    fn a_command_behind_an_operator_is_always_a_part(first in "[a-z]{1,6}( -[a-z])?", operator in "(;|&&|\\|\\||\\||&|\n)") {
        let line = format!("{first} {operator} rm -rf x");

        assert!(parts(&line).contains(&"rm -rf x".to_owned()), "{line:?}");
        assert!(hides(&line).is_some());
    }
}
