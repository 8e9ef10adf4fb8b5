//! Which calls can be typed into, and which one is.

use crossterm::event::KeyEvent;

use super::bytes;
use crate::{
    domain::{
        ids::{AgentId, CallId},
        notice::Notice,
        terminal::{TerminalInput, TerminalSize, Typed},
    },
    engine::{
        command::Command,
        event::{CallState, Event, EventKind},
    },
    ui::{
        Effect, Model,
        focus::{self, Pane},
        panes::{
            conversation::{self, CallStage, Scroll},
            requests,
        },
        view,
    },
};

/// For so long keys go nowhere when the program ends while it is typed into: they were meant for it.
const DEAF_MS: u64 = 1_000;
/// The most characters of a paste that are typed.
const MOST_PASTED: usize = 32 << 10;
/// Columns in front of what a program prints, and rows around it.
const FRAME: (u16, u16) = (4, 3);

/// What is remembered.
#[derive(Debug, Default)]
pub struct State {
    /// Calls that can be typed into, the oldest first.
    open: Vec<Attended>,
    at: Option<Typing>,
}

/// A call that can be typed into.
#[derive(Debug)]
struct Attended {
    agent: AgentId,
    call: CallId,
    /// The size that its program was told.
    told: Option<TerminalSize>,
}

/// The call that is typed into.
#[derive(Debug)]
struct Typing {
    agent: AgentId,
    call: CallId,
    /// When the program was seen to have ended (`Clock::elapsed_ms`).
    ended_ms: Option<u64>,
    came_from: CameFrom,
}

/// Where the person was before.
#[derive(Debug)]
struct CameFrom {
    pane: Pane,
    shown: AgentId,
    follows: bool,
}

/// Whether some call can be typed into.
pub fn has_any(model: &Model) -> bool {
    !model.conversation.typing.open.is_empty()
}

/// Whether this call of the shown agent can be typed into.
pub fn takes(model: &Model, call: &CallId) -> bool {
    let shown = &model.conversation.shown;
    let mut open = model.conversation.typing.open.iter();
    open.any(|open| open.call == *call && open.agent == *shown)
}

/// Whether a call of this agent can be typed into.
pub fn waits_for(model: &Model, agent: &AgentId) -> bool {
    let mut open = model.conversation.typing.open.iter();
    open.any(|open| open.agent == *agent)
}

/// The call that is typed into.
pub fn chosen(model: &Model) -> Option<&CallId> {
    let typing = model.conversation.typing.at.as_ref()?;
    (typing.agent == model.conversation.shown).then_some(&typing.call)
}

/// Whether keys go to a program now.
pub fn is_on(model: &Model) -> bool {
    chosen(model).is_some() && model.screen.focus == Pane::Conversation
}

/// Whether the program that is typed into has ended.
pub fn is_over(model: &Model) -> bool {
    let typing = model.conversation.typing.at.as_ref();
    typing.is_some_and(|typing| typing.ended_ms.is_some())
}

/// The call of the shown agent in which the person writes: into its program, or into its box.
pub fn written_in(model: &Model) -> Option<&CallId> {
    let boxed = model.requests.focused_approval();
    boxed
        .map(|approval| &approval.request.call)
        .or_else(|| chosen(model).filter(|_| is_on(model)))
}

/// Begins to type: into the call that is looked at, else into the latest one of the shown agent, else into any.
pub fn begin(model: &mut Model) -> Vec<Effect> {
    let Some((agent, call)) = candidate(model) else {
        let notice = Notice::info("no program takes what you type now");
        model.notify(notice);
        return Vec::new();
    };
    let came_from = CameFrom {
        pane: model.screen.focus,
        shown: model.conversation.shown.clone(),
        follows: model.conversation.looking().scroll == Scroll::Follow,
    };
    let mut effects = focus::focus(model, Pane::Conversation);
    model.conversation.typing.at = Some(Typing {
        agent: agent.clone(),
        call: call.clone(),
        ended_ms: None,
        came_from,
    });
    effects.extend(conversation::show_call(model, agent, &call));
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

/// Another agent's transcript is shown: what is out of sight is not typed into.
pub fn shown(state: &mut State, agent: &AgentId) {
    state.at.take_if(|typing| typing.agent != *agent);
}

/// The keyboard went elsewhere.
pub fn left(model: &mut Model) {
    model.conversation.typing.at = None;
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

fn send(model: &Model, typed: Typed) -> Vec<Effect> {
    match &model.conversation.typing.at {
        Some(typing) if typing.ended_ms.is_none() => vec![Effect::Send(Command::Terminal {
            agent: typing.agent.clone(),
            call: typing.call.clone(),
            input: TerminalInput::Typed(typed),
        })],
        _ => Vec::new(),
    }
}

/// Follows the engine.
pub fn apply(model: &mut Model, event: &Event) -> Vec<Effect> {
    if let EventKind::Call {
        call,
        state: CallState::Attended,
    } = &event.kind
    {
        model.conversation.typing.open.push(Attended {
            agent: event.agent.clone(),
            call: call.clone(),
            told: None,
        });
    }
    if !has_any(model) && model.conversation.typing.at.is_none() {
        return Vec::new();
    }
    let mut open = std::mem::take(&mut model.conversation.typing.open);
    open.retain(|open| runs(model, &open.agent, &open.call));
    model.conversation.typing.open = open;
    let now = model.clock.elapsed_ms;
    let state = &mut model.conversation.typing;
    if let Some(typing) = &mut state.at {
        let is_open = |open: &Attended| open.call == typing.call && open.agent == typing.agent;
        if !state.open.iter().any(is_open) {
            typing.ended_ms.get_or_insert(now);
        }
        let (agent, call) = (typing.agent.clone(), typing.call.clone());
        // What it prints does not push it out of sight.
        if agent == model.conversation.shown {
            return conversation::show_call(model, agent, &call);
        }
    }
    Vec::new()
}

fn runs(model: &Model, agent: &AgentId, call: &CallId) -> bool {
    let call = model.conversation.call(agent, call);
    call.is_some_and(|call| call.stage != CallStage::Done)
}

/// Time has passed.
pub fn tick(model: &mut Model) -> Vec<Effect> {
    if next_tick_ms(model) == Some(0) {
        return leave(model);
    }
    Vec::new()
}

/// In how many milliseconds keys go where they went before, once the program has ended.
pub fn next_tick_ms(model: &Model) -> Option<u64> {
    let ended = model.conversation.typing.at.as_ref()?.ended_ms?;
    Some((ended + DEAF_MS).saturating_sub(model.clock.elapsed_ms))
}

/// Tells each program how much of it is seen, when that has changed.
pub fn follow_size(model: &mut Model) -> Vec<Effect> {
    if !has_any(model) || requests::scope(model).is_some() {
        return Vec::new();
    }
    let Some(placed) = view::layout(model).of(Pane::Conversation).copied() else {
        return Vec::new();
    };
    let size = TerminalSize {
        columns: placed.inner.width.saturating_sub(FRAME.0).max(1),
        rows: placed.inner.height.saturating_sub(FRAME.1).max(1),
    };
    let open = model.conversation.typing.open.iter_mut();
    open.filter(|open| open.told != Some(size))
        .map(|open| {
            open.told = Some(size);
            Effect::Send(Command::Terminal {
                agent: open.agent.clone(),
                call: open.call.clone(),
                input: TerminalInput::Size(size),
            })
        })
        .collect()
}
