//! Everything that we switch on in the terminal, and the one way in which it is switched off: on drop, on a panic,
//! before a stop and at the end. Switching off twice does nothing.

use std::{
    io::{self, Write},
    sync::atomic::{AtomicBool, Ordering},
};

use crossterm::{
    cursor::{Hide, Show},
    event::{
        DisableBracketedPaste, DisableFocusChange, DisableMouseCapture, EnableBracketedPaste,
        EnableFocusChange, EnableMouseCapture, KeyboardEnhancementFlags,
        PopKeyboardEnhancementFlags, PushKeyboardEnhancementFlags,
    },
    execute, queue,
    style::ResetColor,
    terminal::{
        EndSynchronizedUpdate, EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode,
        enable_raw_mode,
    },
};

static IS_ON: AtomicBool = AtomicBool::new(false);
static KEYBOARD_IS_ON: AtomicBool = AtomicBool::new(false);

/// Keeps the terminal in our modes while it lives.
#[derive(Debug)]
pub struct Guard {
    /// Whether the mouse is to be ours.
    pub mouse: bool,
    /// Whether the terminal offers the kitty keyboard protocol.
    pub keyboard: bool,
}

impl Guard {
    /// Switches our modes on.
    pub fn enter(mouse: bool) -> io::Result<Self> {
        let guard = Self {
            mouse,
            keyboard: false,
        };
        guard.resume()?;
        Ok(guard)
    }

    /// Switches our modes on again. What is still on is switched off before: after a stop that we were not told of, a
    /// shell has changed the terminal under us, and the library would believe that its raw mode still holds.
    pub fn resume(&self) -> io::Result<()> {
        restore();
        enable_raw_mode()?;
        IS_ON.store(true, Ordering::SeqCst);
        let mut out = io::stdout();
        // The title is put on the terminal's own stack, so that it can be given back.
        out.write_all(b"\x1b[22;0t")?;
        queue!(
            out,
            EnterAlternateScreen,
            EnableBracketedPaste,
            EnableFocusChange,
            Hide
        )?;
        if self.mouse {
            queue!(out, EnableMouseCapture)?;
        }
        out.flush()?;
        if self.keyboard {
            push_keyboard()?;
        }
        Ok(())
    }

    /// Uses the kitty keyboard protocol from now on.
    pub fn enable_keyboard(&mut self) -> io::Result<()> {
        if std::mem::replace(&mut self.keyboard, true) {
            return Ok(());
        }
        push_keyboard()
    }

    /// Takes the mouse or gives it back.
    pub fn capture_mouse(&mut self, on: bool) -> io::Result<()> {
        self.mouse = on;
        if on {
            execute!(io::stdout(), EnableMouseCapture)
        } else {
            execute!(io::stdout(), DisableMouseCapture)
        }
    }
}

impl Drop for Guard {
    fn drop(&mut self) {
        restore();
    }
}

fn push_keyboard() -> io::Result<()> {
    KEYBOARD_IS_ON.store(true, Ordering::SeqCst);
    execute!(
        io::stdout(),
        PushKeyboardEnhancementFlags(
            KeyboardEnhancementFlags::DISAMBIGUATE_ESCAPE_CODES
                | KeyboardEnhancementFlags::REPORT_EVENT_TYPES
                | KeyboardEnhancementFlags::REPORT_ALTERNATE_KEYS
        )
    )
}

/// Whether the terminal is ours.
pub fn is_on() -> bool {
    IS_ON.load(Ordering::SeqCst)
}

/// Gives the terminal back as it was. Errors are ignored: there is nobody left to tell.
pub fn restore() {
    if !IS_ON.swap(false, Ordering::SeqCst) {
        return;
    }
    // First of all, since a terminal that takes no output holds the rest up.
    let _ = disable_raw_mode();
    let mut out = io::stdout();
    let _ = out.write_all(&ending());
    let _ = out.flush();
}

/// Gives the terminal back although it takes no output: what waits to be written is thrown away, and what it does not
/// take at once either.
pub fn restore_by_force() {
    use std::{fs::OpenOptions, os::unix::fs::OpenOptionsExt};

    use rustix::termios::{QueueSelector, tcflush};

    if !IS_ON.swap(false, Ordering::SeqCst) {
        return;
    }
    // Our own way to the terminal: whoever waits in a write holds the usual one.
    let opened = OpenOptions::new()
        .write(true)
        .custom_flags(libc::O_NONBLOCK | libc::O_NOCTTY)
        .open("/dev/tty");
    let _ = disable_raw_mode();
    if let Ok(mut terminal) = opened {
        let _ = tcflush(&terminal, QueueSelector::OFlush);
        // What was thrown away may have ended inside a sequence.
        let _ = terminal.write_all(b"\x18");
        let _ = terminal.write_all(&ending());
    }
}

/// What switches everything off.
fn ending() -> Vec<u8> {
    let mut out = Vec::new();
    let _ = queue!(out, EndSynchronizedUpdate);
    if KEYBOARD_IS_ON.swap(false, Ordering::SeqCst) {
        let _ = queue!(out, PopKeyboardEnhancementFlags);
    }
    let _ = queue!(
        out,
        DisableMouseCapture,
        DisableFocusChange,
        DisableBracketedPaste,
        ResetColor,
        LeaveAlternateScreen,
        Show
    );
    out.extend_from_slice(b"\x1b[23;0t");
    out
}
