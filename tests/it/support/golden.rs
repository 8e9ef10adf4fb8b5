//! Golden frames: a model is built through `update`, drawn with the probe theme and written as two blocks, the text
//! grid and the style runs (`row: columns meaning`). Clock, ids and spinner come from the model, so nothing is filtered
//! out afterwards.

use std::{fmt::Write, path::Path, sync::Arc};

use crossterm::event::{KeyEvent, KeyModifiers};
use quarterdeck::{
    domain::{
        approval::ApprovalDecision,
        ids::{AgentId, SessionId},
    },
    engine::{
        command::Command,
        event::{Event, EventKind},
    },
    ui::{
        Clock, Effect, Message, Model,
        focus::Pane,
        keymap::{Keymap, Sequence},
        message::Reload,
        theme::{Theme, probe},
        update::update,
        view::{layout, view},
    },
};
use ratatui::{
    buffer::{Buffer, Cell},
    layout::{Position, Rect},
    style::{Modifier, Style},
};

/// The time of every frame: 30 November 2026, 14:05 UTC.
pub(crate) const NOW_MS: i64 = 1_796_047_500_000;

/// A screen under test.
pub(crate) struct Stage {
    /// What it shows.
    pub(crate) model: Model,
    /// What `update` wanted done since the last [`Stage::take_effects`].
    effects: Vec<Effect>,
}

impl Stage {
    /// An empty screen of this size with the default keys and the probe theme.
    pub(crate) fn new(columns: u16, rows: u16) -> Self {
        let clock = Clock {
            now_ms: NOW_MS,
            elapsed_ms: 60_000,
            utc_offset_s: 0,
        };
        let keymap = Keymap::builtin("default").unwrap();
        let mut model = Model::new(
            Arc::new(keymap),
            Arc::new(probe::theme()),
            clock,
            columns,
            rows,
        );
        model.screen.home = "/home/ada".into();
        Self {
            model,
            effects: Vec::new(),
        }
    }

    /// Sends a message.
    pub(crate) fn send(&mut self, message: Message) {
        let effects = update(&mut self.model, message);
        self.effects.extend(effects);
    }

    /// The engine says something about an agent.
    pub(crate) fn event(&mut self, agent: &str, kind: EventKind) {
        self.send(Message::Engine(Box::new(Event {
            session: SessionId::new("0192f0c1-session"),
            agent: AgentId::new(agent),
            kind,
        })));
    }

    /// Presses keys, written as in keymap files: `"ctrl+p z enter"`.
    pub(crate) fn press(&mut self, keys: &str) {
        let sequence: Vec<_> = keys
            .split_whitespace()
            .map(|key| key.parse::<Sequence>().expect("a key").0)
            .collect();
        for chord in sequence.into_iter().flatten() {
            self.send(Message::key(KeyEvent::new(chord.code, chord.modifiers)));
        }
    }

    /// Types text, key by key.
    pub(crate) fn type_text(&mut self, text: &str) {
        for character in text.chars() {
            let code = crossterm::event::KeyCode::Char(character);
            self.send(Message::key(KeyEvent::new(code, KeyModifiers::NONE)));
        }
    }

    /// Lets time pass.
    pub(crate) fn advance(&mut self, milliseconds: u64) {
        let mut clock = self.model.clock;
        clock.now_ms += milliseconds as i64;
        clock.elapsed_ms += milliseconds;
        self.send(Message::Tick(clock));
    }

    /// Tells the model that its frame stands on the screen.
    pub(crate) fn paint(&mut self) {
        let _ = self.buffer();
        self.send(Message::Painted(self.model.clock));
    }

    /// Uses a real theme.
    pub(crate) fn theme(&mut self, theme: Theme) {
        self.send(Message::Reload(Reload::Theme(Arc::new(theme))));
    }

    /// What `update` wanted done since the last call.
    pub(crate) fn take_effects(&mut self) -> Vec<Effect> {
        std::mem::take(&mut self.effects)
    }

    /// The commands among it; a draft that is kept is none that counts.
    pub(crate) fn take_commands(&mut self) -> Vec<Command> {
        let commands = self.take_effects().into_iter().filter_map(|effect| {
            let Effect::Send(command) = effect else {
                return None;
            };
            (!matches!(command, Command::SaveDraft { .. })).then_some(command)
        });
        commands.collect()
    }

    /// How approvals were decided.
    pub(crate) fn take_decisions(&mut self) -> Vec<ApprovalDecision> {
        let commands = self.take_commands().into_iter();
        let decisions = commands.filter_map(|command| match command {
            Command::Decide { decision, .. } => Some(decision),
            _ => None,
        });
        decisions.collect()
    }

    /// The frame.
    pub(crate) fn buffer(&self) -> Buffer {
        self.draw().0
    }

    /// The frame and where the cursor stands.
    pub(crate) fn draw(&self) -> (Buffer, Option<Position>) {
        let area = Rect::new(0, 0, self.model.screen.columns, self.model.screen.rows);
        let mut buffer = Buffer::empty(area);
        let cursor = view(&self.model, &mut buffer);
        (buffer, cursor)
    }

    /// The text of the frame, row by row.
    pub(crate) fn grid(&self) -> String {
        grid(&self.buffer())
    }

    /// Compares the frame with the stored one.
    pub(crate) fn check(&self, name: &str) {
        self.check_area(name, self.model.screen.area());
    }

    /// Compares the frame of one pane, its border included, with the stored one: what other panes show is no matter.
    pub(crate) fn check_pane(&self, name: &str, pane: Pane) {
        let layout = layout(&self.model);
        let placed = layout.of(pane).expect("the pane is shown");
        self.check_area(name, placed.outer);
    }

    /// Compares a part of the frame with the stored one.
    pub(crate) fn check_area(&self, name: &str, area: Rect) {
        let (whole, cursor) = self.draw();
        assert_eq!(whole, self.buffer(), "drawing twice gives the same frame");
        let mut buffer = Buffer::empty(area);
        for position in area.positions() {
            buffer[position] = whole[position].clone();
        }
        let cursor = cursor
            .filter(|position| area.contains(*position))
            .map_or_else(
                || "none".to_owned(),
                |position| format!("{},{}", position.x - area.x, position.y - area.y),
            );
        let text = format!(
            "{}x{} cursor {cursor}\n{}\n{}",
            area.width,
            area.height,
            grid(&buffer),
            runs(&buffer)
        );
        compare(name, &text);
    }
}

/// Compares a text with the stored one of this name.
pub(crate) fn compare(name: &str, text: &str) {
    let mut settings = insta::Settings::clone_current();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/frames");
    settings.set_snapshot_path(folder);
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| insta::assert_snapshot!(name, text));
}

/// The text of a buffer, row by row, without blanks at the ends.
pub(crate) fn grid(buffer: &Buffer) -> String {
    let mut text = String::new();
    for y in buffer.area.top()..buffer.area.bottom() {
        let mut row = String::new();
        let mut covered = 0;
        for x in buffer.area.left()..buffer.area.right() {
            let cell = &buffer[(x, y)];
            if covered > 0 {
                covered -= 1;
                continue;
            }
            row.push_str(cell.symbol());
            covered = unicode_width::UnicodeWidthStr::width(cell.symbol()).saturating_sub(1);
        }
        let _ = writeln!(text, "{}", row.trim_end());
    }
    text
}

/// Where each meaning stands: `row: first-last meaning`.
fn runs(buffer: &Buffer) -> String {
    let mut text = String::new();
    for y in buffer.area.top()..buffer.area.bottom() {
        let mut row: Vec<(u16, u16, String)> = Vec::new();
        for x in buffer.area.left()..buffer.area.right() {
            let Some(name) = meaning(&buffer[(x, y)]) else {
                continue;
            };
            match row.last_mut() {
                Some((_, end, before)) if *end + 1 == x && *before == name => *end = x,
                _ => row.push((x, x, name)),
            }
        }
        if row.is_empty() {
            continue;
        }
        let runs: Vec<String> = row
            .iter()
            .map(|(first, last, name)| {
                let left = buffer.area.left();
                format!("{}-{} {name}", first - left, last - left)
            })
            .collect();
        let y = y - buffer.area.top();
        let _ = writeln!(text, "{y:02}: {}", runs.join(", "));
    }
    text
}

fn meaning(cell: &Cell) -> Option<String> {
    let style: Style = cell.style();
    let mut names: Vec<String> = probe::names(style)
        .iter()
        .map(|name| name.name().to_owned())
        .filter(|name| name != "text")
        .collect();
    for (modifier, name) in [
        (Modifier::BOLD, "bold"),
        (Modifier::ITALIC, "italic"),
        (Modifier::UNDERLINED, "underline"),
        (Modifier::REVERSED, "reverse"),
        (Modifier::CROSSED_OUT, "strike"),
    ] {
        if cell.modifier.contains(modifier) {
            names.push(name.to_owned());
        }
    }
    let is_blank = cell.symbol().trim().is_empty();
    let shows_on_blank = cell.bg != ratatui::style::Color::Reset
        || cell
            .modifier
            .intersects(Modifier::UNDERLINED | Modifier::REVERSED);
    (!names.is_empty() && (!is_blank || shows_on_blank)).then(|| names.join("+"))
}
