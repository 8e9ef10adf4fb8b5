//! What the engine tells a front end.

use std::path::PathBuf;

use crate::domain::{
    agent::{AgentNode, Authority},
    agent_policy::RuleOrigin,
    approval::ApprovalRequest,
    checklist::Checklist,
    configured::seen::Asking,
    goal::Goal,
    ids::{AgentId, ArtifactId, CallId, QueuedId, RequestId, SessionId, TurnId},
    job::JobInfo,
    notice::Notice,
    permission::{Grant, JudgedCall, Rule},
    question::QuestionForm,
    record::{Lane, Stored},
    sandbox::SandboxReport,
    scratchpad::{ScratchpadEntry, ScratchpadInfo},
    session::{SessionInfo, SessionSettings},
    tool::ListedTool,
    usage::Usage,
    window::{ContextGauge, WindowItem},
};

/// From the engine to a front end.
#[derive(Clone, Debug, PartialEq)]
pub struct Event {
    /// The session that it belongs to.
    pub session: SessionId,
    /// The agent that it belongs to; the main agent for what concerns the whole session.
    pub agent: AgentId,
    /// What happened.
    pub kind: EventKind,
}

/// What happened.
#[derive(Clone, Debug, PartialEq)]
pub enum EventKind {
    /// A session is open. Everything about an earlier one is void; its past follows in [`EventKind::History`].
    Opened(Box<Opened>),
    /// Records of the past, oldest first.
    History {
        /// The records.
        records: Vec<Stored>,
        /// Whether there are earlier ones.
        more: bool,
    },
    /// Something was stored.
    Recorded(Box<Stored>),
    /// Something came that is not stored yet. Merged when a front end is slow; never lost.
    Delta(Delta),
    /// A call changed its state.
    Call {
        /// The call.
        call: CallId,
        /// Its state.
        state: CallState,
    },
    /// A command line of the person's begins to run; its output comes in deltas, its end as a record.
    PersonRuns {
        /// Names it as if it were a call.
        call: CallId,
        /// The command line.
        command: String,
        /// Whether the model is shown command and output.
        shared: bool,
    },
    /// A person is asked for permission.
    ApprovalAsked(Box<ApprovalRequest>),
    /// A person is asked questions.
    QuestionAsked(Box<QuestionForm>),
    /// A request to the person is over (answered here or elsewhere, withdrawn).
    RequestClosed(RequestId),
    /// An agent changed; also sent for new ones.
    Agent(Box<AgentNode>),
    /// An agent was removed from the tree.
    AgentRemoved,
    /// The agent's checklist.
    Checklist {
        /// The list.
        checklist: Checklist,
        /// Nudges given in this turn.
        nudges: u32,
    },
    /// The session's goal; told once there is one, and whenever it changes.
    Goal(Box<Goal>),
    /// All scratchpad entries of the session.
    Scratchpad(Vec<ScratchpadInfo>),
    /// How full the agent's window is.
    Context(ContextGauge),
    /// What the session has used so far.
    Usage(Usage),
    /// Messages that wait for the agent.
    Queue(Vec<Queued>),
    /// The provider did not answer; it is asked again after a while.
    Retrying {
        /// The attempt that comes next, from 2.
        attempt: u32,
        /// Of how many.
        of: u32,
        /// In how many milliseconds.
        in_ms: u64,
        /// Why, one line.
        reason: String,
    },
    /// Settings as they now are.
    Settings(SessionSettings),
    /// The folder is to be asked about: its own files are not those that the person was asked about.
    TrustAsked(Asking),
    /// Grants and denials of the session as they now are.
    Grants(Vec<Grant>),
    /// Tools that the configuration adds: the name of each, and in a line what it does. Told when there are some, and
    /// when they change.
    Declared(Vec<(String, String)>),
    /// What holds the commands of this run, whatever the session; told once it is known.
    Sandbox(Box<SandboxReport>),
    /// A turn began or ended.
    Turn {
        /// The turn.
        turn: TurnId,
        /// Whether it runs.
        running: bool,
    },
    /// Something to say outside the chat.
    Notice(Notice),
    /// The answer to a fetch.
    Fetched(Fetched),
    /// What of the agent's is not stored, as text, the oldest first; nothing when all of it is.
    Unstored(Vec<String>),
    /// Whether the draft as it now is could not be stored.
    DraftUnstored(bool),
    /// The engine has ended; nothing follows.
    Stopped,
}

/// What a front end needs to show a session.
#[derive(Clone, Debug, PartialEq)]
pub struct Opened {
    /// The session.
    pub info: SessionInfo,
    /// Its settings.
    pub settings: SessionSettings,
    /// Whether it was resumed.
    pub resumed: bool,
    /// Turns of the main agent that have ended.
    pub turns: u64,
    /// The journalled draft of the composer.
    pub draft: String,
    /// Profiles that can be chosen: name and model.
    pub profiles: Vec<(String, String)>,
    /// Earlier prompts of the person in this folder, oldest first.
    pub prompts: Vec<String>,
    /// Whether the folder must be asked about before its own configuration is used.
    pub asks_trust: bool,
    /// What the question about it says.
    pub asking: Asking,
    /// What was found for a first profile when there is none.
    pub offers: Vec<ProfileOffer>,
}

/// What decides about calls, and what was decided.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Rules {
    /// What the person allowed or forbade.
    pub grants: Vec<Grant>,
    /// Rules of the configuration, in their order.
    pub configured: Vec<Rule>,
    /// Where each of them stands, in the same order.
    pub origins: Vec<RuleOrigin>,
    /// What each agent may do at the most.
    pub agents: Vec<(AgentId, Authority)>,
    /// Directories in which writing is possible.
    pub roots: Vec<PathBuf>,
    /// Tools that are switched off.
    pub disabled: Vec<String>,
    /// The latest judgements, the latest first.
    pub judged: Vec<JudgedCall>,
}

/// What a rule would have answered for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Covered {
    /// The rules.
    pub rules: Vec<Rule>,
    /// Calls of the session that were looked at.
    pub of: usize,
    /// What those that it covers touch, the latest first.
    pub subjects: Vec<String>,
    /// Which they are, with the agents that made them.
    pub calls: Vec<(AgentId, CallId)>,
}

/// A way to a first profile.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProfileOffer {
    /// What it is, for the start page: `Ollama on this machine`.
    pub label: String,
    /// Suggested profile name.
    pub name: String,
    /// Base URL of the endpoint.
    pub base_url: String,
    /// Suggested model; empty when the person has to say.
    pub model_id: String,
    /// Environment variable that holds the key.
    pub api_key_env: Option<String>,
}

/// A piece of something that is still coming.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Delta {
    /// A reply begins.
    ReplyStarted,
    /// Words.
    Text(String),
    /// Reasoning.
    Reasoning(String),
    /// A tool call is being written: its name and how many bytes of arguments have come.
    CallDraft {
        /// Place in the reply.
        slot: usize,
        /// The tool.
        name: String,
        /// Bytes of arguments so far.
        bytes: usize,
    },
    /// Output of a running call.
    Output {
        /// The call.
        call: CallId,
        /// The piece, escapes already neutralised; add it with `text::ansi::append`, since a `\r` takes back
        /// the line that is not ended yet.
        text: String,
    },
}

/// The state of a call between its request and its result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CallState {
    /// Being judged.
    Judging,
    /// Waits for the person.
    Asking,
    /// Waits for calls before it.
    Waiting,
    /// Runs.
    Running,
    /// Runs, and the person can type into it.
    Attended,
}

/// A message that waits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Queued {
    /// Its number.
    pub id: QueuedId,
    /// Its lane.
    pub lane: Lane,
    /// Its words.
    pub text: String,
}

/// The answer to a fetch.
#[derive(Clone, Debug, PartialEq)]
pub enum Fetched {
    /// A stored output.
    Artifact {
        /// Which.
        id: ArtifactId,
        /// Its text (bad bytes replaced); an error line when it cannot be read.
        text: Result<String, String>,
    },
    /// A scratchpad entry.
    Scratchpad {
        /// Whose was asked for.
        agent: AgentId,
        /// Which.
        name: String,
        /// The entry; `None` when there is none of that name.
        entry: Option<ScratchpadEntry>,
    },
    /// Sessions of this folder.
    Sessions(Vec<SessionInfo>),
    /// Paths below the working directory, relative to it.
    Files(Vec<String>),
    /// What stands in the agent's window, the largest first.
    Window(Vec<WindowItem>),
    /// The jobs of the session, the oldest first.
    Jobs(Vec<JobInfo>),
    /// What decides about calls, and what was decided.
    Rules(Box<Rules>),
    /// What a rule would have answered for.
    Covered(Covered),
    /// Every tool, in the order in which a model sees them.
    Tools(Vec<ListedTool>),
}
