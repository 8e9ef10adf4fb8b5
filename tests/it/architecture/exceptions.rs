//! What is excused from a check, and why.

use std::collections::BTreeSet;

/// Check, file (from the repository's root), reason.
const EXCEPTIONS: &[(&str, &str, &str)] = &[
    (
        "fields",
        "src/engine/session/state.rs",
        "The session holds one handle for each of its owners; a struct in between would only add a name.",
    ),
    (
        "tests",
        "tests/bench/load.rs",
        "The load is paced by the clock: so many tokens a second are what is measured.",
    ),
];

/// A violation of a check.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Violation {
    /// The file, from the repository's root.
    pub(super) path: String,
    /// What is wrong.
    pub(super) what: String,
}

impl Violation {
    /// Something wrong in a file.
    pub(super) fn new(path: &str, what: impl Into<String>) -> Self {
        Self {
            path: path.to_owned(),
            what: what.into(),
        }
    }
}

/// Fails with every violation that is not excused, and with every excuse that is not needed.
pub(super) fn hold(check: &str, violations: &[Violation]) {
    let complaints = complaints(check, violations, EXCEPTIONS);
    assert!(
        complaints.is_empty(),
        "{check}:\n{}\n(see tests/it/architecture)",
        complaints.join("\n")
    );
}

fn complaints(
    check: &str,
    violations: &[Violation],
    exceptions: &[(&str, &str, &str)],
) -> Vec<String> {
    let excused: BTreeSet<&str> = exceptions
        .iter()
        .filter(|(name, _, _)| *name == check)
        .map(|(_, path, _)| *path)
        .collect();
    let violating: BTreeSet<&str> = violations
        .iter()
        .map(|violation| violation.path.as_str())
        .collect();
    let real = violations
        .iter()
        .filter(|violation| !excused.contains(violation.path.as_str()))
        .map(|violation| format!("  {}: {}", violation.path, violation.what));
    let stale = excused.difference(&violating).map(|path| {
        format!("  {path}: is excused and no longer needs to be; take the exception away")
    });
    real.chain(stale).collect()
}

#[test]
fn every_exception_has_a_reason() {
    for (check, path, reason) in EXCEPTIONS {
        assert!(
            reason.len() >= 20 && reason.ends_with('.'),
            "{check} {path}"
        );
    }
}

#[test]
fn an_excuse_covers_its_file_only_and_must_be_needed() {
    let list = [
        ("sizes", "a.rs", "because"),
        ("sizes", "b.rs", "because"),
        ("order", "c.rs", "because"),
    ];
    let violations = [
        Violation::new("a.rs", "too long"),
        Violation::new("c.rs", "too long"),
    ];

    assert_eq!(
        complaints("sizes", &violations, &list),
        [
            "  c.rs: too long",
            "  b.rs: is excused and no longer needs to be; take the exception away"
        ]
    );
}
