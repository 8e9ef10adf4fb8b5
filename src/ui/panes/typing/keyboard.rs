//! Beginning and ending to type, and what keys and pastes send meanwhile.

use crossterm::event::KeyEvent;

use super::{
    bytes,
    state::{Attended, CameFrom, Target, Typing},
};
use crate::{
    domain::{
        ids::{AgentId, CallId},
        notice::Notice,
        terminal::{TerminalInput, Typed},
    },
    engine::command::Command,
    ui::{
        Effect, Model,
        focus::{self, Pane},
        panes::conversation::{self, Scroll},
    },
};

/// The most characters of a paste that are typed.
const MOST_PASTED: usize = 32 << 10;

/// Begins to type: into the call that is looked at, else into the latest one of the shown agent, else into any.
pub fn begin(model: &mut Model) -> Vec<Effect> {
    let Some((agent, call)) = candidate(model) else {
        let notice = Notice::info("no program takes what you type now");
        model.notify(notice);
        return Vec::new();
    };
    let mut effects = take_keyboard(model, agent.clone(), Target::Call(call.clone()));
    effects.extend(conversation::show_call(model, agent, &call));
    effects
}

/// Runs a command line of the person's with a terminal, and types into it from the first key on.
pub fn run(model: &mut Model, words: &str) -> Vec<Effect> {
    let settings = model.session.settings.as_ref();
    if settings.is_some_and(|settings| !settings.approvals) {
        let notice = Notice::warning("nothing is asked of you, so no program can be typed into");
        model.notify(notice.with_hint("/asking turns it back"));
        return Vec::new();
    }
    let mut effects = conversation::show(model, AgentId::main());
    conversation::follow(model);
    let command = words.to_owned();
    let target = Target::Coming {
        command: command.clone(),
        typed: None,
    };
    effects.extend(take_keyboard(model, AgentId::main(), target));
    effects.push(Effect::Send(Command::RunShell {
        command,
        shared: true,
        attended: true,
    }));
    effects
}

fn take_keyboard(model: &mut Model, agent: AgentId, target: Target) -> Vec<Effect> {
    let came_from = CameFrom {
        pane: model.screen.focus,
        shown: model.conversation.shown.clone(),
        follows: model.conversation.looking().scroll == Scroll::Follow,
    };
    let effects = focus::focus(model, Pane::Conversation);
    model.conversation.typing.at = Some(Typing {
        agent,
        target,
        ended_ms: None,
        came_from,
    });
    effects
}

fn candidate(model: &Model) -> Option<(AgentId, CallId)> {
    let state = &model.conversation;
    let open = &state.typing.open;
    let is_looked_at = |open: &&Attended| {
        let transcript = state.transcript();
        let focus = state.looking().focus;
        open.agent == state.shown && focus.is_some() && transcript.key_of(&open.call) == focus
    };
    let looked_at = open.iter().find(is_looked_at);
    let near = || open.iter().rev().find(|open| open.agent == state.shown);
    let chosen = looked_at.or_else(near).or_else(|| open.last())?;
    Some((chosen.agent.clone(), chosen.call.clone()))
}

/// Stops typing and goes back to where the person was. The program goes on.
pub fn leave(model: &mut Model) -> Vec<Effect> {
    let Some(typing) = model.conversation.typing.at.take() else {
        return Vec::new();
    };
    let CameFrom {
        pane,
        shown,
        follows,
    } = typing.came_from;
    let mut effects = focus::focus(model, pane);
    if shown != model.conversation.shown {
        effects.extend(conversation::show(model, shown));
    } else if follows {
        // Only typing had moved what is looked at.
        conversation::follow(model);
    }
    effects
}

/// What is typed at once goes to the program at once: a burst of keys would be more than can wait.
pub fn joined(effects: Vec<Effect>) -> Vec<Effect> {
    let mut all: Vec<Effect> = Vec::with_capacity(effects.len());
    for effect in effects {
        let is_joined = match (all.last_mut(), &effect) {
            (Some(Effect::Send(before)), Effect::Send(next)) => join(before, next),
            _ => false,
        };
        if !is_joined {
            all.push(effect);
        }
    }
    all
}

/// Whether the second could be added to the first.
fn join(before: &mut Command, next: &Command) -> bool {
    match (before, next) {
        (
            Command::Terminal {
                agent,
                call,
                input: TerminalInput::Typed(typed),
            },
            Command::Terminal {
                agent: next_agent,
                call: next_call,
                input: TerminalInput::Typed(next),
            },
        ) if agent == next_agent && call == next_call => {
            typed.append(next);
            true
        }
        _ => false,
    }
}

/// A key that does not leave.
pub fn input(model: &mut Model, key: KeyEvent) -> Vec<Effect> {
    bytes::of_key(key).map_or_else(Vec::new, |bytes| send(model, Typed::new(bytes)))
}

/// Pasted text: its line ends are those that Enter makes, and nothing in it steers.
pub fn paste(model: &mut Model, text: &str) -> Vec<Effect> {
    let lines = text.replace("\r\n", "\r").replace('\n', "\r");
    let plain = |letter: &char| !letter.is_control() || matches!(letter, '\r' | '\t');
    let mut letters = lines.chars().filter(plain);
    let typed: String = letters.by_ref().take(MOST_PASTED).collect();
    let rest = letters.count();
    if rest > 0 {
        model.notify(Notice::warning(format!(
            "left out {rest} pasted characters: a program takes so many at once"
        )));
    }
    if typed.is_empty() {
        return Vec::new();
    }
    send(model, Typed::new(typed))
}

pub(super) fn send(model: &mut Model, typed: Typed) -> Vec<Effect> {
    match &mut model.conversation.typing.at {
        Some(Typing {
            agent,
            target: Target::Call(call),
            ended_ms: None,
            ..
        }) => vec![Effect::Send(Command::Terminal {
            agent: agent.clone(),
            call: call.clone(),
            input: TerminalInput::Typed(typed),
        })],
        Some(Typing {
            target: Target::Coming { typed: before, .. },
            ..
        }) => {
            match before {
                Some(before) => before.append(&typed),
                None => *before = Some(typed),
            }
            Vec::new()
        }
        _ => Vec::new(),
    }
}

/// The engine did not take a command: the line that was asked for will not run.
pub fn refused(model: &mut Model, command: &Command) {
    if matches!(command, Command::RunShell { attended: true, .. }) {
        leave(model);
    }
}
