//! Takes a model out of the memory of the server that it runs on.
//!
//! Nobody is asked: nothing changes on a disk, and the server loads the model again for whoever needs it.

use schemars::JsonSchema;
use serde::Deserialize;

use crate::{
    domain::{access::Access, model_info::Unloaded},
    text::{sanitize::clean_line, truncate::head},
    tools::{
        context::ToolContext,
        contract::{About, Concurrency, Tool},
        error::ToolError,
        output::ToolOutput,
    },
};

/// Most columns of a model's name in a line.
const LONGEST: usize = 120;

/// The tool.
pub(super) struct ModelUnload;

/// Which model.
#[derive(Deserialize, JsonSchema)]
pub(super) struct Arguments {
    /// The model, by the name that the server gives it. Left out: your own.
    model: Option<String>,
}

impl Tool for ModelUnload {
    type Arguments = Arguments;

    const ABOUT: About = About {
        name: "model_unload",
        aliases: &["unload_model"],
        argument_aliases: &[("name", "model")],
        verb: "unload a model",
        description: "Takes a model out of the memory of the server that you run on, so that others have the memory.\n\
                      Your own model is loaded again for your next step, to read the result.",
        subject: "model",
        editable: None,
    };

    fn access(_arguments: &Arguments, _context: &ToolContext) -> Access {
        Access::session_only()
    }

    fn concurrency(_arguments: &Arguments, _context: &ToolContext) -> Concurrency {
        Concurrency::Keyed(Self::ABOUT.name.to_owned())
    }

    async fn run(arguments: Arguments, context: ToolContext) -> Result<ToolOutput, ToolError> {
        let (model, unloaded) = tokio::select! {
            () = context.cancel.cancelled() => {
                return Err(ToolError::Interrupted(Box::new(ToolOutput::text(""))));
            }
            unloaded = context.host.unload(arguments.model) => unloaded,
        };
        let clean = clean_line(&model);
        let model = head(&clean, LONGEST);
        match unloaded {
            Unloaded::Done => {
                Ok(ToolOutput::text(format!("unloaded {model}")).with_outcome("unloaded"))
            }
            Unloaded::NotLoaded => Ok(ToolOutput::text(format!(
                "{model} was not loaded: nothing to unload"
            ))
            .with_outcome("was not loaded")),
            Unloaded::Failed(why) => {
                Err(ToolError::ForModel(format!("cannot unload {model}: {why}")))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::ModelUnload;
    use crate::{
        domain::model_info::Unloaded,
        tools::fake_host::{FakeHost, call},
    };

    async fn check(sent: Value, unloaded: Unloaded, expected: Result<&str, &str>) {
        let (host, context) = FakeHost::new();
        host.state().unloaded = Some(unloaded);

        let told = call::<ModelUnload>(&context, sent).await;

        let told = told.map(|output| output.text);
        assert_eq!(
            told,
            expected.map(str::to_owned).map_err(str::to_owned),
            "{:?}",
            host.state().unloaded
        );
    }

    #[tokio::test]
    async fn every_end_is_one_line() {
        let other = || json!({"model": "qwen3:8b"});
        check(other(), Unloaded::Done, Ok("unloaded qwen3:8b")).await;
        check(
            other(),
            Unloaded::NotLoaded,
            Ok("qwen3:8b was not loaded: nothing to unload"),
        )
        .await;
        check(
            other(),
            Unloaded::Failed("no reason".to_owned()),
            Err("cannot unload qwen3:8b: no reason"),
        )
        .await;
        // Left out or blank: one's own.
        check(json!({}), Unloaded::Done, Ok("unloaded own")).await;
        check(json!({"model": " "}), Unloaded::Done, Ok("unloaded own")).await;
        check(
            json!({"name": "a\nb\u{1b}[2J"}),
            Unloaded::Done,
            Ok("unloaded a b"),
        )
        .await;
    }
}
