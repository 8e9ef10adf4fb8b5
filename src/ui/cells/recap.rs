//! The end of a turn: how it ended when not well, and what it amounted to. Zero counters are left out.

use super::{notice, scene::Scene};
use crate::{
    domain::{
        notice::Severity,
        record::{TurnOutcome, TurnRecap},
    },
    text::figures::{counted, duration, money, short},
    ui::{
        rows::{Flow, Piece, Row, flow},
        theme::StyleName,
    },
};

pub(super) fn draw(outcome: &TurnOutcome, recap: &TurnRecap, scene: &Scene<'_>) -> Vec<Row> {
    let mut rows = match outcome {
        TurnOutcome::Finished => Vec::new(),
        TurnOutcome::Failed { reason } => notice::draw(
            Severity::Error,
            &format!("the turn failed: {reason}"),
            scene,
        ),
        TurnOutcome::Stopped { reason } => {
            notice::draw(Severity::Warning, &format!("stopped: {reason}"), scene)
        }
        TurnOutcome::Cancelled => notice::draw(Severity::Warning, "cancelled by you", scene),
        TurnOutcome::Interrupted => notice::draw(
            Severity::Warning,
            "stopped when the program was ended",
            scene,
        ),
    };
    let text = figures(recap);
    if !text.is_empty() {
        let blank = [Piece::blank(2)];
        rows.extend(flow(
            &[Piece::new(text, StyleName::Faint)],
            &Flow {
                width: scene.width,
                first: &blank,
                rest: &blank,
                words: true,
            },
        ));
    }
    rows
}

/// `12.4s · 3 steps · in 12.3k (88% cached) out 1.2k · $0.04 · ⚙ 4 commands`.
fn figures(recap: &TurnRecap) -> String {
    let mut parts = Vec::new();
    let mut push = |condition: bool, text: String| {
        if condition {
            parts.push(text);
        }
    };
    let usage = &recap.usage;
    push(recap.elapsed_ms > 0, duration(recap.elapsed_ms));
    push(
        recap.steps > 0,
        counted(recap.steps as usize, "step", "steps"),
    );
    let cached = match (usage.cached * 100).checked_div(usage.input) {
        Some(percent) if percent > 0 => format!(" ({percent}% cached)"),
        _ => String::new(),
    };
    let input = match usage.input {
        0 => String::new(),
        input => format!("in {}{cached}", short(input)),
    };
    let output = match usage.output {
        0 => String::new(),
        output => format!("out {}", short(output)),
    };
    let tokens = format!("{input} {output}");
    push(!tokens.trim().is_empty(), tokens.trim().to_owned());
    let cost = usage.cost.unwrap_or(0.0);
    push(cost > 0.0, money(cost));
    push(
        recap.commands > 0,
        format!(
            "⚙ {}",
            counted(recap.commands as usize, "command", "commands")
        ),
    );
    push(
        recap.file_ops > 0,
        format!(
            "📝 {}",
            counted(recap.file_ops as usize, "file op", "file ops")
        ),
    );
    push(
        recap.tools > 0,
        counted(recap.tools as usize, "other call", "other calls"),
    );
    parts.join(" · ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::usage::Usage;

    #[test]
    fn zero_counters_are_left_out() {
        let recap = TurnRecap {
            elapsed_ms: 12_400,
            steps: 3,
            usage: Usage {
                input: 12_300,
                cached: 10_824,
                output: 1_200,
                cost: Some(0.04),
            },
            commands: 4,
            file_ops: 2,
            tools: 0,
        };

        assert_eq!(
            figures(&recap),
            "12.4s · 3 steps · in 12.3k (88% cached) out 1.2k · $0.04 · ⚙ 4 commands · 📝 2 file ops"
        );
        assert_eq!(figures(&TurnRecap::default()), "");
        let one = TurnRecap {
            steps: 1,
            tools: 1,
            ..TurnRecap::default()
        };
        assert_eq!(figures(&one), "1 step · 1 other call");
    }
}
