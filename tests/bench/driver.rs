//! A program in a pseudo-terminal of 120 × 40, driven and watched from outside.

use std::{
    fs,
    io::{Read, Write},
    num::NonZero,
    ops::Range,
    path::Path,
    sync::mpsc::{self, Receiver, RecvTimeoutError},
    thread,
    time::{Duration, Instant},
};

use portable_pty::{Child, CommandBuilder, MasterPty, NativePtySystem, PtySize, PtySystem};

/// No wait lasts longer.
const PATIENCE: Duration = Duration::from_mins(1);

/// A running program.
pub(crate) struct Driven {
    child: Box<dyn Child + Send + Sync>,
    master: Box<dyn MasterPty + Send>,
    input: Box<dyn Write + Send>,
    output: Receiver<(Instant, Vec<u8>)>,
    parser: vt100::Parser,
    /// Bytes written to the terminal so far.
    pub(crate) written: usize,
    /// When it was started.
    pub(crate) started: Instant,
    came: Instant,
}

impl Driven {
    /// Starts a program.
    pub(crate) fn start(mut command: CommandBuilder, home: &Path, server: &str) -> Self {
        let pair = NativePtySystem::default().openpty(size(120, 40)).unwrap();
        command.env_clear();
        command.env("PATH", std::env::var("PATH").unwrap_or_default());
        command.env("HOME", home);
        command.env("QD_HOME", home.join("qd"));
        command.env("TERM", "xterm-256color");
        command.env("COLORTERM", "truecolor");
        command.env("COLORFGBG", "15;0");
        command.env("QD_BENCH_SERVER", server);
        command.cwd(home.join("project"));
        let reader = pair.master.try_clone_reader().unwrap();
        let input = pair.master.take_writer().unwrap();
        let started = Instant::now();
        let child = pair.slave.spawn_command(command).unwrap();
        drop(pair.slave);
        Self {
            child,
            master: pair.master,
            input,
            output: read(reader),
            parser: vt100::Parser::new(some(40), some(120), 0),
            written: 0,
            started,
            came: started,
        }
    }

    /// Types.
    pub(crate) fn send(&mut self, bytes: &[u8]) -> Instant {
        let at = Instant::now();
        self.input.write_all(bytes).unwrap();
        self.input.flush().unwrap();
        at
    }

    /// Waits for a text on the screen; returns when the bytes that brought it came.
    pub(crate) fn wait_for(&mut self, text: &str) -> Instant {
        self.wait_until(text, |screen| screen.contents().contains(text))
    }

    /// Waits for a condition on the screen.
    pub(crate) fn wait_until(
        &mut self,
        what: &str,
        fits: impl Fn(&vt100::Screen) -> bool,
    ) -> Instant {
        let deadline = Instant::now() + PATIENCE;
        let mut at = Instant::now();
        while !fits(self.parser.screen()) {
            let left = deadline.saturating_duration_since(Instant::now());
            match self.output.recv_timeout(left) {
                Ok((came, bytes)) => {
                    at = came;
                    self.take(&bytes);
                }
                Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => panic!(
                    "waited in vain for {what}:\n{}",
                    self.parser.screen().contents()
                ),
            }
        }
        at
    }

    /// Takes what comes for a while; returns how many bytes came.
    pub(crate) fn listen(&mut self, time: Duration) -> usize {
        let before = self.written;
        let until = Instant::now() + time;
        loop {
            let left = until.saturating_duration_since(Instant::now());
            match self.output.recv_timeout(left) {
                Ok((came, bytes)) => {
                    self.came = came;
                    self.take(&bytes);
                }
                Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => break,
            }
        }
        self.written - before
    }

    /// Whether `&` is on the program's own screen. Before that is drawn, the terminal itself echoes.
    pub(crate) fn shows_typed(&self) -> bool {
        let screen = self.parser.screen();
        screen.alternate_screen() && screen.contents().contains('&')
    }

    /// When the latest bytes came.
    pub(crate) fn last_came(&self) -> Instant {
        self.came
    }

    fn take(&mut self, bytes: &[u8]) {
        self.written += bytes.len();
        // The questions that a terminal answers at the start.
        if bytes.windows(3).any(|part| part == b"\x1b[c") {
            self.send(b"\x1b[?62c");
        }
        self.parser.process(bytes);
    }

    /// Gives the window another size.
    pub(crate) fn resize(&mut self, columns: u16, rows: u16) -> Instant {
        self.parser.screen_mut().set_size(some(rows), some(columns));
        let at = Instant::now();
        self.master.resize(size(columns, rows)).unwrap();
        at
    }

    /// The screen's text.
    pub(crate) fn screen(&self) -> String {
        self.parser.screen().contents()
    }

    /// CPU time of the process so far.
    pub(crate) fn cpu(&self) -> Duration {
        // Fields 14 and 15 of the whole line, in hundredths of a second.
        self.ticks(10..12)
    }

    /// The same with all children that have ended.
    pub(crate) fn cpu_with_children(&self) -> Duration {
        self.ticks(10..14)
    }

    fn ticks(&self, fields: Range<usize>) -> Duration {
        let stat = fs::read_to_string(format!("/proc/{}/stat", self.pid())).unwrap_or_default();
        let after = stat.rsplit(')').next().unwrap_or_default();
        let ticks: u64 = after
            .split_whitespace()
            .skip(1 + fields.start)
            .take(fields.len())
            .filter_map(|field| field.parse::<u64>().ok())
            .sum();
        Duration::from_millis(ticks * 10)
    }

    /// Proportional set size in megabytes.
    pub(crate) fn memory(&self) -> f64 {
        let rollup =
            fs::read_to_string(format!("/proc/{}/smaps_rollup", self.pid())).unwrap_or_default();
        let kilobytes: f64 = rollup
            .lines()
            .find_map(|line| line.strip_prefix("Pss:"))
            .and_then(|value| value.split_whitespace().next())
            .and_then(|value| value.parse().ok())
            .unwrap_or(0.0);
        kilobytes / 1024.0
    }

    /// Forgets the largest resident set so far; answers the present one in megabytes.
    #[expect(
        clippy::disallowed_methods,
        reason = "a switch of the kernel's, no file of a project"
    )]
    pub(crate) fn forget_peak(&self) -> f64 {
        fs::write(format!("/proc/{}/clear_refs", self.pid()), "5").unwrap();
        self.status("VmRSS:")
    }

    /// The largest resident set since then, in megabytes.
    pub(crate) fn peak(&self) -> f64 {
        self.status("VmHWM:")
    }

    fn status(&self, key: &str) -> f64 {
        let status = fs::read_to_string(format!("/proc/{}/status", self.pid())).unwrap_or_default();
        let kilobytes: f64 = status
            .lines()
            .find_map(|line| line.strip_prefix(key))
            .and_then(|value| value.split_whitespace().next())
            .and_then(|value| value.parse().ok())
            .unwrap_or(0.0);
        kilobytes / 1024.0
    }

    fn pid(&self) -> u32 {
        self.child.process_id().unwrap()
    }
}

impl Drop for Driven {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn some(cells: u16) -> NonZero<u16> {
    NonZero::new(cells).unwrap()
}

fn size(cols: u16, rows: u16) -> PtySize {
    PtySize {
        rows,
        cols,
        pixel_width: 0,
        pixel_height: 0,
    }
}

fn read(mut reader: Box<dyn Read + Send>) -> Receiver<(Instant, Vec<u8>)> {
    let (sender, receiver) = mpsc::channel();
    thread::spawn(move || {
        let mut buffer = vec![0; 64 * 1024];
        while let Ok(count @ 1..) = reader.read(&mut buffer) {
            if sender
                .send((Instant::now(), buffer[..count].to_vec()))
                .is_err()
            {
                break;
            }
        }
    });
    receiver
}
