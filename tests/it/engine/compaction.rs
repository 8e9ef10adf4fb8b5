//! Room in the window: who makes it, what stays, and that nothing is lost.

use quarterdeck::{
    domain::{
        chat::{ChatMessage, ContentBlock, Role},
        ids::AgentId,
        record::{Record, ReplyEnd, TurnOutcome},
        window::{Compacting, Compaction, CompactionBy, WindowChange, WindowEdit},
    },
    engine::{
        command::{Command, WindowCommand},
        event::{EventKind, Fetched},
        options::EngineOptions,
    },
    providers::{
        contract::{ChatRequest, FinishReason},
        error::{Fault, ProviderError},
        scripted::{Gate, Reply},
    },
};
use serde_json::{Value, json};

use crate::support::bench::Bench;

/// More than nine tenths of the window that the bench has.
const FULL: u64 = 90_000;

fn by_request(options: &mut EngineOptions) {
    options.bounds.checkpoint = false;
}

fn long(word: &str) -> String {
    format!("{word} ").repeat(6_000)
}

/// The words and results of a request, message by message.
fn told(request: &ChatRequest) -> Vec<String> {
    let block = |block: &ContentBlock| match block {
        ContentBlock::Text { text } => text.clone(),
        ContentBlock::ToolResult(result) => format!("result: {}", result.text),
        ContentBlock::ToolCall(call) => format!("call: {}", call.name),
        ContentBlock::Reasoning { text } => text.clone(),
    };
    let message = |message: &ChatMessage| {
        let blocks: Vec<String> = message.blocks.iter().map(block).collect();
        blocks.join("\n")
    };
    request.messages.iter().map(message).collect()
}

fn compactions(bench: &Bench) -> Vec<Compaction> {
    let records = bench.records().into_iter();
    records
        .filter_map(|stored| match stored.record {
            Record::Compacted { compaction } => Some(compaction),
            _ => None,
        })
        .collect()
}

fn stages(bench: &Bench) -> Vec<String> {
    let records = bench.records().into_iter();
    records
        .filter_map(|stored| match stored.record {
            Record::StageDirection { text, .. } => Some(text),
            _ => None,
        })
        .collect()
}

fn window(bench: &Bench, command: WindowCommand) {
    bench.send(Command::Window {
        agent: AgentId::main(),
        command,
    });
}

async fn compacted(bench: &mut Bench) -> Compaction {
    bench
        .until("a compaction", |event| {
            matches!(&event.kind, EventKind::Recorded(stored) if matches!(stored.record, Record::Compacted { .. }))
        })
        .await;
    compactions(bench).pop().expect("a compaction")
}

/// A call by a step that used so many tokens.
fn used(tokens: u64, name: &str, arguments: Value) -> Reply {
    Reply::new()
        .usage(tokens, 0, 10)
        .call(name, arguments)
        .tool_calls()
}

fn call(name: &str, arguments: Value) -> Reply {
    Reply::calls(name, arguments)
}

#[tokio::test]
async fn at_the_ceiling_the_agent_saves_and_summarises_and_the_turn_goes_on() {
    let mut bench = Bench::start().await;
    let script = bench.script.clone();
    script.reply(used(FULL, "checklist_add", json!({"items": ["keep me"]})));
    script.reply(call("shell_execute", json!({"command": "touch made"})));
    script.reply(call(
        "scratchpad_write",
        json!({"name": "notes", "content": "word for word"}),
    ));
    script.reply(call(
        "context_replace",
        json!({"summary": "We add a retry to fetcher.rs."}),
    ));
    script.reply(used(
        9_000,
        "checklist_edit",
        json!({"id": 1, "status": "completed"}),
    ));
    script.reply(Reply::says("Done."));
    bench.say(&format!("never touch main.rs. {}", long("words")));

    let outcome = bench.turn_over().await;

    assert_eq!(outcome, TurnOutcome::Finished);
    let compaction = compactions(&bench).pop().expect("a compaction");
    assert_eq!(compaction.by, CompactionBy::Agent);
    assert!(compaction.after * 2 < compaction.before, "{compaction:?}");
    assert!(!bench.folder.join("made").exists());
    assert!(
        bench
            .texts()
            .iter()
            .any(|text| text.starts_with("[shell_execute does not run now"))
    );
    let requests = script.requests();
    let asked = told(&requests[1]).pop().expect("a message");
    assert!(asked.contains("[making room]"), "{asked}");
    let after = told(&requests[4]);
    assert!(
        after[0].contains("We add a retry to fetcher.rs."),
        "{after:?}"
    );
    assert!(after[0].contains("1. [pending] keep me"), "{after:?}");
    assert!(after[0].contains("> never touch main.rs."), "{after:?}");
    assert!(after[0].contains("Working directory:"), "{after:?}");
    assert!(!after.concat().contains("[making room]"));
    assert_eq!(
        requests[4].messages.last().map(|last| last.role),
        Some(Role::User)
    );
    for request in &requests {
        assert_eq!(request.tools, requests[0].tools);
        assert_eq!(request.system, requests[0].system);
    }
}

#[tokio::test]
async fn a_checkpoint_without_a_summary_ends_in_a_request_for_one() {
    let mut bench = Bench::start().await;
    let script = bench.script.clone();
    script.reply(used(FULL, "checklist_read", json!({})));
    script.reply(Reply::says("I will not."));
    script.reply(
        Reply::new()
            .usage(40_000, 0, 50)
            .text("## Facts\nIt was long.")
            .stop(),
    );
    script.reply(Reply::says("On it."));
    bench.say(&long("words"));

    assert_eq!(bench.turn_over().await, TurnOutcome::Finished);

    let compaction = compactions(&bench).pop().expect("a compaction");
    assert_eq!(compaction.by, CompactionBy::Summarizer);
    assert_eq!(compaction.usage.input, 40_000);
    let requests = script.requests();
    assert!(requests[2].tools.is_empty());
    assert!(told(&requests[2])[0].contains("<tool_result>"));
    assert!(!told(&requests[2])[0].contains("[making room]"));
    assert!(told(&requests[3])[0].contains("It was long."));
}

#[tokio::test]
async fn a_full_window_that_the_provider_names_is_made_room_in_once() {
    let mut bench = Bench::start_with(by_request).await;
    let script = bench.script.clone();
    let full = || Reply::refused(ProviderError::new(Fault::WindowFull, "too many tokens"));
    script.reply(full());
    script.reply(Reply::says("a summary"));
    script.reply(Reply::says("Here I am."));
    bench.say(&long("words"));

    assert_eq!(bench.turn_over().await, TurnOutcome::Finished);
    assert_eq!(compactions(&bench).len(), 1);
    assert!(
        stages(&bench)
            .iter()
            .any(|text| text == "too many tokens: room is being made")
    );

    script.reply(full());
    script.reply(Reply::says("another"));
    script.reply(full());
    bench.say(&long("more"));
    let TurnOutcome::Failed { reason } = bench.turn_over().await else {
        panic!("it went on");
    };
    assert_eq!(
        reason,
        "too many tokens; make room with /compact, or use a model with a larger window"
    );
    assert_eq!(script.left(), 0);
}

#[tokio::test]
async fn without_a_summary_by_the_model_the_program_cuts() {
    for reply in [
        Reply::refused(ProviderError::new(Fault::Unauthorized, "no key")),
        Reply::says("   "),
        Reply::new()
            .text("cut of")
            .finish(FinishReason::OutputLimit),
        Reply::says(long("endless")),
    ] {
        let mut bench = Bench::start_with(by_request).await;
        let script = bench.script.clone();
        script.reply(used(FULL, "checklist_read", json!({})));
        script.reply(reply);
        script.reply(Reply::says("On it."));
        bench.say(&format!("{} and the end", long("words")));

        assert_eq!(bench.turn_over().await, TurnOutcome::Finished);

        let compaction = compactions(&bench).pop().expect("a compaction");
        assert_eq!(compaction.by, CompactionBy::Cut);
        assert!(compaction.summary.contains("- agent called checklist_read"));
        assert!(
            stages(&bench)
                .iter()
                .any(|text| text.starts_with("no summary by the model: "))
        );
    }
}

#[tokio::test]
async fn what_later_outputs_replace_goes_first_and_may_be_enough() {
    let mut bench = Bench::start().await;
    let script = bench.script.clone();
    bench.file("a.txt", &"a line of a file\n".repeat(1_500));
    script.reply(call("file_read", json!({"path": "a.txt"})));
    script.reply(used(FULL, "file_read", json!({"path": "a.txt"})));
    script.reply(Reply::says("Read."));
    bench.say("read it twice");

    bench.turn_over().await;

    assert_eq!(compactions(&bench), []);
    let after = told(&script.requests()[2]);
    assert!(
        after[2].starts_with("result: [left out of the window: "),
        "{}",
        after[2]
    );
    assert!(after[4].contains("a line of a file"));
}

#[tokio::test]
async fn reminding_and_never_leave_the_window_as_it_is() {
    for (compacting, reminds) in [(Compacting::Remind, true), (Compacting::Never, false)] {
        let mut bench = Bench::start_with(|options| options.bounds.compacting = compacting).await;
        bench.script.reply(used(FULL, "checklist_read", json!({})));
        bench.script.reply(used(FULL, "checklist_read", json!({})));
        bench.script.reply(Reply::says("On it."));
        bench.say("go");

        bench.turn_over().await;

        let told = stages(&bench);
        let count = told
            .iter()
            .filter(|text| text.contains("/compact makes room"))
            .count();
        assert_eq!(count, usize::from(reminds), "{told:?}");
        assert_eq!(compactions(&bench), []);
    }
}

#[tokio::test]
async fn the_person_makes_room_and_takes_it_back() {
    let mut bench = Bench::start().await;
    let script = bench.script.clone();
    script.reply(Reply::says(long("answer")));
    bench.say("a question");
    bench.turn_over().await;
    script.reply(Reply::says("They talked."));
    window(&bench, WindowCommand::Compact("the question".to_owned()));
    let compaction = compacted(&mut bench).await;
    assert!(compaction.summary.contains("They talked."));
    let asked = told(&script.requests()[1]);
    assert!(asked[0].ends_with("What matters most to the person: the question"));
    script.reply(Reply::says("Short."));
    bench.say("go on");
    bench.turn_over().await;
    let short = told(&script.requests()[2]);

    window(&bench, WindowCommand::Edit(WindowEdit::Uncompact));
    script.reply(Reply::says("Long again."));
    bench.say("and now");
    bench.turn_over().await;
    let long_again = told(&script.requests()[3]);

    assert!(!short.concat().contains("answer answer"), "{short:?}");
    assert!(long_again[1].starts_with("answer answer"), "{long_again:?}");
    let mut bench = bench.restart().await;
    script.reply(Reply::says("Still."));
    bench.say("after a restart");
    bench.turn_over().await;
    let restarted = told(&script.requests()[4]);
    assert_eq!(
        restarted[..long_again.len() - 1],
        long_again[..long_again.len() - 1]
    );
}

#[tokio::test]
async fn a_session_that_is_opened_again_has_the_window_that_was_left() {
    let mut bench = Bench::start_with(by_request).await;
    let script = bench.script.clone();
    script.reply(used(FULL, "checklist_read", json!({})));
    script.reply(Reply::says("a summary"));
    script.reply(Reply::says("On it."));
    bench.say(&long("words"));
    bench.turn_over().await;
    let before = told(&script.requests()[2]);

    let mut bench = bench.restart().await;
    script.reply(Reply::says("Back."));
    bench.say("go on");
    bench.turn_over().await;

    let after = told(&script.requests()[3]);
    assert_eq!(after[0], before[0]);
    assert_eq!(after[1], "On it.");
}

#[tokio::test]
async fn words_that_come_while_a_summary_is_written_stay() {
    let mut bench = Bench::start().await;
    let script = bench.script.clone();
    let gate = Gate::new();
    script.reply(used(FULL, "checklist_read", json!({})));
    script.reply(
        Reply::new()
            .gate(&gate)
            .call("scratchpad_list", json!({}))
            .tool_calls(),
    );
    script.reply(call("context_replace", json!({"summary": "so far"})));
    script.reply(Reply::says("Seen."));
    bench.say(&long("words"));
    asks_for_room(&mut bench).await;
    bench.say("and mind the gap");
    bench
        .until(
            "the words wait",
            |event| matches!(&event.kind, EventKind::Queue(queue) if !queue.is_empty()),
        )
        .await;
    gate.open();

    bench.turn_over().await;

    let after = told(&script.requests()[3]);
    assert!(after.concat().contains("and mind the gap"), "{after:?}");
}

#[tokio::test]
async fn stopping_stops_the_request_for_a_summary() {
    let mut bench = Bench::start_with(by_request).await;
    let script = bench.script.clone();
    let gate = Gate::new();
    script.reply(used(FULL, "checklist_read", json!({})));
    script.reply(Reply::new().text("sum").gate(&gate).text("mary").stop());
    bench.say(&long("words"));
    bench
        .until("the summary is asked for", |_| script.requests().len() == 2)
        .await;

    bench.send(Command::Cancel {
        agent: AgentId::main(),
    });

    assert_eq!(bench.turn_over().await, TurnOutcome::Cancelled);
    assert_eq!(compactions(&bench), []);
    script.reply(Reply::says("Again."));
    script.reply(Reply::says("Here."));
    bench.say("go on");
    assert_eq!(bench.turn_over().await, TurnOutcome::Finished);
    assert_eq!(script.open_streams(), 0);
}

#[tokio::test]
async fn a_part_is_left_out_pinned_and_put_back_by_the_person() {
    let mut bench = Bench::start_with(by_request).await;
    let script = bench.script.clone();
    bench.file("a.txt", &"the line\n".repeat(300));
    script.reply(call("file_read", json!({"path": "a.txt"})));
    script.reply(Reply::says("Read."));
    bench.say(&format!("read a.txt {}", long("words")));
    bench.turn_over().await;
    let output = bench
        .records()
        .into_iter()
        .find(|stored| matches!(stored.record, Record::Result { .. }))
        .map(|stored| stored.sequence)
        .expect("a result");
    let edit = |change| WindowCommand::Edit(WindowEdit::Change(vec![output], change));

    window(&bench, edit(WindowChange::Dropped));
    window(&bench, edit(WindowChange::Pinned));
    let event = bench
        .until("the window with both", |event| {
            matches!(&event.kind, EventKind::Fetched(Fetched::Window(items)) if items.iter().any(|item| item.is_pinned))
        })
        .await;
    let EventKind::Fetched(Fetched::Window(items)) = event.kind else {
        panic!("not the window");
    };
    let item = items.iter().find(|item| item.sequence == Some(output));
    assert!(item.is_some_and(|item| item.is_dropped && item.is_pinned));
    window(&bench, edit(WindowChange::Restored));
    script.reply(Reply::says("a summary"));
    window(&bench, WindowCommand::Compact(String::new()));
    compacted(&mut bench).await;
    script.reply(Reply::says("Kept."));
    bench.say("still there?");
    bench.turn_over().await;

    let last = told(script.requests().last().expect("a request"));
    assert!(last.concat().contains("result: "), "{last:?}");
    assert!(last.concat().contains("the line"), "{last:?}");
    let replies = bench.records().into_iter().filter(
        |stored| matches!(&stored.record, Record::Reply { end, .. } if *end == ReplyEnd::Complete),
    );
    assert_eq!(replies.count(), 2);
}

#[tokio::test]
async fn an_agent_asks_for_room_and_gets_it_once_in_a_turn() {
    let mut bench = Bench::start_with(by_request).await;
    let script = bench.script.clone();
    let ask = || {
        call(
            "context_compact",
            json!({"instructions": "keep the paths", "keep_recent": false}),
        )
    };
    script.reply(ask());
    script.reply(Reply::says("a summary"));
    script.reply(ask());
    script.reply(Reply::says("Done."));
    bench.say(&long("words"));

    bench.turn_over().await;

    let compactions = compactions(&bench);
    assert_eq!(compactions.len(), 1);
    assert_eq!(compactions[0].kept, []);
    let asked = told(&script.requests()[1]);
    assert!(asked[0].ends_with("What matters most to the person: keep the paths"));
    assert!(told(&script.requests()[2])[0].contains("a summary"));
    assert_eq!(script.left(), 0);
}

#[tokio::test]
async fn a_summary_that_nobody_asked_for_is_refused() {
    let mut bench = Bench::start().await;
    let script = bench.script.clone();
    script.reply(
        Reply::new()
            .call("context_replace", json!({"summary": "all is well"}))
            .call("context_replace", json!({"summary": " "}))
            .tool_calls(),
    );
    script.reply(Reply::says("Done."));
    bench.say("go");

    bench.turn_over().await;

    assert_eq!(
        bench.texts(),
        [
            "context_replace: `summary` is blank; it must be text",
            "no summary is wanted now: context_compact asks for room in the window"
        ]
    );
    assert_eq!(compactions(&bench), []);
}

async fn asks_for_room(bench: &mut Bench) {
    bench
        .until("the checkpoint", |event| {
            matches!(&event.kind, EventKind::Recorded(stored)
                if matches!(&stored.record, Record::ContextNote { text } if text.contains("[making room]")))
        })
        .await;
}

#[tokio::test]
async fn a_stopped_turn_leaves_no_checkpoint_behind() {
    let mut bench = Bench::start().await;
    let script = bench.script.clone();
    let gate = Gate::new();
    script.reply(Reply::says(long("answer")));
    bench.say("a question");
    bench.turn_over().await;
    script.reply(used(FULL, "checklist_read", json!({})));
    script.reply(Reply::new().text("so").gate(&gate).text("far").stop());
    bench.say("go");
    asks_for_room(&mut bench).await;
    bench.send(Command::Cancel {
        agent: AgentId::main(),
    });
    assert_eq!(bench.turn_over().await, TurnOutcome::Cancelled);

    script.reply(call("scratchpad_delete", json!({"name": "none"})));
    script.reply(Reply::says("Done."));
    bench.say("delete a note");
    assert_eq!(bench.turn_over().await, TurnOutcome::Finished);

    assert_eq!(compactions(&bench), []);
    let said = bench.texts();
    assert!(
        !said.iter().any(|text| text.contains("does not run now")),
        "{said:?}"
    );
    script.reply(Reply::says("They talked."));
    window(&bench, WindowCommand::Compact(String::new()));
    compacted(&mut bench).await;
    window(&bench, WindowCommand::Edit(WindowEdit::Uncompact));
    bench
        .until("the undone compaction", |event| {
            matches!(&event.kind, EventKind::Recorded(stored)
                if matches!(stored.record, Record::CompactionUndone { .. }))
        })
        .await;
}

#[tokio::test]
async fn a_compaction_that_cannot_be_stored_ends_the_turn_and_nothing_more_is_sent() {
    for by_agent in [true, false] {
        let mut bench = Bench::start_with(|options| options.bounds.checkpoint = by_agent).await;
        let script = bench.script.clone();
        script.reply(used(FULL, "checklist_read", json!({})));
        script.reply(if by_agent {
            call("context_replace", json!({"summary": "so far"}))
        } else {
            Reply::says("so far")
        });
        bench.break_store("NEW.body LIKE '%\"compacted\"%'");
        bench.say(&long("words"));
        bench
            .until("the end of the turn", |event| {
                matches!(event.kind, EventKind::Turn { running: false, .. })
            })
            .await;
        assert_eq!(script.requests().len(), 2);

        bench.mend_store();
        script.reply(Reply::says("Here."));
        bench.say("go on");
        assert!(matches!(
            bench.turn_over().await,
            TurnOutcome::Failed { .. }
        ));
        assert_eq!(bench.turn_over().await, TurnOutcome::Finished);
        assert_eq!(compactions(&bench).len(), 1);
        let last = told(script.requests().last().expect("a request"));
        assert!(last[0].contains("so far"), "{last:?}");
    }
}

#[tokio::test]
async fn a_request_for_a_checkpoint_that_cannot_be_stored_ends_the_turn() {
    let mut bench = Bench::start().await;
    let script = bench.script.clone();
    script.reply(used(FULL, "checklist_read", json!({})));
    bench.break_store("NEW.body LIKE '%the agent writes a summary%'");
    bench.say(&long("words"));
    bench
        .until("the end of the turn", |event| {
            matches!(event.kind, EventKind::Turn { running: false, .. })
        })
        .await;

    assert_eq!(script.requests().len(), 1);
}

#[tokio::test]
async fn a_summary_that_was_stopped_does_not_stand_in_for_the_next_one() {
    let mut bench = Bench::start().await;
    let script = bench.script.clone();
    let gate = Gate::new();
    script.reply(Reply::says(long("answer")));
    bench.say("a question");
    bench.turn_over().await;
    script.reply(Reply::new().text("the first").gate(&gate).stop());
    script.reply(Reply::says("the second"));
    window(&bench, WindowCommand::Compact(String::new()));
    while script.requests().len() < 2 {
        tokio::task::yield_now().await;
    }

    bench.send(Command::Cancel {
        agent: AgentId::main(),
    });
    window(&bench, WindowCommand::Compact(String::new()));
    let compaction = compacted(&mut bench).await;

    assert_eq!(compaction.by, CompactionBy::Summarizer);
    assert!(compaction.summary.contains("the second"));
}

#[tokio::test]
async fn what_is_being_summarised_is_not_put_back_meanwhile() {
    let mut bench = Bench::start().await;
    let script = bench.script.clone();
    let gate = Gate::new();
    script.reply(Reply::says(long("answer")));
    bench.say("a question");
    bench.turn_over().await;
    script.reply(Reply::says("They talked."));
    window(&bench, WindowCommand::Compact(String::new()));
    compacted(&mut bench).await;
    script.reply(Reply::says(long("more")));
    bench.say("more");
    bench.turn_over().await;
    script.reply(Reply::new().text("again").gate(&gate).stop());
    window(&bench, WindowCommand::Compact(String::new()));
    while script.requests().len() < 4 {
        tokio::task::yield_now().await;
    }

    window(&bench, WindowCommand::Edit(WindowEdit::Uncompact));
    let event = bench
        .until("a word about it", |event| {
            matches!(&event.kind, EventKind::Notice(_))
                || matches!(&event.kind, EventKind::Recorded(stored)
                    if matches!(stored.record, Record::CompactionUndone { .. }))
        })
        .await;

    assert!(
        matches!(&event.kind, EventKind::Notice(notice) if notice.text.contains("stop it first")),
        "{event:?}"
    );
}
