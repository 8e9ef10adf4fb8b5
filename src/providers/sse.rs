//! Server-sent events out of bytes, however they were cut.
//!
//! Lines are decoded only when whole, so a character split across reads is never damaged. Unlike the standard
//! says, a last event without its closing blank line counts too ([`Parser::end`]), since local servers end so;
//! it is marked, because it may be cut. An event is bounded in size.

/// The most bytes that one event may have.
pub(super) const EVENT_LIMIT: usize = 16 * 1024 * 1024;

/// One event.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct SseEvent {
    /// The `event:` field; empty when there was none.
    pub(super) name: String,
    /// The `data:` lines, joined by line feeds.
    pub(super) data: String,
}

/// An event is larger than [`EVENT_LIMIT`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TooLong;

/// Takes bytes and gives events.
#[derive(Clone, Debug, Default)]
pub(super) struct Parser {
    line: Vec<u8>,
    event: SseEvent,
    has_data: bool,
    after_return: bool,
    after_first_line: bool,
}

impl Parser {
    /// A parser at the start of a stream.
    pub(super) fn new() -> Self {
        Self::default()
    }

    /// Reads bytes; whole events are appended to `events`, also when an error follows them.
    pub(super) fn push(
        &mut self,
        mut bytes: &[u8],
        events: &mut Vec<SseEvent>,
    ) -> Result<(), TooLong> {
        if bytes.is_empty() {
            return Ok(());
        }
        if std::mem::take(&mut self.after_return) {
            bytes = bytes.strip_prefix(b"\n").unwrap_or(bytes);
        }
        while let Some(end) = bytes.iter().position(|byte| matches!(byte, b'\n' | b'\r')) {
            let (line, rest) = bytes.split_at(end);
            self.line.extend_from_slice(line);
            self.check_size()?;
            events.extend(self.take_line());
            bytes = match rest {
                [b'\r', b'\n', rest @ ..] | [_, rest @ ..] => rest,
                [] => rest,
            };
            self.after_return = rest == b"\r";
        }
        self.line.extend_from_slice(bytes);
        self.check_size()
    }

    /// The event that was still open when the stream ended; it may be cut.
    pub(super) fn end(&mut self) -> Option<SseEvent> {
        let whole = if self.line.is_empty() {
            None
        } else {
            self.take_line()
        };
        whole.or_else(|| self.take_event())
    }

    fn check_size(&self) -> Result<(), TooLong> {
        if self.line.len() + self.event.data.len() > EVENT_LIMIT {
            return Err(TooLong);
        }
        Ok(())
    }

    /// Reads the collected line; a blank one ends the event.
    fn take_line(&mut self) -> Option<SseEvent> {
        let line = std::mem::take(&mut self.line);
        let mut bytes = line.as_slice();
        if !self.after_first_line {
            self.after_first_line = true;
            bytes = bytes.strip_prefix("\u{feff}".as_bytes()).unwrap_or(bytes);
        }
        let text = String::from_utf8_lossy(bytes);
        if text.is_empty() {
            self.reuse(line);
            return self.take_event();
        }
        let (field, value) = text.split_once(':').unwrap_or((&text, ""));
        let value = value.strip_prefix(' ').unwrap_or(value);
        match field {
            "data" => self.add_data(value),
            "event" => value.clone_into(&mut self.event.name),
            // Not in the standard, but sent by some servers in place of an event.
            "error" => {
                "error".clone_into(&mut self.event.name);
                self.add_data(value);
            }
            // A comment, `id`, `retry`, or something unknown.
            _ => {}
        }
        self.reuse(line);
        None
    }

    fn add_data(&mut self, value: &str) {
        if self.has_data {
            self.event.data.push('\n');
        }
        self.has_data = true;
        self.event.data.push_str(value);
    }

    /// Keeps the buffer for the next line.
    fn reuse(&mut self, mut line: Vec<u8>) {
        line.clear();
        self.line = line;
    }

    /// The event so far, when it has data; a name alone is nothing.
    fn take_event(&mut self) -> Option<SseEvent> {
        let event = std::mem::take(&mut self.event);
        std::mem::take(&mut self.has_data).then_some(event)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn event(name: &str, data: &str) -> SseEvent {
        SseEvent {
            name: name.to_owned(),
            data: data.to_owned(),
        }
    }

    fn read(parts: &[&[u8]]) -> (Vec<SseEvent>, Option<SseEvent>) {
        let mut parser = Parser::new();
        let mut events = Vec::new();
        for part in parts {
            parser.push(part, &mut events).unwrap();
        }
        (events, parser.end())
    }

    const STREAM: &str = "\u{feff}data: 猫😀\n\n: still working\n:\nid: 7\nretry: 900\n\nevent: ping\r\n\
        data: {}\r\n\r\ndata:a\rdata: b\r\revent: name only\n\ndata\n\ndata: x:  y \n\nerror: {}\n\ndata: open";

    #[test]
    fn comments_and_unused_fields_are_skipped_and_every_line_end_is_known() {
        let expected = vec![
            event("", "猫😀"),
            event("ping", "{}"),
            event("", "a\nb"),
            event("", ""),
            event("", "x:  y "),
            event("error", "{}"),
        ];

        assert_eq!(
            read(&[STREAM.as_bytes()]),
            (expected, Some(event("", "open")))
        );
    }

    #[test]
    fn where_reads_are_cut_makes_no_difference() {
        let bytes = STREAM.as_bytes();
        let whole = read(&[bytes]);

        for cut in 0..=bytes.len() {
            assert_eq!(read(&[&bytes[..cut], &bytes[cut..]]), whole, "cut at {cut}");
            assert_eq!(
                read(&[&bytes[..cut], b"", &bytes[cut..]]),
                whole,
                "cut at {cut}"
            );
        }
        let single: Vec<&[u8]> = bytes.chunks(1).collect();
        assert_eq!(read(&single), whole);
    }

    #[test]
    fn an_endless_line_or_event_is_refused() {
        let mut events = Vec::new();
        let piece = vec![b'x'; EVENT_LIMIT / 2 + 1];

        let mut parser = Parser::new();
        assert_eq!(parser.push(&piece, &mut events), Ok(()));
        assert_eq!(parser.push(&piece, &mut events), Err(TooLong));

        let mut parser = Parser::new();
        parser.push(b"data: ", &mut events).unwrap();
        parser.push(&piece, &mut events).unwrap();
        parser.push(b"\ndata: ", &mut events).unwrap();
        assert_eq!(parser.push(&piece, &mut events), Err(TooLong));
        assert_eq!(events, []);
    }
}
