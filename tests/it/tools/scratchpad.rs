//! Scratchpad entries from and to files, on a real folder.

use serde_json::json;

use crate::support::host::Workbench;

#[tokio::test]
async fn a_file_goes_through_the_scratchpad_byte_for_byte() {
    let bench = Workbench::new();
    for (name, bytes) in [
        ("plain", &b"one\ntwo\n"[..]),
        ("windows", b"one\r\ntwo"),
        ("empty", b""),
        ("wide", "caf\u{e9} \u{1f980}\n".as_bytes()),
    ] {
        bench.put(name, bytes);
        let loaded = bench
            .text(
                "scratchpad_load_file",
                json!({"path": name, "name": "entry"}),
            )
            .await;
        assert!(
            loaded.starts_with(&format!("Loaded {name} into `entry`")),
            "{loaded}"
        );
        let copy = format!("new/{name}");
        let saved = bench
            .text(
                "scratchpad_save_file",
                json!({"name": "entry", "path": copy}),
            )
            .await;
        assert_eq!(
            saved,
            format!("Saved `entry` to {copy} ({} bytes).", bytes.len())
        );
        assert_eq!(bench.bytes(&copy), bytes, "{name}");
    }
}

#[tokio::test]
async fn what_cannot_be_loaded_is_refused_and_nothing_is_kept() {
    let bench = Workbench::new();
    bench.put("picture.png", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR");
    bench.put("half", b"good\xff\xfebad\n");
    bench.put(".env", b"KEY=words\n");

    for (path, says) in [
        ("picture.png", "PNG"),
        ("half", "file_read"),
        (".env", ".env"),
        ("nothing", "nothing"),
    ] {
        let answer = bench
            .text(
                "scratchpad_load_file",
                json!({"path": path, "name": "entry"}),
            )
            .await;
        assert!(
            answer.starts_with("refused: ") && answer.contains(says),
            "{answer}"
        );
    }
    assert!(bench.host.state().entries.is_empty());
}

#[tokio::test]
async fn an_existing_file_is_replaced_only_when_that_is_meant() {
    let bench = Workbench::new();
    bench.put("text", b"as it was\n");
    bench.put("binary", b"\0\x01\x02");
    bench
        .text(
            "scratchpad_write",
            json!({"name": "entry", "content": "new\n"}),
        )
        .await;

    for path in ["text", "binary"] {
        let before = bench.bytes(path);
        let refused = bench
            .text(
                "scratchpad_save_file",
                json!({"name": "entry", "path": path}),
            )
            .await;
        assert!(refused.contains("exists; choose another path"), "{refused}");
        assert_eq!(bench.bytes(path), before);

        let saved = bench
            .text(
                "scratchpad_save_file",
                json!({"name": "entry", "path": path, "force": true}),
            )
            .await;
        assert!(saved.starts_with("Saved"), "{saved}");
        assert_eq!(bench.bytes(path), b"new\n");
    }
    for (path, says) in [("../outside", "outside"), ("sub/", "names a folder")] {
        let answer = bench
            .text(
                "scratchpad_save_file",
                json!({"name": "entry", "path": path}),
            )
            .await;
        assert!(
            answer.starts_with("refused: ") && answer.contains(says),
            "{answer}"
        );
    }
}
