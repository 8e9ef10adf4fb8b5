//! Asks one hook, and keeps what it says.

use std::sync::Arc;

use serde_json::{Map, Value, json};
use tokio_util::sync::CancellationToken;

use super::occasion::{Heard, Words};
use crate::{
    domain::{
        hook::{Hook, HookDeed, HookNote},
        ids::CallId,
        permission::Level,
    },
    engine::turn::call::Caller,
    hooks::{
        answer::{Answer, Decision},
        run::{self, Place},
    },
    process::spawn::Owner,
    tools::enclosure,
};

/// The hooks, and all that is needed to ask them.
pub(super) struct Chain<'a> {
    pub(super) hooks: Arc<[Hook]>,
    place: Place,
    common: Map<String, Value>,
    call: Option<&'a CallId>,
    cancel: &'a CancellationToken,
}

impl<'a> Chain<'a> {
    pub(super) async fn of(
        caller: &Caller,
        call: Option<&'a CallId>,
        cancel: &'a CancellationToken,
    ) -> Chain<'a> {
        let hooks = caller.session.permissions.hooks();
        let context = caller
            .context(&CallId::new("hooks"), CancellationToken::new())
            .await;
        let no_sandbox = || "nothing holds commands here, and it wants the sandbox".to_owned();
        let sandbox = if hooks.iter().any(|hook| hook.sandbox) {
            match enclosure::policy(&context).await {
                Ok(policy) => policy.ok_or_else(no_sandbox),
                Err(error) => Err(error.to_string()),
            }
        } else {
            Err(no_sandbox())
        };
        let level = context.reach.level;
        let roots = context.roots.directories.iter();
        let open = context.settings.sandbox.writable.iter();
        let common = json!({
            "session": context.session.as_str(),
            "agent": context.agent.as_str(),
            "cwd": context.cwd.to_string_lossy(),
            "level": level.name(),
            "call": call.map(CallId::as_str),
        });
        Chain {
            hooks,
            place: Place {
                cwd: context.cwd.clone(),
                spool: context.settings.spool.clone(),
                own_keys: context.settings.secret_variables.clone(),
                owner: Owner {
                    session: context.session.clone(),
                    agent: context.agent.clone(),
                },
                sandbox,
                is_unrestricted: level == Level::Unrestricted,
                writable: roots.chain(open).cloned().collect(),
            },
            common: common.as_object().cloned().unwrap_or_default(),
            call,
            cancel,
        }
    }

    pub(super) async fn ask(
        &self,
        hook: &Hook,
        mut told: Map<String, Value>,
    ) -> Result<Answer, String> {
        told.insert("event".to_owned(), hook.event.name().into());
        told.insert("hook".to_owned(), hook.name.as_str().into());
        told.extend(self.common.clone());
        run::run(hook, &Value::Object(told), &self.place, self.cancel).await
    }

    pub(super) fn note(&self, hook: &Hook, deed: HookDeed) -> HookNote {
        HookNote {
            hook: hook.name.clone(),
            event: hook.event,
            call: self.call.cloned(),
            deed,
        }
    }

    /// Notes why a hook has no answer; one that is required denies by that.
    pub(super) fn failed(&self, hook: &Hook, why: String, is_early: bool, heard: &mut Heard) {
        let stopped = hook.required && is_early;
        if stopped {
            let words = format!("it is required and failed: {why}");
            heard.denied = Some(said(hook, words));
        }
        heard
            .notes
            .push(self.note(hook, HookDeed::Failed { why, stopped }));
    }

    /// Notes the context of an answer.
    pub(super) fn add(&self, hook: &Hook, answer: &Answer, heard: &mut Heard) {
        if let Some(text) = answer
            .context
            .clone()
            .filter(|text| !text.trim().is_empty())
        {
            heard.context.push(said(hook, text.clone()));
            heard.notes.push(self.note(hook, HookDeed::Added { text }));
        }
    }

    /// Takes the decision of an answer; says whether it is a denial.
    pub(super) fn objects(&self, hook: &Hook, answer: &Answer, heard: &mut Heard) -> bool {
        let words = answer.reason.clone();
        match answer.decision {
            Decision::Allow => false,
            Decision::Ask => {
                if heard.asks.is_none() {
                    heard.asks = Some(said(hook, words.clone()));
                    heard.notes.push(self.note(hook, HookDeed::Asked { words }));
                }
                false
            }
            Decision::Deny => {
                heard.denied = Some(said(hook, words.clone()));
                heard
                    .notes
                    .push(self.note(hook, HookDeed::Denied { words }));
                true
            }
        }
    }
}

pub(super) fn said(hook: &Hook, words: String) -> Words {
    Words {
        hook: hook.name.clone(),
        event: hook.event,
        words,
    }
}
