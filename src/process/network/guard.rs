//! The one way to a connection on an agent's behalf.
//!
//! A name is resolved once, every address that it gives is judged, and the connection goes to an address that was:
//! between the judgement and the connection nobody is asked again, so a name that means something else the next time
//! changes nothing.

use std::{
    io,
    net::{SocketAddr, UdpSocket},
    sync::Arc,
    time::Duration,
};

use futures::future::BoxFuture;
use tokio::{net::TcpStream, time::timeout};

use crate::{
    domain::permission::Network,
    permission::network::{NetworkPolicy, Place, Refusal, Target},
};

/// The longest that resolving a name may take.
const RESOLVING: Duration = Duration::from_secs(10);
/// The longest that a connection to one address may take to be made.
const CONNECTING: Duration = Duration::from_secs(10);
/// The most addresses of a name that are tried.
const MOST_ADDRESSES: usize = 8;

/// Gives the addresses of a name.
pub type Resolver =
    Arc<dyn Fn(String, u16) -> BoxFuture<'static, io::Result<Vec<SocketAddr>>> + Send + Sync>;

/// Why there is no connection.
#[derive(Debug, thiserror::Error)]
pub enum Unconnected {
    /// It is not allowed.
    #[error("refused: {0}")]
    Refused(#[from] Refusal),
    /// The name has no address.
    #[error("the name cannot be resolved: {0}")]
    Unresolved(io::Error),
    /// No address answers.
    #[error("no connection: {0}")]
    Unreachable(io::Error),
}

/// Makes connections as far as a policy lets it. Cheap to clone.
#[derive(Clone)]
pub struct Guard {
    policy: Arc<NetworkPolicy>,
    resolver: Resolver,
}

impl Guard {
    /// With the names of this machine.
    pub fn new(policy: NetworkPolicy) -> Self {
        let resolver: Resolver = Arc::new(|name, port| {
            Box::pin(async move {
                let found = tokio::net::lookup_host((name, port)).await?;
                Ok(found.collect())
            })
        });
        Self::with_resolver(policy, resolver)
    }

    /// With names from elsewhere.
    pub fn with_resolver(policy: NetworkPolicy, resolver: Resolver) -> Self {
        Self {
            policy: Arc::new(policy),
            resolver,
        }
    }

    /// What it judges by.
    pub fn policy(&self) -> &NetworkPolicy {
        &self.policy
    }

    /// The addresses of a target that may be connected to; a client that connects by itself must use these and no
    /// others. At least one, or the reason why there is none.
    pub async fn addresses(&self, target: &Target) -> Result<Vec<SocketAddr>, Unconnected> {
        self.policy.judge_target(target)?;
        let found = match (target.address(), target.name()) {
            (Some(address), _) => vec![address],
            (None, name) => {
                let name = name.unwrap_or_default().to_owned();
                timeout(RESOLVING, (self.resolver)(name, target.port()))
                    .await
                    .map_err(|_| Unconnected::Unresolved(io::ErrorKind::TimedOut.into()))?
                    .map_err(Unconnected::Unresolved)?
            }
        };
        let mut refused = None;
        let mut addresses = Vec::new();
        for address in found.into_iter().take(MOST_ADDRESSES) {
            match self.judge(address) {
                Ok(()) => addresses.push(address),
                Err(refusal) => refused = Some(refusal),
            }
        }
        match refused {
            Some(refusal) if addresses.is_empty() => Err(refusal.into()),
            None if addresses.is_empty() => {
                Err(Unconnected::Unresolved(io::ErrorKind::NotFound.into()))
            }
            _ => Ok(addresses),
        }
    }

    /// Connects to the first address that answers.
    pub async fn connect(&self, target: &Target) -> Result<TcpStream, Unconnected> {
        let mut failed = io::Error::from(io::ErrorKind::NotFound);
        for address in self.addresses(target).await? {
            match timeout(CONNECTING, TcpStream::connect(address)).await {
                Ok(Ok(stream)) => return Ok(stream),
                Ok(Err(error)) => failed = error,
                Err(_) => failed = io::ErrorKind::TimedOut.into(),
            }
        }
        Err(Unconnected::Unreachable(failed))
    }

    fn judge(&self, address: SocketAddr) -> Result<(), Refusal> {
        self.policy.judge_address(address)?;
        let is_exempt =
            self.policy.network == Network::All || self.policy.allowed.contains(&address);
        if !is_exempt && is_own(address) {
            return Err(Refusal::Place(Place::ThisMachine));
        }
        Ok(())
    }
}

/// Whether one of this machine's interfaces has the address: then the way there begins at the address itself. Nothing
/// is sent to find that out.
fn is_own(address: SocketAddr) -> bool {
    let any: SocketAddr = match address {
        SocketAddr::V4(_) => ([0; 4], 0).into(),
        SocketAddr::V6(_) => ([0_u16; 8], 0).into(),
    };
    UdpSocket::bind(any)
        .and_then(|socket| {
            socket.connect(address)?;
            socket.local_addr()
        })
        .is_ok_and(|local| local.ip() == address.ip())
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    /// A resolver that gives one list after the other and then the last one again, and how often it was asked.
    fn resolver(lists: &[&[&str]]) -> (Resolver, Arc<AtomicUsize>) {
        let lists: Vec<Vec<SocketAddr>> = lists
            .iter()
            .map(|list| list.iter().map(|text| text.parse().unwrap()).collect())
            .collect();
        let asked = Arc::new(AtomicUsize::new(0));
        let count = Arc::clone(&asked);
        let resolver: Resolver = Arc::new(move |_, _| {
            let number = count.fetch_add(1, Ordering::Relaxed);
            let list = lists[number.min(lists.len() - 1)].clone();
            Box::pin(async move { Ok(list) })
        });
        (resolver, asked)
    }

    fn target() -> Target {
        Target::from_authority("innocent.example:80").unwrap()
    }

    async fn addresses(lists: &[&[&str]]) -> Result<Vec<String>, String> {
        let guard = Guard::with_resolver(NetworkPolicy::of(Network::Remote), resolver(lists).0);
        guard
            .addresses(&target())
            .await
            .map(|found| found.iter().map(ToString::to_string).collect())
            .map_err(|error| error.to_string())
    }

    #[tokio::test]
    async fn a_name_leads_to_its_public_addresses_only() {
        assert_eq!(
            addresses(&[&["10.0.0.1:80", "1.1.1.1:80", "[::1]:80"]]).await,
            Ok(vec!["1.1.1.1:80".to_owned()])
        );
        assert_eq!(
            addresses(&[&["169.254.169.254:80"]]).await,
            Err("refused: a cloud's metadata service".to_owned())
        );
        assert!(addresses(&[&[]]).await.is_err());
    }

    #[tokio::test]
    async fn b113_a_name_that_changes_its_mind_is_asked_once() {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let near = listener.local_addr().unwrap();
        let policy = NetworkPolicy {
            network: Network::Remote,
            allowed: vec![near],
        };
        let first = near.to_string();
        let (resolver, asked) = resolver(&[&[&first], &["127.0.0.1:1"]]);
        let guard = Guard::with_resolver(policy, resolver);

        let stream = guard.connect(&target()).await.unwrap();

        assert_eq!(stream.peer_addr().unwrap(), near);
        assert_eq!(asked.load(Ordering::Relaxed), 1);
        let error = guard.connect(&target()).await.unwrap_err();
        assert_eq!(error.to_string(), "refused: this machine");
    }

    #[tokio::test]
    async fn a_refused_address_hears_nothing() {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        listener.set_nonblocking(true).unwrap();
        let text = listener.local_addr().unwrap().to_string();
        let target = Target::from_authority(&text).unwrap();

        for network in [Network::Remote, Network::None] {
            let guard = Guard::new(NetworkPolicy::of(network));
            assert!(guard.connect(&target).await.is_err());
        }

        assert!(listener.accept().is_err());
        let guard = Guard::new(NetworkPolicy::of(Network::All));
        assert!(guard.connect(&target).await.is_ok());
        assert!(listener.accept().is_ok());
    }

    #[test]
    fn an_address_of_this_machine_is_known() {
        assert!(is_own("127.0.0.1:1".parse().unwrap()));
        assert!(!is_own("192.0.2.1:1".parse().unwrap()));
    }
}
