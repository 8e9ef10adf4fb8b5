//! While only a person's answer is awaited nothing moves: no frame is due, and none of two moments differs.

use quarterdeck::{
    domain::{
        agent::{AgentNode, AgentStatus},
        approval::ApprovalRequest,
        chat::ContentBlock,
        ids::{AgentId, TurnId},
        question::QuestionForm,
        record::ReplyEnd,
    },
    engine::event::{CallState, EventKind},
};
use serde_json::json;

use crate::support::{golden::Stage, sample, talk::Talk};

fn node(id: &str, parent: Option<&str>, status: AgentStatus) -> Box<AgentNode> {
    Box::new(AgentNode {
        id: AgentId::new(id),
        parent: parent.map(AgentId::new),
        ..sample::main_agent(status)
    })
}

fn running(tool: &str) -> AgentStatus {
    AgentStatus::Running {
        tool: tool.to_owned(),
    }
}

/// A turn runs, and this is what its agent does.
fn busy(columns: u16, rows: u16, status: AgentStatus) -> Talk {
    let mut talk = Talk::new(columns, rows);
    talk.said("run the tests");
    let turn = TurnId(1);
    talk.stage.event(
        "main",
        EventKind::Turn {
            turn,
            running: true,
        },
    );
    talk.stage
        .event("main", EventKind::Agent(node("main", None, status)));
    talk
}

/// Lets everything that is due by itself be over, and looks whether more is to come.
fn assert_still(stage: &mut Stage) {
    stage.paint();
    stage.advance(20_000);
    stage.paint();
    let (before, revision) = (stage.buffer(), stage.model.revision);
    assert_eq!(stage.model.next_tick_ms(), None, "{}", stage.grid());

    stage.advance(12_345);

    assert_eq!(stage.model.revision, revision);
    assert_eq!(stage.buffer(), before, "{}", stage.grid());
}

fn assert_moves(stage: &mut Stage) {
    stage.paint();
    stage.advance(20_000);
    assert!(stage.model.next_tick_ms().is_some(), "{}", stage.grid());
}

fn asks(stage: &mut Stage, agent: &str) {
    let request = ApprovalRequest {
        agent: AgentId::new(agent),
        ..sample::approval(1)
    };
    let (call, state) = (request.call.clone(), CallState::Asking);
    stage.event(agent, EventKind::ApprovalAsked(Box::new(request)));
    stage.event(agent, EventKind::Call { call, state });
}

/// The main agent runs a call.
fn runs(talk: &mut Talk, id: &str, name: &str) {
    let call = sample::call(id, name, json!({"description": "look"}));
    let id = call.id.clone();
    talk.reply(vec![ContentBlock::ToolCall(call)], ReplyEnd::ToolCalls);
    let state = CallState::Running;
    talk.stage
        .event("main", EventKind::Call { call: id, state });
}

#[test]
fn nothing_moves_while_an_approval_waits() {
    for (columns, rows) in [(120, 40), (80, 24), (40, 12)] {
        let mut stage = busy(columns, rows, AgentStatus::Asking).stage;
        asks(&mut stage, "main");

        assert_still(&mut stage);
        stage.check(&format!("still_approval_{columns}x{rows}"));
    }
}

#[test]
fn nothing_moves_while_a_question_waits() {
    let mut stage = busy(80, 24, running("ask_user")).stage;
    let form = QuestionForm {
        agent: AgentId::main(),
        ..sample::form(1)
    };
    let call = form.call.clone();
    stage.event("main", EventKind::QuestionAsked(Box::new(form)));
    let state = CallState::Running;
    stage.event("main", EventKind::Call { call, state });

    assert_still(&mut stage);
}

#[test]
fn nothing_moves_while_a_sub_agent_asks_and_the_others_wait_for_it() {
    let mut talk = busy(120, 40, running("agent_spawn"));
    runs(&mut talk, "s1", "agent_spawn");
    let mut stage = talk.stage;
    let child = node("scout", Some("main"), AgentStatus::Asking);
    stage.event("scout", EventKind::Agent(child));
    let queued = node("later", Some("main"), AgentStatus::Queued);
    stage.event("later", EventKind::Agent(queued));
    asks(&mut stage, "scout");

    assert_still(&mut stage);
}

#[test]
fn what_works_beside_what_waits_moves() {
    let mut talk = busy(120, 40, AgentStatus::Asking);
    asks(&mut talk.stage, "main");
    runs(&mut talk, "c2", "shell_execute");
    assert_moves(&mut talk.stage);

    let mut stage = busy(120, 40, AgentStatus::Asking).stage;
    asks(&mut stage, "main");
    let child = node("scout", Some("main"), AgentStatus::Thinking);
    stage.event("scout", EventKind::Agent(child));
    assert_moves(&mut stage);

    let mut stage = busy(120, 40, AgentStatus::Thinking).stage;
    assert_moves(&mut stage);
}
