//! The conversation of one agent, folded from its records.
//!
//! The fold is the only way into the window: a resumed agent and a running one hold the same messages. A request
//! made from it is always paired: every call has exactly one result, right behind the message that called.

use std::{collections::HashSet, sync::Arc};

use super::budget::Budget;
use crate::domain::{
    chat::{ChatMessage, ContentBlock, Role},
    ids::CallId,
    record::Record,
    tool::{CallStatus, ToolResult},
};

/// What the model is told about a call whose end nobody saw.
pub const INTERRUPTED: &str = "[interrupted, effects unknown: look before doing it again]";

/// The messages of one agent.
#[derive(Clone, Debug, Default)]
pub struct Conversation {
    messages: Vec<ChatMessage>,
    /// What the messages take up.
    pub budget: Budget,
}

impl Conversation {
    /// Takes a record; those that the model does not see change nothing.
    pub fn apply(&mut self, record: &Record) {
        match record {
            Record::ContextNote { text } | Record::Said { text, .. } => {
                self.budget.said(text);
                self.push_words(text);
            }
            Record::PersonRan {
                command,
                result,
                shared: true,
            } => {
                let text = format!("[the person ran `{command}`]\n{}", result.text);
                self.budget.said(&text);
                self.push_words(&text);
            }
            Record::Reply { message, usage, .. } => {
                if !message.blocks.is_empty() {
                    self.budget.replied(message);
                    self.messages.push(message.clone());
                }
                self.budget.reported(usage);
            }
            Record::Result { result } => {
                self.budget.answered(&result.text, &result.attachments);
                self.push_result(result);
            }
            _ => {}
        }
    }

    /// The messages for a request.
    pub fn request(&self) -> Arc<[ChatMessage]> {
        let mut request: Vec<ChatMessage> = Vec::with_capacity(self.messages.len() + 1);
        let mut messages = self.messages.iter().peekable();
        while let Some(message) = messages.next() {
            request.push(message.clone());
            if message.calls().next().is_none() {
                continue;
            }
            let answers = messages.next_if(|next| holds_results(next));
            request.push(paired(message, answers));
        }
        request.into()
    }

    /// Calls that have no result, in order.
    pub fn unanswered(&self) -> Vec<CallId> {
        let answered: HashSet<&CallId> = self
            .messages
            .iter()
            .flat_map(|message| &message.blocks)
            .filter_map(|block| match block {
                ContentBlock::ToolResult(result) => Some(&result.call),
                _ => None,
            })
            .collect();
        self.messages
            .iter()
            .flat_map(ChatMessage::calls)
            .map(|call| &call.id)
            .filter(|id| !answered.contains(id))
            .cloned()
            .collect()
    }

    /// Ids of all calls.
    pub fn calls(&self) -> HashSet<CallId> {
        self.messages
            .iter()
            .flat_map(ChatMessage::calls)
            .map(|call| call.id.clone())
            .collect()
    }

    /// The words of the last reply that has any.
    pub fn last_words(&self) -> Option<String> {
        self.messages
            .iter()
            .rev()
            .filter(|message| message.role == Role::Assistant)
            .map(ChatMessage::text)
            .find(|text| !text.trim().is_empty())
    }

    fn push_words(&mut self, text: &str) {
        if let Some(last) = self.messages.last_mut()
            && last.role == Role::User
            && !holds_results(last)
        {
            last.blocks.push(ContentBlock::Text {
                text: text.to_owned(),
            });
            return;
        }
        self.messages.push(ChatMessage::user(text));
    }

    /// Puts a result right behind the message that called, in call order.
    fn push_result(&mut self, result: &ToolResult) {
        let Some(at) = self
            .messages
            .iter()
            .rposition(|message| message.calls().any(|call| call.id == result.call))
        else {
            return;
        };
        let order: Vec<CallId> = self.messages[at]
            .calls()
            .map(|call| call.id.clone())
            .collect();
        let block = ContentBlock::ToolResult(result.clone());
        match self
            .messages
            .get_mut(at + 1)
            .filter(|next| holds_results(next))
        {
            Some(answers) => {
                answers.blocks.push(block);
                answers.blocks.sort_by_key(|block| match block {
                    ContentBlock::ToolResult(result) => {
                        order.iter().position(|id| *id == result.call)
                    }
                    _ => None,
                });
            }
            None => self.messages.insert(
                at + 1,
                ChatMessage {
                    role: Role::User,
                    blocks: vec![block],
                    provider: None,
                },
            ),
        }
    }
}

fn holds_results(message: &ChatMessage) -> bool {
    message.role == Role::User
        && matches!(message.blocks.first(), Some(ContentBlock::ToolResult(_)))
}

/// One result for each call, in call order.
fn paired(message: &ChatMessage, answers: Option<&ChatMessage>) -> ChatMessage {
    let blocks = message
        .calls()
        .map(|call| {
            let known = answers.into_iter().flat_map(|answers| &answers.blocks).find(|block| {
                matches!(block, ContentBlock::ToolResult(result) if result.call == call.id)
            });
            known.cloned().unwrap_or_else(|| {
                ContentBlock::ToolResult(ToolResult::plain(
                    call.id.clone(),
                    CallStatus::Interrupted,
                    INTERRUPTED,
                ))
            })
        })
        .collect();
    ChatMessage {
        role: Role::User,
        blocks,
        provider: None,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::domain::{
        record::{Lane, ReplyEnd, Speaker},
        tool::ToolCall,
        usage::Usage,
    };

    fn said(text: &str) -> Record {
        Record::Said {
            speaker: Speaker::Person,
            lane: Lane::Steer,
            text: text.to_owned(),
        }
    }

    fn calls(ids: &[&str]) -> Record {
        Record::Reply {
            message: ChatMessage {
                role: Role::Assistant,
                blocks: ids
                    .iter()
                    .map(|id| {
                        ContentBlock::ToolCall(ToolCall {
                            id: CallId::new(id),
                            name: "file_read".to_owned(),
                            arguments: json!({}),
                            malformed: None,
                        })
                    })
                    .collect(),
                provider: None,
            },
            end: ReplyEnd::ToolCalls,
            usage: Usage::default(),
        }
    }

    fn result(id: &str) -> Record {
        Record::Result {
            result: ToolResult::plain(CallId::new(id), CallStatus::Done, id),
        }
    }

    fn fold(records: &[Record]) -> Conversation {
        let mut conversation = Conversation::default();
        for record in records {
            conversation.apply(record);
        }
        conversation
    }

    fn shape(messages: &[ChatMessage]) -> Vec<String> {
        messages
            .iter()
            .map(|message| {
                let blocks: Vec<String> = message
                    .blocks
                    .iter()
                    .map(|block| match block {
                        ContentBlock::Text { text } => format!("text {text}"),
                        ContentBlock::Reasoning { text } => format!("reasoning {text}"),
                        ContentBlock::ToolCall(call) => format!("call {}", call.id),
                        ContentBlock::ToolResult(result) => {
                            format!("result {} {:?}", result.call, result.status)
                        }
                    })
                    .collect();
                format!("{:?}: {}", message.role, blocks.join(", "))
            })
            .collect()
    }

    #[test]
    fn results_stand_behind_their_calls_in_call_order() {
        let conversation = fold(&[
            said("go"),
            calls(&["a", "b"]),
            result("b"),
            result("a"),
            said("and?"),
        ]);

        assert_eq!(
            shape(&conversation.request()),
            [
                "User: text go",
                "Assistant: call a, call b",
                "User: result a Done, result b Done",
                "User: text and?",
            ]
        );
    }

    #[test]
    fn a_call_without_result_is_answered_as_interrupted() {
        let conversation = fold(&[said("go"), calls(&["a", "b"]), result("b"), said("go on")]);

        assert_eq!(
            shape(&conversation.request()),
            [
                "User: text go",
                "Assistant: call a, call b",
                "User: result a Interrupted, result b Done",
                "User: text go on",
            ]
        );
        assert_eq!(conversation.unanswered(), [CallId::new("a")]);
    }

    #[test]
    fn notes_and_words_in_a_row_are_one_message() {
        let conversation = fold(&[
            Record::ContextNote {
                text: "note".to_owned(),
            },
            said("one"),
            said("two"),
        ]);

        assert_eq!(
            shape(&conversation.request()),
            ["User: text note, text one, text two"]
        );
    }
}
