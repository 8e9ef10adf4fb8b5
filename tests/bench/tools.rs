//! What the file tools cost: finding and searching beside ripgrep in the same tree and run, an edit of a large file, and
//! the memory that a read of a larger one takes.
//!
//! `cargo bench --bench tools` prints tables. `rg` is looked for in PATH; its time holds the start of a program, as that
//! is how it is used instead. The tools run whole: arguments, search and the text of the answer. The project is made in a
//! temporary folder, or is the folder that `QUARTERDECK_BENCH_TREE` names. Nothing here fails by a figure.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "a benchmark may fail loudly and prints its table"
)]

use std::{
    fs::{self, File},
    io::{Seek, SeekFrom, Write},
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

use serde_json::{Value, json};
use tokio::runtime::Runtime;

use self::{host::Workbench, tree::RARE};

#[allow(
    dead_code,
    reason = "the world of the tests' tools, of which this uses a part"
)]
#[path = "../it/support/host.rs"]
mod host;
mod tree;

/// Runs of each side; they take turns, so that both meet the same load.
const RUNS: usize = 15;
/// The most that a tool may take beside ripgrep.
const RATIO: f64 = 1.3;
/// The most that an edit may take, in milliseconds.
const EDIT: u128 = 50;
/// The most memory that a read may take, in mebibytes.
const MEMORY: u64 = 16;
/// Bytes of the file that is edited.
const EDITED_BYTES: usize = 10_000_000;
/// Bytes of the file that is read.
const READ_BYTES: u64 = 3 << 30;

fn main() {
    if std::env::args().any(|argument| argument == "--list") {
        return;
    }
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(1)
        .build()
        .unwrap();
    reading(&runtime);
    editing(&runtime);
    searching(&runtime);
}

/// Reads five lines at both ends of a large file that has a hole between them.
fn reading(runtime: &Runtime) {
    let bench = Workbench::new();
    let lines: String = (1..=5000).map(|line| format!("line {line}\n")).collect();
    let mut file = File::create(bench.path.join("large")).unwrap();
    file.write_all(lines.as_bytes()).unwrap();
    file.seek(SeekFrom::Start(READ_BYTES)).unwrap();
    file.write_all(lines.as_bytes()).unwrap();
    println!("| 5 lines of a file of 3 GB | grows by (MiB) | budget | ms |\n|---|---|---|---|");
    for (name, start) in [("at its beginning", 101), ("behind a hole of 3 GB", 9001)] {
        let before = reset_peak();
        let began = Instant::now();
        let arguments = json!({"path": "large", "start": start, "end": start + 4});
        let output = call(runtime, &bench, "file_read", &arguments);
        let time = began.elapsed().as_millis();
        assert_eq!(output.text.lines().count(), 6, "{}", output.text);
        let grown = memory("VmHWM:").saturating_sub(before) >> 10;
        println!("| {name} | {grown} | {MEMORY} | {time} |");
    }
    println!();
}

/// Forgets the most memory that was held; returns what is held now, in kibibytes.
fn reset_peak() -> u64 {
    let mut file = File::options()
        .write(true)
        .open("/proc/self/clear_refs")
        .expect("a system that measures memory");
    file.write_all(b"5").unwrap();
    memory("VmRSS:")
}

fn memory(name: &str) -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find(|line| line.starts_with(name)).unwrap();
    line.split_whitespace().nth(1).unwrap().parse().unwrap()
}

/// Edits a file of 10 MB again and again, on disk, with all that is checked before and after.
fn editing(runtime: &Runtime) {
    println!(
        "| one edit in a file of 10 MB | p50 (ms) | most (ms) | of it computing, p50 | budget |\n|---|---|---|---|---|"
    );
    for (name, end, indent) in [
        ("an exact match", "\n", "\t"),
        ("with `\\r\\n` line ends", "\r\n", "\t"),
        ("matched without white space", "\n", "    "),
    ] {
        let bench = Workbench::new();
        bench.put("large.rs", large(end));
        call(
            runtime,
            &bench,
            "file_read",
            &json!({"path": "large.rs", "limit": 5}),
        );
        let (mut times, mut computed) = (Vec::new(), Vec::new());
        for run in 0..RUNS {
            let text = |run: usize| format!("{indent}the middle\n{indent}of run {run};");
            let arguments = json!({
                "path": "large.rs",
                "old_string": text(run),
                "new_string": text(run + 1),
            });
            let (began, before) = (Instant::now(), computing());
            let output = call(runtime, &bench, "file_edit", &arguments);
            times.push(began.elapsed().as_millis());
            computed.push(computing().saturating_sub(before).as_millis());
            assert_eq!(output.outcome, "+1 −1", "{}", output.text);
        }
        times.sort_unstable();
        computed.sort_unstable();
        println!(
            "| {name} | {} | {} | {} | {EDIT} |",
            times[RUNS / 2],
            times[RUNS - 1],
            computed[RUNS / 2]
        );
    }
    println!();
}

/// The time that the threads of this program have computed so far: the rest of an edit is waiting, for the disk or, where
/// other programs run as well, for a core.
fn computing() -> Duration {
    let threads = fs::read_dir("/proc/self/task").unwrap();
    let times = threads.map(|thread| {
        let times = fs::read_to_string(thread.unwrap().path().join("schedstat")).unwrap();
        times.split(' ').next().unwrap().parse::<u64>().unwrap()
    });
    Duration::from_nanos(times.sum())
}

/// Lines of code, and in their middle two that are there once.
fn large(end: &str) -> String {
    let mut text = String::with_capacity(EDITED_BYTES + EDITED_BYTES / 4);
    let mut number = 0;
    let mut grow = |text: &mut String, most: usize| {
        while text.len() < most {
            number += 1;
            text.push_str(&format!(
                "\tlet value_{number} = other(\"each line is another\");{end}"
            ));
        }
    };
    grow(&mut text, EDITED_BYTES / 2);
    text.push_str(&format!("\tthe middle{end}\tof run 0;{end}"));
    grow(&mut text, EDITED_BYTES);
    text
}

/// Finds and searches beside ripgrep.
fn searching(runtime: &Runtime) {
    let Some(version) = ripgrep(Path::new("."), &["--version"]) else {
        println!("`rg` is not in PATH: install ripgrep to compare finding and searching with it");
        return;
    };
    let version = version.lines().next().unwrap_or_default().to_owned();
    let grown = tempfile::tempdir().unwrap();
    let folder = match std::env::var_os("QUARTERDECK_BENCH_TREE") {
        Some(given) => PathBuf::from(given),
        None => {
            tree::grow(grown.path());
            grown.path().to_owned()
        }
    };
    let mut bench = Workbench::new();
    bench.context.cwd = fs::canonicalize(folder).unwrap();
    println!(
        "| beside {version} | found | p50 (ms) | rg p50 (ms) | best (ms) | rg best (ms) | ratio | budget |\n\
         |---|---|---|---|---|---|---|---|"
    );
    let find = |pattern: &str| json!({ "pattern": pattern });
    let files = &["--files"][..];
    row(runtime, &bench, "file_find `**/*`", &find("**/*"), files);
    let rust = &["--files", "-g", "*.rs"];
    row(runtime, &bench, "file_find `*.rs`", &find("*.rs"), rust);
    let newest = json!({"pattern": "*.rs", "sort": "modified"});
    let sorted = &["--files", "-g", "*.rs", "--sortr", "modified"];
    row(
        runtime,
        &bench,
        "file_find, the last changed first",
        &newest,
        sorted,
    );
    for (name, arguments, options) in [
        ("a rare word", json!({"pattern": RARE}), &[][..]),
        ("a common word", json!({"pattern": "return"}), &[]),
        (
            "a regular expression",
            json!({"pattern": "[a-z]+_[0-9]{3}x"}),
            &[],
        ),
        (
            "without case",
            json!({"pattern": RARE.to_uppercase(), "ignore_case": true}),
            &["-i"],
        ),
        (
            "text that is nowhere",
            json!({"pattern": "nowhere(at all)", "literal": true}),
            &["-F"],
        ),
        (
            "only files",
            json!({"pattern": "policy", "output_mode": "files"}),
            &["-l"],
        ),
    ] {
        let pattern = arguments["pattern"].as_str().unwrap().to_owned();
        let mut own = vec!["-n", "--max-filesize", "2M", "-e", &pattern];
        own.extend(options);
        row(
            runtime,
            &bench,
            &format!("file_search {name}"),
            &arguments,
            &own,
        );
    }
}

fn row(runtime: &Runtime, bench: &Workbench, name: &str, arguments: &Value, options: &[&str]) {
    let tool = name.split(' ').next().unwrap().trim_end_matches(',');
    let options: Vec<&str> = options
        .iter()
        .copied()
        .chain(["--no-require-git"])
        .collect();
    let (mut ours, mut theirs) = (Vec::new(), Vec::new());
    let mut found = String::new();
    // The first run fills the caches of the disk and is not counted.
    for run in 0..=RUNS {
        let began = Instant::now();
        let outcome = call(runtime, bench, tool, arguments).outcome;
        let our = began.elapsed();
        let began = Instant::now();
        let lines = ripgrep(&bench.context.cwd, &options).unwrap();
        let their = began.elapsed();
        if run == 0 {
            let number: String = outcome.split(' ').next().unwrap().replace(',', "");
            let (own, other) = (number.parse().unwrap_or(0), lines.lines().count());
            found = if own == other {
                own.to_string()
            } else {
                format!("{own}, rg {other}")
            };
        } else {
            ours.push(our);
            theirs.push(their);
        }
    }
    ours.sort_unstable();
    theirs.sort_unstable();
    let ms = |time: Duration| time.as_secs_f64() * 1000.0;
    let (our, their) = (ms(ours[RUNS / 2]), ms(theirs[RUNS / 2]));
    println!(
        "| {name} | {found} | {our:.1} | {their:.1} | {:.1} | {:.1} | {:.2} | {RATIO} |",
        ms(ours[0]),
        ms(theirs[0]),
        our / their,
    );
}

fn call(
    runtime: &Runtime,
    bench: &Workbench,
    tool: &str,
    arguments: &Value,
) -> quarterdeck::tools::output::ToolOutput {
    let output = runtime.block_on(bench.call(tool, arguments.clone()));
    output.unwrap_or_else(|error| panic!("{tool} {arguments}: {error}"))
}

/// What ripgrep says in a folder; nothing where there is none. Whether it finds something is no failure.
#[expect(
    clippy::disallowed_types,
    reason = "ripgrep is what is compared with; it is waited for"
)]
fn ripgrep(folder: &Path, options: &[&str]) -> Option<String> {
    let output = std::process::Command::new("rg")
        .args(options)
        .current_dir(folder)
        .stdin(std::process::Stdio::null())
        .output()
        .ok()?;
    Some(String::from_utf8_lossy(&output.stdout).into_owned())
}
