//! What tools can ask of the engine.

use std::{path::PathBuf, sync::Arc};

use futures::future::BoxFuture;
use tokio_util::sync::CancellationToken;

use super::{
    agents::spawn,
    event::{CallState, Delta, EventKind},
    outputs::{
        answer,
        lending::{self, lender, read_only},
    },
    session::state::Session,
    toolset,
    turn::{call::Caller, inner::InnerCalls},
};
use crate::{
    domain::{
        agent::{AgentNode, Authority},
        agent_policy::AgentTypes,
        artifact::Address,
        checklist::Checklist,
        goal::Goal,
        ids::{AgentId, CallId},
        model_info::Unloaded,
        question::{FormOutcome, Question, QuestionForm},
        record::{Record, Speaker},
        scratchpad::{ScratchpadEntry, ScratchpadInfo, ScratchpadOrigin},
        window::ContextGauge,
    },
    process::terminal::Keyboard,
    store::StoreError,
    tools::{
        error::ToolError,
        host::{ChecklistEdit, GivenAnswer, Host, InnerCall, SpawnReport, SpawnRequest},
    },
};

/// The engine as tools see it.
pub struct EngineHost {
    session: Arc<Session>,
    /// Makes calls for a running call; nothing where none can run.
    inner: Option<InnerCalls>,
}

impl EngineHost {
    /// A host over a session.
    pub fn new(session: Arc<Session>) -> Self {
        let inner = None;
        Self { session, inner }
    }

    /// The same for a call of this caller.
    pub fn of(caller: &Caller) -> Self {
        Self {
            session: Arc::clone(&caller.session),
            inner: Some(InnerCalls::new(caller)),
        }
    }
}

fn fatal(error: &StoreError) -> ToolError {
    ToolError::Fatal(format!("the session cannot be stored: {error}"))
}

impl Host for EngineHost {
    fn progress(&self, agent: &AgentId, call: &CallId, text: &str) {
        self.session.outbox().offer(
            &self.session.id,
            agent,
            Delta::Output {
                call: call.clone(),
                text: text.to_owned(),
            },
        );
    }

    fn keyboard(
        &self,
        agent: &AgentId,
        call: &CallId,
    ) -> BoxFuture<'_, Result<Keyboard, ToolError>> {
        let (agent, call) = (agent.clone(), call.clone());
        Box::pin(async move {
            let session = &self.session;
            if !session.permissions.settings().approvals {
                return Err(ToolError::model(
                    "the person does not want to be asked now, so nobody types: give the command flags or a file that \
                     answer what it asks, and run it without `interactive`",
                ));
            }
            let keyboard = session.terminals.open(&agent, &call);
            let state = CallState::Attended;
            session.tell(&agent, EventKind::Call { call, state }).await;
            Ok(keyboard)
        })
    }

    fn checklist(&self, agent: &AgentId) -> BoxFuture<'_, Result<Checklist, ToolError>> {
        let list = self.session.checklist(agent);
        Box::pin(async move { Ok(list) })
    }

    fn edit_checklist(
        &self,
        agent: &AgentId,
        edit: ChecklistEdit,
    ) -> BoxFuture<'_, Result<(Checklist, Vec<u32>), ToolError>> {
        let agent = agent.clone();
        Box::pin(async move {
            let changed = self.session.change_checklist(&agent, |list| match &edit {
                ChecklistEdit::Add(items) => Ok(items
                    .iter()
                    .map(|(text, status)| list.add(text, *status))
                    .collect()),
                ChecklistEdit::Edit(id, change) => list.edit(*id, change).map(|()| Vec::new()),
                ChecklistEdit::Replace(items) => {
                    list.replace(items);
                    Ok(Vec::new())
                }
            });
            let (list, ids) = changed.map_err(ToolError::ForModel)?;
            self.session
                .record_checklist(&agent, list.clone(), Speaker::Program)
                .await
                .map_err(|error| fatal(&error))?;
            if agent.is_main() {
                self.session.settle_goal().await;
            }
            Ok((list, ids))
        })
    }

    fn answer(
        &self,
        agent: &AgentId,
        call: &CallId,
    ) -> BoxFuture<'_, Result<Option<GivenAnswer>, ToolError>> {
        let (agent, call) = (agent.clone(), call.clone());
        Box::pin(async move {
            let given = answer::given(&self.session, &agent, &call).await;
            given.map_err(|error| fatal(&error))
        })
    }

    fn goal(&self) -> Option<Goal> {
        self.session.goal()
    }

    fn compact(&self, agent: &AgentId, instructions: String, keep_recent: bool) {
        self.session
            .tree
            .want_room(agent, instructions, keep_recent);
    }

    fn replace_context(&self, agent: &AgentId, summary: String) -> Result<(), ToolError> {
        let taken = self.session.tree.hand_in(agent, summary);
        taken.map_err(|why| ToolError::ForModel(why.to_owned()))
    }

    fn scratchpad_list(
        &self,
        agent: &AgentId,
    ) -> BoxFuture<'_, Result<Vec<ScratchpadInfo>, ToolError>> {
        let agent = agent.clone();
        Box::pin(async move {
            let list = lending::list(&self.session, &agent).await;
            list.map_err(|error| fatal(&error))
        })
    }

    fn scratchpad_read(
        &self,
        agent: &AgentId,
        name: &str,
    ) -> BoxFuture<'_, Result<Option<ScratchpadEntry>, ToolError>> {
        let (owner, name) = (
            lender(&self.session, agent, name).unwrap_or_else(|| agent.clone()),
            name.to_owned(),
        );
        Box::pin(async move {
            self.session
                .store
                .scratchpad_read(&self.session.id, &owner, &name)
                .await
                .map_err(|error| fatal(&error))
        })
    }

    fn scratchpad_write(
        &self,
        agent: &AgentId,
        name: &str,
        content: String,
        origin: ScratchpadOrigin,
    ) -> BoxFuture<'_, Result<ScratchpadInfo, ToolError>> {
        let (agent, name, lent) = (
            agent.clone(),
            name.to_owned(),
            read_only(&self.session, agent, name),
        );
        Box::pin(async move {
            if let Some(why) = lent {
                return Err(ToolError::model(why));
            }
            let info = self
                .session
                .store
                .scratchpad_write(&self.session.id, &agent, &name, content, origin)
                .await
                .map_err(|error| fatal(&error))?;
            self.session.tell_scratchpad().await;
            Ok(info)
        })
    }

    fn scratchpad_delete(
        &self,
        agent: &AgentId,
        name: &str,
    ) -> BoxFuture<'_, Result<bool, ToolError>> {
        let lent = read_only(&self.session, agent, name);
        let (agent, name) = (agent.clone(), name.to_owned());
        Box::pin(async move {
            if let Some(why) = lent {
                return Err(ToolError::model(why));
            }
            let session = &self.session;
            let was_there = session
                .store
                .scratchpad_delete(&session.id, &agent, &name)
                .await
                .map_err(|error| fatal(&error))?;
            session.tell_scratchpad().await;
            Ok(was_there)
        })
    }

    fn scratchpad_rename(
        &self,
        agent: &AgentId,
        name: &str,
        to: &str,
    ) -> BoxFuture<'_, Result<(), ToolError>> {
        let lent = [name, to]
            .into_iter()
            .find_map(|name| read_only(&self.session, agent, name));
        let (agent, name, to) = (agent.clone(), name.to_owned(), to.to_owned());
        Box::pin(async move {
            if let Some(why) = lent {
                return Err(ToolError::model(why));
            }
            let session = &self.session;
            session
                .store
                .scratchpad_rename(&session.id, &agent, &name, &to)
                .await
                .map_err(|error| fatal(&error))?;
            session.tell_scratchpad().await;
            Ok(())
        })
    }

    fn artifact(&self, address: &Address) -> BoxFuture<'_, Result<PathBuf, ToolError>> {
        let address = address.clone();
        Box::pin(async move {
            let opened = self.session.store.open_artifact(&address).await;
            opened.map_err(|error| ToolError::model(error.to_string()))
        })
    }

    fn ask(
        &self,
        agent: &AgentId,
        call: &CallId,
        questions: Vec<Question>,
    ) -> BoxFuture<'_, Result<FormOutcome, ToolError>> {
        let form = QuestionForm {
            id: self.session.next_request(),
            agent: agent.clone(),
            lineage: self.session.tree.lineage(agent),
            call: call.clone(),
            questions,
        };
        Box::pin(async move {
            let session = &self.session;
            let agent = form.agent.clone();
            let answer = session.requests.ask_form(form.clone());
            session
                .recorder
                .record(&agent, Record::QuestionAsked { form: form.clone() })
                .await
                .map_err(|error| fatal(&error))?;
            session
                .tell(&agent, EventKind::QuestionAsked(Box::new(form.clone())))
                .await;
            let outcome = answer.await.unwrap_or(FormOutcome::Cancelled);
            session
                .recorder
                .record(
                    &agent,
                    Record::QuestionAnswered {
                        request: form.id,
                        outcome: outcome.clone(),
                    },
                )
                .await
                .map_err(|error| fatal(&error))?;
            session
                .tell(&agent, EventKind::RequestClosed(form.id))
                .await;
            Ok(outcome)
        })
    }

    fn spawn(
        &self,
        parent: &AgentId,
        _call: &CallId,
        request: SpawnRequest,
        cancel: CancellationToken,
    ) -> BoxFuture<'_, Result<SpawnReport, ToolError>> {
        let parent = parent.clone();
        Box::pin(async move { spawn::run(&self.session, &parent, request, cancel).await })
    }

    fn call(
        &self,
        parent: &CallId,
        call: InnerCall,
        cancel: CancellationToken,
    ) -> BoxFuture<'_, Result<String, String>> {
        let parent = parent.clone();
        Box::pin(async move {
            let inner = self.inner.as_ref();
            let inner = inner.ok_or("tools cannot be called from here")?;
            inner.make(&parent, call, cancel).await
        })
    }

    fn agents(&self, parent: &AgentId) -> BoxFuture<'_, Result<Vec<AgentNode>, ToolError>> {
        let nodes = self.session.tree.below(parent);
        Box::pin(async move { Ok(nodes) })
    }

    fn agent_types(&self) -> AgentTypes {
        self.session.permissions.configured().agents.clone()
    }

    fn authority(&self, agent: &AgentId) -> Option<Authority> {
        let authority = self.session.tree.with(agent, |agent| agent.authority())?;
        let settings = self.session.permissions.settings();
        Some(authority.within(settings.level, settings.network))
    }

    fn unload(&self, model: Option<String>) -> BoxFuture<'_, (String, Unloaded)> {
        let profile = self.session.profile();
        let model = model.unwrap_or(profile.model.model_id);
        Box::pin(async move {
            let unloaded = match profile.provider.unload(&model) {
                Some(unloading) => unloading.await,
                None => Unloaded::Failed(toolset::NO_OWN_SERVER.to_owned()),
            };
            (model, unloaded)
        })
    }

    fn context_gauge(&self, agent: &AgentId) -> BoxFuture<'_, Result<ContextGauge, ToolError>> {
        let gauge = self
            .session
            .tree
            .with(agent, |agent| agent.gauge)
            .unwrap_or_default();
        Box::pin(async move { Ok(gauge) })
    }
}
