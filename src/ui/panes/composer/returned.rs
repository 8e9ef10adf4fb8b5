//! Words that come back into the draft: a waiting message that was taken back, what the person's editor saved, what
//! the engine refused.

use super::state::TakingBack;
use crate::{
    domain::record::{Record, Speaker, Stored},
    engine::{
        command::Command,
        event::{Event, Queued},
    },
    ui::{Effect, Model},
};

/// Asks for the latest message that waits for the agent that is spoken to.
pub(super) fn take_back(model: &mut Model) -> Vec<Effect> {
    let (agent, _) = super::update::target(model, None);
    let latest = model
        .session
        .queue
        .get(&agent)
        .and_then(|queue| queue.last());
    let Some(latest) = latest else {
        return Vec::new();
    };
    let message = latest.id;
    model.composer.taking_back = Some(TakingBack {
        agent,
        id: message,
        text: latest.text.clone(),
    });
    vec![Effect::Send(Command::TakeBack { message })]
}

/// What waits for an agent changed: what was asked for and does not wait any more was let go.
pub(super) fn queue_changed(model: &mut Model, event: &Event, queued: &[Queued]) {
    let Some(taking) = &model.composer.taking_back else {
        return;
    };
    let still_waits = queued.iter().any(|queued| queued.id == taking.id);
    if taking.agent == event.agent && !still_waits {
        let text = taking.text.clone();
        model.composer.taking_back = None;
        put_back(model, &text);
    }
}

/// The agent read a message before it was taken back: it was sent, so it does not come back.
pub(super) fn recorded(model: &mut Model, stored: &Stored) {
    let Record::Said { speaker, text, .. } = &stored.record else {
        return;
    };
    model.composer.taking_back = model.composer.taking_back.take().filter(|taking| {
        taking.agent != stored.agent || *speaker != Speaker::Person || taking.text != *text
    });
}

/// The person's editor saved this draft.
pub fn edited(model: &mut Model, text: &str) {
    if model.composer.editor.text() != text {
        model.composer.editor.set_text(text);
        model.composer.list = None;
        model.composer.changed(model.clock.elapsed_ms);
    }
}

/// The engine did not take a command: words that were in it are written anew, and are not lost.
pub fn refused(model: &mut Model, command: &Command) {
    match command {
        Command::Send { text, .. } => put_back(model, text),
        Command::RunShell {
            command,
            shared,
            attended,
        } => {
            let marks = match (attended, shared) {
                (true, _) => "/type ",
                (false, true) => "!",
                (false, false) => "!!",
            };
            put_back(model, &format!("{marks}{command}"));
        }
        Command::SaveDraft { .. } => {
            let now = model.clock.elapsed_ms;
            model.composer.unsaved_since_ms.get_or_insert(now);
        }
        Command::TakeBack { .. } => model.composer.taking_back = None,
        _ => {}
    }
}

/// Puts words in front of the draft.
fn put_back(model: &mut Model, text: &str) {
    let composer = &mut model.composer;
    let draft = composer.editor.text();
    let joined = if draft.is_empty() {
        text.to_owned()
    } else {
        format!("{text}\n{draft}")
    };
    composer.editor.set_text(&joined);
    composer.changed(model.clock.elapsed_ms);
}
