//! What the log of a session says beyond the words: kept up to date with every record, stored now and then, so that a
//! session opens without its whole log being read. Pure.

use std::collections::{BTreeMap, HashSet};

use serde::{Deserialize, Serialize};

use super::repair::OpenWork;
use crate::{
    domain::{
        agent::{AgentNode, AgentStatus, Authority},
        checklist::Checklist,
        goal::Goal,
        ids::{AgentId, CallId, Sequence},
        record::{Record, Stored},
        session::SessionSettings,
        tool::CallStatus,
        usage::Usage,
    },
    engine::window::loading::Place,
    permission::Grants,
};

/// Rises whenever what is stored of a ledger means something else: an older one is not read.
pub const VERSION: i64 = 1;

/// Everything that the log says.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Ledger {
    /// The last record that was taken.
    pub through: Sequence,
    /// What each agent left behind, the main one's too; those that were removed are not in it.
    pub agents: BTreeMap<AgentId, PastAgent>,
    /// Sub-agents in the order in which they were made.
    pub order: Vec<AgentId>,
    /// The session's goal.
    pub goal: Option<Goal>,
    /// What the person answered for this session.
    pub grants: Grants,
    /// The last settings.
    pub settings: Option<SessionSettings>,
    /// What all agents have used.
    pub usage: Usage,
    /// The number of the last turn.
    pub last_turn: u64,
    /// The number of the last request to the person.
    pub last_request: u64,
    /// Whether the session was given a title.
    pub is_titled: bool,
}

/// What an agent left behind.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct PastAgent {
    /// Its first record.
    pub first: Sequence,
    /// Its compactions that are not undone, the oldest first.
    pub boundaries: Vec<Sequence>,
    /// Which files it knows, by their real paths, and the digest of what it knows of each.
    pub seen: BTreeMap<String, String>,
    /// Its checklist.
    pub checklist: Option<Checklist>,
    /// The ids of its calls: none is used again.
    pub calls: HashSet<CallId>,
    /// What was begun and has not ended.
    pub open: OpenWork,
    /// What it has used.
    pub usage: Usage,
    /// Calls that ran.
    pub ran: u64,
    /// Turns that have ended.
    pub turns: u64,
    /// Its last turn.
    pub turn: Option<PastTurn>,
    /// What the tree showed of it; `None` for the main agent.
    pub node: Option<AgentNode>,
    /// What it was given; `None` in logs that do not say so.
    pub authority: Option<Authority>,
    /// Distance from the main agent; `None` when the log does not know its parents.
    pub depth: Option<usize>,
}

/// The last turn of an agent, as its node tells it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PastTurn {
    /// When it began, milliseconds since the Unix epoch.
    pub started_ms: i64,
    /// When it ended.
    pub ended_ms: Option<i64>,
    /// How.
    pub status: AgentStatus,
}

impl Ledger {
    /// What these records say.
    #[cfg(test)]
    pub fn fold(records: &[Stored]) -> Self {
        let mut ledger = Self::default();
        for stored in records {
            ledger.take(stored);
        }
        ledger
    }

    /// The main agent's part.
    pub fn main(&self) -> PastAgent {
        self.agents
            .get(&AgentId::main())
            .cloned()
            .unwrap_or_default()
    }

    /// Takes the next record.
    pub fn take(&mut self, stored: &Stored) {
        self.through = self.through.max(stored.sequence);
        let id = &stored.agent;
        match &stored.record {
            Record::AgentChanged { node, authority } => {
                self.put_agent(stored, node, authority.as_ref());
                return;
            }
            Record::AgentRemoved => return self.remove_agent(id),
            Record::TurnStarted { turn } => {
                self.last_turn = self.last_turn.max(turn.0);
                self.grants.end_turn(id);
            }
            Record::TurnFinished { .. } => drop(self.grants.end_turn(id)),
            Record::Reply { usage, .. } => self.usage.add(usage),
            Record::Compacted { compaction } => self.usage.add(&compaction.usage),
            Record::ApprovalAsked { request } => {
                self.last_request = self.last_request.max(request.id.0);
            }
            Record::QuestionAsked { form } => self.last_request = self.last_request.max(form.id.0),
            Record::GoalChanged { goal, .. } => self.goal = Some(goal.clone()),
            // Those that last longer come from where they are kept.
            Record::Granted { grant, revoked } if !grant.scope.lasts() => {
                if *revoked {
                    self.grants.revoke(&grant.rule);
                } else {
                    self.grants.add(grant.clone());
                }
            }
            Record::SettingsChanged { settings } => self.settings = Some(settings.clone()),
            Record::Titled { .. } => self.is_titled = true,
            _ => {}
        }
        self.agent(stored).take(stored);
    }

    fn agent(&mut self, stored: &Stored) -> &mut PastAgent {
        let first = || PastAgent {
            first: stored.sequence,
            ..PastAgent::default()
        };
        self.agents
            .entry(stored.agent.clone())
            .or_insert_with(first)
    }

    fn put_agent(&mut self, stored: &Stored, node: &AgentNode, authority: Option<&Authority>) {
        let depth = self.depth_below(node.parent.as_ref());
        if !self.order.contains(&node.id) {
            self.order.push(node.id.clone());
        }
        let agent = self.agent(stored);
        if agent.node.is_none() {
            agent.depth = depth;
        }
        agent.node = Some(node.clone());
        // What was given first holds: no later record widens it.
        agent.authority = agent.authority.take().or_else(|| authority.cloned());
    }

    fn depth_below(&self, parent: Option<&AgentId>) -> Option<usize> {
        let parent = parent?;
        if parent.is_main() {
            return Some(1);
        }
        let known = self.agents.get(parent)?;
        known.node.as_ref()?;
        Some(known.depth? + 1)
    }

    fn remove_agent(&mut self, id: &AgentId) {
        self.order.retain(|agent| agent != id);
        self.agents.remove(id);
        self.grants.end_agent(id);
    }
}

impl PastAgent {
    /// Where its window begins.
    pub fn place(&self) -> Place {
        let last = self.boundaries.last().copied();
        last.map_or(Place::First(self.first), Place::Boundary)
    }

    fn take(&mut self, stored: &Stored) {
        self.open.take(&stored.record);
        match &stored.record {
            Record::TurnStarted { .. } => {
                self.turn = Some(PastTurn {
                    started_ms: stored.at_ms,
                    ended_ms: None,
                    status: AgentStatus::Interrupted,
                });
            }
            Record::TurnFinished { outcome, .. } => {
                self.turns += 1;
                if let Some(turn) = &mut self.turn {
                    turn.ended_ms = Some(stored.at_ms);
                    turn.status = AgentStatus::after(outcome);
                }
            }
            Record::Reply { usage, message, .. } => {
                self.usage.add(usage);
                self.calls
                    .extend(message.calls().map(|call| call.id.clone()));
            }
            Record::Result { result } => {
                self.ran += u64::from(result.status != CallStatus::Refused);
                if let Some(seen) = &result.seen {
                    self.seen.insert(seen.path.clone(), seen.digest.clone());
                }
            }
            Record::ChecklistChanged { checklist, .. } => self.checklist = Some(checklist.clone()),
            Record::Compacted { compaction } => {
                self.usage.add(&compaction.usage);
                self.boundaries.push(stored.sequence);
            }
            Record::CompactionUndone { boundary } => self.boundaries.retain(|at| at != boundary),
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::{
        ids::TurnId,
        permission::{Level, Network},
        record::{TurnOutcome, TurnRecap},
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
        let ledger = Ledger::fold(&[
            changed("child", "main", Some(reading())),
            changed("grandchild", "child", Some(reading())),
            changed("child", "main", None),
            changed("child", "main", Some(wider)),
            changed("old", "main", None),
            changed("stray", "nobody", None),
        ]);

        let told: Vec<(&str, Option<usize>, Option<&Authority>)> = ledger
            .order
            .iter()
            .map(|id| {
                let agent = &ledger.agents[id];
                (id.as_str(), agent.depth, agent.authority.as_ref())
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
    fn a_stored_ledger_goes_on_as_if_it_had_never_been_stored() {
        let turn = TurnId(3);
        let records = [
            stored("main", Record::TurnStarted { turn }),
            changed("child", "main", Some(reading())),
            stored("child", Record::TurnStarted { turn: TurnId(4) }),
            stored(
                "child",
                Record::TurnFinished {
                    turn: TurnId(4),
                    outcome: TurnOutcome::Finished,
                    recap: TurnRecap::default(),
                },
            ),
            stored(
                "main",
                Record::CompactionUndone {
                    boundary: Sequence(9),
                },
            ),
        ];
        let whole = Ledger::fold(&records);

        for split in 0..=records.len() {
            let first = Ledger::fold(&records[..split]);
            let json = serde_json::to_string(&first).unwrap();
            let mut again: Ledger = serde_json::from_str(&json).unwrap();
            for stored in &records[split..] {
                again.take(stored);
            }
            assert_eq!(again, whole, "split at {split}");
        }
    }

    #[test]
    fn a_removed_agent_is_gone() {
        let ledger = Ledger::fold(&[
            changed("child", "main", None),
            stored("child", Record::AgentRemoved),
        ]);

        assert!(ledger.agents.is_empty());
        assert!(ledger.order.is_empty());
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
