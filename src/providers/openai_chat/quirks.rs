//! What single servers want otherwise than the rest.

use reqwest::Url;
use sha2::{Digest, Sha256};

/// Where a server wants to be told how to think.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ThinkingField {
    /// Only how hard, by `reasoning_effort`; whether at all goes by the model. Unknown fields are refused.
    Effort,
    /// A `reasoning` object.
    Object,
    /// `reasoning_effort`, and variables of the chat template for whether at all.
    Template,
}

/// How this server wants it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Quirks {
    /// The name of the output limit.
    pub(super) output_limit: &'static str,
    /// Whether `stream_options` is known.
    pub(super) stream_options: bool,
    /// Whether ids of tool calls must be nine letters and digits.
    pub(super) short_ids: bool,
    /// Whether the key goes into an `api-key` header.
    pub(super) api_key_header: bool,
    /// How it is told to think.
    pub(super) thinking: ThinkingField,
}

impl Quirks {
    /// The quirks of this server with this model.
    pub(super) fn of(base_url: &Url, model_id: &str) -> Self {
        let host = base_url.host_str().unwrap_or_default();
        let within = |domain: &str| {
            host == domain
                || host
                    .strip_suffix(domain)
                    .is_some_and(|rest| rest.ends_with('.'))
        };
        let azure = is_azure_host(host);
        let name = model_id.rsplit('/').next().unwrap_or(model_id);
        // These refuse `max_tokens` wherever they are hosted; elsewhere it is the name that everybody knows.
        let new_name = within("openai.com")
            || azure
            || ["o1", "o3", "o4", "gpt-5"]
                .iter()
                .any(|family| name.starts_with(family));
        let mistral = within("mistral.ai");
        Self {
            output_limit: if new_name {
                "max_completion_tokens"
            } else {
                "max_tokens"
            },
            stream_options: !mistral,
            short_ids: mistral,
            api_key_header: azure,
            thinking: if within("openrouter.ai") {
                ThinkingField::Object
            } else if within("openai.com") || azure || mistral {
                ThinkingField::Effort
            } else {
                ThinkingField::Template
            },
        }
    }

    /// An id of a tool call as this server takes it; equal ids stay equal.
    pub(super) fn call_id(self, id: &str) -> String {
        let fits = id.len() == 9 && id.bytes().all(|byte| byte.is_ascii_alphanumeric());
        if !self.short_ids || fits {
            return id.to_owned();
        }
        let digest = Sha256::digest(id.as_bytes());
        digest
            .iter()
            .flat_map(|byte| [byte >> 4, byte & 15])
            .take(9)
            .filter_map(|nibble| char::from_digit(u32::from(nibble), 16))
            .collect()
    }
}

fn is_azure_host(host: &str) -> bool {
    let ends = |domain: &str| {
        host.strip_suffix(domain)
            .is_some_and(|rest| rest.is_empty() || rest.ends_with('.'))
    };
    ["azure.com", "azure.us", "azure.cn"].into_iter().any(ends)
}

/// Whether the server at this address is one of Azure's.
pub(in crate::providers) fn is_azure(base_url: &str) -> bool {
    Url::parse(base_url.trim()).is_ok_and(|url| is_azure_host(url.host_str().unwrap_or_default()))
}

/// Whether the server at this address can be told to think or not to think.
pub(in crate::providers) fn takes_thinking(base_url: &str) -> bool {
    Url::parse(base_url.trim())
        .is_ok_and(|url| Quirks::of(&url, "").thinking != ThinkingField::Effort)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn quirks(base_url: &str, model_id: &str) -> Quirks {
        Quirks::of(&Url::parse(base_url).unwrap(), model_id)
    }

    #[test]
    fn the_output_limit_has_the_name_that_the_server_knows() {
        let limit = |base_url, model_id| quirks(base_url, model_id).output_limit;

        assert_eq!(
            limit("https://api.openai.com/v1", "gpt-4o"),
            "max_completion_tokens"
        );
        assert_eq!(
            limit("https://openrouter.ai/api/v1", "openai/o3"),
            "max_completion_tokens"
        );
        assert_eq!(limit("http://127.0.0.1:8080/v1", "qwen3"), "max_tokens");
        assert_eq!(limit("https://notopenai.com/v1", "m"), "max_tokens");
    }

    #[test]
    fn azure_takes_its_key_in_a_header_of_its_own_in_every_cloud() {
        for base_url in [
            "https://work.openai.azure.com/openai/v1",
            "https://work.services.ai.azure.com/openai/v1",
            "https://work.openai.azure.us/openai/deployments/x",
        ] {
            let quirks = quirks(base_url, "deployment");
            assert!(quirks.api_key_header, "{base_url}");
            assert_eq!(quirks.output_limit, "max_completion_tokens");
        }
        assert!(!quirks("https://notazure.com/v1", "m").api_key_header);
    }

    #[test]
    fn call_ids_are_shortened_for_the_server_that_needs_it_and_stay_distinct() {
        let mistral = quirks("https://api.mistral.ai/v1", "m");
        let other = quirks("http://127.0.0.1/v1", "m");

        assert_eq!(other.call_id("call_1"), "call_1");
        assert_eq!(mistral.call_id("abcDEF123"), "abcDEF123");
        let (one, two) = (mistral.call_id("call_1"), mistral.call_id("call_2"));
        assert_eq!((one.len(), two.len()), (9, 9));
        assert_ne!(one, two);
        assert_eq!(mistral.call_id("call_1"), one);
    }
}
