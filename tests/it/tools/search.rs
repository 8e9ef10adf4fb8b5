//! Finding files by name and by content.

use std::{
    fs::File,
    time::{Duration, SystemTime},
};

use quarterdeck::domain::display::{Display, FileMatch, MatchLine};
use serde_json::json;

use crate::support::host::Workbench;

fn project() -> Workbench {
    let bench = Workbench::new();
    bench.put("src/main.rs", "fn main() {\n    run();\n}\n");
    bench.put("src/lib.rs", "pub fn run() {}\n\npub fn rerun() {}\n");
    bench.put("docs/guide.md", "How to run.\n");
    bench.put("out.log", "run run\n");
    bench.put(".hidden", "run\n");
    bench.put(".gitignore", "*.log\n");
    bench
}

#[tokio::test]
async fn matches_are_shown_by_file_with_their_lines() {
    let bench = project();

    let output = bench
        .call(
            "grep",
            json!({"pattern": "\\brun", "type": "rust", "-C": 1}),
        )
        .await
        .unwrap();

    assert_eq!(
        output.text,
        "src/lib.rs\n1: pub fn run() {}\n2- \n\nsrc/main.rs\n1- fn main() {\n2:     run();\n3- }\n\
         [2 matches in 2 files]"
    );
    assert_eq!(output.outcome, "2 matches · 2 files");
    let Display::Files { files, omitted } = output.display else {
        panic!("{:?}", output.display)
    };
    assert_eq!((files.len(), omitted), (2, 0));
    assert_eq!(
        files[1].lines[1],
        MatchLine {
            number: 2,
            text: "    run();".to_owned(),
            ranges: vec![(4, 7)]
        }
    );
}

#[tokio::test]
async fn files_and_counts_can_be_asked_for_instead() {
    let bench = project();

    assert_eq!(
        bench
            .text(
                "file_search",
                json!({"pattern": "run", "output_mode": "files"})
            )
            .await,
        "docs/guide.md\nsrc/lib.rs\nsrc/main.rs\n[3 files]"
    );
    assert_eq!(
        bench
            .text(
                "file_search",
                json!({"pattern": "run", "output_mode": "count", "glob": "src/*"})
            )
            .await,
        "src/lib.rs: 2\nsrc/main.rs: 1\n[3 matches in 2 files]"
    );
}

#[tokio::test]
async fn long_answers_come_in_pages() {
    let bench = Workbench::new();
    let lines: String = (1..=120).map(|line| format!("x{line}\n")).collect();
    bench.put("f", &lines);
    let ends = async |arguments| {
        let text = bench.text("file_search", arguments).await;
        let first = text.lines().nth(1).unwrap_or_default().to_owned();
        (first, text.lines().last().unwrap_or_default().to_owned())
    };

    assert_eq!(
        ends(json!({"pattern": "x"})).await,
        (
            "1: x1".to_owned(),
            "[matches 1–50 of 120 in 1 file; next: offset=50]".to_owned()
        )
    );
    assert_eq!(
        ends(json!({"pattern": "x", "offset": 100})).await,
        (
            "101: x101".to_owned(),
            "[matches 101–120 of 120 in 1 file]".to_owned()
        )
    );
    let (_, cut) = ends(json!({"pattern": "x", "limit": 500, "max_result_chars": 500})).await;
    assert!(
        cut.contains("cut at max_result_chars; next: offset="),
        "{cut}"
    );
}

#[tokio::test]
async fn no_matches_says_what_was_not_looked_at() {
    let bench = project();
    bench.put("big.txt", "needle\n".repeat(400_000));

    assert_eq!(
        bench
            .text("file_search", json!({"pattern": "needle"}))
            .await,
        "[no matches in .; hidden and ignored files left out (include_hidden, include_ignored); \
         1 file over 2097152 bytes not searched (max_filesize)]"
    );
    assert_eq!(
        bench
            .text(
                "file_search",
                json!({"pattern": "^run", "include_hidden": true, "include_ignored": true,
                "output_mode": "files"})
            )
            .await,
        ".hidden\nout.log\n[2 files; 1 file over 2097152 bytes not searched (max_filesize)]"
    );
}

#[tokio::test]
async fn a_bad_pattern_type_or_place_is_refused_with_what_to_do() {
    let bench = project();

    for (arguments, says) in [
        (
            json!({"pattern": "f("}),
            "`f(` is not a usable pattern: unclosed group; escape",
        ),
        (
            json!({"pattern": "x", "type": "rusty"}),
            "`rusty` is not a known file type. Near it: rust",
        ),
        (
            json!({"pattern": "x", "glob": "a["}),
            "`a[` is not a usable glob",
        ),
        (
            json!({"pattern": "x", "path": "sr"}),
            "sr does not exist; in the same folder: src",
        ),
        (
            json!({"pattern": "x", "path": "/dev/null"}),
            "/dev/null is a character device",
        ),
        (json!({"pattern": " "}), "file_search: `pattern` is blank"),
    ] {
        let text = bench.text("file_search", arguments).await;
        assert!(text.starts_with(&format!("refused: {says}")), "{text}");
    }
}

#[tokio::test]
async fn files_are_found_by_glob_in_order_of_path_or_the_last_changed_first() {
    let bench = project();
    let now = SystemTime::now();
    for (age, name) in [
        (300, "src/main.rs"),
        (100, "src/lib.rs"),
        (200, "docs/guide.md"),
    ] {
        let file = File::options()
            .write(true)
            .open(bench.path.join(name))
            .unwrap();
        file.set_modified(now - Duration::from_secs(age)).unwrap();
    }

    let output = bench
        .call("glob", json!({"pattern": "*.{rs,md}", "sort": "modified"}))
        .await
        .unwrap();

    assert_eq!(
        output.text,
        "src/lib.rs\ndocs/guide.md\nsrc/main.rs\n[3 files]"
    );
    assert_eq!(output.outcome, "3 files");
    let file = |path: &str| FileMatch {
        path: path.to_owned(),
        lines: Vec::new(),
    };
    assert_eq!(
        output.display,
        Display::Files {
            files: vec![
                file("src/lib.rs"),
                file("docs/guide.md"),
                file("src/main.rs")
            ],
            omitted: 0
        }
    );
    assert_eq!(
        bench
            .text("file_find", json!({"pattern": "*.rs", "limit": 1}))
            .await,
        "src/lib.rs\n[files 1–1 of 2; next: offset=1]"
    );
    assert_eq!(
        bench
            .text("file_find", json!({"pattern": "*.rs", "offset": 1}))
            .await,
        "src/main.rs\n[files 2–2 of 2]"
    );
    assert_eq!(
        bench.text("file_find", json!({"pattern": "*.zig"})).await,
        "[no files match *.zig in .; hidden and ignored files left out (include_hidden, include_ignored)]"
    );
}

/// A person may keep files of their own in a folder of this name, and git ignores it mostly.
#[tokio::test]
async fn generated_folders_are_left_out_told_and_shown_when_asked_for() {
    let bench = project();
    bench.put("build/run.sh", "run\n");
    bench.put("site/dist/app.js", "run()\n");
    let count = async |mut arguments: serde_json::Value, ignored: bool| {
        arguments["include_ignored"] = json!(ignored);
        let tool = if arguments["output_mode"].is_string() {
            "file_search"
        } else {
            "file_find"
        };
        bench.text(tool, arguments).await
    };

    let found = count(json!({"pattern": "*.{sh,js}"}), false).await;
    let searched = count(json!({"pattern": "run", "output_mode": "count"}), false).await;
    let all = count(json!({"pattern": "*.{sh,js}"}), true).await;

    assert_eq!(
        found,
        "[no files match *.{sh,js} in .; hidden and ignored files left out (include_hidden, include_ignored); \
         left out as generated: dist, build (include_ignored)]"
    );
    assert!(
        searched.ends_with("in 3 files; left out as generated: dist, build (include_ignored)]"),
        "{searched}"
    );
    assert_eq!(all, "build/run.sh\nsite/dist/app.js\n[2 files]");
}

#[tokio::test]
async fn a_line_that_is_cut_is_told_with_the_argument_that_cut_it() {
    let bench = Workbench::new();
    bench.put("f", format!("x{}\nx\n", "é".repeat(600)));

    let cut = bench.text("file_search", json!({"pattern": "x"})).await;
    let whole = json!({"pattern": "x", "max_line_chars": 2000});
    let whole = bench.text("file_search", whole).await;

    assert_eq!(
        cut,
        format!(
            "f\n1: x{}…\n2: x\n[2 matches in 1 file; 1 line cut at 500 characters (max_line_chars)]",
            "é".repeat(499)
        )
    );
    assert!(whole.ends_with("\n[2 matches in 1 file]"), "{whole}");
}

#[tokio::test]
async fn a_match_reaches_over_lines_only_when_asked() {
    let bench = Workbench::new();
    bench.put("f", "start {\r\n  end\n}\n");

    let lines = json!({"pattern": "start.*end", "multiline": true});
    let one_line = json!({"pattern": "start.*end"});

    assert_eq!(
        bench.text("file_search", lines).await,
        "f\n1: start {\n2:   end\n[1 match in 1 file]"
    );
    assert!(
        bench
            .text("file_search", one_line)
            .await
            .starts_with("[no matches in .;")
    );
}

/// Both end in the same answer: secrets are shown by no argument.
#[tokio::test]
async fn no_argument_opens_a_secret_to_a_search() {
    let bench = Workbench::new();
    for name in [
        ".env",
        ".env.local",
        "server.pem",
        "id_ed25519",
        "a.p12",
        "b.pfx",
        "tls.key",
    ] {
        bench.put(name, "token\n");
    }
    let wide = json!({"pattern": "token", "include_hidden": true, "include_ignored": true});
    let find = json!({"pattern": "**/*", "include_hidden": true, "include_ignored": true});

    assert_eq!(
        bench.text("file_search", wide).await,
        "[no matches in .; 7 secret-looking left out]"
    );
    assert_eq!(
        bench.text("file_find", find).await,
        "[no files match **/* in .; 7 secret-looking left out]"
    );
    let named = json!({"pattern": "token", "path": "server.pem"});
    let refused = bench.text("file_search", named).await;
    assert!(
        refused.starts_with("refused: server.pem looks like a secret"),
        "{refused}"
    );
}

/// The cap is of the conversation; what goes to the scratchpad does not meet it.
#[tokio::test]
async fn an_answer_for_the_scratchpad_is_whole_unless_a_limit_is_named() {
    let mut bench = Workbench::new();
    for number in 0..600 {
        bench.put(format!("f{number:03}"), "x\n");
    }
    let (find, search) = (json!({"pattern": "f*"}), json!({"pattern": "x"}));
    let inline = bench.text("file_find", find.clone()).await;
    let inline_search = bench.text("file_search", search.clone()).await;
    bench.context.keeps = true;

    let found = bench.text("file_find", find).await;
    let searched = bench.text("file_search", search).await;
    let limited = bench
        .text("file_find", json!({"pattern": "f*", "limit": 2}))
        .await;

    assert!(
        inline.ends_with("\n[files 1–500 of 600; next: offset=500]"),
        "{inline}"
    );
    assert!(
        inline_search.ends_with("\n[matches 1–50 of 600 in 600 files; next: offset=50]"),
        "{inline_search}"
    );
    assert!(found.ends_with("\nf599\n[600 files]"), "{found}");
    assert!(
        searched.ends_with("\n[600 matches in 600 files]"),
        "{searched}"
    );
    assert_eq!(limited, "f000\nf001\n[files 1–2 of 600; next: offset=2]");
}

#[tokio::test]
async fn text_is_found_in_each_encoding() {
    let bench = Workbench::new();
    bench.put("latin1", b"pre\xe7o\nneedle\n");
    bench.put("mark", b"\xef\xbb\xbfneedle\n");
    bench.put("wide", b"\xff\xfen\0e\0e\0d\0l\0e\0\r\0\n\0");

    let text = bench
        .text("file_search", json!({"pattern": "^needle$"}))
        .await;

    assert_eq!(
        text,
        "latin1\n2: needle\n\nmark\n1: needle\n\nwide\n1: needle\n[3 matches in 3 files]"
    );
}

#[tokio::test]
async fn a_search_that_was_cancelled_is_interrupted() {
    let bench = project();
    bench.context.cancel.cancel();

    for (tool, arguments) in [
        ("file_search", json!({"pattern": "run"})),
        ("file_find", json!({"pattern": "*"})),
    ] {
        let error = bench.call(tool, arguments).await.unwrap_err();
        assert_eq!(error.to_string(), "interrupted, effects unknown", "{tool}");
    }
}

#[tokio::test]
async fn a_file_that_is_named_is_searched_whatever_its_size_unless_a_size_is_named() {
    let bench = Workbench::new();
    bench.put("log", format!("{}needle\n", "hay\n".repeat(600_000)));

    let named = json!({"pattern": "needle", "path": "log"});
    let limited = json!({"pattern": "needle", "path": "log", "max_filesize": 1000});
    let below = json!({"pattern": "needle"});

    assert_eq!(
        bench.text("file_search", named).await,
        "log\n600001: needle\n[1 match in 1 file]"
    );
    for arguments in [limited, below] {
        let text = bench.text("file_search", arguments).await;
        assert!(text.contains("1 file over"), "{text}");
    }
}
