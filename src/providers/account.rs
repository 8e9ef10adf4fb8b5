//! What a wire needs to know of an account.

use std::time::Duration;

use super::keys::secret::Secret;
use crate::config::accounts::{self, KeySource};

/// An account: where requests go and with which key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Account {
    /// Its name in the configuration.
    pub name: String,
    /// Name of the wire, see [`super::registry`].
    pub backend: String,
    /// Base URL as configured; the wire's path is appended.
    pub base_url: String,
    /// The key, when one is configured and was found.
    pub api_key: Option<Secret>,
    /// Where the key comes from, for messages: `the environment variable OPENAI_API_KEY`. Empty when none is
    /// configured.
    pub key_hint: String,
    /// How long nothing may come.
    pub silence: Silence,
    /// How many requests may run at once.
    pub max_parallel: usize,
}

impl Account {
    /// An account without key and with the usual bounds.
    pub fn new(
        name: impl Into<String>,
        backend: impl Into<String>,
        base_url: impl Into<String>,
    ) -> Self {
        Self {
            name: name.into(),
            backend: backend.into(),
            base_url: base_url.into(),
            api_key: None,
            key_hint: String::new(),
            silence: Silence::default(),
            max_parallel: 8,
        }
    }

    /// An account as configured. `printed` is what the configured command printed, when it was run; `variable`
    /// looks up an environment variable.
    pub fn configured(
        name: &str,
        account: &accounts::Account,
        source: &KeySource,
        printed: Option<&str>,
        variable: impl Fn(&str) -> Option<String>,
    ) -> Self {
        let bare = Self::new(name, &account.backend, &account.base_url);
        match source {
            KeySource::None => bare,
            KeySource::Variable(variable_name) => bare.with_key(
                variable(variable_name).as_deref().and_then(Secret::new),
                format!("the environment variable {variable_name}"),
            ),
            KeySource::Command(_) => bare.with_key(
                printed.and_then(Secret::new),
                format!("api_key_command of account {name}"),
            ),
            KeySource::Stored(key) => bare.with_key(
                Secret::new(key),
                format!("the stored key of account {name}"),
            ),
        }
    }

    /// Sets the key and where it came from.
    pub fn with_key(mut self, key: Option<Secret>, hint: impl Into<String>) -> Self {
        self.api_key = key;
        self.key_hint = hint.into();
        self
    }
}

/// Bounds on silence. The length of a reply is not bounded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Silence {
    /// Until the first piece of the reply.
    pub first: Duration,
    /// Between two pieces.
    pub between: Duration,
}

impl Default for Silence {
    fn default() -> Self {
        Self {
            first: Duration::from_mins(5),
            between: Duration::from_mins(2),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_key_comes_from_where_the_configuration_says() {
        let account = accounts::Account {
            backend: "openai-chat-completions".to_owned(),
            base_url: "http://127.0.0.1:9/v1".to_owned(),
            ..accounts::Account::default()
        };
        let key = |source: KeySource, printed| {
            let account = Account::configured("work", &account, &source, printed, |name| {
                (name == "WORK_KEY").then(|| "sk-1\n".to_owned())
            });
            assert_eq!(account.base_url, "http://127.0.0.1:9/v1");
            let text = account.api_key.as_ref().map(|key| key.expose().to_owned());
            (text, account.key_hint)
        };
        let found = |text: &str, hint: &str| (Some(text.to_owned()), hint.to_owned());

        assert_eq!(key(KeySource::None, None), (None, String::new()));
        assert_eq!(
            key(KeySource::Variable("WORK_KEY".to_owned()), None),
            found("sk-1", "the environment variable WORK_KEY")
        );
        assert_eq!(
            key(KeySource::Variable("OTHER".to_owned()), None),
            (None, "the environment variable OTHER".to_owned())
        );
        assert_eq!(
            key(KeySource::Command(vec!["pass".to_owned()]), Some("sk-2\n")),
            found("sk-2", "api_key_command of account work")
        );
        assert_eq!(
            key(KeySource::Stored("sk-3".to_owned()), None),
            found("sk-3", "the stored key of account work")
        );
    }
}
