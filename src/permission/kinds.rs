//! Kinds of calls: what an answer for the session stands for where mode is adaptive and something holds the call
//! anyway, the sandbox a command and the workspace a change of a file.
//!
//! Only programs that work on the files of a project are here, and of those only what cannot throw work away: what
//! runs code from its own arguments (`python3 -c`), talks to other machines or deletes is answered for line by line.

use std::path::PathBuf;

use super::{
    bounds,
    call::{PreparedCall, Target},
    consult::is_neutral,
    rule::{Pattern, escape},
    shell::{Redirect, Role, Simple, only_looks},
};
use crate::domain::permission::{Level, Mode, PermissionSettings, Risk, Rule, Verdict};

/// The most kinds that one answer stands for.
const MOST: usize = 4;

/// What of a program makes a kind.
enum Shape {
    /// Whatever it is given.
    Program,
    /// Its first argument, when it is one of these.
    Command(&'static [&'static str]),
    /// A task named behind `run`, or one of these.
    Task(&'static [&'static str]),
    /// The file that it runs, or a module named behind `-m` that is one of these.
    Script(&'static [&'static str]),
}

const MODULES: &[&str] = &[
    "black",
    "compileall",
    "flake8",
    "isort",
    "mypy",
    "pytest",
    "ruff",
    "unittest",
];
const TASKS: &[&str] = &["build", "lint", "start", "test"];

/// The programs, by name.
const PROGRAMS: &[(&str, Shape)] = &[
    ("bash", Shape::Script(&[])),
    ("black", Shape::Program),
    ("bun", Shape::Task(&["test"])),
    (
        "cargo",
        Shape::Command(&[
            "bench", "build", "check", "clippy", "doc", "fmt", "metadata", "nextest", "run",
            "test", "tree",
        ]),
    ),
    ("clang-format", Shape::Program),
    ("cmake", Shape::Program),
    ("ctest", Shape::Program),
    ("eslint", Shape::Program),
    ("flake8", Shape::Program),
    ("git", Shape::Command(&["add", "commit"])),
    (
        "go",
        Shape::Command(&["build", "fmt", "list", "run", "test", "vet"]),
    ),
    ("gofmt", Shape::Program),
    ("isort", Shape::Program),
    ("make", Shape::Program),
    ("meson", Shape::Program),
    ("mkdir", Shape::Program),
    ("mypy", Shape::Program),
    ("ninja", Shape::Program),
    ("node", Shape::Script(&[])),
    ("npm", Shape::Task(&["test"])),
    ("perl", Shape::Script(&[])),
    ("pnpm", Shape::Task(TASKS)),
    ("prettier", Shape::Program),
    ("pytest", Shape::Program),
    ("python", Shape::Script(MODULES)),
    ("python3", Shape::Script(MODULES)),
    ("ruby", Shape::Script(&[])),
    ("ruff", Shape::Program),
    ("rustfmt", Shape::Program),
    ("sh", Shape::Script(&[])),
    ("touch", Shape::Program),
    ("tsc", Shape::Program),
    ("yarn", Shape::Task(TASKS)),
];

/// What is known of the kinds that a call is of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Kinds {
    /// It is of none that an answer could stand for.
    None,
    /// One of them at least was not allowed yet: these.
    New(String),
    /// All of them were allowed, by these patterns.
    Known(String),
}

/// The rules that an answer for the session adds instead of one for exactly this call; none where nothing holds it.
pub fn rules(call: &PreparedCall, settings: &PermissionSettings) -> Vec<Rule> {
    let patterns = patterns(call, settings).unwrap_or_default();
    patterns
        .into_iter()
        .map(|resource| Rule {
            action: call.tool.clone(),
            resource,
            verdict: Verdict::Allow,
        })
        .collect()
}

/// What the kinds that were allowed say about a call.
pub(super) fn known<'a>(
    call: &PreparedCall,
    settings: &PermissionSettings,
    allowed: impl Iterator<Item = &'a Rule>,
) -> Kinds {
    let Some(patterns) = patterns(call, settings) else {
        return Kinds::None;
    };
    let allowed: Vec<&str> = allowed
        .filter(|rule| rule.action == call.tool)
        .map(|rule| rule.resource.as_str())
        .collect();
    // What a kind is does not depend on what was allowed: the patterns are the same texts or they are not.
    let new: Vec<&str> = patterns
        .iter()
        .map(String::as_str)
        .filter(|pattern| !allowed.contains(pattern))
        .collect();
    if new.is_empty() {
        Kinds::Known(patterns.join(", "))
    } else {
        Kinds::New(new.join(", "))
    }
}

/// The kinds of a call; `None` when some part of it is of none, or when nothing holds it.
fn patterns(call: &PreparedCall, settings: &PermissionSettings) -> Option<Vec<String>> {
    let is_held = match call.risk {
        Risk::WorkspaceWrite => settings.level == Level::Workspace,
        Risk::Execution => call.held && settings.level == Level::Workspace,
        _ => false,
    };
    if settings.mode != Mode::Adaptive || !is_held || call.targets.is_empty() {
        return None;
    }
    if bounds::guarded_write(call, settings).is_some()
        || bounds::foreign_read(call, settings).is_some()
    {
        return None;
    }
    let mut patterns = Vec::new();
    for target in &call.targets {
        for pattern in of_target(target, &settings.roots)? {
            if !patterns.contains(&pattern) {
                patterns.push(pattern);
            }
        }
    }
    (!patterns.is_empty() && patterns.len() <= MOST).then_some(patterns)
}

fn of_target(target: &Target, roots: &[PathBuf]) -> Option<Vec<String>> {
    match target {
        Target::Path { writes: false, .. } => Some(Vec::new()),
        Target::Path {
            resolved, secret, ..
        } => {
            let root = roots
                .iter()
                .find(|root| resolved.starts_with(root) && resolved != *root)?;
            let folder = root.to_string_lossy();
            (!secret).then(|| vec![format!("{}/*", escape(folder.trim_end_matches('/')))])
        }
        Target::Shell { line, .. } => {
            let writes_file = |redirect: &Redirect| {
                redirect.writes && !(redirect.file.literal && redirect.file.text == "/dev/null")
            };
            if !line.doubts.is_empty() || line.redirects.iter().any(writes_file) {
                return None;
            }
            let does = |command: &&Simple| {
                command.role != Role::Wrapper && !is_neutral(command) && !only_looks(command)
            };
            line.commands
                .iter()
                .filter(does)
                .map(|command| of_command(command).filter(|_| command.role == Role::Plain))
                .collect()
        }
        // What is fetched ends in a file: the kind is that of the file.
        Target::Url { .. } => Some(Vec::new()),
        Target::Agent { .. } => None,
    }
}

/// The kind of a simple command, as a pattern that matches it.
fn of_command(command: &Simple) -> Option<String> {
    let first = command.words.first()?;
    let is_known_before = command.assignments.is_empty() && first.literal;
    if !is_known_before {
        return None;
    }
    let named = |place: usize| {
        let word = command.arguments().get(place)?;
        (word.literal && !word.glob && is_name(&word.text)).then_some(word.text.as_str())
    };
    let shape = if first.text.contains('/') {
        // A program of the workspace is a script that is run by itself; one of the system has its short name.
        return (!first.text.starts_with('/') && is_name(&first.text))
            .then(|| format!("{} *", escape(&first.text)));
    } else {
        let (_, shape) = PROGRAMS.iter().find(|(name, _)| *name == first.text)?;
        shape
    };
    let kind = match shape {
        Shape::Program => first.text.clone(),
        Shape::Command(names) => {
            let name = named(0).filter(|name| names.contains(name))?;
            format!("{} {name}", first.text)
        }
        Shape::Task(names) => match named(0)? {
            "run" => format!("{} run {}", first.text, named(1)?),
            name if names.contains(&name) => format!("{} {name}", first.text),
            _ => return None,
        },
        Shape::Script(modules) => match command.arguments().first()?.text.as_str() {
            "-m" => {
                let name = named(1).filter(|name| modules.contains(name))?;
                format!("{} -m {name}", first.text)
            }
            _ => format!("{} {}", first.text, named(0)?),
        },
    };
    let pattern = format!("{} *", escape(&kind));
    Pattern::parse(&pattern)
        .matches(&command.text())
        .then_some(pattern)
}

/// Whether a word is a plain name or path, so that its pattern means what it looks like.
fn is_name(text: &str) -> bool {
    !text.is_empty()
        && !text.starts_with('-')
        && text
            .chars()
            .all(|c| c.is_alphanumeric() || matches!(c, '.' | '_' | '-' | '/' | ':' | '+' | '@'))
}

#[cfg(test)]
#[path = "kinds_tests.rs"]
mod tests;
