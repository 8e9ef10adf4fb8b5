//! Calls of the driver that run, and what they ask the person.
//!
//! A stopped call is told so and has a grace period to report what it had; then it is dropped.

use std::{sync::Arc, time::Duration};

use tokio::task::AbortHandle;
use tokio_util::sync::CancellationToken;

use super::{
    driver::Driver,
    effect::{Effect, Said},
    input::{CallVerdict, Cleared, Input},
    room::making::not_now,
};
use crate::{
    domain::{
        approval::ApprovalRequest,
        ids::CallId,
        record::Record,
        tool::{CallStatus, ToolCall, ToolResult},
    },
    engine::{
        event::{CallState, EventKind},
        window::conversation::INTERRUPTED,
    },
};

/// How long a stopped call may take to report.
const STOP_GRACE: Duration = Duration::from_millis(900);

/// A call that runs.
pub struct RunningCall {
    /// The call.
    pub id: CallId,
    /// Tells it to stop.
    pub cancel: CancellationToken,
    /// Drops it.
    pub abort: AbortHandle,
}

impl Driver {
    /// Has a call judged; while the agent writes a summary, only few run.
    pub(super) fn judge(&mut self, call: ToolCall, said: Said) -> Vec<Effect> {
        let why_not = not_now(&call.name).filter(|_| self.window.room.is_checkpoint());
        if let Some(why) = why_not {
            return self.state.handle(Input::Judged {
                call: call.id,
                verdict: CallVerdict::Refuse(why),
            });
        }
        let caller = self.caller.clone();
        // Taken here, so that questions are numbered in the order of the calls, however long each judgement takes.
        let number = self.session().next_request();
        self.work.spawn(async move {
            let verdict = caller.judge(&call, said, number).await;
            Input::Judged {
                call: call.id,
                verdict,
            }
        });
        Vec::new()
    }

    pub(super) async fn ask(&mut self, request: ApprovalRequest) -> Vec<Effect> {
        self.session().requests.ask_approval(request.clone());
        let effects = self
            .record(Record::ApprovalAsked {
                request: request.clone(),
            })
            .await;
        self.tell(EventKind::ApprovalAsked(Box::new(request))).await;
        effects
    }

    pub(super) async fn withdraw(&mut self, call: &CallId) {
        for id in self.session().requests.withdraw(&self.caller.agent, call) {
            self.tell(EventKind::RequestClosed(id)).await;
        }
    }

    pub(super) fn run_call(&mut self, call: ToolCall, cleared: Cleared) {
        let cancel = CancellationToken::new();
        let caller = self.caller.clone();
        let id = call.id.clone();
        let token = cancel.clone();
        let stopped = cancel.clone();
        let looks = Arc::clone(&caller.session);
        let abort = self.work.spawn(async move {
            let id = call.id.clone();
            let run = caller.run(call, cleared, cancel);
            tokio::pin!(run);
            let (result, fatal) = tokio::select! {
                ended = &mut run => ended,
                () = grace(&stopped) => (
                    ToolResult::plain(id, CallStatus::Interrupted, INTERRUPTED),
                    None,
                ),
            };
            looks.look_at_own_files().await;
            Input::Ran { result, fatal }
        });
        self.running.push(RunningCall {
            id,
            cancel: token,
            abort,
        });
    }

    pub(super) async fn stop_calls(&mut self) {
        let calls: Vec<CallId> = self.running.iter().map(|call| call.id.clone()).collect();
        for call in &self.running {
            call.cancel.cancel();
        }
        for call in &calls {
            self.withdraw(call).await;
            self.tell(EventKind::Call {
                call: call.clone(),
                state: CallState::Waiting,
            })
            .await;
        }
    }
}

async fn grace(stopped: &CancellationToken) {
    stopped.cancelled().await;
    tokio::time::sleep(STOP_GRACE).await;
}
