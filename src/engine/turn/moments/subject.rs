//! What a call is about, as hooks are told.

use serde_json::{Map, Value};
use tokio_util::sync::CancellationToken;

use crate::{
    domain::{
        access::Resource,
        hook::{Hook, HookEvent},
        ids::CallId,
        tool::ToolCall,
    },
    engine::{outputs::spill, turn::call::Caller},
    permission::rule::Pattern,
    tools::contract::AnyTool,
};

/// What a call is about.
pub(super) struct Subject {
    pub(super) tool: &'static dyn AnyTool,
    /// The arguments as the tool reads them.
    pub(super) arguments: Value,
    /// Agents that it hands a task to.
    agents: Vec<String>,
}

impl Subject {
    /// `None` for a call that cannot run.
    pub(super) async fn of(caller: &Caller, call: &ToolCall) -> Option<Self> {
        let tool = caller.find(&call.name).ok()?;
        if call.malformed.is_some() {
            return None;
        }
        Self::read(caller, tool, &call.arguments).await.ok()
    }

    pub(super) async fn read(
        caller: &Caller,
        tool: &'static dyn AnyTool,
        arguments: &Value,
    ) -> Result<Self, String> {
        let (own, keep_as) =
            spill::take_parameter(&caller.session, &caller.agent, tool, arguments)?;
        let mut arguments = tool.check(&own).map_err(|error| error.to_string())?;
        let context = caller
            .context(&CallId::new("hooks"), CancellationToken::new())
            .await;
        let access = tool
            .access(&arguments, &context)
            .map_err(|error| error.to_string())?;
        let agents = access.resources.into_iter();
        let agents = agents.filter_map(|resource| match resource {
            Resource::Agent { name } => Some(name),
            _ => None,
        });
        if let (Some(name), Some(object)) = (keep_as, arguments.as_object_mut()) {
            object.insert("scratchpad".to_owned(), name.into());
        }
        Ok(Self {
            tool,
            arguments,
            agents: agents.collect(),
        })
    }

    /// Whether a hook for one of these two events is about it: that of tools, that of agents.
    pub(super) fn concerns(&self, hook: &Hook, tools: HookEvent, agents: HookEvent) -> bool {
        let pattern = Pattern::parse(&hook.matcher);
        let about = self.tool.about();
        if hook.event == tools {
            let mut names = std::iter::once(&about.name).chain(about.aliases);
            names.any(|name| pattern.matches(name))
        } else {
            hook.event == agents && self.agents.iter().any(|name| pattern.matches(name))
        }
    }

    pub(super) fn told(&self) -> Map<String, Value> {
        let mut told = Map::new();
        told.insert("tool".to_owned(), self.tool.about().name.into());
        told.insert("input".to_owned(), self.arguments.clone());
        if !self.agents.is_empty() {
            told.insert("asked".to_owned(), self.agents.clone().into());
        }
        told
    }
}
