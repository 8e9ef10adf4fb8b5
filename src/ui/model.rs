//! Everything that the screen shows. `view` draws it, `update` changes it, nothing else does.

use std::{collections::VecDeque, sync::Arc};

use ratatui::style::Style;

use super::{
    keymap::Keymap,
    layout::Screen,
    message::{Clock, SPINNER_STEP_MS},
    overlays::Overlays,
    panes::{
        agents, checklist, composer, context_gauge, conversation, requests, scratchpad, typing,
    },
    session::SessionState,
    theme::{StyleName, Theme},
};
use crate::{domain::notice::Notice, text::truncate::grouped, ui::widgets::field};

/// How long a notice stays in the footer.
pub const NOTICE_MS: u64 = 8_000;
/// How long it stays at least, whatever is pressed.
pub const NOTICE_SEEN_MS: u64 = 1_000;

/// The screen's state.
#[derive(Debug)]
pub struct Model {
    /// What the engine told of the session.
    pub session: SessionState,
    /// Pane 1: transcripts of all agents, which one is shown, scroll, folds.
    pub conversation: conversation::State,
    /// Pane 2: the draft.
    pub composer: composer::State,
    /// Approvals and question forms that wait.
    pub requests: requests::State,
    /// Pane 3.
    pub agents: agents::State,
    /// Pane 4.
    pub checklist: checklist::State,
    /// Pane 5.
    pub scratchpad: scratchpad::State,
    /// Pane 6.
    pub context_gauge: context_gauge::State,
    /// What floats above the panes and takes the keys.
    pub overlay: Overlays,
    /// Size, focus, zoom, widths, keys that wait for the rest of their sequence.
    pub screen: Screen,
    /// Short texts outside the chat, the latest last.
    pub notices: Notices,
    /// The time.
    pub clock: Clock,
    /// Which keys do what.
    pub keymap: Arc<Keymap>,
    /// How meanings look.
    pub theme: Arc<Theme>,
    /// Moves whenever something that is shown changes.
    pub revision: u64,
}

/// Short texts outside the chat.
#[derive(Clone, Debug, Default)]
pub struct Notices {
    /// The latest last, at most [`Notices::KEPT`], each with the moment of `Clock::elapsed_ms` at which it goes.
    pub list: VecDeque<(Notice, u64)>,
}

impl Notices {
    /// How many are kept.
    pub const KEPT: usize = 50;

    /// Adds one.
    pub fn push(&mut self, notice: Notice, elapsed_ms: u64) {
        if self.list.len() == Self::KEPT {
            self.list.pop_front();
        }
        self.list
            .push_back((notice, elapsed_ms.saturating_add(NOTICE_MS)));
    }

    /// The one to show now.
    pub fn shown(&self, elapsed_ms: u64) -> Option<&Notice> {
        self.list
            .back()
            .filter(|(_, until)| elapsed_ms < *until)
            .map(|(notice, _)| notice)
    }

    /// The person goes on: a notice that stood long enough to be read goes.
    pub fn go_on(&mut self, elapsed_ms: u64) {
        if let Some((_, until)) = self.list.back_mut()
            && elapsed_ms.saturating_add(NOTICE_MS) >= until.saturating_add(NOTICE_SEEN_MS)
        {
            *until = 0;
        }
    }
}

impl Model {
    /// An empty screen.
    pub fn new(
        keymap: Arc<Keymap>,
        theme: Arc<Theme>,
        clock: Clock,
        columns: u16,
        rows: u16,
    ) -> Self {
        Self {
            session: SessionState::default(),
            conversation: conversation::State::default(),
            composer: composer::State::default(),
            requests: requests::State::default(),
            agents: agents::State::default(),
            checklist: checklist::State::default(),
            scratchpad: scratchpad::State::default(),
            context_gauge: context_gauge::State::default(),
            overlay: Overlays::default(),
            screen: Screen::new(columns, rows),
            notices: Notices::default(),
            clock,
            keymap,
            theme,
            revision: 0,
        }
    }

    /// How a meaning looks.
    pub fn style(&self, name: StyleName) -> Style {
        self.theme.style(name)
    }

    /// Says something outside the chat.
    pub fn notify(&mut self, notice: Notice) {
        self.notices.push(notice, self.clock.elapsed_ms);
    }

    /// Says that a field took no more of what was pasted, when it did not.
    pub fn left_out(&mut self, characters: usize) {
        if characters > 0 {
            let count = grouped(characters);
            let most = grouped(field::MOST);
            let text = format!("left out {count} pasted characters");
            let hint = format!("a field takes {most}");
            self.notify(Notice::warning(text).with_hint(hint));
        }
    }

    /// In how many milliseconds the screen changes by itself; `None` when it does not.
    pub fn next_tick_ms(&self) -> Option<u64> {
        let now = self.clock.elapsed_ms;
        let moves = self.session.is_busy() && !conversation::waits_only_for_person(self);
        let spinner = moves.then(|| SPINNER_STEP_MS - now % SPINNER_STEP_MS);
        let notice = self
            .notices
            .list
            .back()
            .map(|(_, until)| *until)
            .filter(|until| *until > now)
            .map(|until| until - now);
        let armed = self
            .screen
            .quit_armed_until
            .filter(|until| *until > now)
            .map(|until| until - now);
        let gate = requests::next_tick_ms(self);
        let draft = composer::next_tick_ms(self);
        let ended = typing::next_tick_ms(self);
        [spinner, notice, armed, gate, draft, ended]
            .into_iter()
            .flatten()
            .min()
    }
}
