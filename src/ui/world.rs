//! What effects need and the loop does not: the terminal, the clipboard, the folders, the person's editor.

use std::{
    io::{self, BufWriter, Stdout},
    sync::Arc,
};

use ::notify::RecommendedWatcher;
use ratatui::{
    Terminal, TerminalOptions, Viewport,
    backend::{Backend, CrosstermBackend},
    layout::Rect,
};
use tokio::sync::mpsc;

use super::{
    Clock, Message, Model,
    files::Folders,
    run::Editor,
    terminal::{Clipboard, Guard},
    theme::{Theme, color::is_light_by_colorfgbg},
};
use crate::domain::notice::Notice;

/// Bytes of a frame that are gathered before they are written.
const OUTPUT: usize = 64 * 1024;

/// The drawing library on our output.
pub(super) type Screen = Terminal<CrosstermBackend<BufWriter<Stdout>>>;

/// What effects need and the loop does not.
pub(super) struct World {
    pub(super) guard: Guard,
    pub(super) screen: Screen,
    pub(super) clipboard: Clipboard,
    pub(super) folders: Folders,
    pub(super) editor: Option<Editor>,
    pub(super) prompt: Option<String>,
    pub(super) results: mpsc::UnboundedSender<Message>,
    pub(super) _watcher: Option<RecommendedWatcher>,
    pub(super) utc_offset_s: i32,
    pub(super) synchronized: bool,
    /// Whether the theme follows the terminal's background.
    pub(super) theme_is_auto: bool,
    /// Whether the stop that ended was our own.
    pub(super) stopped_ourselves: bool,
}

impl World {
    /// The model before anything has come.
    pub(super) fn first_model(&self, theme: &str, keymap: &str, columns: u16, rows: u16) -> Model {
        let mut problems = Vec::new();
        let theme = self.folders.theme(theme).unwrap_or_else(|text| {
            problems.push(text);
            self.folders
                .theme("default")
                .unwrap_or_else(|_| (Theme::plain(), Vec::new()))
        });
        let keymap = self.folders.keymap(keymap).unwrap_or_else(|text| {
            problems.push(text);
            self.folders.keymap("default").unwrap_or_default()
        });
        problems.extend(theme.1.iter().chain(&keymap.1).map(ToString::to_string));
        let mut model = Model::new(
            Arc::new(keymap.0),
            Arc::new(theme.0),
            Clock::default(),
            columns,
            rows,
        );
        for problem in problems {
            model.notify(Notice::error(problem));
        }
        model
    }
}

/// The drawing library on our output, everything to be painted. A new one is made for every size: changing the size of
/// an old one asks the terminal where its cursor is, and nobody would read the answer.
pub(super) fn screen(columns: u16, rows: u16) -> io::Result<Screen> {
    let output = BufWriter::with_capacity(OUTPUT, io::stdout());
    let mut backend = CrosstermBackend::new(output);
    backend.clear()?;
    Backend::flush(&mut backend)?;
    let options = TerminalOptions {
        viewport: Viewport::Fixed(Rect::new(0, 0, columns, rows)),
    };
    Terminal::with_options(backend, options)
}

/// The theme before the terminal has answered.
pub(super) fn theme_by_environment() -> &'static str {
    let value = std::env::var("COLORFGBG").unwrap_or_default();
    match is_light_by_colorfgbg(&value) {
        Some(true) => "light",
        _ => "default",
    }
}
