//! Hooks after a call, and those that are told of words and of the end of a turn.

use serde_json::{Map, Value, json};

use super::{
    chain::{Chain, said},
    occasion::Heard,
    subject::Subject,
};
use crate::{
    domain::{
        hook::{HookDeed, HookEvent, HookNote},
        record::TurnOutcome,
        tool::ToolResult,
    },
    hooks::answer::Decision,
    text::truncate::floor_boundary,
};

/// Bytes of an output that a hook puts in the place of a tool's.
const MOST_OUTPUT: usize = 30_000;

const TOO_LATE: &str = "it answered with what only a hook before the call can: input, or ask";
const NO_CALL: &str = "it answered with what only a hook of a call can: input, output, or ask";

impl Chain<'_> {
    pub(super) async fn after(&self, subject: Subject, result: ToolResult) -> Heard {
        let (tools, agents) = (HookEvent::PostToolCall, HookEvent::PostAsk);
        let mut heard = Heard::default();
        let mut output = result.text;
        for hook in self.hooks.iter() {
            if !subject.concerns(hook, tools, agents) {
                continue;
            }
            let mut told = subject.told();
            told.insert("status".to_owned(), json!(result.status));
            told.insert("output".to_owned(), output.as_str().into());
            let answer = match self.ask(hook, told).await {
                Ok(answer) if answer.input.is_some() || answer.decision == Decision::Ask => {
                    Err(TOO_LATE.to_owned())
                }
                answer => answer,
            };
            let answer = match answer {
                Ok(answer) => answer,
                Err(why) => {
                    self.failed(hook, why, false, &mut heard);
                    continue;
                }
            };
            self.add(hook, &answer, &mut heard);
            if answer.decision == Decision::Deny {
                let words = answer.reason;
                heard.denied.get_or_insert(said(hook, words.clone()));
                heard
                    .notes
                    .push(self.note(hook, HookDeed::Denied { words }));
            }
            if let Some(mut other) = answer.output.filter(|other| *other != output) {
                other.truncate(floor_boundary(&other, MOST_OUTPUT));
                let characters = other.chars().count();
                heard
                    .notes
                    .push(self.note(hook, HookDeed::Replaced { characters }));
                heard.output = Some(said(hook, other.clone()));
                output = other;
            }
        }
        heard
    }

    pub(super) async fn words(&self, words: Vec<String>) -> Heard {
        let mut heard = Heard::default();
        let mut told = Map::new();
        told.insert("words".to_owned(), words.clone().into());
        self.each(HookEvent::PreGeneration, &told, true, &mut heard)
            .await;
        if let Some(denied) = &heard.denied {
            // In the place of the denial, or behind why there was none.
            if matches!(
                heard.notes.last().map(|note| &note.deed),
                Some(HookDeed::Denied { .. })
            ) {
                heard.notes.pop();
            }
            heard.notes.push(HookNote {
                hook: denied.hook.clone(),
                event: HookEvent::PreGeneration,
                call: None,
                deed: HookDeed::Blocked {
                    text: words.join("\n\n"),
                    words: denied.words.clone(),
                },
            });
        }
        heard
    }

    pub(super) async fn end(&self, outcome: &TurnOutcome, last_words: Option<String>) -> Heard {
        let mut heard = Heard::default();
        let mut told = match json!(outcome) {
            Value::Object(told) => told,
            _ => Map::new(),
        };
        told.insert("words".to_owned(), last_words.unwrap_or_default().into());
        self.each(HookEvent::TurnEnd, &told, false, &mut heard)
            .await;
        heard
    }

    /// Asks the hooks of an event that is about no call, up to the first that denies.
    async fn each(
        &self,
        event: HookEvent,
        told: &Map<String, Value>,
        is_early: bool,
        heard: &mut Heard,
    ) {
        for hook in self.hooks.iter().filter(|hook| hook.event == event) {
            let answer = match self.ask(hook, told.clone()).await {
                Ok(answer)
                    if answer.input.is_some()
                        || answer.output.is_some()
                        || answer.decision == Decision::Ask =>
                {
                    Err(NO_CALL.to_owned())
                }
                answer => answer,
            };
            match answer {
                Ok(answer) => {
                    if self.objects(hook, &answer, heard) {
                        return;
                    }
                    self.add(hook, &answer, heard);
                }
                Err(why) => self.failed(hook, why, is_early, heard),
            }
            if heard.denied.is_some() {
                return;
            }
        }
    }
}
