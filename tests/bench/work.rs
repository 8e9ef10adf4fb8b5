//! Figures of work: tool calls, outputs and long sessions.

use std::time::Duration;

use serde_json::json;

use super::{
    figures::{World, median},
    load::{LAST, Plan},
    past::{self, LAST_WORDS},
    sandbox,
};

/// Prints them.
pub(crate) fn print(world: &World) {
    tool_turns(world);
    parallel(world);
    output(world);
    flood(world);
    sandbox::print();
    long_session(world, "1,000 messages", 1000, 400, 5);
    long_session(world, "50,000 messages, 100 MB", 50_000, 4000, 3);
}

fn line(name: &str, value: &str) {
    println!("| {name} | – | {value} |");
}

fn seconds(time: Duration) -> String {
    format!("{:.2}", time.as_secs_f64())
}

/// 100 reads and 100 commands, each in a step of its own.
fn tool_turns(world: &World) {
    let mut driven = world.ready_to_work();
    let read = || vec![("file_read", json!({"path": "a.txt"}))];
    let run = || vec![("shell_execute", json!({"command": "echo word"}))];
    // The same call again and again would stop the turn.
    world.load.steps((0..100).flat_map(|number| {
        let read = vec![("file_read", json!({"path": format!("{number}.txt")}))];
        let run = vec![(
            "shell_execute",
            json!({"command": format!("echo {number}")}),
        )];
        [read, run]
    }));
    world.load.plan(Plan { tokens: 3, pace: 0 });
    let cpu = driven.cpu_with_children();
    let at = driven.send(b"go\r");
    let ended = driven.wait_for(LAST).saturating_duration_since(at);
    driven.listen(Duration::from_secs(1));
    let cpu = driven.cpu_with_children().saturating_sub(cpu);
    line(
        "200 tool turns: wall / CPU with all children (s)",
        &format!("{} / {}", seconds(ended), seconds(cpu)),
    );
    line(
        "memory, PSS, after them (MB)",
        &format!("{:.1}", driven.memory()),
    );
    // One at a time, to tell the cost of a command from that of a read.
    let mut times: [Vec<Duration>; 2] = Default::default();
    for _ in 0..15 {
        for (step, times) in [read(), run()].into_iter().zip(&mut times) {
            world.load.steps([step]);
            let answers = world.load.answers();
            let at = driven.send(b"go\r");
            while world.load.answers() < answers + 2 {
                driven.listen(Duration::from_micros(200));
            }
            times.push(at.elapsed());
            driven.listen(Duration::from_millis(30));
        }
    }
    let [read, run] = times.map(median);
    line(
        "one turn with a read / with a command (ms)",
        &format!("{read} / {run}"),
    );
}

fn parallel(world: &World) {
    let mut driven = world.ready_to_work();
    world.load.steps([(0..8)
        .map(|number| {
            let command = if number % 2 == 0 { "sleep 1" } else { "true" };
            (
                "shell_execute",
                json!({"command": format!("{command} # {number}")}),
            )
        })
        .collect()]);
    world.load.plan(Plan { tokens: 3, pace: 0 });
    let at = driven.send(b"go\r");
    let ended = driven.wait_for(LAST).saturating_duration_since(at);
    line(
        "8 parallel calls, four of them `sleep 1` (s)",
        &seconds(ended),
    );
}

fn output(world: &World) {
    let mut driven = world.ready_to_work();
    world.load.plan(Plan { tokens: 3, pace: 0 });
    // Warm, so that growth is what the output costs and not the first command.
    let run = |command: &str| vec![("shell_execute", json!({"command": command}))];
    world.load.steps([run("seq 1 100")]);
    driven.send(b"go\r");
    driven.wait_for(LAST);
    driven.listen(Duration::from_secs(1));
    let (cpu, own, memory) = (driven.cpu_with_children(), driven.cpu(), driven.memory());
    world.load.steps([run(
        "yes 'a line of some forty characters of text' | head -c 5000000",
    )]);
    let answers = world.load.answers();
    let at = driven.send(b"\x15again\r");
    while world.load.answers() < answers + 2 {
        driven.listen(Duration::from_millis(1));
    }
    let ended = at.elapsed();
    driven.listen(Duration::from_secs(1));
    line(
        "5 MB of tool output: wall (s) / CPU own, with children (s) / growth (MB)",
        &format!(
            "{} / {}, {} / {:.1}",
            seconds(ended),
            seconds(driven.cpu().saturating_sub(own)),
            seconds(driven.cpu_with_children().saturating_sub(cpu)),
            driven.memory() - memory
        ),
    );
}

/// Outputs that are larger than what may be held: bounded by their peak, not by what is left of them.
fn flood(world: &World) {
    let row = "head -c 75000000 /dev/zero | tr '\\0' x";
    let shapes = [
        ("in one line", format!("{row}; {row}")),
        ("in two streams at once", format!("{row} & {row} >&2; wait")),
    ];
    for (shape, command) in shapes {
        let mut driven = world.ready_to_work();
        world.load.plan(Plan { tokens: 3, pace: 0 });
        driven.listen(Duration::from_secs(1));
        let (own, before) = (driven.cpu(), driven.forget_peak());
        world
            .load
            .steps([vec![("shell_execute", json!({"command": command}))]]);
        let answers = world.load.answers();
        let at = driven.send(b"go\r");
        while world.load.answers() < answers + 2 {
            driven.listen(Duration::from_millis(1));
        }
        line(
            &format!(
                "150 MB of tool output {shape}: wall (s) / CPU own (s) / growth at the most (MB)"
            ),
            &format!(
                "{} / {} / {:.1}",
                seconds(at.elapsed()),
                seconds(driven.cpu().saturating_sub(own)),
                driven.peak() - before
            ),
        );
    }
}

fn long_session(world: &World, what: &str, messages: usize, bytes: usize, runs: usize) {
    let session = past::make(world.home(), messages, bytes);
    let arguments = ["-r", &session];
    let mut shown = Vec::new();
    let mut typed = Vec::new();
    let mut paged = Vec::new();
    let mut memory = 0.0;
    // A session that grew in the program has what its log says stored beside it; one that is made here gets it now.
    world.start_with(&arguments).wait_for(LAST_WORDS);
    for _ in 0..runs {
        let mut driven = world.start_with(&arguments);
        let started = driven.started;
        shown.push(
            driven
                .wait_for(LAST_WORDS)
                .saturating_duration_since(started),
        );
        drop(driven);

        let mut driven = world.start_with(&arguments);
        let started = driven.started;
        while !driven.shows_typed() {
            driven.send(b"&");
            driven.listen(Duration::from_millis(25));
        }
        typed.push(driven.last_came().saturating_duration_since(started));
        driven.wait_for(LAST_WORDS);
        driven.listen(Duration::from_millis(500));
        memory = driven.memory();
        for _ in 0..20 {
            let before = driven.screen();
            let at = driven.send(b"\x1b[5~");
            let changed = driven.wait_until("another page", |screen| screen.contents() != before);
            paged.push(changed.saturating_duration_since(at));
            driven.listen(Duration::from_millis(20));
        }
    }
    let name = |figure: &str| format!("{what}: {figure}");
    line(
        &name("conversation / a typed key visible (ms)"),
        &format!("{} / {}", median(shown), median(typed)),
    );
    line(&name("PageUp to a changed screen (ms)"), &median(paged));
    line(&name("memory, PSS (MB)"), &format!("{memory:.1}"));
}
