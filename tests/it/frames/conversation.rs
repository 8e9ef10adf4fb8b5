//! The conversation as it is seen.

use std::sync::Arc;

use proptest::prelude::*;
use quarterdeck::{
    domain::{
        approval::{ApprovalDecision, ApprovalRequest},
        chat::ContentBlock,
        display::Display,
        ids::{AgentId, CallId, RequestId},
        notice::Severity,
        question::{Answer, FormOutcome},
        record::{Lane, Record, ReplyEnd, Speaker, TurnOutcome, TurnRecap},
        tool::{CallStatus, ToolResult},
        usage::Usage,
    },
    engine::event::{CallState, Delta, EventKind},
    ui::{Effect, Message, theme::Theme},
};
use serde_json::json;

use super::approvals::ask;
use crate::support::{
    golden::Stage,
    sample,
    talk::{Talk, content, result, thought, words},
};

#[test]
fn nothing_was_said_yet() {
    sample::opened(80, 24).check("conversation_empty");
}

#[test]
fn a_session_at_work() {
    sample::session(120, 40).check("conversation_at_work");
}

#[test]
fn a_session_at_work_on_a_usual_terminal() {
    sample::session(80, 24).check("conversation_at_work_80x24");
}

#[test]
fn a_session_at_work_on_a_narrow_terminal() {
    sample::session(60, 20).check("conversation_narrow");
}

#[test]
fn a_zoomed_session_shows_changes_side_by_side() {
    let mut stage = sample::session(140, 40);
    stage.press("alt+1 alt+z");
    stage.check("conversation_side_by_side");
    let side_by_side = stage.grid();

    stage.press("t");

    assert_ne!(stage.grid(), side_by_side);
}

#[test]
fn a_scrolled_view_with_a_focused_entry_says_what_is_new() {
    let mut stage = sample::session(120, 30);
    stage.press("alt+1 k k pageup");
    stage.event("main", EventKind::Delta(Delta::ReplyStarted));
    sample::stream(&mut stage, "more\n\nand more");
    stage.check("conversation_scrolled");
}

#[test]
fn a_search_marks_what_it_finds() {
    let mut stage = sample::session(120, 40);
    stage.press("alt+1 /");
    stage.type_text("retry");
    stage.check("conversation_search");
}

fn spoken() -> Talk {
    let mut talk = Talk::zoomed(90, 44);
    talk.turn();
    talk.said("Explain the retry, then change it.");
    talk.reply(
        vec![
            thought("First I look at the loop.\nThen at the wait."),
            words(
                "# Retry\n\nIt tries **three** times, see [the book](https://e.org/retry):\n\n1. send\n2. wait `200 ms`\n   - doubled\n   - with *jitter*\n3. give up\n\n> Never more than a minute.\n\n| answer | tried again |\n|---|:-:|\n| 503 | yes |\n| 404 | no |\n\n- [x] read\n- [ ] write\n\n```rust\nfn wait(try_: u32) -> Duration {\n\tBASE * 2u32.pow(try_)\n}\n```",
            ),
        ],
        ReplyEnd::Complete,
    );
    talk.end(
        TurnOutcome::Finished,
        TurnRecap {
            elapsed_ms: 12_400,
            steps: 3,
            usage: Usage {
                input: 12_300,
                cached: 10_824,
                output: 1_200,
                cost: Some(0.04),
            },
            commands: 4,
            file_ops: 2,
            tools: 0,
        },
    );
    talk
}

#[test]
fn a_reply_in_markdown_with_its_recap() {
    let mut talk = spoken();
    talk.stage.paint();
    let jobs: Vec<_> = talk
        .stage
        .take_effects()
        .into_iter()
        .filter_map(|effect| match effect {
            Effect::Highlight(job) => Some(job),
            _ => None,
        })
        .collect();
    assert_eq!(jobs.len(), 1);
    for job in jobs {
        talk.stage
            .send(Message::Done(quarterdeck::ui::message::Done::Highlighted(
                Box::new(job.run()),
            )));
    }
    talk.stage.check("conversation_markdown");
}

#[test]
fn a_script_is_never_taken_for_a_language_model() {
    let mut talk = Talk::new(80, 24);
    let mut settings = sample::settings();
    settings.model.is_script = true;
    talk.stage.event("main", EventKind::Settings(settings));
    talk.said("hello");
    talk.words("Hello from a script.");

    let rows = talk.rows();

    assert!(
        rows.iter()
            .any(|row| row == "  script · no language model answers"),
        "{rows:#?}"
    );
}

#[test]
fn a_reply_that_was_cut_is_marked() {
    for (end, mark) in [
        (ReplyEnd::CutOff, "! cut off"),
        (ReplyEnd::OutputLimit, "! cut at the output limit"),
        (ReplyEnd::Interrupted, "· interrupted here"),
        (
            ReplyEnd::Failed {
                reason: "overloaded".to_owned(),
            },
            "✗ the reply broke off here; no call of it ran",
        ),
    ] {
        let mut talk = Talk::new(80, 24);
        talk.reply(vec![words("half a sen")], end);

        let rows = talk.rows();

        assert!(rows.iter().any(|row| row.starts_with(mark)), "{rows:#?}");
    }
}

#[test]
fn why_a_reply_broke_off_is_said_once() {
    let mut talk = Talk::new(80, 24);
    let reason = || "the server says: overloaded".to_owned();
    talk.turn();
    talk.reply(
        vec![words("half a sen")],
        ReplyEnd::Failed { reason: reason() },
    );
    talk.end(
        TurnOutcome::Failed { reason: reason() },
        TurnRecap::default(),
    );

    let rows = talk.rows();

    let said: Vec<&String> = rows
        .iter()
        .filter(|row| row.contains("overloaded"))
        .collect();
    assert_eq!(
        said,
        ["✗ the turn failed: the server says: overloaded"],
        "{rows:#?}"
    );
}

#[test]
fn reasoning_has_three_states() {
    let mut talk = Talk::zoomed(80, 24);
    let lines: Vec<String> = (1..=9).map(|line| format!("thought {line}")).collect();
    talk.reply(vec![thought(&lines.join("\n"))], ReplyEnd::Complete);
    talk.stage.press("k");
    let mut seen = Vec::new();
    for _ in 0..4 {
        let rows = talk.rows();
        seen.push(rows.iter().filter(|row| row.contains("thought")).count());
        talk.stage.press("space");
    }

    assert_eq!(seen, [1, 5, 10, 1]);
}

fn decided() -> Talk {
    let mut talk = Talk::zoomed(90, 40);
    talk.turn();
    let call = |id: &str| {
        ContentBlock::ToolCall(sample::call(
            id,
            "shell_execute",
            json!({"command": "cargo test --test retry", "timeout_ms": 120_000}),
        ))
    };
    talk.reply(
        vec![call("a1"), call("a2"), call("a3")],
        ReplyEnd::ToolCalls,
    );
    let decisions = [
        ApprovalDecision::Session,
        ApprovalDecision::Edited {
            arguments: json!({"command": "cargo test --test fetch", "timeout_ms": 120_000}),
        },
        ApprovalDecision::Reject {
            words: Some("not before the commit".to_owned()),
        },
    ];
    for (index, decision) in decisions.into_iter().enumerate() {
        let request = ApprovalRequest {
            agent: AgentId::main(),
            ..sample::approval(index as u64 + 1)
        };
        let id = request.id;
        talk.record(Record::ApprovalAsked { request });
        talk.record(Record::ApprovalDecided {
            request: id,
            decision,
        });
    }
    let output = |text: &str| Display::Terminal {
        command: "cargo test".to_owned(),
        output: text.to_owned(),
        exit: Some(0),
        omitted_lines: 0,
    };
    for id in ["a1", "a2"] {
        talk.record(Record::CallStarted {
            call: CallId::new(id),
        });
        talk.record(Record::Result {
            result: result(id, "exit 0", "ok", output("ok\n")),
        });
    }
    talk.record(Record::Result {
        result: ToolResult::plain(
            CallId::new("a3"),
            CallStatus::Refused,
            "The person rejected it: not before the commit",
        ),
    });
    talk.record(Record::StageDirection {
        severity: Severity::Warning,
        text: "the checklist has 2 open items".to_owned(),
    });
    talk.end(TurnOutcome::Cancelled, TurnRecap::default());
    talk
}

#[test]
fn decisions_stay_in_the_transcript_with_both_versions() {
    decided().stage.check("conversation_decided");
}

fn questioned() -> Talk {
    let mut talk = Talk::new(90, 40);
    let form = sample::form(7);
    talk.reply(
        vec![ContentBlock::ToolCall(sample::call(
            "q7",
            "ask_user",
            json!({"questions": []}),
        ))],
        ReplyEnd::ToolCalls,
    );
    talk.record(Record::QuestionAsked { form });
    talk
}

#[test]
fn questions_show_what_was_answered() {
    let mut talk = questioned();
    let waiting = talk.rows();
    assert!(
        waiting
            .iter()
            .any(|row| row.contains("waits for your answer")),
        "{waiting:#?}"
    );

    talk.record(Record::QuestionAnswered {
        request: RequestId(7),
        outcome: FormOutcome::Answered {
            answers: vec![
                Answer::Text {
                    text: "doubling".to_owned(),
                },
                Answer::Many {
                    options: vec!["503".to_owned(), "504".to_owned()],
                },
                Answer::Unanswered,
                Answer::Confirm { yes: true },
            ],
        },
    });
    talk.stage.check("conversation_answered");
}

#[test]
fn a_text_that_was_sent_empty_is_not_one_that_was_left_open() {
    let mut talk = questioned();
    let text = String::new();
    let answers = vec![Answer::Unanswered, Answer::Text { text }];
    let (request, outcome) = (RequestId(7), FormOutcome::Answered { answers });
    talk.record(Record::QuestionAnswered { request, outcome });

    let rows = talk.rows().join("\n");
    assert!(rows.contains("→ (empty)"), "{rows}");
}

/// A whole turn as it happens, with everything that is not stored in between.
fn lived() -> Talk {
    let mut talk = Talk::new(100, 60);
    talk.turn();
    talk.said("go\n\non");
    talk.delta(Delta::ReplyStarted);
    talk.delta(Delta::Reasoning("I ".to_owned()));
    talk.delta(Delta::Reasoning("think.".to_owned()));
    talk.delta(Delta::Text("First **th".to_owned()));
    talk.record(Record::Partial {
        message: quarterdeck::domain::chat::ChatMessage::assistant("First **th"),
    });
    talk.delta(Delta::Text("is**.".to_owned()));
    talk.delta(Delta::CallDraft {
        slot: 0,
        name: "shell_execute".to_owned(),
        bytes: 30,
    });
    let call = ContentBlock::ToolCall(sample::call(
        "a1",
        "shell_execute",
        json!({"command": "ls"}),
    ));
    talk.reply(
        vec![thought("I think."), words("First **this**."), call],
        ReplyEnd::ToolCalls,
    );
    let state = |state| EventKind::Call {
        call: CallId::new("a1"),
        state,
    };
    talk.stage.event("main", state(CallState::Judging));
    ask(&mut talk.stage, sample::approval(1));
    talk.record(Record::ApprovalAsked {
        request: ApprovalRequest {
            agent: AgentId::main(),
            ..sample::approval(1)
        },
    });
    talk.record(Record::ApprovalDecided {
        request: RequestId(1),
        decision: ApprovalDecision::Never,
    });
    talk.stage
        .event("main", EventKind::RequestClosed(RequestId(1)));
    talk.stage.event("main", state(CallState::Running));
    talk.record(Record::CallStarted {
        call: CallId::new("a1"),
    });
    talk.delta(Delta::Output {
        call: CallId::new("a1"),
        text: "a.rs\n".to_owned(),
    });
    let output = Display::Terminal {
        command: "ls".to_owned(),
        output: "a.rs\n".to_owned(),
        exit: Some(2),
        omitted_lines: 0,
    };
    talk.record(Record::Result {
        result: result("a1", "exit 2", "a.rs", output),
    });
    talk.record(Record::Said {
        speaker: Speaker::Person,
        lane: Lane::Interrupt,
        text: "stop".to_owned(),
    });
    talk.delta(Delta::ReplyStarted);
    talk.delta(Delta::Text("Half".to_owned()));
    talk.record(Record::Partial {
        message: quarterdeck::domain::chat::ChatMessage::assistant("Half"),
    });
    talk.end(
        TurnOutcome::Cancelled,
        TurnRecap {
            steps: 2,
            ..TurnRecap::default()
        },
    );
    talk
}

/// The person runs a command; its output has come so far.
fn running(shared: bool) -> Talk {
    let mut talk = Talk::zoomed(80, 24);
    talk.said("go on");
    talk.stage.event(
        "main",
        EventKind::PersonRuns {
            call: CallId::new("person_3"),
            command: "cargo test".to_owned(),
            shared,
        },
    );
    for text in ["building\n10 %", "\r90 %"] {
        talk.delta(Delta::Output {
            call: CallId::new("person_3"),
            text: text.to_owned(),
        });
    }
    talk
}

fn ran(shared: bool) -> Record {
    let output = Display::Terminal {
        command: "cargo test".to_owned(),
        output: "building\ndone\n".to_owned(),
        exit: Some(0),
        omitted_lines: 0,
    };
    Record::PersonRan {
        command: "cargo test".to_owned(),
        result: result("person_3", "exit 0", "building\ndone\n", output),
        shared,
    }
}

#[test]
fn output_of_the_persons_own_command_is_seen_while_it_runs() {
    let mut talk = running(false);

    let rows = talk.rows();

    let has = |part: &str| rows.iter().any(|row| row.contains(part));
    assert!(has("you ran cargo test"), "{rows:#?}");
    assert!(has("unseen by the model"), "{rows:#?}");
    assert!(has("│ building") && has("│ 90 %"), "{rows:#?}");
    assert!(!has("10 %"), "{rows:#?}");
    talk.stage.check("person_runs");
    talk.record(ran(false));
    talk.stage.check("person_ran");
}

#[test]
fn a_command_that_ran_stands_where_the_log_has_it() {
    let mut talk = running(true);
    talk.stage.press("k");
    talk.delta(Delta::ReplyStarted);
    talk.delta(Delta::Text("I wait.".to_owned()));
    talk.words("I wait.");
    talk.delta(Delta::ReplyStarted);
    talk.delta(Delta::Text("Still here.".to_owned()));
    talk.stage.paint();
    talk.record(ran(true));
    talk.words("Still here.");
    talk.stage.paint();

    let focused = talk.stage.model.conversation.focused().unwrap().1.texts().0;
    assert!(focused.starts_with("you ran cargo test"), "{focused}");
    talk.stage.press("esc");
    let live = talk.rows();
    let at = |part: &str| live.iter().position(|row| row.contains(part)).unwrap();
    assert!(at("I wait.") < at("you ran") && at("you ran") < at("Still here."));
    for page in [1, 2, 100] {
        let mut resumed = talk.resumed(page);
        resumed.press("alt+1 alt+z");
        assert_eq!(content(&resumed), live, "pages of {page}");
    }
}

#[test]
fn a_resumed_session_looks_as_it_did_live_in_any_number_of_pages() {
    for talk in [lived(), decided()] {
        let live = talk.rows();
        for page in [1, 2, 3, 5, 8, 100] {
            let mut resumed = talk.resumed(page);
            if talk.stage.model.screen.zoomed.is_some() {
                resumed.press("alt+1 alt+z");
            }
            assert_eq!(content(&resumed), live, "pages of {page}");
        }
    }
}

#[test]
fn earlier_pages_come_without_moving_what_is_read() {
    let mut talk = Talk::new(80, 24);
    for number in 0..300 {
        talk.said(&format!("message {number}"));
    }
    let mut stage = Stage::new(80, 24);
    stage.event("main", EventKind::Opened(Box::new(sample::opening())));
    stage.event(
        "main",
        EventKind::History {
            records: talk.records[200..].to_vec(),
            more: true,
        },
    );
    stage.press("alt+1");
    stage.take_effects();
    stage.press("home");
    let asked = stage.take_effects();
    assert!(
        asked
            .iter()
            .any(|effect| format!("{effect:?}").contains("Earlier")),
        "{asked:?}"
    );
    let read = content(&stage);

    stage.event(
        "main",
        EventKind::History {
            records: talk.records[..200].to_vec(),
            more: false,
        },
    );

    let now = content(&stage);
    let first = read.iter().position(|row| row.contains("message 200"));
    assert_eq!(
        now.iter().position(|row| row.contains("message 200")),
        first.map(|row| row + 1)
    );
    stage.press("home");
    assert!(content(&stage)[1].contains("message 0"));
}

#[test]
fn the_default_theme_draws_the_sample() {
    let mut stage = sample::session(120, 40);
    let theme = Theme::builtin("default", quarterdeck::ui::theme::Depth::True).unwrap();

    stage.theme(theme);

    assert!(stage.grid().contains("shell_execute"));
}

/// One thing that may happen to a conversation.
#[derive(Clone, Debug)]
enum Happening {
    Press(&'static str),
    Resize(u16, u16),
    Delta(Delta),
    Said(String),
    Words(String),
    Called(String),
    Ended,
}

fn happening() -> impl Strategy<Value = Happening> {
    let keys = [
        "alt+1", "alt+2", "k", "j", "pageup", "pagedown", "home", "end", "space", "z", "t", "[",
        "]", "y", "c", "n", "N", "esc", "/", "enter", "alt+z",
    ];
    let text = proptest::sample::select(vec![
        "word",
        "各各",
        "\t",
        "\n",
        "```",
        "| a |\n|--|\n",
        "\u{1b}[2J",
        "⚠\u{fe0f}",
        "# h\n",
        "- ",
        "> ",
    ]);
    let text = proptest::collection::vec(text, 0..20).prop_map(|parts| parts.concat());
    prop_oneof![
        4 => proptest::sample::select(keys.to_vec()).prop_map(Happening::Press),
        1 => (0u16..150, 0u16..50).prop_map(|(columns, rows)| Happening::Resize(columns, rows)),
        2 => text.clone().prop_map(|text| Happening::Delta(Delta::Text(text))),
        1 => text.clone().prop_map(|text| Happening::Delta(Delta::Reasoning(text))),
        1 => Just(Happening::Delta(Delta::ReplyStarted)),
        1 => text.clone().prop_map(Happening::Said),
        1 => text.clone().prop_map(Happening::Words),
        1 => text.prop_map(Happening::Called),
        1 => Just(Happening::Ended),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn whatever_happens_a_frame_is_drawn_and_forgetting_changes_no_cell(
        happenings in proptest::collection::vec(happening(), 1..40),
    ) {
        let mut talk = Talk::new(100, 30);
        for (index, happening) in happenings.into_iter().enumerate() {
            match happening {
                Happening::Press(keys) => talk.stage.press(keys),
                Happening::Resize(columns, rows) => talk.stage.send(Message::Resize(columns, rows)),
                Happening::Delta(delta) => talk.delta(delta),
                Happening::Said(text) => talk.said(&text),
                Happening::Words(text) => talk.words(&text),
                Happening::Called(text) => {
                    let id = format!("c{index}");
                    let display = Display::text(text.clone());
                    talk.called("tool", json!({"text": text}), result(&id, &text, &text, display));
                }
                Happening::Ended => talk.end(TurnOutcome::Finished, TurnRecap::default()),
            }
            let _ = talk.stage.buffer();
        }
        let drawn = talk.stage.buffer();
        prop_assert_eq!(&talk.stage.buffer(), &drawn);
        talk.stage.model.conversation.forget();
        prop_assert_eq!(&talk.stage.buffer(), &drawn);
    }
}

#[test]
fn what_stands_in_the_place_of_a_dropped_reply_is_drawn_anew() {
    for blank in ["", "\n\n"] {
        let mut talk = Talk::new(80, 24);
        talk.delta(Delta::Text("a reply that never was".to_owned()));
        talk.stage.paint();
        talk.words(blank);
        talk.stage.paint();
        talk.said("something else");

        let drawn = talk.stage.buffer();

        assert!(talk.stage.grid().contains("something else"));
        assert!(!talk.stage.grid().contains("never was"));
        talk.stage.model.conversation.forget();
        assert_eq!(talk.stage.buffer(), drawn);
    }
}

#[test]
fn a_new_theme_is_seen_at_once() {
    let mut stage = sample::session(80, 24);
    let before = stage.buffer();

    stage.send(Message::Reload(quarterdeck::ui::message::Reload::Theme(
        Arc::new(Theme::plain()),
    )));

    assert_ne!(stage.buffer(), before);
}

#[test]
fn a_reply_of_which_the_end_is_cut_is_read_whole_in_the_viewer() {
    let mut talk = Talk::new(80, 24);
    talk.words(&format!("{}the very end", "word ".repeat(20_000)));
    assert!(
        talk.stage
            .grid()
            .contains("bytes more: open this to read them"),
        "{}",
        talk.stage.grid()
    );

    talk.stage.press("alt+1 k enter");
    talk.stage.press("end");

    assert!(talk.stage.model.overlay.is_some());
    let grid = talk.stage.grid();
    assert!(
        grid.contains("very end") || grid.contains("the end"),
        "{grid}"
    );
}
