//! Notebooks: what an edit of a cell must leave alone. Each test carries the number of its case.

use quarterdeck::{domain::display::Display, tools::registry};
use serde_json::{Value, json};

use crate::support::host::Workbench;

/// A notebook as a course hands it out: ids, own metadata, outputs, a byte order mark of some editor and no newline at
/// its end.
const GRADED: &str = "\u{feff}{\n \"cells\": [\n  {\n   \"cell_type\": \"markdown\",\n   \"id\": \"task\",\n   \
    \"metadata\": {\n    \"nbgrader\": {\"locked\": true, \"points\": 2.50}\n   },\n   \"source\": [\n    \"# Task\\n\",\n    \
    \"Fill in.\"\n   ]\n  },\n  {\n   \"cell_type\": \"code\",\n   \"execution_count\": 7,\n   \"id\": \"answer\",\n   \
    \"metadata\": {\n    \"nbgrader\": {\"grade\": true, \"grade_id\": \"a1\"}\n   },\n   \"outputs\": [\n    {\n     \
    \"name\": \"stdout\",\n     \"output_type\": \"stream\",\n     \"text\": [\n      \"3\\n\"\n     ]\n    }\n   ],\n   \
    \"source\": [\n    \"def f():\\n\",\n    \"    return 3\"\n   ]\n  },\n  {\n   \"cell_type\": \"code\",\n   \
    \"execution_count\": 8,\n   \"id\": \"check\",\n   \"metadata\": {},\n   \"outputs\": [\n    {\n     \"data\": \
    {\"text/plain\": [\"\\u001b[0mTrue\"]},\n     \"execution_count\": 8,\n     \"metadata\": {},\n     \
    \"output_type\": \"execute_result\"\n    }\n   ],\n   \"source\": \"f() == 3\"\n  }\n ],\n \"metadata\": {\n  \
    \"kernelspec\": {\"name\": \"python3\", \"language\": \"python\"},\n  \"course\": {\"b\": 1, \"a\": 2}\n },\n \
    \"nbformat\": 4,\n \"nbformat_minor\": 5\n}";

async fn bench() -> Workbench {
    let bench = Workbench::new();
    bench.put("n.ipynb", GRADED);
    bench.text("file_read", json!({"path": "n.ipynb"})).await;
    bench
}

fn text(bench: &Workbench) -> String {
    String::from_utf8(bench.bytes("n.ipynb")).unwrap()
}

fn cells(text: &str) -> Vec<Value> {
    let notebook: Value = serde_json::from_str(text.trim_start_matches('\u{feff}')).unwrap();
    notebook["cells"].as_array().unwrap().clone()
}

#[tokio::test]
async fn b163_only_the_cell_that_is_meant_changes() {
    let bench = bench().await;

    let edit =
        json!({"path": "n.ipynb", "cell_id": "answer", "new_source": "def f():\n    return 4"});
    let answer = bench.text("notebook_edit", edit).await;

    let expected = GRADED
        .replace("\"execution_count\": 7", "\"execution_count\": null")
        .replace("    return 3", "    return 4")
        .replace(
            "\"outputs\": [\n    {\n     \"name\": \"stdout\",\n     \"output_type\": \"stream\",\n     \"text\": [\n      \
             \"3\\n\"\n     ]\n    }\n   ]",
            "\"outputs\": []",
        );
    assert_eq!(text(&bench), expected);
    assert!(
        answer.starts_with(
            "n.ipynb: replaced cell-1 (id answer, code) · +1 −1 · 3 cells now · outputs cleared\n"
        ),
        "{answer}"
    );
}

#[tokio::test]
async fn b163_a_new_markdown_cell_has_an_id_of_its_own_and_no_outputs() {
    let bench = bench().await;

    let insert = json!({"path": "n.ipynb", "edit_mode": "insert", "cell_id": "task", "new_source": "*Hint*",
                        "cell_type": "markdown"});
    bench.text("notebook_edit", insert).await;

    let after = text(&bench);
    let (old, new) = (cells(GRADED), cells(&after));
    let id = new[1]["id"].as_str().unwrap();
    assert!(old.iter().all(|cell| cell["id"] != id));
    assert_eq!(
        new[1],
        json!({"cell_type": "markdown", "id": id, "metadata": {}, "source": ["*Hint*"]})
    );
    let added = format!(
        ",\n  {{\n   \"cell_type\": \"markdown\",\n   \"id\": \"{id}\",\n   \"metadata\": {{}},\n   \"source\": [\n    \
         \"*Hint*\"\n   ]\n  }}"
    );
    assert_eq!(after.replacen(&added, "", 1), GRADED);
}

#[tokio::test]
async fn b163_a_deleted_cell_takes_nothing_with_it() {
    let bench = bench().await;

    let delete = json!({"path": "n.ipynb", "edit_mode": "delete", "cell_id": "cell-2"});
    let answer = bench.text("notebook_edit", delete).await;

    let (start, end) = (
        GRADED.find(",\n  {\n   \"cell_type\": \"code\",\n   \"execution_count\": 8"),
        GRADED.find("\n ],\n \"metadata\""),
    );
    let expected = format!("{}{}", &GRADED[..start.unwrap()], &GRADED[end.unwrap()..]);
    assert_eq!(text(&bench), expected);
    assert!(
        answer.starts_with("n.ipynb: deleted cell-2 (id check, code) · +0 −1 · 2 cells now\n"),
        "{answer}"
    );
}

#[tokio::test]
async fn a_notebook_is_changed_only_as_it_was_read() {
    let bench = bench().await;
    let edit = json!({"notebook_path": "n.ipynb", "cell_id": "task", "new_source": "other"});
    let shown = bench
        .preview("notebook_edit", edit.clone())
        .await
        .unwrap()
        .unwrap();
    bench.put("n.ipynb", GRADED.replace("Fill in.", "Fill it in."));
    bench.put("unread.ipynb", GRADED);
    bench.put("n.json", GRADED);

    let changed = bench.text("notebook_edit", edit).await;
    let unread = json!({"path": "unread.ipynb", "edit_mode": "delete", "cell_id": "task"});
    let unread = bench.text("notebook_edit", unread).await;
    let other = json!({"path": "n.json", "edit_mode": "delete", "cell_id": "task"});
    let other = bench.text("notebook_edit", other).await;
    let missing = json!({"path": "m.ipynb", "edit_mode": "delete", "cell_id": "task"});
    let missing = bench.text("notebook_edit", missing).await;

    let Display::Diff(diff) = shown.display else {
        panic!("not a change: {:?}", shown.display);
    };
    // Another path than the call names would be told as where a link leads.
    assert_eq!(diff.path, "n.ipynb");
    assert_eq!(
        (diff.old.as_str(), diff.new.as_str()),
        ("# Task\nFill in.", "other")
    );
    assert!(
        changed.starts_with("refused: n.ipynb has changed since it was read"),
        "{changed}"
    );
    assert!(
        unread.starts_with("refused: unread.ipynb exists but was never read"),
        "{unread}"
    );
    assert!(
        other.starts_with("refused: notebook_edit: n.json does not end in .ipynb"),
        "{other}"
    );
    assert!(
        missing.starts_with("refused: m.ipynb does not exist"),
        "{missing}"
    );
    assert_eq!(text(&bench), GRADED.replace("Fill in.", "Fill it in."));
}

#[tokio::test]
async fn what_does_not_make_an_edit_is_refused_and_the_same_source_is_not_written() {
    let bench = bench().await;
    let table = [
        (
            json!({"new_source": "x"}),
            "refused: notebook_edit: replace needs `cell_id`",
        ),
        (
            json!({"cell_id": "task"}),
            "refused: notebook_edit: replace needs `new_source`",
        ),
        (
            json!({"edit_mode": "insert"}),
            "refused: notebook_edit: insert needs `new_source`",
        ),
        (
            json!({"edit_mode": "delete"}),
            "refused: notebook_edit: delete needs `cell_id`",
        ),
        (
            json!({"cell_id": "nowhere", "new_source": ""}),
            "refused: n.ipynb: there is no cell nowhere; the cells are: cell-0 (id task, markdown), cell-1 (id answer, \
             code), cell-2 (id check, code). Nothing was changed",
        ),
        (
            json!({"cell_id": "check", "new_source": "f() == 3"}),
            "n.ipynb: cell-2 (id check, code) has this source already; nothing was written",
        ),
    ];
    for (mut arguments, expected) in table {
        arguments["path"] = json!("n.ipynb");

        assert_eq!(bench.text("notebook_edit", arguments).await, expected);
    }
    assert_eq!(text(&bench), GRADED);
    assert!(registry::find("notebook.edit").is_some());
}
