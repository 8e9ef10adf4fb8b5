//! Judging where a connection is to go: by its URL, by its host, by the address that a name was resolved to, and again
//! for every redirect.

use core::net::SocketAddr;

use serde::{Deserialize, Serialize};
use url::Url;

use super::{
    address::{self, Place},
    target::{self, Target},
};
use crate::domain::permission::Network;

/// The most redirects that are followed.
pub const MOST_REDIRECTS: usize = 10;

/// Where connections may go.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct NetworkPolicy {
    /// What the session and the agent have.
    pub network: Network,
    /// Addresses that `remote` reaches although they are local.
    pub allowed: Vec<SocketAddr>,
}

/// Why a connection is not made, as the end of "refused: ".
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// There is no network.
    #[error("the network is closed")]
    Closed,
    /// The text is longer than any URL that means well.
    #[error("the URL is longer than {} bytes", target::LONGEST_URL)]
    TooLong,
    /// The text is no URL, or no `host:port`.
    #[error("it cannot be read as an address")]
    Malformed,
    /// The URL is not one of the web.
    #[error("`{0}:` is neither http nor https")]
    Scheme(String),
    /// There is a user's name or password in front of the host.
    #[error("there is a user name or a password in front of the host")]
    Credentials,
    /// The port belongs to something else.
    #[error("port {0} belongs to another service")]
    Port(u16),
    /// The address is not public.
    #[error("{0}")]
    Place(Place),
    /// The name is not public.
    #[error("a name of this machine or its surroundings")]
    Name,
    /// One redirect led to the next too often.
    #[error("it was redirected more than {MOST_REDIRECTS} times")]
    Redirects,
    /// A redirect led from a secured connection to an open one.
    #[error("a redirect leads from https to http")]
    Downgrade,
}

impl NetworkPolicy {
    /// What the session and the agent have, without any exception.
    pub fn of(network: Network) -> Self {
        Self {
            network,
            allowed: Vec::new(),
        }
    }

    /// Judges the URL of a request.
    pub fn judge_url(&self, text: &str) -> Result<(Url, Target), Refusal> {
        let url = target::parse(text)?;
        let target = Target::from_url(&url)?;
        self.judge_target(&target)?;
        Ok((url, target))
    }

    /// Judges a `host:port`.
    pub fn judge_authority(&self, text: &str) -> Result<Target, Refusal> {
        let target = Target::from_authority(text)?;
        self.judge_target(&target)?;
        Ok(target)
    }

    /// Judges where the redirect number `number`, counted from one, leads from `from`.
    pub fn judge_redirect(
        &self,
        from: &Url,
        location: &str,
        number: usize,
    ) -> Result<(Url, Target), Refusal> {
        if number > MOST_REDIRECTS {
            return Err(Refusal::Redirects);
        }
        if location.len() > target::LONGEST_URL {
            return Err(Refusal::TooLong);
        }
        let url = from.join(location).map_err(|_| Refusal::Malformed)?;
        let judged = self.judge_url(url.as_str())?;
        if from.scheme() == "https" && judged.0.scheme() == "http" {
            return Err(Refusal::Downgrade);
        }
        Ok(judged)
    }

    /// Judges an address, such as one that a name was resolved to.
    pub fn judge_address(&self, address: SocketAddr) -> Result<(), Refusal> {
        match self.network {
            Network::None => Err(Refusal::Closed),
            Network::All => Ok(()),
            Network::Remote if self.allowed.contains(&address) => Ok(()),
            Network::Remote => match address::place(address.ip()) {
                Some(place) => Err(Refusal::Place(place)),
                None => Ok(()),
            },
        }
    }

    /// Judges where a connection is to go, as far as that can be told before a name is resolved.
    pub fn judge_target(&self, target: &Target) -> Result<(), Refusal> {
        match (self.network, target.address()) {
            (Network::None, _) => Err(Refusal::Closed),
            (_, Some(address)) => self.judge_address(address),
            (Network::Remote, None) if target.is_local_name() => Err(Refusal::Name),
            (Network::Remote | Network::All, None) => Ok(()),
        }
    }
}

#[cfg(test)]
#[path = "policy_tests.rs"]
mod tests;
