//! What was found in a call that the person must not miss. It stands above the call, and nothing of it is cut: who has
//! not seen all of it cannot allow the call.

use super::notes::worded;
use crate::{
    domain::approval::Findings,
    text::sanitize::reveal_line,
    ui::{
        panes::requests::approval::Approval,
        rows::{Piece, Row},
        theme::StyleName,
    },
};

/// The findings of a call, in so many columns.
pub fn findings(approval: &Approval, is_suspicious: bool, inner: usize) -> Vec<Row> {
    let mut rows = Vec::new();
    if is_suspicious {
        let said = "hidden characters are shown as \\u{…}";
        rows.extend(worded(vec![Piece::new(said, StyleName::Suspicious)], inner));
    }
    if let Some(how) = &approval.request.circumstances {
        for said in [told(&how.findings), doubted(&how.findings)] {
            rows.extend(said.map_or_else(Vec::new, |said| worded(said, inner)));
        }
    }
    rows
}

/// What a command line does to files and with the network, as one sentence, each deed with its looks.
fn told(found: &Findings) -> Option<Vec<Piece>> {
    let deeds = [
        ("deletes", &found.deletes, StyleName::Warn),
        ("writes", &found.writes, StyleName::Text),
        ("uses the network by", &found.network, StyleName::Text),
    ];
    let mut pieces = Vec::new();
    for (what, list, name) in deeds.into_iter().filter(|(_, list, _)| !list.is_empty()) {
        let before = if pieces.is_empty() { "it " } else { " · " };
        pieces.push(Piece::new(before, StyleName::Dim));
        pieces.push(Piece::new(format!("{what} {}", all_of(list, ", ")), name));
    }
    (!pieces.is_empty()).then_some(pieces)
}

/// Why a command line is not understood in full.
fn doubted(found: &Findings) -> Option<Vec<Piece>> {
    (!found.doubts.is_empty()).then(|| {
        vec![
            Piece::new("not fully understood: ", StyleName::Dim),
            Piece::text(all_of(&found.doubts, "; ")),
        ]
    })
}

fn all_of(names: &[String], between: &str) -> String {
    let names: Vec<String> = names.iter().map(|name| reveal_line(name).text).collect();
    names.join(between)
}
