//! Tables in the README and the manual, written from the code.
//!
//! A table stands between `<!-- NAME:begin -->` and `<!-- NAME:end -->` in any of the pages; every table stands
//! somewhere. `UPDATE=1 cargo test --test it catalogue` rewrites what differs.

use std::{fs, path::PathBuf};

use quarterdeck::{
    config::{
        catalogue::SETTINGS,
        spec::{Field, Reach},
    },
    tools::registry,
    ui::keymap::{Keymap, Scope, action::Action},
};

/// A table's name and how it is made.
type Table = (&'static str, fn() -> String);

/// The tables by name.
const TABLES: &[Table] = &[("tools", tools), ("keys", keys), ("settings", settings)];

fn tools() -> String {
    let rows = registry::all().map(|tool| {
        let about = tool.about();
        let first = about.description.lines().next().unwrap_or_default();
        vec![code(about.name), first.to_owned(), codes(about.aliases)]
    });
    table(&["tool", "what it does", "also answers to"], rows)
}

/// What can be done from anywhere, with the default keys.
fn keys() -> String {
    let keymap = Keymap::builtin("default").expect("there is a default keymap");
    let global = Action::ALL
        .iter()
        .filter(|action| action.scopes().contains(&Scope::Global));
    let rows = global.map(|action| {
        vec![
            action.doc().trim_end_matches('.').to_owned(),
            codes(&keymap.keys(Scope::Global, *action)),
            codes(
                &action
                    .slash()
                    .iter()
                    .map(|name| format!("/{name}"))
                    .collect::<Vec<_>>(),
            ),
        ]
    });
    table(&["what", "keys", "command"], rows)
}

fn settings() -> String {
    let rows = SETTINGS.iter().map(|setting| {
        let kind = match setting.field {
            Field::Text(_) => "text".to_owned(),
            Field::Flag(_) => "true or false".to_owned(),
            Field::Whole { least, most, .. } => format!("{least} to {most}"),
            Field::Decimal(_) => "number".to_owned(),
            Field::Choice { words, .. } => codes(words),
            Field::Texts(_) => "list of texts".to_owned(),
            Field::Rules(_) => "list of rules".to_owned(),
            Field::Hooks(_) => "list of hooks".to_owned(),
            Field::Tools(_) => "list of tools".to_owned(),
        };
        let reach = match setting.reach {
            Reach::Person => "you",
            Reach::Project => "you, the project",
            Reach::Narrowing(_) => "you; the project, if narrower",
        };
        let default = if setting.default.is_empty() {
            String::new()
        } else {
            code(setting.default)
        };
        vec![
            code(setting.key),
            kind,
            default,
            reach.to_owned(),
            setting.doc.to_owned(),
        ]
    });
    table(&["key", "value", "default", "set by", "meaning"], rows)
}

fn code(text: &str) -> String {
    format!("`{text}`")
}

fn codes<T: AsRef<str>>(texts: &[T]) -> String {
    texts
        .iter()
        .map(|text| code(text.as_ref()))
        .collect::<Vec<_>>()
        .join(", ")
}

fn table(headings: &[&str], rows: impl Iterator<Item = Vec<String>>) -> String {
    let mut text = format!(
        "| {} |\n|{}\n",
        headings.join(" | "),
        "---|".repeat(headings.len())
    );
    for row in rows {
        assert_eq!(row.len(), headings.len());
        let cells: Vec<String> = row.iter().map(|cell| cell.replace('|', "\\|")).collect();
        text.push_str(&format!("| {} |\n", cells.join(" | ")));
    }
    text
}

/// The page with every table renewed, and the names of the tables that it holds.
fn renew(page: &str, tables: &[Table]) -> Result<(String, Vec<String>), String> {
    let mut renewed = String::new();
    let mut names = Vec::new();
    let mut rest = page;
    while let Some((before, behind)) = rest.split_once(":begin -->") {
        let (_, name) = before
            .rsplit_once("<!-- ")
            .ok_or("a table's begin has no <!-- in front")?;
        let (_, make) = tables
            .iter()
            .find(|(known, _)| *known == name)
            .ok_or_else(|| format!("there is no table `{name}`"))?;
        let end = format!("<!-- {name}:end -->");
        let (_, after) = behind
            .split_once(&end)
            .ok_or_else(|| format!("table `{name}` has no {end}"))?;
        renewed.push_str(&format!("{before}:begin -->\n{}{end}", make()));
        names.push(name.to_owned());
        rest = after;
    }
    renewed.push_str(rest);
    Ok((renewed, names))
}

/// The README and every page of the manual.
fn pages() -> Vec<PathBuf> {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    let mut pages = vec![root.join("README.md")];
    if let Ok(entries) = fs::read_dir(root.join("src/manual")) {
        let manual = entries.map(|entry| entry.unwrap().path());
        pages.extend(manual.filter(|path| path.extension().is_some_and(|ending| ending == "md")));
    }
    pages
}

#[test]
#[expect(
    clippy::disallowed_methods,
    reason = "UPDATE=1 rewrites the pages of this repository"
)]
fn every_table_in_the_pages_agrees_with_the_code() {
    let update = std::env::var_os("UPDATE").is_some_and(|value| value == "1");
    let mut found = Vec::new();
    for path in pages() {
        let page = fs::read_to_string(&path).expect("the page can be read");
        let (renewed, names) =
            renew(&page, TABLES).unwrap_or_else(|why| panic!("{}: {why}", path.display()));
        found.extend(names);
        if update && renewed != page {
            fs::write(&path, &renewed).expect("the page can be written");
        } else {
            assert!(
                renewed == page,
                "{} is not what the code says; UPDATE=1 cargo test --test it catalogue rewrites it:\n{}",
                path.display(),
                similar::TextDiff::from_lines(&page, &renewed).unified_diff()
            );
        }
    }
    for (name, _) in TABLES {
        assert!(
            found.iter().any(|known| known == name),
            "table `{name}` stands on no page"
        );
    }
}

#[test]
fn a_stale_table_is_renewed_and_a_broken_one_is_named() {
    let tables: [Table; 1] = [("tools", || "| new |\n".to_owned())];
    let page = "Before.\n<!-- tools:begin -->\n| old |\n<!-- tools:end -->\nAfter.\n";

    assert_eq!(
        renew(page, &tables),
        Ok((
            "Before.\n<!-- tools:begin -->\n| new |\n<!-- tools:end -->\nAfter.\n".to_owned(),
            vec!["tools".to_owned()]
        ))
    );
    assert_eq!(
        renew("<!-- tool:begin --><!-- tool:end -->", &tables),
        Err("there is no table `tool`".to_owned())
    );
    assert_eq!(
        renew("<!-- tools:begin -->", &tables),
        Err("table `tools` has no <!-- tools:end -->".to_owned())
    );
}

#[test]
fn a_cell_cannot_leave_its_column() {
    assert_eq!(
        table(&["a"], [vec!["x|y".to_owned()]].into_iter()),
        "| a |\n|---|\n| x\\|y |\n"
    );
}
