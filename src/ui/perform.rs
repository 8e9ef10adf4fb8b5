//! Performs effects and draws frames: everything of the loop that touches the world.

use std::{
    io::{self, Write},
    time::{Duration, Instant},
};

use crossterm::{
    queue,
    terminal::{BeginSynchronizedUpdate, EndSynchronizedUpdate},
};
use ratatui::{backend::Backend as _, layout::Rect};
use tokio::sync::mpsc;

use super::{
    Clock, Effect, Message, Model,
    files::{
        Folders,
        panes::{self, Keeper},
    },
    layout::Screen,
    message::{Done, Reload},
    panes::composer::save_draft,
    run::Options,
    terminal::{
        Answer, Clipboard, Guard, Input, Signals,
        links::{self, Links},
        notify, title,
    },
    theme::Depth,
    update::update,
    view::view,
    world::{AUTO, Frames, World, screen, theme_by_environment},
};
use crate::{
    domain::{ids::AgentId, notice::Notice, record::Lane},
    engine::{command::Command, handle::EngineHandle},
};

/// How long the engine may take to end before we leave without it.
const PATIENCE: Duration = Duration::from_secs(3);
/// The model and everything around it.
pub struct App {
    /// What the screen shows.
    pub model: Model,
    /// The engine.
    pub engine: EngineHandle,
    /// Whether the engine has ended.
    pub engine_is_gone: bool,
    /// The terminal's bytes.
    pub input: Input,
    /// Signals.
    pub signals: Signals,
    /// Results of work in the background.
    pub background: mpsc::UnboundedReceiver<Message>,
    /// Names of theme and keymap files that were saved.
    pub saved: mpsc::UnboundedReceiver<String>,
    /// When the program started.
    pub started: Instant,
    /// When the last frame was drawn.
    pub last_frame: Instant,
    /// When we leave although the engine has not ended.
    pub leave_at: Option<Instant>,
    /// The exit code when we leave.
    pub code: i32,
    /// The exit code, once it is time to leave.
    pub exit: Option<i32>,
    /// A draft that is to be opened in the person's editor.
    pub editing: Option<String>,
    drawn: Option<u64>,
    pub(super) world: World,
}

impl App {
    /// Takes the terminal.
    pub fn new(engine: EngineHandle, options: Options) -> io::Result<Self> {
        let signals = Signals::new()?;
        let started = Instant::now();
        let (columns, rows) = crossterm::terminal::size()?;
        let folders = Folders {
            themes: options.themes,
            keymaps: options.keymaps,
            depth: Depth::detect(|name| std::env::var(name).ok()),
        };
        let theme_is_auto = matches!(options.theme.as_str(), "" | AUTO);
        let (results, background) = mpsc::unbounded_channel();
        let (saver, saved) = mpsc::unbounded_channel();
        let watcher = folders.watch(saver);
        let guard = Guard::enter(options.mouse)?;
        let mut arranged = Screen::new(columns, rows);
        panes::restore(&options.panes, &mut arranged);
        let term = std::env::var("TERM").unwrap_or_default();
        let frames = Frames {
            links: (options.links && links::are_known(&term)).then(Links::default),
            ..Frames::default()
        };
        let world = World {
            guard,
            screen: screen(columns, rows)?,
            clipboard: Clipboard::new(results.clone()),
            editor: options.editor,
            prompt: options.prompt,
            results,
            _watcher: watcher,
            utc_offset_s: jiff::Zoned::now().offset().seconds(),
            frames,
            theme_is_auto,
            is_light: None,
            keep: options.keep,
            panes: Keeper::new(options.keep_panes, &arranged),
            stopped_ourselves: false,
            folders,
        };
        let theme = if theme_is_auto {
            theme_by_environment()
        } else {
            &options.theme
        };
        let keymap = match options.keymap.as_str() {
            "" => "default",
            name => name,
        };
        let model = world.first_model(theme, keymap, columns, rows);
        let mut app = Self {
            model,
            engine,
            engine_is_gone: false,
            input: Input::Away,
            signals,
            background,
            saved,
            started,
            last_frame: started,
            leave_at: None,
            code: 0,
            exit: None,
            editing: None,
            drawn: None,
            world,
        };
        app.model.screen = arranged;
        app.model.screen.has_mouse = options.mouse;
        app.model.screen.welcomes = !options.profile_is_named;
        app.model.screen.home = std::env::var_os("HOME").unwrap_or_default().into();
        app.model.clock = app.clock();
        Ok(app)
    }

    /// Asks the terminal what it can, then reads what the person does.
    pub fn begin_reading(&mut self) -> io::Result<()> {
        self.input = Input::ask()?;
        // Nobody listened for a new size until now.
        self.resized()
    }

    /// The window may have another size.
    pub fn resized(&mut self) -> io::Result<()> {
        let (columns, rows) = crossterm::terminal::size()?;
        if (columns, rows) == (self.model.screen.columns, self.model.screen.rows) {
            return Ok(());
        }
        self.take(Message::Resize(columns, rows))
    }

    /// The time.
    pub fn clock(&self) -> Clock {
        Clock {
            now_ms: jiff::Timestamp::now().as_millisecond(),
            elapsed_ms: self.started.elapsed().as_millis() as u64,
            utc_offset_s: self.world.utc_offset_s,
        }
    }

    /// Whether the screen shows less than the model.
    pub fn is_dirty(&self) -> bool {
        self.drawn != Some(self.model.revision)
    }

    /// How long ago the last frame was drawn.
    pub fn since_frame(&self) -> Duration {
        self.last_frame.elapsed()
    }

    /// Takes messages.
    pub fn take_all(&mut self, messages: Vec<Message>) -> io::Result<()> {
        for message in messages {
            self.take(message)?;
        }
        Ok(())
    }

    /// Takes a message and performs what follows from it.
    pub fn take(&mut self, message: Message) -> io::Result<()> {
        for effect in update(&mut self.model, message) {
            self.perform(effect)?;
        }
        self.world.panes.look(&self.model.screen);
        Ok(())
    }

    /// Draws the model.
    pub fn draw(&mut self) -> io::Result<()> {
        let area = Rect::new(0, 0, self.model.screen.columns, self.model.screen.rows);
        let world = &mut self.world;
        // The library's own size is that of the terminal, not that of its buffers.
        if world.screen.current_buffer_mut().area != area {
            world.screen = screen(area.width, area.height)?;
            world.frames.forget();
        }
        if world.frames.synchronized {
            queue!(world.screen.backend_mut(), BeginSynchronizedUpdate)?;
        }
        let model = &self.model;
        let mut cursor = None;
        let drawn = world.screen.draw(|frame| {
            cursor = view(model, frame.buffer_mut());
            if let Some(position) = cursor {
                frame.set_cursor_position(position);
            }
        })?;
        let found = world.frames.found(model);
        if world.frames.are_more(&found, drawn.buffer) {
            let frame = drawn.buffer.clone();
            let out = world.screen.backend_mut();
            if world.frames.draw_over(found, &frame, out)?
                && let Some(position) = cursor
            {
                out.set_cursor_position(position)?;
            }
        }
        if world.frames.synchronized {
            queue!(world.screen.backend_mut(), EndSynchronizedUpdate)?;
        }
        Write::flush(world.screen.backend_mut())?;
        self.drawn = Some(self.model.revision);
        self.last_frame = Instant::now();
        let clock = self.clock();
        self.take(Message::Painted(clock))
    }

    /// Uses what the terminal answered.
    pub fn learn(&mut self, answer: Answer) -> io::Result<()> {
        match answer {
            Answer::Background(color) => {
                self.world.is_light = Some(color.is_light());
                let name = self.world.auto_theme();
                if self.world.theme_is_auto && self.model.theme.name != name {
                    let messages = self.world.folders.load_theme(name);
                    self.take_all(messages)?;
                }
            }
            Answer::Synchronized => self.world.frames.synchronized = true,
            Answer::Keyboard if self.draws() => self.world.guard.enable_keyboard()?,
            Answer::Keyboard | Answer::Last => {}
        }
        Ok(())
    }

    /// A theme or keymap file was saved.
    pub fn file_saved(&mut self, name: &str) -> io::Result<()> {
        let mut messages = Vec::new();
        if self.model.theme.name == name {
            messages.extend(self.world.folders.load_theme(name));
        }
        if self.model.keymap.name == name {
            messages.extend(self.world.folders.load_keymap(name));
        }
        self.take_all(messages)
    }

    /// Sends the message that the program was started with.
    pub fn send_prompt(&mut self) -> io::Result<()> {
        match self.world.prompt.take() {
            Some(text) => self.send(Command::Send {
                agent: AgentId::main(),
                text,
                lane: Lane::Steer,
            }),
            None => Ok(()),
        }
    }

    /// Ends with this code; whoever says it twice does not want to wait for the engine.
    pub fn end(&mut self, code: i32) -> io::Result<()> {
        self.code = code;
        if self.leave_at.is_some() {
            self.exit = Some(code);
        }
        self.leave()
    }

    /// The terminal went away under us, as with a hang-up.
    pub fn closed(&mut self) -> io::Result<()> {
        self.input = Input::Away;
        self.end(128 + libc::SIGHUP)
    }

    /// The engine has ended.
    pub fn engine_ended(&mut self) {
        self.engine_is_gone = true;
        self.exit.get_or_insert(self.code);
    }

    /// Whether a frame is still of use: whoever is told to end does not wait for the terminal.
    pub fn draws(&self) -> bool {
        self.code == 0
    }

    pub(super) fn perform(&mut self, effect: Effect) -> io::Result<()> {
        match effect {
            // Whoever is told to end writes nothing more to a terminal that perhaps takes nothing.
            Effect::Copy(_)
            | Effect::Notify(_)
            | Effect::SetTitle(_)
            | Effect::CaptureMouse(_)
            | Effect::Redraw
                if !self.draws() => {}
            Effect::Send(Command::Shutdown) => self.leave()?,
            Effect::Send(command) => self.send(command)?,
            Effect::Copy(text) => self.world.clipboard.copy(&text),
            Effect::Highlight(job) => {
                let results = self.world.results.clone();
                tokio::task::spawn_blocking(move || {
                    let done = Done::Highlighted(Box::new(job.run()));
                    let _ = results.send(Message::Done(done));
                });
            }
            Effect::OpenEditor(text) => self.editing = Some(text),
            Effect::Notify(text) => {
                if !self.model.screen.has_focus {
                    notify::send(&text)?;
                }
            }
            Effect::SetTitle(text) => title::set(&text)?,
            Effect::ListThemes => {
                let mut names = self.world.folders.theme_names();
                names.insert(0, AUTO.to_owned());
                self.take(Message::Reload(Reload::Themes(names)))?;
            }
            Effect::ListKeymaps => {
                let names = self.world.folders.keymap_names();
                self.take(Message::Reload(Reload::Keymaps(names)))?;
            }
            Effect::LoadTheme(name) => {
                let messages = self.world.choose_theme(&name);
                self.take_all(messages)?;
            }
            Effect::LoadKeymap(name) => {
                let messages = self.world.choose_keymap(&name);
                self.take_all(messages)?;
            }
            Effect::CaptureMouse(on) => self.world.guard.capture_mouse(on)?,
            Effect::Redraw => {
                let size = self.world.screen.current_buffer_mut().area;
                self.world.screen = screen(size.width, size.height)?;
                self.world.frames.forget();
            }
            Effect::Suspend => self.suspend()?,
            Effect::Quit => self.exit = Some(self.code),
        }
        Ok(())
    }

    fn send(&mut self, command: Command) -> io::Result<()> {
        match self.engine.send(command) {
            Ok(()) => Ok(()),
            Err(command) => self.take(Message::Done(Done::Refused(command))),
        }
    }

    /// Asks the engine to end, the draft journalled before. It answers with `Stopped`; an engine that does not is left.
    fn leave(&mut self) -> io::Result<()> {
        for effect in save_draft(&mut self.model) {
            self.perform(effect)?;
        }
        if self.engine_is_gone || self.engine.send(Command::Shutdown).is_err() {
            self.exit = Some(self.code);
            return Ok(());
        }
        self.leave_at
            .get_or_insert_with(|| Instant::now() + PATIENCE);
        Ok(())
    }

    pub(super) fn tell(&mut self, notice: Notice) -> io::Result<()> {
        self.model.notify(notice);
        self.model.revision += 1;
        Ok(())
    }
}

impl Drop for App {
    fn drop(&mut self) {
        if !self.engine_is_gone {
            let _ = self.engine.send(Command::Shutdown);
        }
    }
}
