//! Hooks before a call: each hears what those before it made of it.
//!
//! A hook that writes other arguments changes what those behind it hear; those before it, which consented to something
//! else, hear of the last version once more. So no version runs that a hook has not heard.

use serde_json::Value;

use super::{
    chain::{Chain, said},
    occasion::Heard,
    subject::Subject,
};
use crate::{
    domain::hook::{HookDeed, HookEvent},
    engine::turn::call::Caller,
};

const TOO_EARLY: &str = "it answered with an output before there is one";

impl Chain<'_> {
    pub(super) async fn before(&self, caller: &Caller, mut subject: Subject) -> Heard {
        let (tools, agents) = (HookEvent::PreToolCall, HookEvent::PreAsk);
        let mut heard = Heard::default();
        let mut changed: Vec<(usize, String)> = Vec::new();
        for (index, hook) in self.hooks.iter().enumerate() {
            if !subject.concerns(hook, tools, agents) {
                continue;
            }
            let answer = match self.ask(hook, subject.told()).await {
                Ok(answer) if answer.output.is_some() => Err(TOO_EARLY.to_owned()),
                answer => answer,
            };
            let answer = match answer {
                Ok(answer) => answer,
                Err(why) => {
                    self.failed(hook, why, true, &mut heard);
                    if heard.denied.is_some() {
                        return heard;
                    }
                    continue;
                }
            };
            if self.objects(hook, &answer, &mut heard) {
                return heard;
            }
            self.add(hook, &answer, &mut heard);
            let Some(input) = answer.input.map(Value::Object) else {
                continue;
            };
            match Subject::read(caller, subject.tool, &input).await {
                Ok(next) if next.arguments == subject.arguments => {}
                Ok(next) => {
                    let (from, to) = (subject.arguments, next.arguments.clone());
                    heard
                        .notes
                        .push(self.note(hook, HookDeed::Changed { from, to }));
                    changed.push((index, hook.name.clone()));
                    subject = next;
                }
                Err(why) => {
                    // What it wanted is unknown, and what was called is not what it wanted.
                    let why = format!("its arguments do not fit: {why}");
                    heard.denied = Some(said(hook, why.clone()));
                    let stopped = true;
                    heard
                        .notes
                        .push(self.note(hook, HookDeed::Failed { why, stopped }));
                    return heard;
                }
            }
        }
        if let Some((last, by)) = changed.last() {
            self.look_again(caller, &subject, *last, by, &mut heard)
                .await;
            let names: Vec<&str> = changed.iter().map(|(_, name)| name.as_str()).collect();
            heard.input = Some((subject.arguments, names.join(" and the hook ")));
        }
        heard
    }

    /// Tells the hooks before the last one that changed something of what it has become.
    async fn look_again(
        &self,
        caller: &Caller,
        subject: &Subject,
        last: usize,
        by: &str,
        heard: &mut Heard,
    ) {
        let (tools, agents) = (HookEvent::PreToolCall, HookEvent::PreAsk);
        for hook in self.hooks.iter().take(last) {
            if !subject.concerns(hook, tools, agents) {
                continue;
            }
            match self.ask(hook, subject.told()).await {
                Ok(answer) => {
                    let other = answer.input.clone().map(Value::Object);
                    if self.objects(hook, &answer, heard) {
                        return;
                    }
                    let agrees = match other {
                        Some(other) => Subject::read(caller, subject.tool, &other)
                            .await
                            .is_ok_and(|other| other.arguments == subject.arguments),
                        None => true,
                    };
                    if !agrees {
                        let words =
                            format!("it does not agree with the hook {by} about the arguments");
                        heard.denied = Some(said(hook, words.clone()));
                        heard
                            .notes
                            .push(self.note(hook, HookDeed::Denied { words }));
                        return;
                    }
                }
                Err(why) => {
                    self.failed(hook, why, true, heard);
                    if heard.denied.is_some() {
                        return;
                    }
                }
            }
        }
    }
}
