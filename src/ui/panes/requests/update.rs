//! What keys, pastes, time and events do to the requests.
//!
//! The one invariant: a form is ended only from [`end_form`], which is reached only by a key that the gate let
//! through; a paste never answers.

use crossterm::event::{KeyCode, KeyEvent};

use super::{
    answering::held,
    approval::Mode,
    approval_keys,
    form::{Form, Step},
    form_keys,
    gate::{COMPOSER_STILL_MS, SAME_KEY_MS, Sight},
    keyboard::{after, candidate, give_to_composer, is_text, offer, put_off, show_box},
    state::{State, Waiting},
};
use crate::{
    domain::{ids::AgentId, notice::Notice, question::FormOutcome},
    engine::{
        command::Command,
        event::{Event, EventKind, Fetched},
    },
    ui::{
        Clock, Effect, Model,
        focus::Pane,
        keymap::{Action, Scope},
        layout::Arrangement,
        overlays::{Overlay, inbox},
        panes::{composer, conversation},
    },
};

/// How long a key of a form must have been still before the same key counts again.
const FORM_KEY_MS: u64 = 120;

/// Rows of an approval box in which a row of what is asked stands: the upper border, that row and the keys.
pub const LEAST_BOX_ROWS: usize = 3;

/// How many approvals and how many forms wait.
pub fn waiting(model: &Model) -> (usize, usize) {
    model.requests.counts()
}

/// Whether something of an agent waits for the person.
pub fn waits_for(model: &Model, agent: &AgentId) -> bool {
    model
        .requests
        .open()
        .any(|waiting| waiting.agent() == agent)
}

/// The scope of the keys when a box or a form has the keyboard.
pub fn scope(model: &Model) -> Option<Scope> {
    if let Some(approval) = model.requests.focused_approval() {
        return Some(match approval.mode {
            Mode::Answer => Scope::Approval,
            Mode::Hunks => Scope::Question,
            Mode::Words | Mode::Edit | Mode::Rule => Scope::Field,
        });
    }
    if model.screen.focus != Pane::Composer {
        return None;
    }
    let form = model.requests.form()?;
    Some(if form.editing {
        Scope::Field
    } else {
        Scope::Question
    })
}

/// Whether a form stands in the composer's place now.
pub fn takes_composer(model: &Model) -> bool {
    model.requests.form().is_some()
}

/// Takes an action while a box or form has the keyboard; `key` ended its chords.
pub fn update(model: &mut Model, action: Action, key: KeyEvent) -> Vec<Effect> {
    if let Some(effects) = held::goes_on(model, key) {
        return effects;
    }
    if model.requests.focused.is_some() {
        return approval_keys::update(model, action, key);
    }
    form_keys::update(model, action, key)
}

/// Takes a key that means no action while a box or form has the keyboard.
pub fn input(model: &mut Model, key: KeyEvent) -> Vec<Effect> {
    if let Some(effects) = held::goes_on(model, key) {
        return effects;
    }
    if model.requests.focused.is_none() {
        return form_keys::input(model, key);
    }
    let width = composer::view::text_width(model);
    let now = model.clock.elapsed_ms;
    let Some(approval) = model.requests.focused_approval_mut() else {
        return Vec::new();
    };
    let walks = matches!(key.code, KeyCode::Up | KeyCode::Down);
    if let (Mode::Rule, Some(rule), true) = (approval.mode, &mut approval.rule, walks) {
        rule.walk(key.code, now);
    } else if let Some(editor) = approval.editor_mut() {
        editor.input(key, width);
        approval.changed(now);
    } else {
        return give_to_composer(model, key);
    }
    Vec::new()
}

/// Says how the next key came.
pub fn comes(model: &mut Model, is_crowded: bool) {
    let now = model.clock.elapsed_ms;
    model.requests.gate.comes(is_crowded, now);
}

/// A key was taken. Also one that only moved is typing; in a form, moving with arrows is free.
pub fn noted(model: &mut Model, key: KeyEvent) {
    let now = model.clock.elapsed_ms;
    model.requests.answered_ms = model.requests.answered_ms.filter(|at| *at == now);
    if model.requests.focused.is_some() || is_text(key) {
        model.requests.gate.note(key, now);
    }
}

/// Whether this key is one of words that are being typed for the message, although a box took the keyboard from it.
pub fn is_typed_on(model: &Model, key: KeyEvent) -> bool {
    let requests = &model.requests;
    scope(model) == Some(Scope::Approval)
        && !requests.is_chosen
        && is_text(key)
        && requests.gate.is_typed_on(key, model.clock.elapsed_ms)
}

/// Takes pasted text while a box or form has the keyboard. A paste never answers.
pub fn paste(model: &mut Model, text: &str) -> Vec<Effect> {
    let now = model.clock.elapsed_ms;
    if let Some(mut effects) = held::take_back(model) {
        effects.extend(composer::paste(model, text));
        return effects;
    }
    model.requests.gate.type_on(now);
    if let Some(approval) = model.requests.focused_approval_mut() {
        let is_call = approval.mode == Mode::Edit;
        if let Some(editor) = approval.editor_mut() {
            // What runs is to be seen.
            let left_out = if is_call {
                editor.paste_shown(text)
            } else {
                editor.paste(text)
            };
            approval.changed(now);
            model.left_out(left_out);
            return Vec::new();
        }
    }
    if model.requests.focused.is_none()
        && let Some(editor) = model.requests.form_mut().and_then(|form| form.editor())
    {
        editor.paste(text);
        return Vec::new();
    }
    model.notify(Notice::info("the pasted text is in your message"));
    composer::paste(model, text)
}

/// The engine did not take an answer: the request waits on.
pub fn refused(model: &mut Model, command: &Command) {
    if let Command::Decide { request, .. } | Command::Answer { request, .. } = command {
        model.requests.mark_open(*request);
    }
}

/// Follows the engine.
pub fn apply(model: &mut Model, event: &Event) -> Vec<Effect> {
    match &event.kind {
        EventKind::Opened(_) => {
            model.requests = State::default();
            Vec::new()
        }
        EventKind::ApprovalAsked(request) => {
            model
                .requests
                .put(Waiting::approval((**request).clone(), model.clock.now_ms));
            offer(model)
        }
        EventKind::QuestionAsked(form) => {
            model
                .requests
                .put(Waiting::form((**form).clone(), model.clock.now_ms));
            offer(model)
        }
        EventKind::RequestClosed(id) => {
            model.requests.mark_answered(*id);
            let effects = after(model, *id);
            model.requests.queue.retain(|waiting| waiting.id != *id);
            effects
        }
        EventKind::Fetched(Fetched::Covered(covered)) => {
            model.requests.covered(covered);
            approval_keys::look_up(model)
        }
        _ => Vec::new(),
    }
}

/// The frame on the screen shows the model as it now is, since this moment.
pub fn painted(model: &mut Model, clock: Clock) -> Vec<Effect> {
    let is_listed = matches!(model.overlay.top(), Some(Overlay::Inbox));
    if scope(model).is_some() && (model.overlay.is_none() || is_listed) {
        let sight = in_sight(model);
        model.requests.gate.painted(sight, clock.elapsed_ms);
    }
    offer(model)
}

/// The screen has another size: the box is shown in it, and what was seen of it was seen in another one.
pub fn resized(model: &mut Model) {
    if model.requests.focused.is_some() {
        model.requests.gate.close();
        show_box(model);
    }
}

/// How much of what is asked is in sight.
pub fn in_sight(model: &Model) -> Sight {
    let is_listed = matches!(model.overlay.top(), Some(Overlay::Inbox));
    let seen = match model.requests.focused_approval() {
        _ if model.screen.arrangement() == Arrangement::TooSmall => None,
        None => (!is_listed).then_some(true),
        Some(_) if is_listed => inbox::box_in_sight(model),
        Some(asked) => conversation::box_in_sight(model, &asked.request.call)
            .filter(|_| asked.request.agent == model.conversation.shown),
    };
    match seen {
        None => Sight::Nothing,
        Some(false) => Sight::Part,
        Some(true) => Sight::Whole,
    }
}

/// Time has passed: what waited for the composer to be still may take the keyboard now.
pub fn tick(model: &mut Model) -> Vec<Effect> {
    let mut effects = held::due(model);
    effects.extend(approval_keys::look_up(model));
    effects.extend(offer(model));
    effects
}

/// In how many milliseconds the box or form looks different by itself: its keys begin to count, or it takes the
/// keyboard from a composer that rests.
pub fn next_tick_ms(model: &Model) -> Option<u64> {
    let now = model.clock.elapsed_ms;
    if scope(model).is_some() {
        let asks = model.requests.focused_approval().and_then(|approval| {
            let rule = approval
                .rule
                .as_ref()
                .filter(|_| approval.mode == Mode::Rule);
            rule?.due_in_ms(now)
        });
        return model
            .requests
            .gate
            .arms_in_ms(now)
            .into_iter()
            .chain(asks)
            .chain(held::due_in_ms(model))
            .min();
    }
    candidate(model)?;
    let still = model.composer.typed_ms?.saturating_add(COMPOSER_STILL_MS);
    (model.composer.editor.is_empty() && still > now).then(|| still - now)
}

/// Ends the open form.
pub fn end_form(model: &mut Model, outcome: FormOutcome) -> Vec<Effect> {
    let Some(request) = model.requests.form().map(|form| form.form.id) else {
        return Vec::new();
    };
    let mut effects = vec![Effect::Send(Command::Answer { request, outcome })];
    model.requests.mark_answered(request);
    effects.extend(after(model, request));
    effects
}

/// What a step of the form leads to.
pub fn follow(model: &mut Model, step: Step) -> Vec<Effect> {
    match step {
        Step::Stay => Vec::new(),
        Step::Leave => put_off(model),
        Step::End(outcome) => end_form(model, outcome),
    }
}

/// Whether a key may answer in the open form.
pub fn form_admits(model: &mut Model, key: KeyEvent) -> bool {
    let now = model.clock.elapsed_ms;
    let requests = &mut model.requests;
    // A line that is typed ahead into a field may be ended by its Enter; nothing else answers in a run of keys.
    let is_editing = requests.form().is_some_and(|form| form.editing);
    if requests.gate.is_crowded() && !is_editing {
        return false;
    }
    if !requests.is_begun {
        requests.is_begun = requests.gate.admits(key, now);
        return requests.is_begun;
    }
    let ends = requests.form().is_some_and(Form::is_review);
    let still = if ends { SAME_KEY_MS } else { FORM_KEY_MS };
    requests.gate.is_fresh(key, now, still)
}
