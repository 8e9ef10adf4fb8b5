//! From a line to what the floor says of it.

use super::{
    super::shell::{Input, Line, SHELLS, Simple, printed},
    code, programs,
};

/// What the floor found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The category, for rules, logs and tests: it never changes.
    pub code: &'static str,
    /// What it is, in words.
    pub says: String,
}

impl Finding {
    pub(super) fn new(code: &'static str, says: impl Into<String>) -> Self {
        Self {
            code,
            says: says.into(),
        }
    }
}

/// How deep texts inside of texts are followed.
const DEEPEST: usize = 3;

/// Looks at a line. `is_secret` says whether a path looks like a file that holds secrets.
pub(crate) fn find(line: &Line, is_secret: &dyn Fn(&str) -> bool) -> Option<Finding> {
    look(line, is_secret, 0)
}

fn look(line: &Line, is_secret: &dyn Fn(&str) -> bool, depth: usize) -> Option<Finding> {
    let of_redirects = line
        .redirects
        .iter()
        .filter(|redirect| redirect.writes)
        .find_map(|redirect| programs::written(&redirect.file.text));
    let of_commands = || {
        let all = line.commands.iter().chain(&line.maybe);
        all.into_iter().find_map(|command| {
            programs::find(command, is_secret)
                .or_else(|| fed(line, command))
                .or_else(|| {
                    code::find(command, &input_text(line, command), &|text| {
                        (depth < DEEPEST)
                            .then(|| look(&Line::read(text), is_secret, depth + 1))
                            .flatten()
                    })
                })
        })
    };
    of_redirects.or_else(|| bomb(line)).or_else(of_commands)
}

/// A function that starts itself twice.
fn bomb(line: &Line) -> Option<Finding> {
    line.functions.iter().find_map(|(name, body)| {
        let inside = line.commands.get(body.clone()).unwrap_or_default();
        let calls = inside.iter().filter(|command| command.program() == name);
        (!name.is_empty() && calls.count() >= 2).then(|| {
            Finding::new(
                "fork-bomb-or-killall",
                format!("`{name}` starts itself again and again"),
            )
        })
    })
}

/// Programs that fetch.
pub(in crate::permission) const FETCHERS: &[&str] = &[
    "aria2c", "curl", "fetch", "http", "httpie", "lynx", "wget", "xh",
];

/// Programs that run what they read.
const INTERPRETERS: &[&str] = &[
    "bun",
    "deno",
    "lua",
    "node",
    "nodejs",
    "osascript",
    "perl",
    "php",
    "pwsh",
    "python",
    "ruby",
    "tclsh",
];

/// Whether it is a shell or an interpreter of a language.
pub(super) fn runs_text(program: &str) -> bool {
    let family = program.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.');
    SHELLS.contains(&program) || program == "fish" || INTERPRETERS.contains(&family)
}

/// A download that goes straight into something that runs it.
fn fed(line: &Line, command: &Simple) -> Option<Finding> {
    if !runs_text(command.program()) && !matches!(command.program(), "eval" | "source" | ".") {
        return None;
    }
    let finding = || {
        Finding::new(
            "pipe-to-interpreter",
            format!(
                "what is fetched would be run by `{}` unseen",
                command.program()
            ),
        )
    };
    let fetches = |commands: &[Simple]| {
        commands
            .iter()
            .any(|from| FETCHERS.contains(&from.program()))
    };
    if let Input::Pipe(from) = &command.input
        && fetches(line.commands.get(..from.end).unwrap_or_default())
    {
        return Some(finding());
    }
    let substitutes = command.arguments().iter().any(|word| {
        !word.literal
            && ["$(", "<(", "`"]
                .iter()
                .any(|mark| word.text.contains(mark))
    });
    (substitutes && fetches(&line.commands)).then(finding)
}

/// What a command surely reads.
fn input_text(line: &Line, command: &Simple) -> String {
    match &command.input {
        Input::Text(text, _) => text.clone(),
        Input::Pipe(from) => {
            let printers = line.commands.get(from.clone()).unwrap_or_default();
            printers.iter().filter_map(printed).collect()
        }
        Input::Inherited => String::new(),
    }
}

#[cfg(test)]
#[path = "find_tests.rs"]
mod tests;
