//! One agent at work: performs the effects of its turn machine.
//!
//! A task per agent owns machine and conversation. Dropping the reply stream cancels a request; a running call is
//! told to stop and still reports, within a grace period, so that every call gets its result.

use std::{
    collections::HashSet,
    sync::Arc,
    time::{Duration, Instant},
};

use futures::FutureExt;
use tokio::{
    sync::{mpsc, watch},
    task::JoinSet,
};

use super::{
    call::Caller,
    effect::Effect,
    entry::NOT_RUN,
    input::Input,
    recording::Unsent,
    room::making::Room,
    running::RunningCall,
    state::State,
    turns::Meter,
    waiting::{Request, Waits, next_of, until},
};
use crate::{
    domain::{
        ids::{AgentId, CallId},
        record::Speaker,
        tool::{CallStatus, ToolResult},
        window::Compacting,
    },
    engine::{
        event::{EventKind, Queued},
        outputs::attach,
        session::{recorder::AgentLog, state::Session, tree::Ended},
        window::conversation::Conversation,
    },
    providers::{contract::ChatRequest, error::ProviderError, retry::RetryPolicy},
};

/// Streamed text is stored at least this often.
const PARTIAL_EVERY: Duration = Duration::from_secs(1);
/// Inputs that may wait for an agent.
pub const MAILBOX: usize = 256;

/// What a driver is started with.
pub struct Start {
    /// Who it is and what it may do.
    pub caller: Caller,
    /// The ids of its calls so far.
    pub known_calls: HashSet<CallId>,
    /// Where its inputs come from.
    pub mailbox: mpsc::Receiver<Input>,
    /// Whether it has no place among the running ones yet.
    pub is_held: bool,
    /// Where it says how its turns end.
    pub ended: watch::Sender<Option<Ended>>,
}

/// What stands in an agent's window.
#[derive(Default)]
pub(super) struct AgentWindow {
    pub(super) conversation: Conversation,
    /// Whether the conversation is as the log has it.
    pub(super) is_loaded: bool,
    pub(super) room: Room,
}

/// An agent at work.
pub struct Driver {
    pub(super) caller: Caller,
    pub(super) window: AgentWindow,
    pub(super) state: State,
    pub(super) meter: Meter,
    pub(super) ended: watch::Sender<Option<Ended>>,
    pub(super) prompt: super::prompting::Prompting,
    pub(super) request: Request,
    pub(super) waits: Waits,
    pub(super) partial_due: Option<Instant>,
    pub(super) log: AgentLog,
    /// When what is not stored is tried again, should nothing else be stored before.
    pub(super) store_due: Option<Instant>,
    /// What waits to be sent.
    pub(super) unsent: Unsent,
    /// Why something could not be stored in the step that is being taken.
    pub(super) unstored: Option<String>,
    pub(super) work: JoinSet<Input>,
    pub(super) running: Vec<RunningCall>,
}

impl Driver {
    /// Runs until the session ends.
    pub async fn run(start: Start) {
        let session = Arc::clone(&start.caller.session);
        let (mut driver, mut mailbox) = Self::new(start);
        driver.begin().await;
        loop {
            let inputs = tokio::select! {
                biased;
                () = session.cancel.cancelled(), if driver.state.is_idle() && driver.work.is_empty() => break,
                input = mailbox.recv() => match input {
                    Some(input) => vec![input],
                    None => break,
                },
                Some(done) = driver.work.join_next(), if !driver.work.is_empty() => {
                    done.ok().into_iter().collect()
                }
                inputs = driver.waits.over() => inputs,
                inputs = next_of(&mut driver.request) => inputs,
                () = until(driver.partial_due) => {
                    driver.store_partial().await;
                    Vec::new()
                }
                () = until(driver.store_due) => {
                    driver.catch_up().await;
                    Vec::new()
                }
            };
            for input in inputs {
                driver.take(input).await;
            }
            driver.pursue(mailbox.len()).await;
        }
        driver.leave(mailbox).await;
    }

    fn new(start: Start) -> (Self, mpsc::Receiver<Input>) {
        let session = Arc::clone(&start.caller.session);
        let backend = session.profile().model.backend;
        let agent = start.caller.agent.clone();
        let driver = Self {
            state: State::new(backend, start.known_calls).held(start.is_held),
            meter: Meter::default(),
            prompt: super::prompting::Prompting::new(start.caller.agent.is_main()),
            caller: start.caller,
            window: AgentWindow::default(),
            ended: start.ended,
            request: Request::None,
            waits: Waits {
                hooks: session.cancel.child_token(),
                ..Waits::default()
            },
            partial_due: None,
            log: AgentLog::new(session.recorder.clone(), agent),
            store_due: None,
            unsent: Unsent::default(),
            unstored: None,
            work: JoinSet::new(),
            running: Vec::new(),
        };
        (driver, start.mailbox)
    }

    /// What a sub-agent knew is read when somebody speaks to it.
    async fn begin(&mut self) {
        if self.caller.agent.is_main() {
            self.load_window().await;
        }
        self.tell_gauge().await;
    }

    /// Stores what is left. What comes from now on finds the mailbox closed.
    async fn leave(&mut self, mut mailbox: mpsc::Receiver<Input>) {
        mailbox.close();
        while let Ok(input) = mailbox.try_recv() {
            match input {
                Input::Happened(record) => drop(self.record(*record).await),
                Input::Said {
                    id,
                    speaker: Speaker::Person,
                    lane,
                    text,
                } => {
                    let queue = self.state.keep(Queued { id, lane, text });
                    self.queue_changed(&queue);
                }
                _ => {}
            }
        }
        self.catch_up().await;
        self.store_queue().await;
        if self.log.is_behind() {
            tracing::warn!(agent = %self.caller.agent, "what could not be stored is lost");
        }
    }

    pub(super) fn session(&self) -> &Arc<Session> {
        &self.caller.session
    }

    pub(super) fn agent(&self) -> AgentId {
        self.caller.agent.clone()
    }

    pub(super) async fn take(&mut self, input: Input) {
        self.unstored = None;
        self.load_window().await;
        if let Input::Ran { result, .. } = &input {
            self.running.retain(|call| call.id != result.call);
        }
        if let Input::Said {
            speaker: Speaker::Person,
            ..
        } = &input
        {
            self.session().goal_moved();
        }
        if matches!(input, Input::Said { .. }) && self.state.is_idle() {
            self.note_environment().await;
        }
        self.state.watch(&self.caller.session.permissions.hooks());
        let compacting = self.session().bounds.compacting;
        self.state.let_room_be_made(compacting == Compacting::Auto);
        let mut pending = if self.take_for_window(&input).await {
            self.state.handle(input)
        } else {
            Vec::new()
        };
        while !pending.is_empty() {
            let mut follow_up = Vec::new();
            for effect in pending {
                follow_up.extend(self.perform(effect).await);
            }
            pending = follow_up;
        }
        self.store_queue().await;
    }

    /// Performs one effect; returns the effects that follow from inputs it gave at once.
    async fn perform(&mut self, effect: Effect) -> Vec<Effect> {
        match effect {
            Effect::Record(record) => return self.record(*record).await,
            Effect::Delta(delta) => {
                if self.partial_due.is_none() {
                    self.partial_due = Some(Instant::now() + PARTIAL_EVERY);
                }
                self.session()
                    .outbox()
                    .offer(&self.session().id, &self.caller.agent, delta);
            }
            Effect::SendRequest => match self.unstored.clone() {
                Some(reason) => return self.state.handle(Input::StoreFailed(reason)),
                None => return self.send_or_make_room().await,
            },
            Effect::DropRequest => {
                self.request = Request::None;
                self.partial_due = None;
            }
            Effect::Wait { tries, error } => self.start_wait(tries, &error).await,
            Effect::TellHooks { telling, occasion } => self.tell_hooks(telling, *occasion),
            Effect::StopHooks => self.stop_hooks(),
            Effect::Judge { call, said } => return self.judge(call, said),
            Effect::Ask(request) => return self.ask(*request).await,
            Effect::Withdraw(call) => self.withdraw(&call).await,
            Effect::Run { call, .. } if self.unstored.is_some() => {
                let result = ToolResult::plain(call.id, CallStatus::Interrupted, NOT_RUN);
                return self.state.handle(Input::Ran {
                    result,
                    fatal: None,
                });
            }
            Effect::Run { call, cleared } => self.run_call(call, cleared),
            Effect::StopCalls => self.stop_calls().await,
            Effect::Call { call, state } => self.tell(EventKind::Call { call, state }).await,
            Effect::Queue(queue) => {
                self.queue_changed(&queue);
                self.tell(EventKind::Queue(queue)).await;
            }
            Effect::Status { status, activity } => {
                let agent = self.agent();
                self.session()
                    .change_node(&agent, |node| {
                        node.status = status;
                        node.activity = activity;
                    })
                    .await;
            }
            Effect::CountChecklist { nudges } => {
                let agent = self.agent();
                let checklist = self.session().checklist(&agent);
                let open = checklist.open_count();
                if open > 0 {
                    self.tell(EventKind::Checklist { checklist, nudges }).await;
                }
                return self.state.handle(Input::ChecklistOpen(open));
            }
            Effect::Weigh => self.tell_window().await,
            Effect::Room(effect) => return self.make_room(effect).await,
            Effect::BeginTurn => return self.begin_turn().await,
            Effect::EndTurn(outcome) => self.end_turn(outcome).await,
        }
        Vec::new()
    }

    pub(super) async fn tell(&mut self, kind: EventKind) {
        self.session().tell(&self.caller.agent, kind).await;
    }

    pub(super) fn send_request(&mut self) {
        let profile = self.session().profile();
        self.state.set_backend(profile.model.backend.clone());
        let messages = attach::chosen(
            self.window.conversation.request(),
            &profile.model.media_gate(),
        );
        let mut request = ChatRequest {
            agent: self.agent(),
            model: profile.model,
            system: self.prompt.system(),
            messages,
            tools: self.prompt.specs(&self.caller),
            media: Arc::default(),
        };
        let (provider, store) = (profile.provider, self.session().store.clone());
        self.request = Request::Sent(if request.messages.iter().any(attach::has_files) {
            let sending = async move {
                request.media = attach::content(&store, &request.messages).await.into();
                provider.stream(request).await
            };
            sending.boxed()
        } else {
            provider.stream(request)
        });
    }

    async fn start_wait(&mut self, tries: u32, error: &ProviderError) {
        self.request = Request::None;
        let wait = super::waiting::delay(tries, error);
        self.waits.retry = Some(tokio::time::sleep(wait).boxed());
        self.tell(EventKind::Retrying {
            attempt: tries + 1,
            of: RetryPolicy::default().tries,
            in_ms: wait.as_millis() as u64,
            reason: error.message.clone(),
        })
        .await;
    }
}

impl Drop for Driver {
    fn drop(&mut self) {
        for call in &self.running {
            call.cancel.cancel();
            call.abort.abort();
        }
    }
}
