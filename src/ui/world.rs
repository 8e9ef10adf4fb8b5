//! What effects need and the loop does not: the terminal, the clipboard, the folders, the person's editor.

use std::{
    io::{self, BufWriter, Stdout, Write},
    mem::ManuallyDrop,
    sync::Arc,
};

use ::notify::RecommendedWatcher;
use ratatui::{
    Terminal, TerminalOptions, Viewport,
    backend::{Backend, CrosstermBackend},
    buffer::Buffer,
    layout::Rect,
};
use tokio::sync::mpsc;

use super::{
    Clock, Message, Model,
    files::{Folders, panes::Keeper},
    message::Reload,
    run::{Editor, Keep},
    terminal::{
        Clipboard, Guard,
        clusters::Clusters,
        links::{Link, Links},
    },
    theme::{Theme, color::is_light_by_colorfgbg},
    view,
};
use crate::domain::notice::Notice;

/// Bytes of a frame that are gathered before they are written.
const OUTPUT: usize = 64 * 1024;

/// The drawing library on our output. It is not dropped at the end, since it would write once more, to a terminal that
/// was given back and perhaps takes nothing.
pub(super) type Screen = ManuallyDrop<Terminal<CrosstermBackend<BufWriter<Stdout>>>>;

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
    pub(super) frames: Frames,
    /// Whether the theme follows the terminal's background.
    pub(super) theme_is_auto: bool,
    /// Whether the terminal's background is light, when it has said so.
    pub(super) is_light: Option<bool>,
    /// Keeps what was chosen for the next starts.
    pub(super) keep: Option<Keep>,
    /// Keeps how the panes are arranged.
    pub(super) panes: Keeper,
    /// Whether the stop that ended was our own.
    pub(super) stopped_ourselves: bool,
}

/// How frames reach the terminal.
#[derive(Debug, Default)]
pub(super) struct Frames {
    /// Whether it holds one back until it is whole.
    pub(super) synchronized: bool,
    /// The links that it shows; `None` when it is told of none.
    pub(super) links: Option<Links>,
    /// What it may give other columns than we do.
    pub(super) clusters: Clusters,
}

impl Frames {
    /// Draws what the drawing library does not know of over the frame that it has just drawn; says whether anything was
    /// written.
    pub(super) fn draw_over<B>(
        &mut self,
        found: Vec<Link>,
        frame: &Buffer,
        out: &mut B,
    ) -> io::Result<bool>
    where
        B: Backend<Error = io::Error> + Write,
    {
        let rows = self.clusters.draw(frame, out)?;
        let mut wrote = !rows.is_empty();
        if let Some(links) = &mut self.links {
            links.forget_rows(&rows);
            wrote |= links.draw(found, frame, out)?;
        }
        Ok(wrote)
    }

    /// The links of a frame that the terminal is told of.
    pub(super) fn found(&self, model: &Model) -> Vec<Link> {
        match self.links {
            Some(_) => view::links(model),
            None => Vec::new(),
        }
    }

    /// Whether there is anything that the drawing library does not know of, in this frame or the one before.
    pub(super) fn are_more(&self, found: &[Link], frame: &Buffer) -> bool {
        let has_links = !found.is_empty() || self.links.as_ref().is_some_and(|it| !it.is_empty());
        has_links || self.clusters.concern(frame)
    }

    /// The screen was emptied.
    pub(super) fn forget(&mut self) {
        self.clusters.forget();
        if let Some(links) = &mut self.links {
            links.forget();
        }
    }
}

/// The name under which the theme follows the terminal.
pub(super) const AUTO: &str = "auto";

impl World {
    /// The theme that fits the terminal.
    pub(super) fn auto_theme(&self) -> &'static str {
        match self.is_light {
            Some(true) => "light",
            Some(false) => "default",
            None => theme_by_environment(),
        }
    }

    /// The person chose a theme: it is loaded, and kept when there is one of that name.
    pub(super) fn choose_theme(&mut self, name: &str) -> Vec<Message> {
        self.theme_is_auto = name == AUTO;
        let messages = match name {
            AUTO => self.folders.load_theme(self.auto_theme()),
            name => self.folders.load_theme(name),
        };
        self.remember("theme", name, &messages);
        messages
    }

    /// The person chose a keymap: it is loaded, and kept when there is one of that name.
    pub(super) fn choose_keymap(&self, name: &str) -> Vec<Message> {
        let messages = self.folders.load_keymap(name);
        self.remember("keymap", name, &messages);
        messages
    }

    /// Keeps a choice in the background and says so.
    fn remember(&self, what: &'static str, name: &str, loaded: &[Message]) {
        let is_there = loaded.iter().any(|message| {
            matches!(
                message,
                Message::Reload(Reload::Theme(_) | Reload::Keymap(_))
            )
        });
        let Some(keep) = self.keep.clone().filter(|_| is_there) else {
            return;
        };
        let results = self.results.clone();
        let name = name.to_owned();
        tokio::task::spawn_blocking(move || {
            let told = match keep(what, &name) {
                Ok(()) => Reload::Kept(format!("{what} {name}: also at the next start")),
                Err(error) => Reload::Failed(format!("{what} {name} is not kept: {error}")),
            };
            let _ = results.send(Message::Reload(told));
        });
    }

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
    Terminal::with_options(backend, options).map(ManuallyDrop::new)
}

/// The theme before the terminal has answered.
pub(super) fn theme_by_environment() -> &'static str {
    let value = std::env::var("COLORFGBG").unwrap_or_default();
    match is_light_by_colorfgbg(&value) {
        Some(true) => "light",
        _ => "default",
    }
}
