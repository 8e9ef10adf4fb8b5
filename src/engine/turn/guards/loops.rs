//! Loop detection: the same call with the same result again and again, or arguments that repeat themselves.

use std::hash::{DefaultHasher, Hash, Hasher};

use crate::domain::tool::{ToolCall, ToolResult};

/// After so many equal calls in a row the model is told.
pub const TOLD_AFTER: u32 = 3;
/// After so many the turn ends.
pub const STOPPED_AFTER: u32 = 6;
/// Most bytes of arguments of one call.
pub const ARGUMENT_BYTES: usize = 256 * 1024;
/// A pattern of 4 to 64 characters that fills this many bytes is a loop.
const REPEATED_BYTES: usize = 256;

/// Remembers the last call by fingerprint.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Loops {
    last: u64,
    times: u32,
}

/// What the detector says of a finished call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Seen {
    /// Nothing.
    Fresh,
    /// The same, this many times in a row: tell the model.
    Repeated(u32),
    /// Too often: end the turn.
    Endless,
}

impl Loops {
    /// Notes a finished call.
    pub fn note(&mut self, call: &ToolCall, result: &ToolResult) -> Seen {
        let mut hasher = DefaultHasher::new();
        call.name.hash(&mut hasher);
        call.arguments.to_string().hash(&mut hasher);
        call.malformed.hash(&mut hasher);
        result.text.hash(&mut hasher);
        let fingerprint = hasher.finish();
        self.times = if fingerprint == self.last {
            self.times + 1
        } else {
            1
        };
        self.last = fingerprint;
        match self.times {
            times if times >= STOPPED_AFTER => Seen::Endless,
            times if times >= TOLD_AFTER => Seen::Repeated(times),
            _ => Seen::Fresh,
        }
    }
}

/// Whether the end of a streamed argument repeats one pattern of 4 to 64 bytes for 256 bytes or more. Runs
/// of one character (rules, padding) are no pattern.
pub fn repeats(text: &str) -> bool {
    let bytes = text.as_bytes();
    if bytes.len() < REPEATED_BYTES {
        return false;
    }
    let tail = &bytes[bytes.len() - REPEATED_BYTES..];
    if tail.iter().all(|byte| *byte == tail[0]) {
        return false;
    }
    (4..=64).any(|period| {
        let pattern = &tail[..period];
        let uniform = pattern.iter().all(|byte| *byte == pattern[0]);
        !uniform
            && tail
                .iter()
                .zip(tail.iter().skip(period))
                .all(|(a, b)| a == b)
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::domain::{ids::CallId, tool::CallStatus};

    fn call(arguments: serde_json::Value) -> ToolCall {
        ToolCall {
            id: CallId::new("c"),
            name: "file_read".to_owned(),
            arguments,
            malformed: None,
        }
    }

    fn result(text: &str) -> ToolResult {
        ToolResult::plain(CallId::new("c"), CallStatus::Done, text)
    }

    #[test]
    fn equal_calls_are_told_at_three_and_end_at_six() {
        let mut loops = Loops::default();
        let seen: Vec<Seen> = (0..6)
            .map(|_| loops.note(&call(json!({"path": "a"})), &result("same")))
            .collect();

        assert_eq!(
            seen,
            [
                Seen::Fresh,
                Seen::Fresh,
                Seen::Repeated(3),
                Seen::Repeated(4),
                Seen::Repeated(5),
                Seen::Endless
            ]
        );
    }

    #[test]
    fn another_output_starts_the_count_again() {
        let mut loops = Loops::default();
        loops.note(&call(json!({"path": "a"})), &result("one"));
        loops.note(&call(json!({"path": "a"})), &result("one"));

        assert_eq!(
            loops.note(&call(json!({"path": "a"})), &result("two")),
            Seen::Fresh
        );
        assert_eq!(
            loops.note(&call(json!({"path": "a"})), &result("two")),
            Seen::Fresh
        );
    }

    #[test]
    fn a_repeated_pattern_is_seen_and_prose_and_rules_are_not() {
        assert!(repeats(&"abcd".repeat(64)));
        assert!(repeats(&format!("start {}", "return 0;\n".repeat(40))));
        assert!(!repeats(&"-".repeat(1000)));
        assert!(!repeats(&"abcd".repeat(10)));
        let prose: String = (0..200).map(|n| format!("line {n}\n")).collect();
        assert!(!repeats(&prose));
    }
}
