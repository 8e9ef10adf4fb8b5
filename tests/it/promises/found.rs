//! Which tests there are, read from the sources: names as `cargo test` says them, behind `lib::` or `it::`.

use std::{
    collections::{BTreeMap, BTreeSet},
    ops::Range,
    sync::LazyLock,
};

use regex::Regex;

use crate::architecture::source::{self, Source, places};

/// Where the modules of each program begin.
const ROOTS: [(&str, &str); 2] = [("lib", "src/lib.rs"), ("it", "tests/it/main.rs")];

static MODULE: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"\bmod (\w+)\s*(;|\{)").unwrap());
static TEST: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"#\[(?:tokio::)?test\b[^\]]*\]\s*(?:#\[[^\]]*\]\s*)*(?:async )?fn (\w+)").unwrap()
});

/// Every test of the library and of this program.
pub(super) fn all() -> &'static BTreeSet<String> {
    static ALL: LazyLock<BTreeSet<String>> = LazyLock::new(|| read(source::all()));
    &ALL
}

fn read(sources: &[Source]) -> BTreeSet<String> {
    let sources = sources.iter().map(|source| (source.path.as_str(), source));
    let mut walk = Walk {
        sources: sources.collect(),
        names: BTreeSet::new(),
    };
    for (name, path) in ROOTS {
        walk.file(name, path);
    }
    walk.names
}

struct Walk<'a> {
    sources: BTreeMap<&'a str, &'a Source>,
    names: BTreeSet<String>,
}

impl Walk<'_> {
    fn file(&mut self, module: &str, path: &str) {
        if let Some(source) = self.sources.get(path).copied() {
            self.part(module, source, 0..source.blanked.len());
        }
    }

    /// The tests of a part of a file, and those of the modules that are declared in it.
    fn part(&mut self, module: &str, source: &Source, part: Range<usize>) {
        let text = &source.blanked[part.clone()];
        let mut inner: Vec<Range<usize>> = Vec::new();
        for found in MODULE.captures_iter(text) {
            let (whole, name) = (found.get(0).unwrap(), &found[1]);
            if inner.iter().any(|range| range.contains(&whole.start())) {
                continue;
            }
            let below = format!("{module}::{name}");
            if &found[2] == "{" {
                let end = whole.end() + block(&text[whole.end()..]);
                inner.push(whole.start()..end);
                self.part(&below, source, part.start + whole.end()..part.start + end);
            } else {
                let path = named(source, part.start + whole.start());
                for place in places(&source.path, name, path) {
                    self.file(&below, &place);
                }
            }
        }
        for found in TEST.captures_iter(text) {
            let at = found.get(0).unwrap().start();
            if !inner.iter().any(|range| range.contains(&at)) {
                self.names.insert(format!("{module}::{}", &found[1]));
            }
        }
    }
}

/// Bytes up to the end of the block whose brace stands in front of the text.
fn block(text: &str) -> usize {
    let mut depth = 1_usize;
    for (at, character) in text.char_indices() {
        match character {
            '{' => depth += 1,
            '}' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return at;
        }
    }
    text.len()
}

/// The `path` attribute of the module that is declared here.
fn named(source: &Source, at: usize) -> Option<&str> {
    let line = source.blanked[..at].matches('\n').count();
    let above: Vec<&str> = source.text.lines().take(line).collect();
    let attributes = above.iter().rev().map(|line| line.trim());
    attributes
        .take_while(|line| line.starts_with("#["))
        .find_map(|line| line.strip_prefix("#[path = \"")?.strip_suffix("\"]"))
}

#[test]
fn tests_are_found_by_the_modules_that_they_stand_in() {
    let sources = [
        Source::new("src/lib.rs", "pub mod a;\n// mod gone;\n"),
        Source::new("src/a/mod.rs", "mod b;\nmod c;"),
        Source::new(
            "src/a/b.rs",
            "fn d() {}\n#[cfg(test)]\nmod tests {\n    #[test]\n    fn e() { if x {} }\n    mod f {\n        \
             #[tokio::test(flavor = \"x\")]\n        async fn g() {}\n    }\n    proptest! {\n        #[test]\n        \
             fn h(i in 1..2) {}\n    }\n    fn no() {}\n}\n",
        ),
        Source::new(
            "src/a/c.rs",
            "#[cfg(test)]\n#[path = \"c_tests.rs\"]\nmod tests;\n",
        ),
        Source::new("src/a/c_tests.rs", "#[test]\n#[cfg(unix)]\nfn j() {}"),
        Source::new("tests/it/main.rs", "mod k;"),
        Source::new("tests/it/k.rs", "// #[test] fn l() {}\n#[test]\nfn m() {}"),
    ];

    let names = read(&sources);

    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    assert_eq!(
        names,
        [
            "it::k::m",
            "lib::a::b::tests::e",
            "lib::a::b::tests::f::g",
            "lib::a::b::tests::h",
            "lib::a::c::tests::j",
        ]
    );
}
