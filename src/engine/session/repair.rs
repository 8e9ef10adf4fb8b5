//! Makes the log of a session that was killed whole again: every call gets its result, every turn its end, and a goal
//! that was worked on rests until the person resumes it.
//!
//! Pure: from the records to the records that are missing.

use serde::{Deserialize, Serialize};

use super::ledger::{Ledger, PastAgent};
use crate::{
    domain::{
        approval::ApprovalDecision,
        chat::ChatMessage,
        ids::{AgentId, CallId, RequestId, TurnId},
        question::FormOutcome,
        record::{Record, ReplyEnd, Speaker, TurnOutcome, TurnRecap},
        tool::{CallStatus, ToolResult},
        usage::Usage,
    },
    engine::window::conversation::INTERRUPTED,
};

/// What the model is told about a call that had not begun.
const NOT_BEGUN: &str = "[not run: the program ended before]";
/// Why a goal rests after a restart: nothing begins to work by itself.
pub const LEFT: &str = "the session was left";

/// What an agent had begun and not ended.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct OpenWork {
    partial: Option<ChatMessage>,
    turn: Option<TurnId>,
    approvals: Vec<RequestId>,
    forms: Vec<RequestId>,
    /// Calls without a result, and whether they had begun.
    calls: Vec<(CallId, bool)>,
    /// Calls of running calls without a result.
    #[serde(default)]
    inner: Vec<CallId>,
}

/// The records to append, in order.
pub fn missing(ledger: &Ledger) -> Vec<(AgentId, Record)> {
    let mut missing = Vec::new();
    for (id, agent) in &ledger.agents {
        let closing = agent.open.close().into_iter();
        missing.extend(closing.map(|record| (id.clone(), record)));
        if id.is_main()
            && let Some(mut goal) = ledger.goal.clone()
            && goal.pause(LEFT).is_ok()
        {
            let speaker = Speaker::Program;
            missing.push((id.clone(), Record::GoalChanged { goal, speaker }));
        }
        missing.extend(rests(agent).map(|record| (id.clone(), record)));
    }
    missing
}

/// A sub-agent that was at work is told as interrupted.
fn rests(agent: &PastAgent) -> Option<Record> {
    let mut node = agent.node.clone().filter(|node| !node.status.is_final())?;
    node.status = crate::domain::agent::AgentStatus::Interrupted;
    node.activity = String::new();
    Some(Record::AgentChanged {
        node,
        authority: None,
    })
}

impl OpenWork {
    /// Takes the next record of the agent.
    pub(super) fn take(&mut self, record: &Record) {
        match record {
            Record::TurnStarted { turn } => self.turn = Some(*turn),
            Record::TurnFinished { .. } => {
                self.turn = None;
                self.partial = None;
            }
            Record::CallStarted { call } => {
                for (id, has_begun) in &mut self.calls {
                    *has_begun |= id == call;
                }
            }
            Record::InnerCalled { call, .. } => self.inner.push(call.id.clone()),
            Record::InnerResult { result } => self.inner.retain(|id| *id != result.call),
            Record::Result { result } => self.calls.retain(|(id, _)| *id != result.call),
            Record::Partial { message } => self.partial = Some(message.clone()),
            Record::Reply { message, .. } => {
                self.partial = None;
                let calls = message.calls().map(|call| (call.id.clone(), false));
                self.calls.extend(calls);
            }
            Record::ApprovalAsked { request } => self.approvals.push(request.id),
            Record::ApprovalDecided { request, .. } => self.approvals.retain(|id| id != request),
            Record::QuestionAsked { form } => self.forms.push(form.id),
            Record::QuestionAnswered { request, .. } => self.forms.retain(|id| id != request),
            _ => {}
        }
    }

    fn close(&self) -> Vec<Record> {
        let mut records = Vec::new();
        if let Some(message) = self.partial.clone() {
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
        records.extend(self.inner.iter().map(|call| Record::InnerResult {
            result: ToolResult::plain(call.clone(), CallStatus::Interrupted, INTERRUPTED),
        }));
        records.extend(self.calls.iter().map(|(call, has_begun)| {
            let text = if *has_begun { INTERRUPTED } else { NOT_BEGUN };
            Record::Result {
                result: ToolResult::plain(call.clone(), CallStatus::Interrupted, text),
            }
        }));
        if let Some(turn) = self.turn {
            records.push(Record::TurnFinished {
                turn,
                outcome: TurnOutcome::Interrupted,
                recap: TurnRecap::default(),
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
        goal::Goal,
        ids::Sequence,
        record::{Lane, Speaker, Stored},
        tool::ToolCall,
    };

    fn ledger(records: Vec<Record>) -> Ledger {
        let stored = records.into_iter().zip(1..).map(|(record, at)| Stored {
            sequence: Sequence(at),
            at_ms: 0,
            agent: AgentId::main(),
            record,
        });
        Ledger::fold(&stored.collect::<Vec<_>>())
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
            missing(&ledger(vec![record]))
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

    #[test]
    fn a_call_that_a_call_makes_is_closed_as_well() {
        let mut records = begun();
        records.push(calling("c"));
        for (id, ends) in [("c/1", true), ("c/2", false)] {
            let call = CallId::new(id);
            records.push(Record::InnerCalled {
                parent: CallId::new("c"),
                call: ToolCall {
                    id: call.clone(),
                    name: "file_read".to_owned(),
                    arguments: json!({"path": "a"}),
                    malformed: None,
                },
            });
            records.push(Record::CallStarted { call: call.clone() });
            if ends {
                let result = ToolResult::plain(call, CallStatus::Done, "a");
                records.push(Record::InnerResult { result });
            }
        }

        let missing = missing(&ledger(records));

        let closed: Vec<String> = missing
            .iter()
            .filter_map(|(_, record)| match record {
                Record::Result { result } | Record::InnerResult { result } => {
                    Some(format!("{}: {}", result.call, result.text))
                }
                _ => None,
            })
            .collect();
        assert_eq!(
            closed,
            [format!("c/2: {INTERRUPTED}"), format!("c: {NOT_BEGUN}")]
        );
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

        let missing = missing(&ledger(records));

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

        let missing = missing(&ledger(records));

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

        let missing = missing(&ledger(records));

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
        let first = missing(&ledger(records.clone()));
        records.extend(first.into_iter().map(|(_, record)| record));

        assert_eq!(missing(&ledger(records)), []);
    }
}
