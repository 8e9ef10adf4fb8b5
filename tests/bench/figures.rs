//! The figures, each for the floor and for the program.

use std::{
    fs,
    path::Path,
    time::{Duration, Instant},
};

use portable_pty::CommandBuilder;
use tempfile::TempDir;

use super::{
    driver::Driven,
    floor,
    load::{LAST, Load, Plan},
    work,
};

/// Starts measured per figure.
const STARTS: usize = 9;
/// Keys measured per figure.
const KEYS: usize = 200;

/// A home, a project and a server.
pub(crate) struct World {
    home: TempDir,
    pub(crate) load: Load,
}

#[derive(Clone, Copy, PartialEq)]
enum Program {
    Floor,
    Workbench,
}

/// Measures everything and prints the table.
pub(crate) fn print() {
    let world = World::new();
    println!("| figure | floor | qd |\n|---|---|---|");
    row("warm start to first paint (ms)", |program| {
        median((0..STARTS).map(|_| world.first_paint(program)).collect())
    });
    row("warm start to a typed key on screen (ms)", |program| {
        median((0..STARTS).map(|_| world.first_key(program)).collect())
    });
    row("key to echo, idle, p50 / p99 (ms)", |program| {
        let mut driven = world.ready(program);
        quantiles(echoes(&mut driven, KEYS))
    });
    streaming(&world);
    fast_stream(&world);
    resize(&world);
    work::print(&world);
}

/// Measures only tool calls, outputs and long sessions.
pub(crate) fn print_work() {
    work::print(&World::new());
}

fn row(name: &str, measure: impl Fn(Program) -> String) {
    println!(
        "| {name} | {} | {} |",
        measure(Program::Floor),
        measure(Program::Workbench)
    );
}

/// A stream of 500 tokens a second for eight seconds, with keys typed into it.
fn streaming(world: &World) {
    let mut keys = Vec::new();
    let mut busy = Vec::new();
    for program in [Program::Floor, Program::Workbench] {
        let mut driven = world.ready(program);
        world.load.plan(Plan {
            tokens: 4000,
            pace: 500,
        });
        driven.send(b"go\r");
        driven.wait_for("word20");
        let (cpu, started) = (driven.cpu(), Instant::now());
        keys.push(quantiles(echoes(&mut driven, 120)));
        driven.listen(Duration::from_secs(3));
        let share =
            driven.cpu().saturating_sub(cpu).as_secs_f64() / started.elapsed().as_secs_f64();
        busy.push(format!("{:.1} %", share * 100.0));
    }
    println!(
        "| key to echo while 500 tokens/s stream, p50 / p99 (ms) | {} | {} |",
        keys[0], keys[1]
    );
    println!(
        "| CPU while 500 tokens/s stream, keys included | {} | {} |",
        busy[0], busy[1]
    );
}

/// 20,000 tokens as fast as the socket takes them.
fn fast_stream(world: &World) {
    let mut rows: [Vec<String>; 5] = Default::default();
    for program in [Program::Floor, Program::Workbench] {
        let mut driven = world.ready(program);
        driven.listen(Duration::from_secs(1));
        rows[3].push(format!("{:.1}", driven.memory()));
        let (cpu, written) = (driven.cpu(), driven.written);
        let answers = world.load.answers();
        world.load.plan(Plan {
            tokens: 20_000,
            pace: 0,
        });
        driven.send(b"go\r");
        let shown = driven.wait_for(LAST);
        while world.load.answers() == answers {
            driven.listen(Duration::from_millis(1));
        }
        let ended = world.load.ended().unwrap_or(shown);
        rows[0].push(format!(
            "{:.0}",
            shown.saturating_duration_since(ended).as_secs_f64() * 1000.0
        ));
        driven.listen(Duration::from_secs(1));
        rows[1].push(format!(
            "{:.2}",
            driven.cpu().saturating_sub(cpu).as_secs_f64()
        ));
        rows[2].push(format!("{}", (driven.written - written) / 1000));
        rows[3]
            .last_mut()
            .unwrap()
            .push_str(&format!(" / {:.1}", driven.memory()));
        let cpu = driven.cpu();
        let bytes = driven.listen(Duration::from_secs(20));
        rows[4].push(format!(
            "{} ms, {bytes} B",
            driven.cpu().saturating_sub(cpu).as_millis()
        ));
    }
    for (name, row) in [
        "20,000 tokens: shown after the server's last byte (ms)",
        "CPU for them (s)",
        "bytes written for them (kB)",
        "memory, PSS: start / after them (MB)",
        "idle for 20 s after the reply: CPU, bytes",
    ]
    .iter()
    .zip(rows)
    {
        println!("| {name} | {} | {} |", row[0], row[1]);
    }
}

fn resize(world: &World) {
    let mut driven = world.ready(Program::Workbench);
    world.load.plan(Plan {
        tokens: 4000,
        pace: 0,
    });
    driven.send(b"go\r");
    driven.wait_for(LAST);
    driven.listen(Duration::from_millis(500));
    let times = (0..11)
        .map(|number| {
            let columns = if number % 2 == 0 { 100 } else { 120 };
            let at = driven.resize(columns, 40);
            let settled = driven.wait_until("the new width", move |screen| {
                // The frame's right border stands in the last column.
                screen
                    .cell(5, columns - 1)
                    .is_some_and(|cell| cell.contents().starts_with(['│', '┃', '┐', '┤']))
            });
            driven.listen(Duration::from_millis(50));
            settled.saturating_duration_since(at)
        })
        .collect();
    println!("| resize to settled screen (ms) | – | {} |", median(times));
}

impl World {
    fn new() -> Self {
        let home = tempfile::tempdir().unwrap();
        let load = Load::start();
        write(&home.path().join("project/a.txt"), "words\n");
        for number in 0..100 {
            write(
                &home.path().join(format!("project/{number}.txt")),
                "words\n",
            );
        }
        write(
            &home.path().join("qd/config/config.toml"),
            &format!(
                "default_profile = \"bench\"\n[accounts.loop]\nbackend = \"openai-chat-completions\"\n\
                 base_url = \"http://{}/v1\"\n[profiles.bench]\naccount = \"loop\"\nmodel = \"load\"\n\
                 context_window = 2000000\n\
                 [permissions]\nlevel = \"unrestricted\"\nmode = \"open\"\n",
                load.address()
            ),
        );
        let world = Self { home, load };
        // The first start makes the database; the figures are of warm starts.
        drop(world.ready(Program::Workbench));
        world
    }

    fn start(&self, program: Program) -> Driven {
        let command = match program {
            Program::Floor => {
                let mut command = CommandBuilder::new(std::env::current_exe().unwrap());
                command.arg(floor::ARGUMENT);
                command
            }
            Program::Workbench => return self.start_with(&[]),
        };
        Driven::start(command, self.home.path(), self.load.address())
    }

    /// Starts the workbench with more arguments.
    pub(crate) fn start_with(&self, arguments: &[&str]) -> Driven {
        let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_qd"));
        command.args(["--trust", "yes"]);
        command.args(arguments);
        Driven::start(command, self.home.path(), self.load.address())
    }

    /// The folder of everything.
    pub(crate) fn home(&self) -> &Path {
        self.home.path()
    }

    /// A workbench that waits for words.
    pub(crate) fn ready_to_work(&self) -> Driven {
        self.ready(Program::Workbench)
    }

    fn ready(&self, program: Program) -> Driven {
        let mut driven = self.start(program);
        driven.wait_for("Message");
        driven.listen(Duration::from_millis(300));
        driven
    }

    fn first_paint(&self, program: Program) -> Duration {
        let mut driven = self.start(program);
        let started = driven.started;
        driven
            .wait_for("Message")
            .saturating_duration_since(started)
    }

    /// Keys are typed every 25 ms from the start on.
    fn first_key(&self, program: Program) -> Duration {
        let mut driven = self.start(program);
        let started = driven.started;
        for _ in 0..400 {
            driven.send(b"&");
            driven.listen(Duration::from_millis(25));
            if driven.shows_typed() {
                break;
            }
        }
        driven.last_came().saturating_duration_since(started)
    }
}

/// Types a letter and waits until it is on the screen, again and again.
fn echoes(driven: &mut Driven, count: usize) -> Vec<Duration> {
    let letters: Vec<char> = "abcdefghijklmnopqrstuvwxyz".chars().collect();
    let mut typed = String::new();
    let mut times = Vec::new();
    for number in 0..count {
        if typed.len() >= 30 {
            driven.send("\x7f".repeat(typed.len()).as_bytes());
            driven.listen(Duration::from_millis(30));
            typed.clear();
        }
        typed.push(letters[(number * 7) % letters.len()]);
        let tail: String = typed.clone();
        let at = driven.send(&tail.as_bytes()[tail.len() - 1..]);
        let seen = driven.wait_for(&tail);
        times.push(seen.saturating_duration_since(at));
        driven.listen(Duration::from_millis(15));
    }
    times
}

fn write(path: &Path, text: &str) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    #[expect(clippy::disallowed_methods, reason = "a benchmark makes its world")]
    fs::write(path, text).unwrap();
}

fn sorted(mut times: Vec<Duration>) -> Vec<f64> {
    times.sort();
    times
        .iter()
        .map(|time| time.as_secs_f64() * 1000.0)
        .collect()
}

pub(crate) fn median(times: Vec<Duration>) -> String {
    let times = sorted(times);
    format!("{:.1}", times[times.len() / 2])
}

fn quantiles(times: Vec<Duration>) -> String {
    let times = sorted(times);
    format!(
        "{:.2} / {:.2}",
        times[times.len() / 2],
        times[times.len() * 99 / 100]
    )
}
