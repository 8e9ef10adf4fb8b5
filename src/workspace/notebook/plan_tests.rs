//! Cells are changed, and every byte around them stays.

use proptest::prelude::*;
use serde_json::{Value, json};

use super::*;
use crate::workspace::line_ends::Unified;

/// A notebook as Jupyter writes it.
const PLAIN: &str = r##"{
 "cells": [
  {
   "cell_type": "markdown",
   "id": "intro",
   "metadata": {},
   "source": [
    "# Title\n",
    "text"
   ]
  },
  {
   "cell_type": "code",
   "execution_count": 3,
   "id": "sum",
   "metadata": {"tags": ["keep"]},
   "outputs": [
    {
     "name": "stdout",
     "output_type": "stream",
     "text": ["2\n"]
    }
   ],
   "source": [
    "1 + 1"
   ]
  },
  {
   "cell_type": "code",
   "execution_count": null,
   "id": "last",
   "metadata": {},
   "outputs": [],
   "source": []
  }
 ],
 "metadata": {
  "kernelspec": {
   "language": "python"
  }
 },
 "nbformat": 4,
 "nbformat_minor": 5
}
"##;

fn made(text: &str, change: Change<'_>) -> (Plan, String) {
    let plan = plan(text, change, "seed").unwrap();
    let after = Unified::of(text).splice(text, &plan.splices);
    (plan, after)
}

fn replace<'a>(cell: &'a str, source: &'a str) -> Change<'a> {
    Change::Replace {
        cell,
        source,
        kind: None,
    }
}

/// The only part in which two texts differ.
fn difference<'a>(old: &'a str, new: &'a str) -> (&'a str, &'a str) {
    let lines = |text: &'a str| -> Vec<&'a str> { text.split_inclusive('\n').collect() };
    let (olds, news) = (lines(old), lines(new));
    let same = |(one, other): &(&&str, &&str)| one == other;
    let head = olds.iter().zip(&news).take_while(same).count();
    let rest = olds.len().min(news.len()) - head;
    let tail = olds
        .iter()
        .rev()
        .zip(news.iter().rev())
        .take(rest)
        .take_while(same)
        .count();
    let cut = |text: &'a str, lines: &[&str]| {
        let length = |lines: &[&str]| lines.iter().map(|line| line.len()).sum::<usize>();
        &text[length(&lines[..head])..text.len() - length(&lines[lines.len() - tail..])]
    };
    (cut(old, &olds), cut(new, &news))
}

#[test]
fn a_code_cell_gets_its_source_and_loses_what_it_printed() {
    let (plan, after) = made(PLAIN, replace("sum", "x = 1\nx + 2"));

    let (old, new) = difference(PLAIN, &after);
    assert!(old.starts_with("   \"execution_count\": 3,\n"), "{old}");
    assert_eq!(
        new,
        "   \"execution_count\": null,\n   \"id\": \"sum\",\n   \"metadata\": {\"tags\": [\"keep\"]},\n   \
         \"outputs\": [],\n   \"source\": [\n    \"x = 1\\n\",\n    \"x + 2\"\n"
    );
    assert_eq!(plan.cell, "cell-1 (id sum, code)");
    assert_eq!(
        (plan.old.as_str(), plan.new.as_str()),
        ("1 + 1", "x = 1\nx + 2")
    );
    assert!(plan.clears_outputs);
}

#[test]
fn a_text_cell_gets_its_source_and_nothing_else() {
    let (plan, after) = made(PLAIN, replace("cell-0", "# Title\nother\n"));

    assert_eq!(
        difference(PLAIN, &after),
        ("    \"text\"\n", "    \"other\\n\"\n")
    );
    assert!(!plan.clears_outputs);
}

#[test]
fn the_source_that_is_there_already_changes_nothing() {
    let (plan, _) = made(PLAIN, replace("sum", "1 + 1"));

    assert_eq!(plan.splices, []);
}

#[test]
fn an_empty_source_is_filled_as_others_are() {
    let (_, after) = made(PLAIN, replace("last", "a\nb"));

    assert_eq!(
        difference(PLAIN, &after),
        (
            "   \"source\": []\n",
            "   \"source\": [\n    \"a\\n\",\n    \"b\"\n   ]\n"
        )
    );
}

#[test]
fn a_new_cell_looks_like_its_neighbours_and_has_an_id_of_its_own() {
    for (after, kind) in [
        (None, Kind::Markdown),
        (Some("sum"), Kind::Code),
        (Some("last"), Kind::Raw),
    ] {
        let change = Change::Insert {
            after,
            source: "new",
            kind,
        };
        let (plan, text) = made(PLAIN, change);

        let (old, new) = difference(PLAIN, &text);
        let read: Value = serde_json::from_str(&text).unwrap();
        let ids: Vec<&str> = (0..4)
            .map(|cell| read["cells"][cell]["id"].as_str().unwrap())
            .collect();
        let index = ["intro", "sum", "last"]
            .iter()
            .position(|id| Some(*id) == after)
            .map_or(0, |at| at + 1);
        let cell = &read["cells"][index];
        let mut own =
            json!({"cell_type": kind.name(), "id": ids[index], "metadata": {}, "source": ["new"]});
        if kind == Kind::Code {
            own["execution_count"] = Value::Null;
            own["outputs"] = json!([]);
        }
        assert_eq!(*cell, own);
        assert_eq!(ids.iter().filter(|id| **id == ids[index]).count(), 1);
        assert!(
            plan.cell
                .starts_with(&format!("cell-{index} (id {}", ids[index])),
            "{}",
            plan.cell
        );
        assert_eq!(plan.cells, 4);
        // The last line of a list has no comma: there one line of the neighbour gets it.
        assert!(old.lines().count() <= 1, "{old}");
        assert!(
            new.contains("\n   \"source\": [\n    \"new\"\n   ]\n"),
            "{new}"
        );
        let names: Vec<&String> = cell.as_object().unwrap().keys().collect();
        assert!(names.is_sorted(), "{names:?}");
    }
}

#[test]
fn the_same_change_gives_the_same_id_and_another_file_another() {
    let change = Change::Insert {
        after: None,
        source: "new",
        kind: Kind::Code,
    };

    let once = plan(PLAIN, change, "one").unwrap();

    assert_eq!(once, plan(PLAIN, change, "one").unwrap());
    assert_ne!(once, plan(PLAIN, change, "other").unwrap());
}

#[test]
fn a_cell_goes_with_its_comma() {
    for (cell, left) in [
        ("intro", ["sum", "last"]),
        ("sum", ["intro", "last"]),
        ("last", ["intro", "sum"]),
    ] {
        let (plan, after) = made(PLAIN, Change::Delete { cell });

        let read: Value = serde_json::from_str(&after).unwrap();
        let cells: Vec<&str> = (0..2)
            .map(|cell| read["cells"][cell]["id"].as_str().unwrap())
            .collect();
        assert_eq!(cells, left);
        let (_, new) = difference(PLAIN, &after);
        assert!(new.lines().count() <= 1, "{new}");
        assert_eq!(plan.cells, 2);
    }
}

#[test]
fn a_cell_of_another_kind_gets_what_belongs_to_it() {
    let turn = |cell, kind| Change::Replace {
        cell,
        source: "s",
        kind: Some(kind),
    };

    let (plan, text) = made(PLAIN, turn("sum", Kind::Markdown));
    let (_, back) = made(&text, turn("sum", Kind::Code));

    let cell = |text: &str| serde_json::from_str::<Value>(text).unwrap()["cells"][1].clone();
    assert_eq!(
        cell(&text),
        json!({"cell_type": "markdown", "id": "sum", "metadata": {"tags": ["keep"]}, "source": ["s"]})
    );
    assert_eq!(
        cell(&back),
        json!({"cell_type": "code", "execution_count": null, "id": "sum", "metadata": {"tags": ["keep"]},
               "outputs": [], "source": ["s"]})
    );
    assert_eq!(plan.cell, "cell-1 (id sum, code), now markdown");
    assert!(plan.clears_outputs);
}

#[test]
fn a_notebook_of_one_line_and_one_without_cells_stay_as_they_are_written() {
    let line = r#"{"cells":[{"cell_type":"raw","metadata":{},"source":"a"}],"nbformat":4,"nbformat_minor":4}"#;
    let empty = "{\n\t\"cells\": [],\n\t\"nbformat\": 4,\n\t\"nbformat_minor\": 4\n}";
    let insert = |after| Change::Insert {
        after,
        source: "b\nc",
        kind: Kind::Raw,
    };

    let (_, line) = made(line, insert(Some("0")));
    let (_, filled) = made(empty, insert(None));
    let (_, emptied) = made(&filled, Change::Delete { cell: "cell-0" });

    assert_eq!(
        line,
        r#"{"cells":[{"cell_type":"raw","metadata":{},"source":"a"},{"cell_type":"raw","metadata":{},"source":"b\nc"}],"nbformat":4,"nbformat_minor":4}"#
    );
    assert_eq!(
        filled,
        "{\n\t\"cells\": [\n\t\t{\n\t\t\t\"cell_type\": \"raw\",\n\t\t\t\"metadata\": {},\n\t\t\t\"source\": [\n\
         \t\t\t\t\"b\\n\",\n\t\t\t\t\"c\"\n\t\t\t]\n\t\t}\n\t],\n\t\"nbformat\": 4,\n\t\"nbformat_minor\": 4\n}"
    );
    assert_eq!(emptied, empty);
}

#[test]
fn what_is_no_notebook_and_a_cell_that_is_not_there_are_told_apart() {
    let refused = |text: &str, cell: &str| plan(text, Change::Delete { cell }, "seed").unwrap_err();
    let twice = PLAIN.replace("\"last\"", "\"sum\"");
    let table = [
        (refused("[1]", "a"), "it is not a notebook: "),
        (
            refused("{\"nbformat\": 3}", "a"),
            "it is not a notebook: `nbformat_minor` is not a number",
        ),
        (
            refused("{\"nbformat\": 3, \"nbformat_minor\": 0}", "a"),
            "it has the old format 3.0; `jupyter",
        ),
        (
            refused("{\"nbformat\": 4, \"nbformat_minor\": 0}", "a"),
            "it is not a notebook: it has no `cells`",
        ),
        (
            refused(PLAIN, "cell-3"),
            "there is no cell cell-3; the cells are: cell-0 (id intro, markdown), cell-1 (id sum, code), cell-2",
        ),
        (
            refused(&twice, "sum"),
            "both cell-1 and cell-2 have the id sum; name one by its place",
        ),
    ];
    for (refusal, expected) in table {
        assert!(refusal.starts_with(expected), "{refusal}");
    }
    let forged = plan(PLAIN, replace("sum", "\u{10F8FF}"), "seed");
    assert!(forged.unwrap_err().contains("U+10F8FF"));
}

#[test]
fn an_id_that_looks_like_the_place_of_another_cell_is_not_guessed_at() {
    let text = PLAIN.replace("\"intro\"", "\"cell-1\"");
    let named = |text: &str, cell: &str| {
        let plan = plan(text, Change::Delete { cell }, "seed");
        plan.map(|plan| plan.cell)
    };

    assert_eq!(
        named(&text, "cell-1"),
        Err(
            "cell-1 is the id of one cell and the place of another; name the one cell-0, the other 1"
                .to_owned()
        )
    );
    assert_eq!(
        named(&text, "cell-0").as_deref(),
        Ok("cell-0 (id cell-1, markdown)")
    );
    assert_eq!(named(&text, "1").as_deref(), Ok("cell-1 (id sum, code)"));
    let bare = text.replace("\"cell-1\"", "\"2\"");
    assert!(named(&bare, "2").is_err_and(|why| why.ends_with("the other cell-2")));
    let own = PLAIN.replace("\"sum\"", "\"cell-1\"");
    assert_eq!(
        named(&own, "cell-1").as_deref(),
        Ok("cell-1 (id cell-1, code)")
    );
}

/// How a text of JSON is laid out: indented by something, or on one line with or without blanks.
fn laid_out(value: &Value, indent: &str, depth: usize) -> String {
    let (open, between, close) = match indent {
        "" => (String::new(), ",".to_owned(), String::new()),
        "one line" => (String::new(), ", ".to_owned(), String::new()),
        indent => {
            let line = |depth| format!("\n{}", indent.repeat(depth));
            (
                line(depth + 1),
                format!(",{}", line(depth + 1)),
                line(depth),
            )
        }
    };
    let colon = if indent.is_empty() { ":" } else { ": " };
    let (entries, brackets): (Vec<String>, _) = match value {
        Value::Object(fields) => (
            fields
                .iter()
                .map(|(name, value)| {
                    format!(
                        "{}{colon}{}",
                        Value::from(name.as_str()),
                        laid_out(value, indent, depth + 1)
                    )
                })
                .collect(),
            ('{', '}'),
        ),
        Value::Array(list) => (
            list.iter()
                .map(|value| laid_out(value, indent, depth + 1))
                .collect(),
            ('[', ']'),
        ),
        other => return other.to_string(),
    };
    if entries.is_empty() {
        return format!("{}{}", brackets.0, brackets.1);
    }
    format!(
        "{}{open}{}{close}{}",
        brackets.0,
        entries.join(&between),
        brackets.1
    )
}

fn source() -> impl Strategy<Value = String> {
    proptest::string::string_regex("[a-z\"\\\\\n\té😀 ]{0,20}").unwrap()
}

fn a_cell() -> impl Strategy<Value = Value> {
    (any::<u8>(), source(), any::<bool>(), any::<bool>()).prop_map(|(kind, source, is_list, has_run)| {
        let source = if is_list {
            json!(source.split_inclusive('\n').collect::<Vec<_>>())
        } else {
            json!(source)
        };
        match kind % 3 {
            0 => json!({"cell_type": "markdown", "metadata": {"a": [1, {}]}, "source": source}),
            1 => json!({"source": source, "metadata": {}, "cell_type": "raw", "own": 1.50}),
            _ => {
                let outputs = if has_run { json!([{"text": ["x\n"], "output_type": "stream"}]) } else { json!([]) };
                json!({"cell_type": "code", "execution_count": has_run.then_some(7), "metadata": {},
                       "outputs": outputs, "source": source})
            }
        }
    })
}

proptest! {
    #[test]
    fn bytes_outside_the_cell_never_change(
        cells in prop::collection::vec(a_cell(), 0..5),
        indent in prop::sample::select(vec!["", "one line", " ", "  ", "    ", "\t"]),
        ends in prop::sample::select(vec!["\n", "\r\n"]),
        around in prop::sample::select(vec![("", ""), ("", "\n"), ("\n", "\n\n")]),
        minor in 4..=5_u8,
        at in any::<prop::sample::Index>(),
        new in source(),
        deed in 0..3_u8,
    ) {
        let mut notebook = json!({
            "cells": cells,
            "metadata": {"language_info": {"file_extension": ".py"}, "n": 1.0},
            "nbformat": 4,
            "nbformat_minor": minor,
        });
        if minor == 5 {
            for (index, cell) in notebook["cells"].as_array_mut().unwrap().iter_mut().enumerate() {
                cell["id"] = json!(format!("id-{index}"));
            }
        }
        let text = format!("{}{}{}", around.0, laid_out(&notebook, indent, 0), around.1);
        let text = text.replace('\n', ends);
        let index = if cells.is_empty() { 0 } else { at.index(cells.len()) };
        let cell = format!("cell-{index}");
        let change = match deed {
            _ if cells.is_empty() => Change::Insert { after: None, source: &new, kind: Kind::Code },
            0 => replace(&cell, &new),
            1 => Change::Insert { after: Some(&cell), source: &new, kind: Kind::Code },
            _ => Change::Delete { cell: &cell },
        };

        let unified = Unified::of(&text);
        let plan = plan(&unified.text, change, "seed").unwrap();
        let after = unified.splice(&text, &plan.splices);

        // What Python's writer would make of the changed notebook, laid out as it was.
        let mut expected = notebook.clone();
        let list = expected["cells"].as_array_mut().unwrap();
        let read: Value = serde_json::from_str(&after).unwrap();
        match change {
            Change::Replace { .. } => {
                list[index]["source"] = read["cells"][index]["source"].clone();
                if list[index]["cell_type"] == "code" && plan.old != new {
                    list[index]["outputs"] = json!([]);
                    list[index]["execution_count"] = Value::Null;
                }
            }
            Change::Insert { .. } => {
                let index = if cells.is_empty() { 0 } else { index + 1 };
                list.insert(index, read["cells"][index].clone());
            }
            Change::Delete { .. } => drop(list.remove(index)),
        }
        let expected = format!("{}{}{}", around.0, laid_out(&expected, indent, 0), around.1);
        prop_assert_eq!(&after, &expected.replace('\n', ends));
        if !matches!(change, Change::Delete { .. }) {
            let index = match change { Change::Insert { after: Some(_), .. } => index + 1, _ => index };
            let written = match &read["cells"][index]["source"] {
                Value::Array(lines) => lines.iter().map(|line| line.as_str().unwrap()).collect(),
                text => text.as_str().unwrap().to_owned(),
            };
            prop_assert_eq!(written, new);
        }
    }
}
