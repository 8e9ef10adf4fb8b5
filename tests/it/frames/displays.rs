//! Each shape of a result: folded, open, cut; and that of a call which is still being written.

use quarterdeck::{
    domain::{
        checklist::{Checklist, ItemChange, ItemStatus},
        display::{Display, FileDiff, FileMatch, MatchLine, TreeNode},
    },
    engine::event::Delta,
    ui::{
        displays::{Amount, Canvas, DiffStyle, render},
        highlight::Highlights,
    },
};

use crate::support::{
    golden::compare,
    talk::{Talk, texts},
};

/// Draws a shape at both amounts and compares all rows.
fn check(name: &str, display: &Display, width: usize) {
    let highlights = Highlights::default();
    let mut text = String::new();
    for amount in [Amount::Preview, Amount::Whole] {
        let canvas = Canvas {
            width,
            amount,
            diff: DiffStyle::Unified,
            highlights: &highlights,
            open_key: "Enter",
            reveal: false,
            wraps: false,
        };
        let drawn = render(display, &canvas);
        for row in &drawn.rows {
            assert!(row.columns() <= width, "{:?}", row.text());
        }
        let rows = texts(&drawn.rows);
        let shown: Vec<&String> = rows.iter().take(24).collect();
        text.push_str(&format!("{amount:?}, folded: {}\n", drawn.folded));
        for row in shown {
            text.push_str(&format!("|{row}\n"));
        }
        if rows.len() > 24 {
            text.push_str(&format!("({} rows)\n", rows.len()));
        }
    }
    compare(&format!("display_{name}"), &text);
}

fn numbered(count: usize) -> String {
    (1..=count).map(|line| format!("line {line}\n")).collect()
}

#[test]
fn text() {
    let display = Display::text(format!(
        "{}a very long line of words that wraps\n",
        numbered(12)
    ));
    check("text", &display, 24);
}

#[test]
fn markdown() {
    let text =
        "# Title\n\n- one\n- two\n\n```sh\nls\n```\n\nend of it\n\nand more\n\nand more".to_owned();
    check("markdown", &Display::Markdown { text }, 24);
}

#[test]
fn code() {
    let display = Display::Code {
        path: "src/a.rs".to_owned(),
        first_line: 95,
        text: format!(
            "fn a() {{\n\tlet long = \"{}\";\n}}\n{}",
            "x".repeat(40),
            numbered(12)
        ),
    };
    check("code", &display, 32);
}

#[test]
fn a_change() {
    let display = Display::Diff(FileDiff {
        path: "a.rs".to_owned(),
        old: format!("{}let x = 1;\n{}", numbered(3), numbered(30)),
        new: format!(
            "{}let x = 2;\nlet y = 3;\n{}more\n",
            numbered(3),
            numbered(30)
        ),
        first_line: 10,
        created: false,
    });
    check("diff", &display, 40);
}

#[test]
fn output_of_a_program() {
    let display = Display::Terminal {
        command: "make".to_owned(),
        output: numbered(20),
        exit: Some(2),
        omitted_lines: 1_000,
    };
    check("terminal", &display, 40);
    let silent = Display::Terminal {
        command: "true".to_owned(),
        output: String::new(),
        exit: Some(0),
        omitted_lines: 0,
    };
    check("terminal_silent", &silent, 40);
}

#[test]
fn a_table() {
    let display = Display::Table {
        headings: vec!["name".to_owned(), "meaning".to_owned()],
        rows: (1..=12)
            .map(|row| {
                vec![
                    format!("名前 {row}"),
                    "words that need some room".to_owned(),
                ]
            })
            .collect(),
    };
    check("table", &display, 30);
}

#[test]
fn files_with_matches() {
    let file = |name: &str| FileMatch {
        path: format!("src/{name}.rs"),
        lines: vec![
            MatchLine {
                number: 9,
                text: "use std::fmt;".to_owned(),
                ranges: Vec::new(),
            },
            MatchLine {
                number: 10,
                text: "\tsend(request);".to_owned(),
                ranges: vec![(1, 5)],
            },
        ],
    };
    let files = ["a", "b", "c", "d"].map(file).to_vec();
    check("files", &Display::Files { files, omitted: 12 }, 40);
    let paths = (1..=3)
        .map(|number| FileMatch {
            path: format!("src/{number}.rs"),
            lines: Vec::new(),
        })
        .collect();
    check(
        "files_paths",
        &Display::Files {
            files: paths,
            omitted: 0,
        },
        40,
    );
}

#[test]
fn a_tree() {
    let nodes = [
        (0, "src"),
        (1, "ui"),
        (2, "view.rs"),
        (2, "model.rs"),
        (1, "lib.rs"),
    ]
    .map(|(depth, label)| TreeNode {
        depth,
        label: label.to_owned(),
    })
    .to_vec();
    check("tree", &Display::Tree { nodes }, 30);
}

#[test]
fn a_checklist() {
    let mut list = Checklist::default();
    list.add("find every place that sends", ItemStatus::Completed);
    list.add("add a retry", ItemStatus::InProgress);
    list.add("cover it", ItemStatus::Pending);
    for (status, reason) in [
        (ItemStatus::Deferred, "until build_7c"),
        (ItemStatus::Canceled, "not needed"),
    ] {
        let id = list.add("update the changelog", ItemStatus::Pending);
        list.edit(
            id,
            &ItemChange {
                status: Some(status),
                reason: Some(reason.to_owned()),
                text: None,
            },
        )
        .unwrap();
    }
    check("checklist", &Display::Checklist(list), 30);
}

#[test]
fn a_call_that_is_being_written_says_so() {
    let mut talk = Talk::zoomed(80, 24);
    talk.turn();
    talk.said("write it");
    talk.delta(Delta::ReplyStarted);
    talk.delta(Delta::CallDraft {
        slot: 0,
        name: "file_write".to_owned(),
        bytes: 30,
    });

    let grid = talk.stage.grid();

    let line = grid.lines().find(|line| line.contains("file_write"));
    assert!(
        line.is_some_and(|line| line.contains("writing · 30 bytes")),
        "{grid}"
    );
}
