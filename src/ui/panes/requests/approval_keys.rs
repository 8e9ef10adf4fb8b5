//! The keys of an approval box.
//!
//! The one invariant: a decision is sent only from `decide`, which is reached only by a key that the gate let
//! through, or by Enter in a text that such a key opened.

use crossterm::event::{KeyEvent, KeyEventKind};

use super::{
    answering::{held, in_full::Reading, rule_line::Known, several},
    answers,
    approval::Mode,
    details::details,
    keyboard::{after, cycle, give_to_composer, is_text, return_keyboard, show_box},
};
use crate::{
    domain::{approval::ApprovalDecision, notice::Notice},
    engine::command::{Command, Fetch},
    text::sanitize::reveal_line,
    ui::{
        Effect, Model, focus,
        focus::Pane,
        keymap::{Action, Scope},
        overlays::viewer::{self, Source},
        panes::conversation,
    },
};

/// Takes an action while a box has the keyboard.
pub fn update(model: &mut Model, action: Action, key: KeyEvent) -> Vec<Effect> {
    let mode = model.requests.focused_approval().map(|box_| box_.mode);
    let effects = match mode {
        Some(Mode::Answer) => update_answer(model, action, key),
        Some(Mode::Hunks) => update_hunks(model, action, key),
        Some(mode) => update_text(model, mode, action, key),
        None => return Vec::new(),
    };
    // The box has another height while something is written in it.
    let now = model.requests.focused_approval().map(|box_| box_.mode);
    if now.is_some() && now != mode {
        show_box(model);
    }
    effects
}

fn update_answer(model: &mut Model, action: Action, key: KeyEvent) -> Vec<Effect> {
    match action {
        Action::Back if model.requests.answers_marked => {
            model.requests.answers_marked = false;
            Vec::new()
        }
        Action::Back => return_keyboard(model),
        Action::Mark => several::mark(model, key),
        Action::AnswerMarked => several::take_marked(model, key),
        Action::NextRequest => cycle(model, 1),
        Action::PreviousRequest => cycle(model, -1),
        Action::Open | Action::Details => show(model, "details"),
        Action::Explain => show(model, "explanation"),
        Action::Up
        | Action::Down
        | Action::PageUp
        | Action::PageDown
        | Action::HalfPageUp
        | Action::HalfPageDown => conversation::update(model, action),
        Action::Copy => copy(model),
        Action::AllowOnce
        | Action::AllowSession
        | Action::AllowByRule
        | Action::ChooseHunks
        | Action::AllowEdited
        | Action::Reject
        | Action::RejectWithWords
        | Action::Never => {
            if !model.requests.gate.admits(key, model.clock.elapsed_ms) {
                return give_to_composer(model, key);
            }
            if !may_be_done(model, action) {
                return say_unseen(model);
            }
            // What only opens something decides nothing yet.
            let decides = matches!(
                action,
                Action::AllowOnce | Action::AllowSession | Action::Reject | Action::Never
            );
            if !decides || model.requests.is_chosen || !is_text(key) {
                return answer(model, action);
            }
            held::hold(model, action, key);
            Vec::new()
        }
        Action::ToComposer => focus::focus(model, Pane::Composer),
        _ => Vec::new(),
    }
}

fn update_text(model: &mut Model, mode: Mode, action: Action, key: KeyEvent) -> Vec<Effect> {
    let Some(approval) = model.requests.focused_approval_mut() else {
        return Vec::new();
    };
    match action {
        Action::Back => approval.mode = Mode::Answer,
        Action::NewLine => {
            if let Some(editor) = approval.editor_mut() {
                editor.newline();
            }
        }
        Action::NextRequest | Action::PreviousRequest if mode == Mode::Rule => {
            turn_rule(model, action);
        }
        Action::Open if mode == Mode::Rule => return make_rule(model, key),
        Action::Open if key.kind != KeyEventKind::Press => {}
        Action::Open if mode == Mode::Edit => {
            // The edited text has to be seen before it can be allowed.
            approval.end_edit();
            model.requests.gate.close();
        }
        Action::Open => {
            let words = approval.words.text();
            let words = Some(words.trim().to_owned()).filter(|words| !words.is_empty());
            return decide(model, ApprovalDecision::Reject { words });
        }
        Action::NextRequest => return cycle(model, 1),
        Action::PreviousRequest => return cycle(model, -1),
        _ => {}
    }
    Vec::new()
}

/// Whether an answer may be given: nothing is allowed of which not all that must be seen was in sight.
pub fn may_be_done(model: &Model, action: Action) -> bool {
    let allows = matches!(
        action,
        Action::AllowOnce | Action::AllowSession | Action::AllowByRule
    );
    !allows || model.requests.gate.is_seen_whole(model.clock.elapsed_ms)
}

/// Says why nothing was allowed, and what leads there.
pub fn say_unseen(model: &mut Model) -> Vec<Effect> {
    let key = model.keymap.key(Scope::Approval, Action::Details);
    let notice = Notice::warning("not all of it was in sight");
    model.notify(match key {
        Some(key) => notice.with_hint(format!("{key} shows all, to allow it there")),
        None => notice,
    });
    Vec::new()
}

/// Does what an answer means.
pub fn answer(model: &mut Model, action: Action) -> Vec<Effect> {
    // Whoever answers is here on purpose: keys that come too early from now on are not words for the message.
    model.requests.is_chosen = true;
    let is_for_one = matches!(
        action,
        Action::AllowEdited | Action::AllowByRule | Action::ChooseHunks
    );
    if is_for_one && model.requests.answers_marked {
        model.notify(Notice::info("that answers one request only"));
        return Vec::new();
    }
    let Some(approval) = model.requests.focused_approval_mut() else {
        return Vec::new();
    };
    let now = model.clock.elapsed_ms;
    let has_rule = approval.request.offers.session_rule.is_some();
    let edited = approval.edited.clone();
    match (action, edited) {
        (Action::AllowOnce, Some(arguments)) => {
            decide(model, ApprovalDecision::Edited { arguments })
        }
        (Action::AllowOnce, None) => decide(model, ApprovalDecision::Once),
        (Action::AllowSession, None) if has_rule => decide(model, ApprovalDecision::Session),
        (Action::ChooseHunks, _) if approval.begin_hunks() => Vec::new(),
        (Action::AllowByRule, None) if approval.begin_rule(now) => look_up(model),
        (Action::Never, _) if has_rule => decide(model, ApprovalDecision::Never),
        (Action::Reject, _) => decide(model, ApprovalDecision::Reject { words: None }),
        (Action::RejectWithWords, _) => {
            approval.mode = Mode::Words;
            Vec::new()
        }
        (Action::AllowEdited, _) => {
            if !approval.begin_edit() {
                model.notify(Notice::info("this call has nothing that can be edited"));
            }
            Vec::new()
        }
        _ => {
            model.notify(Notice::info("that is not offered for this call"));
            Vec::new()
        }
    }
}

fn update_hunks(model: &mut Model, action: Action, key: KeyEvent) -> Vec<Effect> {
    let Some(approval) = model.requests.focused_approval_mut() else {
        return Vec::new();
    };
    match action {
        Action::Back => {
            // What was taken over before stays as it is.
            if approval.edited.is_none() {
                approval.hunks = None;
            }
            approval.mode = Mode::Answer;
        }
        Action::Open if key.kind != KeyEventKind::Press => {}
        Action::Open => {
            if approval.end_hunks() {
                // What is left has to be seen before it can be allowed.
                model.requests.gate.close();
            } else {
                let notice = Notice::error("nothing of the change is taken");
                model.notify(notice.with_hint("take some, or go back and reject it"));
            }
        }
        _ => {
            if let Some(hunks) = &mut approval.hunks {
                hunks.update(action);
            }
        }
    }
    Vec::new()
}

fn turn_rule(model: &mut Model, action: Action) {
    let approval = model.requests.focused_approval_mut();
    if let Some(rule) = approval.and_then(|approval| approval.rule.as_mut()) {
        match action {
            Action::NextRequest => rule.widen(),
            _ => rule.prolong(),
        }
    }
}

/// Makes the rule, when it has stood there to be seen and covers the call.
fn make_rule(model: &mut Model, key: KeyEvent) -> Vec<Effect> {
    let now = model.clock.elapsed_ms;
    if !model.requests.gate.admits(key, now) {
        let notice = Notice::info("that came too fast to be meant");
        model.notify(notice.with_hint("see what the rule covers, then press it once more"));
        return Vec::new();
    }
    let clock = model.clock;
    let approval = model.requests.focused_approval_mut();
    let Some(rule) = approval.and_then(|approval| approval.rule.as_mut()) else {
        return Vec::new();
    };
    let wrong = match rule.known() {
        Known::Covers(_) => {
            let mut grants = rule.grants(&clock).into_iter();
            let Some(grant) = grants.next() else {
                return Vec::new();
            };
            let more = grants.collect();
            return decide(model, ApprovalDecision::Rule { grant, more });
        }
        Known::Empty => "a rule needs a pattern",
        Known::Elsewhere => "this rule does not cover the call that is asked about",
        Known::NotYet => "it is not known yet what this rule covers",
    };
    rule.insist(now);
    model.notify(Notice::error(wrong).with_hint("* stands for anything"));
    look_up(model)
}

/// Asks what the rule as it stands would have answered for, when it is time to.
pub fn look_up(model: &mut Model) -> Vec<Effect> {
    let now = model.clock.elapsed_ms;
    let approval = model.requests.focused_approval_mut();
    let rule = approval
        .filter(|approval| approval.mode == Mode::Rule)
        .and_then(|approval| approval.rule.as_mut());
    let due = rule.and_then(|rule| rule.take_due(now));
    due.map(|rules| Effect::Send(Command::Fetch(Fetch::Covered(rules))))
        .into_iter()
        .collect()
}

fn decide(model: &mut Model, decision: ApprovalDecision) -> Vec<Effect> {
    let Some(shown) = model.requests.focused else {
        return Vec::new();
    };
    let marked = model.requests.marked.len();
    let answers = several::answers(&model.requests, &decision);
    if model.requests.answers_marked && answers.len() < marked {
        let left = marked - answers.len();
        model.notify(Notice::info(format!(
            "{left} of the marked do not offer that"
        )));
    }
    let mut effects = Vec::new();
    for (request, hash, decision) in answers {
        model.requests.mark_answered(request);
        model.requests.answered_ms = Some(model.clock.elapsed_ms);
        effects.push(Effect::Send(Command::Decide {
            request,
            hash,
            decision,
        }));
    }
    model.requests.answers_marked = false;
    // The next answer is for what is seen from now on.
    model.requests.gate.close();
    if model.requests.focused_approval().is_none() {
        effects.extend(after(model, shown));
    }
    effects
}

fn show(model: &mut Model, what: &str) -> Vec<Effect> {
    let Some(approval) = model.requests.focused_approval() else {
        return Vec::new();
    };
    let title = format!("{} · {what}", reveal_line(&approval.request.tool).text);
    if what != "details" {
        let text = answers::explanation(&approval.request);
        return viewer::open(model, title, Source::Text(text.into()));
    }
    let (rows, must) = details(model, approval);
    let reading = Reading::of(&approval.request, must);
    viewer::open_request(model, title, Source::Rows(rows.into()), reading)
}

fn copy(model: &mut Model) -> Vec<Effect> {
    let subject = model
        .requests
        .focused_approval()
        .map(|approval| approval.request.subject.clone());
    subject.map(Effect::Copy).into_iter().collect()
}
