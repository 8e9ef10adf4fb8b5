//! What is told about a request that was taken back before anyone answered it.

use quarterdeck::{
    domain::{
        approval::{ApprovalDecision, ApprovalRequest},
        chat::ContentBlock,
        ids::{AgentId, CallId, RequestId},
        record::{Record, ReplyEnd},
        tool::{CallStatus, ToolResult},
    },
    engine::event::EventKind,
};
use serde_json::json;

use super::approvals::ask;
use crate::support::{sample, talk::Talk};

/// One answer can settle several calls: what is told under each depends on what became of it.
#[test]
fn a_request_that_was_taken_back_is_told_by_what_became_of_its_call() {
    for (columns, rows) in [(120, 40), (80, 24), (40, 12)] {
        let mut talk = Talk::zoomed(columns, rows);
        talk.turn();
        let calls = ["a1", "a2", "a3"].map(|id| {
            let arguments = json!({"command": format!("cargo test {id}")});
            ContentBlock::ToolCall(sample::call(id, "shell_execute", arguments))
        });
        talk.reply(calls.into(), ReplyEnd::ToolCalls);
        for (number, id) in [(1, "a1"), (2, "a2"), (3, "a3")] {
            asked(&mut talk, number, id);
        }
        decided(&mut talk, 1, ApprovalDecision::Session);
        for number in [2, 3] {
            decided(&mut talk, number, ApprovalDecision::Withdrawn);
        }
        for id in ["a1", "a2"] {
            talk.record(Record::CallStarted {
                call: CallId::new(id),
            });
        }
        asked(&mut talk, 4, "a3");
        let grid = talk.stage.grid();
        assert!(!grid.contains("nobody answered"), "{grid}");
        if rows > 12 {
            assert_eq!(grid.matches("what you answered").count(), 1, "{grid}");
        }
        talk.stage
            .check(&format!("withdrawn_then_{columns}x{rows}"));
        decided(&mut talk, 4, ApprovalDecision::Withdrawn);
        talk.record(Record::Result {
            result: ToolResult::plain(CallId::new("a3"), CallStatus::Interrupted, "[not run]"),
        });

        let grid = talk.stage.grid();

        assert_eq!(grid.matches("nobody answered").count(), 1, "{grid}");
        talk.stage
            .check(&format!("withdrawn_at_the_end_{columns}x{rows}"));
    }
}

fn asked(talk: &mut Talk, number: u64, call: &str) {
    let request = ApprovalRequest {
        id: RequestId(number),
        agent: AgentId::main(),
        call: CallId::new(call),
        subject: format!("cargo test {call}"),
        arguments: json!({"command": format!("cargo test {call}")}),
        ..sample::approval(number)
    };
    ask(&mut talk.stage, request.clone());
    talk.record(Record::ApprovalAsked { request });
}

fn decided(talk: &mut Talk, number: u64, decision: ApprovalDecision) {
    talk.record(Record::ApprovalDecided {
        request: RequestId(number),
        decision,
    });
    talk.stage
        .event("main", EventKind::RequestClosed(RequestId(number)));
}
