//! The clipboard: the system's own where we stand in front of it, the terminal's (OSC 52) over ssh and where there is
//! no other. A thread keeps the system's clipboard, since on some systems the text is lost with its owner.

use std::{
    io::{self, Write},
    sync::mpsc,
    thread,
};

use crossterm::{clipboard::CopyToClipboard, execute};
use tokio::sync::mpsc::UnboundedSender;

use crate::ui::{Message, message::Done};

/// The most that is sent through the terminal.
const LARGEST: usize = 1 << 20;
/// How many texts may wait for the thread.
const WAITING: usize = 8;

/// Where copied text goes.
#[derive(Debug)]
pub struct Clipboard {
    system: Option<mpsc::SyncSender<String>>,
    is_remote: bool,
    results: UnboundedSender<Message>,
}

impl Clipboard {
    /// Looks at the environment; connects with the first copy.
    pub fn new(results: UnboundedSender<Message>) -> Self {
        let is_set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
        let is_remote = is_set("SSH_CONNECTION") || is_set("SSH_TTY");
        let has_display =
            cfg!(target_os = "macos") || is_set("DISPLAY") || is_set("WAYLAND_DISPLAY");
        Self {
            system: None,
            is_remote: is_remote || !has_display,
            results,
        }
    }

    /// Copies text; what came of it is told as [`Done::Copied`].
    pub fn copy(&mut self, text: &str) {
        if !self.is_remote {
            let results = &self.results;
            let keeper = self.system.get_or_insert_with(|| keeper(results.clone()));
            if keeper.try_send(text.to_owned()).is_ok() {
                return;
            }
        }
        tell(&self.results, text, through_terminal(text));
    }
}

fn tell(results: &UnboundedSender<Message>, text: &str, copied: io::Result<()>) {
    let copied = copied
        .map(|()| text.lines().count())
        .map_err(|error| error.to_string());
    let _ = results.send(Message::Done(Done::Copied(copied)));
}

fn keeper(results: UnboundedSender<Message>) -> mpsc::SyncSender<String> {
    let (sender, receiver) = mpsc::sync_channel::<String>(WAITING);
    let run = move || {
        let mut clipboard = arboard::Clipboard::new().ok();
        for text in receiver {
            let copied = clipboard
                .as_mut()
                .is_some_and(|clipboard| clipboard.set_text(text.clone()).is_ok());
            let copied = if copied {
                Ok(())
            } else {
                through_terminal(&text)
            };
            tell(&results, &text, copied);
        }
    };
    // Without a thread the receiver is gone and every copy goes through the terminal.
    let _ = thread::Builder::new()
        .name("clipboard".to_owned())
        .spawn(run);
    sender
}

fn through_terminal(text: &str) -> io::Result<()> {
    if text.len() > LARGEST {
        return Err(io::Error::other(format!(
            "{} KB are too much for the terminal's clipboard",
            text.len() / 1024
        )));
    }
    let mut out = io::stdout().lock();
    execute!(out, CopyToClipboard::to_clipboard_from(text))?;
    out.flush()
}
