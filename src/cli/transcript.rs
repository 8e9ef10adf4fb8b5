//! A stored session as plain text: who said what, which tools ran, how it ended.
//!
//! Everything in it came from outside and is cleaned before it is printed. Long outputs are shown by their
//! beginning; the JSON form has all of them.

use jiff::{Timestamp, tz::TimeZone};

use super::table::line;
use crate::{
    domain::{
        approval::ApprovalDecision,
        chat::{ChatMessage, ContentBlock},
        question::FormOutcome,
        record::{Record, ReplyEnd, Speaker, Stored, TurnOutcome},
        session::SessionInfo,
        tool::{CallStatus, ToolCall, ToolResult},
    },
    text::sanitize,
};

/// Lines of an output that are shown.
const OUTPUT_LINES: usize = 20;

/// The whole transcript.
pub(super) fn text(info: &SessionInfo, records: &[Stored]) -> String {
    let mut text = format!(
        "{}\n{}  {}  {}\n",
        line(&info.title),
        info.id,
        day_and_time(info.created_ms),
        line(&info.cwd.display().to_string())
    );
    for stored in records {
        if let Some(entry) = entry(stored) {
            text.push('\n');
            text.push_str(entry.trim_end());
            text.push('\n');
        }
    }
    text
}

/// Day and time on this machine's clock.
pub(super) fn day_and_time(at_ms: i64) -> String {
    Timestamp::from_millisecond(at_ms).map_or_else(
        |_| "?".to_owned(),
        |at| {
            let local = at.to_zoned(TimeZone::system());
            local.strftime("%Y-%m-%d %H:%M").to_string()
        },
    )
}

/// One record; `None` for what only the program needs.
fn entry(stored: &Stored) -> Option<String> {
    let time = day_and_time(stored.at_ms);
    let agent = line(stored.agent.as_str());
    let head = |who: &str| format!("── {who} · {time}\n");
    let note = |words: String| format!("· {agent}: {}\n", line(&words));
    match &stored.record {
        Record::Said { speaker, text, .. } => Some(match speaker {
            Speaker::Person if stored.agent.is_main() => head("You") + &body(text),
            Speaker::Person => head(&format!("You to {agent}")) + &body(text),
            Speaker::Parent { agent: parent } => {
                head(&format!("{} to {agent}", line(parent.as_str()))) + &body(text)
            }
            Speaker::Program => note(text.clone()),
        }),
        Record::Reply { message, end, .. } => {
            Some(head(&agent) + &reply(message) + &end_note(end).map(note).unwrap_or_default())
        }
        Record::Partial { message } => Some(
            head(&agent) + &reply(message) + &note("(still coming when last stored)".to_owned()),
        ),
        Record::InnerCalled { call, .. } => Some(call_line(call)),
        Record::Result { result } | Record::InnerResult { result } => Some(call_result(result)),
        Record::ApprovalDecided { decision, .. } => Some(note(decision_words(decision))),
        Record::QuestionAsked { form } => {
            let questions: Vec<&str> = form
                .questions
                .iter()
                .map(|question| question.text.as_str())
                .collect();
            Some(note(format!("asked: {}", questions.join(" / "))))
        }
        Record::QuestionAnswered { outcome, .. } => Some(note(outcome_words(outcome))),
        Record::StageDirection { text, .. } => Some(note(text.clone())),
        Record::Hooked { note: hooked } => Some(note(hooked.told().1)),
        Record::GoalChanged { goal, .. } => Some(note(goal.told())),
        Record::Titled { title } => Some(note(format!("titled {title}"))),
        Record::TurnFinished { outcome, .. } => turn_words(outcome).map(note),
        _ => None,
    }
}

fn reply(message: &ChatMessage) -> String {
    let blocks = message.blocks.iter().map(|block| match block {
        ContentBlock::Text { text } => body(text),
        ContentBlock::Reasoning { text } => indented("  ~ ", text, usize::MAX),
        ContentBlock::ToolCall(call) => call_line(call),
        ContentBlock::ToolResult(result) => call_result(result),
    });
    blocks.collect()
}

fn call_line(call: &ToolCall) -> String {
    let arguments = match &call.malformed {
        Some(raw) => raw.clone(),
        None => call.arguments.to_string(),
    };
    format!("▸ {} {}\n", line(&call.name), line(&arguments))
}

fn call_result(result: &ToolResult) -> String {
    let status = match result.status {
        CallStatus::Done => "done",
        CallStatus::Failed => "failed",
        CallStatus::Refused => "refused",
        CallStatus::Interrupted => "interrupted, effects unknown",
    };
    let outcome = line(&result.outcome);
    let gap = if outcome.is_empty() { "" } else { " · " };
    format!("◂ {status}{gap}{outcome}\n") + &indented("  │ ", &result.text, OUTPUT_LINES)
}

fn end_note(end: &ReplyEnd) -> Option<String> {
    match end {
        ReplyEnd::Complete | ReplyEnd::ToolCalls => None,
        ReplyEnd::OutputLimit => Some("the output limit was reached".to_owned()),
        ReplyEnd::Refused => Some("the provider refused to go on".to_owned()),
        ReplyEnd::CutOff => Some("the reply was cut off".to_owned()),
        // Why stands in the line that ends the turn.
        ReplyEnd::Failed { .. } => Some("the reply broke off".to_owned()),
        ReplyEnd::Interrupted => Some("the reply was interrupted".to_owned()),
    }
}

fn decision_words(decision: &ApprovalDecision) -> String {
    match decision {
        ApprovalDecision::Once => "you allowed it once".to_owned(),
        ApprovalDecision::Session => "you allowed it for the session".to_owned(),
        ApprovalDecision::Rule { grant, .. } => {
            format!("you allowed it by a rule ({})", grant.scope.name())
        }
        ApprovalDecision::Edited { .. } => "you edited it, then allowed it".to_owned(),
        ApprovalDecision::Reject { words: None } => "you rejected it".to_owned(),
        ApprovalDecision::Reject { words: Some(words) } => format!("you rejected it: {words}"),
        ApprovalDecision::Never => "you rejected it for the session".to_owned(),
        ApprovalDecision::Withdrawn => "the request was withdrawn".to_owned(),
    }
}

fn outcome_words(outcome: &FormOutcome) -> String {
    match outcome {
        FormOutcome::Answered { answers } => {
            let words: Vec<String> = answers.iter().map(answer_words).collect();
            format!("you answered: {}", words.join(" / "))
        }
        FormOutcome::Declined => "you declined to answer".to_owned(),
        FormOutcome::Cancelled => "the question was cancelled".to_owned(),
        FormOutcome::Nobody => "there was nobody to ask".to_owned(),
    }
}

fn answer_words(answer: &crate::domain::question::Answer) -> String {
    use crate::domain::question::Answer;
    match answer {
        Answer::Text { text } => text.clone(),
        Answer::Many { options } => options.join(", "),
        Answer::Confirm { yes: true } => "yes".to_owned(),
        Answer::Confirm { yes: false } => "no".to_owned(),
        Answer::Unanswered => "(open)".to_owned(),
    }
}

fn turn_words(outcome: &TurnOutcome) -> Option<String> {
    match outcome {
        TurnOutcome::Finished => None,
        TurnOutcome::Failed { reason } => Some(format!("the turn failed: {reason}")),
        TurnOutcome::Cancelled => Some("you cancelled the turn".to_owned()),
        TurnOutcome::Stopped { reason } => Some(format!("the turn was stopped: {reason}")),
        TurnOutcome::Interrupted => Some("the program ended during the turn".to_owned()),
    }
}

fn body(text: &str) -> String {
    format!("{}\n", sanitize::clean(text.trim_end()))
}

fn indented(sign: &str, text: &str, most: usize) -> String {
    let clean = sanitize::clean(text.trim_end());
    let mut shown = String::new();
    for text in clean.lines().take(most) {
        shown.push_str(format!("{sign}{text}").trim_end());
        shown.push('\n');
    }
    let left = clean.lines().count().saturating_sub(most);
    if left > 0 {
        shown.push_str(&format!(
            "{sign}… {left} more lines; --format json has them\n"
        ));
    }
    shown
}
