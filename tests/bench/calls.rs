//! What 10,000 calls of a trivial tool cost above the tool's own work: reading, judging, running, storing and telling.
//!
//! `cargo bench --bench calls` prints a table, `-- 100` only the row of so many in a step. An engine without a screen, with a real store, is asked by a script; its
//! steps are counted in. Nothing here fails by a figure.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "a benchmark may fail loudly and prints its table"
)]

#[path = "../it/support/bench.rs"]
#[allow(
    dead_code,
    reason = "the tests' engine, of which this takes a small part"
)]
mod bench;

use std::time::{Duration, Instant};

use quarterdeck::{domain::record::TurnOutcome, providers::scripted::Reply};
use serde_json::json;

use bench::Bench;

/// Calls measured per row.
const CALLS: usize = 10_000;
/// The most that a call should take, in microseconds.
const BUDGET: u128 = 200;

fn main() {
    if std::env::args().any(|argument| argument == "--list") {
        return;
    }
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .unwrap();
    println!("| {CALLS} calls | a call (µs) | budget (µs) |\n|---|---|---|");
    let only = std::env::args().find_map(|argument| argument.parse::<usize>().ok());
    let rows: &[usize] = &[100, 10, 1];
    for together in rows
        .iter()
        .copied()
        .filter(|row| only.is_none_or(|only| only == *row))
    {
        let taken = runtime.block_on(measure(together));
        println!(
            "| {together} in a step | {} | {BUDGET} |",
            taken.as_micros() / CALLS as u128
        );
    }
}

/// How long the calls take, so many in each step, a thousand in a session: what a long conversation costs is another
/// figure.
async fn measure(together: usize) -> Duration {
    let mut taken = Duration::ZERO;
    for _ in 0..CALLS / 1_000 {
        let mut bench = Bench::start().await;
        turn(&mut bench, 1, 1).await;
        taken += turn(&mut bench, 1_000 / together, together).await;
    }
    taken
}

/// How long a turn takes in which this many steps make this many calls each.
async fn turn(bench: &mut Bench, steps: usize, together: usize) -> Duration {
    for step in 0..steps {
        let mut reply = Reply::new();
        for call in 0..together {
            // The same call with the same result again and again would stop the turn.
            reply = match (step * together + call) % 2 {
                0 => reply.call("checklist_read", json!({})),
                _ => reply.call("agent_list", json!({})),
            };
        }
        bench.script.reply(reply.tool_calls());
    }
    bench.script.reply(Reply::says("Done."));
    let start = Instant::now();
    bench.say("go");
    assert_eq!(bench.turn_over().await, TurnOutcome::Finished);
    let taken = start.elapsed();
    bench.seen.clear();
    taken
}
