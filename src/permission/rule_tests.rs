use proptest::prelude::{any, proptest};

use super::{Pattern, escape, winner};
use crate::domain::permission::{Rule, Verdict};

fn rule(action: &str, resource: &str, verdict: Verdict) -> Rule {
    Rule {
        action: action.to_owned(),
        resource: resource.to_owned(),
        verdict,
    }
}

#[test]
fn patterns_match_whole_texts() {
    let table = [
        ("*", "", true),
        ("*", "a/b c", true),
        ("git *", "git", true),
        ("git *", "git status", true),
        ("git *", "git ", true),
        ("git *", "gitk", false),
        ("git *", " git", false),
        ("git*", "gitk", true),
        (" *", "", false),
        ("ls", "ls", true),
        ("ls", "lsx", false),
        ("ls", "ls ", false),
        ("src/*", "src/a/b.rs", true),
        ("src/*", "src", false),
        ("*.rs", "src/a.rs", true),
        ("*.rs", "src/a.rss", false),
        ("a?c", "abc", true),
        ("a?c", "ac", false),
        ("a?c", "aéc", true),
        (r"a\*", "a*", true),
        (r"a\*", "ab", false),
        (r"git \*", "git", false),
        (r"a\?", "a?", true),
        (r"a\\b", r"a\b", true),
        (r"a\b", r"a\b", true),
        (r"a\", r"a\", true),
        (
            "*a*a*a*b",
            "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaac",
            false,
        ),
        ("Git", "git", false),
    ];

    for (pattern, text, expected) in table {
        assert_eq!(
            Pattern::parse(pattern).matches(text),
            expected,
            "{pattern:?} against {text:?}"
        );
    }
}

#[test]
fn the_most_literal_rule_wins_then_the_least_wild_then_the_later() {
    let wide = rule("shell_execute", "*", Verdict::Deny);
    let git = rule("shell_execute", "git *", Verdict::Ask);
    let push = rule("shell_execute", "git push *", Verdict::Allow);
    let push_later = rule("shell_execute", "git push *", Verdict::Deny);
    let any_tool = rule("*", "git push *", Verdict::Ask);
    let wilder = rule("shell_execute", "git *push*", Verdict::Ask);

    assert_eq!(winner([&wide, &git]), Some(&git));
    assert_eq!(winner([&git, &wide]), Some(&git));
    assert_eq!(winner([&push, &git, &wide]), Some(&push));
    assert_eq!(winner([&push, &push_later]), Some(&push_later));
    assert_eq!(winner([&push_later, &push]), Some(&push));
    assert_eq!(winner([&push, &any_tool]), Some(&push));
    assert_eq!(
        winner([
            &rule("a", "xy*", Verdict::Allow),
            &rule("a", "x*y*", Verdict::Ask)
        ])
        .map(|rule| rule.resource.as_str()),
        Some("xy*")
    );
    assert_eq!(winner([&wilder, &push]), Some(&push));
    assert_eq!(winner([]), None);
}

#[test]
fn only_a_pattern_with_letters_behind_the_last_slash_names_a_file() {
    let table = [
        ("*", false),
        ("/home/me/*", false),
        ("/home/me/", false),
        (".env", true),
        ("/home/me/*.pem", true),
        ("config/.env*", true),
    ];

    for (pattern, expected) in table {
        assert_eq!(Pattern::parse(pattern).names_file(), expected, "{pattern}");
    }
}

proptest! {
    #[test]
    fn an_escaped_text_matches_itself_and_nothing_else(text in any::<String>(), other in any::<String>()) {
        let pattern = Pattern::parse(&escape(&text));

        assert!(pattern.is_exact());
        assert!(pattern.matches(&text));
        assert_eq!(pattern.matches(&other), text == other);
    }

    #[test]
    fn matching_agrees_with_a_regular_expression(pattern in r"[ab*? \\]{0,8}", text in r"[ab \\*]{0,10}") {
        let mut expression = String::from("(?s)^");
        let mut characters = pattern.chars().peekable();
        while let Some(character) = characters.next() {
            match character {
                '*' => expression.push_str(".*"),
                '?' => expression.push('.'),
                '\\' => {
                    let literal = characters.next_if(|next| "*?\\".contains(*next)).unwrap_or('\\');
                    expression.push_str(&regex::escape(&literal.to_string()));
                }
                other => expression.push_str(&regex::escape(&other.to_string())),
            }
        }
        expression.push('$');
        let whole = regex::Regex::new(&expression).unwrap().is_match(&text);
        // A tail of space and star may be left out; the same tail written with an escape may not.
        let bare = expression
            .strip_suffix(".*$")
            .map(|start| start.trim_end_matches(".*"))
            .and_then(|start| start.strip_suffix(' '))
            .filter(|start| *start != "(?s)^")
            .is_some_and(|start| regex::Regex::new(&format!("{start}$")).unwrap().is_match(&text));

        assert_eq!(Pattern::parse(&pattern).matches(&text), whole || bare, "{pattern:?} against {text:?}");
    }
}
