//! Reading, writing and changing files.

use std::{fs, os::unix::fs::PermissionsExt};

use quarterdeck::{
    domain::{
        access::Access,
        display::{Display, FileDiff},
    },
    tools::{contract::Concurrency, registry},
};
use serde_json::json;

use crate::support::host::Workbench;

fn numbered(lines: usize) -> String {
    (1..=lines).map(|line| format!("line {line}\n")).collect()
}

#[tokio::test]
async fn a_read_ends_with_its_range_and_the_next_line() {
    let bench = Workbench::new();
    bench.put("long.txt", numbered(2500));
    bench.put("short.txt", "one\ntwo");

    let long = bench
        .call("file_read", json!({"path": "long.txt"}))
        .await
        .unwrap();
    assert!(long.text.starts_with("line 1\nline 2\n"));
    assert!(
        long.text
            .ends_with("line 2000\n[lines 1–2000 of 2500; next: start=2001]")
    );
    assert_eq!(long.outcome, "lines 1–2000");

    let rest = bench
        .text("read_file", json!({"path": "long.txt", "start": 2499}))
        .await;
    assert_eq!(rest, "line 2499\nline 2500\n[lines 2499–2500 of 2500]");

    let short = bench
        .call("read", json!({"file_path": "short.txt"}))
        .await
        .unwrap();
    assert_eq!(
        short.text,
        "one\ntwo\n[lines 1–2 of 2; no newline at the end of the file]"
    );
    assert_eq!(
        short.display,
        Display::Code {
            path: "short.txt".to_owned(),
            first_line: 1,
            text: "one\ntwo".to_owned()
        }
    );
}

#[tokio::test]
async fn a_window_can_be_named_in_three_ways() {
    let bench = Workbench::new();
    bench.put("f", numbered(10));

    for arguments in [
        json!({"path": "f", "start": 4, "end": 5}),
        json!({"path": "f", "offset": 3, "limit": 2}),
        json!({"path": "f", "start": 4.0, "limit": 2, "end": 0}),
    ] {
        assert_eq!(
            bench.text("file_read", arguments.clone()).await,
            "line 4\nline 5\n[lines 4–5 of 10; next: start=6]",
            "{arguments}"
        );
    }
    assert_eq!(
        bench
            .text("file_read", json!({"path": "f", "start": 3, "offset": 2}))
            .await,
        "refused: file_read: send `start` (the first line) or `offset` (lines to skip), not both"
    );
    assert_eq!(
        bench
            .text("file_read", json!({"path": "f", "start": 5, "end": 4}))
            .await,
        "refused: file_read: `end` 4 is before `start` 5"
    );
    assert_eq!(
        bench
            .text("file_read", json!({"path": "f", "start": 11}))
            .await,
        "refused: file_read: f has 10 lines; line 11 is past the end"
    );
}

#[tokio::test]
async fn numbers_and_a_pattern_can_be_asked_for() {
    let bench = Workbench::new();
    bench.put("f", "fn a\n\tlet b\nfn c\n");

    assert_eq!(
        bench
            .text(
                "file_read",
                json!({"path": "f", "numbered": true, "end": 2})
            )
            .await,
        "1\tfn a\n2\t\tlet b\n[lines 1–2 of 3; next: start=3]"
    );
    assert_eq!(
        bench
            .text("file_read", json!({"path": "f", "regex": "^fn"}))
            .await,
        "1\tfn a\n3\tfn c\n[2 lines match; lines 1–3 of 3]"
    );
    assert!(
        bench
            .text("file_read", json!({"path": "f", "regex": "f("}))
            .await
            .starts_with("refused: file_read: `regex` is not a usable pattern: unclosed group")
    );
}

#[tokio::test]
async fn an_answer_stays_in_the_conversation_and_never_cuts_a_line() {
    let bench = Workbench::new();
    bench.put("wide", format!("{}\n", "x".repeat(999)).repeat(100));

    let text = bench
        .text("file_read", json!({"path": "wide", "end": 100}))
        .await;

    assert!(text.len() <= 30_000, "{}", text.len());
    assert!(
        text.ends_with("x\n[lines 1–29 of 100; next: start=30]"),
        "{}",
        &text[text.len() - 60..]
    );
}

#[tokio::test]
async fn a_folder_lists_its_entries() {
    let bench = Workbench::new();
    bench.put("src/main.rs", "x");
    bench.put("README.md", "four");
    bench.put(".env", "K=canary");

    let output = bench.call("file_read", json!({"path": "."})).await.unwrap();

    assert_eq!(
        output.text,
        "src/\n.env  (looks like a secret: not readable)\nREADME.md  4 B\n[3 entries]"
    );
    assert_eq!(
        bench
            .text("file_read", json!({"path": ".", "limit": 1}))
            .await,
        "src/\n[entries 1–1 of 3; next: start=2]"
    );
    assert_eq!(
        bench
            .text("file_read", json!({"path": ".", "start": 5000}))
            .await,
        "refused: file_read: . has only 3 entries; entry 5000 is past the end"
    );
}

#[tokio::test]
async fn a_stored_output_is_read_by_its_address() {
    let bench = Workbench::new();
    let id = "a".repeat(64);
    let path = bench.put("store/blob", "one\ntwo\n");
    let error = bench.put("store/error", "three\n");
    let stored = [(id.clone(), path), (format!("{id}/stderr"), error)];
    bench.host.state().artifacts.extend(stored);

    assert_eq!(
        bench
            .text(
                "file_read",
                json!({"path": format!("artifact://{id}"), "offset": 1})
            )
            .await,
        "two\n[lines 2–2 of 2]"
    );
    let stream = json!({"path": format!("artifact://{id}/stderr")});
    assert_eq!(
        bench.text("file_read", stream).await,
        "three\n[lines 1–1 of 1]"
    );
    for address in [
        "artifact://abc",
        "artifact://../../etc/passwd",
        &format!("artifact://{id}/../x"),
    ] {
        let text = bench.text("file_read", json!({"path": address})).await;
        assert!(
            text.starts_with("refused: file_read: an artifact address is"),
            "{text}"
        );
    }
    let unknown = "b".repeat(64);
    assert_eq!(
        bench
            .text(
                "file_read",
                json!({"path": format!("artifact://{unknown}")})
            )
            .await,
        format!("refused: there is no stored output {unknown}")
    );
}

#[tokio::test]
async fn what_is_missing_or_no_text_is_said_in_words() {
    let bench = Workbench::new();
    bench.put("settings.toml", "");
    bench.put("logo", b"\x89PNG\r\n\x1a\n\0\0");

    assert_eq!(
        bench
            .text("file_read", json!({"path": "setting.toml"}))
            .await,
        "refused: setting.toml does not exist; in the same folder: settings.toml. Create it with file_write"
    );
    assert_eq!(
        bench.text("file_read", json!({"path": "logo"})).await,
        "refused: logo is a PNG image (10 bytes) and cannot be shown: the model test is not known to take images \
         (`vision = true` in its profile says that it does). Ask the person what is in it, or look into it with \
         shell_execute"
    );
    assert_eq!(
        bench.text("file_read", json!({})).await,
        "refused: file_read: `path` is missing; it must be text"
    );
}

#[tokio::test]
async fn a_new_file_is_written_without_having_been_read() {
    let bench = Workbench::new();

    let output = bench
        .call(
            "file_write",
            json!({"path": "a/b.txt", "content": "one\ntwo\n"}),
        )
        .await
        .unwrap();

    assert_eq!(bench.bytes("a/b.txt"), b"one\ntwo\n");
    assert_eq!(output.text, "created a/b.txt (2 lines)");
    assert_eq!(output.outcome, "new, +2");
    assert_eq!(
        output.display,
        Display::Diff(FileDiff {
            path: "a/b.txt".to_owned(),
            old: String::new(),
            new: "one\ntwo\n".to_owned(),
            first_line: 1,
            created: true
        })
    );
    // What an agent wrote it may change again.
    let again = bench
        .text(
            "file_write",
            json!({"path": "a/b.txt", "content": "one\n2\n"}),
        )
        .await;
    assert!(again.starts_with("wrote a/b.txt: +1 −1\n"), "{again}");
}

#[tokio::test]
async fn an_existing_file_is_replaced_only_when_it_was_read() {
    let bench = Workbench::new();
    bench.put("f", "old\n");
    bench.put("empty", "");
    let write = |content: &str| json!({"path": "f", "content": content});

    assert_eq!(
        bench.text("file_write", write("new\n")).await,
        "refused: f exists but was never read: call file_read on it first, then change it"
    );
    bench.text("file_read", json!({"path": "f"})).await;
    assert_eq!(
        bench.text("file_write", write("old\n")).await,
        "f has this content already; nothing was written"
    );
    assert!(
        bench
            .text("file_write", write("new\n"))
            .await
            .starts_with("wrote f: +1 −1")
    );
    assert_eq!(
        bench
            .text("file_write", json!({"path": "empty", "content": ""}))
            .await,
        "empty has this content already; nothing was written"
    );
    assert_eq!(
        bench
            .text("file_write", json!({"path": "new/", "content": "x"}))
            .await,
        "refused: file_write: `path` ends with / and so names a folder; name a file (missing folders are made with it)"
    );
}

#[tokio::test]
async fn an_edit_says_what_it_did_with_real_line_numbers() {
    let bench = Workbench::new();
    bench.put(
        "m.go",
        "package main\n\nfunc main() {\n\tcount := 1\n\tprint(count)\n}\n",
    );
    bench.text("file_read", json!({"path": "m.go"})).await;

    let output = bench
        .call(
            "edit_file",
            json!({"filePath": "m.go", "oldString": "    count := 1", "newString": "    count := 2"}),
        )
        .await
        .unwrap();

    assert_eq!(
        output.text,
        "m.go: 1 edit · +1 −1 · first change at line 4 · 1 matched ignoring whitespace\n\
         1 1  package main\n\
         2 2  \n\
         3 3  func main() {\n\
         4   -\tcount := 1\n\
         \x20 4 +\tcount := 2\n\
         5 5  \tprint(count)\n\
         6 6  }"
    );
    assert_eq!(output.outcome, "+1 −1");
    assert_eq!(
        bench.bytes("m.go"),
        b"package main\n\nfunc main() {\n\tcount := 2\n\tprint(count)\n}\n"
    );
}

#[tokio::test]
async fn several_edits_are_made_together_or_not_at_all() {
    let bench = Workbench::new();
    bench.put("f", "a\nb\nc\n");
    bench.text("file_read", json!({"path": "f"})).await;
    let edits = |parts: serde_json::Value| json!({"path": "f", "edits": parts});

    let refused = bench
        .text(
            "file_edit",
            edits(json!([{"old": "a", "new": "A"}, {"old": "zzz", "new": ""}])),
        )
        .await;
    assert!(
        refused.starts_with("refused: f: edit #2: old text not found"),
        "{refused}"
    );
    assert_eq!(bench.bytes("f"), b"a\nb\nc\n");

    let done = bench
        .text(
            "file_edit",
            edits(json!([{"old_string": "a", "new_string": "b"}, {"old": "b", "new": "c\nd"}])),
        )
        .await;
    assert!(
        done.starts_with("f: 2 edits · +2 −1 · first change at line 1"),
        "{done}"
    );
    assert_eq!(bench.bytes("f"), b"b\nc\nd\nc\n");
}

#[tokio::test]
async fn lines_are_inserted_and_all_occurrences_replaced_when_asked() {
    let bench = Workbench::new();
    bench.put("f", "use a;\nfoo();\nfoo();\n");
    bench.text("file_read", json!({"path": "f"})).await;

    bench
        .call("file_edit", json!({"path": "f", "old_string": "use a;", "insert_after": "use b;", "new_string": ""}))
        .await
        .unwrap();
    bench
        .call(
            "file_edit",
            json!({"path": "f", "old_string": "foo", "new_string": "bar", "replace_all": true}),
        )
        .await
        .unwrap();

    assert_eq!(bench.bytes("f"), b"use a;\nuse b;\nbar();\nbar();\n");
}

#[tokio::test]
async fn a_dry_run_and_a_preview_write_nothing() {
    let bench = Workbench::new();
    bench.put("f", "one\n");
    bench.text("file_read", json!({"path": "f"})).await;
    let edit = json!({"path": "f", "old_string": "one", "new_string": "two"});
    let mut dry = edit.clone();
    dry["dry_run"] = json!(true);

    let output = bench.call("file_edit", dry).await.unwrap();
    let preview = bench
        .preview("file_edit", edit.clone())
        .await
        .unwrap()
        .unwrap();
    bench.put("f", "one\nmore\n");
    let later = bench.preview("file_edit", edit).await;

    assert!(
        output
            .text
            .starts_with("would change, nothing written: f: 1 edit · +1 −1"),
        "{}",
        output.text
    );
    assert_eq!(preview.display, output.display);
    assert_eq!(bench.bytes("f"), b"one\nmore\n");
    assert_eq!(
        later.unwrap_err().to_string(),
        "f has changed since it was read: call file_read on it again, then change what is there now"
    );
}

#[tokio::test]
async fn a_preview_is_bound_to_what_it_was_made_from() {
    let bench = Workbench::new();
    bench.put("f", "one\n");
    let edit = json!({"path": "f", "old_string": "one", "new_string": "two"});
    let write = json!({"path": "new", "content": "x"});

    bench.text("file_read", json!({"path": "f"})).await;
    let first = bench
        .preview("file_edit", edit.clone())
        .await
        .unwrap()
        .unwrap();
    let same = bench
        .preview("file_edit", edit.clone())
        .await
        .unwrap()
        .unwrap();
    bench.put("f", "one\nmore\n");
    bench.text("file_read", json!({"path": "f"})).await;
    let other = bench.preview("file_edit", edit).await.unwrap().unwrap();

    assert_eq!(first, same);
    assert_ne!(first.basis, other.basis);
    assert_eq!(
        bench
            .preview("file_write", write)
            .await
            .unwrap()
            .unwrap()
            .basis,
        format!("absent {}", bench.path.join("new").display())
    );
}

#[tokio::test]
async fn arguments_that_do_not_go_together_are_refused_before_anything_is_read() {
    let bench = Workbench::new();

    for (arguments, says) in [
        (
            json!({"path": "f", "old_string": "a"}),
            "send what to do at `old_string`",
        ),
        (
            json!({"path": "f", "old_string": "a", "new_string": "b", "insert_after": "c"}),
            "send exactly one of",
        ),
        (
            json!({"path": "f", "old_string": "a", "insert_after": "c", "replace_all": true}),
            "send exactly one of",
        ),
        (
            json!({"path": "f", "old_string": "a", "edits": [{"old": "a", "new": "b"}]}),
            "send either `edits`, or `old_string`",
        ),
        (
            json!({"path": "f", "insert_after": "c"}),
            "`old_string` is missing or blank",
        ),
        (
            json!({"path": "f", "edits": [{"old": "", "new": "b"}]}),
            "`edits[0].old` is blank",
        ),
    ] {
        let text = bench.text("file_edit", arguments).await;
        assert!(
            text.starts_with(&format!("refused: file_edit: {says}")),
            "{text}"
        );
    }
}

#[tokio::test]
async fn an_edit_of_a_missing_file_says_how_to_create_it() {
    let bench = Workbench::new();

    assert_eq!(
        bench
            .text(
                "file_edit",
                json!({"path": "f", "old_string": "a", "new_string": "b"})
            )
            .await,
        "refused: f does not exist. Create it with file_write"
    );
}

#[tokio::test]
async fn a_call_declares_the_access_that_it_then_uses() {
    let bench = Workbench::new();
    let access = |name: &str, arguments| {
        let tool = registry::find(name).unwrap();
        let checked = tool.check(&arguments).unwrap();
        (
            tool.access(&checked, &bench.context).unwrap(),
            tool.concurrency(&checked, &bench.context).unwrap(),
        )
    };
    let path = bench.path.join("a/f");

    assert_eq!(
        access("file_read", json!({"path": "a/./f"})),
        (Access::read(path.clone()), Concurrency::Parallel)
    );
    let keyed = Concurrency::Keyed(path.display().to_string());
    assert_eq!(
        access("file_write", json!({"path": "a/f", "content": ""})),
        (Access::write(path.clone()), keyed.clone())
    );
    assert_eq!(
        access("file_edit", json!({"path": "b/../a/f", "new_string": ""})),
        (Access::write(path), keyed)
    );
    assert_eq!(
        access("file_search", json!({"pattern": "x"})),
        (Access::read(bench.path.clone()), Concurrency::Parallel)
    );
    assert!(
        access("file_read", json!({"path": "artifact://x"}))
            .0
            .resources
            .is_empty()
    );
}

#[tokio::test]
async fn a_cancelled_read_of_a_large_file_is_interrupted() {
    let bench = Workbench::new();
    bench.put("f", "x\n".repeat(100_000));
    bench.context.cancel.cancel();

    let result = bench.call("file_read", json!({"path": "f"})).await;

    assert_eq!(
        result.unwrap_err().to_string(),
        "interrupted, effects unknown"
    );
}

#[tokio::test]
async fn a_file_that_nobody_may_write_is_not_written() {
    let bench = Workbench::new();
    let path = bench.put("f", "x\n");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o444)).unwrap();
    bench.text("file_read", json!({"path": "f"})).await;

    assert_eq!(
        bench
            .text(
                "file_edit",
                json!({"path": "f", "old_string": "x", "new_string": "y"})
            )
            .await,
        "refused: f is read-only (mode 444); nothing was written"
    );
}
