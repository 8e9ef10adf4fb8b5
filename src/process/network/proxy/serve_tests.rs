//! Clients of every kind against a real proxy on loopback.

use std::net::SocketAddr;

use super::*;
use crate::{
    domain::permission::Network, permission::network::NetworkPolicy,
    process::network::guard::Resolver,
};

/// A proxy, where it listens, and what it refused.
struct World {
    place: SocketAddr,
    refusals: mpsc::Receiver<String>,
    _serving: tokio_util::task::AbortOnDropHandle<()>,
}

/// `remote`, with exceptions. Every name leads to the last exception, or to loopback.
async fn world(allowed: &[SocketAddr], address: &ProxyAddress) -> World {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let place = listener.local_addr().unwrap();
    let end = allowed.last().copied();
    let resolver: Resolver = Arc::new(move |_, port| {
        let found = end.unwrap_or_else(|| ([127, 0, 0, 1], port).into());
        Box::pin(async move { Ok(vec![found]) })
    });
    let policy = NetworkPolicy {
        network: Network::Remote,
        allowed: allowed.to_vec(),
    };
    let (tell, refusals) = mpsc::channel(8);
    let proxy = Proxy::new(Guard::with_resolver(policy, resolver), address, tell);
    let serving = tokio::spawn(proxy.serve(listener));
    World {
        place,
        refusals,
        _serving: tokio_util::task::AbortOnDropHandle::new(serving),
    }
}

fn open() -> ProxyAddress {
    ProxyAddress::in_own_network()
}

impl World {
    /// What a client that says this hears until the end.
    async fn say(&self, text: &str) -> String {
        let mut client = TcpStream::connect(self.place).await.unwrap();
        client.write_all(text.as_bytes()).await.unwrap();
        let mut answer = String::new();
        client.read_to_string(&mut answer).await.unwrap();
        answer
    }

    fn refused(&mut self) -> Vec<String> {
        std::iter::from_fn(|| self.refusals.try_recv().ok()).collect()
    }
}

/// A server that answers the first piece that it hears with it.
async fn echo() -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let place = listener.local_addr().unwrap();
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            let mut piece = [0; 4096];
            let length = stream.read(&mut piece).await.unwrap();
            stream.write_all(b"echo:").await.unwrap();
            stream.write_all(&piece[..length]).await.unwrap();
        }
    });
    place
}

#[tokio::test]
async fn what_is_allowed_passes_both_ways() {
    let server = echo().await;
    let mut world = world(&[server], &open()).await;

    let tunnel = world
        .say("CONNECT name.example:443 HTTP/1.1\r\n\r\nhello")
        .await;
    let plain = world
        .say("POST http://name.example/a HTTP/1.1\r\nContent-Length: 2\r\n\r\nhi")
        .await;

    assert_eq!(
        tunnel,
        "HTTP/1.1 200 Connection established\r\n\r\necho:hello"
    );
    assert_eq!(
        plain,
        "echo:POST /a HTTP/1.1\r\nHost: name.example\r\nContent-Length: 2\r\nConnection: close\r\n\r\nhi"
    );
    assert!(world.refused().is_empty());
}

#[tokio::test]
async fn what_is_not_allowed_is_refused_and_told() {
    let mut world = world(&[], &open()).await;

    for text in [
        "CONNECT 127.0.0.1:8080 HTTP/1.1\r\n\r\n",
        "CONNECT 0x7f.1:8080 HTTP/1.1\r\n\r\n",
        "GET http://127.1:8080/ HTTP/1.1\r\n\r\n",
        "CONNECT innocent.example:8080 HTTP/1.1\r\n\r\n",
        "GET file:///etc/passwd HTTP/1.1\r\n\r\n",
    ] {
        let answer = world.say(text).await;
        assert!(answer.starts_with("HTTP/1.1 403 Forbidden\r\n"), "{answer}");
    }

    assert_eq!(
        world.refused(),
        [
            "127.0.0.1:8080 refused: this machine",
            "127.0.0.1:8080 refused: this machine",
            "127.0.0.1:8080 refused: this machine",
            "innocent.example:8080 refused: this machine",
            "file:///etc/passwd refused: `file:` is neither http nor https",
        ]
    );
}

#[tokio::test]
async fn who_says_nothing_sensible_hears_why() {
    let mut world = world(&[], &open()).await;
    let long = format!("GET http://a/ HTTP/1.1\r\nA: {}", "a".repeat(LONGEST_HEAD));

    let answers = [
        world.say("hello\r\n\r\n").await,
        world.say(&long).await,
        world.say("GET / HTTP/1.1\r\n\r\n").await,
    ];

    let first: Vec<&str> = answers
        .iter()
        .map(|answer| answer.lines().next().unwrap())
        .collect();
    assert_eq!(
        first,
        [
            "HTTP/1.1 400 Bad Request",
            "HTTP/1.1 431 Request Header Fields Too Large",
            "HTTP/1.1 403 Forbidden"
        ]
    );
    assert_eq!(
        world.refused(),
        ["/ refused: it cannot be read as an address"]
    );
}

#[tokio::test]
async fn among_others_only_the_command_is_served() {
    let server = echo().await;
    let address = ProxyAddress::among_others(1);
    let world = world(&[server], &address).await;
    let ask = |credentials: &str| {
        format!("CONNECT a.example:1 HTTP/1.1\r\nProxy-Authorization: Basic {credentials}\r\n\r\nx")
    };

    let stranger = world.say(&ask("cWQ6eA==")).await;
    let own = world.say(&ask(&address.credentials().unwrap())).await;

    assert!(stranger.starts_with("HTTP/1.1 407 "), "{stranger}");
    assert!(own.ends_with("echo:x"), "{own}");
}

#[tokio::test]
async fn a_proxy_that_is_gone_has_closed_its_connections() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let server = listener.local_addr().unwrap();
    let world = world(&[server], &open()).await;
    let mut client = TcpStream::connect(world.place).await.unwrap();
    client
        .write_all(b"CONNECT a.example:1 HTTP/1.1\r\n\r\n")
        .await
        .unwrap();
    let (mut reached, _) = listener.accept().await.unwrap();

    drop(world);

    let mut rest = Vec::new();
    assert_eq!(reached.read_to_end(&mut rest).await.unwrap_or(0), 0);
}
