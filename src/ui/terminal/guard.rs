//! Everything that we switch on in the terminal, and the one way in which it is switched off: on drop, on a panic,
//! before a stop and at the end. Switching off twice does nothing, and no terminal that takes no output holds it up.

use std::{
    fs::{File, OpenOptions},
    io::{self, Write},
    os::unix::fs::OpenOptionsExt,
    sync::atomic::{AtomicBool, Ordering},
    time::{Duration, Instant},
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

use rustix::{
    event::{PollFd, PollFlags, Timespec, poll},
    io::Errno,
    termios::{Action, QueueSelector, tcflow, tcflush},
};

/// How long the terminal may take to take what switches everything off.
const PATIENCE: Duration = Duration::from_millis(500);
/// How long it may take once more, when what waited before was thrown away.
const LAST: Duration = Duration::from_millis(300);

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
    restore_within(PATIENCE);
}

/// Gives the terminal back at once, whoever waits in a write.
pub fn restore_by_force() {
    restore_within(Duration::ZERO);
}

fn restore_within(patience: Duration) {
    if !IS_ON.swap(false, Ordering::SeqCst) {
        return;
    }
    // First of all, and it waits for no output.
    let _ = disable_raw_mode();
    let ending = ending();
    // Our own way to the terminal, which never waits: somebody in a write holds the usual one.
    let opened = OpenOptions::new()
        .write(true)
        .custom_flags(libc::O_NONBLOCK | libc::O_NOCTTY)
        .open("/dev/tty");
    let Ok(mut terminal) = opened else {
        let mut out = io::stdout();
        let _ = out.write_all(&ending).and_then(|()| out.flush());
        return;
    };
    if !takes(&mut terminal, &ending, patience) {
        // Nobody reads, or output is stopped. What waits is thrown away and output goes on, so that whoever waits in a
        // write comes to an end before us; what was thrown away may have ended inside a sequence.
        let _ = tcflush(&terminal, QueueSelector::OFlush);
        let _ = tcflow(&terminal, Action::OOn);
        let _ = takes(&mut terminal, &[b"\x18", ending.as_slice()].concat(), LAST);
    }
}

/// Writes within this time; false when the terminal does not take it all.
fn takes(terminal: &mut File, mut bytes: &[u8], patience: Duration) -> bool {
    let deadline = Instant::now() + patience;
    while !bytes.is_empty() {
        let left = deadline.saturating_duration_since(Instant::now());
        let Ok(left) = Timespec::try_from(left) else {
            return false;
        };
        let mut waited = [PollFd::new(&*terminal, PollFlags::OUT)];
        match poll(&mut waited, Some(&left)) {
            Ok(0) => return false,
            Ok(_) => {}
            Err(Errno::INTR) => continue,
            Err(_) => return false,
        }
        match terminal.write(bytes) {
            Ok(0) => return false,
            Ok(count) => bytes = bytes.get(count..).unwrap_or_default(),
            // Somebody else was faster.
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(_) => return false,
        }
    }
    true
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
