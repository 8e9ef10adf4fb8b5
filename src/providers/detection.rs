//! What a first profile could use: servers on this machine and keys in the environment.
//!
//! Only addresses of this machine are asked, each for a third of a second at most; a server that does not
//! answer like a model server is not offered.

use std::time::Duration;

use futures::future::join_all;
use reqwest::Url;
use serde_json::Value;

use super::http;

/// How long a server on this machine may take.
const PATIENCE: Duration = Duration::from_millis(300);
/// The most that is read of a list of models.
const LIST_LIMIT: usize = 1024 * 1024;
/// The most models of one server that are listed.
const MODEL_LIMIT: usize = 500;

/// A server on this machine that may run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Candidate {
    /// What it is.
    pub label: String,
    /// The profile's name.
    pub name: String,
    /// Base URL.
    pub base_url: String,
}

/// Something a profile can be made of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// What it is: `Ollama on this machine`.
    pub label: String,
    /// Suggested name of account and profile.
    pub name: String,
    /// Base URL.
    pub base_url: String,
    /// Models on offer, the suggested one first; empty when the person has to say.
    pub models: Vec<String>,
    /// The environment variable that holds the key.
    pub api_key_env: Option<String>,
}

/// Where well-known servers listen.
pub fn local_candidates() -> Vec<Candidate> {
    [
        ("Ollama on this machine", "ollama", 11434),
        ("llama.cpp on this machine", "llamacpp", 8080),
        ("LM Studio on this machine", "lmstudio", 1234),
    ]
    .into_iter()
    .map(|(label, name, port)| Candidate {
        label: label.to_owned(),
        name: name.to_owned(),
        base_url: format!("http://127.0.0.1:{port}/v1"),
    })
    .collect()
}

/// The candidates that answer, in their order.
pub async fn running(candidates: &[Candidate]) -> Vec<Found> {
    let asked = candidates.iter().map(|candidate| async move {
        let models = tokio::time::timeout(PATIENCE, models(&candidate.base_url))
            .await
            .ok()
            .flatten()?;
        Some(Found {
            label: candidate.label.clone(),
            name: candidate.name.clone(),
            base_url: candidate.base_url.clone(),
            models,
            api_key_env: None,
        })
    });
    join_all(asked).await.into_iter().flatten().collect()
}

/// The models of a server on this machine; `None` when it is none.
async fn models(base_url: &str) -> Option<Vec<String>> {
    let url = Url::parse(&format!("{base_url}/models")).ok()?;
    if !http::is_loopback(&url) {
        return None;
    }
    let mut response = http::client(&url).ok()?.get(url).send().await.ok()?;
    if !response.status().is_success() {
        return None;
    }
    let body = http::read_bounded(&mut response, LIST_LIMIT).await;
    let list: Value = serde_json::from_slice(&body).ok()?;
    let names = list.get("data")?.as_array()?.iter().take(MODEL_LIMIT);
    let names = names.filter_map(|model| model.get("id")?.as_str());
    // Servers list what they use for search beside what can talk.
    let talking = names.filter(|name| !name.to_lowercase().contains("embed"));
    Some(talking.map(str::to_owned).collect())
}

/// Providers whose key stands in the environment. `variable` looks one up.
pub fn from_environment(variable: impl Fn(&str) -> Option<String>) -> Vec<Found> {
    let offers = [
        (
            "OpenAI",
            "openai",
            "https://api.openai.com/v1",
            "gpt-5",
            "OPENAI_API_KEY",
        ),
        (
            "OpenRouter",
            "openrouter",
            "https://openrouter.ai/api/v1",
            "openrouter/auto",
            "OPENROUTER_API_KEY",
        ),
    ];
    offers
        .into_iter()
        .filter(|(_, _, _, _, key)| variable(key).is_some_and(|text| !text.trim().is_empty()))
        .map(|(label, name, base_url, model, key)| Found {
            label: format!("{label} with {key}"),
            name: name.to_owned(),
            base_url: base_url.to_owned(),
            models: vec![model.to_owned()],
            api_key_env: Some(key.to_owned()),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_in_the_environment_are_offered_by_name_only() {
        let found = from_environment(|name| match name {
            "OPENROUTER_API_KEY" => Some("canary".to_owned()),
            "OPENAI_API_KEY" => Some(" ".to_owned()),
            _ => None,
        });

        assert_eq!(
            found,
            [Found {
                label: "OpenRouter with OPENROUTER_API_KEY".to_owned(),
                name: "openrouter".to_owned(),
                base_url: "https://openrouter.ai/api/v1".to_owned(),
                models: vec!["openrouter/auto".to_owned()],
                api_key_env: Some("OPENROUTER_API_KEY".to_owned()),
            }]
        );
    }

    #[tokio::test]
    async fn an_address_of_another_machine_is_never_asked() {
        assert_eq!(models("http://192.0.2.1/v1").await, None);
        assert!(
            local_candidates()
                .iter()
                .all(|candidate| { http::is_loopback(&Url::parse(&candidate.base_url).unwrap()) })
        );
    }
}
