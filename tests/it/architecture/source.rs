//! Source files as the checks read them: with comments and strings blanked, and with test code set apart.
//!
//! Blanking keeps every line end, so that line numbers and counts stay true.

use std::{
    collections::BTreeSet,
    fs,
    ops::Range,
    path::{Path, PathBuf},
    sync::LazyLock,
};

/// One file.
#[derive(Clone, Debug)]
pub(crate) struct Source {
    /// From the repository's root, with `/`.
    pub(crate) path: String,
    /// As it is.
    pub(crate) text: String,
    /// Without comments and strings.
    pub(crate) blanked: String,
    /// Where items under `#[cfg(test)]` stand in `blanked`.
    test_items: Vec<Range<usize>>,
    /// Whether the whole file is compiled for tests only.
    pub(super) is_test: bool,
}

impl Source {
    /// A file of this content.
    pub(crate) fn new(path: &str, text: &str) -> Self {
        let blanked = blank(text);
        Self {
            path: path.to_owned(),
            text: text.to_owned(),
            test_items: test_items(&blanked),
            blanked,
            is_test: path.starts_with("tests/"),
        }
    }

    /// The code that is part of the program: nothing of a test file, and no item under `#[cfg(test)]`.
    pub(super) fn program(&self) -> String {
        if self.is_test {
            return String::new();
        }
        let mut program = self.blanked.clone();
        for range in self.test_items.iter().rev() {
            let blanks = keep_line_ends(&self.blanked[range.clone()]);
            program.replace_range(range.clone(), &blanks);
        }
        program
    }

    /// The code that only tests see.
    pub(super) fn tests(&self) -> String {
        if self.is_test {
            return self.blanked.clone();
        }
        let ranges = test_items(&self.blanked);
        ranges
            .into_iter()
            .map(|range| &self.blanked[range])
            .collect()
    }

    /// Lines of the file that are not test code.
    pub(super) fn program_lines(&self) -> usize {
        let tests: usize = self
            .test_items
            .iter()
            .cloned()
            .map(|range| self.blanked[range].lines().count())
            .sum();
        self.text.lines().count() - tests
    }

    /// The file's name without its ending.
    pub(super) fn stem(&self) -> &str {
        let name = self.path.rsplit('/').next().unwrap_or(&self.path);
        name.trim_end_matches(".rs")
    }

    /// The folder right below `src`; `None` for `main.rs` and `lib.rs`.
    pub(super) fn folder(&self) -> Option<&str> {
        let (folder, _) = self.path.strip_prefix("src/")?.split_once('/')?;
        Some(folder)
    }
}

/// Every Rust file of `src` and `tests`.
pub(crate) fn all() -> &'static [Source] {
    static ALL: LazyLock<Vec<Source>> = LazyLock::new(read);
    &ALL
}

fn read() -> Vec<Source> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut paths = Vec::new();
    for folder in ["src", "tests"] {
        collect(&root.join(folder), &mut paths);
    }
    paths.sort();
    let mut sources: Vec<Source> = paths
        .iter()
        .map(|path| {
            let name = path
                .strip_prefix(root)
                .unwrap()
                .to_string_lossy()
                .replace('\\', "/");
            Source::new(&name, &fs::read_to_string(path).unwrap())
        })
        .collect();
    assert!(
        sources.len() > 100,
        "the walk found only {} files",
        sources.len()
    );
    mark_tests(&mut sources);
    sources
}

fn collect(folder: &Path, paths: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            collect(&path, paths);
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            paths.push(path);
        }
    }
}

/// Marks the files that are declared under `#[cfg(test)]`, and what those declare in turn.
fn mark_tests(sources: &mut [Source]) {
    let mut marked = BTreeSet::new();
    loop {
        for source in sources.iter() {
            let whole = source.is_test && source.path.starts_with("src/");
            for (name, path) in declared(source, whole) {
                marked.extend(places(&source.path, &name, path.as_deref()));
            }
        }
        let mut changed = false;
        for source in sources.iter_mut() {
            if !source.is_test && marked.contains(&source.path) {
                source.is_test = true;
                changed = true;
            }
        }
        if !changed {
            return;
        }
    }
}

/// Modules declared for tests only (or all of them): name and path attribute.
fn declared(source: &Source, all: bool) -> Vec<(String, Option<String>)> {
    let mut found = Vec::new();
    let (mut for_tests, mut path) = (all, None);
    for line in source.text.lines().map(str::trim) {
        if MARKS.iter().any(|mark| line.starts_with(mark)) {
            for_tests = true;
        } else if let Some(rest) = line.strip_prefix("#[path = \"") {
            path = rest.split_once('"').map(|(path, _)| path.to_owned());
        } else if !line.starts_with("#[") && !line.is_empty() {
            let declared = line
                .strip_suffix(';')
                .and_then(|line| line.rsplit_once("mod "));
            if let Some((_, name)) = declared
                && for_tests
                && !name.contains(' ')
            {
                found.push((name.to_owned(), path.take()));
            }
            (for_tests, path) = (all, None);
        }
    }
    found
}

/// Where the module of this name can stand that a file declares.
pub(crate) fn places(file: &str, name: &str, path: Option<&str>) -> Vec<String> {
    let (folder, file_name) = file.rsplit_once('/').unwrap_or(("", file));
    if let Some(path) = path {
        return vec![format!("{folder}/{path}")];
    }
    let base = match file_name {
        "mod.rs" | "lib.rs" | "main.rs" => folder.to_owned(),
        other => format!("{folder}/{}", other.trim_end_matches(".rs")),
    };
    vec![format!("{base}/{name}.rs"), format!("{base}/{name}/mod.rs")]
}

/// Attributes by which an item is compiled for tests only; the second is followed by more conditions.
const MARKS: [&str; 2] = ["#[cfg(test)]", "#[cfg(all(test,"];

/// Where items for tests only stand, from the attribute to the end of the item.
fn test_items(blanked: &str) -> Vec<Range<usize>> {
    let mut items = Vec::new();
    let mut from = 0;
    while let Some(found) = MARKS
        .iter()
        .filter_map(|mark| blanked[from..].find(mark))
        .min()
    {
        let start = from + found;
        let end = start + item_length(&blanked[start..]);
        items.push(start..end);
        from = end;
    }
    items
}

/// Bytes up to the brace or semicolon that ends the item.
fn item_length(text: &str) -> usize {
    let mut depth = 0_usize;
    for (at, character) in text.char_indices() {
        match character {
            '{' => depth += 1,
            '}' => depth = depth.saturating_sub(1),
            ';' => {}
            _ => continue,
        }
        if depth == 0 && character != '{' {
            return at + 1;
        }
    }
    text.len()
}

fn keep_line_ends(text: &str) -> String {
    text.chars()
        .filter(|character| *character == '\n')
        .collect()
}

/// Replaces comments and the inside of strings and characters by nothing, line ends apart.
fn blank(text: &str) -> String {
    let mut blanked = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let skipped = comment(rest)
            .or_else(|| raw_string(rest))
            .or_else(|| string(rest))
            .or_else(|| character(rest));
        let (taken, mark) = skipped.unwrap_or((first.len_utf8(), ""));
        let (head, tail) = rest.split_at(taken);
        if skipped.is_some() {
            blanked.push_str(mark);
            blanked.push_str(&keep_line_ends(head));
            blanked.push_str(mark);
        } else {
            blanked.push(first);
        }
        // A raw string begins with a letter: a name that ends in one must not be taken for it.
        if first.is_alphanumeric() && skipped.is_none() {
            let name = tail
                .find(|letter: char| !letter.is_alphanumeric() && letter != '_')
                .unwrap_or(tail.len());
            blanked.push_str(&tail[..name]);
            rest = &tail[name..];
        } else {
            rest = tail;
        }
    }
    blanked
}

fn comment(rest: &str) -> Option<(usize, &'static str)> {
    if rest.starts_with("//") {
        return Some((rest.find('\n').unwrap_or(rest.len()), ""));
    }
    if !rest.starts_with("/*") {
        return None;
    }
    let (mut depth, mut at) = (0_usize, 0);
    while at < rest.len() {
        if rest[at..].starts_with("/*") {
            depth += 1;
            at += 2;
        } else if rest[at..].starts_with("*/") {
            depth -= 1;
            at += 2;
            if depth == 0 {
                break;
            }
        } else {
            at += rest[at..].chars().next().map_or(1, char::len_utf8);
        }
    }
    Some((at, ""))
}

fn raw_string(rest: &str) -> Option<(usize, &'static str)> {
    let body = rest.strip_prefix("br").or_else(|| rest.strip_prefix('r'))?;
    let hashes = body.len() - body.trim_start_matches('#').len();
    let inside = body[hashes..].strip_prefix('"')?;
    let end = format!("\"{}", "#".repeat(hashes));
    let length = inside.find(&end).map_or(inside.len(), |at| at + end.len());
    Some((rest.len() - inside.len() + length, "\""))
}

fn string(rest: &str) -> Option<(usize, &'static str)> {
    let inside = rest.strip_prefix('"')?;
    let mut escaped = false;
    for (at, character) in inside.char_indices() {
        match character {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '"' => return Some((at + 2, "\"")),
            _ => {}
        }
    }
    Some((rest.len(), "\""))
}

/// A character literal, and not a lifetime.
fn character(rest: &str) -> Option<(usize, &'static str)> {
    let inside = rest.strip_prefix('\'')?;
    let mut letters = inside.char_indices();
    let (_, first) = letters.next()?;
    if first == '\\' {
        letters.next();
        let (end, _) = letters.find(|(_, letter)| *letter == '\'')?;
        return Some((end + 2, "'"));
    }
    let (end, second) = letters.next()?;
    (second == '\'').then_some((end + 2, "'"))
}

#[test]
fn comments_strings_and_characters_are_blanked_and_lines_stay() {
    let table = [
        ("a // b\nc", "a \nc"),
        ("a /* b /* c */\nd */ e", "a \n e"),
        ("f(\"x // \\\" y\n\") // z", "f(\"\n\") "),
        ("r#\"a \" b\"# + br\"\\\"", "\"\" + \"\""),
        ("for_r\"x\"", "for_r\"\""),
        ("let c = '\"'; // x", "let c = ''; "),
        ("'\\'' '\\u{1f}' &'a str", "'' '' &'a str"),
        ("fn a<'a>(x: &'a str)", "fn a<'a>(x: &'a str)"),
    ];

    for (text, expected) in table {
        assert_eq!(blank(text), expected, "{text}");
    }
}

#[test]
fn items_for_tests_are_set_apart() {
    let text = "fn a() {}\n#[cfg(test)]\nmod world;\n\nfn b() {}\n\n#[cfg(all(test, unix))]\nmod tests {\n    fn c() { if x {} }\n}\n";
    let source = Source::new("src/a/b.rs", text);

    assert!(source.program().contains("fn b()") && !source.program().contains("fn c()"));
    assert!(source.tests().contains("fn c()") && !source.tests().contains("fn b()"));
    assert_eq!(source.program_lines(), 4);
    assert_eq!(source.program().lines().count(), text.lines().count());
}

#[test]
fn files_declared_for_tests_are_marked_and_what_they_declare_too() {
    let mut sources = [
        Source::new(
            "src/a/b.rs",
            "#[cfg(test)]\n#[path = \"b_tests.rs\"]\nmod tests;\nmod real;",
        ),
        Source::new("src/a/b_tests.rs", "#[path = \"b_world.rs\"]\nmod world;"),
        Source::new("src/a/b_world.rs", ""),
        Source::new("src/a/b/real.rs", ""),
        Source::new("src/a/mod.rs", "mod b;\n#[cfg(test)]\nmod fake;"),
        Source::new("src/a/fake.rs", ""),
    ];

    mark_tests(&mut sources);

    let marked: Vec<&str> = sources
        .iter()
        .filter(|source| source.is_test)
        .map(|source| source.path.as_str())
        .collect();
    assert_eq!(
        marked,
        ["src/a/b_tests.rs", "src/a/b_world.rs", "src/a/fake.rs"]
    );
}
