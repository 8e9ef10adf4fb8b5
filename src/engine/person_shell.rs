//! `!cmd`: a command line that the person runs themselves. Nobody is asked; it ends when the person stops it, and
//! with the session.

use std::sync::Arc;

use serde_json::json;

use super::{
    session::state::Session,
    turn::{call::Caller, input::Input},
};
use crate::{
    domain::{
        ids::{AgentId, CallId},
        permission::Level,
        record::Record,
        tool::ToolCall,
    },
    engine::{event::EventKind, toolset},
    workspace::freshness::Freshness,
};

/// Runs the command and stores what came of it.
pub async fn run(session: Arc<Session>, command: String, shared: bool) {
    let number = session.next_queued();
    let call = ToolCall {
        id: CallId::new(format!("person_{number}")),
        name: "shell_execute".to_owned(),
        arguments: json!({ "command": command }),
        malformed: None,
    };
    let caller = Caller {
        session: Arc::clone(&session),
        agent: AgentId::main(),
        cap: Level::Unrestricted,
        is_person: true,
        freshness: Arc::new(Freshness::default()),
        tools: toolset::on_offer(&[], true).into(),
    };
    let begun = EventKind::PersonRuns {
        call: call.id.clone(),
        command: command.clone(),
        shared,
    };
    session.tell(&AgentId::main(), begun).await;
    let arguments = call.arguments.clone();
    let (result, _) = caller.run(call, arguments, session.person_commands()).await;
    let record = Record::PersonRan {
        command,
        result,
        shared,
    };
    store(&session, record).await;
}

/// The agent's own task stores it, so that its conversation has it at the same place as the log. An agent that has
/// ended, as the session is left, needs no conversation any more.
async fn store(session: &Session, record: Record) {
    let main = AgentId::main();
    let happened = Input::Happened(Box::new(record));
    let unsent = match session.tree.mailbox(&main) {
        Some(mailbox) => mailbox.send(happened).await.err().map(|error| error.0),
        None => Some(happened),
    };
    if let Some(Input::Happened(record)) = unsent
        && let Err(error) = session.recorder.record(&main, *record).await
    {
        session.tell_notice(error.notice()).await;
    }
}
