//! A wire whose key may run out while the program runs: when the server no longer takes it, the key is read again, once
//! a request, and the request is sent again if another one came.
//!
//! It stands behind the account's rate gate, so the second attempt takes the place of the first.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use futures::future::BoxFuture;
use tokio::sync::Semaphore;

use crate::{
    domain::model_info::Unloaded,
    providers::{
        account::Account,
        contract::{ChatRequest, Provider, ReplyStream},
        error::{Fault, ProviderError},
    },
};

/// Reads the account's key anew. It blocks: it may run another program.
pub type Renew = Arc<dyn Fn() -> Result<Account, ProviderError> + Send + Sync>;

/// Makes a wire for an account.
type Build = fn(Account) -> Result<Arc<dyn Provider>, ProviderError>;

/// The wire.
pub struct Renewing(Arc<Shared>);

struct Shared {
    current: Mutex<Keyed>,
    build: Build,
    renew: Renew,
    /// One reads the key; the others wait and use it.
    reading: Semaphore,
}

/// A wire and the account that it was made for.
#[derive(Clone)]
struct Keyed {
    account: Account,
    wire: Arc<dyn Provider>,
}

impl Renewing {
    /// A wire for the account as it is known.
    pub fn new(account: Account, build: Build, renew: Renew) -> Result<Self, ProviderError> {
        let wire = build(account.clone())?;
        Ok(Self(Arc::new(Shared {
            current: Mutex::new(Keyed { account, wire }),
            build,
            renew,
            reading: Semaphore::new(1),
        })))
    }
}

impl Provider for Renewing {
    fn stream(
        &self,
        request: ChatRequest,
    ) -> BoxFuture<'static, Result<ReplyStream, ProviderError>> {
        let shared = Arc::clone(&self.0);
        Box::pin(async move {
            let used = shared.current().clone();
            match used.wire.stream(request.clone()).await {
                Err(refused) if refused.fault == Fault::Unauthorized => {
                    match shared.other_than(&used, &refused).await? {
                        Some(wire) => wire.stream(request).await,
                        None => Err(refused),
                    }
                }
                answer => answer,
            }
        })
    }

    fn unload(&self, model_id: &str) -> Option<BoxFuture<'static, Unloaded>> {
        self.0.current().wire.unload(model_id)
    }
}

impl Shared {
    fn current(&self) -> MutexGuard<'_, Keyed> {
        self.current.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A wire with another key than the one that was refused; `None` when there is no other.
    async fn other_than(
        &self,
        used: &Keyed,
        refused: &ProviderError,
    ) -> Result<Option<Arc<dyn Provider>>, ProviderError> {
        // Never closed: it lives as long as whoever waits for it.
        let _reading = self.reading.acquire().await;
        let current = self.current().clone();
        if current.account.api_key != used.account.api_key {
            return Ok(Some(current.wire));
        }
        let renew = Arc::clone(&self.renew);
        let read = tokio::task::spawn_blocking(move || renew()).await;
        let account = match read {
            Ok(Ok(account)) => account,
            Ok(Err(error)) => return Err(unread(refused, &error.message)),
            Err(error) => return Err(unread(refused, &error.to_string())),
        };
        if account.api_key == used.account.api_key {
            return Ok(None);
        }
        let wire = (self.build)(account.clone())?;
        *self.current() = Keyed {
            account,
            wire: Arc::clone(&wire),
        };
        Ok(Some(wire))
    }
}

fn unread(refused: &ProviderError, why: &str) -> ProviderError {
    ProviderError {
        message: format!("{}; no other key could be read: {why}", refused.message),
        ..refused.clone()
    }
}
