//! Code that is asked about, and what it calls.

use quarterdeck::{
    domain::{
        approval::{ApprovalRequest, Offers},
        chat::ContentBlock,
        display::Display,
        ids::CallId,
        record::{Record, ReplyEnd},
        tool::ToolResult,
    },
    engine::event::{CallState, EventKind},
};
use serde_json::{Value, json};

use super::approvals::{ask, go};
use crate::support::{sample, talk::Talk};

const CODE: &str = "import json\n\ntotal = 0\nfor line in tool(\"file_read\", path=\"prices.json\").splitlines():\n    \
    total += json.loads(line)[\"price\"]\ntool(\"file_write\", path=\"total.txt\", content=str(total))\nprint(total)";

/// A conversation in which code runs under this name.
fn running(columns: u16, rows: u16) -> Talk {
    let mut talk = Talk::new(columns, rows);
    talk.said("what do they cost together?");
    let code = json!({"language": "python3", "code": CODE});
    let call = sample::call("c1", "code_execute", code);
    talk.reply(vec![ContentBlock::ToolCall(call)], ReplyEnd::ToolCalls);
    talk
}

/// The code calls a tool.
fn calls(talk: &mut Talk, id: &str, name: &str, arguments: Value) {
    talk.record(Record::InnerCalled {
        parent: CallId::new("c1"),
        call: sample::call(id, name, arguments),
    });
}

fn ends(talk: &mut Talk, result: ToolResult) {
    let call = result.call.clone();
    talk.record(Record::CallStarted { call });
    talk.record(Record::InnerResult { result });
}

fn read(id: &str) -> ToolResult {
    let display = Display::Code {
        path: "prices.json".to_owned(),
        first_line: 1,
        text: "{\"price\": 3}\n{\"price\": 4}".to_owned(),
    };
    sample::result(id, "lines 1–2", 4, display)
}

fn of_code(request: ApprovalRequest) -> ApprovalRequest {
    ApprovalRequest {
        call: CallId::new("c1"),
        tool: "code_execute".to_owned(),
        arguments: json!({"language": "python3", "code": CODE, "timeout_ms": 30_000}),
        subject: CODE
            .lines()
            .map(str::trim)
            .filter(|line| !line.is_empty())
            .collect::<Vec<_>>()
            .join(" ⏎ "),
        editable: Some("code".to_owned()),
        lineage: vec!["main".to_owned()],
        offers: Offers::default(),
        ..request
    }
}

#[test]
fn the_whole_code_stands_in_the_box() {
    for (columns, rows) in [(120, 40), (80, 24), (40, 12)] {
        let mut talk = running(columns, rows);
        ask(&mut talk.stage, of_code(sample::approval(1)));
        go(&mut talk.stage);
        talk.stage.check(&format!("approval_code_{columns}x{rows}"));
    }
}

#[test]
fn what_code_calls_stands_below_it_and_is_asked_about_there() {
    for (columns, rows) in [(120, 40), (80, 24), (40, 12)] {
        let mut talk = running(columns, rows);
        talk.record(Record::CallStarted {
            call: CallId::new("c1"),
        });
        calls(
            &mut talk,
            "c1/1",
            "file_read",
            json!({"path": "prices.json"}),
        );
        ends(&mut talk, read("c1/1"));
        calls(
            &mut talk,
            "c1/2",
            "file_write",
            json!({"path": "total.txt", "content": "7"}),
        );
        let call = CallId::new("c1/2");
        let state = CallState::Asking;
        talk.stage.event("main", EventKind::Call { call, state });
        let mut request = ApprovalRequest {
            call: CallId::new("c1/2"),
            tool: "file_write".to_owned(),
            arguments: json!({"path": "total.txt", "content": "7"}),
            subject: "total.txt".to_owned(),
            editable: Some("content".to_owned()),
            lineage: vec!["main".to_owned()],
            offers: Offers::default(),
            ..sample::approval(1)
        };
        request.judgement.reason =
            "adaptive asks for the first of a kind; code that the agent runs calls it (code_execute)".to_owned();
        ask(&mut talk.stage, request);
        go(&mut talk.stage);
        talk.stage.check(&format!("code_calls_{columns}x{rows}"));
    }
}

#[test]
fn a_past_with_calls_of_code_looks_as_it_did_however_it_comes() {
    let mut talk = running(80, 24);
    talk.record(Record::CallStarted {
        call: CallId::new("c1"),
    });
    calls(
        &mut talk,
        "c1/1",
        "file_read",
        json!({"path": "prices.json"}),
    );
    ends(&mut talk, read("c1/1"));
    let printed = Display::Terminal {
        command: CODE.to_owned(),
        output: "7\n".to_owned(),
        exit: Some(0),
        omitted_lines: 0,
    };
    let result = sample::result("c1", "ok", 40, printed);
    talk.record(Record::Result { result });
    talk.words("Seven.");

    let whole = talk.resumed(100);
    whole.check("code_ended_80x24");
    for page in 1..6 {
        assert_eq!(talk.resumed(page).grid(), whole.grid(), "pages of {page}");
    }
}
