//! What is said about a call beside the call itself: where and how it would run, why it is asked, and what an answer
//! for the session would cover.

use crate::{
    domain::{
        approval::{ApprovalRequest, Circumstances, Confinement, Enclosure},
        permission::{Network, Risk},
    },
    text::{figures::counted, sanitize::reveal_line},
    ui::{
        cells::scene::Scene,
        keymap::{Action, Scope},
        panes::requests::{
            ApprovalBox,
            answers::{kinds, offered},
            approval::Mode,
        },
        rows::{Flow, Piece, Row, flow},
        theme::StyleName,
    },
};

/// The notes of a box, the most important first.
pub(super) fn notes(found: &ApprovalBox<'_>, inner: usize, scene: &Scene<'_>) -> Vec<Row> {
    let request = &found.approval.request;
    let mut rows = Vec::new();
    if let Some(how) = &request.circumstances {
        rows.extend(worded(circumstances(how, scene), inner));
    }
    rows.extend(worded(reason(request), inner));
    if found.has_keyboard && found.approval.mode == Mode::Answer {
        for said in remembered(found, scene) {
            rows.extend(worded(said, inner));
        }
    }
    rows
}

pub(super) fn worded(pieces: Vec<Piece>, inner: usize) -> Vec<Row> {
    let rest = [Piece::blank(2)];
    let how = Flow {
        rest: &rest,
        ..Flow::words(inner)
    };
    flow(&pieces, &how)
}

fn circumstances(how: &Circumstances, scene: &Scene<'_>) -> Vec<Piece> {
    let folder = reveal_line(&scene.at_home(&how.folder)).text;
    let dim = |text: &str| Piece::new(text, StyleName::Dim);
    let mut pieces = vec![
        dim("in "),
        Piece::text(folder),
        dim(" · "),
        Piece::text(if how.findings.only_looks {
            "only looks"
        } else {
            risk(how.risk)
        }),
    ];
    match (how.risk, &how.confinement) {
        (_, Confinement::Sandbox(enclosure)) => pieces.extend(enclosed(enclosure, scene)),
        (Risk::Execution, Confinement::Nothing) => {
            pieces.push(Piece::text(" as you: "));
            let said = "not sandboxed, network open";
            pieces.push(Piece::new(said, StyleName::Warn));
        }
        (Risk::ReadOnlyNetwork | Risk::ExternalSideEffect, _) => {
            pieces.push(dim(" · network "));
            pieces.push(Piece::text(network(how.network)));
        }
        _ => {}
    }
    if how.is_attended {
        let said = " · with a terminal that you can type into";
        pieces.push(Piece::new(said, StyleName::Warn));
    }
    pieces
}

/// What a sandbox leaves to a command.
fn enclosed(enclosure: &Enclosure, scene: &Scene<'_>) -> Vec<Piece> {
    let writable: Vec<String> = enclosure
        .writable
        .iter()
        .map(|place| reveal_line(&scene.at_home(place)).text)
        .collect();
    let writes = if writable.is_empty() {
        "writes nothing".to_owned()
    } else {
        format!("writes only in {}", writable.join(", "))
    };
    let network = network(enclosure.network);
    let mut pieces = vec![
        Piece::text(" in a sandbox: "),
        Piece::text(writes),
        Piece::text(format!(", network {network}")),
    ];
    // All of it stands in the explanation.
    if let Some((first, others)) = enclosure.missing.split_first() {
        let mut missing = format!(", but it can {first}");
        if !others.is_empty() {
            let more = counted(others.len(), "more gap", "more gaps");
            missing.push_str(&format!(", and {more}"));
        }
        pieces.push(Piece::new(missing, StyleName::Warn));
    }
    pieces
}

fn risk(risk: Risk) -> &'static str {
    match risk {
        Risk::SessionOnly => "touches only the session",
        Risk::ReadOnlyLocal => "reads files",
        Risk::ReadOnlyNetwork => "reads from the network",
        Risk::WorkspaceWrite => "changes files",
        Risk::Execution => "runs a program",
        Risk::ExternalSideEffect => "changes something outside this machine",
    }
}

fn network(network: Network) -> &'static str {
    match network {
        Network::None => "closed",
        Network::Remote => "to other machines only",
        Network::All => "open",
    }
}

/// Why it is asked.
fn reason(request: &ApprovalRequest) -> Vec<Piece> {
    vec![
        Piece::new("asked because ", StyleName::Dim),
        Piece::text(reveal_line(&request.judgement.reason).text),
    ]
}

/// What the answers for the session would be about: where something holds the call, allowing is about its kind.
fn remembered(found: &ApprovalBox<'_>, scene: &Scene<'_>) -> Vec<Vec<Piece>> {
    let request = &found.approval.request;
    let Some(rule) = &request.offers.session_rule else {
        return Vec::new();
    };
    let offered = offered(found.approval);
    let said = |actions: &[Action], words: &str| {
        let mut pieces = Vec::new();
        for action in actions {
            let key = scene.key(Scope::Approval, *action);
            if key.is_empty() || !offered.iter().any(|(offered, _)| offered == action) {
                continue;
            }
            if !pieces.is_empty() {
                pieces.push(Piece::new(" or ", StyleName::Dim));
            }
            pieces.push(Piece::new(key, StyleName::Key));
        }
        if !pieces.is_empty() {
            pieces.push(Piece::new(", for this session: ", StyleName::Dim));
            pieces.push(Piece::text(words.to_owned()));
        }
        pieces
    };
    let exactly = reveal_line(&format!("{} {}", rule.action, rule.resource)).text;
    let mut all = match kinds(request) {
        Some(kinds) => vec![
            said(&[Action::AllowSession], &kinds),
            said(&[Action::Never], "exactly this"),
        ],
        None => vec![said(&[Action::AllowSession, Action::Never], &exactly)],
    };
    all.retain(|said| !said.is_empty());
    all
}
