//! Runs one hook and reads its answer.
//!
//! A hook runs in the sandbox of commands unless the person says otherwise: what it starts (a test, a formatter) may be
//! what an agent wrote. A program that lies where agents write never gets the rights of the person.

use std::{
    path::{Path, PathBuf},
    time::Duration,
};

use serde_json::Value;
use tokio_util::sync::CancellationToken;

use super::answer::{self, Answer, MOST_OUTPUT};
use crate::{
    domain::hook::{Hook, HookCommand},
    process::{
        exchange::exchange,
        program::{self, Program},
        sandbox::policy::Policy,
        spawn::{Owner, ShellCommand},
    },
};

/// Where a hook runs, and within what.
#[derive(Clone, Debug)]
pub struct Place {
    /// The folder.
    pub cwd: PathBuf,
    /// Where files of children lie.
    pub spool: PathBuf,
    /// Names of variables that hold our own keys.
    pub own_keys: Vec<String>,
    /// For whom it runs.
    pub owner: Owner,
    /// The sandbox of commands, or why there is none.
    pub sandbox: Result<Policy, String>,
    /// Whether agents may do whatever the person may.
    pub is_unrestricted: bool,
    /// Directories in which agents write.
    pub writable: Vec<PathBuf>,
}

/// Tells a hook and hears its answer. The error says in words why there is none.
pub async fn run(
    hook: &Hook,
    told: &Value,
    place: &Place,
    cancel: &CancellationToken,
) -> Result<Answer, String> {
    let sandbox = if place.is_unrestricted {
        None
    } else if hook.sandbox {
        Some(place.sandbox.clone()?)
    } else {
        let (hook, place) = (hook.clone(), place.clone());
        let stray = tokio::task::spawn_blocking(move || stray(&hook, &place))
            .await
            .map_err(|error| error.to_string())?;
        if let Some(path) = stray {
            return Err(format!(
                "{} lies where agents write, so it may be anything: move it or set sandbox = true",
                path.display()
            ));
        }
        None
    };
    let program = match &hook.command {
        HookCommand::Line(line) => Program::Line(line.clone()),
        HookCommand::Words(words) => Program::Words(words.clone()),
    };
    let spec = ShellCommand {
        command: hook.name.clone(),
        program: program.reading(told.to_string()),
        cwd: place.cwd.clone(),
        timeout: Duration::from_millis(hook.timeout_ms),
        spool: place.spool.clone(),
        own_keys: place.own_keys.clone(),
        owner: place.owner.clone(),
        sandbox,
    };
    let printed = exchange(&spec, MOST_OUTPUT, cancel)
        .await
        .map_err(|error| error.to_string())?;
    answer::read(&printed, hook.timeout_ms)
}

/// The first word of a hook that names a program where agents write. Looks at the disk.
fn stray(hook: &Hook, place: &Place) -> Option<PathBuf> {
    let words: Vec<&str> = match &hook.command {
        HookCommand::Words(words) => words.iter().map(String::as_str).collect(),
        HookCommand::Line(line) => line
            .split(|letter: char| letter.is_whitespace() || ";|&()<>\"'`".contains(letter))
            .filter(|word| !word.is_empty())
            .collect(),
    };
    words.into_iter().find_map(|word| {
        let named = place.cwd.join(word);
        let real = named.canonicalize().ok().filter(|path| is_program(path))?;
        let is_inside = |path: &Path| {
            let mut writable = place.writable.iter();
            writable.any(|directory| path.starts_with(directory))
        };
        (is_inside(&named) || is_inside(&real)).then_some(real)
    })
}

/// Whether a file is made to be run.
fn is_program(path: &Path) -> bool {
    const SCRIPTS: &[&str] = &["sh", "bash", "py", "js", "mjs", "ts", "rb", "pl"];
    let ending = path.extension().and_then(|ending| ending.to_str());
    let is_script = ending.is_some_and(|ending| SCRIPTS.contains(&ending));
    path.is_file() && (is_script || program::can_run(path))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::{
        hook::HookEvent,
        ids::{AgentId, SessionId},
    };

    #[test]
    fn a_program_that_lies_where_agents_write_is_found_in_a_line_and_in_words() {
        let world = tempfile::tempdir().unwrap();
        let top = world.path().canonicalize().unwrap();
        for folder in ["work", "own"] {
            std::fs::create_dir(top.join(folder)).unwrap();
            std::fs::File::create(top.join(folder).join("check.sh")).unwrap();
        }
        std::os::unix::fs::symlink(top.join("work/check.sh"), top.join("own/linked")).unwrap();
        let place = Place {
            cwd: top.join("work"),
            spool: top.clone(),
            own_keys: Vec::new(),
            owner: Owner {
                session: SessionId::new("s"),
                agent: AgentId::main(),
            },
            sandbox: Err(String::new()),
            is_unrestricted: false,
            writable: vec![top.join("work")],
        };
        let found = |command: HookCommand| {
            let hook = Hook {
                name: "check".to_owned(),
                event: HookEvent::PreToolCall,
                command,
                matcher: "*".to_owned(),
                timeout_ms: 1_000,
                required: false,
                sandbox: false,
            };
            stray(&hook, &place).is_some()
        };
        let line = |line: &str| found(HookCommand::Line(line.to_owned()));
        let words = |words: &[&str]| {
            found(HookCommand::Words(
                words.iter().map(|word| (*word).to_owned()).collect(),
            ))
        };
        let own = top.join("own");

        assert!(line("true && ./check.sh"));
        assert!(line("sh \"check.sh\""));
        assert!(words(&["sh", "check.sh"]));
        assert!(words(&[&own.join("linked").to_string_lossy()]));
        assert!(!words(&[&own.join("check.sh").to_string_lossy()]));
        assert!(!line("echo check"));
    }
}
