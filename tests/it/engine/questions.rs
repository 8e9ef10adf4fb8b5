//! Questions to the person: how each end of a form reaches the model, from the main agent and from below.

use quarterdeck::{
    domain::{
        ids::AgentId,
        question::{Answer, FormOutcome},
        record::{Record, TurnOutcome},
        tool::CallStatus,
    },
    engine::{command::Command, event::EventKind},
    providers::scripted::Reply,
};
use serde_json::{Value, json};

use crate::support::bench::Bench;

fn two() -> Value {
    json!({"questions": [
        {"question": "Which?", "options": ["red", "blue"]},
        {"question": "Sure?", "type": "confirm"},
    ]})
}

#[tokio::test]
async fn only_an_answer_is_done_and_the_turn_goes_on_with_whatever_came() {
    let blue = Answer::Text {
        text: "blue".to_owned(),
    };
    let answers = vec![blue, Answer::Unanswered];
    let table = [
        (
            FormOutcome::Answered { answers },
            CallStatus::Done,
            "The user answered:\n- Which? → blue\n- Sure? → (left open)",
        ),
        (
            FormOutcome::Declined,
            CallStatus::Failed,
            "[the user declined to answer: do not ask the same thing again; go on without it or stop]",
        ),
        (
            FormOutcome::Nobody,
            CallStatus::Failed,
            "[the user cannot be asked in this mode: make a reasonable assumption, say which, and go on]",
        ),
    ];
    let mut bench = Bench::start().await;
    for (outcome, status, text) in table {
        bench.script.reply(Reply::calls("ask_user", two()));
        bench.script.reply(Reply::says("I see."));
        bench.say("paint");
        let request = bench.question().await.id;
        bench.send(Command::Answer { request, outcome });

        assert_eq!(bench.turn_over().await, TurnOutcome::Finished);

        let result = bench.results().pop().expect("a result");
        assert_eq!((result.status, result.text.as_str()), (status, text));
    }
}

#[tokio::test]
async fn a_stopped_turn_cancels_the_question_and_says_so() {
    let mut bench = Bench::start().await;
    bench.script.reply(Reply::calls("ask_user", two()));
    bench.say("go");
    let form = bench.question().await;

    bench.send(Command::Cancel { agent: form.agent });
    let outcome = bench.turn_over().await;

    assert_eq!(outcome, TurnOutcome::Cancelled);
    assert_eq!(
        bench.texts(),
        ["[the question was cancelled before the user answered]"]
    );
    let closed = bench
        .seen
        .iter()
        .any(|event| event.kind == EventKind::RequestClosed(form.id));
    assert!(closed, "the form stays open");
    let recorded = bench.records().into_iter().any(|stored| {
        stored.record
            == Record::QuestionAnswered {
                request: form.id,
                outcome: FormOutcome::Cancelled,
            }
    });
    assert!(recorded, "how the form ended is not stored");
}

#[tokio::test]
async fn two_forms_of_one_reply_are_asked_one_after_the_other() {
    let mut bench = Bench::start().await;
    let ask = |reply: Reply, question: &str| reply.call("ask_user", json!({"question": question}));
    let both = ask(ask(Reply::new(), "First?"), "Second?");
    bench.script.reply(both.tool_calls());
    bench.script.reply(Reply::says("I see."));
    bench.say("go");

    let mut order = Vec::new();
    for _ in 0..2 {
        let form = bench.question().await;
        order.push(form.questions[0].text.clone());
        bench.send(Command::Answer {
            request: form.id,
            outcome: FormOutcome::Declined,
        });
    }
    bench.turn_over().await;

    assert_eq!(order, ["First?", "Second?"]);
}

#[tokio::test]
async fn the_question_of_a_sub_agent_says_whose_it_is_and_its_answer_stays_below() {
    let mut bench = Bench::start().await;
    let spawn = json!({"prompt": "paint", "description": "painter", "agent": "painter"});
    bench
        .script
        .reply_to("main", Reply::calls("agent_spawn", spawn));
    bench
        .script
        .reply_to("painter", Reply::calls("ask_user", two()));
    bench
        .script
        .reply_to("painter", Reply::says("It is blue now."));
    bench.script.reply_to("main", Reply::says("Done."));
    bench.say("go");

    let form = bench.question().await;
    bench.send(Command::Answer {
        request: form.id,
        outcome: FormOutcome::Answered {
            answers: vec![Answer::Unanswered, Answer::Confirm { yes: true }],
        },
    });
    bench.turn_over().await;

    assert!(form.agent.as_str().starts_with("painter"), "{}", form.agent);
    assert_eq!(form.lineage.len(), 2, "{:?}", form.lineage);
    let answered: Vec<AgentId> = bench
        .seen
        .iter()
        .filter(|event| match &event.kind {
            EventKind::Recorded(stored) => match &stored.record {
                Record::Result { result } => result.text.contains("Sure? → yes"),
                _ => false,
            },
            _ => false,
        })
        .map(|event| event.agent.clone())
        .collect();
    assert_eq!(answered, [form.agent]);
}
