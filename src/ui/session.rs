//! What the engine has told of the session, as the panes read it. Nothing here is decided on the screen.

use std::collections::{BTreeMap, BTreeSet};

use crate::{
    domain::{
        agent::AgentNode,
        checklist::Checklist,
        configured::seen::Asking,
        ids::{AgentId, CallId, TurnId},
        record::Record,
        sandbox::SandboxReport,
        scratchpad::ScratchpadInfo,
        session::{SessionInfo, SessionSettings},
        usage::Usage,
        window::ContextGauge,
    },
    engine::event::{Event, EventKind, Fetched, Opened, ProfileOffer, Queued},
};

/// The session as told by the engine.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SessionState {
    /// Title, folder, id; `None` until a session is open.
    pub info: Option<SessionInfo>,
    /// Settings; `None` until a session is open.
    pub settings: Option<SessionSettings>,
    /// What holds the commands of this run; `None` until it is known.
    pub sandbox: Option<SandboxReport>,
    /// What the session has used.
    pub usage: Usage,
    /// How full each agent's window is.
    pub gauges: BTreeMap<AgentId, ContextGauge>,
    /// All agents, parents before their children, in the order in which they came.
    pub agents: Vec<AgentNode>,
    /// Each agent's checklist.
    pub checklists: BTreeMap<AgentId, AgentChecklist>,
    /// All scratchpad entries.
    pub scratchpad: Vec<ScratchpadInfo>,
    /// Messages that wait, by agent.
    pub queue: BTreeMap<AgentId, Vec<Queued>>,
    /// What runs.
    pub running: Running,
    /// Profiles that can be chosen: name and model.
    pub profiles: Vec<(String, String)>,
    /// Tools that the configuration adds: name, and in a line what each does.
    pub declared: Vec<(String, String)>,
    /// What the start found.
    pub found: Found,
    /// What is not stored.
    pub unstored: Unstored,
    /// Turns of the main agent that have ended.
    pub turns_done: u64,
}

/// What the start found.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Found {
    /// Ways to a first profile.
    pub offers: Vec<ProfileOffer>,
    /// What a question about the folder says.
    pub asking: Asking,
}

/// What runs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Running {
    /// The turn of each agent that has one.
    turns: BTreeMap<AgentId, TurnId>,
    /// Command lines of the person's.
    commands: BTreeSet<CallId>,
    /// How many jobs run on although their commands are over.
    pub jobs: usize,
    /// Agents whose provider is asked again after a while.
    pub retries: BTreeMap<AgentId, Retry>,
}

/// An agent's checklist and how often it was reminded of it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AgentChecklist {
    /// The list.
    pub list: Checklist,
    /// Nudges given in this turn.
    pub nudges: u32,
}

/// What leaving now would lose.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Unstored {
    /// Each agent's, as text, the oldest first.
    texts: BTreeMap<AgentId, Vec<String>>,
    /// Whether the draft as it now is could not be stored.
    pub has_draft: bool,
}

impl Unstored {
    fn put(&mut self, agent: &AgentId, texts: &[String]) {
        if texts.is_empty() {
            self.texts.remove(agent);
        } else {
            self.texts.insert(agent.clone(), texts.to_vec());
        }
    }

    /// All of it but the draft.
    pub fn texts(&self) -> impl Iterator<Item = &str> {
        self.texts.values().flatten().map(String::as_str)
    }
}

/// A wait before the provider is asked again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Retry {
    /// The attempt that comes next.
    pub attempt: u32,
    /// Of how many.
    pub of: u32,
    /// When it comes, on the clock of `Clock::elapsed_ms`.
    pub at_elapsed_ms: u64,
    /// Why, one line.
    pub reason: String,
}

impl SessionState {
    fn open(&mut self, opened: &Opened) {
        *self = Self {
            info: Some(opened.info.clone()),
            settings: Some(opened.settings.clone()),
            profiles: opened.profiles.clone(),
            found: Found {
                offers: opened.offers.clone(),
                asking: opened.asking.clone(),
            },
            turns_done: opened.turns,
            sandbox: self.sandbox.take(),
            ..Self::default()
        };
    }

    fn set(&mut self, settings: &SessionSettings) {
        self.settings = Some(settings.clone());
        if settings.trusted {
            // What was asked was answered.
            self.found.asking = Asking::default();
        }
    }

    /// Follows the engine.
    pub fn apply(&mut self, event: &Event, elapsed_ms: u64) {
        let agent = &event.agent;
        match &event.kind {
            EventKind::Opened(opened) => self.open(opened),
            EventKind::Recorded(stored) => {
                self.retitle(&stored.record);
                if let Record::PersonRan { result, .. } = &stored.record {
                    self.running.commands.remove(&result.call);
                }
            }
            EventKind::PersonRuns { call, .. } => {
                self.running.commands.insert(call.clone());
            }
            EventKind::History { records, .. } => {
                for stored in records {
                    self.retitle(&stored.record);
                }
            }
            EventKind::Agent(node) => self.put_agent(node),
            EventKind::AgentRemoved => self.remove_agent(agent),
            EventKind::Checklist { checklist, nudges } => {
                let list = AgentChecklist {
                    list: checklist.clone(),
                    nudges: *nudges,
                };
                self.checklists.insert(agent.clone(), list);
            }
            EventKind::Scratchpad(entries) => self.scratchpad.clone_from(entries),
            EventKind::Context(gauge) => {
                self.gauges.insert(agent.clone(), *gauge);
            }
            EventKind::TrustAsked(asking) => self.found.asking.clone_from(asking),
            EventKind::Declared(tools) => self.declared.clone_from(tools),
            EventKind::Sandbox(report) => self.sandbox = Some((**report).clone()),
            EventKind::Usage(usage) => self.usage = *usage,
            EventKind::Queue(queued) => {
                self.queue.insert(agent.clone(), queued.clone());
            }
            EventKind::Retrying {
                attempt,
                of,
                in_ms,
                reason,
            } => {
                let retry = Retry {
                    attempt: *attempt,
                    of: *of,
                    at_elapsed_ms: elapsed_ms.saturating_add(*in_ms),
                    reason: reason.clone(),
                };
                self.running.retries.insert(agent.clone(), retry);
            }
            EventKind::Settings(settings) => self.set(settings),
            EventKind::Fetched(Fetched::Jobs(jobs)) => self.running.jobs = jobs.len(),
            EventKind::Unstored(texts) => self.unstored.put(agent, texts),
            EventKind::DraftUnstored(is_unstored) => self.unstored.has_draft = *is_unstored,
            EventKind::Turn { turn, running } => self.turn(agent, *turn, *running),
            EventKind::Delta(_) => {
                self.running.retries.remove(agent);
            }
            EventKind::Call { .. }
            | EventKind::ApprovalAsked(_)
            | EventKind::Grants(_)
            | EventKind::QuestionAsked(_)
            | EventKind::RequestClosed(_)
            | EventKind::Notice(_)
            | EventKind::Fetched(_)
            | EventKind::Goal(_)
            | EventKind::Stopped => {}
        }
    }

    /// The agent of this id.
    pub fn agent(&self, id: &AgentId) -> Option<&AgentNode> {
        self.agents.iter().find(|node| &node.id == id)
    }

    /// Whether any agent is at work, or a command of the person's.
    pub fn is_busy(&self) -> bool {
        self.runs_command() || self.busy_agents().next().is_some()
    }

    /// Whether a command of the person's runs.
    pub fn runs_command(&self) -> bool {
        !self.running.commands.is_empty()
    }

    /// The agents that are at work or wait for something that will come; one may be named twice.
    pub fn busy_agents(&self) -> impl Iterator<Item = &AgentId> {
        let nodes = self.agents.iter().filter(|node| node.status.is_busy());
        self.running.turns.keys().chain(nodes.map(|node| &node.id))
    }

    /// Whether this agent is at work.
    pub fn is_agent_busy(&self, id: &AgentId) -> bool {
        self.running.turns.contains_key(id)
            || self.agent(id).is_some_and(|node| node.status.is_busy())
    }

    /// How many messages of the person wait for the main agent.
    pub fn unsent(&self) -> usize {
        self.queue.get(&AgentId::main()).map_or(0, Vec::len)
    }

    fn retitle(&mut self, record: &Record) {
        if let (Record::Titled { title }, Some(info)) = (record, self.info.as_mut()) {
            info.title.clone_from(title);
        }
    }

    fn put_agent(&mut self, node: &AgentNode) {
        if node.status != crate::domain::agent::AgentStatus::Retrying {
            self.running.retries.remove(&node.id);
        }
        match self.agents.iter_mut().find(|known| known.id == node.id) {
            Some(known) => *known = node.clone(),
            None => self.agents.push(node.clone()),
        }
    }

    fn remove_agent(&mut self, agent: &AgentId) {
        self.agents.retain(|node| &node.id != agent);
        self.gauges.remove(agent);
        self.checklists.remove(agent);
        self.queue.remove(agent);
        self.running.turns.remove(agent);
        self.running.retries.remove(agent);
    }

    fn turn(&mut self, agent: &AgentId, turn: TurnId, running: bool) {
        self.running.retries.remove(agent);
        if running {
            self.running.turns.insert(agent.clone(), turn);
        } else if self.running.turns.get(agent) == Some(&turn) {
            self.running.turns.remove(agent);
            self.turns_done += u64::from(agent.is_main());
        }
    }
}
