//! The loop: takes what the terminal, the engine and the clock bring, lets `update` decide, has the effects performed
//! and draws. It draws only when the model's revision moved: at once after a key, else at most every 16 ms. When
//! nothing is to come it sleeps without a timer.

use std::{
    io,
    path::PathBuf,
    pin::Pin,
    sync::Arc,
    time::{Duration, Instant},
};

use tokio::sync::mpsc::UnboundedReceiver;

use super::{
    Message,
    files::panes,
    perform::App,
    terminal::{input::Arrived, panic, signals::Told},
};
use crate::engine::{
    event::{Event, EventKind},
    handle::EngineHandle,
};

/// Between two frames that no key asked for.
const FRAME: Duration = Duration::from_millis(16);
/// So many messages are taken before a frame is drawn.
const BATCH: usize = 256;
/// So long messages are taken before a frame is drawn.
const BATCH_TIME: Duration = Duration::from_millis(4);

/// Opens a text in the person's editor and gives back what they saved. It has the terminal to itself, and is ended when
/// what it gives back is dropped.
pub type Editor = Box<dyn Fn(String) -> Saved + Send + Sync>;

/// What the person will have saved.
pub type Saved = Pin<Box<dyn Future<Output = io::Result<String>> + Send>>;

/// Keeps a choice for the next starts: `theme` or `keymap`, and the name. It blocks.
pub type Keep = Arc<dyn Fn(&str, &str) -> Result<(), String> + Send + Sync>;

/// How the screen starts.
#[derive(Default)]
pub struct Options {
    /// Name of the theme; `auto` or nothing asks the terminal whether its background is light.
    pub theme: String,
    /// Name of the keymap; nothing is the default one.
    pub keymap: String,
    /// Folder of the person's themes.
    pub themes: Option<PathBuf>,
    /// Folder of the person's keymaps.
    pub keymaps: Option<PathBuf>,
    /// Whether the mouse is ours.
    pub mouse: bool,
    /// Whether links are told to the terminal as such.
    pub links: bool,
    /// Whether the person named a profile: then the page of a first run is not shown.
    pub profile_is_named: bool,
    /// A message to send as soon as a session is open.
    pub prompt: Option<String>,
    /// Keeps what was chosen for the next starts.
    pub keep: Option<Keep>,
    /// How the panes were arranged, as it was kept.
    pub panes: String,
    /// Keeps how the panes are arranged.
    pub keep_panes: Option<panes::Write>,
    /// The person's editor.
    pub editor: Option<Editor>,
}

/// What ended a wait.
enum Woken {
    Signal(Told),
    Terminal(Arrived),
    Engine(Option<Box<Event>>),
    Background(Message),
    Saved(String),
    Timer,
}

/// Shows the session until it is left. Returns the exit code: 0, or 128 and the number of the signal that ended it.
/// The engine is told to end in every case.
pub async fn start(engine: EngineHandle, options: Options) -> io::Result<i32> {
    panic::install();
    let mut app = App::new(engine, options)?;
    app.draw()?;
    app.begin_reading()?;
    loop {
        if let Some(code) = app.exit {
            app.input.stop().await;
            app.world.panes.settle().await;
            return Ok(code);
        }
        if app.leave_at.is_some_and(|at| Instant::now() >= at) {
            app.input.stop().await;
            return Ok(app.code);
        }
        let woken = wait(&mut app).await;
        let now = app.clock();
        app.take(Message::Tick(now))?;
        let is_urgent = matches!(woken, Woken::Terminal(_) | Woken::Signal(_));
        take(&mut app, woken)?;
        drain(&mut app)?;
        if let Some(text) = app.editing.take() {
            app.edit(text).await?;
        }
        if app.draws() && app.is_dirty() && (is_urgent || app.since_frame() >= FRAME) {
            app.draw()?;
        }
    }
}

async fn wait(app: &mut App) -> Woken {
    let wake = wake_at(app);
    let App {
        engine,
        input,
        signals,
        background,
        saved,
        engine_is_gone,
        ..
    } = app;
    tokio::select! {
        biased;
        told = signals.next() => Woken::Signal(told),
        arrived = input.next() => Woken::Terminal(arrived),
        event = engine.next(), if !*engine_is_gone => Woken::Engine(event.map(Box::new)),
        message = received(background) => Woken::Background(message),
        name = received(saved) => Woken::Saved(name),
        () = sleep_until(wake) => Woken::Timer,
    }
}

/// When to wake up although nothing comes: for a frame that is due, or for what the model waits for.
fn wake_at(app: &App) -> Option<Instant> {
    let frame = (app.draws() && app.is_dirty()).then(|| app.last_frame + FRAME);
    let tick = app
        .model
        .next_tick_ms()
        .map(|wait| app.started + Duration::from_millis(app.model.clock.elapsed_ms + wait));
    [frame, tick, app.leave_at].into_iter().flatten().min()
}

/// The next thing from a channel. One whose other end is gone (no folder to watch) stays silent: it must not wake
/// the loop again and again.
async fn received<T>(channel: &mut UnboundedReceiver<T>) -> T {
    match channel.recv().await {
        Some(thing) => thing,
        None => std::future::pending().await,
    }
}

async fn sleep_until(wake: Option<Instant>) {
    match wake {
        Some(at) => tokio::time::sleep_until(at.into()).await,
        None => std::future::pending().await,
    }
}

fn take(app: &mut App, woken: Woken) -> io::Result<()> {
    match woken {
        Woken::Signal(Told::End(code)) => app.end(code)?,
        Woken::Signal(Told::Stop) => app.suspend()?,
        Woken::Signal(Told::Continued) => app.resume()?,
        Woken::Terminal(Arrived::Heard(answers, messages)) => {
            for answer in answers {
                app.learn(answer)?;
            }
            app.take_all(messages)?;
        }
        Woken::Terminal(Arrived::Resized) => app.resized()?,
        // The terminal went away under us, as with a hang-up.
        Woken::Terminal(Arrived::Closed) => app.closed()?,
        Woken::Engine(Some(event)) => take_event(app, event)?,
        Woken::Engine(None) => app.engine_ended(),
        Woken::Background(message) => app.take(message)?,
        Woken::Saved(name) => app.file_saved(&name)?,
        Woken::Timer => {}
    }
    Ok(())
}

fn take_event(app: &mut App, event: Box<Event>) -> io::Result<()> {
    let opened = matches!(event.kind, EventKind::Opened(_));
    app.take(Message::Engine(event))?;
    if opened {
        app.send_prompt()?;
    }
    Ok(())
}

/// Takes what else waits, so that one frame shows it all.
fn drain(app: &mut App) -> io::Result<()> {
    let begin = Instant::now();
    for _ in 0..BATCH {
        if begin.elapsed() >= BATCH_TIME || app.exit.is_some() {
            break;
        }
        match app.engine.try_next() {
            Some(event) => take_event(app, Box::new(event))?,
            None => break,
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use futures::FutureExt as _;
    use tokio::sync::mpsc;

    use super::*;

    #[test]
    fn a_channel_without_sender_never_wakes_the_loop() {
        let (sender, mut channel) = mpsc::unbounded_channel();
        sender.send(1).expect("the channel is open");
        drop(sender);

        assert_eq!(received(&mut channel).now_or_never(), Some(1));
        assert_eq!(received(&mut channel).now_or_never(), None);
    }
}
