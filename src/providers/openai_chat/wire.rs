//! Sends a request and turns the answer into a stream.
//!
//! Silence is bounded, time is not: as long as something is said, a reply may take as long as it likes. Comments show
//! that the server still works on it (some send one every few seconds before the first word), so they stretch the
//! bound, but only [`PATIENCE`] times. A reply that has ended is over at once: the rest of the connection is read
//! in the background. Dropping the stream closes the connection.

use std::{
    collections::VecDeque,
    sync::Arc,
    time::{Duration, Instant},
};

use futures::{StreamExt, future::BoxFuture, stream};
use jiff::Timestamp;
use reqwest::{
    Response, Url,
    header::{ACCEPT, ACCEPT_ENCODING, AUTHORIZATION, CONTENT_TYPE, HeaderMap, HeaderValue},
};
use tokio::time::timeout;

use super::{media, quirks::Quirks, request, stream::ReplyReader, unload};
use crate::{
    domain::model_info::Unloaded,
    providers::{
        account::{Account, Silence},
        contract::{ChatRequest, Provider, ReplyStream, StreamEvent},
        error::{Fault, ProviderError},
        failure::{self, Answer, Endpoint},
        http,
    },
};

/// How long a usage report may come after the end of the reply.
const LINGER: Duration = Duration::from_secs(3);

/// How many times the bound on silence a server may take that sends signs of life and no word.
const PATIENCE: u32 = 5;
/// The most bytes in a row that say nothing: far more than signs of life ever need.
const NOTHING_LIMIT: usize = 32 * 1024 * 1024;

/// The wire with its account.
#[derive(Debug)]
pub(crate) struct OpenAiChat {
    account: Arc<Account>,
    url: Url,
    /// Where private fields come from and go back to.
    origin: Arc<str>,
}

impl OpenAiChat {
    /// The wire for this account; fails when the account cannot be used as configured.
    pub(crate) fn new(account: Account) -> Result<Self, ProviderError> {
        let wrong = |why: String| {
            ProviderError::new(
                Fault::Setup,
                format!("base_url of account {}: {why}", account.name),
            )
        };
        let mut url = Url::parse(account.base_url.trim())
            .map_err(|error| wrong(format!("{} is no address: {error}", account.base_url)))?;
        if !matches!(url.scheme(), "http" | "https") || url.host_str().is_none() {
            return Err(wrong("it must begin with http:// or https://".to_owned()));
        }
        let path = url.path().trim_end_matches('/');
        // The whole address, as some manuals give it, is taken too.
        let path = path.strip_suffix("/chat/completions").unwrap_or(path);
        let path = format!("{path}/chat/completions");
        url.set_path(&path);
        Ok(Self {
            origin: http::shown(&url).into(),
            account: Arc::new(account),
            url,
        })
    }

    /// The headers; the key is marked so that nothing logs it.
    fn headers(&self, quirks: Quirks) -> Result<HeaderMap, ProviderError> {
        let mut headers = HeaderMap::new();
        headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        headers.insert(
            ACCEPT,
            HeaderValue::from_static("text/event-stream, application/json"),
        );
        // A compressed stream is held back by the compressor of some servers.
        headers.insert(ACCEPT_ENCODING, HeaderValue::from_static("identity"));
        if let Some(key) = &self.account.api_key {
            let (name, text) = if quirks.api_key_header {
                ("api-key", key.expose().to_owned())
            } else {
                (AUTHORIZATION.as_str(), format!("Bearer {}", key.expose()))
            };
            let mut value = HeaderValue::from_str(&text).map_err(|_| {
                ProviderError::new(
                    Fault::Setup,
                    format!(
                        "the key of account {} holds characters that no key can have{}",
                        self.account.name,
                        if self.account.key_hint.is_empty() {
                            String::new()
                        } else {
                            format!("; check {}", self.account.key_hint)
                        }
                    ),
                )
            })?;
            value.set_sensitive(true);
            headers.insert(name, value);
        }
        Ok(headers)
    }
}

impl Provider for OpenAiChat {
    fn stream(
        &self,
        request: ChatRequest,
    ) -> BoxFuture<'static, Result<ReplyStream, ProviderError>> {
        let quirks = Quirks::of(&self.url, &request.model.model_id);
        let endpoint = Endpoint::new(self.url.clone(), &self.account, &request.model.model_id);
        let (origin, headers) = (Arc::clone(&self.origin), self.headers(quirks));
        let silence = self.account.silence;
        Box::pin(async move {
            let client = http::client(endpoint.url())
                .map_err(|words| ProviderError::new(Fault::Setup, words))?;
            let sending = client
                .post(endpoint.url().clone())
                .headers(headers?)
                .body(request::body(&request, &origin, quirks).to_string())
                .send();
            let mut response = timeout(silence.first, sending)
                .await
                .map_err(|_| endpoint.silent(silence.first))?
                .map_err(|error| endpoint.unsent(&error))?;
            let status = response.status().as_u16();
            if !response.status().is_success() {
                let mut error = refusal(&endpoint, &mut response).await;
                if error.fault != Fault::WindowFull {
                    error.message.push_str(&media::advice(&request, status));
                }
                return Err(error);
            }
            let request_id = failure::request_id(response.headers());
            let is_page = response
                .headers()
                .get(CONTENT_TYPE)
                .and_then(|value| value.to_str().ok())
                .is_some_and(|kind| kind.to_ascii_lowercase().contains("html"));
            if is_page {
                return Err(endpoint.web_page(status, request_id));
            }
            let price = request.model.price;
            let reader = ReplyReader::new(
                endpoint.clone(),
                origin.to_string(),
                status,
                request_id,
                price,
            );
            let reply = Reply {
                endpoint,
                silence,
                response: Some(response),
                reader,
                waiting: VecDeque::new(),
                failure: None,
                last_said: Instant::now(),
                unsaid: 0,
            };
            Ok(stream::unfold(reply, Reply::next).boxed())
        })
    }

    fn unload(&self, model_id: &str) -> Option<BoxFuture<'static, Unloaded>> {
        if !unload::is_own(&self.url) {
            return None;
        }
        let (model_id, url) = (model_id.to_owned(), self.url.clone());
        let (headers, key) = (
            self.headers(Quirks::of(&url, &model_id)),
            self.account.api_key.clone(),
        );
        Some(Box::pin(async move {
            match headers {
                Ok(headers) => {
                    unload::OwnServer { url, headers, key }
                        .unload(model_id)
                        .await
                }
                Err(error) => Unloaded::Failed(error.message),
            }
        }))
    }
}

async fn refusal(endpoint: &Endpoint, response: &mut Response) -> ProviderError {
    let answer = Answer {
        status: response.status().as_u16(),
        headers: response.headers().clone(),
        body: http::read_bounded(response, http::ERROR_BODY_LIMIT).await,
    };
    endpoint.refused(&answer, Timestamp::now())
}

/// A reply that is being read.
struct Reply {
    endpoint: Endpoint,
    silence: Silence,
    /// `None` once the answer is over.
    response: Option<Response>,
    reader: ReplyReader,
    waiting: VecDeque<StreamEvent>,
    failure: Option<ProviderError>,
    /// When the reply last went on.
    last_said: Instant,
    /// Bytes since then.
    unsaid: usize,
}

impl Reply {
    async fn next(mut self) -> Option<(Result<StreamEvent, ProviderError>, Self)> {
        loop {
            if let Some(event) = self.waiting.pop_front() {
                return Some((Ok(event), self));
            }
            if let Some(error) = self.failure.take() {
                self.response = None;
                return Some((Err(error), self));
            }
            let mut response = self.response.take()?;
            let limit = self.limit();
            let mut events = Vec::new();
            let read = match timeout(limit, response.chunk()).await {
                Ok(Ok(Some(bytes))) => self.read(&bytes, response, &mut events),
                Ok(Ok(None)) => self.reader.end(&mut events),
                Ok(Err(error)) => {
                    tracing::debug!(cause = http::root_cause(&error), "the connection broke");
                    self.reader.end(&mut events)
                }
                Err(_) if self.reader.is_finished() => self.reader.end(&mut events),
                Err(_) => Err(self.endpoint.silent(limit)),
            };
            self.failure = read.err();
            self.waiting = events.into();
        }
    }

    fn read(
        &mut self,
        bytes: &[u8],
        response: Response,
        events: &mut Vec<StreamEvent>,
    ) -> Result<(), ProviderError> {
        let was_finished = self.reader.is_finished();
        self.reader.push(bytes, events)?;
        let is_finished = self.reader.is_finished();
        if !events.is_empty() || self.reader.is_whole() || is_finished != was_finished {
            self.last_said = Instant::now();
            self.unsaid = 0;
        } else {
            self.unsaid += bytes.len();
        }
        let waited = self.last_said.elapsed();
        if self.reader.is_done() || (is_finished && waited > LINGER) {
            http::drain(response);
            return self.reader.end(events);
        }
        let longest = self.limit() * PATIENCE;
        if waited > longest {
            return Err(self.endpoint.wordless(longest));
        }
        if self.unsaid > NOTHING_LIMIT {
            return Err(self.endpoint.malformed("a stream that says nothing"));
        }
        self.response = Some(response);
        Ok(())
    }

    /// How long nothing may come now.
    fn limit(&self) -> Duration {
        if self.reader.is_finished() {
            LINGER
        } else if self.reader.has_shown() {
            self.silence.between
        } else {
            self.silence.first
        }
    }
}
