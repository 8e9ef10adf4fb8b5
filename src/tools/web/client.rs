//! The HTTP client of one hop, and its failures in words.

use std::{net::SocketAddr, sync::Arc, time::Duration};

use reqwest::{Client, Response, header::LOCATION, redirect};
use url::Url;

use super::request::{Failure, Fault};

const AGENT: &str = concat!("quarterdeck/", env!("CARGO_PKG_VERSION"));

/// A client that knows these addresses and no others, whatever it is asked to resolve.
pub(super) fn client(addresses: Vec<SocketAddr>) -> reqwest::Result<Client> {
    struct Fixed(Vec<SocketAddr>);
    impl reqwest::dns::Resolve for Fixed {
        fn resolve(&self, _name: reqwest::dns::Name) -> reqwest::dns::Resolving {
            let addresses: reqwest::dns::Addrs = Box::new(self.0.clone().into_iter());
            Box::pin(std::future::ready(Ok(addresses)))
        }
    }
    // Fails when another part of the program has installed it already, which is as good.
    let _ = rustls::crypto::ring::default_provider().install_default();
    Client::builder()
        .user_agent(AGENT)
        .no_proxy()
        .redirect(redirect::Policy::none())
        .referer(false)
        .connect_timeout(Duration::from_secs(10))
        .dns_resolver(Arc::new(Fixed(addresses)))
        .build()
}

pub(super) fn location(response: &Response) -> Option<String> {
    if !matches!(response.status().as_u16(), 301 | 302 | 303 | 307 | 308) {
        return None;
    }
    let location = response.headers().get(LOCATION)?;
    Some(String::from_utf8_lossy(location.as_bytes()).into_owned())
}

/// A URL in messages: bounded, without its query.
pub(super) fn shown(url: &Url) -> String {
    let mut short = url.clone();
    short.set_query(None);
    short.set_fragment(None);
    let _ = short.set_password(None);
    let _ = short.set_username("");
    crate::text::truncate::middle(short.as_str(), 200).into_owned()
}

pub(super) fn slow(url: &Url) -> Failure {
    Failure::new(Fault::Timeout, format!("{} does not answer", shown(url)))
}

pub(super) fn broken(url: &Url, error: &reqwest::Error) -> Failure {
    let cause = root_cause(error);
    let cause = crate::text::sanitize::clean_line(&cause).into_owned();
    let what = if error.is_connect() {
        "no connection"
    } else {
        "the answer broke off"
    };
    Failure::new(Fault::Transport, format!("{}: {what}: {cause}", shown(url)))
}

pub(super) fn root_cause(error: &reqwest::Error) -> String {
    let mut cause: &dyn std::error::Error = error;
    while let Some(source) = cause.source() {
        cause = source;
    }
    cause.to_string()
}
