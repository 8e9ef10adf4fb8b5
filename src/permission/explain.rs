//! A judgement in words: for the person who wants to know why, and for the model that was refused.

use crate::domain::permission::{Judgement, Verdict};

/// One line a stage in the order looked at; the last one decided.
pub fn lines(judgement: &Judgement) -> Vec<String> {
    let mut lines: Vec<String> = judgement
        .path
        .iter()
        .enumerate()
        .map(|(index, step)| {
            let mark = if step.decided { "decides" } else { "goes on" };
            format!("{}. {} ({mark}): {}", index + 1, step.stage, step.says)
        })
        .collect();
    lines.push(
        match judgement.verdict {
            Verdict::Allow => "Verdict: it runs.",
            Verdict::Ask => "Verdict: you are asked.",
            Verdict::Deny => "Verdict: it is refused without asking.",
        }
        .to_owned(),
    );
    lines
}

/// What the model reads when the judgement refused its call.
pub fn refusal(tool: &str, judgement: &Judgement) -> String {
    format!(
        "[{tool} was refused: {}. Do not try the same again; go on without it or ask the person]",
        judgement.reason
    )
}

/// What the model reads when the judgement asked and there is nobody to ask.
pub fn refusal_unattended(tool: &str, judgement: &Judgement) -> String {
    format!(
        "[{tool} was refused: {}, and there is nobody to ask here. Go on without it and say so]",
        judgement.reason
    )
}

/// What the model reads when the person said no.
pub fn rejection(tool: &str, words: Option<&str>) -> String {
    match words.map(str::trim).filter(|words| !words.is_empty()) {
        Some(words) => format!("[the person rejected this {tool} call and said: {words}]"),
        None => format!(
            "[the person rejected this {tool} call: do not try the same again; go on without it or ask]"
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::{lines, refusal, rejection};
    use crate::domain::permission::{DecisionStep, Judgement, Verdict};

    fn judgement() -> Judgement {
        let step = |stage: &str, says: &str, decided| DecisionStep {
            stage: stage.to_owned(),
            says: says.to_owned(),
            decided,
        };
        Judgement {
            verdict: Verdict::Ask,
            reason: "mode adaptive asks for changing files".to_owned(),
            path: vec![
                step("bounds", "nothing is out of bounds", false),
                step("mode", "mode adaptive asks for changing files", true),
            ],
        }
    }

    #[test]
    fn every_stage_gets_a_line_and_the_verdict_ends_them() {
        assert_eq!(
            lines(&judgement()),
            [
                "1. bounds (goes on): nothing is out of bounds",
                "2. mode (decides): mode adaptive asks for changing files",
                "Verdict: you are asked.",
            ]
        );
    }

    #[test]
    fn a_refusal_carries_the_reason_and_a_rejection_the_words() {
        assert_eq!(
            refusal("file_write", &judgement()),
            "[file_write was refused: mode adaptive asks for changing files. Do not try the same again; go on \
             without it or ask the person]"
        );
        assert_eq!(
            rejection("shell_execute", Some(" use make ")),
            "[the person rejected this shell_execute call and said: use make]"
        );
        assert!(rejection("shell_execute", Some("  ")).contains("do not try the same again"));
    }
}
