//! From the session's log to entries.
//!
//! Records about an entry that is not known (it stands in an earlier page) are kept until that page comes; so it does
//! not matter in how many pages the past arrives.

use super::{
    entry::{Body, Call, CallStage, Entry, EntryKey},
    transcript::Transcript,
};
use crate::{
    domain::{
        approval::ApprovalDecision,
        chat::{ChatMessage, ContentBlock},
        ids::{CallId, RequestId},
        notice::Severity,
        question::FormOutcome,
        record::{Record, ReplyEnd, Speaker, Stored},
        tool::ToolResult,
    },
    ui::markdown::Document,
};

impl Transcript {
    /// Takes a record that follows everything known.
    pub fn record(&mut self, stored: &Stored) {
        if !self.place(stored) {
            self.orphans.push(stored.clone());
        }
    }

    /// Takes a page of records that precedes everything known.
    pub fn prepend(&mut self, page: &[Stored]) {
        let mut past = Self {
            is_script: self.is_script,
            ..Self::default()
        };
        for stored in page {
            past.record(stored);
        }
        if self.starts_inside_turn && past.live_is_partial {
            past.take_live();
        }
        past.commit_live();
        let later = std::mem::take(&mut self.orphans);
        for stored in later {
            past.record(&stored);
        }
        self.starts_inside_turn =
            past.starts_inside_turn || (self.starts_inside_turn && !past.saw_turn_start);
        self.saw_turn_start |= past.saw_turn_start;
        if past.is_labelled() {
            self.drop_first_label();
        }
        self.orphans = past.orphans;
        let shift = past.entries.len() as EntryKey;
        self.first -= shift;
        let moved = |key: EntryKey| self.first + key;
        for (call, key) in past.calls {
            self.calls.entry(call).or_insert(moved(key));
        }
        for (request, key) in past.requests {
            self.requests.entry(request).or_insert(moved(key));
        }
        self.entries.splice(0..0, past.entries);
        self.heights.reset();
    }

    /// Makes what a record says visible; false when the entry it is about is not known.
    fn place(&mut self, stored: &Stored) -> bool {
        let at = stored.at_ms;
        match &stored.record {
            Record::TurnStarted { .. } => {
                self.saw_turn_start = true;
                self.commit_live();
            }
            Record::Said {
                speaker,
                lane,
                text,
            } => self.said(at, speaker, *lane, text),
            Record::Reply { message, end, .. } => self.reply(at, message, end),
            Record::Partial { message } => self.partial(message),
            Record::InnerCalled { call, .. } => self.inner_called(at, call),
            Record::CallStarted { call } => return self.call_started(at, call),
            Record::Result { result } | Record::InnerResult { result } => {
                return self.result(result);
            }
            Record::PersonRan {
                command,
                result,
                shared,
            } => self.person_ran(at, command, result, *shared),
            Record::ApprovalAsked { request } => return self.approval_asked(request),
            Record::ApprovalDecided { request, decision } => {
                return self.decided(*request, decision);
            }
            Record::QuestionAsked { form } => return self.question_asked(form),
            Record::QuestionAnswered { request, outcome } => {
                return self.answered(*request, outcome);
            }
            Record::SettingsChanged { settings } => self.settings(at, settings),
            Record::TurnFinished { outcome, recap, .. } => {
                self.commit_live();
                self.push(Entry::stored(
                    at,
                    Body::Recap {
                        outcome: outcome.clone(),
                        recap: *recap,
                    },
                ));
            }
            record => self.told(at, record),
        }
        true
    }

    /// What the program did, in a row of its own.
    fn told(&mut self, at: i64, record: &Record) {
        match record {
            Record::Granted { grant, revoked } if *revoked => {
                let rule = &grant.rule;
                self.stage(
                    at,
                    Severity::Info,
                    format!("taken back: {} {}", rule.action, rule.resource),
                );
            }
            Record::ChecklistChanged {
                speaker: Speaker::Person,
                change,
                ..
            } => {
                let text = match change.as_str() {
                    "" => "you changed the checklist".to_owned(),
                    change => format!("checklist: you {change}"),
                };
                self.stage(at, Severity::Info, text);
            }
            Record::GoalChanged { goal, .. } => {
                let severity = if goal.reason.is_empty() {
                    Severity::Info
                } else {
                    Severity::Warning
                };
                self.stage(at, severity, goal.told());
            }
            Record::StageDirection { severity, text } => self.stage(at, *severity, text.clone()),
            Record::Hooked { note } => {
                let (severity, text) = note.told();
                self.stage(at, severity, text);
            }
            Record::WindowChanged {
                entries,
                change,
                speaker,
            } => {
                let text = change.told(entries.len(), *speaker == Speaker::Person);
                self.stage(at, Severity::Info, text);
            }
            Record::Compacted { compaction } => {
                self.stage(at, Severity::Info, compaction.told());
            }
            Record::CompactionUndone { .. } => {
                let text = "the compaction is undone: the window holds what it held before";
                self.stage(at, Severity::Info, text.to_owned());
            }
            _ => {}
        }
    }

    fn stage(&mut self, at: i64, severity: Severity, text: String) {
        self.push(Entry::stored(at, Body::Stage { severity, text }));
    }

    fn settings(&mut self, at: i64, settings: &crate::domain::session::SessionSettings) {
        self.is_script = settings.model.is_script;
        // The settings that a session begins with are in the header.
        if self.is_empty() {
            return;
        }
        let text = format!(
            "now: {} ▸ {} · {} · {} · net:{}",
            settings.model.profile,
            settings.model.model_id,
            settings.level.name(),
            settings.mode.name(),
            settings.network.name(),
        );
        self.stage(at, Severity::Info, text);
    }

    fn said(&mut self, at: i64, speaker: &Speaker, lane: crate::domain::record::Lane, text: &str) {
        if *speaker == Speaker::Program {
            self.stage(at, Severity::Info, text.to_owned());
            return;
        }
        self.push(Entry::stored(
            at,
            Body::Said {
                speaker: speaker.clone(),
                lane,
                text: text.to_owned(),
            },
        ));
    }

    fn reply(&mut self, at: i64, message: &ChatMessage, end: &ReplyEnd) {
        self.starts_inside_turn |= !self.saw_turn_start;
        let live = self.take_live();
        let begin = self.entries.len();
        for block in &message.blocks {
            let Some(body) = self.body(block, false) else {
                continue;
            };
            let call = match &body {
                Body::Call(call) if self.calls.contains_key(&call.call.id) => continue,
                Body::Call(call) => Some(call.call.id.clone()),
                _ => None,
            };
            let fold = live
                .get(self.entries.len() - begin)
                .filter(|live| same_kind(&live.body, &body))
                .and_then(|live| live.fold);
            let key = self.push(Entry {
                at_ms: Some(at),
                fold,
                body,
            });
            if let Some(call) = call {
                self.calls.insert(call, key);
            }
        }
        if let Some((severity, text)) = ending(end) {
            self.stage(at, severity, text);
        }
    }

    /// A part of a reply of which the stream is not seen here (a resumed or half-known session).
    fn partial(&mut self, message: &ChatMessage) {
        self.starts_inside_turn |= !self.saw_turn_start;
        if !self.live.is_empty() && !self.live_is_partial {
            return;
        }
        self.take_live();
        for block in &message.blocks {
            if let Some(body) = self.body(block, true) {
                self.live.push(Entry::coming(body));
            }
        }
        self.live_is_partial = true;
    }

    /// What is still coming will not come any more: it is kept and marked as cut.
    fn commit_live(&mut self) {
        if self.live.is_empty() {
            return;
        }
        for mut entry in self.take_live() {
            match &mut entry.body {
                Body::Reply { streaming, .. } | Body::Reasoning { streaming, .. } => {
                    *streaming = false;
                }
                // A call that was never whole never runs.
                Body::Draft { .. } => continue,
                _ => {}
            }
            self.push(entry);
        }
        if let Some((severity, text)) = ending(&ReplyEnd::Interrupted) {
            let at = self.entries.last().and_then(|entry| entry.at_ms);
            self.push(Entry {
                at_ms: at,
                fold: None,
                body: Body::Stage { severity, text },
            });
        }
    }

    fn body(&self, block: &ContentBlock, streaming: bool) -> Option<Body> {
        match block {
            ContentBlock::Text { text } if !text.trim().is_empty() => Some(Body::Reply {
                document: Document::new(text.as_str()),
                is_labelled: self.label_is_due(),
                streaming,
            }),
            ContentBlock::Reasoning { text } if !text.trim().is_empty() => Some(Body::Reasoning {
                text: text.clone(),
                streaming,
            }),
            ContentBlock::ToolCall(call) => Some(Body::Call(Box::new(Call::new(call.clone())))),
            ContentBlock::Text { .. }
            | ContentBlock::Reasoning { .. }
            | ContentBlock::ToolResult(_) => None,
        }
    }

    fn call_started(&mut self, at: i64, call: &CallId) -> bool {
        let Some(call) = self.call(call) else {
            return false;
        };
        call.started_ms = Some(at);
        if call.stage != CallStage::Done {
            call.stage = CallStage::Running;
        }
        true
    }

    fn decided(&mut self, request: RequestId, decision: &ApprovalDecision) -> bool {
        let Some(call) = self.asked(request) else {
            return false;
        };
        let asked = call
            .approvals
            .iter_mut()
            .find(|(asked, _)| asked.id == request);
        if let Some((_, answer)) = asked {
            *answer = Some(decision.clone());
        }
        true
    }

    fn answered(&mut self, request: RequestId, outcome: &FormOutcome) -> bool {
        let Some(call) = self.asked(request) else {
            return false;
        };
        if let Some((_, answer)) = &mut call.question {
            *answer = Some(outcome.clone());
        }
        true
    }

    fn result(&mut self, result: &ToolResult) -> bool {
        let Some(call) = self.call(&result.call) else {
            return false;
        };
        call.stage = CallStage::Done;
        call.output = String::new();
        call.result = Some(result.clone());
        true
    }

    /// A command of the person's has ended: it stands where the log has it, behind what came while it ran.
    fn person_ran(&mut self, at: i64, command: &str, result: &ToolResult, shared: bool) {
        let fold = self
            .calls
            .remove(&result.call)
            .and_then(|key| self.remove(key))
            .and_then(|running| running.fold);
        let mut call = Call::by_person(result.call.clone(), command, shared);
        call.stage = CallStage::Done;
        call.result = Some(result.clone());
        self.push(Entry {
            at_ms: Some(at),
            fold,
            body: Body::Call(Box::new(call)),
        });
    }
}

/// Whether a stored entry takes over what the person chose for the live one in its place.
fn same_kind(live: &Body, stored: &Body) -> bool {
    matches!(
        (live, stored),
        (Body::Reply { .. }, Body::Reply { .. })
            | (Body::Reasoning { .. }, Body::Reasoning { .. })
            | (Body::Draft { .. } | Body::Call(_), Body::Call(_))
    )
}

/// What is said behind a reply that did not end by itself.
fn ending(end: &ReplyEnd) -> Option<(Severity, String)> {
    let (severity, text) = match end {
        ReplyEnd::Complete | ReplyEnd::ToolCalls => return None,
        ReplyEnd::OutputLimit => (
            Severity::Warning,
            "cut at the output limit; no call of this reply ran".to_owned(),
        ),
        ReplyEnd::Refused => (
            Severity::Warning,
            "the provider refused to go on".to_owned(),
        ),
        ReplyEnd::CutOff => (
            Severity::Warning,
            "cut off: the stream ended early; no call of this reply ran".to_owned(),
        ),
        // Why stands in the line that ends the turn.
        ReplyEnd::Failed { .. } => (
            Severity::Error,
            "the reply broke off here; no call of it ran".to_owned(),
        ),
        ReplyEnd::Interrupted => (Severity::Info, "interrupted here".to_owned()),
    };
    Some((severity, text))
}
