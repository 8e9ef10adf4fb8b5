//! That the rows are right: every test that a row names is there, no row stands twice, no tool is without one.

use std::collections::BTreeSet;

use quarterdeck::tools::registry;

use super::{
    added, agents, code, files, finding, found, outputs, person, plan,
    row::{Kept, Promise, Subject, TOPICS},
    scratchpad, shell, turns, web,
};

/// Every group of rows.
const GROUPS: &[&[Subject]] = &[
    added::ROWS,
    agents::ROWS,
    code::ROWS,
    files::ROWS,
    finding::ROWS,
    outputs::ROWS,
    person::ROWS,
    plan::ROWS,
    scratchpad::ROWS,
    shell::ROWS,
    turns::ROWS,
    web::ROWS,
];

/// The longest sentence of a row.
const LONGEST: usize = 160;

/// What is wrong with these rows.
fn complaints(rows: &[Subject], subjects: &[&str], tests: &BTreeSet<String>) -> Vec<String> {
    let mut complaints = Vec::new();
    let mut seen = BTreeSet::new();
    for Subject(name, promises) in rows {
        if !subjects.contains(name) {
            complaints.push(format!("{name}: is no tool and no topic"));
        }
        for promise in *promises {
            let mut complain = |why: String| {
                let Promise { origin, what, .. } = promise;
                complaints.push(format!("{name}, {origin:?}: {what}: {why}"));
            };
            if !seen.insert((*name, plain(promise.what))) {
                complain("stands twice".to_owned());
            }
            unsaid(promise).into_iter().for_each(&mut complain);
            unfounded(promise, tests)
                .into_iter()
                .for_each(&mut complain);
        }
    }
    let known: BTreeSet<&str> = seen.iter().map(|(name, _)| *name).collect();
    let without = subjects.iter().filter(|name| !known.contains(*name));
    complaints.extend(without.map(|name| format!("{name}: has no row")));
    complaints
}

/// Letters and digits of a sentence, so that two that say the same are the same.
fn plain(text: &str) -> String {
    let letters = text.chars().filter(|character| character.is_alphanumeric());
    letters.flat_map(char::to_lowercase).collect()
}

fn is_sentence(text: &str) -> bool {
    let begins = text
        .starts_with(|first: char| first.is_uppercase() || first.is_ascii_digit() || first == '`');
    begins && text.ends_with('.') && text.len() > 15
}

fn unsaid(promise: &Promise) -> Vec<String> {
    let mut why = Vec::new();
    if !is_sentence(promise.what) || promise.what.chars().count() > LONGEST {
        why.push(format!("is no sentence of at most {LONGEST} letters"));
    }
    if let Kept::Otherwise(reason) = promise.kept
        && !is_sentence(reason)
    {
        why.push("gives no reason in a sentence".to_owned());
    }
    why
}

fn unfounded(promise: &Promise, tests: &BTreeSet<String>) -> Vec<String> {
    let Kept::Shown(names) = promise.kept else {
        return Vec::new();
    };
    let unique: BTreeSet<&str> = names.iter().copied().collect();
    let missing = unique.iter().filter(|name| !tests.contains(**name));
    let mut why: Vec<String> = missing.map(|name| format!("{name} is no test")).collect();
    if names.is_empty() || unique.len() < names.len() {
        why.push("names no test, or one twice".to_owned());
    }
    why
}

fn rows() -> Vec<Subject> {
    GROUPS.iter().copied().flatten().copied().collect()
}

#[test]
fn every_row_is_kept_by_tests_that_are_there_and_no_tool_is_without_one() {
    let tools = registry::all().map(|tool| tool.about().name);
    let subjects: Vec<&str> = tools.chain(TOPICS.iter().copied()).collect();

    let complaints = complaints(&rows(), &subjects, found::all());

    assert!(complaints.is_empty(), "\n{}", complaints.join("\n"));
}

#[test]
fn a_missing_test_a_double_and_a_tool_without_a_row_are_found() {
    use super::row::{Origin::A, otherwise, shown};
    const ROWS: &[Subject] = &[
        Subject("one", ONE),
        Subject("none", &[]),
        Subject("strange", STRANGE),
    ];
    const ONE: &[Promise] = &[
        shown(A, "It does what it says.", &["it::a::b"]),
        shown(A, "it does: what it says", &["it::a::b"]),
        shown(A, "It does another thing.", &["it::a::c"]),
        shown(A, "It does a third thing.", &[]),
        otherwise(A, "It does not do this.", "no"),
    ];
    const STRANGE: &[Promise] = &[shown(A, "It does what it says.", &["it::a::b"])];
    let tests = BTreeSet::from(["it::a::b".to_owned()]);

    assert_eq!(
        complaints(ROWS, &["one", "none"], &tests),
        [
            "one, A: it does: what it says: stands twice",
            "one, A: it does: what it says: is no sentence of at most 160 letters",
            "one, A: It does another thing.: it::a::c is no test",
            "one, A: It does a third thing.: names no test, or one twice",
            "one, A: It does not do this.: gives no reason in a sentence",
            "strange: is no tool and no topic",
            "none: has no row",
        ]
    );
}
