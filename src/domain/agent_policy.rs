//! What a type of agents is: its document, and what that lets agents of the type do.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::permission::{Level, Network, Rule, Verdict};

/// What an agent may do of what its configuration would let it: tool, pattern, verdict. A tool that is named is denied
/// whatever no pattern of it lets through; one that is not named is left to the configuration.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct AgentPermissions {
    /// Whose they are, for the person.
    pub of: String,
    /// By tool and pattern.
    pub actions: BTreeMap<String, BTreeMap<String, Verdict>>,
    /// Whether `allow` stands for the person's answer. Else it only lets through to the configuration: what a project
    /// says, and what an agent has from those above it.
    #[serde(default)]
    pub answers: bool,
}

impl AgentPermissions {
    /// As rules.
    pub fn rules(&self) -> Vec<Rule> {
        let rules = self.actions.iter().flat_map(|(action, patterns)| {
            patterns.iter().map(|(resource, verdict)| Rule {
                action: action.clone(),
                resource: resource.clone(),
                verdict: *verdict,
            })
        });
        rules.collect()
    }

    /// The same for an agent below: it narrows, and answers nothing.
    pub fn inherited(&self) -> Self {
        Self {
            answers: false,
            ..self.clone()
        }
    }
}

/// A type of agents as a document describes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AgentDocument {
    /// Its name.
    pub name: String,
    /// What it is for, one line.
    pub description: String,
    /// What agents of it are told before their task.
    pub instructions: String,
    /// The most that they may do.
    pub level: Option<Level>,
    /// Where their connections may go at the most.
    pub network: Option<Network>,
    /// What they may do of it.
    pub permissions: Option<AgentPermissions>,
    /// The file.
    pub place: String,
}

/// The types that documents describe.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AgentTypes {
    /// Those that can be started.
    pub known: Vec<AgentDocument>,
    /// Those whose document is wrong: name and what is wrong. They are not started without it.
    pub broken: Vec<(String, String)>,
}

impl AgentTypes {
    /// The document of a type; none where it is only a name. The error says why agents of it cannot be started.
    pub fn find(&self, name: &str) -> Result<Option<&AgentDocument>, &str> {
        let broken = self.broken.iter().find(|(broken, _)| broken == name);
        match broken {
            Some((_, why)) => Err(why),
            None => Ok(self.known.iter().find(|document| document.name == name)),
        }
    }
}

/// Where a rule of the configuration stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RuleOrigin {
    /// Whether the project says it, and not the person.
    pub is_project: bool,
    /// The file, and the line.
    pub place: String,
}
