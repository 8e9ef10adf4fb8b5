//! What a tool can ask of the engine: the session's own state, other agents, the person.

use futures::future::BoxFuture;
use serde_json::Value;
use tokio_util::sync::CancellationToken;

use super::error::ToolError;
use crate::{
    domain::{
        agent::{AgentNode, Authority},
        agent_policy::AgentTypes,
        artifact::Address,
        checklist::{Checklist, ItemChange, ItemStatus},
        goal::Goal,
        ids::{AgentId, CallId},
        model_info::Unloaded,
        permission::{Level, Network},
        question::{FormOutcome, Question},
        scratchpad::{ScratchpadEntry, ScratchpadInfo, ScratchpadOrigin},
        window::ContextGauge,
    },
    process::terminal::Keyboard,
};

/// What a new agent gets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SpawnRequest {
    /// What it has to do: its first message.
    pub prompt: String,
    /// The same in a few words, for the tree.
    pub description: String,
    /// Its type, the first part of its handle: `scout`, `tests`.
    pub kind: String,
    /// Its level; never above the parent's. `None` inherits.
    pub level: Option<Level>,
    /// Where its connections may go; never further than the parent's. `None` inherits.
    pub network: Option<Network>,
    /// Names of the parent's scratchpad entries that it may read.
    pub inherit_scratchpad: Vec<String>,
}

/// How a spawned agent ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SpawnReport {
    /// Its handle.
    pub agent: AgentId,
    /// The level it ran at.
    pub level: Level,
    /// Its last words.
    pub report: String,
    /// Why it did not end well, when it did not.
    pub failure: Option<String>,
}

/// A call that a running call makes.
#[derive(Clone, Debug, PartialEq)]
pub struct InnerCall {
    /// Its number among those of the same call, from 1.
    pub number: usize,
    /// The tool.
    pub tool: String,
    /// Its arguments, not read yet.
    pub arguments: Value,
}

/// Words of a model that a person can read as an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GivenAnswer {
    /// The words, as they were written.
    pub text: String,
    /// Whether they are of an earlier turn, since none stand in front of the call.
    pub is_earlier: bool,
}

/// One change to a checklist; all or nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ChecklistEdit {
    /// Appends items.
    Add(Vec<(String, ItemStatus)>),
    /// Changes one item.
    Edit(u32, ItemChange),
    /// Puts these items in the place of all, each with whether it is finished.
    Replace(Vec<(String, bool)>),
}

/// What only the engine can do. All calls act for the agent and call given.
pub trait Host: Send + Sync {
    /// Shows a piece of output while the call runs. Never blocks; pieces may be merged by laying them end to
    /// end. A `\r` takes back the line that is not ended yet (see `text::ansi::append`).
    fn progress(&self, agent: &AgentId, call: &CallId, text: &str);

    /// What the person types into a call that has a terminal; from now on they are told that they can.
    fn keyboard(
        &self,
        _agent: &AgentId,
        _call: &CallId,
    ) -> BoxFuture<'_, Result<Keyboard, ToolError>> {
        Box::pin(async {
            Err(ToolError::model(
                "nobody can type into a command here: give it flags or a file that answer what it asks, and run it \
                 without `interactive`",
            ))
        })
    }

    /// The agent's checklist.
    fn checklist(&self, agent: &AgentId) -> BoxFuture<'_, Result<Checklist, ToolError>>;

    /// Changes the agent's checklist; returns it as it is then and the numbers of new items.
    fn edit_checklist(
        &self,
        agent: &AgentId,
        edit: ChecklistEdit,
    ) -> BoxFuture<'_, Result<(Checklist, Vec<u32>), ToolError>>;

    /// The words in front of a call, or else the last ones before its turn; `None` when there are none.
    fn answer(
        &self,
        _agent: &AgentId,
        _call: &CallId,
    ) -> BoxFuture<'_, Result<Option<GivenAnswer>, ToolError>> {
        Box::pin(async { Ok(None) })
    }

    /// The session's goal, when it has one.
    fn goal(&self) -> Option<Goal> {
        None
    }

    /// The agent's scratchpad entries, inherited ones included, sorted by name.
    fn scratchpad_list(
        &self,
        agent: &AgentId,
    ) -> BoxFuture<'_, Result<Vec<ScratchpadInfo>, ToolError>>;

    /// One entry, or `None`.
    fn scratchpad_read(
        &self,
        agent: &AgentId,
        name: &str,
    ) -> BoxFuture<'_, Result<Option<ScratchpadEntry>, ToolError>>;

    /// Writes an entry whole. Refused for an inherited name.
    fn scratchpad_write(
        &self,
        agent: &AgentId,
        name: &str,
        content: String,
        origin: ScratchpadOrigin,
    ) -> BoxFuture<'_, Result<ScratchpadInfo, ToolError>>;

    /// Deletes an entry; says whether there was one. Refused for an inherited name.
    fn scratchpad_delete(
        &self,
        agent: &AgentId,
        name: &str,
    ) -> BoxFuture<'_, Result<bool, ToolError>>;

    /// Gives an entry another name, which no entry has. Refused for inherited names.
    fn scratchpad_rename(
        &self,
        agent: &AgentId,
        name: &str,
        to: &str,
    ) -> BoxFuture<'_, Result<(), ToolError>>;

    /// The path of a stored output or of one of its streams, once its content was found to be sound.
    fn artifact(&self, address: &Address) -> BoxFuture<'_, Result<std::path::PathBuf, ToolError>>;

    /// Asks the person and waits.
    fn ask(
        &self,
        agent: &AgentId,
        call: &CallId,
        questions: Vec<Question>,
    ) -> BoxFuture<'_, Result<FormOutcome, ToolError>>;

    /// Starts a sub-agent and waits for its end, which `cancel` brings about at any time.
    fn spawn(
        &self,
        parent: &AgentId,
        call: &CallId,
        request: SpawnRequest,
        cancel: CancellationToken,
    ) -> BoxFuture<'_, Result<SpawnReport, ToolError>>;

    /// Makes a call of a running call as one of its own: judged, perhaps asked about, and shown. The error is what the
    /// model would be told. `cancel` ends it at any time.
    fn call(
        &self,
        _parent: &CallId,
        _call: InnerCall,
        _cancel: CancellationToken,
    ) -> BoxFuture<'_, Result<String, String>> {
        Box::pin(async { Err("tools cannot be called from here".to_owned()) })
    }

    /// The agents below this one, in tree order.
    fn agents(&self, parent: &AgentId) -> BoxFuture<'_, Result<Vec<AgentNode>, ToolError>>;

    /// The types of agents that documents describe.
    fn agent_types(&self) -> AgentTypes {
        AgentTypes::default()
    }

    /// What an agent was given, as far as it still has it.
    fn authority(&self, _agent: &AgentId) -> Option<Authority> {
        None
    }

    /// Takes a model out of its server's memory, the agent's own when none is named; the name comes back with what came
    /// of it.
    fn unload(&self, model: Option<String>) -> BoxFuture<'_, (String, Unloaded)> {
        let why = Unloaded::Failed("there is no server".to_owned());
        Box::pin(async { (model.unwrap_or_default(), why) })
    }

    /// Has room made in the agent's window before its next request.
    fn compact(&self, _agent: &AgentId, _instructions: String, _keep_recent: bool) {}

    /// Hands in the summary that stands for what the agent's window holds; refused when none is wanted.
    fn replace_context(&self, _agent: &AgentId, _summary: String) -> Result<(), ToolError> {
        Ok(())
    }

    /// How full the agent's context window is.
    fn context_gauge(&self, agent: &AgentId) -> BoxFuture<'_, Result<ContextGauge, ToolError>>;
}
