//! Has hooks told of an occasion, and has a judgement follow what they said.

use tokio_util::sync::CancellationToken;

use super::{
    chain::Chain,
    occasion::{Heard, Occasion, Telling, Words},
    subject::Subject,
};
use crate::{
    domain::{
        approval::Offers,
        hook::HookEvent,
        permission::{DecisionStep, Verdict},
    },
    engine::{
        session::permissions::Judged,
        turn::{
            call::{Caller, apart},
            driver::Driver,
            input::Input,
        },
    },
};

impl Driver {
    /// Asks the hooks; their answer comes as an input.
    pub(in crate::engine::turn) fn tell_hooks(&mut self, telling: Telling, occasion: Occasion) {
        let caller = self.caller.clone();
        let cancel = self.waits.hooks.clone();
        let last_words = match occasion {
            Occasion::TurnEnd(_) => self.window.conversation.last_words(),
            _ => None,
        };
        self.work.spawn(async move {
            let heard = apart(async move {
                let heard = hear(&caller, occasion, last_words, &cancel).await;
                // Nobody waits for what was stopped.
                (!cancel.is_cancelled()).then_some(heard)
            });
            let heard = match heard.await {
                Ok(heard) => heard.unwrap_or_default(),
                Err(_) => Heard {
                    denied: Some(Words {
                        hook: "quarterdeck".to_owned(),
                        event: HookEvent::PreToolCall,
                        words: "hooks could not be asked; this is a fault of the program"
                            .to_owned(),
                    }),
                    ..Heard::default()
                },
            };
            Input::Hooked { telling, heard }
        });
    }

    /// Ends the hooks that run.
    pub(in crate::engine::turn) fn stop_hooks(&mut self) {
        let next = self.session().cancel.child_token();
        std::mem::replace(&mut self.waits.hooks, next).cancel();
    }
}

/// What hooks want of a call, as the judgement has it: what one asks about is asked about, and nothing is allowed that was
/// not allowed before.
pub(in crate::engine::turn) fn weigh(
    judged: &mut Judged,
    asks: Option<&Words>,
    changed_by: Option<&str>,
    may_ask: bool,
) {
    let judgement = &mut judged.judgement;
    if let Some(by) = changed_by {
        let says = format!("the hook {by} changed the arguments");
        judgement.reason = format!("{}; {says}", judgement.reason);
        judgement.path.insert(0, step(says, false));
    }
    let Some(asks) = asks.filter(|_| judgement.verdict != Verdict::Deny) else {
        return;
    };
    let mut says = format!("the hook {} wants you asked{}", asks.hook, asks.because());
    if judgement.verdict == Verdict::Ask {
        judgement.reason = format!("{}; {says}", judgement.reason);
    } else if may_ask {
        judgement.verdict = Verdict::Ask;
        judgement.reason.clone_from(&says);
    } else {
        judgement.verdict = Verdict::Deny;
        says.push_str(", and approvals are off");
        judgement.reason.clone_from(&says);
    }
    for step in &mut judgement.path {
        step.decided = false;
    }
    judgement.path.push(step(says, true));
    // It will ask again, whatever is answered for more than this call.
    judged.offers = Offers::default();
}

fn step(says: String, decided: bool) -> DecisionStep {
    DecisionStep {
        stage: "hook".to_owned(),
        says,
        decided,
    }
}

/// What hooks say to an occasion.
pub(in crate::engine::turn) async fn hear(
    caller: &Caller,
    occasion: Occasion,
    last_words: Option<String>,
    cancel: &CancellationToken,
) -> Heard {
    match occasion {
        Occasion::BeforeCall(call) => match Subject::of(caller, &call).await {
            Some(subject) => {
                let chain = Chain::of(caller, Some(&call.id), cancel).await;
                chain.before(caller, subject).await
            }
            // It fails when it is judged, in the words of its tool.
            None => Heard::default(),
        },
        Occasion::AfterCall(call, result) => match Subject::of(caller, &call).await {
            Some(subject) => {
                let chain = Chain::of(caller, Some(&call.id), cancel).await;
                chain.after(subject, result).await
            }
            None => Heard::default(),
        },
        Occasion::BeforeGeneration(words) => {
            let chain = Chain::of(caller, None, cancel).await;
            chain.words(words).await
        }
        Occasion::TurnEnd(outcome) => {
            let chain = Chain::of(caller, None, cancel).await;
            chain.end(&outcome, last_words).await
        }
    }
}
