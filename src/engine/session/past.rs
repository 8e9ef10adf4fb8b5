//! What the log of a session says, folded into what a session is opened with. Pure.

use std::collections::HashMap;

use crate::{
    domain::{
        agent::{AgentNode, AgentStatus, Authority},
        checklist::Checklist,
        goal::Goal,
        ids::AgentId,
        record::{Record, Stored},
        session::SessionSettings,
        tool::CallStatus,
        usage::Usage,
    },
    engine::window::conversation::Conversation,
    permission::Grants,
    workspace::freshness::Freshness,
};

/// Everything that the log says.
#[derive(Default)]
pub(super) struct Past {
    pub(super) conversations: HashMap<AgentId, Conversation>,
    /// Which files each agent knows.
    pub(super) freshness: HashMap<AgentId, Freshness>,
    pub(super) checklists: HashMap<AgentId, Checklist>,
    pub(super) goal: Option<Goal>,
    /// Sub-agents that were not removed, in the order in which they were made.
    pub(super) agents: Vec<PastAgent>,
    pub(super) grants: Grants,
    pub(super) settings: Option<SessionSettings>,
    pub(super) usage: Usage,
    pub(super) main_usage: Usage,
    pub(super) main_calls: u64,
    /// The main agent's last turn.
    pub(super) main_turn: Option<PastTurn>,
    /// Turns of the main agent that have ended.
    pub(super) turns: u64,
    pub(super) last_turn: u64,
    pub(super) last_request: u64,
    pub(super) is_titled: bool,
}

/// The last turn of an agent, as its node tells it.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct PastTurn {
    pub(super) started_ms: i64,
    pub(super) ended_ms: Option<i64>,
    pub(super) status: AgentStatus,
}

/// A sub-agent of the past.
pub(super) struct PastAgent {
    pub(super) node: AgentNode,
    /// What it was given; `None` in logs that do not say so.
    pub(super) authority: Option<Authority>,
    /// Distance from the main agent; `None` when the log does not know its parents.
    pub(super) depth: Option<usize>,
}

impl Past {
    pub(super) fn fold(records: &[Stored]) -> Self {
        let mut past = Self::default();
        for stored in records {
            past.take(stored);
        }
        past.grants.end_turns();
        past
    }

    fn take(&mut self, stored: &Stored) {
        let agent = &stored.agent;
        self.conversations
            .entry(agent.clone())
            .or_default()
            .apply(&stored.record);
        if let Record::Result { result } = &stored.record
            && let Some(seen) = &result.seen
        {
            let freshness = self.freshness.entry(agent.clone()).or_default();
            freshness.restore(seen);
        }
        if let Record::TurnStarted { .. } | Record::TurnFinished { .. } = &stored.record {
            self.grants.end_turn(agent);
        }
        match &stored.record {
            Record::TurnStarted { turn } => {
                self.last_turn = self.last_turn.max(turn.0);
                if agent.is_main() {
                    self.main_turn = Some(PastTurn {
                        started_ms: stored.at_ms,
                        ended_ms: None,
                        status: AgentStatus::Interrupted,
                    });
                }
            }
            Record::TurnFinished { outcome, .. } if agent.is_main() => {
                self.turns += 1;
                if let Some(turn) = &mut self.main_turn {
                    turn.ended_ms = Some(stored.at_ms);
                    turn.status = AgentStatus::after(outcome);
                }
            }
            Record::Reply { usage, .. } => {
                self.usage.add(usage);
                if agent.is_main() {
                    self.main_usage.add(usage);
                }
            }
            Record::Result { result } if agent.is_main() => {
                self.main_calls += u64::from(result.status != CallStatus::Refused);
            }
            Record::ApprovalAsked { request } => {
                self.last_request = self.last_request.max(request.id.0);
            }
            Record::QuestionAsked { form } => self.last_request = self.last_request.max(form.id.0),
            Record::ChecklistChanged { checklist, .. } => {
                self.checklists.insert(agent.clone(), checklist.clone());
            }
            Record::GoalChanged { goal, .. } => self.goal = Some(goal.clone()),
            // Those that last longer come from where they are kept.
            Record::Granted { grant, .. } if grant.scope.lasts() => {}
            Record::Granted { grant, revoked } => {
                if *revoked {
                    self.grants.revoke(&grant.rule);
                } else {
                    self.grants.add(grant.clone());
                }
            }
            Record::SettingsChanged { settings } => self.settings = Some(settings.clone()),
            Record::AgentChanged { node, authority } => self.put_agent(node, authority.as_ref()),
            Record::AgentRemoved => self.remove_agent(agent),
            Record::Titled { .. } => self.is_titled = true,
            _ => {}
        }
    }

    fn put_agent(&mut self, node: &AgentNode, authority: Option<&Authority>) {
        if let Some(known) = self
            .agents
            .iter_mut()
            .find(|agent| agent.node.id == node.id)
        {
            known.node = node.clone();
            // What was given first holds: no later record widens it.
            known.authority = known.authority.take().or_else(|| authority.cloned());
            return;
        }
        self.agents.push(PastAgent {
            depth: self.depth_below(node.parent.as_ref()),
            node: node.clone(),
            authority: authority.cloned(),
        });
    }

    fn depth_below(&self, parent: Option<&AgentId>) -> Option<usize> {
        let parent = parent?;
        if parent.is_main() {
            return Some(1);
        }
        let known = self.agents.iter().find(|agent| agent.node.id == *parent)?;
        Some(known.depth? + 1)
    }

    fn remove_agent(&mut self, id: &AgentId) {
        self.agents.retain(|agent| agent.node.id != *id);
        self.conversations.remove(id);
        self.freshness.remove(id);
        self.checklists.remove(id);
        self.grants.end_agent(id);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::{
        ids::Sequence,
        permission::{Level, Network},
    };

    fn changed(id: &str, parent: &str, authority: Option<Authority>) -> Stored {
        let node = AgentNode {
            id: AgentId::new(id),
            parent: Some(AgentId::new(parent)),
            description: String::new(),
            status: AgentStatus::Done,
            activity: String::new(),
            started_ms: 0,
            ended_ms: None,
            usage: Usage::default(),
            calls: 0,
        };
        stored(id, Record::AgentChanged { node, authority })
    }

    fn stored(agent: &str, record: Record) -> Stored {
        Stored {
            sequence: Sequence(1),
            at_ms: 0,
            agent: AgentId::new(agent),
            record,
        }
    }

    fn reading() -> Authority {
        Authority {
            cap: Level::Read,
            network: Network::Remote,
            inherits: vec!["notes".to_owned()],
            policies: Vec::new(),
        }
    }

    #[test]
    fn what_an_agent_was_given_first_holds_and_its_depth_follows_from_its_parents() {
        let wider = Authority {
            cap: Level::Unrestricted,
            network: Network::All,
            inherits: Vec::new(),
            policies: Vec::new(),
        };
        let past = Past::fold(&[
            changed("child", "main", Some(reading())),
            changed("grandchild", "child", Some(reading())),
            changed("child", "main", None),
            changed("child", "main", Some(wider)),
            changed("old", "main", None),
            changed("stray", "nobody", None),
        ]);

        let told: Vec<(&str, Option<usize>, Option<&Authority>)> = past
            .agents
            .iter()
            .map(|agent| {
                (
                    agent.node.id.as_str(),
                    agent.depth,
                    agent.authority.as_ref(),
                )
            })
            .collect();
        let given = reading();
        assert_eq!(
            told,
            [
                ("child", Some(1), Some(&given)),
                ("grandchild", Some(2), Some(&given)),
                ("old", Some(1), None),
                ("stray", None, None),
            ]
        );
    }

    #[test]
    fn a_removed_agent_is_gone() {
        let past = Past::fold(&[
            changed("child", "main", None),
            stored("child", Record::AgentRemoved),
        ]);

        assert!(past.agents.is_empty());
        assert!(!past.conversations.contains_key(&AgentId::new("child")));
    }

    #[test]
    fn a_record_of_an_older_program_still_loads() {
        let json = r#"{"type":"agent_changed","node":{"id":"a","parent":"main","description":"","status":{"state":"done"},
            "started_ms":0,"usage":{"input":0,"cached":0,"output":0},"calls":0}}"#;
        let record: Record = serde_json::from_str(json).unwrap();

        assert!(matches!(
            record,
            Record::AgentChanged {
                authority: None,
                ..
            }
        ));
    }
}
