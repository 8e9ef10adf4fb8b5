//! From what a server answered to a [`ProviderError`]: what follows from it, and one line that says what to do.
//!
//! Every line names where the request went. The class decides what the engine does; the words only inform.

use std::time::Duration;

use jiff::Timestamp;
use reqwest::{Url, header::HeaderMap};
use serde_json::Value;

use super::{
    account::Account,
    error::{Fault, ProviderError},
    http,
    keys::secret::Secret,
    retry::RetryPolicy,
    window_full::is_window_full,
    words,
};

/// Where a request went, for messages.
#[derive(Clone, Debug)]
pub(super) struct Endpoint {
    url: Url,
    account: String,
    model_id: String,
    key: Option<Secret>,
    key_hint: String,
}

/// An answer that is not a reply.
#[derive(Clone, Debug, Default)]
pub(super) struct Answer {
    /// The status.
    pub(super) status: u16,
    /// The headers.
    pub(super) headers: HeaderMap,
    /// The body or its beginning.
    pub(super) body: Vec<u8>,
}

impl Answer {
    fn header(&self, name: &str) -> &str {
        self.headers
            .get(name)
            .and_then(|value| value.to_str().ok())
            .unwrap_or("")
    }
}

impl Endpoint {
    /// The endpoint of a request.
    pub(super) fn new(url: Url, account: &Account, model_id: &str) -> Self {
        Self {
            url,
            account: account.name.clone(),
            model_id: model_id.to_owned(),
            key: account.api_key.clone(),
            key_hint: account.key_hint.clone(),
        }
    }

    /// Where requests go.
    pub(super) fn url(&self) -> &Url {
        &self.url
    }

    /// The server refused the request.
    pub(super) fn refused(&self, answer: &Answer, now: Timestamp) -> ProviderError {
        let request_id = request_id(&answer.headers);
        let status = answer.status;
        let parsed = serde_json::from_slice::<Value>(&answer.body).ok();
        let raw = match &parsed {
            Some(value) => words::of_value(value).unwrap_or_default(),
            None => String::from_utf8_lossy(&answer.body).into_owned(),
        };
        let codes = parsed.as_ref().map(words::codes).unwrap_or_default();
        let page = words::is_web_page(answer.header("content-type"), &answer.body);
        let raw = match status {
            401..=403 | 429 if page => "it answered with a web page",
            _ if page => "",
            _ => raw.as_str(),
        };
        // Some gateways answer with pages: a status that says what is wrong counts for more than the page.
        let (fault, message) = if matches!(status, 401 | 403) || (status == 404 && !page) {
            self.not_allowed(status, raw)
        } else if is_window_full(status, &codes, raw) {
            (Fault::WindowFull, self.window_full(raw))
        } else if page && !matches!(status, 402 | 429) {
            return self.web_page(status, request_id);
        } else {
            let retry_after = retry_after(&answer.headers, now);
            self.other(answer, raw, &codes, retry_after)
        };
        ProviderError {
            fault,
            message,
            status: Some(status),
            request_id,
        }
    }

    /// A web page came instead of an API answer.
    pub(super) fn web_page(&self, status: u16, request_id: Option<String>) -> ProviderError {
        ProviderError {
            fault: Fault::WebPage,
            message: format!(
                "{} answered {status} with a web page instead of an API answer: check base_url of account {}, or \
                 whether a proxy or a sign-in page is in the way",
                http::shown(&self.url),
                self.account
            ),
            status: Some(status),
            request_id,
        }
    }

    /// The server reported an error inside a stream. `shown`: whether parts of the reply have come already; then
    /// asking again is out of the question, whatever the reason.
    pub(super) fn in_stream(
        &self,
        error: &Value,
        shown: bool,
        request_id: Option<String>,
    ) -> ProviderError {
        let raw = words::of_value(error).unwrap_or_else(|| "no reason given".to_owned());
        let codes = words::codes(error);
        let status = codes.iter().find_map(|code| {
            code.parse()
                .ok()
                .filter(|status| (400..600).contains(status))
        });
        let overloaded = codes.iter().any(|code| code.contains("overloaded"));
        let full = is_window_full(status.unwrap_or(0), &codes, &raw);
        let fault = match status.unwrap_or(0) {
            _ if shown => Fault::InStream,
            _ if full => Fault::WindowFull,
            429 => Fault::RateLimited { retry_after: None },
            500..600 => Fault::Overloaded { retry_after: None },
            _ if overloaded => Fault::Overloaded { retry_after: None },
            _ => Fault::InStream,
        };
        let message = if full {
            self.window_full(&raw)
        } else {
            let said = words::line(&raw, self.key.as_ref());
            format!("{} broke the reply off: {said}", self.host())
        };
        ProviderError {
            fault,
            message,
            status,
            request_id,
        }
    }

    /// The answer is not what the wire promises.
    pub(super) fn malformed(&self, what: &str) -> ProviderError {
        ProviderError::new(
            Fault::Malformed,
            format!(
                "{} sent {}: the server does not speak the chat completions API as expected",
                http::shown(&self.url),
                words::line(what, self.key.as_ref())
            ),
        )
    }

    /// Nothing came for too long.
    pub(super) fn silent(&self, limit: Duration) -> ProviderError {
        ProviderError::new(
            Fault::Silent,
            format!(
                "nothing came from {} for {} s",
                self.host(),
                limit.as_secs_f64()
            ),
        )
    }

    /// The server showed that it was there and said nothing for too long.
    pub(super) fn wordless(&self, limit: Duration) -> ProviderError {
        ProviderError::new(
            Fault::Silent,
            format!(
                "{} sent signs of life and no word for {} s",
                self.host(),
                limit.as_secs_f64()
            ),
        )
    }

    /// The request did not get through.
    pub(super) fn unsent(&self, error: &reqwest::Error) -> ProviderError {
        let cause = words::line(&http::root_cause(error), self.key.as_ref());
        let shown = http::shown(&self.url);
        if error.is_connect() || error.is_timeout() {
            let advice = if http::is_loopback(&self.url) {
                "is the server running?"
            } else {
                "check the network and base_url"
            };
            return ProviderError::new(
                Fault::Unreachable,
                format!("no connection to {shown}: {cause}; {advice}"),
            );
        }
        if error.is_builder() {
            return ProviderError::new(
                Fault::Setup,
                format!(
                    "cannot ask {shown}: {cause}; check account {}",
                    self.account
                ),
            );
        }
        ProviderError::new(
            Fault::CutOff,
            format!("{shown} closed the connection before it answered: {cause}"),
        )
    }

    fn host(&self) -> String {
        let host = self.url.host_str().unwrap_or_default();
        match self.url.port() {
            Some(port) => format!("{host}:{port}"),
            None => host.to_owned(),
        }
    }

    /// `: words` or nothing.
    fn said(&self, raw: &str) -> String {
        let line = words::line(raw, self.key.as_ref());
        if line.is_empty() {
            line
        } else {
            format!(": {line}")
        }
    }

    fn key_advice(&self) -> String {
        match (&self.key, self.key_hint.as_str()) {
            (Some(_), "") => format!("check the key of account {}", self.account),
            (Some(_), hint) => format!("check {hint}"),
            (None, "") => format!(
                "no key was sent; name one by api_key_env in account {}",
                self.account
            ),
            (None, hint) => format!("no key was sent; set {hint}"),
        }
    }

    fn window_full(&self, raw: &str) -> String {
        format!(
            "the conversation does not fit into the context window of {}{}",
            self.model(),
            self.said(raw)
        )
    }

    fn model(&self) -> String {
        words::line(&self.model_id, None)
    }

    fn not_allowed(&self, status: u16, raw: &str) -> (Fault, String) {
        let (host, said) = (self.host(), self.said(raw));
        match status {
            401 => (
                Fault::Unauthorized,
                format!("{host} refuses the key (401){said}; {}", self.key_advice()),
            ),
            403 => (
                Fault::Unauthorized,
                format!(
                    "{host} does not allow this (403){said}; {}, or whether it may use {}",
                    self.key_advice(),
                    self.model()
                ),
            ),
            _ => (
                Fault::NotFound,
                format!(
                    "{} was not found (404){said}; check base_url of account {} and the model name {}",
                    http::shown(&self.url),
                    self.account,
                    self.model()
                ),
            ),
        }
    }

    fn other(
        &self,
        answer: &Answer,
        raw: &str,
        codes: &[String],
        retry_after: Option<Duration>,
    ) -> (Fault, String) {
        let (status, host, said) = (answer.status, self.host(), self.said(raw));
        let unpaid = codes.iter().any(|code| {
            matches!(
                code.as_str(),
                "insufficient_quota" | "billing_hard_limit_reached"
            )
        });
        match status {
            300..400 => (
                Fault::Setup,
                format!(
                    "{} redirects ({status}) to {}; put the final address into base_url of account {}",
                    http::shown(&self.url),
                    words::line(answer.header("location"), self.key.as_ref()),
                    self.account
                ),
            ),
            402 => (Fault::Rejected, self.unpaid(status, &said)),
            429 if unpaid => (Fault::Rejected, self.unpaid(status, &said)),
            429 => (
                Fault::RateLimited { retry_after },
                format!(
                    "{host} limits the rate (429){said}{}",
                    long_wait(retry_after)
                ),
            ),
            408 | 425 | 500.. => (
                Fault::Overloaded { retry_after },
                format!(
                    "{host} cannot answer now ({status}){said}{}",
                    long_wait(retry_after)
                ),
            ),
            _ => (
                Fault::Rejected,
                format!("{host} does not accept the request ({status}){said}"),
            ),
        }
    }

    fn unpaid(&self, status: u16, said: &str) -> String {
        format!(
            "the account at {} has no credit left ({status}){said}; check its billing page",
            self.host()
        )
    }
}

/// What a wait means that is too long to be waited for; nothing for any other.
fn long_wait(asked: Option<Duration>) -> String {
    let Some(asked) = asked.filter(|asked| *asked > RetryPolicy::default().longest_asked) else {
        return String::new();
    };
    let minutes = asked.as_secs().div_ceil(60);
    let long = match minutes {
        0..120 => format!("{minutes} minutes"),
        120..2880 => format!("{} hours", minutes.div_ceil(60)),
        2880..525_600 => format!("{} days", minutes.div_ceil(24 * 60)),
        _ => "more than a year".to_owned(),
    };
    format!("; it asks to wait {long}, so nothing is sent again by itself: send a message to try")
}

/// The server's id of a request.
pub(super) fn request_id(headers: &HeaderMap) -> Option<String> {
    ["x-request-id", "request-id", "x-litellm-call-id", "cf-ray"]
        .iter()
        .filter_map(|name| headers.get(*name)?.to_str().ok())
        .find(|id| !id.is_empty())
        .map(|id| words::line(id, None).chars().take(100).collect())
}

/// What the server asks us to wait: milliseconds, seconds or a date.
fn retry_after(headers: &HeaderMap, now: Timestamp) -> Option<Duration> {
    let text = |name: &str| headers.get(name)?.to_str().ok().map(str::trim);
    let seconds = |value: f64| Duration::try_from_secs_f64(value).ok();
    if let Some(wait) = text("retry-after-ms").and_then(|value| value.parse::<f64>().ok()) {
        return seconds(wait / 1000.0);
    }
    let value = text("retry-after")?;
    if let Ok(wait) = value.parse::<f64>() {
        return seconds(wait);
    }
    let date = |text: &str| {
        let zoned = jiff::fmt::rfc2822::parse(text).ok()?;
        Some(zoned.timestamp())
    };
    // The server's own clock is the better one to measure its date by.
    let now = text("date").and_then(date).unwrap_or(now);
    let wait = date(value)?.duration_since(now);
    Some(Duration::try_from(wait).unwrap_or_default())
}

#[cfg(test)]
#[path = "failure_tests.rs"]
mod tests;
