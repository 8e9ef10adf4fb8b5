//! Asking for a page, hop by hop.
//!
//! Every hop is judged by the network's setting, by rules and by the host's `robots.txt`, its name is resolved once,
//! and the connection goes to an address that was judged. No proxy of the environment is used, since it would connect
//! to addresses that nobody judged. No cookies are kept, and headers of the call go to the first host only.

use std::{net::SocketAddr, sync::Arc, time::Duration};

use reqwest::{
    Response,
    header::{ACCEPT, CONTENT_TYPE, HeaderMap, HeaderValue},
};
use tokio::time::timeout;
use url::Url;

use super::{
    client::{broken, client, location, root_cause, shown, slow},
    request::{Failure, Fault},
};
use crate::{
    domain::{access::Links, permission::Network},
    permission::{
        network::{NetworkPolicy, Place, Refusal, Target, address},
        web,
    },
    process::network::guard::{Guard, Resolver, Unconnected},
};

const ACCEPTED: &str =
    "text/html,application/xhtml+xml,text/markdown;q=0.9,text/plain;q=0.9,*/*;q=0.5";
/// How much is waited for and how much is taken.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bounds {
    /// Everything together.
    pub(super) total: Duration,
    /// Until the head of an answer is there.
    pub(super) head: Duration,
    /// Between two pieces of a body.
    pub(super) idle: Duration,
    /// Bytes of a body, as decoded.
    pub(super) body: usize,
}

impl Bounds {
    pub(super) const USUAL: Self = Self {
        total: Duration::from_mins(1),
        head: Duration::from_secs(30),
        idle: Duration::from_secs(10),
        body: 16 * 1024 * 1024,
    };
}

/// What came.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Page {
    /// Where it came from, after redirects.
    pub(super) url: Url,
    pub(super) status: u16,
    /// The header, empty when there was none.
    pub(super) content_type: String,
    pub(super) body: Vec<u8>,
    /// Whether there is more of the body.
    pub(super) truncated: bool,
}

/// Fetches for one call.
pub(super) struct Fetcher {
    pub(super) network: Network,
    pub(super) links: Links,
    /// Addresses that are reached although they are local.
    pub(super) reachable: Vec<SocketAddr>,
    pub(super) bounds: Bounds,
    /// Where names come from, when not from this machine.
    pub(super) resolver: Option<Resolver>,
}

impl Fetcher {
    /// Fetches a page and follows its redirects.
    pub(super) async fn fetch(&self, url: Url, headers: &HeaderMap) -> Result<Page, Failure> {
        let total = self.bounds.total;
        timeout(total, self.follow(url, headers))
            .await
            .map_err(|_| {
                Failure::new(
                    Fault::Timeout,
                    format!("the page had not come after {} s", total.as_secs_f64()),
                )
            })?
    }

    async fn follow(&self, mut url: Url, headers: &HeaderMap) -> Result<Page, Failure> {
        let first = url.origin();
        let none = HeaderMap::new();
        for number in 1.. {
            self.ask_robots(&url).await?;
            let own = if url.origin() == first {
                headers
            } else {
                &none
            };
            let response = self.ask(&url, own).await?;
            match location(&response) {
                Some(location) => url = self.redirected(&url, &location, number)?,
                None => return self.take(url, response).await,
            }
        }
        Err(Failure::new(
            Fault::Redirect,
            Refusal::Redirects.to_string(),
        ))
    }

    /// Where a redirect leads, when it may be followed.
    pub(super) fn redirected(
        &self,
        from: &Url,
        location: &str,
        number: usize,
    ) -> Result<Url, Failure> {
        let next = from.join(location).map_err(|_| {
            Failure::new(Fault::Redirect, "it was redirected to what is no address")
        })?;
        let refused = |why: &str| {
            let reason = format!("it was redirected to {}: {why}", shown(&next));
            Failure::new(Fault::Redirect, reason)
        };
        web::follow(&self.links, next.as_str()).map_err(|why| refused(&why))?;
        self.policy(&next)
            .judge_redirect(from, location, number)
            .map_err(|refusal| refused(&format!("refused: {refusal}")))?;
        Ok(next)
    }

    /// Where connections for a URL may go: to this machine and its surroundings only where a rule names it.
    fn policy(&self, url: &Url) -> NetworkPolicy {
        let network = if web::is_opened(&self.links.configured, url.as_str()) {
            self.network
        } else {
            self.network.min(Network::Remote)
        };
        NetworkPolicy {
            network,
            allowed: self.reachable.clone(),
        }
    }

    /// Sends one request to an address that was judged.
    pub(super) async fn ask(&self, url: &Url, headers: &HeaderMap) -> Result<Response, Failure> {
        let refused = |refusal: &Refusal| {
            let local = matches!(refusal, Refusal::Place(_) | Refusal::Name);
            let open = if local {
                format!(
                    "; {}",
                    web::how_to_open("web_fetch", url.as_str(), self.network)
                )
            } else {
                String::new()
            };
            let reason = format!("{} is not reached: {refusal}{open}", shown(url));
            Failure::new(Fault::Refused, reason)
        };
        let policy = self.policy(url);
        let (_, target) = policy
            .judge_url(url.as_str())
            .map_err(|refusal| refused(&refusal))?;
        let guard = match &self.resolver {
            None => Guard::new(policy),
            Some(resolver) => Guard::with_resolver(policy, Arc::clone(resolver)),
        };
        let addresses = guard.addresses(&target).await.map_err(|why| match why {
            Unconnected::Refused(refusal) => refused(&refusal),
            other => Failure::new(Fault::Transport, format!("{}: {other}", shown(url))),
        })?;
        let addresses = without_metadata(&target, addresses);
        if addresses.is_empty() {
            return Err(refused(&Refusal::Place(Place::Metadata)));
        }
        let client = client(addresses)
            .map_err(|error| Failure::new(Fault::Transport, root_cause(&error)))?;
        let request = client
            .get(url.clone())
            .header(ACCEPT, HeaderValue::from_static(ACCEPTED))
            .headers(headers.clone());
        match timeout(self.bounds.head, request.send()).await {
            Ok(Ok(response)) => Ok(response),
            Ok(Err(error)) if error.is_timeout() => Err(slow(url)),
            Ok(Err(error)) => Err(broken(url, &error)),
            Err(_) => Err(slow(url)),
        }
    }

    /// Reads the body as far as it is taken.
    async fn take(&self, url: Url, mut response: Response) -> Result<Page, Failure> {
        let content_type = response
            .headers()
            .get(CONTENT_TYPE)
            .map(|value| String::from_utf8_lossy(value.as_bytes()).into_owned())
            .unwrap_or_default();
        let (body, truncated) = self.read(&url, &mut response, self.bounds.body).await?;
        Ok(Page {
            status: response.status().as_u16(),
            url,
            content_type,
            body,
            truncated,
        })
    }

    pub(super) async fn read(
        &self,
        url: &Url,
        response: &mut Response,
        limit: usize,
    ) -> Result<(Vec<u8>, bool), Failure> {
        let mut body = Vec::new();
        loop {
            let piece = match timeout(self.bounds.idle, response.chunk()).await {
                Err(_) => {
                    let reason = format!(
                        "{} sent nothing for {} s after {} bytes",
                        shown(url),
                        self.bounds.idle.as_secs_f64(),
                        body.len()
                    );
                    return Err(Failure::new(Fault::Timeout, reason));
                }
                Ok(Err(error)) => return Err(broken(url, &error)),
                Ok(Ok(None)) => return Ok((body, false)),
                Ok(Ok(Some(piece))) => piece,
            };
            let room = limit - body.len();
            body.extend_from_slice(piece.get(..room).unwrap_or(&piece));
            if piece.len() > room {
                return Ok((body, true));
            }
        }
    }
}

/// A name that a rule opens leads to no service that gives out keys.
fn without_metadata(target: &Target, addresses: Vec<SocketAddr>) -> Vec<SocketAddr> {
    if target.name().is_none() {
        return addresses;
    }
    let is_metadata = |address: &SocketAddr| address::place(address.ip()) == Some(Place::Metadata);
    addresses
        .into_iter()
        .filter(|address| !is_metadata(address))
        .collect()
}

#[cfg(test)]
#[path = "fetch_tests.rs"]
mod tests;
