//! Rendering faults of other programs (B58 to B74 of the catalogue).

use quarterdeck::{
    domain::{
        approval::ApprovalRequest,
        display::{Display, FileDiff, FileMatch, MatchLine},
        ids::AgentId,
        notice::Severity,
        record::{Record, ReplyEnd},
    },
    engine::event::{Delta, EventKind},
    text::width::columns,
    ui::{Effect, Message, view::layout},
};
use serde_json::json;

use crate::support::{
    sample,
    talk::{Talk, result, words},
};

/// The tab-indented file of B64.
const TABS: &str = "\tif x {\n\t\ty\n\t}\n";

fn line(number: usize) -> Record {
    Record::StageDirection {
        severity: Severity::Info,
        text: format!("line {number}"),
    }
}

#[test]
fn b58_an_emoji_with_a_variation_selector_leaves_the_border_in_place() {
    let mut talk = Talk::new(80, 24);
    talk.words("| state | end |\n|---|---|\n| ⚠\u{fe0f} ok | end |\n| ❤\u{fe0f} ok | end |");

    let buffer = talk.stage.buffer();

    let symbols: String = buffer
        .content
        .iter()
        .map(ratatui::buffer::Cell::symbol)
        .collect();
    assert!(!symbols.contains('\u{fe0f}'));
    let columns: Vec<usize> = talk
        .rows()
        .iter()
        .filter(|row| row.contains("ok"))
        .map(|row| row.chars().position(|character| character == '│').unwrap())
        .collect();
    assert_eq!(columns.len(), 2);
    assert_eq!(columns[0], columns[1]);
}

#[test]
fn b60_wide_characters_are_never_cut_at_any_width() {
    let wide = "各".repeat(40);
    for width in 1..=130 {
        let mut talk = Talk::new(width, 24);
        talk.said(&wide);
        talk.words(&format!("| {wide} | b |\n|---|---|\n| {wide} | {wide} |"));
        let files = Display::Files {
            files: vec![FileMatch {
                path: wide.clone(),
                lines: vec![MatchLine {
                    number: 1,
                    text: wide.clone(),
                    // A range that ends inside a character is not trusted.
                    ranges: vec![(0, 3), (4, 5)],
                }],
            }],
            omitted: 0,
        };
        talk.called(
            &wide,
            json!({ "path": wide }),
            result("c1", &wide, "", files),
        );
        talk.stage.press("alt+1 k space");

        let buffer = talk.stage.buffer();

        for (x, y) in (0..24).flat_map(|y| (0..width).map(move |x| (x, y))) {
            if columns(buffer[(x, y)].symbol()) == 2 {
                assert!(x + 1 < width, "half of a character at the edge of {width}");
                assert_eq!(buffer[(x + 1, y)].symbol(), " ", "{x} {y} of {width}");
            }
        }
        for placed in layout(&talk.stage.model).panes {
            let outer = placed.outer;
            for y in outer.top()..outer.bottom() {
                for x in [outer.left(), outer.right() - 1] {
                    let symbol = buffer[(x, y)].symbol();
                    assert!(
                        "│╭╮╰╯├┤┌┐└┘┼┬┴─█▐┃▌║".contains(symbol) && symbol != " ",
                        "{symbol:?} at {x} {y} of {width}"
                    );
                }
            }
        }
        // Not that nothing is drawn at all.
        if width >= 30 {
            assert!(talk.stage.grid().contains("各各各"), "{width}");
        }
    }
}

#[test]
fn b62_tiny_screens_are_survived_and_the_view_comes_back() {
    let mut talk = Talk::new(80, 24);
    talk.turn();
    talk.said("go");
    talk.stage.event(
        sample::TESTS,
        EventKind::ApprovalAsked(Box::new(sample::approval(1))),
    );
    talk.delta(Delta::ReplyStarted);
    talk.delta(Delta::Text("words ".repeat(50)));
    let before = talk.stage.buffer();

    for (columns, rows) in [
        (0, 0),
        (1, 1),
        (2, 1),
        (1, 50),
        (500, 2),
        (19, 4),
        (20, 5),
        (21, 6),
    ] {
        talk.stage.send(Message::Resize(columns, rows));
        talk.stage.buffer();
        talk.delta(Delta::Text(String::new()));
        talk.stage.press("alt+1 pageup pagedown end alt+2");
        talk.stage.buffer();
    }
    talk.stage.send(Message::Resize(19, 4));
    assert!(talk.stage.grid().contains("too small"));
    talk.stage.send(Message::Resize(80, 24));

    assert_eq!(talk.stage.buffer(), before);
}

#[test]
fn b64_tabs_open_to_stops_and_are_copied_as_tabs() {
    let mut talk = Talk::zoomed(80, 40);
    let code = Display::Code {
        path: "a.c".to_owned(),
        first_line: 1,
        text: TABS.to_owned(),
    };
    talk.called(
        "file_read",
        json!({"path": "a.c"}),
        result("c1", "", TABS, code),
    );
    talk.stage.press("k space");
    let diff = Display::Diff(FileDiff {
        path: "a.c".to_owned(),
        old: String::new(),
        new: TABS.to_owned(),
        first_line: 1,
        created: true,
    });
    talk.called(
        "file_write",
        json!({"path": "b.c"}),
        result("c2", "", "", diff),
    );
    talk.words(&format!("```c\n{TABS}```"));

    let rows = talk.rows();

    let expect = |row: &str| assert!(rows.iter().any(|seen| seen == row), "{row}\n{rows:#?}");
    expect("  │ 1      if x {");
    expect("  │ 2          y");
    expect("  │   1 +     if x {");
    expect("  │   2 +         y");
    expect("  │     if x {");
    expect("  │         y");
    assert!(rows.iter().all(|row| !row.contains('\t')));

    talk.stage.press("end j");
    talk.stage.take_effects();
    talk.stage.press("c");
    assert_eq!(talk.stage.take_effects(), [Effect::Copy(TABS.to_owned())]);
}

#[test]
fn b66_the_last_of_seventy_thousand_lines_is_reached() {
    let mut talk = Talk::zoomed(80, 24);
    for number in 1..=70_000 {
        talk.record(line(number));
    }

    assert_eq!(talk.rows().last().unwrap(), "· line 70000");

    talk.stage.press("home");
    assert_eq!(talk.rows()[0], "· line 1");

    talk.stage.press("end");
    assert_eq!(talk.rows().last().unwrap(), "· line 70000");

    talk.stage.press("home /");
    talk.stage.type_text("line 69999");
    talk.stage.press("enter");
    assert!(talk.rows().iter().any(|row| row == "· line 69999"));
}

#[test]
fn b67_a_frame_lays_out_only_what_is_new_in_it() {
    let mut talk = Talk::new(120, 40);
    for number in 0..20_000 {
        talk.record(line(number));
    }
    let huge = "x".repeat(8 << 20);
    let output = Display::Terminal {
        command: "cat".to_owned(),
        output: huge.clone(),
        exit: Some(1),
        omitted_lines: 0,
    };
    talk.called(
        "shell_execute",
        json!({"command": "cat"}),
        result("c1", "exit 1", &huge, output),
    );
    talk.stage.buffer();
    let first = talk.stage.model.conversation.transcript().laid_out();

    for _ in 0..50 {
        talk.stage.type_text("a");
        talk.stage.buffer();
    }
    let typed = talk.stage.model.conversation.transcript().laid_out();
    talk.record(line(1));
    talk.stage.buffer();
    let one_more = talk.stage.model.conversation.transcript().laid_out();

    assert!(
        first < 200,
        "{first} entries were laid out for the first frame"
    );
    assert_eq!(typed, first);
    assert!(one_more <= typed + 1);
}

#[test]
fn b67_the_change_of_an_approval_is_worked_out_once_and_not_with_every_frame() {
    let mut talk = Talk::new(120, 40);
    let content: String = (0..6_000)
        .map(|line| format!("let line_{line} = {line}; // of a large file\n"))
        .collect();
    let write = |new: &str| ApprovalRequest {
        agent: AgentId::main(),
        subject: "src/large.rs".to_owned(),
        tool: "file_write".to_owned(),
        arguments: json!({"path": "src/large.rs", "content": new}),
        previewed: vec!["content".to_owned()],
        editable: Some("content".to_owned()),
        preview: Some(Display::Diff(FileDiff {
            path: "src/large.rs".to_owned(),
            old: "fn old() {}\n".to_owned(),
            new: new.to_owned(),
            first_line: 1,
            created: false,
        })),
        ..sample::approval(1)
    };
    let asked = |new: &str| EventKind::ApprovalAsked(Box::new(write(new)));
    talk.stage.event("main", asked(&content));
    talk.stage.press("alt+a");
    talk.stage.buffer();
    let drawn = |talk: &Talk| {
        let approval = talk.stage.model.requests.focused_approval();
        approval.map(|approval| approval.change_memo().drawn())
    };
    let first = drawn(&talk);

    for _ in 0..20 {
        talk.stage.advance(100);
        talk.stage.buffer();
    }

    assert_eq!(drawn(&talk), first);
    let kept = talk.stage.buffer();
    talk.stage.model.requests.forget();
    assert_eq!(talk.stage.buffer(), kept, "what is kept changes no cell");
    assert_eq!(drawn(&talk), first.map(|first| first + 1));
    // What is asked anew, or edited, is seen.
    talk.stage.event("main", asked("fn asked_anew() {}\n"));
    assert!(talk.stage.grid().contains("asked_anew"));
    talk.stage.paint();
    talk.stage.advance(2_000);
    talk.stage.press("e");
    talk.stage.type_text("fn edited() {}");
    talk.stage.press("enter");
    assert!(
        talk.stage.grid().contains("+ fn edited"),
        "{}",
        talk.stage.grid()
    );
}

#[test]
fn b68_a_fence_closes_only_with_its_own_kind_and_length() {
    let mut talk = Talk::new(80, 40);
    talk.words(
        "```py\n~~~\n```\n\n````\n```\ninner\n```\n````\n\n- item\n\n  ```sh\n  ls\n  ```\n\nprose",
    );

    let rows = talk.rows();

    for code in ["  │ ~~~", "  │ ```", "  │ inner", "    │ ls"] {
        assert!(rows.iter().any(|row| row == code), "{code}\n{rows:#?}");
    }
    assert!(rows.iter().any(|row| row == "  prose"), "{rows:#?}");
}

#[test]
fn b70_tables_with_wide_characters_line_up_and_keep_their_last_row() {
    let mut talk = Talk::new(80, 24);
    talk.words("| 名前 | ok ✓ | 😀 |\n|---|---|---|\n| a | b | c |\n| end | | 1 |");

    let rows = talk.rows();

    let table: Vec<&str> = rows
        .iter()
        .map(String::as_str)
        .filter(|row| row.contains('│') || row.contains('┼'))
        .collect();
    assert_eq!(
        table,
        [
            "  名前 │ ok ✓ │ 😀",
            "  ─────┼──────┼───",
            "  a    │ b    │ c",
            "  end  │      │ 1",
        ]
    );
}

#[test]
fn b74_what_is_read_stays_put_while_text_streams_and_end_follows_again() {
    let mut talk = Talk::zoomed(80, 24);
    talk.turn();
    let call = |id: &str| {
        quarterdeck::domain::chat::ContentBlock::ToolCall(sample::call(
            id,
            "shell_execute",
            json!({"command": id}),
        ))
    };
    talk.reply(vec![words("start"), call("c1")], ReplyEnd::ToolCalls);
    talk.delta(Delta::ReplyStarted);
    for number in 0..250 {
        talk.delta(Delta::Text(format!("line {number}\n\n")));
    }
    talk.stage.press("pageup pageup");
    let read = talk.rows();

    for number in 250..500 {
        talk.delta(Delta::Text(format!("line {number}\n\n")));
        let rows = talk.rows();
        assert_eq!(rows[..rows.len() - 1], read[..read.len() - 1]);
    }
    let output = Display::Terminal {
        command: "c1".to_owned(),
        output: "out\n".repeat(30),
        exit: Some(1),
        omitted_lines: 0,
    };
    talk.record(Record::Result {
        result: result("c1", "exit 1", "out", output),
    });
    let rows = talk.rows();
    assert_eq!(rows[..rows.len() - 1], read[..read.len() - 1]);
    assert!(rows.last().unwrap().contains("↓ 1 new"), "{rows:#?}");

    talk.stage.press("end");
    assert!(talk.rows().iter().any(|row| row == "  line 499"));
    talk.delta(Delta::Text("line 500".to_owned()));
    assert!(talk.rows().iter().any(|row| row == "  line 500"));
}
