//! The program's HTTP clients and what is bounded about an answer.
//!
//! There are two clients a process, made when first needed: one that goes through the proxies of the
//! environment, and one for this machine, which never does. Neither follows redirects: a request with a key
//! goes only where the account says.

use std::{net::IpAddr, sync::OnceLock, time::Duration};

use reqwest::{Client, Response, Url, redirect};

/// Until a connection stands.
pub(super) const CONNECT_LIMIT: Duration = Duration::from_secs(20);
/// The most that is read of an error's body.
pub(super) const ERROR_BODY_LIMIT: usize = 64 * 1024;
/// How long an error's body may take.
const ERROR_BODY_PATIENCE: Duration = Duration::from_secs(10);
/// How long the end of a finished stream is waited for, so that the connection can be used again.
const DRAIN_PATIENCE: Duration = Duration::from_secs(1);

/// The client for this address.
pub(super) fn client(url: &Url) -> Result<&'static Client, String> {
    static DIRECT: OnceLock<Result<Client, String>> = OnceLock::new();
    static PROXIED: OnceLock<Result<Client, String>> = OnceLock::new();
    let direct = is_loopback(url);
    let cell = if direct { &DIRECT } else { &PROXIED };
    cell.get_or_init(|| build(direct))
        .as_ref()
        .map_err(Clone::clone)
}

fn build(direct: bool) -> Result<Client, String> {
    // Fails when another part of the program has installed it already, which is as good.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let builder = Client::builder()
        .user_agent(concat!("quarterdeck/", env!("CARGO_PKG_VERSION")))
        .redirect(redirect::Policy::none())
        .connect_timeout(CONNECT_LIMIT)
        .tcp_keepalive(Duration::from_secs(30));
    let builder = if direct { builder.no_proxy() } else { builder };
    builder
        .build()
        .map_err(|error| format!("no HTTP client: {}", root_cause(&error)))
}

/// Whether an address is on this machine.
pub(super) fn is_loopback(url: &Url) -> bool {
    let Some(host) = url.host_str() else {
        return false;
    };
    let host = host.trim_start_matches('[').trim_end_matches(']');
    host == "localhost"
        || host.ends_with(".localhost")
        || host
            .parse()
            .is_ok_and(|address: IpAddr| address.to_canonical().is_loopback())
}

/// The address for messages: without user, password and query.
pub(super) fn shown(url: &Url) -> String {
    let port = url
        .port()
        .map(|port| format!(":{port}"))
        .unwrap_or_default();
    format!(
        "{}://{}{port}{}",
        url.scheme(),
        url.host_str().unwrap_or_default(),
        url.path()
    )
}

/// The innermost reason of an error: `connection refused` instead of `error sending request`.
pub(super) fn root_cause(error: &reqwest::Error) -> String {
    let mut cause: &dyn std::error::Error = error;
    while let Some(source) = cause.source() {
        cause = source;
    }
    cause.to_string()
}

/// The beginning of a body, at most `limit` bytes; what came until an error or the time limit.
pub(super) async fn read_bounded(response: &mut Response, limit: usize) -> Vec<u8> {
    let mut body = Vec::new();
    let read = async {
        while let Ok(Some(bytes)) = response.chunk().await {
            let room = limit.saturating_sub(body.len());
            body.extend(bytes.iter().take(room));
            if body.len() == limit {
                break;
            }
        }
    };
    // Running out of time is no failure: what came is enough for a message.
    let _ = tokio::time::timeout(ERROR_BODY_PATIENCE, read).await;
    body
}

/// Reads a finished stream to its end in the background: only then can its connection serve the next request.
pub(super) fn drain(mut response: Response) {
    let read = async move { while let Ok(Some(_)) = response.chunk().await {} };
    tokio::spawn(tokio::time::timeout(DRAIN_PATIENCE, read));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn this_machine_is_known_under_all_its_names() {
        let is = |url: &str| is_loopback(&Url::parse(url).unwrap());

        for url in [
            "http://localhost:11434/v1",
            "http://LOCALHOST/",
            "http://api.localhost/",
            "http://127.0.0.1:8080",
            "http://127.9.9.9/",
            "http://[::1]:80/",
            "http://[::ffff:127.0.0.1]/",
        ] {
            assert!(is(url), "{url}");
        }
        for url in [
            "https://api.openai.com/v1",
            "http://10.0.0.1/",
            "http://localhost.example.com/",
            "http://127.0.0.1.example.com/",
        ] {
            assert!(!is(url), "{url}");
        }
    }

    #[test]
    fn messages_show_an_address_without_its_secrets() {
        let url = Url::parse("https://user:canary@host.example:8443/v1/x?key=canary").unwrap();

        assert_eq!(shown(&url), "https://host.example:8443/v1/x");
    }
}
