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

    /// Switches our modes on again after [`restore`].
    pub fn resume(&self) -> io::Result<()> {
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
        self.keyboard = true;
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

/// Gives the terminal back as it was. Errors are ignored: there is nobody left to tell.
pub fn restore() {
    if !IS_ON.swap(false, Ordering::SeqCst) {
        return;
    }
    let mut out = io::stdout();
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
    let _ = out.write_all(b"\x1b[23;0t");
    let _ = out.flush();
    let _ = disable_raw_mode();
}
