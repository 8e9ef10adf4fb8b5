//! What becomes of the calls of one reply when rules change around them.

use serde_json::json;

use super::*;
use crate::tools::contract::Concurrency;

fn batch(ids: &[&str]) -> Batch {
    let calls = ids
        .iter()
        .map(|id| ToolCall {
            id: CallId::new(id),
            name: "file_write".to_owned(),
            arguments: json!({"path": "a"}),
            malformed: None,
        })
        .collect();
    Batch::start(calls, Watch::default()).0
}

fn run() -> CallVerdict {
    CallVerdict::run(json!({"path": "a"}), Concurrency::Exclusive)
}

fn ask(number: u64, call: &str) -> CallVerdict {
    CallVerdict::ask(number, &CallId::new(call), "shown")
}

/// What is judged, run, asked and recorded, in short.
fn short(effects: &[Effect]) -> Vec<String> {
    effects
        .iter()
        .filter_map(|effect| match effect {
            Effect::Judge { call, said } => Some(format!("judge {} {:?}", call.id, said.approval)),
            Effect::Run { call, .. } => Some(format!("run {}", call.id)),
            Effect::Ask(request) => Some(format!("ask {}", request.id)),
            Effect::Withdraw(call) => Some(format!("withdraw {call}")),
            Effect::Record(record) => match &**record {
                Record::ApprovalDecided { request, decision } => {
                    Some(format!("decided {request} {decision:?}"))
                }
                Record::Result { result } => Some(format!("result {}", result.call)),
                _ => None,
            },
            _ => None,
        })
        .collect()
}

fn judged(batch: &mut Batch, call: &str, verdict: CallVerdict) -> Vec<String> {
    let (effects, _) = batch.judged(&CallId::new(call), verdict, &mut Loops::default());
    short(&effects)
}

fn decided(batch: &mut Batch, call: &str, number: u64, decision: ApprovalDecision) -> Vec<String> {
    let id = RequestId(number);
    short(
        &batch
            .decided(&CallId::new(call), id, decision, &mut Loops::default())
            .0,
    )
}

#[test]
fn a_call_held_behind_an_approval_is_judged_by_the_rules_that_hold_when_it_starts() {
    let mut batch = batch(&["a", "b"]);
    judged(&mut batch, "a", ask(1, "a"));
    judged(&mut batch, "b", run());

    let changed = short(&batch.rules_changed());
    judged(&mut batch, "a", ask(2, "a"));
    let rejected = decided(&mut batch, "a", 2, ApprovalDecision::Reject { words: None });
    let refused = judged(&mut batch, "b", CallVerdict::Refuse("read only".to_owned()));

    assert_eq!(
        changed,
        [
            "decided 1 Withdrawn",
            "withdraw a",
            "judge a None",
            "judge b None"
        ]
    );
    assert_eq!(rejected, ["decided 2 Reject { words: None }", "result a"]);
    assert_eq!(refused, ["result b"]);
    assert!(batch.is_over());
}

#[test]
fn a_verdict_on_its_way_while_rules_change_is_void() {
    let mut batch = batch(&["a"]);
    assert_eq!(short(&batch.rules_changed()), Vec::<String>::new());

    let void = judged(&mut batch, "a", run());
    let valid = judged(&mut batch, "a", run());

    assert_eq!(void, ["judge a None"]);
    assert_eq!(valid, ["run a"]);
}

#[test]
fn what_was_allowed_once_stays_allowed_while_it_is_held() {
    let mut batch = batch(&["a", "b"]);
    judged(&mut batch, "a", ask(1, "a"));
    judged(&mut batch, "b", ask(2, "b"));
    decided(&mut batch, "b", 2, ApprovalDecision::Once);
    judged(&mut batch, "b", run());

    let changed = short(&batch.rules_changed());

    assert_eq!(
        changed,
        [
            "decided 1 Withdrawn",
            "withdraw a",
            "judge a None",
            "judge b Hash(\"shown\")"
        ]
    );
}

#[test]
fn an_answer_that_is_a_rule_holds_before_another_call_starts() {
    let mut batch = batch(&["a", "b"]);
    judged(&mut batch, "a", ask(1, "a"));
    judged(&mut batch, "b", run());

    let never = decided(&mut batch, "a", 1, ApprovalDecision::Never);

    assert_eq!(never, ["decided 1 Never", "result a", "judge b None"]);
}

#[test]
fn a_request_that_nobody_will_answer_is_recorded_as_withdrawn() {
    let mut batch = batch(&["a"]);
    judged(&mut batch, "a", ask(1, "a"));

    let stopped = short(&batch.stop());

    assert_eq!(stopped, ["decided 1 Withdrawn", "withdraw a", "result a"]);
}

#[test]
fn a_call_that_never_runs_counts_for_the_loop_detector() {
    let mut loops = Loops::default();
    let unknown = || CallVerdict::Fail("there is no tool named foo".to_owned());
    let mut seen = Vec::new();
    for _ in 0..loops::STOPPED_AFTER {
        let mut batch = batch(&["a"]);
        let (effects, after) = batch.judged(&CallId::new("a"), unknown(), &mut loops);
        let text = effects.iter().find_map(|effect| match effect {
            Effect::Record(record) => match &**record {
                Record::Result { result } => Some(result.text.clone()),
                _ => None,
            },
            _ => None,
        });
        seen.push((text.is_some_and(|text| text.contains("[loop:")), after));
    }

    let told: Vec<bool> = seen.iter().map(|(told, _)| *told).collect();
    assert_eq!(told, [false, false, true, true, true, false]);
    assert!(matches!(seen.last(), Some((_, After::Endless(_)))));
    assert!(seen[..5].iter().all(|(_, after)| *after == After::GoOn));
}

#[test]
fn the_person_is_asked_in_the_order_of_the_calls() {
    let mut batch = batch(&["a", "b", "c"]);

    let third = judged(&mut batch, "c", ask(1, "c"));
    let first = judged(&mut batch, "a", ask(2, "a"));
    let second = judged(&mut batch, "b", ask(3, "b"));

    assert_eq!(third, Vec::<String>::new());
    assert_eq!(first, ["ask 2"]);
    assert_eq!(second, ["ask 3", "ask 1"]);
}

#[test]
fn what_was_not_asked_yet_is_not_taken_back() {
    let mut batch = batch(&["a", "b"]);
    judged(&mut batch, "b", ask(1, "b"));

    assert_eq!(short(&batch.stop()), ["result a", "result b"]);
}

#[test]
fn what_the_person_took_out_of_a_list_is_told() {
    let asked = json!({"path": "a", "edits": [{"old": "1"}, {"old": "2"}]});

    let told = left_out(&asked, &json!({"path": "a", "edits": [{"old": "2"}]}));

    assert_eq!(told, r#"; 1 of edits left out: [{"old":"1"}]"#);
    assert_eq!(left_out(&asked, &asked), "");
    assert_eq!(
        left_out(&asked, &json!({"path": "b", "edits": [{"old": "3"}]})),
        ""
    );
}
