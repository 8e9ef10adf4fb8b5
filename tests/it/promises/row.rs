//! A promise, and what keeps it.

/// The families of agents that a behaviour is known from; models and people bring the habits of each along.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Origin {
    /// Levels that reach as far as a sandbox, a checklist that ends turns, one reader of arguments.
    A,
    /// Rules by action and resource, outputs with addresses, goals.
    B,
    /// Forgiving edits, hooks, declared tools, pages as Markdown, questions.
    C,
    /// A scratchpad beside the conversation.
    D,
    /// Bounded searches, notebooks, commands that only look, code that calls tools.
    E,
}

/// What becomes of a promise.
#[derive(Clone, Copy, Debug)]
pub(super) enum Kept {
    /// These tests show it: `lib::` or `it::` and the path that `cargo test` calls them by.
    Shown(&'static [&'static str]),
    /// It is not so here, for this reason.
    Otherwise(&'static str),
}

/// One promise.
#[derive(Clone, Copy, Debug)]
pub(super) struct Promise {
    pub(super) origin: Origin,
    /// What happens, in one sentence.
    pub(super) what: &'static str,
    pub(super) kept: Kept,
}

/// What is promised of one tool, or of one of the [`TOPICS`].
#[derive(Clone, Copy, Debug)]
pub(super) struct Subject(pub(super) &'static str, pub(super) &'static [Promise]);

/// What concerns more than one tool.
pub(super) const TOPICS: &[&str] = &[
    "outputs",
    "declared tools",
    "hooks",
    "filters",
    "loops",
    "recap",
    "arguments",
    "concurrency",
];

/// A promise that tests show.
pub(super) const fn shown(
    origin: Origin,
    what: &'static str,
    tests: &'static [&'static str],
) -> Promise {
    let kept = Kept::Shown(tests);
    Promise { origin, what, kept }
}

/// A promise that is decided otherwise here.
pub(super) const fn otherwise(origin: Origin, what: &'static str, why: &'static str) -> Promise {
    let kept = Kept::Otherwise(why);
    Promise { origin, what, kept }
}
