//! One call of a running call: the machine of a batch decides, and this does what it says.

use std::{collections::VecDeque, sync::Arc, time::Duration};

use tokio_util::sync::CancellationToken;

use crate::{
    domain::{
        agent::AgentStatus,
        approval::{ApprovalDecision, ApprovalRequest},
        ids::CallId,
        permission::DecisionStep,
        record::Record,
        tool::{CallStatus, ToolCall, ToolResult},
    },
    engine::{
        event::EventKind,
        session::state::Session,
        turn::{
            batch::Batch,
            call::Caller,
            effect::Effect,
            guards::loops::Loops,
            input::{CallVerdict, Cleared},
            moments::{occasion::Watch, telling::hear},
        },
        window::conversation::INTERRUPTED,
    },
};

/// How long a stopped call may take to report.
const STOP_GRACE: Duration = Duration::from_millis(900);
/// What a person is told beside why they are asked.
const CALLED: &str = "code that the agent runs calls it (code_execute)";

/// A call on its way.
pub(super) struct Making {
    caller: Caller,
    cancel: CancellationToken,
    /// Such calls are expected to repeat themselves: nobody counts.
    loops: Loops,
}

impl Making {
    pub(super) fn new(caller: Caller, cancel: CancellationToken) -> Self {
        Self {
            caller,
            cancel,
            loops: Loops::default(),
        }
    }

    fn session(&self) -> &Arc<Session> {
        &self.caller.session
    }

    /// Stores a record. What is not stored is not done.
    pub(super) async fn record(&self, record: Record) -> Result<(), String> {
        let recorder = &self.session().recorder;
        let stored = recorder.record(&self.caller.agent, record).await;
        stored
            .map(drop)
            .map_err(|error| format!("the session cannot be stored: {error}"))
    }

    /// Takes the call to its result.
    pub(super) async fn make(&mut self, call: ToolCall) -> Result<ToolResult, String> {
        let mut watch = Watch::default();
        watch.renew(&self.session().permissions.hooks());
        let (mut batch, effects) = Batch::start(vec![call], watch);
        let mut pending = VecDeque::from(effects);
        while let Some(effect) = pending.pop_front() {
            match effect {
                Effect::Record(record) => match *record {
                    Record::Result { mut result } => {
                        // The model has not seen what was read.
                        result.seen = None;
                        let ended = Record::InnerResult {
                            result: result.clone(),
                        };
                        self.record(ended).await?;
                        return Ok(result);
                    }
                    record => self.record(record).await?,
                },
                effect => pending.extend(self.perform(effect, &mut batch).await),
            }
        }
        Err("the call came to no end; this is a fault of the program".to_owned())
    }

    async fn perform(&mut self, effect: Effect, batch: &mut Batch) -> Vec<Effect> {
        match effect {
            Effect::Call { call, state } => {
                self.tell(EventKind::Call { call, state }).await;
                Vec::new()
            }
            Effect::TellHooks { telling, occasion } => {
                let cancel = self.cancel.clone();
                let heard = hear(&self.caller, *occasion, None, &cancel).await;
                if cancel.is_cancelled() {
                    return batch.stop();
                }
                batch.hooked(telling, heard, &mut self.loops).0
            }
            Effect::Judge { call, said } => {
                let number = self.session().next_request();
                let verdict = self.caller.judge(&call, said, number).await;
                if self.cancel.is_cancelled() {
                    return batch.stop();
                }
                let verdict = match verdict {
                    CallVerdict::Ask(request) => CallVerdict::Ask(Box::new(named(*request))),
                    verdict => verdict,
                };
                batch.judged(&call.id, verdict, &mut self.loops).0
            }
            Effect::Ask(request) => self.ask(*request, batch).await,
            Effect::Withdraw(call) => {
                let session = self.session();
                for id in session.requests.withdraw(&self.caller.agent, &call) {
                    self.tell(EventKind::RequestClosed(id)).await;
                }
                Vec::new()
            }
            Effect::Run { call, cleared } => self.run(call, cleared, batch).await,
            // All else is about the turn of the call that makes this one.
            _ => Vec::new(),
        }
    }

    async fn tell(&self, kind: EventKind) {
        self.session().tell(&self.caller.agent, kind).await;
    }

    async fn ask(&mut self, request: ApprovalRequest, batch: &mut Batch) -> Vec<Effect> {
        let (id, call) = (request.id, request.call.clone());
        let answer = self.session().requests.ask_within(request.clone());
        let asked = Record::ApprovalAsked {
            request: request.clone(),
        };
        if self.record(asked).await.is_err() {
            return batch.stop();
        }
        self.tell(EventKind::ApprovalAsked(Box::new(request))).await;
        self.show(AgentStatus::Asking).await;
        let decision = tokio::select! {
            decision = answer => decision.unwrap_or(ApprovalDecision::Withdrawn),
            () = self.cancel.cancelled() => return batch.stop(),
        };
        let tool = "code_execute".to_owned();
        self.show(AgentStatus::Running { tool }).await;
        batch.decided(&call, id, decision, &mut self.loops).0
    }

    /// Shows what the agent does.
    async fn show(&self, status: AgentStatus) {
        let change = |node: &mut crate::domain::agent::AgentNode| node.status = status;
        self.session().change_node(&self.caller.agent, change).await;
    }

    async fn run(&mut self, call: ToolCall, cleared: Cleared, batch: &mut Batch) -> Vec<Effect> {
        let id: CallId = call.id.clone();
        let run = self.caller.run(call, cleared, self.cancel.clone());
        let result = tokio::select! {
            (result, _) = run => result,
            () = grace(&self.cancel) => ToolResult::plain(id, CallStatus::Interrupted, INTERRUPTED),
        };
        let mut effects = Vec::new();
        if self.cancel.is_cancelled() {
            effects.extend(batch.stop());
        }
        effects.extend(batch.ran(result, &mut self.loops).0);
        effects
    }
}

async fn grace(stopped: &CancellationToken) {
    stopped.cancelled().await;
    tokio::time::sleep(STOP_GRACE).await;
}

/// A question that says whose call it is about.
fn named(mut request: ApprovalRequest) -> ApprovalRequest {
    let judgement = &mut request.judgement;
    judgement.reason = format!("{}; {CALLED}", judgement.reason);
    judgement.path.insert(
        0,
        DecisionStep {
            stage: "code".to_owned(),
            says: CALLED.to_owned(),
            decided: false,
        },
    );
    request
}
