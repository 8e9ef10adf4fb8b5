//! The real binary in a real pseudo-terminal. Tests wait for a described condition on the grid and never sleep; a wait
//! that lasts too long fails with the description and the grid.

use std::{
    io::{Read, Write},
    num::NonZero,
    path::Path,
    sync::mpsc::{self, RecvTimeoutError},
    thread,
    time::{Duration, Instant},
};

use portable_pty::{
    Child, CommandBuilder, ExitStatus, MasterPty, NativePtySystem, PtySize, PtySystem,
};
use tempfile::TempDir;

/// After so long a wait has failed.
const PATIENCE: Duration = Duration::from_secs(20);

/// How the program is started.
pub(crate) struct Setup {
    columns: u16,
    rows: u16,
    variables: Vec<(&'static str, String)>,
    arguments: Vec<String>,
    /// What the terminal says its background is; `None` answers no question at all.
    background: Option<&'static str>,
    /// Whether the program is told that the terminal speaks the kitty keyboard protocol.
    kitty: bool,
}

/// The program and its terminal.
pub(crate) struct Terminal {
    child: Box<dyn Child + Send + Sync>,
    master: Box<dyn MasterPty + Send>,
    input: Box<dyn Write + Send>,
    output: mpsc::Receiver<Vec<u8>>,
    parser: vt100::Parser,
    /// Everything that was written so far.
    pub(crate) bytes: Vec<u8>,
    setup: Answers,
    /// Home, data and working directory.
    pub(crate) home: TempDir,
}

struct Answers {
    background: Option<&'static str>,
    kitty: bool,
    seen: usize,
}

impl Setup {
    /// The workbench with the practice model in a trusted folder of its own.
    pub(crate) fn new(columns: u16, rows: u16) -> Self {
        Self {
            columns,
            rows,
            variables: Vec::new(),
            arguments: ["--profile", "practice", "--trust", "yes"]
                .map(str::to_owned)
                .to_vec(),
            background: Some("rgb:1616/1919/1f1f"),
            kitty: false,
        }
    }

    /// Sets an environment variable.
    pub(crate) fn variable(mut self, name: &'static str, value: impl Into<String>) -> Self {
        self.variables.push((name, value.into()));
        self
    }

    /// Uses this profile in place of the practice model.
    pub(crate) fn profile(mut self, name: &str) -> Self {
        name.clone_into(&mut self.arguments[1]);
        self
    }

    /// Starts it with these arguments as well.
    pub(crate) fn arguments(mut self, arguments: &[&str]) -> Self {
        let more = arguments.iter().map(|argument| (*argument).to_owned());
        self.arguments.extend(more);
        self
    }

    /// The terminal answers no question.
    pub(crate) fn silent(mut self) -> Self {
        self.background = None;
        self
    }

    /// The terminal has this background.
    pub(crate) fn background(mut self, color: &'static str) -> Self {
        self.background = Some(color);
        self
    }

    /// The terminal speaks the kitty keyboard protocol.
    pub(crate) fn kitty(mut self) -> Self {
        self.kitty = true;
        self
    }

    /// Starts the program.
    pub(crate) fn start(self) -> Terminal {
        let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_qd"));
        command.args(&self.arguments);
        self.spawn(command)
    }

    /// Runs a script of the shell in which `QD` stands for the program.
    pub(crate) fn in_shell(self, script: &str) -> Terminal {
        let program = format!("{} {}", env!("CARGO_BIN_EXE_qd"), self.arguments.join(" "));
        let mut command = CommandBuilder::new("/bin/sh");
        command.args(["-c", &script.replace("QD", &program)]);
        self.spawn(command)
    }

    fn spawn(self, mut command: CommandBuilder) -> Terminal {
        let home = tempfile::tempdir().unwrap();
        let project = home.path().join("project");
        std::fs::create_dir_all(&project).unwrap();
        let pair = NativePtySystem::default()
            .openpty(size(self.columns, self.rows))
            .unwrap();
        command.env_clear();
        command.env("PATH", std::env::var("PATH").unwrap_or_default());
        command.env("HOME", home.path());
        command.env("QD_HOME", home.path().join("qd"));
        command.env("TERM", "xterm-256color");
        command.env("COLORTERM", "truecolor");
        command.env("LANG", "C.UTF-8");
        for (name, value) in &self.variables {
            command.env(name, value);
        }
        command.cwd(&project);
        let child = pair.slave.spawn_command(command).unwrap();
        drop(pair.slave);
        let reader = pair.master.try_clone_reader().unwrap();
        let input = pair.master.take_writer().unwrap();
        Terminal {
            child,
            master: pair.master,
            input,
            output: read(reader),
            parser: vt100::Parser::new(some(self.rows), some(self.columns), 0),
            bytes: Vec::new(),
            setup: Answers {
                background: self.background,
                kitty: self.kitty,
                seen: 0,
            },
            home,
        }
    }
}

fn some(cells: u16) -> NonZero<u16> {
    NonZero::new(cells).expect("a terminal has cells")
}

fn size(columns: u16, rows: u16) -> PtySize {
    PtySize {
        rows,
        cols: columns,
        pixel_width: 0,
        pixel_height: 0,
    }
}

fn read(mut reader: Box<dyn Read + Send>) -> mpsc::Receiver<Vec<u8>> {
    let (sender, receiver) = mpsc::channel();
    thread::spawn(move || {
        let mut buffer = [0; 16 * 1024];
        while let Ok(count @ 1..) = reader.read(&mut buffer) {
            if sender.send(buffer[..count].to_vec()).is_err() {
                break;
            }
        }
    });
    receiver
}

impl Terminal {
    /// Types bytes.
    pub(crate) fn send(&mut self, bytes: impl AsRef<[u8]>) {
        self.input.write_all(bytes.as_ref()).unwrap();
        self.input.flush().unwrap();
    }

    /// Pastes as terminals do.
    pub(crate) fn paste(&mut self, text: &str) {
        self.send(format!("\x1b[200~{text}\x1b[201~"));
    }

    /// Gives the window another size.
    pub(crate) fn resize(&mut self, columns: u16, rows: u16) {
        self.parser.screen_mut().set_size(some(rows), some(columns));
        self.master.resize(size(columns, rows)).unwrap();
    }

    /// The text on the screen.
    pub(crate) fn grid(&self) -> String {
        self.parser.screen().contents()
    }

    /// The screen.
    pub(crate) fn screen(&self) -> &vt100::Screen {
        self.parser.screen()
    }

    /// The program's process.
    pub(crate) fn process(&self) -> i32 {
        self.child.process_id().unwrap().cast_signed()
    }

    /// Sends a signal to the program alone.
    pub(crate) fn signal(&self, signal: rustix::process::Signal) {
        let process = rustix::process::Pid::from_raw(self.process()).unwrap();
        rustix::process::kill_process(process, signal).unwrap();
    }

    /// Waits until the grid fulfils a condition.
    pub(crate) fn wait_until(&mut self, description: &str, condition: impl Fn(&Self) -> bool) {
        let deadline = Instant::now() + PATIENCE;
        while !condition(self) {
            let left = deadline.saturating_duration_since(Instant::now());
            match self.output.recv_timeout(left) {
                Ok(bytes) => self.take(&bytes),
                Err(RecvTimeoutError::Timeout) => self.fail(description, "waited too long"),
                Err(RecvTimeoutError::Disconnected) => {
                    if !condition(self) {
                        self.fail(description, "the program has ended");
                    }
                }
            }
        }
    }

    /// Waits for a text on the screen.
    pub(crate) fn wait_for(&mut self, text: &str) {
        self.wait_until(&format!("`{text}` is on the screen"), |terminal| {
            terminal.grid().contains(text)
        });
    }

    /// Waits until the program has ended, and takes what it wrote at last.
    pub(crate) fn wait_for_end(&mut self) -> ExitStatus {
        let deadline = Instant::now() + PATIENCE;
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            match self.output.recv_timeout(left) {
                Ok(bytes) => self.take(&bytes),
                Err(RecvTimeoutError::Disconnected) => break,
                Err(RecvTimeoutError::Timeout) => self.fail("the program ends", "waited too long"),
            }
        }
        self.child.wait().unwrap()
    }

    /// Waits for something that is not seen on the screen.
    pub(crate) fn wait_outside<T>(
        &mut self,
        description: &str,
        mut found: impl FnMut(&mut Self) -> Option<T>,
    ) -> T {
        let deadline = Instant::now() + PATIENCE;
        loop {
            if let Some(found) = found(self) {
                return found;
            }
            if Instant::now() >= deadline {
                self.fail(description, "waited too long");
            }
            if let Ok(bytes) = self.output.recv_timeout(Duration::from_millis(10)) {
                self.take(&bytes);
            }
        }
    }

    /// Waits until the program has ended, although it may have written nothing.
    pub(crate) fn wait_for_exit(&mut self) -> ExitStatus {
        self.wait_outside("the program ends", |terminal| {
            terminal.child.try_wait().unwrap()
        })
    }

    fn fail(&self, description: &str, why: &str) -> ! {
        let log = log_tail(self.home.path());
        panic!(
            "{why}: {description}\n--- grid\n{}\n--- log\n{log}",
            self.grid()
        );
    }

    /// Feeds the screen and answers what the program asks of its terminal.
    fn take(&mut self, bytes: &[u8]) {
        self.bytes.extend_from_slice(bytes);
        self.parser.process(bytes);
        let Some(background) = self.setup.background else {
            return;
        };
        let modes = if self.setup.kitty { "\x1b[?0u" } else { "" };
        let questions = [
            ("\x1b]11;?\x1b\\", format!("\x1b]11;{background}\x1b\\")),
            ("\x1b[?2026$p", "\x1b[?2026;2$y".to_owned()),
            ("\x1b[?u", modes.to_owned()),
            ("\x1b[c", "\x1b[?62;c".to_owned()),
        ];
        let mut answers: Vec<(usize, String)> = Vec::new();
        let mut end = 0;
        for (question, answer) in questions {
            let asked = self.bytes[self.setup.seen..]
                .windows(question.len())
                .enumerate()
                .filter(|(_, window)| *window == question.as_bytes());
            for (at, _) in asked {
                end = end.max(at + question.len());
                answers.push((at, answer.clone()));
            }
        }
        if answers.is_empty() {
            // A question may be cut by the end of a read.
            return;
        }
        answers.sort();
        self.setup.seen += end;
        let answers: String = answers.into_iter().map(|(_, answer)| answer).collect();
        self.send(answers);
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn log_tail(home: &Path) -> String {
    let log = home.join("qd/state/log/qd.log");
    let text = std::fs::read_to_string(log).unwrap_or_default();
    let lines: Vec<&str> = text.lines().collect();
    lines[lines.len().saturating_sub(20)..].join("\n")
}
