//! A request from an agent to a person, and the answer.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{
    display::Display,
    ids::{AgentId, CallId, RequestId},
    permission::{Grant, Judgement, Network, Risk, Rule, Verdict},
};

/// What a person is asked to allow.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ApprovalRequest {
    /// Its number in the session.
    pub id: RequestId,
    /// Who asks.
    pub agent: AgentId,
    /// Names from the root to the asker: `main`, `reviewer_1a2b3c4d`.
    pub lineage: Vec<String>,
    /// The call that waits.
    pub call: CallId,
    /// The tool's name.
    pub tool: String,
    /// Every argument, as the model sent it or as the person edited it.
    pub arguments: Value,
    /// The one argument that matters most (path, command), for the first line.
    pub subject: String,
    /// What would happen: the diff of an edit, else nothing beyond the arguments.
    pub preview: Option<Display>,
    /// The arguments that the preview shows already.
    #[serde(default)]
    pub previewed: Vec<String>,
    /// Where and how it would run; `None` in requests of older sessions.
    #[serde(default)]
    pub circumstances: Option<Circumstances>,
    /// Why it is asked.
    pub judgement: Judgement,
    /// SHA-256 over tool, arguments and what the preview was made from. What runs must have it.
    pub hash: String,
    /// What an answer may stand for beyond this one call.
    #[serde(flatten)]
    pub offers: Offers,
    /// The argument that "edit, then allow" opens: `command`, `content`, `new_string`.
    pub editable: Option<String>,
}

/// What an answer may stand for beyond the one call.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Offers {
    /// The rule that "allow for this session" would add; `None` when that is not offered.
    pub session_rule: Option<Rule>,
    /// Rules for the kinds that the call is of. Where there are some, "allow for this session" adds them instead.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub kinds: Vec<Rule>,
    /// Patterns to start a rule from, the narrowest first, which is for exactly this call. Of the others each line is a
    /// pattern by itself: together they cover the call.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub patterns: Vec<String>,
}

impl ApprovalRequest {
    /// The grants and denials that a decision makes.
    pub fn grants(&self, decision: &ApprovalDecision) -> Vec<Grant> {
        match decision {
            ApprovalDecision::Session if !self.offers.kinds.is_empty() => {
                self.offers.kinds.iter().cloned().map(Grant::kind).collect()
            }
            ApprovalDecision::Session => self
                .offers
                .session_rule
                .iter()
                .cloned()
                .map(Grant::session)
                .collect(),
            ApprovalDecision::Never => vec![Grant::session(Rule {
                verdict: Verdict::Deny,
                ..self.offers.session_rule.clone().unwrap_or(Rule {
                    action: self.tool.clone(),
                    resource: "*".to_owned(),
                    verdict: Verdict::Deny,
                })
            })],
            ApprovalDecision::Rule { grant, more } => {
                std::iter::once(grant).chain(more).cloned().collect()
            }
            ApprovalDecision::Once
            | ApprovalDecision::Edited { .. }
            | ApprovalDecision::Reject { .. }
            | ApprovalDecision::Withdrawn => Vec::new(),
        }
    }
}

/// Where and how a call would run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Circumstances {
    /// The folder, absolute.
    pub folder: String,
    /// What could go wrong.
    pub risk: Risk,
    /// What is known of a command line.
    #[serde(default)]
    pub findings: Findings,
    /// Where connections may go.
    pub network: Network,
    /// What holds it back.
    pub confinement: Confinement,
    /// Whether the person can type into it while it runs.
    #[serde(default)]
    pub is_attended: bool,
}

/// What the judge found in a command line, as far as it understands it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Findings {
    /// Whether it was proven to only look.
    pub only_looks: bool,
    /// What it deletes, as named.
    pub deletes: Vec<String>,
    /// What else it writes, as named.
    pub writes: Vec<String>,
    /// Programs in it that use the network.
    pub network: Vec<String>,
    /// Why it is not understood in full.
    pub doubts: Vec<String>,
}

/// What holds a call back while it runs.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Confinement {
    /// Nothing: it may do all that the user account may.
    #[default]
    Nothing,
    /// A sandbox.
    Sandbox(Enclosure),
}

/// What a sandbox leaves to a command.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Enclosure {
    /// What holds it.
    pub backend: String,
    /// The directories that it may write; none when it only looks.
    pub writable: Vec<String>,
    /// Where its connections may go.
    pub network: Network,
    /// Whether only the workspace and the system can be read.
    pub is_confined: bool,
    /// What the sandbox cannot keep it from, each as the end of "a command can".
    pub missing: Vec<String>,
}

/// What the person says.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "answer", rename_all = "snake_case")]
pub enum ApprovalDecision {
    /// Run exactly what was shown.
    Once,
    /// Run it, and what the shown rule covers, for the rest of the session.
    Session,
    /// Run it, and from now on what one or several rules say.
    Rule {
        /// The rule and how long it holds.
        grant: Grant,
        /// Further rules, for the other commands of a line.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        more: Vec<Grant>,
    },
    /// Run it with these arguments instead.
    Edited {
        /// The whole arguments object after editing.
        arguments: Value,
    },
    /// Do not run it.
    Reject {
        /// The person's reason, told to the model.
        words: Option<String>,
    },
    /// Do not run it, nor anything that the shown rule covers, for the rest of the session.
    Never,
    /// Nobody will answer: the turn was cancelled.
    Withdrawn,
}
