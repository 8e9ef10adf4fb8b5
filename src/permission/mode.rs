//! What the mode says about a call that no rule and no grant decided.

use super::kinds::Kinds;
use crate::domain::permission::{Level, Mode, Risk, Verdict};

/// What the mode looks at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Situation {
    /// The class of the call.
    pub risk: Risk,
    /// The session's level.
    pub level: Level,
    /// A path that is read although it is outside the workspace.
    pub foreign_read: Option<String>,
    /// A path that is written and through which something could be made to run.
    pub guarded_write: Option<String>,
    /// Whether its kind was allowed before.
    pub kinds: Kinds,
}

/// The verdict and the words for it.
pub(super) fn judge(mode: Mode, situation: &Situation) -> (Verdict, String) {
    if let Some(path) = &situation.guarded_write
        && situation.level < Level::Unrestricted
    {
        return (
            Verdict::Ask,
            format!("a change to {path} can make something run later"),
        );
    }
    if let Some(path) = &situation.foreign_read
        && mode != Mode::Open
        && situation.level < Level::Unrestricted
    {
        return (Verdict::Ask, format!("{path} is outside the workspace"));
    }
    if let Kinds::Known(patterns) = &situation.kinds {
        let holds = match situation.risk {
            Risk::Execution => "the sandbox",
            _ => "the workspace",
        };
        return (
            Verdict::Allow,
            format!("you allowed `{patterns}` for this session, and {holds} holds it"),
        );
    }
    let verdict = match (mode, situation.risk) {
        (_, Risk::SessionOnly | Risk::ReadOnlyLocal) | (Mode::Open, _) => Verdict::Allow,
        (Mode::Adaptive, Risk::ReadOnlyNetwork) => Verdict::Allow,
        (Mode::Strict | Mode::Adaptive, _) => Verdict::Ask,
    };
    if let Kinds::New(patterns) = &situation.kinds {
        let says = format!("mode adaptive asks until you allow {patterns} for the session");
        return (Verdict::Ask, says);
    }
    let says = match verdict {
        Verdict::Allow => "runs",
        Verdict::Ask | Verdict::Deny => "asks for",
    };
    (
        verdict,
        format!("mode {} {says} {}", mode.name(), in_words(situation.risk)),
    )
}

fn in_words(risk: Risk) -> &'static str {
    match risk {
        Risk::SessionOnly => "what touches only the session",
        Risk::ReadOnlyLocal => "reading files",
        Risk::ReadOnlyNetwork => "reading from the network",
        Risk::WorkspaceWrite => "changing files",
        Risk::Execution => "running a command",
        Risk::ExternalSideEffect => "acting outside this machine",
    }
}
