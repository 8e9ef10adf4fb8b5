//! What is told of a command that is over.

use std::time::Duration;

use crate::{
    domain::{display::Display, job::JobInfo},
    process::spawn::{End, Finished, ShellCommand},
    text::{sanitize::clean_line, truncate},
    tools::output::{ToolOutput, WholeOutput},
};

/// The output and what there is to say about it.
pub(in crate::tools) fn answer(
    spec: &ShellCommand,
    finished: Finished,
    longest: Option<Duration>,
    denied: Vec<String>,
) -> ToolOutput {
    let (exit, mut outcome, ending) = ending(spec, &finished, longest);
    let mut notes: Vec<String> = ending.into_iter().collect();
    let captured = finished.captured;
    let mut text = captured.preview;
    if spec.program.is_attended() {
        notes.push(match finished.typed {
            0 => "the person typed nothing into it".to_owned(),
            1 => "the person typed 1 character into it".to_owned(),
            more => format!("the person typed {more} characters into it"),
        });
    }
    // The person can change what the sandbox closes, so they read of it too.
    let mut output = captured.text;
    for note in &denied {
        if !output.is_empty() && !output.ends_with('\n') {
            output.push('\n');
        }
        output.push_str(&format!("[{note}]\n"));
    }
    notes.extend(denied);
    if let Some(job) = &finished.job {
        notes.push(job_note(job));
        outcome.push_str(" · left a job");
    }
    notes.extend(
        captured
            .file_error
            .map(|why| format!("the whole output could not be kept: {why}")),
    );
    if text.is_empty() {
        text.push_str("(no output)\n");
    }
    let notes: String = notes.iter().map(|note| format!("[{note}]\n")).collect();
    if !notes.is_empty() && !text.ends_with('\n') {
        text.push('\n');
    }
    text.push_str(&notes);
    text.truncate(text.trim_end_matches('\n').len());
    ToolOutput {
        text,
        display: Display::Terminal {
            command: spec.command.clone(),
            output,
            exit,
            omitted_lines: captured.omitted_lines,
        },
        outcome,
        whole: captured.file.map(|file| WholeOutput {
            path: file.path,
            cut: file.cut,
            notes,
            streams: ["stdout", "stderr"]
                .into_iter()
                .zip(captured.streams.into_iter().flatten())
                .collect(),
        }),
        files: Vec::new(),
        stays_inline: false,
        seen: None,
    }
}

/// How it ended: the status, a word for the person, and what the model is told of it.
fn ending(
    spec: &ShellCommand,
    finished: &Finished,
    longest: Option<Duration>,
) -> (Option<i32>, String, Option<String>) {
    match finished.end {
        End::Exited(0) => (Some(0), "ok".to_owned(), None),
        End::Exited(code) => {
            let note = format!("exit code: {code}");
            (Some(code), format!("exit {code}"), Some(note))
        }
        End::Signalled(signal) => {
            let name = signal_name(signal);
            let note = format!("ended by {name}");
            (None, name, Some(note))
        }
        End::TimedOut => {
            let more = longest.map_or_else(String::new, |longest| {
                format!("; timeout_ms may be up to {}", longest.as_millis())
            });
            let idle = if finished.typed > 0 {
                " in which nothing was typed"
            } else {
                ""
            };
            let note = format!(
                "ended with all its processes after {} ms{idle}, the time limit{more}",
                spec.timeout.as_millis()
            );
            let outcome = format!("timed out after {}", seconds(spec.timeout));
            (None, outcome, Some(note))
        }
        End::Cancelled => {
            let note = format!("stopped after {}", seconds(finished.elapsed));
            (None, "stopped".to_owned(), Some(note))
        }
        End::Unsupervised => {
            let note = "ended with all its processes: it killed the supervisor, its parent";
            let outcome = "killed its supervisor".to_owned();
            (None, outcome, Some(note.to_owned()))
        }
    }
}

/// What still runs, with the numbers by which it can be ended.
fn job_note(job: &JobInfo) -> String {
    const SHOWN: usize = 5;
    let mut processes: Vec<String> = job
        .processes
        .iter()
        .take(SHOWN)
        .map(|process| {
            let command = clean_line(&process.command).into_owned();
            format!("{} `{}`", process.pid, truncate::head(&command, 60))
        })
        .collect();
    let more = job.processes.len().saturating_sub(SHOWN);
    if more > 0 {
        processes.push(format!("{more} more"));
    }
    format!("still running in the background: {}", processes.join(", "))
}

fn seconds(duration: Duration) -> String {
    format!("{:.1} s", duration.as_secs_f64())
}

fn signal_name(signal: i32) -> String {
    let name = match signal {
        1 => "SIGHUP",
        2 => "SIGINT",
        3 => "SIGQUIT",
        4 => "SIGILL",
        6 => "SIGABRT",
        8 => "SIGFPE",
        9 => "SIGKILL",
        11 => "SIGSEGV",
        13 => "SIGPIPE",
        15 => "SIGTERM",
        _ => return format!("signal {signal}"),
    };
    name.to_owned()
}
