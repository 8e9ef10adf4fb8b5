//! One gate per account, shared by all agents that use it: no request leaves before the server's wait is over,
//! and not more at once than the server bears.
//!
//! The number at once is learnt: a refusal for the rate lowers it to what was accepted, replies that end well
//! raise it again. [`Gated`] puts the gate around a wire, so the engine needs to know nothing of it. A
//! request that would wait longer than [`PATIENCE`] fails at once with the rest of the wait, so that its agent
//! shows a countdown instead of hanging.

use std::{
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

use futures::{StreamExt, future::BoxFuture, stream};
use tokio::sync::Notify;

use super::{
    contract::{ChatRequest, Provider, ReplyStream, StreamEvent},
    error::{Fault, ProviderError},
    retry::RetryPolicy,
};
use crate::domain::model_info::Unloaded;

/// The longest wait inside the gate.
pub const PATIENCE: Duration = Duration::from_mins(1);
/// The wait after a refusal for the rate that names none.
const UNNAMED_WAIT: Duration = Duration::from_secs(1);

/// The gate of an account.
#[derive(Debug)]
pub struct RateGate {
    state: Mutex<State>,
    changed: Notify,
    most: usize,
}

#[derive(Debug)]
struct State {
    running: usize,
    limit: usize,
    good: usize,
    not_before: Option<Instant>,
}

/// What stands in the way of a request.
enum Obstacle {
    Until(Instant),
    Full,
}

impl RateGate {
    /// A gate that lets at most this many through at once.
    pub fn new(most: usize) -> Arc<Self> {
        let most = most.max(1);
        Arc::new(Self {
            state: Mutex::new(State {
                running: 0,
                limit: most,
                good: 0,
                not_before: None,
            }),
            changed: Notify::new(),
            most,
        })
    }

    /// Waits for a place; the place is free again when the pass is dropped.
    pub async fn enter(self: &Arc<Self>) -> Result<Pass, ProviderError> {
        loop {
            // Made before looking, so that a change in between is not missed.
            let changed = self.changed.notified();
            match self.try_enter() {
                Ok(pass) => return Ok(pass),
                Err(Obstacle::Full) => changed.await,
                Err(Obstacle::Until(instant)) => {
                    let rest = instant.saturating_duration_since(Instant::now());
                    if rest > PATIENCE {
                        return Err(held(rest));
                    }
                    tokio::select! {
                        () = tokio::time::sleep_until(instant.into()) => {}
                        () = changed => {}
                    }
                }
            }
        }
    }

    fn try_enter(self: &Arc<Self>) -> Result<Pass, Obstacle> {
        let mut state = self.state();
        if let Some(instant) = state.not_before.filter(|instant| *instant > Instant::now()) {
            return Err(Obstacle::Until(instant));
        }
        if state.running >= state.limit {
            return Err(Obstacle::Full);
        }
        state.running += 1;
        Ok(Pass(Arc::clone(self)))
    }

    /// The server refused for the rate: nobody asks before the wait is over, and fewer at once from now on.
    ///
    /// A wait that is too long to be waited for fails its turn and closes nothing: whoever asks after that was told
    /// and asks all the same, and a mistaken `Retry-After` must not shut the account for good.
    pub fn refused(&self, wait: Option<Duration>) {
        let wait = wait.filter(|wait| *wait <= RetryPolicy::default().longest_asked);
        let mut state = self.state();
        state.good = 0;
        state.limit = state.limit.min(state.running.saturating_sub(1)).max(1);
        let until = Instant::now().checked_add(wait.unwrap_or(UNNAMED_WAIT));
        state.not_before = state.not_before.max(until);
        drop(state);
        self.changed.notify_waiters();
    }

    /// A reply ended well.
    pub fn succeeded(&self) {
        let mut state = self.state();
        state.good += 1;
        if state.good >= state.limit * 4 && state.limit < self.most {
            state.good = 0;
            state.limit += 1;
        }
        drop(state);
        self.changed.notify_waiters();
    }

    /// How many may run at once at present.
    pub fn limit(&self) -> usize {
        self.state().limit
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn held(rest: Duration) -> ProviderError {
    ProviderError::new(
        Fault::RateLimited {
            retry_after: Some(rest),
        },
        format!(
            "the server asked for no request in the next {} s",
            rest.as_secs() + 1
        ),
    )
}

/// A place in the gate.
#[derive(Debug)]
pub struct Pass(Arc<RateGate>);

impl Drop for Pass {
    fn drop(&mut self) {
        let mut state = self.0.state();
        state.running = state.running.saturating_sub(1);
        drop(state);
        self.0.changed.notify_waiters();
    }
}

/// A wire behind a gate.
pub struct Gated {
    wire: Arc<dyn Provider>,
    gate: Arc<RateGate>,
}

impl Gated {
    /// Puts a gate around a wire.
    pub fn new(wire: Arc<dyn Provider>, gate: Arc<RateGate>) -> Self {
        Self { wire, gate }
    }
}

impl Provider for Gated {
    fn stream(
        &self,
        request: ChatRequest,
    ) -> BoxFuture<'static, Result<ReplyStream, ProviderError>> {
        let (wire, gate) = (Arc::clone(&self.wire), Arc::clone(&self.gate));
        Box::pin(async move {
            let pass = gate.enter().await?;
            match wire.stream(request).await {
                Ok(reply) => Ok(guarded(reply, pass)),
                Err(error) => {
                    note(&gate, &error);
                    Err(error)
                }
            }
        })
    }

    // No model is asked, so no place is taken.
    fn unload(&self, model_id: &str) -> Option<BoxFuture<'static, Unloaded>> {
        self.wire.unload(model_id)
    }
}

/// The reply, holding its place until its end.
fn guarded(reply: ReplyStream, pass: Pass) -> ReplyStream {
    stream::unfold(Some((reply, pass)), |held| async move {
        let (mut reply, pass) = held?;
        match reply.next().await? {
            Ok(event @ StreamEvent::Finished(_)) => {
                pass.0.succeeded();
                Some((Ok(event), None))
            }
            Ok(event) => Some((Ok(event), Some((reply, pass)))),
            Err(error) => {
                note(&pass.0, &error);
                Some((Err(error), None))
            }
        }
    })
    .boxed()
}

fn note(gate: &RateGate, error: &ProviderError) {
    match error.fault {
        Fault::RateLimited { retry_after } => gate.refused(retry_after),
        Fault::Overloaded {
            retry_after: Some(wait),
        } => gate.refused(Some(wait)),
        _ => {}
    }
}

#[cfg(test)]
#[path = "rate_gate_tests.rs"]
mod tests;
