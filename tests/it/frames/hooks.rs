//! What hooks did, in the transcript.

use quarterdeck::domain::{
    chat::ContentBlock,
    hook::{HookDeed, HookEvent, HookNote},
    ids::CallId,
    record::{Record, ReplyEnd, TurnOutcome, TurnRecap},
    tool::{CallStatus, ToolResult},
};
use serde_json::json;

use crate::support::{sample, talk::Talk};

fn note(event: HookEvent, hook: &str, deed: HookDeed) -> Record {
    Record::Hooked {
        note: HookNote {
            hook: hook.to_owned(),
            event,
            call: None,
            deed,
        },
    }
}

/// What hooks did after the call, or did not do.
fn late() -> [(HookEvent, &'static str, HookDeed); 6] {
    let (pre, post) = (HookEvent::PreToolCall, HookEvent::PostToolCall);
    [
        (post, "redact", HookDeed::Replaced { characters: 1_204 }),
        (
            post,
            "lint",
            HookDeed::Denied {
                words: "line 3 is too long".to_owned(),
            },
        ),
        (
            post,
            "lint",
            HookDeed::Added {
                text: "\u{1b}[31mred\u{202e}\nand a second line".to_owned(),
            },
        ),
        (
            pre,
            "broken",
            HookDeed::Failed {
                why: "it took longer than 10000 ms and was ended".to_owned(),
                stopped: false,
            },
        ),
        (
            pre,
            "required",
            HookDeed::Failed {
                why: "exit code 1: no such file".to_owned(),
                stopped: true,
            },
        ),
        (
            HookEvent::TurnEnd,
            "tests",
            HookDeed::Denied {
                words: "run the tests first".to_owned(),
            },
        ),
    ]
}

/// A turn in which hooks did everything that they can.
fn hooked(columns: u16, rows: u16) -> Talk {
    let pre = HookEvent::PreToolCall;
    let mut talk = Talk::zoomed(columns, rows);
    talk.record(note(
        HookEvent::PreGeneration,
        "secrets.sh",
        HookDeed::Blocked {
            text: "deploy with token 1234".to_owned(),
            words: "that looks like a secret".to_owned(),
        },
    ));
    talk.reply(
        vec![ContentBlock::ToolCall(sample::call(
            "h1",
            "file_write",
            json!({"path": "notes.txt", "content": "x"}),
        ))],
        ReplyEnd::ToolCalls,
    );
    talk.record(note(
        pre,
        "places.sh",
        HookDeed::Changed {
            from: json!({"path": "notes.txt", "content": "x"}),
            to: json!({"path": "docs/notes.txt", "content": "x"}),
        },
    ));
    talk.record(note(
        pre,
        "careful",
        HookDeed::Asked {
            words: "documents are published".to_owned(),
        },
    ));
    talk.record(note(
        pre,
        "gate",
        HookDeed::Denied {
            words: "not on Friday".to_owned(),
        },
    ));
    talk.record(Record::Result {
        result: ToolResult::plain(
            CallId::new("h1"),
            CallStatus::Refused,
            "[file_write denied by the hook gate: not on Friday]",
        ),
    });
    for (event, hook, deed) in late() {
        talk.record(note(event, hook, deed));
    }
    talk.end(TurnOutcome::Finished, TurnRecap::default());
    talk
}

#[test]
fn everything_that_a_hook_does_stands_in_the_transcript() {
    for (columns, rows) in [(120, 40), (80, 24), (40, 12)] {
        hooked(columns, rows)
            .stage
            .check(&format!("hooks_{columns}x{rows}"));
    }
}
