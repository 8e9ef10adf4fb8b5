//! What judging one call costs at 1,000 rules: reading the call, the floor, the proof that it only looks, rules and mode.
//!
//! `cargo bench --bench judge` prints a table. Following links on the disk is not counted: paths are taken as they are.
//! Nothing here fails by a figure.
#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a benchmark may fail loudly and prints its table"
)]

use std::{
    hint::black_box,
    path::{Path, PathBuf},
    time::Instant,
};

use quarterdeck::{
    domain::{
        access::{Access, Resource},
        permission::{Level, Mode, Network, OwnPlaces, PermissionSettings, Risk, Rule, Verdict},
    },
    permission::{Grants, PreparedCall, evaluate},
};

/// Rules of the configuration.
const RULES: usize = 1_000;
/// Calls measured per row, after a tenth of them to warm up.
const CALLS: usize = 2_000;
/// The most that a call should take, in microseconds.
const BUDGET: u128 = 100;

fn main() {
    if std::env::args().any(|argument| argument == "--list") {
        return;
    }
    let settings = settings();
    let pipeline = pipeline();
    let long = (1..=50).map(|number| format!("cargo test case{number} -q"));
    let long = long.collect::<Vec<_>>().join(" && ");
    println!("| judging at {RULES} rules | p50 (µs) | p99 (µs) | budget (µs) |\n|---|---|---|---|");
    row(
        "an edit of a file",
        "file_edit",
        &Access::write(PathBuf::from("/home/ada/project/src/part7/model.rs")),
        &settings,
    );
    for (name, command) in [
        ("`git status`".to_owned(), "git status"),
        (
            format!("a pipeline of {} characters", pipeline.len()),
            pipeline.as_str(),
        ),
        ("a line of 50 commands".to_owned(), long.as_str()),
    ] {
        let access = Access {
            resources: vec![Resource::Shell {
                command: command.to_owned(),
            }],
            level: Level::Workspace,
            risk: Risk::Execution,
        };
        row(&name, "shell_execute", &access, &settings);
    }
}

fn row(name: &str, tool: &str, access: &Access, settings: &PermissionSettings) {
    let grants = Grants::default();
    let resolve = |path: &Path| (path.to_owned(), false);
    let judge = || {
        let call = PreparedCall::new(tool, &[], access, resolve);
        black_box(evaluate(&call, settings, &grants));
    };
    (0..CALLS / 10).for_each(|_| judge());
    let mut times: Vec<u128> = (0..CALLS)
        .map(|_| {
            let start = Instant::now();
            judge();
            start.elapsed().as_micros()
        })
        .collect();
    times.sort_unstable();
    let (p50, p99) = (times[CALLS / 2], times[CALLS * 99 / 100]);
    println!("| {name} | {p50} | {p99} | {BUDGET} |");
}

/// Rules as a person collects them: commands, folders and kinds of file, with every verdict.
fn settings() -> PermissionSettings {
    let rules = (0..RULES).map(|number| {
        let (action, resource) = match number % 5 {
            0 => ("shell_execute", format!("tool{number} run *")),
            1 => ("shell_execute", format!("cargo task{number}*")),
            2 => ("file_*", format!("src/part{number}/*.rs")),
            3 => ("file_edit", format!("/home/ada/project/docs/{number}/*")),
            _ => ("*", format!("*secret{number}*")),
        };
        Rule {
            action: action.to_owned(),
            resource,
            verdict: [Verdict::Allow, Verdict::Ask, Verdict::Deny][number % 3],
        }
    });
    PermissionSettings {
        level: Level::Workspace,
        mode: Mode::Adaptive,
        approvals: true,
        network: Network::All,
        confine_reads: false,
        rules: rules.collect(),
        roots: vec![PathBuf::from("/home/ada/project")],
        own: OwnPlaces::default(),
    }
}

/// A pipeline of about 300 characters.
fn pipeline() -> String {
    let mut line = "git log --oneline -n 500 -- src tests".to_owned();
    for word in [
        "retry", "timeout", "socket", "stream", "cancel", "budget", "window",
    ] {
        line.push_str(&format!(" | grep -v -e '{word}' --color=never"));
    }
    line + " | sort | uniq -c | head -n 20"
}
