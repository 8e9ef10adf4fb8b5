//! Variables: which may be set without a change to what runs.

use super::Word;

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

/// Whether setting the variable changes nothing about what runs.
pub(super) fn is_harmless(name: &str) -> bool {
    HARMLESS.contains(&name) || name.starts_with("LC_") || is_own(name)
}

/// The same for a known value: a pager that is `cat` is no program to fear.
pub(super) fn is_harmless_value(name: &str, value: &Word) -> bool {
    let is_cat = value.literal && (value.text == "cat" || value.text.is_empty());
    is_harmless(name) || (name.ends_with("PAGER") && is_cat)
}

/// Names in small letters are the line's own: no program reads them unasked.
fn is_own(name: &str) -> bool {
    !name.is_empty()
        && name
            .chars()
            .all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_')
        && !name.ends_with("_proxy")
}
