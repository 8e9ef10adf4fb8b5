//! Tools of the configuration on the page of tools, and asked about.

use quarterdeck::{domain::approval::ApprovalRequest, engine::event::EventKind};
use serde_json::json;

use super::approvals::{ask, go};
use crate::support::{sample, talk::Talk};

#[test]
fn the_page_of_tools_ends_with_those_of_the_configuration() {
    for (columns, rows) in [(120, 40), (80, 24), (40, 12)] {
        let mut stage = sample::opened(columns, rows);
        let tool = |name: &str, does: &str| (name.to_owned(), does.to_owned());
        stage.event(
            "main",
            EventKind::Declared(vec![
                tool("ticket_show", "Shows a ticket of the tracker."),
                tool(
                    "odd_one",
                    "Says **no** | \u{1b}[31mred\u{202e} <b>text</b>.",
                ),
            ]),
        );
        stage.press("f1 enter enter enter end");
        stage.check(&format!("help_declared_{columns}x{rows}"));
    }
}

/// The line that runs stands in front, and below it the arguments that it was made of; a hook has its word in the reason.
#[test]
fn what_a_declared_tool_runs_is_what_is_asked_about() {
    for (columns, rows) in [(120, 40), (80, 24), (40, 12)] {
        let mut request = ApprovalRequest {
            tool: "ticket_close".to_owned(),
            arguments: json!({"id": 7, "words": "it's done"}),
            subject: "tracker close 7 '--note=it'\\''s done'".to_owned(),
            editable: None,
            ..sample::approval(1)
        };
        request.judgement.reason =
            "adaptive asks for the first of a kind; the hook words.sh changed the arguments"
                .to_owned();
        let mut talk = Talk::new(columns, rows);
        talk.said("close it");
        ask(&mut talk.stage, request);
        go(&mut talk.stage);
        talk.stage
            .check(&format!("approval_declared_{columns}x{rows}"));
    }
}
