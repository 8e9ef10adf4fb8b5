//! A call before and after its run, as far as hooks are heard: the part of a batch that waits for them.

use super::occasion::{Heard, Occasion, Telling, Watch, Words};
use crate::{
    domain::{
        display::Display,
        hook::HookEvent,
        tool::{CallStatus, ToolResult},
    },
    engine::{
        event::CallState,
        turn::{
            batch::{After, Batch, left_out, note},
            effect::{Approval, Effect},
            entry::{Entry, Progress},
            guards::loops::Loops,
        },
    },
};

impl Batch {
    /// Whether hooks hear of a call or of its result.
    pub(in crate::engine::turn) fn is_told(&self) -> bool {
        self.entries.iter().any(|entry| {
            matches!(
                entry.progress,
                Progress::Telling(_) | Progress::Reviewed { .. }
            )
        })
    }

    /// Hooks have answered.
    pub(in crate::engine::turn) fn hooked(
        &mut self,
        telling: Telling,
        heard: Heard,
        loops: &mut Loops,
    ) -> (Vec<Effect>, After) {
        let awaited = self.entries.iter_mut().find(|entry| match &entry.progress {
            Progress::Telling(awaited) => *awaited == telling,
            Progress::Reviewed {
                telling: awaited, ..
            } => *awaited == telling,
            _ => false,
        });
        // One that was stopped has its result.
        let Some(entry) = awaited else {
            return (Vec::new(), After::GoOn);
        };
        let mut effects = heard.record();
        let mut after = After::GoOn;
        if let Progress::Reviewed { result, .. } = &entry.progress {
            let result = reviewed(result.clone(), heard);
            effects.push(entry.end_told(result));
        } else if let Some(denied) = heard.denied {
            entry.hooked.context = heard.context;
            let text = refusal(&entry.call.name, &denied);
            let mut result = ToolResult::plain(entry.call.id.clone(), CallStatus::Refused, text);
            after = note(&entry.call, &mut result, loops);
            effects.push(entry.end(result));
            // Those behind it may have waited for it to be asked about.
            effects.extend(self.ask_in_order());
        } else {
            if heard.input.is_some() {
                // Whatever was allowed before was something else.
                entry.allowed = Approval::None;
            }
            entry.hooked.changed = heard.input;
            entry.hooked.asks = heard.asks;
            entry.hooked.context = heard.context;
            effects.extend(entry.judge());
        }
        if after == After::GoOn {
            effects.extend(self.start_ready());
        }
        (effects, after)
    }
}

impl Entry {
    /// Has hooks hear of the call before it is judged, where there are some.
    pub(in crate::engine::turn) fn begin(&mut self, watch: &mut Watch) -> Vec<Effect> {
        if !watch.before_call {
            return self.judge().into();
        }
        let (telling, tell) = watch.tell(Occasion::BeforeCall(self.current()));
        self.progress = Progress::Telling(telling);
        let (call, state) = (self.call.id.clone(), CallState::Judging);
        vec![Effect::Call { call, state }, tell]
    }

    /// Has hooks hear of the result, where there are some; else the call ends with it.
    pub(in crate::engine::turn) fn review(
        &mut self,
        result: ToolResult,
        watch: &mut Watch,
    ) -> Effect {
        let Progress::Running { concurrency } = &self.progress else {
            return self.end_told(result);
        };
        if !watch.after_call {
            return self.end_told(result);
        }
        let concurrency = concurrency.clone();
        let (telling, tell) = watch.tell(Occasion::AfterCall(self.current(), result.clone()));
        self.progress = Progress::Reviewed {
            telling,
            result,
            concurrency,
        };
        tell
    }

    /// Ends a call that ran with its result, and with what the person made of it.
    pub(in crate::engine::turn) fn end_told(&mut self, mut result: ToolResult) -> Effect {
        if let (Some(arguments), Some(_)) = (&self.edited, &self.hooked.changed) {
            result.text = format!(
                "[the person changed the arguments to {arguments} before that]\n{}",
                result.text
            );
        } else if let Some(arguments) = &self.edited {
            result.text = format!(
                "[the person changed the arguments before allowing the call; it ran with {arguments}{}]\n{}",
                left_out(&self.call.arguments, arguments),
                result.text
            );
        }
        self.end(result)
    }

    /// Tells the model that hooks wrote other arguments, and what they added.
    pub(in crate::engine::turn) fn tell_hooked(&self, result: &mut ToolResult) {
        if let Some((arguments, by)) = &self.hooked.changed {
            result.text = format!(
                "[the hook {by} changed the arguments of this call to {arguments}]\n{}",
                result.text
            );
        }
        for words in &self.hooked.context {
            result.text.push_str(&format!("\n{}", words.for_model()));
        }
    }
}

/// What the model is told about a call that a hook denied.
fn refusal(tool: &str, denied: &Words) -> String {
    let (what, because) = (
        match denied.event {
            HookEvent::PreAsk => "ask",
            _ => tool,
        },
        denied.because(),
    );
    format!("[{what} denied by the hook {}{because}]", denied.hook)
}

/// A result as hooks leave it.
fn reviewed(mut result: ToolResult, heard: Heard) -> ToolResult {
    if let Some(Words { hook, words, .. }) = heard.output {
        let characters = words.chars().count();
        result.text =
            format!("[the hook {hook} replaced the output ({characters} characters)]\n{words}");
        result.display = Display::Text {
            text: result.text.clone(),
        };
        // What was replaced is not to be read elsewhere.
        result.artifact = None;
        result.attachments.clear();
    }
    if let Some(denied) = heard.denied {
        let because = denied.because();
        result
            .text
            .push_str(&format!("\n[the hook {} objects{because}]", denied.hook));
    }
    for words in &heard.context {
        result.text.push_str(&format!("\n{}", words.for_model()));
    }
    result
}
