//! What a hook may say, read from what it printed and how it ended.
//!
//! Nothing is guessed: a key that is not known, or a text where an object should be, is a fault of the hook, so that a
//! misspelt denial is never taken for consent.

use serde::Deserialize;
use serde_json::{Map, Value};

use crate::{
    process::{exchange::Answer as Printed, spawn::End},
    text::{sanitize::clean_line, truncate},
};

/// Bytes that a hook may print.
pub const MOST_OUTPUT: usize = 1024 * 1024;
/// Bytes of words that are told on.
const MOST_WORDS: usize = 2_000;
/// Bytes that it may add for the model.
const MOST_CONTEXT: usize = 16_000;
/// The exit code that denies without a word of JSON.
const DENIES: i32 = 2;

/// What a hook decides.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Decision {
    /// It has no objection; this allows nothing that would not be allowed anyway.
    #[default]
    Allow,
    /// The person must be asked.
    Ask,
    /// It must not happen.
    Deny,
}

/// What a hook said.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Answer {
    /// What it decides.
    pub decision: Decision,
    /// Why, for the person and the model.
    pub reason: String,
    /// Arguments to take in the place of the call's.
    pub input: Option<Map<String, Value>>,
    /// An output to take in the place of the tool's.
    pub output: Option<String>,
    /// What the model should know beside it.
    pub context: Option<String>,
}

/// Reads what a hook printed. The error says in words what is wrong with it.
pub fn read(printed: &Printed, timeout_ms: u64) -> Result<Answer, String> {
    if printed.overflowed {
        return Err(format!(
            "it printed more than {} bytes and was ended",
            truncate::grouped(MOST_OUTPUT)
        ));
    }
    match printed.end {
        End::Exited(0) => said(&printed.output),
        End::Exited(DENIES) => Ok(Answer {
            decision: Decision::Deny,
            reason: words(&String::from_utf8_lossy(&printed.error)),
            ..Answer::default()
        }),
        End::Exited(code) => Err(with_error(format!("exit code {code}"), printed)),
        End::Signalled(signal) => Err(with_error(format!("ended by signal {signal}"), printed)),
        End::TimedOut => Err(format!("it took longer than {timeout_ms} ms and was ended")),
        End::Cancelled => Err("it was stopped".to_owned()),
        End::Unsupervised => Err("it killed its supervisor".to_owned()),
    }
}

fn said(output: &[u8]) -> Result<Answer, String> {
    let text = std::str::from_utf8(output).map_err(|_| "it printed what is not UTF-8")?;
    if text.trim().is_empty() {
        return Ok(Answer::default());
    }
    // A list would be taken for the fields in their order.
    let object = serde_json::from_str::<Map<String, Value>>(text);
    let answer = object.and_then(|object| serde_json::from_value(Value::Object(object)));
    let mut answer: Answer = answer.map_err(|error| {
        format!(
            "it did not print one JSON object of decision, reason, input, output, context: {error} (it printed: {})",
            truncate::head(&words(text), 80)
        )
    })?;
    answer.reason = words(&answer.reason);
    if let Some(context) = &mut answer.context
        && context.len() > MOST_CONTEXT
    {
        context.truncate(context.floor_char_boundary(MOST_CONTEXT));
        context.push_str("\n[the rest was left out: a hook may add 16,000 bytes]");
    }
    Ok(answer)
}

/// Words of a hook on one line, without what could act on a terminal.
fn words(text: &str) -> String {
    let line: Vec<&str> = text.split_whitespace().collect();
    let line = line.join(" ");
    let cut = line.floor_char_boundary(MOST_WORDS);
    clean_line(line.get(..cut).unwrap_or_default()).into_owned()
}

fn with_error(what: String, printed: &Printed) -> String {
    let error = words(&String::from_utf8_lossy(&printed.error));
    if error.is_empty() {
        what
    } else {
        format!("{what}: {}", truncate::head(&error, 200))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn printed(end: End, output: &str, error: &str) -> Printed {
        Printed {
            end,
            output: output.into(),
            overflowed: false,
            error: error.into(),
        }
    }

    fn ok(output: &str) -> Result<Answer, String> {
        read(&printed(End::Exited(0), output, ""), 100)
    }

    #[test]
    fn silence_and_an_empty_object_object_to_nothing() {
        for output in ["", " \n", "{}", "{\"decision\": \"allow\"}"] {
            assert_eq!(ok(output), Ok(Answer::default()), "{output:?}");
        }
    }

    #[test]
    fn every_key_is_read() {
        let answer = ok(
            r#"{"decision": "ask", "reason": "a\n b", "input": {"path": "x"}, "output": "o", "context": "c"}"#,
        )
        .unwrap();

        assert_eq!(answer.decision, Decision::Ask);
        assert_eq!(answer.reason, "a b");
        assert_eq!(answer.input.unwrap()["path"], "x");
        assert_eq!(answer.output.as_deref(), Some("o"));
        assert_eq!(answer.context.as_deref(), Some("c"));
    }

    #[test]
    fn what_is_not_understood_is_never_consent() {
        for output in [
            "no",
            "[]",
            "[\"allow\", \"\", null, null, null]",
            "{\"decison\": \"deny\"}",
            "{\"decision\": \"Deny\"}",
            "{\"input\": \"x\"}",
            "{} {}",
            "{\"reason\": 3}",
        ] {
            assert!(ok(output).is_err(), "{output}");
        }
        let no_text = Printed {
            output: vec![0xff],
            ..printed(End::Exited(0), "", "")
        };
        assert!(read(&no_text, 100).is_err());
    }

    #[test]
    fn exit_code_2_denies_with_the_words_of_its_error_and_any_other_is_a_fault() {
        let denied = read(
            &printed(End::Exited(2), "{}", "not \x1b[2Jon\nFriday\n"),
            100,
        );
        let denied = denied.unwrap();

        assert_eq!(denied.decision, Decision::Deny);
        assert!(!denied.reason.contains('\u{1b}'), "{}", denied.reason);
        assert!(denied.reason.ends_with("on Friday"), "{}", denied.reason);
        let faults = [
            (End::Exited(1), "exit code 1: gone"),
            (End::Signalled(9), "ended by signal 9: gone"),
            (End::TimedOut, "it took longer than 100 ms and was ended"),
        ];
        for (end, why) in faults {
            assert_eq!(
                read(&printed(end, "{}", "gone\n"), 100),
                Err(why.to_owned())
            );
        }
        let flood = Printed {
            overflowed: true,
            ..printed(End::Cancelled, "", "")
        };
        assert_eq!(
            read(&flood, 100),
            Err("it printed more than 1,048,576 bytes and was ended".to_owned())
        );
    }
}
