//! Endpoints: a wire, an address, and where the key comes from. A key itself is never a setting.

use super::credentials::Credentials;

/// The wires that an account can name. `practice` needs no account.
pub const BACKENDS: &[&str] = &["openai-chat-completions"];

/// Wires that are described in the contract and not built yet: named in the error instead of being called unknown.
pub const PLANNED_BACKENDS: &[&str] = &["openai-responses", "anthropic-messages", "gemini"];

/// Variables in which providers' own programs look for a key.
pub const CUSTOMARY_VARIABLES: &[&str] = &[
    "ANTHROPIC_API_KEY",
    "GEMINI_API_KEY",
    "OPENAI_API_KEY",
    "OPENROUTER_API_KEY",
];

/// An endpoint.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Account {
    /// The wire.
    pub backend: String,
    /// The address; the wire's path is appended.
    pub base_url: String,
    /// Environment variable that holds the key.
    pub api_key_env: Option<String>,
    /// Program and arguments that print the key.
    pub api_key_command: Option<Vec<String>>,
}

/// Where the key of an account comes from.
#[derive(Clone, PartialEq, Eq)]
pub enum KeySource {
    /// The endpoint needs none.
    None,
    /// An environment variable.
    Variable(String),
    /// What this program prints; it is started by whoever may start programs.
    Command(Vec<String>),
    /// The key itself, from the credentials file.
    Stored(String),
}

impl std::fmt::Debug for KeySource {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::None => f.write_str("None"),
            Self::Variable(name) => f.debug_tuple("Variable").field(name).finish(),
            Self::Command(argv) => f.debug_tuple("Command").field(argv).finish(),
            // A key must not reach a log.
            Self::Stored(_) => f.write_str("Stored(…)"),
        }
    }
}

impl Account {
    /// The account of the built-in script.
    pub fn practice() -> Self {
        Self {
            backend: super::profiles::PRACTICE.to_owned(),
            ..Self::default()
        }
    }

    /// Where the key comes from: as configured, else stored, else the customary variable of a known provider.
    pub fn key_source(&self, name: &str, credentials: &Credentials) -> KeySource {
        if let Some(argv) = &self.api_key_command {
            return KeySource::Command(argv.clone());
        }
        if let Some(variable) = &self.api_key_env {
            return KeySource::Variable(variable.clone());
        }
        if let Some(key) = credentials.key(name) {
            return KeySource::Stored(key.to_owned());
        }
        customary_variable(&self.base_url).map_or(KeySource::None, |variable| {
            KeySource::Variable(variable.to_owned())
        })
    }
}

/// The variable in which a provider's own programs look for a key. Only for the provider's own host over TLS: a key
/// must not go to an address that merely speaks the same wire.
pub fn customary_variable(base_url: &str) -> Option<&'static str> {
    let rest = base_url.strip_prefix("https://")?;
    let host = rest.split(['/', '?', '#']).next().unwrap_or_default();
    let host = host
        .strip_suffix(":443")
        .unwrap_or(host)
        .to_ascii_lowercase();
    match host.as_str() {
        "api.openai.com" => Some("OPENAI_API_KEY"),
        "api.anthropic.com" => Some("ANTHROPIC_API_KEY"),
        "generativelanguage.googleapis.com" => Some("GEMINI_API_KEY"),
        "openrouter.ai" => Some("OPENROUTER_API_KEY"),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_customary_variable_is_read_only_for_the_providers_own_host() {
        assert_eq!(
            customary_variable("https://api.openai.com/v1"),
            Some("OPENAI_API_KEY")
        );
        assert_eq!(
            customary_variable("https://OpenRouter.ai:443/api/v1"),
            Some("OPENROUTER_API_KEY")
        );
        for elsewhere in [
            "http://api.openai.com/v1",
            "https://api.openai.com.example.org/v1",
            "https://api.openai.com@example.org/v1",
            "http://127.0.0.1:8080/v1",
            "",
        ] {
            assert_eq!(customary_variable(elsewhere), None, "{elsewhere}");
        }
    }

    #[test]
    fn what_is_configured_comes_before_what_is_stored_or_customary() {
        let credentials = Credentials::parse("[keys]\nwork = \"stored-key\"\n").unwrap();
        let mut account = Account {
            backend: "openai-chat-completions".to_owned(),
            base_url: "https://api.openai.com/v1".to_owned(),
            ..Account::default()
        };

        let customary = account.key_source("other", &credentials);
        let stored = account.key_source("work", &credentials);
        account.api_key_env = Some("MY_KEY".to_owned());
        let configured = account.key_source("work", &credentials);

        assert_eq!(customary, KeySource::Variable("OPENAI_API_KEY".to_owned()));
        assert_eq!(format!("{stored:?}"), "Stored(…)");
        assert_eq!(stored, KeySource::Stored("stored-key".to_owned()));
        assert_eq!(configured, KeySource::Variable("MY_KEY".to_owned()));
    }
}
