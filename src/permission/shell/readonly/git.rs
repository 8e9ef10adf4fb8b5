//! What of git only looks.

use std::path::PathBuf;

use super::{
    super::Word,
    proof::{is_number, paths},
};

/// What may stand behind a command of git.
pub(in crate::permission::shell) struct GitCommand {
    pub(in crate::permission::shell) name: &'static str,
    /// Options, `N` standing for a number.
    pub(in crate::permission::shell) options: &'static [&'static str],
    pub(in crate::permission::shell) rest: Rest,
}

/// What follows the options.
#[derive(Clone, Copy, PartialEq)]
pub(in crate::permission::shell) enum Rest {
    /// Nothing.
    Nothing,
    /// Paths behind `--`.
    Paths,
    /// A pattern, then paths.
    PatternAndPaths,
}

pub(in crate::permission::shell) const NO_COLOUR: &[&str] = &["--color=never", "--no-color"];

pub(in crate::permission::shell) const GIT: &[GitCommand] = &[
    GitCommand {
        name: "status",
        options: &[
            "--short",
            "-s",
            "--porcelain",
            "--porcelain=v1",
            "--branch",
            "-b",
            "-sb",
            "--untracked-files=all",
            "--untracked-files=no",
            "--ignored=no",
            "--no-renames",
        ],
        rest: Rest::Paths,
    },
    GitCommand {
        name: "diff",
        options: &[
            "--stat",
            "--name-only",
            "--name-status",
            "--cached",
            "--staged",
        ],
        rest: Rest::Paths,
    },
    GitCommand {
        name: "log",
        options: &[
            "--oneline",
            "--decorate",
            "--stat",
            "--name-only",
            "-n N",
            "-nN",
            "-N",
            "--max-count=N",
        ],
        rest: Rest::Paths,
    },
    GitCommand {
        name: "branch",
        options: &["--show-current", "--list", "-a", "-r", "-v"],
        rest: Rest::Nothing,
    },
    GitCommand {
        name: "remote",
        options: &["-v"],
        rest: Rest::Nothing,
    },
    GitCommand {
        name: "ls-files",
        options: &[
            "--stage",
            "--others",
            "--cached",
            "--deleted",
            "--modified",
            "--exclude-standard",
        ],
        rest: Rest::Paths,
    },
    GitCommand {
        name: "grep",
        options: &[
            "-n",
            "-i",
            "-F",
            "--line-number",
            "--ignore-case",
            "--fixed-strings",
        ],
        rest: Rest::PatternAndPaths,
    },
];

/// The paths that a command of git looks at.
pub(super) fn git(words: &[Word]) -> Option<Vec<PathBuf>> {
    let (first, words) = words.split_first()?;
    let command = GIT.iter().find(|command| command.name == first.text)?;
    let mut at = 0;
    while let Some(word) = words.get(at) {
        let text = word.text.as_str();
        let next = words.get(at + 1).map_or("", |word| word.text.as_str());
        let is_option = |option: &&str| match *option {
            "-n N" => text == "-n" && is_number(next),
            "-nN" => text.strip_prefix("-n").is_some_and(is_number),
            "-N" => text.strip_prefix('-').is_some_and(is_number),
            "--max-count=N" => text.strip_prefix("--max-count=").is_some_and(is_number),
            option => option == text,
        };
        if !command.options.iter().chain(NO_COLOUR).any(is_option) {
            break;
        }
        let takes_next = text == "-n" && command.options.contains(&"-n N");
        at += if takes_next { 2 } else { 1 };
    }
    let rest = words.get(at..).unwrap_or_default();
    // A colon gives git's paths a meaning of their own.
    let files = |words: &[Word]| {
        paths(words).filter(|_| words.iter().all(|word| !word.text.starts_with(':')))
    };
    match (command.rest, rest) {
        (_, []) if command.rest != Rest::PatternAndPaths => Some(Vec::new()),
        (Rest::Paths, [dashes, rest @ ..]) if dashes.text == "--" => files(rest),
        (Rest::PatternAndPaths, [pattern, rest @ ..]) if !pattern.text.starts_with('-') => {
            files(rest)
        }
        _ => None,
    }
}

/// Commands of git with a revision, and what more of them look: only where secrets are kept from them, since another
/// revision may hold what is a secret now.
const REVISED: &[(&str, &[&str])] = &[
    ("blame", &["-w", "-M", "-C", "--porcelain", "-L N"]),
    (
        "diff",
        &[
            "--stat",
            "--name-only",
            "--name-status",
            "--cached",
            "--staged",
            "-w",
            "--numstat",
            "--shortstat",
            "--no-ext-diff",
            "--word-diff",
            "-U N",
            "--check",
        ],
    ),
    (
        "log",
        &[
            "--oneline",
            "--decorate",
            "--stat",
            "--name-only",
            "--name-status",
            "--graph",
            "--all",
            "-p",
            "--patch",
            "--merges",
            "--no-merges",
            "--reverse",
            "--shortstat",
            "--numstat",
            "-n N",
            "-N",
            "--max-count=",
            "--format=",
            "--pretty=",
            "--since=",
            "--until=",
            "--author=",
            "--grep=",
            "--date=",
            "--follow",
            "-i",
        ],
    ),
    (
        "rev-parse",
        &[
            "--short",
            "--abbrev-ref",
            "--show-toplevel",
            "--verify",
            "--git-dir",
        ],
    ),
    (
        "show",
        &[
            "--stat",
            "--name-only",
            "--name-status",
            "--oneline",
            "-s",
            "--no-patch",
            "--format=",
            "--pretty=",
        ],
    ),
    (
        "describe",
        &["--tags", "--always", "--dirty", "--long", "--abbrev="],
    ),
    ("shortlog", &["-s", "-n", "-e", "-sn", "-sne"]),
];

/// The paths that a command of git with revisions looks at.
pub(super) fn revised(words: &[Word]) -> Option<Vec<PathBuf>> {
    let (first, words) = words.split_first()?;
    let (_, options) = REVISED.iter().find(|(name, _)| *name == first.text)?;
    let mut named = Vec::new();
    let mut at = 0;
    while let Some(word) = words.get(at) {
        let text = word.text.as_str();
        at += 1;
        if word.glob || !word.literal {
            return None;
        }
        if text == "--" {
            named.extend(words.get(at..).unwrap_or_default().iter());
            break;
        }
        if !text.starts_with('-') {
            named.push(word);
            continue;
        }
        let next = words.get(at).map_or("", |word| word.text.as_str());
        let is_place = |text: &str| {
            text.chars()
                .all(|c| c.is_ascii_digit() || matches!(c, ',' | '+'))
        };
        let takes_next = matches!(text, "-n" | "-U" | "-L") && !next.is_empty() && is_place(next);
        let is_known = options.iter().chain(NO_COLOUR).any(|option| match *option {
            "-N" => text.strip_prefix('-').is_some_and(is_number),
            option => match option.strip_suffix(" N") {
                Some(short) if text == short => takes_next,
                Some(short) => text
                    .strip_prefix(short)
                    .is_some_and(|rest| !rest.is_empty() && is_place(rest)),
                None => option == text || option.ends_with('=') && text.starts_with(option),
            },
        });
        if !is_known {
            return None;
        }
        at += usize::from(takes_next);
    }
    // A colon names a file of another revision, or gives a path a meaning of its own.
    let is_plain = |word: &&Word| {
        word.literal && !word.glob && !word.text.is_empty() && !word.text.contains(':')
    };
    let is_climbing = |word: &Word| word.text.split('/').any(|part| part == "..");
    (named.iter().all(is_plain) && !named.iter().any(|word| is_climbing(word)))
        .then(|| named.iter().map(|word| PathBuf::from(&word.text)).collect())
}
