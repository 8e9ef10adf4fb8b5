//! `!cmd` and `/type cmd`: a command line that the person runs themselves. Nobody is asked; it ends when the person stops it, and
//! with the session.

use std::sync::Arc;

use serde_json::json;

use super::{session::state::Session, turn::call::Caller};
use crate::{
    domain::{
        ids::{AgentId, CallId},
        permission::{Level, Network},
        record::Record,
        tool::ToolCall,
    },
    engine::{event::EventKind, toolset, turn::input::Cleared},
    workspace::freshness::Freshness,
};

/// Runs the command and stores what came of it.
pub async fn run(session: Arc<Session>, command: String, shared: bool, attended: bool) {
    let number = session.next_queued();
    let call = ToolCall {
        id: CallId::new(format!("person_{number}")),
        name: "shell_execute".to_owned(),
        arguments: if attended {
            json!({ "command": command, "interactive": true })
        } else {
            json!({ "command": command })
        },
        malformed: None,
    };
    let caller = Caller {
        session: Arc::clone(&session),
        agent: AgentId::main(),
        cap: Level::Unrestricted,
        network: Network::All,
        is_person: true,
        freshness: Arc::new(Freshness::default()),
        tools: toolset::on_offer(&Default::default(), Default::default()).into(),
    };
    let begun = EventKind::PersonRuns {
        call: call.id.clone(),
        command: command.clone(),
        shared,
    };
    let _running = session.person_command();
    session.tell(&AgentId::main(), begun).await;
    let cleared = Cleared {
        arguments: call.arguments.clone(),
        places: None,
    };
    let (result, _) = caller.run(call, cleared, session.person_commands()).await;
    session.look_at_own_files().await;
    let record = Record::PersonRan {
        command,
        result,
        shared,
    };
    session.log(&AgentId::main(), record).await;
}
