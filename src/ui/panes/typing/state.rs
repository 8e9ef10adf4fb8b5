//! Which calls can be typed into, and which one is.

use super::keyboard::{leave, send};
use crate::{
    domain::{
        ids::{AgentId, CallId},
        record::Record,
        terminal::{TerminalInput, TerminalSize, Typed},
    },
    engine::{
        command::Command,
        event::{CallState, Event, EventKind},
    },
    ui::{
        Effect, Model,
        focus::Pane,
        panes::{
            conversation::{self, Call, CallStage},
            requests,
        },
        view,
    },
};

/// For so long keys go nowhere when the program ends while it is typed into: they were meant for it.
const DEAF_MS: u64 = 1_000;
/// Columns in front of what a program prints, and rows around it.
const FRAME: (u16, u16) = (4, 3);

/// What is remembered.
#[derive(Debug, Default)]
pub struct State {
    /// Calls that can be typed into, the oldest first.
    pub(super) open: Vec<Attended>,
    pub(super) at: Option<Typing>,
}

/// A call that can be typed into.
#[derive(Debug)]
pub(super) struct Attended {
    pub(super) agent: AgentId,
    pub(super) call: CallId,
    /// The size that its program was told.
    pub(super) told: Option<TerminalSize>,
}

/// The call that is typed into.
#[derive(Debug)]
pub(super) struct Typing {
    pub(super) agent: AgentId,
    pub(super) target: Target,
    /// When the program was seen to have ended (`Clock::elapsed_ms`).
    pub(super) ended_ms: Option<u64>,
    pub(super) came_from: CameFrom,
}

/// Where what is typed goes.
#[derive(Debug)]
pub(super) enum Target {
    /// Into this call.
    Call(CallId),
    /// Into the command line that the person has just asked for; what they typed meanwhile waits for it.
    Coming {
        command: String,
        typed: Option<Typed>,
    },
}

/// Where the person was before.
#[derive(Debug)]
pub(super) struct CameFrom {
    pub(super) pane: Pane,
    pub(super) shown: AgentId,
    pub(super) follows: bool,
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
    match &seen(model)?.target {
        Target::Call(call) => Some(call),
        Target::Coming { .. } => None,
    }
}

/// What is typed into, when it is the shown agent's.
fn seen(model: &Model) -> Option<&Typing> {
    let typing = model.conversation.typing.at.as_ref();
    typing.filter(|typing| typing.agent == model.conversation.shown)
}

/// Whether keys go to a program now.
pub fn is_on(model: &Model) -> bool {
    seen(model).is_some() && model.screen.focus == Pane::Conversation
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

/// Another agent's transcript is shown: what is out of sight is not typed into.
pub fn shown(state: &mut State, agent: &AgentId) {
    state.at.take_if(|typing| typing.agent != *agent);
}

/// The keyboard went elsewhere.
pub fn left(model: &mut Model) {
    model.conversation.typing.at = None;
}

/// Follows the engine.
pub fn apply(model: &mut Model, event: &Event) -> Vec<Effect> {
    let mut effects = Vec::new();
    match &event.kind {
        EventKind::Call {
            call,
            state: CallState::Attended,
        } => {
            model.conversation.typing.open.push(Attended {
                agent: event.agent.clone(),
                call: call.clone(),
                told: None,
            });
            effects.extend(arrived(model, &event.agent, call));
        }
        EventKind::Recorded(stored) => gave_up(model, &stored.record),
        _ => {}
    }
    if !has_any(model) && model.conversation.typing.at.is_none() {
        return effects;
    }
    let mut open = std::mem::take(&mut model.conversation.typing.open);
    open.retain(|open| runs(model, &open.agent, &open.call));
    model.conversation.typing.open = open;
    let now = model.clock.elapsed_ms;
    let state = &mut model.conversation.typing;
    if let Some(Typing {
        agent,
        target: Target::Call(call),
        ended_ms,
        ..
    }) = &mut state.at
    {
        let is_it = |open: &Attended| open.call == *call && open.agent == *agent;
        if !state.open.iter().any(is_it) {
            ended_ms.get_or_insert(now);
        }
        let (agent, call) = (agent.clone(), call.clone());
        // What it prints does not push it out of sight.
        if agent == model.conversation.shown {
            effects.extend(conversation::show_call(model, agent, &call));
        }
    }
    effects
}

/// A call can be typed into: it may be the one that the person has asked for.
fn arrived(model: &mut Model, agent: &AgentId, call: &CallId) -> Vec<Effect> {
    let wanted = model.conversation.call(agent, call);
    let wanted = wanted
        .filter(|call| call.by_person.is_some())
        .map(Call::subject);
    let Some(typing) = &mut model.conversation.typing.at else {
        return Vec::new();
    };
    let Target::Coming { command, typed } = &mut typing.target else {
        return Vec::new();
    };
    if wanted.as_ref() != Some(command) {
        return Vec::new();
    }
    let typed = typed.take();
    typing.target = Target::Call(call.clone());
    typed.map_or_else(Vec::new, |typed| send(model, typed))
}

/// The command line that the person has asked for has ended before it could be typed into.
fn gave_up(model: &mut Model, record: &Record) {
    let now = model.clock.elapsed_ms;
    if let (
        Record::PersonRan { command: ended, .. },
        Some(Typing {
            target: Target::Coming { command, .. },
            ended_ms,
            ..
        }),
    ) = (record, &mut model.conversation.typing.at)
        && ended == command
    {
        ended_ms.get_or_insert(now);
    }
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
