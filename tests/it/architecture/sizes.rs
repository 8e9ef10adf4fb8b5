//! How large files, folders and types get.

use std::collections::BTreeMap;

use super::{
    exceptions::{Violation, hold},
    source::{self, Source},
};

/// Lines of a file that are part of the program.
const PROGRAM_LINES: usize = 400;
/// Lines of a file with its tests.
const FILE_LINES: usize = 520;
/// Lines of a file that holds tests only.
const TEST_LINES: usize = 700;
/// Lines of a `mod.rs`.
const MAP_LINES: usize = 60;
/// Files of a folder beside its `mod.rs`, tests not counted.
const FILES: usize = 15;
/// Fields of a struct that holds state.
const FIELDS: usize = 15;

/// File, enum, most variants.
const ENUMS: &[(&str, &str, usize)] = &[
    ("src/engine/command.rs", "Command", 20),
    ("src/engine/event.rs", "EventKind", 30),
    ("src/ui/message.rs", "Message", 10),
    ("src/engine/turn/effect.rs", "Effect", 20),
];

fn too_long(source: &Source) -> Vec<Violation> {
    let whole = source.text.lines().count();
    let mut violations = Vec::new();
    let mut complain = |what: String| violations.push(Violation::new(&source.path, what));
    let most = if source.is_test {
        TEST_LINES
    } else {
        FILE_LINES
    };
    if whole > most {
        complain(format!("{whole} lines, {most} are the most"));
    }
    if !source.is_test && source.program_lines() > PROGRAM_LINES {
        let lines = source.program_lines();
        complain(format!(
            "{lines} lines without tests, {PROGRAM_LINES} are the most"
        ));
    }
    if source.path.ends_with("/mod.rs") && !source.is_test && whole > MAP_LINES {
        complain(format!(
            "{whole} lines, a mod.rs has {MAP_LINES} at the most"
        ));
    }
    violations
}

fn crowded_folders(sources: &[Source]) -> Vec<Violation> {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for source in sources {
        if source.is_test || source.path.ends_with("/mod.rs") {
            continue;
        }
        if let Some((folder, _)) = source.path.rsplit_once('/') {
            *counts.entry(folder).or_default() += 1;
        }
    }
    counts
        .into_iter()
        .filter(|(_, count)| *count > FILES)
        .map(|(folder, count)| {
            Violation::new(folder, format!("{count} files, {FILES} are the most"))
        })
        .collect()
}

/// Entries at the top level of the braces behind `opening`: variants of an enum, fields of a struct.
fn entries(blanked: &str, opening: &str) -> Option<usize> {
    let found = blanked.match_indices(opening).find(|(at, _)| {
        let behind = blanked[at + opening.len()..].chars().next();
        behind.is_some_and(|next| next == ' ' || next == '<')
    })?;
    let body = blanked[found.0..].split_once('{')?.1;
    let (mut depth, mut count, mut open) = (0_usize, 0, false);
    for character in body.chars() {
        match character {
            '}' if depth == 0 => return Some(count + usize::from(open)),
            '{' | '(' | '[' | '<' => depth += 1,
            '}' | ')' | ']' | '>' => depth = depth.saturating_sub(1),
            ',' if depth == 0 => {
                count += 1;
                open = false;
            }
            '#' => {}
            letter if depth == 0 && letter.is_alphabetic() => open = true,
            _ => {}
        }
    }
    None
}

fn over_budget(sources: &[Source], budgets: &[(&str, &str, usize)]) -> Vec<Violation> {
    let mut violations = Vec::new();
    for (path, name, most) in budgets {
        let file = sources.iter().find(|source| source.path == *path);
        match file.and_then(|file| entries(&file.blanked, &format!("enum {name}"))) {
            None => violations.push(Violation::new(path, format!("there is no enum {name}"))),
            Some(count) if count > *most => violations.push(Violation::new(
                path,
                format!("{name} has {count} variants, {most} are the most"),
            )),
            Some(_) => {}
        }
    }
    violations
}

fn wide_structs(source: &Source) -> Vec<Violation> {
    let code = source.program();
    let mut violations = Vec::new();
    for (at, _) in code.match_indices("struct ") {
        let name: String = code[at + "struct ".len()..]
            .chars()
            .take_while(|letter| letter.is_alphanumeric() || *letter == '_')
            .collect();
        let declaration = &code[at..];
        let braces = declaration.find('{').unwrap_or(usize::MAX);
        if declaration.find(';').is_some_and(|end| end < braces) {
            continue;
        }
        let count = entries(declaration, &format!("struct {name}")).unwrap_or(0);
        // The arguments of a tool are its face to the model and hold no state.
        if count > FIELDS && name != "Arguments" {
            violations.push(Violation::new(
                &source.path,
                format!("{name} has {count} fields, {FIELDS} are the most"),
            ));
        }
    }
    violations
}

#[test]
fn files_and_folders_stay_small() {
    let sources = source::all();

    let long: Vec<Violation> = sources.iter().flat_map(too_long).collect();
    hold("lines", &long);
    hold("files a folder", &crowded_folders(sources));
}

#[test]
fn enums_and_structs_stay_small() {
    let sources = source::all();

    hold("variants", &over_budget(sources, ENUMS));
    let wide: Vec<Violation> = sources.iter().flat_map(wide_structs).collect();
    hold("fields", &wide);
    let model = sources
        .iter()
        .find(|source| source.path == "src/ui/model.rs")
        .unwrap();
    assert!(entries(&model.blanked, "struct Model").is_some_and(|count| count > 3));
}

#[test]
fn a_long_file_a_long_map_and_a_full_folder_are_found() {
    let lines = |count: usize| "let a = 1;\n".repeat(count);
    let what = |source: Source| -> Vec<String> {
        too_long(&source)
            .into_iter()
            .map(|violation| violation.what)
            .collect()
    };
    let with_tests = format!(
        "{}#[cfg(test)]\nmod tests {{\n{}}}\n",
        lines(390),
        lines(200)
    );

    assert_eq!(what(Source::new("src/a/b.rs", &lines(400))), [""; 0]);
    assert_eq!(
        what(Source::new("src/a/b.rs", &lines(401))),
        ["401 lines without tests, 400 are the most"]
    );
    assert_eq!(
        what(Source::new("src/a/b.rs", &with_tests)),
        ["593 lines, 520 are the most"]
    );
    assert_eq!(
        what(Source::new("src/a/mod.rs", &lines(61))),
        ["61 lines, a mod.rs has 60 at the most"]
    );
    let full: Vec<Source> = (0..16)
        .map(|index| Source::new(&format!("src/a/f{index}.rs"), ""))
        .chain([Source::new("src/a/mod.rs", "")])
        .collect();
    assert_eq!(
        crowded_folders(&full),
        [Violation::new("src/a", "16 files, 15 are the most")]
    );
    assert_eq!(crowded_folders(&full[1..]), []);
}

#[test]
fn variants_and_fields_are_counted_at_the_top_level_only() {
    let text = "pub enum Commander { A }\n/// x, y\npub enum Command {\n    #[serde(a, b)]\n    One,\n    Two { a: u8, b: Map<K, V> },\n    Three(u8, u8)\n}\n\
                struct Wide<T> { a: T, pub b: Vec<(u8, u8)>, }";
    let source = Source::new("src/a.rs", text);

    assert_eq!(entries(&source.blanked, "enum Command"), Some(3));
    assert_eq!(entries(&source.blanked, "struct Wide"), Some(2));
    assert_eq!(
        over_budget(
            std::slice::from_ref(&source),
            &[("src/a.rs", "Command", 2), ("src/a.rs", "Gone", 2)]
        ),
        [
            Violation::new("src/a.rs", "Command has 3 variants, 2 are the most"),
            Violation::new("src/a.rs", "there is no enum Gone"),
        ]
    );
    let fields: String = (0..16).map(|index| format!("f{index}: u8, ")).collect();
    let wide = Source::new(
        "src/a.rs",
        &format!("struct Unit; struct Pair(u8, u8); struct Wide {{ {fields} }}"),
    );
    assert_eq!(
        wide_structs(&wide),
        [Violation::new(
            "src/a.rs",
            "Wide has 16 fields, 15 are the most"
        )]
    );
}
