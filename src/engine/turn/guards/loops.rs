//! Loop detection: the same call with the same result again and again, or arguments that repeat themselves.

use std::hash::{DefaultHasher, Hash, Hasher};

use crate::domain::tool::{ToolCall, ToolResult};

/// After so many equal calls in a row the model is told.
pub const TOLD_AFTER: u32 = 3;
/// After so many the turn ends.
pub const STOPPED_AFTER: u32 = 6;
/// Most bytes of arguments of one call.
pub const ARGUMENT_BYTES: usize = 256 * 1024;
/// A pattern of 4 to 64 characters that fills this many is a loop.
const REPEATED: usize = 256;
/// So many of one character are a loop; fewer are a rule or padding.
const REPEATED_ONE: usize = 4096;

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
        // The words of two pictures may be the same.
        for attached in &result.attachments {
            attached.id.as_str().hash(&mut hasher);
        }
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

/// What a streamed argument repeats at its end: one pattern of 4 to 64 characters over 256 or more, or one character
/// over many more.
pub fn repeats(text: &str) -> Option<String> {
    let mut backwards = text.chars().rev();
    let mut tail: Vec<char> = backwards.by_ref().take(REPEATED).collect();
    if tail.len() < REPEATED {
        return None;
    }
    tail.reverse();
    let last = tail.last()?;
    if tail.iter().all(|letter| letter == last) {
        let more = backwards.take_while(|letter| letter == last);
        let enough = more.take(REPEATED_ONE - REPEATED).count() == REPEATED_ONE - REPEATED;
        return enough.then(|| last.to_string());
    }
    let repeated = |period: &usize| {
        tail.iter()
            .zip(tail.iter().skip(*period))
            .all(|(a, b)| a == b)
    };
    let period = (4..=64).find(repeated)?;
    Some(tail.iter().take(period).collect())
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
    fn another_call_starts_the_count_again() {
        let mut loops = Loops::default();
        let mut note = |path: &str| loops.note(&call(json!({ "path": path })), &result("same"));

        let seen: Vec<Seen> = ["a", "a", "b", "a", "a", "a"].map(&mut note).into();

        assert_eq!(seen[..5], [Seen::Fresh; 5]);
        assert_eq!(seen[5], Seen::Repeated(3));
    }

    #[test]
    fn a_repeated_pattern_is_seen_and_prose_and_rules_are_not() {
        let seen = |text: &str| repeats(text).is_some();
        assert_eq!(repeats(&"abcd".repeat(64)).as_deref(), Some("abcd"));
        assert!(seen(&format!("start {}", "return 0;\n".repeat(40))));
        // Counted in characters, however many bytes each takes.
        let long: String = ('一'..).take(64).collect();
        assert_eq!(repeats(&long.repeat(4)).as_deref(), Some(long.as_str()));
        assert!(!seen(&long.repeat(3)));
        assert!(!seen(&"-".repeat(1000)));
        assert_eq!(repeats(&"-".repeat(4096)).as_deref(), Some("-"));
        assert!(!seen(&"abcd".repeat(10)));
        let prose: String = (0..200).map(|n| format!("line {n}\n")).collect();
        assert!(!seen(&prose));
    }
}
