//! Asks the person one to four questions and waits for the answers.
//!
//! Asking changes nothing, so it needs no permission. Anything but an answer ends the call as failed, in words that
//! say how to go on.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::Deserialize;
use serde_json::{Map, Value};

use super::{answers, questions};
use crate::{
    domain::{access::Access, question::FormOutcome},
    tools::{
        context::ToolContext,
        contract::{About, Concurrency, Tool},
        error::ToolError,
        output::ToolOutput,
    },
};

/// The tool.
pub(super) struct AskUser;

/// What to ask.
#[derive(Deserialize, JsonSchema)]
pub(super) struct Arguments {
    /// One to four questions, asked together.
    questions: Option<Vec<SentQuestion>>,
    /// The words of a single question, when `questions` is left out.
    question: Option<String>,
    /// The type of that single question.
    #[serde(rename = "type")]
    kind: Option<String>,
    /// The options of that single question.
    options: Option<Vec<String>>,
    /// The default of that single question.
    default: Option<Value>,
}

/// A question as it was sent. The schema tells its fields in words and not as properties: some local servers force
/// properties into alphabetical order, and a model that must write its options before the question asks badly.
#[derive(Deserialize)]
#[serde(transparent)]
struct SentQuestion(Value);

impl JsonSchema for SentQuestion {
    fn schema_name() -> Cow<'static, str> {
        "SentQuestion".into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(_generator: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "type": "object",
            "description": "question: the words. type: choice (one option), multi (any number of options), text (a \
                            free answer) or confirm (yes or no); choice when options are given, else text. options: \
                            for choice and multi, at least two short texts. default: one of the options, yes or no, \
                            or a text."
        })
    }
}

impl Arguments {
    /// The questions of the list, or the single one at the top level.
    fn sent(self) -> Result<Vec<Value>, ToolError> {
        let mut single = Map::new();
        if let Some(question) = self.question {
            single.insert("question".to_owned(), Value::String(question));
        }
        if let Some(kind) = self.kind {
            single.insert("type".to_owned(), Value::String(kind));
        }
        if let Some(options) = self.options {
            single.insert("options".to_owned(), options.into());
        }
        if let Some(default) = self.default {
            single.insert("default".to_owned(), default);
        }
        let listed: Vec<Value> = self
            .questions
            .unwrap_or_default()
            .into_iter()
            .map(|question| question.0)
            .collect();
        match (listed.is_empty(), single.is_empty()) {
            (_, true) => Ok(listed),
            (true, false) => Ok(vec![Value::Object(single)]),
            (false, false) => Err(refuse(
                "questions and a single question at once — send questions only",
            )),
        }
    }
}

fn refuse(why: &str) -> ToolError {
    ToolError::model(format!("[ask_user: {why}]"))
}

impl Tool for AskUser {
    type Arguments = Arguments;

    const ABOUT: About = About {
        name: "ask_user",
        aliases: &["ask_user_question", "question"],
        argument_aliases: questions::FIELD_ALIASES,
        verb: "ask you",
        description: "Puts one to four questions to the person and returns the answers.\n\
                      Ask only what you cannot find out yourself and what changes what you do next; ask everything at \
                      once.",
        subject: "question",
        editable: None,
    };

    fn access(_arguments: &Arguments, _context: &ToolContext) -> Access {
        Access::session_only()
    }

    fn concurrency(_arguments: &Arguments, _context: &ToolContext) -> Concurrency {
        Concurrency::Keyed("ask_user".to_owned())
    }

    async fn run(arguments: Arguments, context: ToolContext) -> Result<ToolOutput, ToolError> {
        let questions = questions::read(&arguments.sent()?).map_err(|why| refuse(&why))?;
        let outcome = context
            .host
            .ask(&context.agent, &context.call, questions.clone())
            .await?;
        match outcome {
            FormOutcome::Answered { answers } => {
                Ok(ToolOutput::text(answers::in_words(&questions, &answers))
                    .with_display(answers::rows(&questions, &answers))
                    .with_outcome("answered"))
            }
            FormOutcome::Declined => Err(ToolError::model(
                "[the user declined to answer: do not ask the same thing again; go on without it or stop]",
            )),
            FormOutcome::Cancelled => Err(ToolError::model(
                "[the question was cancelled before the user answered]",
            )),
            FormOutcome::Nobody => Err(ToolError::model(
                "[the user cannot be asked in this mode: make a reasonable assumption, say which, and go on]",
            )),
        }
    }
}

#[cfg(test)]
#[path = "ask_user_tests.rs"]
mod tests;
