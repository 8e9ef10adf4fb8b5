//! Variables: which may be set without a change to what runs.

use super::{Simple, Word};

/// Variables that only change how much a program says and how it looks.
const HARMLESS: &[&str] = &[
    "CARGO_INCREMENTAL",
    "CARGO_TERM_COLOR",
    "CI",
    "CLICOLOR",
    "CLICOLOR_FORCE",
    "COLUMNS",
    "DEBUG",
    "FORCE_COLOR",
    "GIT_OPTIONAL_LOCKS",
    "GIT_TERMINAL_PROMPT",
    "LANG",
    "LANGUAGE",
    "LINES",
    "NODE_ENV",
    "NO_COLOR",
    "PYTHONDONTWRITEBYTECODE",
    "PYTHONUNBUFFERED",
    "RUST_BACKTRACE",
    "RUST_LIB_BACKTRACE",
    "RUST_LOG",
    "SOURCE_DATE_EPOCH",
    "TERM",
    "TZ",
    "VERBOSE",
];

/// How names in small letters begin that programs read all the same.
const PREFIXES: &[&str] = &["npm_", "pnpm_", "yarn_"];

/// Whether setting the variable changes nothing about what runs.
pub(super) fn is_harmless(name: &str) -> bool {
    HARMLESS.contains(&name) || name.starts_with("LC_") || is_own(name)
}

/// The same for a known value: a pager that is `cat` is no program to fear.
pub(super) fn is_harmless_value(name: &str, value: &Word) -> bool {
    let is_cat = value.literal && (value.text == "cat" || value.text.is_empty());
    is_harmless(name) || (name.ends_with("PAGER") && is_cat)
}

/// Builtins that set what their arguments name, with the letters of options by which they only do that.
const SETTERS: &[(&str, &str)] = &[
    ("declare", "Aagprx"),
    ("export", "p"),
    ("getopts", ""),
    ("local", "Aagprx"),
    ("mapfile", "t"),
    ("read", "aenrst"),
    ("readarray", "t"),
    ("readonly", "Aap"),
    ("typeset", "Aagprx"),
    ("unset", "v"),
];

/// Why a builtin may change what runs by the variables that it sets: `builtin export PATH=x`, `declare -n x=PATH`.
pub(super) fn doubt_of(command: &Simple) -> Option<String> {
    let program = command.program();
    if program == "let" {
        return Some("`let` calculates with what a text holds".to_owned());
    }
    let (_, letters) = SETTERS.iter().find(|(name, _)| *name == program)?;
    command.arguments().iter().find_map(|word| {
        let text = word.text.as_str();
        let (name, value) = text.split_once('=').unwrap_or((text, ""));
        let name = name.strip_suffix('+').unwrap_or(name);
        let is_option = text.strip_prefix('-').is_some_and(|rest| {
            !rest.is_empty() && rest.chars().all(|letter| letters.contains(letter))
        });
        let value = Word {
            text: value.to_owned(),
            ..word.clone()
        };
        (!is_option && !is_harmless_value(name, &value))
            .then(|| format!("setting {name} may change what runs"))
    })
}

/// The variables that a builtin sets, as far as they are named.
pub(super) fn named(command: &Simple) -> impl Iterator<Item = &str> {
    let is_setter = SETTERS.iter().any(|(name, _)| *name == command.program());
    let words = command.arguments().iter().filter(move |_| is_setter);
    words.filter_map(|word| word.text.split(['=', '+']).next())
}

/// Names in small letters are the line's own: no program reads them unasked.
fn is_own(name: &str) -> bool {
    !name.is_empty()
        && name
            .chars()
            .all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_')
        && !name.ends_with("_proxy")
        && !PREFIXES.iter().any(|prefix| name.starts_with(prefix))
}
