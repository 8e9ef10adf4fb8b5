//! The queue of scripted replies, and the record of what was asked.
//!
//! A reply goes to the first request that fits it: replies for a named agent first, then those for anyone, both
//! in order. A request without a reply fails, so a test cannot pass by asking too often.

use std::{
    collections::VecDeque,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
};

use futures::{StreamExt, future::BoxFuture, stream};
use tokio::sync::watch;

use super::reply::{Reply, Step};
use crate::{
    domain::model_info::{ModelInfo, Thinking},
    providers::{
        contract::{ChatRequest, Provider, ReplyStream, StreamEvent},
        error::{Fault, ProviderError},
    },
};

/// A provider that plays a script. Clones share script and record.
#[derive(Clone, Debug)]
pub struct Scripted {
    shared: Arc<Shared>,
}

#[derive(Debug)]
struct Shared {
    state: Mutex<State>,
    asked: watch::Sender<usize>,
    open: AtomicUsize,
    calls: AtomicUsize,
}

#[derive(Debug, Default)]
struct State {
    replies: VecDeque<(Option<String>, Reply)>,
    requests: Vec<ChatRequest>,
}

impl Default for Scripted {
    fn default() -> Self {
        Self::new()
    }
}

impl Scripted {
    /// An empty script.
    pub fn new() -> Self {
        Self {
            shared: Arc::new(Shared {
                state: Mutex::default(),
                asked: watch::Sender::new(0),
                open: AtomicUsize::new(0),
                calls: AtomicUsize::new(0),
            }),
        }
    }

    /// What there is to know about the "model", under the name of a profile.
    pub fn model_info(profile: &str) -> ModelInfo {
        ModelInfo {
            profile: profile.to_owned(),
            backend: "scripted".to_owned(),
            model_id: "scripted".to_owned(),
            context_window: None,
            max_output_tokens: None,
            price: None,
            is_script: true,
            thinking: Thinking::default(),
            media: Default::default(),
        }
    }

    /// Adds a reply for whoever asks next and has none of its own.
    pub fn reply(&self, reply: Reply) -> &Self {
        self.state().replies.push_back((None, reply));
        self
    }

    /// Adds a reply for one agent: its handle (`main`), or its type (`scout` fits `scout_1a2b3c4d`).
    pub fn reply_to(&self, agent: impl Into<String>, reply: Reply) -> &Self {
        self.state().replies.push_back((Some(agent.into()), reply));
        self
    }

    /// Every request so far, in the order in which they came.
    pub fn requests(&self) -> Vec<ChatRequest> {
        self.state().requests.clone()
    }

    /// The requests of one agent (handle or type) so far.
    pub fn requests_of(&self, agent: &str) -> Vec<ChatRequest> {
        let mut requests = self.requests();
        requests.retain(|request| fits(agent, request.agent.as_str()));
        requests
    }

    /// Waits until at least this many requests have come.
    pub async fn asked(&self, count: usize) {
        let mut asked = self.shared.asked.subscribe();
        // The sender lives as long as `self`, so the wait ends only with the count.
        let _ = asked.wait_for(|seen| *seen >= count).await;
    }

    /// Number of replies that nobody has asked for yet.
    pub fn left(&self) -> usize {
        self.state().replies.len()
    }

    /// Number of requests and streams that are neither at their end nor dropped.
    pub fn open_streams(&self) -> usize {
        self.shared.open.load(Ordering::SeqCst)
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.shared
            .state
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }

    fn take(&self, request: &ChatRequest) -> Option<Reply> {
        let mut state = self.state();
        state.requests.push(request.clone());
        self.shared.asked.send_replace(state.requests.len());
        let own = state.replies.iter().position(|(agent, _)| {
            agent
                .as_deref()
                .is_some_and(|agent| fits(agent, request.agent.as_str()))
        });
        let place = own.or_else(|| state.replies.iter().position(|(agent, _)| agent.is_none()))?;
        state.replies.remove(place).map(|(_, reply)| reply)
    }

    /// Turns steps into events; gates stay what they are.
    fn play(&self, steps: Vec<Step>) -> VecDeque<Step> {
        let mut played = VecDeque::new();
        let mut slots = 0;
        for step in steps {
            let Step::Call {
                id,
                name,
                fragments,
            } = step
            else {
                played.push_back(step);
                continue;
            };
            let slot = slots;
            slots += 1;
            let id = id.unwrap_or_else(|| {
                let number = self.shared.calls.fetch_add(1, Ordering::SeqCst) + 1;
                format!("call_{number}")
            });
            played.push_back(Step::Event(StreamEvent::CallStarted { slot, id, name }));
            played.extend(
                fragments
                    .into_iter()
                    .map(|fragment| Step::Event(StreamEvent::CallArguments { slot, fragment })),
            );
        }
        played
    }
}

/// Whether a name in the script means this agent.
fn fits(name: &str, agent: &str) -> bool {
    agent == name
        || agent
            .strip_prefix(name)
            .is_some_and(|rest| rest.starts_with('_'))
}

/// Counts a request as open until it is dropped.
struct Open(Arc<Shared>);

impl Open {
    fn new(shared: &Arc<Shared>) -> Self {
        shared.open.fetch_add(1, Ordering::SeqCst);
        Self(Arc::clone(shared))
    }
}

impl Drop for Open {
    fn drop(&mut self) {
        self.0.open.fetch_sub(1, Ordering::SeqCst);
    }
}

impl Provider for Scripted {
    fn stream(
        &self,
        request: ChatRequest,
    ) -> BoxFuture<'static, Result<ReplyStream, ProviderError>> {
        let script = self.clone();
        Box::pin(async move {
            let open = Open::new(&script.shared);
            let Some(reply) = script.take(&request) else {
                return Err(ProviderError::new(
                    Fault::Setup,
                    format!("the script holds no further reply for {}", request.agent),
                ));
            };
            if let Some(gate) = reply.accept {
                gate.pass().await;
            }
            if let Some(error) = reply.refusal {
                return Err(error);
            }
            let steps = script.play(reply.steps);
            Ok(stream::unfold(Some((steps, open)), next).boxed())
        })
    }
}

type Playing = Option<(VecDeque<Step>, Open)>;

/// The next event and what is left. Nothing is left after an end or an error.
async fn next(playing: Playing) -> Option<(Result<StreamEvent, ProviderError>, Playing)> {
    let (mut steps, open) = playing?;
    loop {
        let event = match steps.pop_front()? {
            Step::Gate(gate) => {
                gate.pass().await;
                continue;
            }
            Step::Error(error) => return Some((Err(error), None)),
            Step::Finish(reason) => return Some((Ok(StreamEvent::Finished(reason)), None)),
            Step::Text(text) => StreamEvent::Text(text),
            Step::Reasoning(text) => StreamEvent::Reasoning(text),
            Step::Usage(usage) => StreamEvent::Usage(usage),
            Step::Private(fields) => StreamEvent::Private(fields),
            Step::Event(event) => event,
            // `play` has replaced these.
            Step::Call { .. } => continue,
        };
        return Some((Ok(event), Some((steps, open))));
    }
}

#[cfg(test)]
#[path = "script_tests.rs"]
mod tests;
