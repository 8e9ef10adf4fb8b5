//! A conversation that is told record by record, so that the same records can be shown live and as a past.

use quarterdeck::{
    domain::{
        chat::{ChatMessage, ContentBlock, Role},
        display::Display,
        ids::{AgentId, CallId, Sequence, TurnId},
        record::{Lane, Record, ReplyEnd, Speaker, Stored, TurnOutcome, TurnRecap},
        tool::{CallStatus, ToolCall, ToolResult},
        usage::Usage,
    },
    engine::event::{Delta, EventKind, Opened},
    ui::{focus::Pane, rows::Row},
};
use serde_json::Value;

use super::{
    golden::{NOW_MS, Stage},
    sample,
};

/// A session under test and the records that it has stored.
pub(crate) struct Talk {
    /// The screen.
    pub(crate) stage: Stage,
    /// What was stored, oldest first.
    pub(crate) records: Vec<Stored>,
}

impl Talk {
    /// A session in which nothing was said.
    pub(crate) fn new(columns: u16, rows: u16) -> Self {
        Self {
            stage: sample::opened(columns, rows),
            records: Vec::new(),
        }
    }

    /// The same with the conversation focused and alone on the screen.
    pub(crate) fn zoomed(columns: u16, rows: u16) -> Self {
        let mut talk = Self::new(columns, rows);
        talk.stage.press("alt+1 alt+z");
        assert_eq!(talk.stage.model.screen.focus, Pane::Conversation);
        talk
    }

    /// Stores a record of the main agent and tells it.
    pub(crate) fn record(&mut self, record: Record) {
        let stored = Stored {
            sequence: Sequence(self.records.len() as u64 + 1),
            at_ms: NOW_MS - 60_000,
            agent: AgentId::main(),
            record,
        };
        self.records.push(stored.clone());
        self.stage
            .event("main", EventKind::Recorded(Box::new(stored)));
    }

    /// A piece of a reply comes.
    pub(crate) fn delta(&mut self, delta: Delta) {
        self.stage.event("main", EventKind::Delta(delta));
    }

    /// The person says something.
    pub(crate) fn said(&mut self, text: &str) {
        self.record(Record::Said {
            speaker: Speaker::Person,
            lane: Lane::Steer,
            text: text.to_owned(),
        });
    }

    /// The model replies.
    pub(crate) fn reply(&mut self, blocks: Vec<ContentBlock>, end: ReplyEnd) {
        self.record(Record::Reply {
            message: ChatMessage {
                role: Role::Assistant,
                blocks,
                provider: None,
            },
            end,
            usage: Usage::default(),
        });
    }

    /// The model replies with words.
    pub(crate) fn words(&mut self, text: &str) {
        self.reply(vec![words(text)], ReplyEnd::Complete);
    }

    /// A call is asked for, runs and ends.
    pub(crate) fn called(&mut self, name: &str, arguments: Value, result: ToolResult) {
        let call = result.call.clone();
        self.reply(
            vec![ContentBlock::ToolCall(ToolCall {
                id: call.clone(),
                name: name.to_owned(),
                arguments,
                malformed: None,
            })],
            ReplyEnd::ToolCalls,
        );
        self.record(Record::CallStarted { call });
        self.record(Record::Result { result });
    }

    /// A turn begins.
    pub(crate) fn turn(&mut self) {
        self.record(Record::TurnStarted { turn: TurnId(1) });
    }

    /// The turn ends.
    pub(crate) fn end(&mut self, outcome: TurnOutcome, recap: TurnRecap) {
        self.record(Record::TurnFinished {
            turn: TurnId(1),
            outcome,
            recap,
        });
    }

    /// The same session opened anew, its past told in pages of this many records, latest page first.
    pub(crate) fn resumed(&self, page: usize) -> Stage {
        self.resumed_as(page, sample::opening())
    }

    /// The same with what is told at the opening.
    pub(crate) fn resumed_as(&self, page: usize, opening: Opened) -> Stage {
        let screen = &self.stage.model.screen;
        let mut stage = Stage::new(screen.columns, screen.rows);
        let opened = Opened {
            resumed: true,
            ..opening
        };
        stage.event("main", EventKind::Opened(Box::new(opened)));
        let mut end = self.records.len();
        while end > 0 {
            let start = end.saturating_sub(page);
            let history = EventKind::History {
                records: self.records[start..end].to_vec(),
                more: start > 0,
            };
            stage.event("main", history);
            end = start;
        }
        stage
    }

    /// The rows of the conversation's content.
    pub(crate) fn rows(&self) -> Vec<String> {
        content(&self.stage)
    }
}

/// The rows inside the conversation's border.
pub(crate) fn content(stage: &Stage) -> Vec<String> {
    let layout = quarterdeck::ui::view::layout(&stage.model);
    let inner = layout.of(Pane::Conversation).unwrap().inner;
    let buffer = stage.buffer();
    (inner.top()..inner.bottom())
        .map(|y| {
            let mut row = String::new();
            let mut covered = 0;
            for x in inner.left()..inner.right() {
                if covered > 0 {
                    covered -= 1;
                    continue;
                }
                let symbol = buffer[(x, y)].symbol();
                row.push_str(symbol);
                covered = unicode_width::UnicodeWidthStr::width(symbol).saturating_sub(1);
            }
            row.trim_end().to_owned()
        })
        .collect()
}

/// Words of a reply.
pub(crate) fn words(text: &str) -> ContentBlock {
    ContentBlock::Text {
        text: text.to_owned(),
    }
}

/// Thoughts of a reply.
pub(crate) fn thought(text: &str) -> ContentBlock {
    ContentBlock::Reasoning {
        text: text.to_owned(),
    }
}

/// A result of a call that ran.
pub(crate) fn result(id: &str, outcome: &str, text: &str, display: Display) -> ToolResult {
    ToolResult {
        call: CallId::new(id),
        status: CallStatus::Done,
        text: text.to_owned(),
        display,
        outcome: outcome.to_owned(),
        artifact: None,
        attachments: Vec::new(),
        elapsed_ms: 120,
        seen: None,
    }
}

/// The texts of rows.
pub(crate) fn texts(rows: &[Row]) -> Vec<String> {
    rows.iter()
        .map(|row| row.text().trim_end().to_owned())
        .collect()
}
