//! What code calls while it runs: each request is read, held to its bounds and made a call of its own.

use std::sync::atomic::{AtomicUsize, Ordering};

use futures::future::BoxFuture;
use serde::Deserialize;
use serde_json::{Map, Value, json};
use tokio_util::sync::CancellationToken;

use crate::{
    process::asking::Answers,
    tools::{context::ToolContext, host::InnerCall, registry},
};

/// The tools that code can call: none that runs programs of its choice, so that code cannot call itself.
const CALLABLE: [&str; 7] = [
    "file_read",
    "file_edit",
    "file_write",
    "notebook_edit",
    "file_find",
    "file_search",
    "shell_inspect",
];
/// The most calls of one run.
pub(super) const MOST_CALLS: usize = 200;

/// The line of one run.
pub(super) struct Bridge {
    context: ToolContext,
    calls: AtomicUsize,
}

/// A request as it comes.
#[derive(Deserialize)]
struct Request {
    tool: String,
    #[serde(default)]
    arguments: Map<String, Value>,
}

impl Bridge {
    pub(super) fn new(context: ToolContext) -> Self {
        Self {
            context,
            calls: AtomicUsize::new(0),
        }
    }

    async fn call(&self, request: &str, over: &CancellationToken) -> Result<String, String> {
        let request: Request = serde_json::from_str(request)
            .map_err(|error| format!("what came over the line is no call: {error}"))?;
        let name = request.tool;
        let tool = registry::built_in(&name).map(|tool| tool.about().name);
        let tool = tool.filter(|name| CALLABLE.contains(name));
        let tool = tool.ok_or_else(|| {
            let can = CALLABLE.join(", ");
            format!("code cannot call {name:?}; it can call {can}")
        })?;
        let number = self.calls.fetch_add(1, Ordering::Relaxed) + 1;
        if number > MOST_CALLS {
            return Err(format!(
                "the code has made {MOST_CALLS} calls, which is the most; do the rest in another run"
            ));
        }
        let call = InnerCall {
            number,
            tool: tool.to_owned(),
            arguments: Value::Object(request.arguments),
        };
        let (host, parent) = (&self.context.host, &self.context.call);
        host.call(parent, call, over.child_token()).await
    }
}

impl Answers for Bridge {
    fn answer<'a>(
        &'a self,
        request: &'a str,
        over: &'a CancellationToken,
    ) -> BoxFuture<'a, String> {
        Box::pin(async move {
            let answer = match self.call(request, over).await {
                Ok(text) => json!({"text": text}),
                Err(error) => json!({"error": error}),
            };
            answer.to_string()
        })
    }

    fn too_long(&self) -> String {
        json!({"error": "the call is too long; nothing more is heard"}).to_string()
    }
}
