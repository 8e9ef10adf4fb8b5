//! Telling the front end of state that several places change.

use super::{permissions::Configured, rules, state::Session};
use crate::{
    domain::{
        agent::AgentNode,
        checklist::Checklist,
        ids::AgentId,
        notice::Notice,
        permission::Grant,
        record::{Record, Speaker},
    },
    engine::{event::EventKind, toolset, turn::input::Input},
    store::StoreError,
};

impl Session {
    /// Takes over what another reading of the configuration says.
    pub async fn configure(&self, configured: Configured) {
        let before = self.permissions.declared();
        self.permissions.configure(configured);
        if before != self.permissions.declared() {
            self.tell_declared().await;
        }
    }

    /// Tells which tools the configuration adds.
    pub async fn tell_declared(&self) {
        let configured = self.permissions.configured();
        let is_on = |name: &str| toolset::why_off(&configured, name).is_none();
        let tools = configured.declared.iter();
        let told = tools
            .filter(|tool| is_on(&tool.name))
            .map(|tool| {
                let first = tool.description.lines().next().unwrap_or_default();
                (tool.name.clone(), first.to_owned())
            })
            .collect();
        self.tell(&AgentId::main(), EventKind::Declared(told)).await;
    }

    /// Stores a record by the agent's own task, so that its conversation has it at the same place as the log, and what
    /// cannot be stored at once is stored before anything that comes later. An agent that has ended, as the session is
    /// left, needs no conversation any more.
    pub async fn log(&self, agent: &AgentId, record: Record) {
        let happened = Input::Happened(Box::new(record));
        let unsent = match self.tree.mailbox(agent) {
            Some(mailbox) => mailbox.send(happened).await.err().map(|error| error.0),
            None => Some(happened),
        };
        if let Some(Input::Happened(record)) = unsent
            && let Err(error) = self.recorder.record(agent, *record).await
        {
            self.tell_notice(error.notice()).await;
        }
    }

    /// Tells all scratchpad entries.
    pub async fn tell_scratchpad(&self) {
        match self.store.scratchpad_list(&self.id, None).await {
            Ok(entries) => {
                self.tell(&AgentId::main(), EventKind::Scratchpad(entries))
                    .await;
            }
            Err(error) => {
                self.tell_notice(Notice::error(format!(
                    "the scratchpad cannot be read: {error}"
                )))
                .await;
            }
        }
    }

    /// Stores and tells a checklist as it now is.
    pub async fn record_checklist(
        &self,
        agent: &AgentId,
        checklist: Checklist,
        speaker: Speaker,
    ) -> Result<(), StoreError> {
        self.recorder
            .record(
                agent,
                Record::ChecklistChanged {
                    checklist: checklist.clone(),
                    speaker,
                    change: String::new(),
                },
            )
            .await?;
        self.tell(
            agent,
            EventKind::Checklist {
                checklist,
                nudges: 0,
            },
        )
        .await;
        Ok(())
    }

    /// Changes what the tree shows of an agent and tells it when something changed.
    pub async fn change_node(&self, agent: &AgentId, change: impl FnOnce(&mut AgentNode)) {
        if let Some(node) = self.tree.change_node(agent, change) {
            self.tell(agent, EventKind::Agent(Box::new(node))).await;
        }
    }

    /// Says something outside the chat.
    pub async fn tell_notice(&self, notice: Notice) {
        self.tell(&AgentId::main(), EventKind::Notice(notice)).await;
    }

    /// Stores and tells the settings as they now are.
    pub async fn tell_settings(&self) {
        let settings = self.settings();
        let record = Record::SettingsChanged {
            settings: settings.clone(),
        };
        self.log(&AgentId::main(), record).await;
        self.tell(&AgentId::main(), EventKind::Settings(settings))
            .await;
    }

    /// Stores and tells changes of grants: (grant, taken back).
    pub async fn tell_grants(&self, changes: Vec<(Grant, bool)>) {
        if let Err(error) = rules::keep(self, &changes).await {
            let text = format!("what you decided holds in this session only: {error}");
            self.tell_notice(Notice::error(text)).await;
        }
        for (grant, revoked) in changes {
            let record = Record::Granted { grant, revoked };
            self.log(&AgentId::main(), record).await;
        }
        self.tell_standing_grants().await;
    }

    /// What was answered for a turn of this agent holds no longer.
    pub async fn end_answers_of_turn(&self, agent: &AgentId) {
        if self.permissions.end_turn(agent) {
            self.tell_standing_grants().await;
        }
    }

    /// Tells the grants that hold.
    pub async fn tell_standing_grants(&self) {
        self.tell(
            &AgentId::main(),
            EventKind::Grants(self.permissions.grants()),
        )
        .await;
    }
}
