//! Which calls of one step run beside each other, and which follow each other.

use quarterdeck::tools::{contract::Concurrency, registry};
use serde_json::{Value, json};

use crate::support::host::Workbench;

fn concurrency(bench: &Workbench, tool: &str, arguments: &Value) -> Concurrency {
    let tool = registry::find(tool).expect(tool);
    let checked = tool.check(arguments).unwrap();
    tool.concurrency(&checked, &bench.context).unwrap()
}

#[test]
fn what_only_looks_and_what_is_held_by_itself_runs_beside_anything() {
    let bench = Workbench::new();
    for (tool, arguments) in [
        ("file_read", json!({"path": "a"})),
        ("file_find", json!({"pattern": "*"})),
        ("file_search", json!({"pattern": "x"})),
        ("shell_execute", json!({"command": "make"})),
        ("shell_inspect", json!({"argv": ["ls"]})),
        ("web_fetch", json!({"url": "https://example.org"})),
        ("agent_spawn", json!({"prompt": "look"})),
        ("checklist_read", json!({})),
        ("goal_get", json!({})),
        ("scratchpad_read", json!({"name": "a"})),
        ("scratchpad_list", json!({})),
    ] {
        let is = concurrency(&bench, tool, &arguments);
        assert_eq!(is, Concurrency::Parallel, "{tool}");
    }
}

/// The key of calls that follow each other; the same for all of them.
fn key(bench: &Workbench, calls: &[(&str, Value)]) -> String {
    let mut keys =
        calls.iter().map(
            |(tool, arguments)| match concurrency(bench, tool, arguments) {
                Concurrency::Keyed(key) => key,
                other => panic!("{tool} is {other:?}"),
            },
        );
    let first = keys.next().expect("a call");
    keys.for_each(|key| assert_eq!(key, first));
    first
}

#[test]
fn changes_of_the_same_thing_follow_each_other() {
    let bench = Workbench::new();
    let absolute = bench.path.join("a.md").display().to_string();

    let file = key(
        &bench,
        &[
            ("file_write", json!({"path": "a.md", "content": "x"})),
            (
                "file_edit",
                json!({"path": "./sub/../a.md", "old_string": "x", "new_string": "y"}),
            ),
            ("save_answer", json!({ "path": absolute })),
            (
                "scratchpad_save_file",
                json!({"name": "log", "path": "a.md"}),
            ),
            (
                "web_fetch",
                json!({"url": "https://example.org", "output": "a.md"}),
            ),
        ],
    );
    let other = key(
        &bench,
        &[("file_write", json!({"path": "b.md", "content": "x"}))],
    );
    let list = key(
        &bench,
        &[
            ("checklist_add", json!({"items": "x"})),
            ("checklist_edit", json!({"id": 1, "status": "completed"})),
            ("goal_update", json!({"items": []})),
        ],
    );
    let entry = key(
        &bench,
        &[
            ("scratchpad_write", json!({"name": "log", "content": "x"})),
            ("scratchpad_edit", json!({"name": " log ", "content": "x"})),
            ("scratchpad_delete", json!({"name": "log"})),
            (
                "scratchpad_load_file",
                json!({"path": "a.md", "name": "log"}),
            ),
        ],
    );

    let mut keys = vec![file, other, list, entry];
    keys.sort();
    keys.dedup();
    assert_eq!(keys.len(), 4, "{keys:?}");
}

#[test]
fn what_is_about_several_things_runs_alone() {
    let bench = Workbench::new();
    for (tool, arguments) in [
        (
            "scratchpad_merge",
            json!({"sources": ["a", "b"], "target": "c"}),
        ),
        ("scratchpad_rename", json!({"old": "a", "new": "b"})),
    ] {
        let is = concurrency(&bench, tool, &arguments);
        assert_eq!(is, Concurrency::Exclusive, "{tool}");
    }
}
