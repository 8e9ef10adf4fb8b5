//! The one list of wires, and how an account becomes a provider.
//!
//! A wire that goes over the network stands behind its account's rate gate: build a provider once per account and
//! share it, or the gate is not shared either.

use std::sync::Arc;

use super::{
    account::Account,
    contract::Provider,
    error::{Fault, ProviderError},
    keys::renewing::{Renew, Renewing},
    media,
    openai_chat::{self, OpenAiChat},
    practice::Practice,
    rate_gate::{Gated, RateGate},
};
use crate::config::profiles::{Chosen, PRACTICE};

/// A provider that is ready to be asked, or why there is none.
type Built = Result<Arc<dyn Provider>, ProviderError>;

/// A wire.
#[derive(Clone, Copy)]
pub struct Backend {
    /// Its name in the configuration.
    pub name: &'static str,
    /// What it is, for lists.
    pub about: &'static str,
    build: fn(Account, Option<Renew>) -> Built,
}

/// All wires.
pub const BACKENDS: &[Backend] = &[
    Backend {
        name: openai_chat::BACKEND,
        about: "OpenAI chat completions, spoken by most local and hosted servers",
        build: |account, renew| {
            let gate = RateGate::new(account.max_parallel);
            let wire: Arc<dyn Provider> = match renew {
                Some(renew) => Arc::new(Renewing::new(account, open_ai_chat, renew)?),
                None => open_ai_chat(account)?,
            };
            Ok(Arc::new(Gated::new(wire, gate)))
        },
    },
    Backend {
        name: PRACTICE,
        about: "the built-in script: offline, no language model",
        build: |_, _| Ok(Arc::new(Practice::default())),
    },
];

fn open_ai_chat(account: Account) -> Result<Arc<dyn Provider>, ProviderError> {
    Ok(Arc::new(OpenAiChat::new(account)?))
}

/// A provider for this account.
pub fn build(account: &Account) -> Result<Arc<dyn Provider>, ProviderError> {
    build_with(account, None)
}

/// The same, with a way to read the account's key anew when the server no longer takes it.
pub fn build_renewing(account: &Account, renew: Renew) -> Result<Arc<dyn Provider>, ProviderError> {
    build_with(account, Some(renew))
}

fn build_with(account: &Account, renew: Option<Renew>) -> Result<Arc<dyn Provider>, ProviderError> {
    let Some(backend) = BACKENDS
        .iter()
        .find(|backend| backend.name == account.backend)
    else {
        let known: Vec<&str> = BACKENDS.iter().map(|backend| backend.name).collect();
        return Err(ProviderError::new(
            Fault::Setup,
            format!(
                "account {} names the unknown backend {}; known are {}",
                account.name,
                account.backend,
                known.join(", ")
            ),
        ));
    };
    (backend.build)(account.clone(), renew)
}

/// Whether a model of this account can be taken out of its server's memory.
pub fn may_unload(backend: &str, base_url: &str) -> bool {
    backend == openai_chat::BACKEND && openai_chat::may_unload(base_url)
}

/// The settings of a profile that change nothing with its account, in words for a person.
pub fn without_effect(chosen: &Chosen) -> Vec<String> {
    let profile = &chosen.model.profile;
    let mut words = Vec::new();
    if chosen.profile.thinking.is_some() && !openai_chat::takes_thinking(&chosen.account.base_url) {
        words.push(format!(
            "`profiles.{profile}.thinking` is not sent: {} has no field for it; `effort` is",
            chosen.account.base_url
        ));
    }
    let (model, base_url) = (&chosen.model, &chosen.account.base_url);
    let carried = media::carried(&model.backend, base_url, &model.model_id);
    for (kind, _) in chosen.model.media.takes.iter().filter(|(_, takes)| **takes) {
        if let (Some(setting), false) = (kind.setting(), carried.contains_key(kind)) {
            words.push(format!(
                "`profiles.{profile}.{setting}` changes nothing: {} cannot be sent {} over {}",
                chosen.model.model_id,
                kind.plural(),
                chosen.model.backend
            ));
        }
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    fn failure(backend: &str, base_url: &str) -> Option<String> {
        build(&Account::new("work", backend, base_url))
            .err()
            .map(|error| error.message)
    }

    #[test]
    fn every_backend_that_the_configuration_accepts_is_there() {
        let configurable: Vec<&str> = BACKENDS
            .iter()
            .map(|backend| backend.name)
            .filter(|name| *name != PRACTICE)
            .collect();

        assert_eq!(configurable, crate::config::accounts::BACKENDS);
        assert_eq!(failure(PRACTICE, ""), None);
    }

    #[test]
    fn an_account_becomes_a_provider_or_a_line_that_says_why_not() {
        let name = openai_chat::BACKEND;

        assert_eq!(failure(name, "http://127.0.0.1:8080/v1"), None);
        assert_eq!(
            failure("openai-chat", "http://x/"),
            Some(
                "account work names the unknown backend openai-chat; known are \
                 openai-chat-completions, practice"
                    .to_owned()
            )
        );
        assert_eq!(
            failure(name, "ftp://x/"),
            Some("base_url of account work: it must begin with http:// or https://".to_owned())
        );
        assert_eq!(
            failure(name, "api.example/v1"),
            Some(
                "base_url of account work: api.example/v1 is no address: relative URL without a base"
                    .to_owned()
            )
        );
    }
}
