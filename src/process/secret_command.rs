//! Runs the program that prints a key (`api_key_command`).
//!
//! It has no terminal to ask on, ten seconds, and its output never reaches a log.

#![expect(
    clippy::disallowed_types,
    reason = "this folder is where children are started"
)]

use std::{
    io::Read,
    process::{Command, Stdio},
    thread,
    time::{Duration, Instant},
};

/// How long it may take.
const LIMIT: Duration = Duration::from_secs(10);
/// Most bytes of a key.
const KEY_BYTES: u64 = 64 * 1024;
/// How often its end is looked for.
const LOOK_EVERY: Duration = Duration::from_millis(10);

/// The first line that the program prints. The error names the program and never holds its output.
pub fn run(argv: &[String]) -> Result<String, String> {
    let (program, arguments) = argv
        .split_first()
        .ok_or_else(|| "api_key_command is empty".to_owned())?;
    let mut child = Command::new(program)
        .args(arguments)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .map_err(|error| format!("{program} cannot be started: {error}"))?;
    let stdout = child.stdout.take();
    let reader = thread::spawn(move || {
        let mut key = String::new();
        if let Some(stdout) = stdout {
            // What is not UTF-8 is no key; the caller sees an empty one.
            let _ = stdout.take(KEY_BYTES).read_to_string(&mut key);
        }
        key
    });
    let started = Instant::now();
    let status = loop {
        match child
            .try_wait()
            .map_err(|error| format!("{program}: {error}"))?
        {
            Some(status) => break status,
            None if started.elapsed() > LIMIT => {
                // Both may fail only when it has just ended.
                let _ = child.kill();
                let _ = child.wait();
                return Err(format!(
                    "{program} did not print a key within {} s",
                    LIMIT.as_secs()
                ));
            }
            None => thread::sleep(LOOK_EVERY),
        }
    };
    if !status.success() {
        return Err(format!("{program} failed ({status})"));
    }
    let printed = reader.join().unwrap_or_default();
    let key = printed.lines().next().unwrap_or_default().trim();
    if key.is_empty() {
        return Err(format!("{program} printed no key"));
    }
    Ok(key.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shell(script: &str) -> Vec<String> {
        ["sh", "-c", script].map(str::to_owned).to_vec()
    }

    #[test]
    fn the_first_line_is_the_key() {
        assert_eq!(
            run(&shell("printf ' key \\nmore\\n'")),
            Ok("key".to_owned())
        );
    }

    #[test]
    fn failures_name_the_program_and_never_its_output() {
        assert_eq!(
            run(&shell("echo secret; exit 3")),
            Err("sh failed (exit status: 3)".to_owned())
        );
        assert_eq!(run(&shell("true")), Err("sh printed no key".to_owned()));
        assert!(
            run(&["/no/such/program".to_owned()])
                .is_err_and(|error| error.contains("cannot be started"))
        );
    }
}
