//! What kind a simple command is of.
//!
//! Only programs that work on the files of a project are here, and of those only what cannot throw work away: what
//! runs code from its own arguments (`python3 -c`), talks to other machines or deletes is answered for line by line.

use std::path::{Component, Path, PathBuf};

use super::{
    bounds,
    rule::{Pattern, escape},
    shell::{Line, Simple, Word, has_tricks, only_prints},
};

/// What of a program makes a kind.
enum Shape {
    /// Whatever it is given.
    Program,
    /// The same for what only prints or waits: where an option makes it do more, every word must be known.
    Prints,
    /// Only what is piped into it, as a file named behind another would be written.
    Filter,
    /// Unpacking into a folder that the line makes for it.
    Archive,
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

/// The programs, by name; those that only print whatever they are given are known elsewhere.
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
    ("date", Shape::Prints),
    ("diff", Shape::Prints),
    ("echo", Shape::Prints),
    ("eslint", Shape::Program),
    ("expr", Shape::Prints),
    ("find", Shape::Prints),
    ("flake8", Shape::Program),
    (
        "git",
        Shape::Command(&[
            "add",
            "blame",
            "commit",
            "describe",
            "diff",
            "log",
            "ls-files",
            "merge-base",
            "rev-list",
            "rev-parse",
            "show",
            "status",
        ]),
    ),
    (
        "go",
        Shape::Command(&["build", "fmt", "list", "run", "test", "vet"]),
    ),
    ("gofmt", Shape::Program),
    ("isort", Shape::Program),
    ("jq", Shape::Prints),
    ("make", Shape::Program),
    ("meson", Shape::Program),
    ("mkdir", Shape::Program),
    ("mktemp", Shape::Prints),
    ("mypy", Shape::Program),
    ("ninja", Shape::Program),
    ("node", Shape::Script(&[])),
    ("npm", Shape::Task(&["test"])),
    ("perl", Shape::Script(&[])),
    ("pnpm", Shape::Task(TASKS)),
    ("prettier", Shape::Program),
    ("printf", Shape::Prints),
    ("pytest", Shape::Program),
    ("python", Shape::Script(MODULES)),
    ("python3", Shape::Script(MODULES)),
    ("rg", Shape::Prints),
    ("ruby", Shape::Script(&[])),
    ("ruff", Shape::Program),
    ("rustfmt", Shape::Program),
    ("sh", Shape::Script(&[])),
    ("sort", Shape::Prints),
    ("tar", Shape::Archive),
    ("touch", Shape::Program),
    ("tsc", Shape::Program),
    ("uniq", Shape::Filter),
    ("yarn", Shape::Task(TASKS)),
];

/// The kind of a simple command, as a pattern that matches it.
pub(super) fn of_command(command: &Simple, line: &Line, roots: &[PathBuf]) -> Option<String> {
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
        let named = PROGRAMS.iter().find(|(name, _)| *name == first.text);
        let prints = only_prints(&first.text).then_some(&Shape::Prints);
        named.map(|(_, shape)| shape).or(prints)?
    };
    let kind = match shape {
        Shape::Program => first.text.clone(),
        Shape::Prints => {
            let only_prints = is_known_enough(command) && !reaches_out(command, roots);
            only_prints.then(|| first.text.clone())?
        }
        Shape::Filter => {
            let is_option = |word: &Word| word.literal && word.text.starts_with('-');
            let only_filters = command.arguments().iter().all(is_option);
            only_filters.then(|| first.text.clone())?
        }
        Shape::Archive => {
            let mode = named_mode(command).filter(|_| unpacks_afresh(command, line))?;
            format!("{} {mode}", first.text)
        }
        Shape::Command(names) => {
            let name = named(0).filter(|name| names.contains(name))?;
            // What git only shows it may be told to write.
            if first.text == "git" && !is_known_enough(command) {
                return None;
            }
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

/// Whether no word may turn out to be an option by which the program does more than its name tells.
fn is_known_enough(command: &Simple) -> bool {
    let is_open =
        |word: &Word| !word.literal || word.glob && word.text.starts_with(['*', '?', '[']);
    !has_tricks(command) || !command.arguments().iter().any(is_open)
}

/// Whether a command names a place outside of the workspace and the system.
fn reaches_out(command: &Simple, roots: &[PathBuf]) -> bool {
    let is_outside = |word: &Word| {
        let text = word.text.rsplit('=').next().unwrap_or_default();
        let path = Path::new(text);
        let climbs = path.components().any(|part| part == Component::ParentDir);
        let is_free = |path: &Path| bounds::is_inside(path, roots) || bounds::is_of_system(path);
        word.literal && (climbs || path.is_absolute() && !is_free(path))
    };
    command.arguments().iter().any(is_outside)
}

/// The first word of `tar`, when it unpacks a file: `xzf`, `-xf`.
fn named_mode(command: &Simple) -> Option<&str> {
    let mode = command.arguments().first()?;
    let letters = mode.text.strip_prefix('-').unwrap_or(&mode.text);
    let unpacks = letters.contains('x') && letters.ends_with('f');
    let is_plain = letters.chars().all(|letter| "xfjJvz".contains(letter));
    (mode.literal && unpacks && is_plain).then_some(mode.text.as_str())
}

/// Whether `tar xf FILE -C "$new"` unpacks into a folder that the line has made for it, where nothing is overwritten.
fn unpacks_afresh(command: &Simple, line: &Line) -> bool {
    let [_, file, option, folder] = command.arguments() else {
        return false;
    };
    let mut values = line.sets.iter().filter(|(name, _)| {
        let named = folder.text.strip_prefix('$');
        !folder.literal && named == Some(name.as_str())
    });
    let is_new = values
        .next()
        .is_some_and(|(_, value)| value.text == "$(mktemp -d)");
    let is_file = file.literal && !file.glob && is_name(&file.text);
    is_new && values.next().is_none() && is_file && option.literal && option.text == "-C"
}

/// Whether a word is a plain name or path, so that its pattern means what it looks like.
pub(super) fn is_name(text: &str) -> bool {
    !text.is_empty()
        && !text.starts_with('-')
        && text
            .chars()
            .all(|c| c.is_alphanumeric() || matches!(c, '.' | '_' | '-' | '/' | ':' | '+' | '@'))
}
