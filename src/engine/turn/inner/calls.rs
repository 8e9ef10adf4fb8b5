//! The calls of one running call.

use std::sync::{Arc, OnceLock};

use tokio_util::sync::CancellationToken;

use super::call::Making;
use crate::{
    domain::{
        ids::CallId,
        record::Record,
        tool::{CallStatus, ToolCall},
    },
    engine::turn::call::Caller,
    tools::host::InnerCall,
    workspace::freshness::Freshness,
};

/// Makes the calls of one running call.
pub struct InnerCalls {
    caller: Caller,
    /// What is read by these calls the model has not seen: it may not write it for that.
    freshness: OnceLock<Arc<Freshness>>,
}

impl InnerCalls {
    /// None was made yet.
    pub fn new(caller: &Caller) -> Self {
        Self {
            caller: caller.clone(),
            freshness: OnceLock::new(),
        }
    }

    /// Makes a call. It ends with a result of its own in the log, also when nobody waits for it any more.
    pub async fn make(
        &self,
        parent: &CallId,
        inner: InnerCall,
        cancel: CancellationToken,
    ) -> Result<String, String> {
        let call = ToolCall {
            id: CallId::new(format!("{parent}/{}", inner.number)),
            name: inner.tool,
            arguments: inner.arguments,
            malformed: None,
        };
        let session = Arc::clone(&self.caller.session);
        let own = || Arc::new(Freshness::like(&self.caller.freshness));
        let caller = Caller {
            freshness: Arc::clone(self.freshness.get_or_init(own)),
            ..self.caller.clone()
        };
        let parent = parent.clone();
        // Whoever waits may go away: then the call is stopped, and still ends well.
        let _stops = cancel.clone().drop_guard();
        let made = session.tasks.spawn(async move {
            let begun = Record::InnerCalled {
                parent,
                call: call.clone(),
            };
            let mut making = Making::new(caller, cancel);
            making.record(begun).await?;
            making.make(call).await
        });
        let result = made.await.unwrap_or_else(|_| {
            Err("this is a fault of the program, not of the call".to_owned())
        })?;
        match result.status {
            CallStatus::Done => Ok(result.text),
            _ => Err(result.text),
        }
    }
}
