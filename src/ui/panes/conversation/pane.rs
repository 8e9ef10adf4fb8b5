//! What the pane remembers, and how it follows the engine.

use std::collections::BTreeMap;

use ratatui::layout::Rect;
use serde_json::Value;

use super::{
    entry::{Call, Entry, EntryKey},
    scroll::{Anchor, Scroll, Window},
    search::Search,
    selection::Selection,
    transcript::Transcript,
};
use crate::{
    domain::{
        ids::{AgentId, CallId, Sequence},
        record::{Record, Stored},
    },
    engine::{
        command::{Command, Fetch},
        event::{Event, EventKind},
    },
    ui::{
        Effect, Model,
        cells::Scene,
        displays::DiffStyle,
        focus::Pane,
        highlight::{Highlighted, Highlights},
        panes::typing,
        view,
    },
};

/// Records of the past that are asked for at once.
const PAGE: usize = 400;

/// What the pane remembers.
#[derive(Debug)]
pub struct State {
    /// The agent whose transcript is shown; the other panes show its checklist and gauge.
    pub shown: AgentId,
    /// How changes are shown.
    pub diff: DiffStyle,
    pub(super) transcripts: BTreeMap<AgentId, Transcript>,
    pub(super) views: BTreeMap<AgentId, View>,
    pub(super) highlights: Highlights,
    pub(super) search: Search,
    pub(super) selection: Option<Selection>,
    /// Calls that can be typed into.
    pub typing: typing::State,
    /// Number of times that code was copied from the focused entry.
    pub(super) code_copies: usize,
    past: Past,
    is_script: bool,
    empty: Transcript,
}

/// How one transcript is looked at.
#[derive(Clone, Copy, Debug, Default)]
pub struct View {
    /// Which part is shown.
    pub scroll: Scroll,
    /// The entry that keys act on.
    pub focus: Option<EntryKey>,
}

/// What is known of the session's log.
#[derive(Clone, Copy, Debug, Default)]
struct Past {
    earliest: Option<Sequence>,
    has_more: bool,
    is_asked: bool,
}

impl Default for State {
    fn default() -> Self {
        Self {
            shown: AgentId::main(),
            diff: DiffStyle::Auto,
            transcripts: BTreeMap::new(),
            views: BTreeMap::new(),
            highlights: Highlights::default(),
            search: Search::default(),
            selection: None,
            typing: typing::State::default(),
            code_copies: 0,
            past: Past::default(),
            is_script: false,
            empty: Transcript::default(),
        }
    }
}

impl State {
    /// The transcript of the shown agent.
    pub fn transcript(&self) -> &Transcript {
        self.transcripts.get(&self.shown).unwrap_or(&self.empty)
    }

    /// A call of an agent.
    pub fn call(&self, agent: &AgentId, id: &CallId) -> Option<&Call> {
        self.transcripts.get(agent)?.find_call(id)
    }

    /// How the shown transcript is looked at.
    pub fn looking(&self) -> View {
        self.views.get(&self.shown).copied().unwrap_or_default()
    }

    pub(super) fn look(&mut self) -> &mut View {
        self.views.entry(self.shown.clone()).or_default()
    }

    /// The focused entry.
    pub fn focused(&self) -> Option<(EntryKey, &Entry)> {
        let key = self.looking().focus?;
        let transcript = self.transcript();
        let key = transcript.clamped(key);
        transcript.get(key).map(|entry| (key, entry))
    }

    fn of(&mut self, agent: &AgentId) -> &mut Transcript {
        let is_script = self.is_script;
        self.transcripts
            .entry(agent.clone())
            .or_insert_with(|| Transcript {
                is_script,
                ..Transcript::default()
            })
    }

    /// Forgets everything that can be made again; the next frame is the same.
    pub fn forget(&self) {
        for transcript in self.transcripts.values() {
            transcript.forget();
        }
    }

    fn recorded(&mut self, stored: &Stored) {
        if self.past.earliest.is_none() {
            self.past.earliest = Some(stored.sequence);
        }
        let ended = match &stored.record {
            Record::PersonRan { result, .. } => self.of(&stored.agent).key_of(&result.call),
            _ => None,
        };
        if let Some(key) = ended {
            self.of(&stored.agent).record(stored);
            self.ended(&stored.agent, key);
            return;
        }
        self.growing(&stored.agent, |transcript| transcript.record(stored));
    }

    /// Stored entries may be added in front of what is still coming: what was looked at stays looked at.
    fn growing(&mut self, agent: &AgentId, change: impl FnOnce(&mut Transcript)) {
        let transcript = self.of(agent);
        let end = transcript.stored_end();
        change(transcript);
        let grown = transcript.stored_end() - end;
        if grown > 0 && !transcript.live.is_empty() {
            self.each_key(agent, |key| key + if key >= end { grown } else { 0 });
        }
    }

    /// The person's command of this key has ended: it went behind everything stored, and what came since moved up.
    fn ended(&mut self, agent: &AgentId, key: EntryKey) {
        let place = self.of(agent).stored_end() - 1;
        self.each_key(agent, |looked| match looked {
            _ if looked == key => place,
            _ if looked > key && looked <= place => looked - 1,
            _ => looked,
        });
    }

    /// Changes the keys under which an agent's entries are looked at.
    fn each_key(&mut self, agent: &AgentId, change: impl Fn(EntryKey) -> EntryKey) {
        let Some(view) = self.views.get_mut(agent) else {
            return;
        };
        view.focus = view.focus.map(&change);
        if let Scroll::At(Anchor { key, .. }) = &mut view.scroll {
            *key = change(*key);
        }
    }

    fn history(&mut self, records: &[Stored], more: bool) {
        self.past.is_asked = false;
        self.past.has_more = more;
        let known = self.past.earliest;
        let Some(known) = known else {
            for stored in records {
                self.recorded(stored);
            }
            return;
        };
        let mut pages: BTreeMap<AgentId, Vec<Stored>> = BTreeMap::new();
        for stored in records.iter().filter(|stored| stored.sequence < known) {
            pages
                .entry(stored.agent.clone())
                .or_default()
                .push(stored.clone());
        }
        for (agent, page) in pages {
            self.of(&agent).prepend(&page);
        }
        if let Some(first) = records.first() {
            self.past.earliest = Some(first.sequence.min(known));
        }
    }

    /// Asks for earlier records when the view comes near to the first one that is known.
    pub(super) fn want_past(&mut self, is_near: bool) -> Vec<Effect> {
        let Past {
            earliest: Some(before),
            has_more: true,
            is_asked: false,
        } = self.past
        else {
            return Vec::new();
        };
        if !is_near {
            return Vec::new();
        }
        self.past.is_asked = true;
        vec![Effect::Send(Command::Fetch(Fetch::Earlier {
            before,
            limit: PAGE,
        }))]
    }
}

/// The pane's rectangle as it is drawn now.
pub(super) fn area(model: &Model) -> Rect {
    view::layout(model)
        .of(Pane::Conversation)
        .map_or(Rect::new(0, 0, 80, 24), |placed| placed.inner)
}

/// The shown transcript through a window of this size.
pub(super) fn window(model: &Model, area: Rect) -> Window<'_> {
    let status = u16::from(super::drawing::has_status(model));
    let rows = usize::from(area.height.saturating_sub(status));
    Window {
        transcript: model.conversation.transcript(),
        scene: Scene {
            model,
            highlights: &model.conversation.highlights,
            diff: model.conversation.diff,
            width: usize::from(area.width.max(1)),
            rows,
        },
        rows,
    }
}

/// Colours of code as far as they are known.
pub fn highlights(model: &Model) -> &Highlights {
    &model.conversation.highlights
}

/// Shows the transcript of another agent.
pub fn show(model: &mut Model, agent: AgentId) -> Vec<Effect> {
    if model.conversation.shown != agent {
        typing::shown(&mut model.conversation.typing, &agent);
        model.conversation.shown = agent;
        model.conversation.search = Search::default();
        model.conversation.selection = None;
    }
    Vec::new()
}

/// Shows the end of the shown transcript, whatever comes.
pub fn follow(model: &mut Model) {
    let view = model.conversation.look();
    view.scroll = Scroll::Follow;
    view.focus = None;
}

/// Shows a call of an agent: where its approval box stands.
pub fn show_call(model: &mut Model, agent: AgentId, call: &CallId) -> Vec<Effect> {
    let effects = show(model, agent);
    let key = model.conversation.transcript().key_of(call);
    if let Some(key) = key {
        let area = area(model);
        let window = window(model, area);
        let scroll = window.showing(model.conversation.looking().scroll, key);
        let view = model.conversation.look();
        view.scroll = scroll;
        view.focus = Some(key);
    }
    effects
}

/// Background work on syntax colours has ended.
pub fn highlighted(model: &mut Model, done: Highlighted) -> Vec<Effect> {
    model.conversation.highlights.finish(done);
    Vec::new()
}

/// The frame on the screen shows the model as it now is: what drawing asked to be highlighted is due.
pub fn painted(model: &mut Model) -> Vec<Effect> {
    let jobs = model.conversation.highlights.take_jobs();
    jobs.into_iter().map(Effect::Highlight).collect()
}

/// Follows the engine.
pub fn apply(model: &mut Model, event: &Event) -> Vec<Effect> {
    let now_ms = model.clock.now_ms;
    let state = &mut model.conversation;
    match &event.kind {
        EventKind::Opened(opened) => {
            *state = State {
                diff: state.diff,
                is_script: opened.settings.model.is_script,
                ..State::default()
            };
        }
        EventKind::History { records, more } => {
            state.history(records, *more);
            let area = area(model);
            let near = super::actions::is_near_top(&window(model, area), model);
            return model.conversation.want_past(near);
        }
        EventKind::Recorded(stored) => state.recorded(stored),
        EventKind::Delta(delta) => state.of(&event.agent).delta(delta),
        EventKind::Call { call, state: stage } => {
            state.of(&event.agent).call_state(call, *stage, now_ms);
        }
        EventKind::ApprovalAsked(request) => {
            state.growing(&request.agent, |transcript| {
                transcript.adopt(&request.call, &request.tool, &request.arguments, now_ms);
                transcript.approval_asked(request);
            });
        }
        EventKind::QuestionAsked(form) => {
            state.growing(&form.agent, |transcript| {
                transcript.adopt(&form.call, "ask_user", &Value::Null, now_ms);
                transcript.question_asked(form);
            });
        }
        EventKind::PersonRuns {
            call,
            command,
            shared,
        } => state.growing(&event.agent, |transcript| {
            transcript.person_runs(call, command, *shared, now_ms);
        }),
        EventKind::RequestClosed(request) => {
            for transcript in state.transcripts.values_mut() {
                transcript.touch_request(*request);
            }
        }
        EventKind::Settings(settings) => {
            state.is_script = settings.model.is_script;
            for transcript in state.transcripts.values_mut() {
                transcript.is_script = settings.model.is_script;
            }
        }
        EventKind::AgentRemoved => {
            state.transcripts.remove(&event.agent);
            state.views.remove(&event.agent);
            if state.shown == event.agent {
                return show(model, AgentId::main());
            }
        }
        _ => {}
    }
    Vec::new()
}
