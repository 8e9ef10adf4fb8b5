//! What must stand in a file, and what must not.

use std::sync::LazyLock;

use regex::Regex;

use super::{
    exceptions::{Violation, hold},
    source::{self, Source},
};

/// What, as a pattern over code without comments and strings; the folders where it may stand (none: nowhere).
static FENCES: LazyLock<Vec<(Regex, &[&str])>> = LazyLock::new(|| {
    let fences: [(&str, &[&str]); 7] = [
        (
            r"\b(ratatui|crossterm|termina|tui_textarea|syntect|two_face|arboard)\s*::",
            &["ui"],
        ),
        (r"\brusqlite\s*::", &["store"]),
        (r"\b(reqwest|sse_stream)\s*::", &["providers", "tools/web"]),
        (r"\brustls\s*::", &["providers", "tools/web"]),
        (r"\b(html5ever|scraper|ego_tree)\s*::", &["tools/web"]),
        (
            r"\b(std|tokio)\s*::\s*process\s*::\s*(Command|Child|Stdio|\{)",
            &["process"],
        ),
        (r"\bCommand\s*::\s*new\s*\(", &["process"]),
    ];
    let compiled = fences.map(|(fence, folders)| (Regex::new(fence).unwrap(), folders));
    compiled.into()
});

/// Folders that only compute.
const PURE: &[&str] = &["domain", "text", "permission"];

/// What has no place in a folder that only computes.
static IMPURE: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"\b(tokio|std\s*::\s*(fs|net|thread|env)|SystemTime|Instant)\b").unwrap()
});

/// What ends the program where an error should be returned.
static LOUD: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"\.(unwrap|expect)\s*\(|\b(panic|todo|unimplemented|unreachable)!").unwrap()
});

/// What a map must not hold.
static LOGIC: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"\b(fn|impl|struct|enum|trait|match|let|if|macro_rules)\b").unwrap()
});

/// What a test must not do.
static IDLE: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"#\[ignore|#\[should_panic|\bsleep(_until)?\s*\(").unwrap());

/// Names that say nothing about what a file owns.
const EMPTY_NAMES: &[&str] = &[
    "util", "utils", "helper", "helpers", "common", "misc", "types", "manager",
];

/// Every place of a pattern, with its line.
fn places(path: &str, code: &str, pattern: &Regex, what: &str) -> Vec<Violation> {
    pattern
        .find_iter(code)
        .map(|found| {
            let line = code[..found.start()].matches('\n').count() + 1;
            Violation::new(path, format!("line {line}: `{}` {what}", found.as_str()))
        })
        .collect()
}

fn over_the_fence(source: &Source) -> Vec<Violation> {
    let folder = source.folder().unwrap_or("main");
    let code = source.program();
    let mut violations = Vec::new();
    for (pattern, folders) in FENCES.iter() {
        let is_inside = |allowed: &&str| {
            folder == *allowed || source.path.starts_with(&format!("src/{allowed}/"))
        };
        if !folders.iter().any(is_inside) {
            let what = format!("belongs to {} only", folders.join(", "));
            violations.extend(places(&source.path, &code, pattern, &what));
        }
    }
    if PURE.contains(&folder) {
        violations.extend(places(
            &source.path,
            &code,
            &IMPURE,
            "has no place in a folder that only computes",
        ));
    }
    violations
}

fn loud(source: &Source) -> Vec<Violation> {
    places(&source.path, &source.program(), &LOUD, "outside tests")
}

fn skipped_or_slow(source: &Source) -> Vec<Violation> {
    places(
        &source.path,
        &source.tests(),
        &IDLE,
        "in a test: run it, compare what it returns, wait for the thing itself",
    )
}

/// Test code beside its subject is excused: its subject says what both are about.
fn without_a_word(source: &Source) -> Option<Violation> {
    if source.is_test && source.path.starts_with("src/") {
        return None;
    }
    let opening: Vec<&str> = source
        .text
        .lines()
        .take_while(|line| line.starts_with("//!"))
        .collect();
    let says_something = opening.iter().any(|line| line.len() > 15);
    (!says_something || opening.len() > 20).then(|| {
        Violation::new(
            &source.path,
            "must open with //! lines that say what it owns",
        )
    })
}

fn nameless(source: &Source) -> Option<Violation> {
    EMPTY_NAMES
        .contains(&source.stem())
        .then(|| Violation::new(&source.path, "its name does not say what it owns"))
}

/// A `mod.rs` is a map: modules, re-exports, the family's list; no logic.
fn map_with_logic(source: &Source) -> Vec<Violation> {
    if !source.path.ends_with("/mod.rs") {
        return Vec::new();
    }
    places(
        &source.path,
        &source.program(),
        &LOGIC,
        "is logic, and a mod.rs holds none",
    )
}

/// One file, one tool: a file that implements a tool is called as the tool is.
fn misnamed_tool(source: &Source) -> Option<Violation> {
    let code = source.program();
    let tools = code.matches("impl Tool for ").count();
    if tools == 0 || source.folder() != Some("tools") {
        return None;
    }
    let named = source
        .text
        .contains(&format!("name: \"{}\",", source.stem()));
    (tools > 1 || !named).then(|| {
        Violation::new(
            &source.path,
            "must hold exactly the tool that it is named after",
        )
    })
}

fn of<'a, I: IntoIterator<Item = Violation>>(
    sources: &'a [Source],
    check: impl Fn(&'a Source) -> I,
) -> Vec<Violation> {
    sources.iter().flat_map(check).collect()
}

#[test]
fn every_crate_and_every_deed_stays_in_its_folder() {
    hold("fences", &of(source::all(), over_the_fence));
}

#[test]
fn the_program_never_panics_on_purpose() {
    hold("loud", &of(source::all(), loud));
}

#[test]
fn no_test_is_skipped_and_none_sleeps() {
    hold("tests", &of(source::all(), skipped_or_slow));
}

#[test]
fn every_file_says_what_it_owns() {
    let sources = source::all();

    hold("opening", &of(sources, without_a_word));
    hold("names", &of(sources, nameless));
}

#[test]
fn a_mod_file_is_a_map_and_a_tool_file_one_tool() {
    let sources = source::all();
    let source_files: Vec<Source> = sources
        .iter()
        .filter(|file| !file.is_test)
        .cloned()
        .collect();

    hold("maps", &of(&source_files, map_with_logic));
    hold("tools", &of(sources, misnamed_tool));
    let tools = sources
        .iter()
        .filter(|file| file.program().contains("impl Tool for "));
    assert_eq!(tools.count(), quarterdeck::tools::registry::all().count());
}

#[test]
fn what_crosses_a_fence_is_found_with_its_line() {
    let what = |path: &str, text: &str| -> Vec<String> {
        let found = over_the_fence(&Source::new(path, text));
        found.into_iter().map(|violation| violation.what).collect()
    };

    assert_eq!(
        what("src/engine/a.rs", "\nuse ratatui::Frame;"),
        ["line 2: `ratatui::` belongs to ui only"]
    );
    assert_eq!(
        what("src/tools/a.rs", "use std::process::{Command, Stdio};"),
        ["line 1: `std::process::{` belongs to process only"]
    );
    assert_eq!(
        what("src/domain/a.rs", "use std::fs;"),
        ["line 1: `std::fs` has no place in a folder that only computes"]
    );
    assert_eq!(what("src/text/a.rs", "use tokio::sync;").len(), 1);
    assert_eq!(what("src/main.rs", "use rusqlite::Connection;").len(), 1);
    assert_eq!(
        what("src/ui/a.rs", "use ratatui::Frame; // reqwest::get"),
        [""; 0]
    );
    assert_eq!(what("src/store/a.rs", "use rusqlite::Connection;"), [""; 0]);
    assert_eq!(what("src/cli/a.rs", "std::process::exit(1)"), [""; 0]);
}

#[test]
fn loud_ends_are_found_outside_tests_only() {
    let table = [
        ("a.unwrap()", 1),
        ("a.expect(\"b\")", 1),
        ("panic!(\"b\")", 1),
        ("todo!()", 1),
        ("a.unwrap_or(b)", 0),
        ("// a.unwrap()", 0),
        ("\"panic!\"", 0),
        ("#[cfg(test)]\nmod tests { fn a() { b.unwrap() } }", 0),
    ];

    for (text, expected) in table {
        assert_eq!(
            loud(&Source::new("src/a/b.rs", text)).len(),
            expected,
            "{text}"
        );
    }
}

#[test]
fn skipping_and_sleeping_are_found_in_tests_only() {
    let table = [
        ("tests/it/a.rs", "#[ignore]\nfn a() {}", 1),
        ("tests/it/a.rs", "#[ignore = \"slow\"]", 1),
        ("tests/it/a.rs", "#[should_panic]", 1),
        ("tests/it/a.rs", "tokio::time::sleep(a).await", 1),
        (
            "src/a/b.rs",
            "#[cfg(test)]\nmod tests { fn a() { std::thread::sleep(b) } }",
            1,
        ),
        ("src/a/b.rs", "tokio::time::sleep(a).await", 0),
    ];

    for (path, text, expected) in table {
        assert_eq!(
            skipped_or_slow(&Source::new(path, text)).len(),
            expected,
            "{path} {text}"
        );
    }
}

#[test]
fn an_unsaid_purpose_an_empty_name_logic_in_a_map_and_a_misnamed_tool_are_found() {
    let file = |path: &str, text: &str| Source::new(path, text);

    assert!(without_a_word(&file("src/a/b.rs", "use std::fmt;")).is_some());
    assert!(without_a_word(&file("src/a/b.rs", "//! B.\n")).is_some());
    assert!(without_a_word(&file("src/a/b.rs", "//! Reads the letters.\n")).is_none());
    assert!(nameless(&file("src/a/utils.rs", "")).is_some());
    assert!(nameless(&file("src/a/letters.rs", "")).is_none());
    assert_eq!(
        map_with_logic(&file("src/a/mod.rs", "mod b;\nfn c() {}")).len(),
        1
    );
    assert_eq!(
        map_with_logic(&file(
            "src/a/mod.rs",
            "//! fn\npub mod b;\npub use b::{C, D};"
        )),
        []
    );
    assert_eq!(map_with_logic(&file("src/a/b.rs", "fn c() {}")), []);
    let tool = "impl Tool for A { const ABOUT: About = About { name: \"file_read\", } }";
    assert!(misnamed_tool(&file("src/tools/files/file_read.rs", tool)).is_none());
    assert!(misnamed_tool(&file("src/tools/files/read.rs", tool)).is_some());
    let two = format!("{tool}{tool}");
    assert!(misnamed_tool(&file("src/tools/files/file_read.rs", &two)).is_some());
}
