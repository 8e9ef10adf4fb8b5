//! An answer of the model that is saved without being written again.

use quarterdeck::{
    domain::{approval::ApprovalDecision, display::Display, permission::Mode, tool::CallStatus},
    providers::scripted::Reply,
};
use serde_json::json;

use crate::support::bench::Bench;

#[tokio::test]
async fn the_words_in_front_of_the_call_are_saved_or_else_those_of_an_earlier_turn() {
    let mut bench = Bench::start_with(|options| options.permissions.mode = Mode::Open).await;
    let save = |path: &str| Reply::calls("save_answer", json!({"path": path}));
    bench
        .script
        .reply(save("early.md"))
        .reply(Reply::says("Nothing yet."));
    bench.say("save it");
    bench.turn_over().await;
    bench.script.reply(Reply::says("# The plan\n\nOne."));
    bench.say("make a plan");
    bench.turn_over().await;
    let spoken = Reply::new()
        .text("Here it is.\n")
        .call("save_answer", json!({"path": "this.md"}))
        .tool_calls();
    bench
        .script
        .reply(save("notes/plan.md"))
        .reply(save("notes/plan.md"))
        .reply(spoken)
        .reply(Reply::says("Saved."));
    bench.say("save the plan");
    bench.turn_over().await;

    let results = bench.results();
    let told: Vec<(CallStatus, &str)> = results
        .iter()
        .map(|result| (result.status, result.text.as_str()))
        .collect();
    assert_eq!(
        told,
        [
            (
                CallStatus::Failed,
                "[save_answer: there is no answer to save yet — write the answer in your reply first, then call \
                 save_answer with the file name]"
            ),
            (
                CallStatus::Done,
                "saved the previous answer to notes/plan.md (17 bytes), starting with: # The plan"
            ),
            (
                CallStatus::Failed,
                "[save_answer: notes/plan.md already exists — nothing was written. Pick another name, or ask the user]"
            ),
            (
                CallStatus::Done,
                "saved this answer to this.md (12 bytes), starting with: Here it is."
            ),
        ]
    );
    let saved = std::fs::read_to_string(bench.folder.join("notes/plan.md"));
    assert_eq!(saved.unwrap(), "# The plan\n\nOne.\n");
}

#[tokio::test]
async fn saving_is_asked_about_with_what_would_be_written_and_a_rejection_writes_nothing() {
    let mut bench = Bench::start_with(|options| options.permissions.mode = Mode::Strict).await;
    bench.file("taken.bin", "\0");
    let save = |path: &str| {
        Reply::new()
            .text("Ships sail.")
            .call("save_answer", json!({"path": path}))
            .tool_calls()
    };
    for path in ["taken.bin", "../outside.md", "ships.md"] {
        bench.script.reply(save(path));
    }
    bench.script.reply(Reply::says("Well."));
    bench.say("save it");

    let request = bench.approval().await;
    bench.decide(&request, ApprovalDecision::Reject { words: None });
    bench.turn_over().await;

    assert_eq!(request.tool, "save_answer");
    assert_eq!(request.subject, "ships.md");
    let Some(Display::Diff(shown)) = &request.preview else {
        panic!("{:?}", request.preview);
    };
    assert!(format!("{shown:?}").contains("Ships sail."), "{shown:?}");
    let results = bench.results();
    let statuses: Vec<CallStatus> = results.iter().map(|result| result.status).collect();
    assert_eq!(
        statuses,
        [CallStatus::Failed, CallStatus::Refused, CallStatus::Refused]
    );
    assert!(results[0].text.contains("taken.bin already exists"));
    assert!(!bench.folder.join("ships.md").exists());
}
