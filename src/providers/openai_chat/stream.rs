//! The machine from bytes of an answer to events of a reply.
//!
//! Pure and synchronous: bytes go in cut anywhere, events come out. `Finished` is given once, last, and only when
//! the server said that the reply had ended; whatever was cut gives no `Finished`, so its calls never run. Words or
//! calls behind an end marker take it back: some servers put one on every event, and only the last one counts.

use serde_json::Value;

use super::{
    calls::Calls,
    chunk::{self, Choice, Chunk, Delta},
    pieces::add,
    reasoning::Reasoning,
    report,
};
use crate::{
    domain::{model_info::Price, usage::Usage},
    providers::{
        contract::{FinishReason, StreamEvent},
        error::ProviderError,
        failure::Endpoint,
        sse::{self, SseEvent},
        words,
    },
};

/// The most bytes of a reply that is not streamed.
const WHOLE_LIMIT: usize = 32 * 1024 * 1024;
/// How many bytes are looked at to tell a stream from something else.
const SNIFF_LIMIT: usize = 1024;

/// What the answer turned out to be.
#[derive(Clone)]
enum Form {
    /// Not known yet: only blank bytes so far.
    Unknown(Vec<u8>),
    Events(sse::Parser),
    /// One JSON text, not streamed.
    Whole(Vec<u8>),
}

/// Reads one reply.
#[derive(Clone)]
pub(super) struct ReplyReader {
    endpoint: Endpoint,
    origin: String,
    status: u16,
    request_id: Option<String>,
    price: Option<Price>,
    form: Form,
    calls: Calls,
    reasoning: Reasoning,
    private: Option<Value>,
    usage: Option<Usage>,
    finish: Option<FinishReason>,
    refused: bool,
    shown: bool,
    done: bool,
}

impl ReplyReader {
    /// A reader at the start of an accepted answer. `origin` is the server that private fields go back to.
    pub(super) fn new(
        endpoint: Endpoint,
        origin: String,
        status: u16,
        request_id: Option<String>,
        price: Option<Price>,
    ) -> Self {
        Self {
            endpoint,
            origin,
            status,
            request_id,
            price,
            form: Form::Unknown(Vec::new()),
            calls: Calls::default(),
            reasoning: Reasoning::default(),
            private: None,
            usage: None,
            finish: None,
            refused: false,
            shown: false,
            done: false,
        }
    }

    /// Whether the server has said that nothing follows.
    pub(super) fn is_done(&self) -> bool {
        self.done
    }

    /// Whether the reply itself has ended; at most a usage report follows.
    pub(super) fn is_finished(&self) -> bool {
        self.finish.is_some()
    }

    /// Whether any part of the reply has come.
    pub(super) fn has_shown(&self) -> bool {
        self.shown
    }

    /// Whether the answer comes in one piece, which says nothing before its end.
    pub(super) fn is_whole(&self) -> bool {
        matches!(self.form, Form::Whole(_))
    }

    /// Reads bytes. Events are appended to `events`, also when an error follows them.
    pub(super) fn push(
        &mut self,
        bytes: &[u8],
        events: &mut Vec<StreamEvent>,
    ) -> Result<(), ProviderError> {
        if self.done {
            return Ok(());
        }
        match &mut self.form {
            Form::Unknown(start) => {
                start.extend_from_slice(bytes);
                let start = std::mem::take(start);
                self.sniff(start, events)
            }
            Form::Whole(body) => {
                body.extend_from_slice(bytes);
                if body.len() > WHOLE_LIMIT {
                    return Err(self.endpoint.malformed("an answer without end"));
                }
                Ok(())
            }
            Form::Events(parser) => {
                let mut found = Vec::new();
                let read = parser.push(bytes, &mut found);
                for event in found {
                    if self.done {
                        return Ok(());
                    }
                    self.read_event(&event, false, events)?;
                }
                read.map_err(|sse::TooLong| self.endpoint.malformed("an event without end"))
            }
        }
    }

    /// The answer has ended, by the server's word or by a cut.
    pub(super) fn end(&mut self, events: &mut Vec<StreamEvent>) -> Result<(), ProviderError> {
        match &mut self.form {
            Form::Unknown(_) => {}
            Form::Whole(body) => {
                let body = std::mem::take(body);
                self.read_whole(&body, events)?;
            }
            Form::Events(parser) => {
                if let Some(event) = parser.end().filter(|_| !self.done) {
                    self.read_event(&event, true, events)?;
                }
            }
        }
        self.done = true;
        self.finish(events);
        Ok(())
    }

    /// Finds out what the answer is by its first byte that is not blank.
    fn sniff(
        &mut self,
        start: Vec<u8>,
        events: &mut Vec<StreamEvent>,
    ) -> Result<(), ProviderError> {
        let mark = "\u{feff}".as_bytes();
        let text = start.strip_prefix(mark).unwrap_or(&start);
        let first = text.iter().find(|byte| !byte.is_ascii_whitespace());
        self.form = match first {
            None if start.len() < SNIFF_LIMIT => {
                self.form = Form::Unknown(start);
                return Ok(());
            }
            // The mark itself may be cut.
            Some(_) if start.len() < mark.len() && mark.starts_with(&start) => {
                self.form = Form::Unknown(start);
                return Ok(());
            }
            Some(b'<') => {
                return Err(self.endpoint.web_page(self.status, self.request_id.clone()));
            }
            Some(b'{' | b'[') => Form::Whole(Vec::new()),
            _ => Form::Events(sse::Parser::new()),
        };
        self.push(&start, events)
    }

    fn read_event(
        &mut self,
        event: &SseEvent,
        cut: bool,
        events: &mut Vec<StreamEvent>,
    ) -> Result<(), ProviderError> {
        let data = event.data.trim();
        if data == "[DONE]" {
            self.done = true;
            // For words the mark is enough; calls need the reason, since a relay adds the mark to a cut stream too.
            if self.finish.is_none() && self.shown && self.calls.is_empty() {
                self.finish = Some(FinishReason::Stop);
            }
            return Ok(());
        }
        if data.is_empty() {
            return Ok(());
        }
        match serde_json::from_str::<Chunk>(data) {
            Ok(chunk) if event.name != "error" && chunk.choices.is_some() => {
                self.read_chunk(chunk, events)
            }
            // What was open when the stream ended is cut, not wrong.
            Err(_) if cut => Ok(()),
            _ => self.read_odd(event, data, events),
        }
    }

    /// An event that holds no choices: an error, a usage report, or nothing to us.
    fn read_odd(
        &mut self,
        event: &SseEvent,
        data: &str,
        events: &mut Vec<StreamEvent>,
    ) -> Result<(), ProviderError> {
        let value = match serde_json::from_str::<Value>(data) {
            Ok(value) => value,
            Err(_) if event.name == "error" => Value::String(data.to_owned()),
            Err(_) if event.name == "ping" => return Ok(()),
            Err(_) => return Err(self.endpoint.malformed(&format!("no JSON ({data})"))),
        };
        let named = |name: &str| value.get(name).filter(|field| !field.is_null());
        if event.name == "error" || chunk::is_error(&value) {
            return Err(self.broken_off(&value));
        }
        if named("choices").is_some() {
            return Err(self
                .endpoint
                .malformed(&format!("choices of no known form ({data})")));
        }
        if let Some(usage) = named("usage") {
            self.read_usage(usage, events);
        }
        Ok(())
    }

    fn read_chunk(
        &mut self,
        chunk: Chunk,
        events: &mut Vec<StreamEvent>,
    ) -> Result<(), ProviderError> {
        if let Some(usage) = &chunk.usage {
            self.read_usage(usage, events);
        }
        let choices = chunk.choices.into_iter().flatten();
        let mut first = choices.filter(Choice::is_first);
        let read = first.try_for_each(|choice| self.read_choice(choice, events));
        match chunk.error {
            Some(error) => Err(self.broken_off(&error)),
            None => read,
        }
    }

    fn read_choice(
        &mut self,
        choice: Choice,
        events: &mut Vec<StreamEvent>,
    ) -> Result<(), ProviderError> {
        for delta in [choice.delta, choice.message].into_iter().flatten() {
            self.read_delta(delta, events)?;
        }
        if let Some(error) = choice.error {
            return Err(self.broken_off(&error));
        }
        let reason = choice.finish_reason.0;
        if !reason.is_empty() {
            let known = report::finish_reason(&reason);
            let broken = || self.broken_off(&Value::String(format!("the server says {reason}")));
            self.finish = Some(known.ok_or_else(broken)?);
        }
        Ok(())
    }

    fn read_delta(
        &mut self,
        mut delta: Delta,
        events: &mut Vec<StreamEvent>,
    ) -> Result<(), ProviderError> {
        // Reasoning among the words is only shown: the servers that send it so refuse other fields for it.
        let reasoning = self.reasoning.push(&mut delta) + &delta.content.thinking;
        if !reasoning.is_empty() {
            self.said_more();
        }
        add(events, StreamEvent::Reasoning(reasoning));
        self.refused |= !delta.refusal.0.is_empty();
        for words in [delta.content.words, delta.refusal.0] {
            if !words.is_empty() {
                self.said_more();
                self.give_reasoning(events);
                add(events, StreamEvent::Text(words));
            }
        }
        for entries in [delta.tool_calls, delta.function_call]
            .into_iter()
            .flatten()
        {
            self.give_reasoning(events);
            let mut found = Vec::new();
            let taken = self.calls.push(&entries, &mut found).map_err(|_| {
                self.endpoint
                    .malformed("more tool calls than a reply can hold")
            })?;
            if taken {
                self.said_more();
            }
            for event in found {
                add(events, event);
            }
        }
        Ok(())
    }

    /// A part of the reply has come: an end marker before it was none.
    fn said_more(&mut self) {
        self.shown = true;
        self.finish = None;
    }

    fn read_usage(&mut self, said: &Value, events: &mut Vec<StreamEvent>) {
        let Some(usage) = report::usage(said, self.price.as_ref()) else {
            return;
        };
        if self.usage != Some(usage) {
            self.usage = Some(usage);
            events.push(StreamEvent::Usage(usage));
        }
    }

    fn read_whole(
        &mut self,
        body: &[u8],
        events: &mut Vec<StreamEvent>,
    ) -> Result<(), ProviderError> {
        let value: Value = match serde_json::from_slice(body) {
            Ok(value) => value,
            Err(error) if error.is_eof() => return Ok(()),
            Err(_) => return Err(self.endpoint.malformed("neither a stream nor JSON")),
        };
        let is_reply = value.get("choices").is_some_and(Value::is_array);
        let said = words::of_value(&value);
        match serde_json::from_value::<Chunk>(value.clone()) {
            Ok(chunk) if is_reply => {
                self.read_chunk(chunk, events)?;
                // A whole reply needs no end marker.
                self.finish = self.finish.or(self.shown.then_some(FinishReason::Stop));
                Ok(())
            }
            _ if said.is_some() => Err(self.broken_off(&value)),
            _ => Err(self.endpoint.malformed("JSON that is no reply")),
        }
    }

    /// Gives the reasoning that has to be sent back as soon as it pauses, so that it survives a cut.
    fn give_reasoning(&mut self, events: &mut Vec<StreamEvent>) {
        if self.reasoning.take_changed() {
            self.give_private(events);
        }
    }

    /// Gives all that has to be sent back, when it differs from what was last given.
    fn give_private(&mut self, events: &mut Vec<StreamEvent>) {
        let private = self.reasoning.private(&self.origin, self.calls.extras());
        if private.is_some() && private != self.private {
            events.extend(private.clone().map(StreamEvent::Private));
            self.private = private;
        }
    }

    fn finish(&mut self, events: &mut Vec<StreamEvent>) {
        let Some(reason) = self.finish else {
            self.give_private(events);
            return;
        };
        self.calls.finish(events);
        self.give_private(events);
        events.push(StreamEvent::Finished(match reason {
            FinishReason::Stop if !self.calls.is_empty() => FinishReason::ToolCalls,
            FinishReason::Stop if self.refused => FinishReason::Refused,
            FinishReason::ToolCalls if self.calls.is_empty() => FinishReason::Stop,
            reason => reason,
        }));
    }

    fn broken_off(&self, error: &Value) -> ProviderError {
        self.endpoint
            .in_stream(error, self.shown, self.request_id.clone())
    }
}

#[cfg(test)]
#[path = "stream_tests.rs"]
mod tests;
