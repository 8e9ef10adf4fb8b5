//! What keys, the mouse and the engine do to the list.

use crossterm::event::{KeyEvent, MouseEvent, MouseEventKind};

use super::{
    form::Form,
    list::{Entry, Page, State, holds},
};
use crate::{
    domain::{notice::Notice, permission::Rule},
    engine::{
        command::{Command, Fetch, SessionCommand},
        event::{Event, EventKind, Fetched},
    },
    text::sanitize::reveal_line,
    ui::{
        Effect, Model, keymap::Action, message::Clock, overlays::Overlay, panes::requests::answers,
    },
};

/// Entries that a page goes on by.
const PAGE: usize = 10;

/// What is said of an answer for a kind of call.
const KIND: &str = "it counts in mode adaptive at level workspace: for commands while a sandbox holds them, for changes \
                    inside the workspace";

/// What follows from an action.
#[derive(Debug, PartialEq)]
pub enum Next {
    /// The list stays open.
    Stay(Vec<Effect>),
    /// It is closed.
    Close,
    /// A text is shown above it: title and text.
    Show(String, String),
}

/// Opens a list; what stands in it is asked for and comes later.
pub fn open(model: &mut Model, page: Page) -> Vec<Effect> {
    model.overlay.open(Overlay::Rules(State::new(page)));
    vec![Effect::Send(Command::Fetch(Fetch::Rules))]
}

/// Takes an action.
pub fn update(model: &mut Model, state: &mut State, action: Action) -> Next {
    if state.form.is_some() {
        return fill(model, state, action);
    }
    let now = model.clock.now_ms;
    match action {
        Action::Back => return Next::Close,
        Action::Open => {
            if let Some(entry) = state.selected(now) {
                let (title, text) = told(entry, &model.clock);
                return Next::Show(title, text);
            }
        }
        Action::Add if matches!(state.page, Page::Grants | Page::Rules) => {
            state.form = Some(Form::default());
        }
        Action::Revoke => return revoke(model, state),
        Action::Copy => {
            let subject = state.selected(now).map(subject);
            return Next::Stay(subject.map(Effect::Copy).into_iter().collect());
        }
        _ => {
            let count = state.entries(now).len();
            state.selection.update(action, count, PAGE);
        }
    }
    Next::Stay(Vec::new())
}

/// Whether an action that is called by name does something now.
pub fn offers(state: &State, action: Action, now_ms: i64) -> bool {
    let selected = state.selected(now_ms);
    match action {
        Action::Back => true,
        Action::Add => matches!(state.page, Page::Grants | Page::Rules),
        Action::Open | Action::Copy => selected.is_some(),
        Action::Revoke => matches!(selected, Some(Entry::Grant(_))),
        _ => false,
    }
}

fn fill(model: &mut Model, state: &mut State, action: Action) -> Next {
    let Some(form) = &mut state.form else {
        return Next::Stay(Vec::new());
    };
    match action {
        Action::Back => state.form = None,
        Action::NextRequest => form.turn(1),
        Action::PreviousRequest => form.turn(-1),
        Action::Open => {
            if let Some(grant) = form.accept(&model.clock) {
                state.form = None;
                return Next::Stay(vec![Effect::Send(Command::Grant(grant))]);
            }
        }
        _ => {}
    }
    Next::Stay(Vec::new())
}

fn revoke(model: &mut Model, state: &State) -> Next {
    match state.selected(model.clock.now_ms) {
        Some(Entry::Grant(grant)) => {
            let revoke = SessionCommand::Revoke(grant.rule.clone());
            return Next::Stay(vec![Effect::Send(Command::Session(revoke))]);
        }
        Some(Entry::OfType(..)) => {
            let notice = Notice::info("this rule stands in the document of a type of agents");
            model.notify(notice.with_hint("change it there; agents that run keep what they have"));
        }
        Some(Entry::Configured(..)) => {
            let notice = Notice::info("this rule stands in the configuration");
            model.notify(notice.with_hint("it is changed there"));
        }
        _ => {}
    }
    Next::Stay(Vec::new())
}

/// Takes a key that means no action.
pub fn input(state: &mut State, key: KeyEvent) {
    if let Some(form) = &mut state.form {
        form.input(key);
    }
}

/// Takes pasted text.
pub fn paste(state: &mut State, text: &str) -> usize {
    state.form.as_mut().map_or(0, |form| form.paste(text))
}

/// Takes the mouse: the wheel moves the selection.
pub fn mouse(model: &Model, state: &mut State, mouse: MouseEvent) {
    let action = match mouse.kind {
        MouseEventKind::ScrollUp => Action::Up,
        MouseEventKind::ScrollDown => Action::Down,
        _ => return,
    };
    let count = state.entries(model.clock.now_ms).len();
    state.selection.update(action, count, PAGE);
}

/// The list follows the engine.
pub fn apply(state: &mut State, event: &Event) {
    match &event.kind {
        EventKind::Fetched(Fetched::Rules(rules)) => state.told(rules),
        EventKind::Grants(grants) => {
            if let Some(rules) = &mut state.rules {
                rules.grants.clone_from(grants);
            }
        }
        _ => {}
    }
}

fn subject(entry: Entry<'_>) -> String {
    match entry {
        Entry::Grant(grant) => grant.rule.resource.clone(),
        Entry::Configured(rule, _) | Entry::OfType(_, rule) => rule.resource.clone(),
        Entry::Judged(judged) => judged.subject.clone(),
    }
}

/// Everything about an entry: title and text.
fn told(entry: Entry<'_>, clock: &Clock) -> (String, String) {
    match entry {
        Entry::Grant(grant) => {
            let end = match grant.expires_ms {
                Some(end) => format!("{} at most", clock.until(end)),
                None if grant.kind => KIND.to_owned(),
                None => "no other end".to_owned(),
            };
            let text = format!(
                "{}\nit holds: {}\n{end}\n",
                rule(&grant.rule),
                holds(&grant.scope)
            );
            ("Rule".to_owned(), text)
        }
        Entry::Configured(configured, origin) => {
            let place = origin.map_or_else(
                || "it stands in the configuration".to_owned(),
                |origin| {
                    let who = if origin.is_project {
                        "it is the project's"
                    } else {
                        "it is yours"
                    };
                    format!("{who} and stands in {}", reveal_line(&origin.place).text)
                },
            );
            (
                "Rule".to_owned(),
                format!("{}\n{place}\n", rule(configured)),
            )
        }
        Entry::OfType(of, said) => (
            "Rule".to_owned(),
            format!(
                "{}\nthe agent type {} says it\n",
                rule(said),
                reveal_line(of).text
            ),
        ),
        Entry::Judged(judged) => {
            let text = format!(
                "{} ▸ {}\n\n{}\n\n{}",
                reveal_line(&judged.tool).text,
                reveal_line(&judged.subject).text,
                reveal_line(&judged.judgement.reason).text,
                answers::path(&judged.judgement)
            );
            ("Judgement".to_owned(), text)
        }
    }
}

fn rule(rule: &Rule) -> String {
    format!(
        "{} {}\n\n{}\n",
        rule.verdict.name(),
        reveal_line(&rule.action).text,
        reveal_line(&rule.resource).text
    )
}
