//! The clipboard: the system's own where we stand in front of it, the terminal's (OSC 52) over ssh and where there is
//! no other. A thread keeps the system's clipboard, since on some systems the text is lost with its owner.

use std::{
    io::{self, Write},
    sync::mpsc,
    thread,
};

use crossterm::{clipboard::CopyToClipboard, execute};

/// The most that is sent through the terminal.
const LARGEST: usize = 1 << 20;
/// How many texts may wait for the thread.
const WAITING: usize = 8;

/// Where copied text goes.
#[derive(Debug)]
pub struct Clipboard {
    system: Option<mpsc::SyncSender<String>>,
    is_remote: bool,
}

impl Clipboard {
    /// Looks at the environment; connects with the first copy.
    pub fn new() -> Self {
        let is_set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
        let is_remote = is_set("SSH_CONNECTION") || is_set("SSH_TTY");
        let has_display =
            cfg!(target_os = "macos") || is_set("DISPLAY") || is_set("WAYLAND_DISPLAY");
        Self {
            system: None,
            is_remote: is_remote || !has_display,
        }
    }

    /// Copies text.
    pub fn copy(&mut self, text: &str) -> io::Result<()> {
        if self.is_remote {
            return through_terminal(text);
        }
        let sender = self.system.get_or_insert_with(keeper);
        sender
            .try_send(text.to_owned())
            .or_else(|_| through_terminal(text))
    }
}

impl Default for Clipboard {
    fn default() -> Self {
        Self::new()
    }
}

fn keeper() -> mpsc::SyncSender<String> {
    let (sender, receiver) = mpsc::sync_channel::<String>(WAITING);
    let run = move || {
        let mut clipboard = arboard::Clipboard::new().ok();
        for text in receiver {
            let copied = clipboard
                .as_mut()
                .is_some_and(|clipboard| clipboard.set_text(text.clone()).is_ok());
            if !copied {
                let _ = through_terminal(&text);
            }
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
