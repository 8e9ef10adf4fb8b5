//! Who may import whom. Lower folders know nothing of higher ones, and the screen knows only the engine's face.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::LazyLock,
};

use regex::Regex;

use super::{
    exceptions::{Violation, hold},
    source::{self, Source},
};

/// Every folder of `src`, lowest first, with the folders that it may import.
const ORDER: &[(&str, &[&str])] = &[
    ("text", &[]),
    ("domain", &[]),
    ("config", &["domain", "text"]),
    ("permission", &["domain", "text"]),
    ("store", &["domain", "text"]),
    ("providers", &["domain", "text", "config"]),
    ("process", &["domain", "text", "permission"]),
    ("hooks", &["domain", "text", "process"]),
    ("workspace", &["domain", "text", "process"]),
    ("media", &["domain"]),
    // Of the judge a tool knows what a command line is, never what a verdict will be.
    (
        "tools",
        &[
            "domain",
            "text",
            "permission",
            "process",
            "workspace",
            "media",
        ],
    ),
    (
        "engine",
        &[
            "domain",
            "text",
            "config",
            "permission",
            "store",
            "providers",
            "process",
            "hooks",
            "workspace",
            "tools",
        ],
    ),
    ("ui", &["domain", "text", "config", "engine"]),
    (
        "cli",
        &[
            "domain",
            "text",
            "config",
            "permission",
            "store",
            "providers",
            "process",
            "hooks",
            "workspace",
            "tools",
            "engine",
            "ui",
        ],
    ),
];

/// A path that starts at the crate or climbs, and the name or brace behind it.
static PATH: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"\b(crate|(?:super\s*::\s*)*super)\s*::\s*(\{|[a-z_]+)").unwrap());

/// The folders of the crate that the program code of a file names, with the line of the first place.
fn imports(source: &Source) -> BTreeMap<String, usize> {
    let code = source.program();
    let mut found = BTreeMap::new();
    let depth = source.path.trim_start_matches("src/").matches('/').count()
        + usize::from(!source.path.ends_with("/mod.rs"));
    for capture in PATH.captures_iter(&code) {
        let supers = capture[1].matches("super").count();
        if supers != 0 && supers != depth {
            continue;
        }
        let line = code[..capture.get(0).unwrap().start()]
            .lines()
            .count()
            .max(1);
        let names = if &capture[2] == "{" {
            group(&code[capture.get(0).unwrap().end()..])
        } else {
            vec![capture[2].to_owned()]
        };
        for name in names {
            found.entry(name).or_insert(line);
        }
    }
    found
}

/// First names of a brace group, without what stands in inner groups.
fn group(text: &str) -> Vec<String> {
    let mut names = Vec::new();
    let (mut depth, mut name, mut at_start) = (1, String::new(), true);
    for character in text.chars() {
        match character {
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' if depth == 1 => at_start = true,
            letter if at_start && depth == 1 && (letter.is_alphanumeric() || letter == '_') => {
                name.push(letter);
                continue;
            }
            _ if name.is_empty() => continue,
            _ => {}
        }
        if !name.is_empty() {
            names.push(std::mem::take(&mut name));
            at_start = character == ',';
        }
        if depth == 0 {
            break;
        }
    }
    names
}

fn out_of_order(sources: &[Source], order: &[(&str, &[&str])]) -> Vec<Violation> {
    let known: BTreeSet<&str> = order.iter().map(|(folder, _)| *folder).collect();
    let mut violations = Vec::new();
    for source in sources {
        let Some(folder) = source.folder() else {
            continue;
        };
        let Some((_, allowed)) = order.iter().find(|(name, _)| *name == folder) else {
            violations.push(Violation::new(
                &source.path,
                "its folder has no place in the order",
            ));
            continue;
        };
        for (name, line) in imports(source) {
            if name != folder && known.contains(name.as_str()) && !allowed.contains(&name.as_str())
            {
                violations.push(Violation::new(
                    &source.path,
                    format!("line {line}: {folder} must not import {name}"),
                ));
            }
        }
    }
    violations
}

/// Folders that import each other, as a path that comes back to its start.
fn cycle(edges: &BTreeMap<String, BTreeSet<String>>) -> Option<Vec<String>> {
    fn visit(
        folder: &str,
        edges: &BTreeMap<String, BTreeSet<String>>,
        trail: &mut Vec<String>,
        done: &mut BTreeSet<String>,
    ) -> Option<Vec<String>> {
        if let Some(start) = trail.iter().position(|earlier| earlier == folder) {
            let mut cycle = trail[start..].to_vec();
            cycle.push(folder.to_owned());
            return Some(cycle);
        }
        if !done.insert(folder.to_owned()) {
            return None;
        }
        trail.push(folder.to_owned());
        let found = edges
            .get(folder)
            .into_iter()
            .flatten()
            .find_map(|next| visit(next, edges, trail, done));
        trail.pop();
        found
    }
    let mut done = BTreeSet::new();
    edges
        .keys()
        .find_map(|folder| visit(folder, edges, &mut Vec::new(), &mut done))
}

/// Which folder imports which others.
fn edges(sources: &[Source]) -> BTreeMap<String, BTreeSet<String>> {
    let mut edges: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for source in sources {
        let Some(folder) = source.folder() else {
            continue;
        };
        let others = edges.entry(folder.to_owned()).or_default();
        others.extend(imports(source).into_keys().filter(|name| name != folder));
    }
    let folders: BTreeSet<String> = edges.keys().cloned().collect();
    for others in edges.values_mut() {
        others.retain(|other| folders.contains(other));
    }
    edges
}

#[test]
fn every_folder_imports_only_what_is_below_it() {
    let sources = source::all();

    hold("order", &out_of_order(sources, ORDER));
    assert_eq!(cycle(&edges(sources)), None);
}

#[test]
fn the_order_itself_goes_down_only() {
    for (index, (folder, allowed)) in ORDER.iter().enumerate() {
        for name in *allowed {
            assert!(
                ORDER[..index].iter().any(|(lower, _)| lower == name),
                "{folder} may import {name}, which is not below it"
            );
        }
    }
}

#[test]
fn every_spelling_of_an_import_is_seen() {
    let table = [
        ("use crate::ui::Model;", vec!["ui"]),
        (
            "use crate::{domain::{ids, tool}, engine, ui::{a, b}};",
            vec!["domain", "engine", "ui"],
        ),
        ("fn f() { crate::engine::run() }", vec!["engine"]),
        (
            "pub(in crate::tools) use super::super::super::ui;",
            vec!["tools", "ui"],
        ),
        ("use super::super::read;", vec![]),
        ("// use crate::ui;\nlet a = \"crate::ui\";", vec![]),
        ("#[cfg(test)]\nmod tests { use crate::ui; }", vec![]),
    ];

    for (text, expected) in table {
        let found = imports(&Source::new("src/tools/files/file_read.rs", text));
        assert_eq!(found.into_keys().collect::<Vec<_>>(), expected, "{text}");
    }
}

#[test]
fn an_import_against_the_order_and_an_unknown_folder_are_found() {
    let sources = [
        Source::new(
            "src/tools/a.rs",
            "\nuse crate::{domain::ids, engine::handle};",
        ),
        Source::new("src/engine/a.rs", "use crate::tools::a;"),
        Source::new("src/helpers/a.rs", ""),
    ];

    assert_eq!(
        out_of_order(&sources, ORDER),
        [
            Violation::new("src/tools/a.rs", "line 2: tools must not import engine"),
            Violation::new("src/helpers/a.rs", "its folder has no place in the order"),
        ]
    );
    assert_eq!(
        cycle(&edges(&sources)),
        Some(["engine", "tools", "engine"].map(str::to_owned).to_vec())
    );
}
