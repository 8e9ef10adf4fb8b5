//! The session's log: what happened, in order, append-only.
//!
//! Everything that the screen shows of the past and everything that is sent to a provider is derived
//! from these records, so a resumed session looks and continues as it was.

use serde::{Deserialize, Serialize};

use super::{
    agent::{AgentNode, Authority},
    approval::{ApprovalDecision, ApprovalRequest},
    chat::ChatMessage,
    checklist::Checklist,
    goal::Goal,
    hook::HookNote,
    ids::{AgentId, Sequence, TurnId},
    notice::Severity,
    permission::Grant,
    question::{FormOutcome, QuestionForm},
    session::SessionSettings,
    tool::ToolResult,
    usage::Usage,
    window::{Compaction, WindowChange},
};

/// How a message reached an agent that may be at work.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Lane {
    /// Read at the next step boundary; starts a turn when the agent is idle.
    #[default]
    Steer,
    /// Sent when the present turn has ended.
    Queue,
    /// Cuts the reply now and goes on from there.
    Interrupt,
}

/// Who put words into the conversation in the user's role.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "from", rename_all = "snake_case")]
pub enum Speaker {
    /// The person.
    Person,
    /// The parent agent.
    Parent {
        /// The parent.
        agent: AgentId,
    },
    /// The program itself: shown as a stage direction.
    Program,
}

/// How a reply of the model ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "ended", rename_all = "snake_case")]
pub enum ReplyEnd {
    /// The model said that it had ended.
    Complete,
    /// The model asked for tools.
    ToolCalls,
    /// The output limit was reached; calls of this reply never run.
    OutputLimit,
    /// The provider refused to go on.
    Refused,
    /// The stream ended without an end marker; calls of this reply never run.
    CutOff,
    /// The provider reported an error in the middle.
    Failed {
        /// The provider's words.
        reason: String,
    },
    /// The person interrupted it.
    Interrupted,
}

/// How a turn ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "outcome", rename_all = "snake_case")]
pub enum TurnOutcome {
    /// The agent rests.
    Finished,
    /// Something failed; the session goes on.
    Failed {
        /// What, one line.
        reason: String,
    },
    /// The person cancelled it.
    Cancelled,
    /// A bound stopped it: loop detector, nudge cap, budget.
    Stopped {
        /// Which, one line.
        reason: String,
    },
    /// The program ended while it ran.
    Interrupted,
}

/// What a turn amounted to, for the recap row.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct TurnRecap {
    /// Wall time in milliseconds.
    pub elapsed_ms: u64,
    /// Model requests.
    pub steps: u64,
    /// What they used.
    pub usage: Usage,
    /// Shell commands run.
    pub commands: u64,
    /// Files read, written and edited.
    #[serde(default)]
    pub file_ops: u64,
    /// Other tool calls run.
    pub tools: u64,
}

/// One thing that happened.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Record {
    /// A turn began.
    TurnStarted {
        /// Its number.
        turn: TurnId,
    },
    /// Words in the user's role: stored before they are sent.
    Said {
        /// Who said them.
        speaker: Speaker,
        /// Over which lane they came.
        lane: Lane,
        /// The words.
        text: String,
    },
    /// The person ran a command line themselves.
    PersonRan {
        /// The command line.
        command: String,
        /// What came of it.
        result: ToolResult,
        /// Whether the model is shown it.
        shared: bool,
    },
    /// What the program tells the model in front of the person's words; not shown as speech.
    ContextNote {
        /// The words.
        text: String,
    },
    /// A reply of the model, whole or as far as it came.
    Reply {
        /// What it said and which tools it called.
        message: ChatMessage,
        /// How it ended.
        end: ReplyEnd,
        /// What the step used.
        usage: Usage,
    },
    /// A part of a reply that was still coming when this was written; superseded by the next `Reply`.
    Partial {
        /// What had come so far.
        message: ChatMessage,
    },
    /// A running call calls a tool. Its judgement and beginning follow as those of any other call; the model is told
    /// nothing of it.
    InnerCalled {
        /// The call that runs.
        parent: super::ids::CallId,
        /// The call that it makes.
        call: super::tool::ToolCall,
    },
    /// A tool began to run (what it did is unknown until its result follows).
    CallStarted {
        /// The call.
        call: super::ids::CallId,
    },
    /// A tool answered: stored before the model sees it.
    Result {
        /// The answer.
        result: ToolResult,
    },
    /// A tool answered a running call.
    InnerResult {
        /// The answer.
        result: ToolResult,
    },
    /// A person was asked for permission.
    ApprovalAsked {
        /// The request.
        request: ApprovalRequest,
    },
    /// And answered.
    ApprovalDecided {
        /// The request's number.
        request: super::ids::RequestId,
        /// The answer.
        decision: ApprovalDecision,
    },
    /// A grant or denial was made or taken back.
    Granted {
        /// The grant.
        grant: Grant,
        /// Whether it was taken back.
        revoked: bool,
    },
    /// A person was asked questions.
    QuestionAsked {
        /// The form.
        form: QuestionForm,
    },
    /// And answered.
    QuestionAnswered {
        /// The form's number.
        request: super::ids::RequestId,
        /// The answers.
        outcome: FormOutcome,
    },
    /// The agent's checklist as it now is.
    ChecklistChanged {
        /// The list.
        checklist: Checklist,
        /// Who changed it.
        speaker: Speaker,
        /// What the person changed: `added: write it`. Empty for an agent, and in logs that do not say so.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        change: String,
    },
    /// The session's goal as it now is.
    GoalChanged {
        /// The goal.
        goal: Goal,
        /// Who changed it.
        speaker: Speaker,
    },
    /// An agent was made or changed its state in a way that lasts.
    AgentChanged {
        /// The agent.
        node: AgentNode,
        /// What it may do, told once: when it is made.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        authority: Option<Authority>,
    },
    /// The person removed the agent.
    AgentRemoved,
    /// The program says something about its own doing: a nudge, a retry, a warning.
    StageDirection {
        /// How much it matters.
        severity: Severity,
        /// The words, one line.
        text: String,
    },
    /// Something was left out of the agent's window, pinned, or put back.
    WindowChanged {
        /// The records that put it there.
        entries: Vec<Sequence>,
        /// What happened to them.
        change: WindowChange,
        /// Who changed it.
        speaker: Speaker,
    },
    /// From here on a summary stands in the agent's window for what was said before.
    Compacted {
        /// The boundary.
        compaction: Compaction,
    },
    /// The latest compaction of the agent that is not undone holds no longer.
    CompactionUndone {
        /// The record of that compaction.
        boundary: Sequence,
    },
    /// A hook answered, or failed.
    Hooked {
        /// What it did.
        note: HookNote,
    },
    /// Settings changed.
    SettingsChanged {
        /// The settings as they now are.
        settings: SessionSettings,
    },
    /// The session was given a title.
    Titled {
        /// The title.
        title: String,
    },
    /// A turn ended; exactly one per `TurnStarted`.
    TurnFinished {
        /// Its number.
        turn: TurnId,
        /// How.
        outcome: TurnOutcome,
        /// What it amounted to.
        recap: TurnRecap,
    },
}

impl Record {
    /// The stored outputs that it names.
    pub fn artifacts(&self) -> impl Iterator<Item = &super::ids::ArtifactId> {
        let result = match self {
            Self::Result { result }
            | Self::InnerResult { result }
            | Self::PersonRan { result, .. } => Some(result),
            _ => None,
        };
        result.into_iter().flat_map(ToolResult::artifacts)
    }
}

/// A record in its place in the log.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Stored {
    /// Position in the log; order comes from here and never from a clock.
    pub sequence: Sequence,
    /// When it was written, milliseconds since the Unix epoch (for showing only).
    pub at_ms: i64,
    /// The agent it belongs to.
    pub agent: AgentId,
    /// What happened.
    pub record: Record,
}
