//! Makes the log of a session that was killed whole again: every call gets its result, every turn its end, and a goal
//! that was worked on rests until the person resumes it.
//!
//! Pure: from the records to the records that are missing.

use std::collections::{BTreeMap, HashSet};

use crate::{
    domain::{
        agent::AgentStatus,
        approval::ApprovalDecision,
        chat::ChatMessage,
        goal::Goal,
        ids::{AgentId, CallId, RequestId, TurnId},
        question::FormOutcome,
        record::{Record, ReplyEnd, Speaker, Stored, TurnOutcome, TurnRecap},
        tool::{CallStatus, ToolResult},
        usage::Usage,
    },
    engine::window::conversation::{Conversation, INTERRUPTED},
};

/// What the model is told about a call that had not begun.
const NOT_BEGUN: &str = "[not run: the program ended before]";
/// Why a goal rests after a restart: nothing begins to work by itself.
pub const LEFT: &str = "the session was left";

#[derive(Default)]
struct Past {
    conversation: Conversation,
    partial: Option<ChatMessage>,
    turn: Option<TurnId>,
    approvals: Vec<RequestId>,
    forms: Vec<RequestId>,
    node: Option<crate::domain::agent::AgentNode>,
    started: HashSet<CallId>,
    goal: Option<Goal>,
}

/// The records to append, in order.
pub fn missing(records: &[Stored]) -> Vec<(AgentId, Record)> {
    let mut pasts: BTreeMap<AgentId, Past> = BTreeMap::new();
    for stored in records {
        pasts
            .entry(stored.agent.clone())
            .or_default()
            .take(&stored.record);
    }
    let mut missing = Vec::new();
    for (agent, past) in pasts {
        missing.extend(
            past.close()
                .into_iter()
                .map(|record| (agent.clone(), record)),
        );
    }
    missing
}

impl Past {
    fn take(&mut self, record: &Record) {
        self.conversation.apply(record);
        match record {
            Record::TurnStarted { turn } => self.turn = Some(*turn),
            Record::TurnFinished { .. } => {
                self.turn = None;
                self.partial = None;
            }
            Record::CallStarted { call } => {
                self.started.insert(call.clone());
            }
            Record::Partial { message } => self.partial = Some(message.clone()),
            Record::Reply { .. } => self.partial = None,
            Record::ApprovalAsked { request } => self.approvals.push(request.id),
            Record::ApprovalDecided { request, .. } => self.approvals.retain(|id| id != request),
            Record::QuestionAsked { form } => self.forms.push(form.id),
            Record::QuestionAnswered { request, .. } => self.forms.retain(|id| id != request),
            Record::AgentChanged { node, .. } => self.node = Some(node.clone()),
            Record::AgentRemoved => self.node = None,
            Record::GoalChanged { goal, .. } => self.goal = Some(goal.clone()),
            _ => {}
        }
    }

    fn close(mut self) -> Vec<Record> {
        let mut records = Vec::new();
        if let Some(message) = self.partial.take() {
            records.push(Record::Reply {
                message,
                end: ReplyEnd::Interrupted,
                usage: Usage::default(),
            });
        }
        records.extend(
            self.approvals
                .iter()
                .map(|request| Record::ApprovalDecided {
                    request: *request,
                    decision: ApprovalDecision::Withdrawn,
                }),
        );
        records.extend(self.forms.iter().map(|request| Record::QuestionAnswered {
            request: *request,
            outcome: FormOutcome::Cancelled,
        }));
        records.extend(self.conversation.unanswered().into_iter().map(|call| {
            let text = if self.started.contains(&call) {
                INTERRUPTED
            } else {
                NOT_BEGUN
            };
            Record::Result {
                result: ToolResult::plain(call, CallStatus::Interrupted, text),
            }
        }));
        if let Some(turn) = self.turn {
            records.push(Record::TurnFinished {
                turn,
                outcome: TurnOutcome::Interrupted,
                recap: TurnRecap::default(),
            });
        }
        if let Some(mut goal) = self.goal
            && goal.pause(LEFT).is_ok()
        {
            let speaker = Speaker::Program;
            records.push(Record::GoalChanged { goal, speaker });
        }
        if let Some(mut node) = self.node
            && !node.status.is_final()
        {
            node.status = AgentStatus::Interrupted;
            node.activity = String::new();
            records.push(Record::AgentChanged {
                node,
                authority: None,
            });
        }
        records
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::domain::{
        chat::{ContentBlock, Role},
        ids::Sequence,
        record::{Lane, Speaker},
        tool::ToolCall,
    };

    fn stored(records: Vec<Record>) -> Vec<Stored> {
        records
            .into_iter()
            .enumerate()
            .map(|(index, record)| Stored {
                sequence: Sequence(index as u64 + 1),
                at_ms: 0,
                agent: AgentId::main(),
                record,
            })
            .collect()
    }

    fn calling(id: &str) -> Record {
        Record::Reply {
            message: ChatMessage {
                role: Role::Assistant,
                blocks: vec![ContentBlock::ToolCall(ToolCall {
                    id: CallId::new(id),
                    name: "shell_execute".to_owned(),
                    arguments: json!({"command": "sleep 60"}),
                    malformed: None,
                })],
                provider: None,
            },
            end: ReplyEnd::ToolCalls,
            usage: Usage::default(),
        }
    }

    #[test]
    fn a_goal_that_was_worked_on_rests_and_another_is_left_as_it_is() {
        let active = Goal::new("green tests").unwrap();
        let rests = |goal: &Goal| {
            let record = Record::GoalChanged {
                goal: goal.clone(),
                speaker: Speaker::Person,
            };
            missing(&stored(vec![record]))
        };
        let mut paused = active.clone();
        paused.pause(LEFT).unwrap();
        let expected = Record::GoalChanged {
            goal: paused.clone(),
            speaker: Speaker::Program,
        };

        assert_eq!(rests(&active), [(AgentId::main(), expected)]);
        assert_eq!(rests(&paused), []);
    }

    fn begun() -> Vec<Record> {
        vec![
            Record::TurnStarted { turn: TurnId(1) },
            Record::Said {
                speaker: Speaker::Person,
                lane: Lane::Steer,
                text: "go".to_owned(),
            },
        ]
    }

    #[test]
    fn a_call_without_result_and_a_turn_without_end_are_closed() {
        let mut records = begun();
        records.push(calling("c"));
        records.push(Record::CallStarted {
            call: CallId::new("c"),
        });

        let missing = missing(&stored(records));

        assert_eq!(
            missing,
            [
                (
                    AgentId::main(),
                    Record::Result {
                        result: ToolResult::plain(
                            CallId::new("c"),
                            CallStatus::Interrupted,
                            INTERRUPTED
                        )
                    }
                ),
                (
                    AgentId::main(),
                    Record::TurnFinished {
                        turn: TurnId(1),
                        outcome: TurnOutcome::Interrupted,
                        recap: TurnRecap::default()
                    }
                ),
            ]
        );
    }

    #[test]
    fn a_call_that_had_not_begun_is_told_as_not_run() {
        let mut records = begun();
        records.push(calling("c"));

        let missing = missing(&stored(records));

        assert!(matches!(
            &missing[0].1,
            Record::Result { result } if result.text == NOT_BEGUN
        ));
    }

    #[test]
    fn words_that_were_still_coming_are_kept_as_an_interrupted_reply() {
        let mut records = begun();
        let message = ChatMessage::assistant("half a sen");
        records.push(Record::Partial {
            message: message.clone(),
        });

        let missing = missing(&stored(records));

        assert_eq!(
            missing.first(),
            Some(&(
                AgentId::main(),
                Record::Reply {
                    message,
                    end: ReplyEnd::Interrupted,
                    usage: Usage::default()
                }
            ))
        );
    }

    #[test]
    fn a_session_that_ended_well_lacks_nothing_and_repair_repairs_itself_once() {
        let mut records = begun();
        records.push(calling("c"));
        let first = missing(&stored(records.clone()));
        records.extend(first.into_iter().map(|(_, record)| record));

        assert_eq!(missing(&stored(records)), []);
    }
}
