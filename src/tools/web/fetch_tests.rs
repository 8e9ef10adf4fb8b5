use std::sync::{
    Mutex,
    atomic::{AtomicUsize, Ordering},
};

use base64::Engine as _;
use tokio::{
    io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader},
    net::TcpListener,
};

use super::*;
use crate::domain::permission::{Rule, Verdict};

/// A server on loopback: each path has its bytes, from the status line on; what follows `hold` stays open.
struct Server {
    address: SocketAddr,
    asked: Arc<Mutex<Vec<String>>>,
}

/// Keeps the connection open behind the bytes, without another.
const HOLD: &[u8] = b"\0hold";

impl Server {
    async fn start(answers: impl Fn(&str) -> Vec<u8> + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let asked = Arc::new(Mutex::new(Vec::new()));
        let (answers, seen) = (Arc::new(answers), Arc::clone(&asked));
        tokio::spawn(async move {
            while let Ok((mut socket, _)) = listener.accept().await {
                let (answers, seen) = (Arc::clone(&answers), Arc::clone(&seen));
                tokio::spawn(async move {
                    let (reader, mut writer) = socket.split();
                    let mut lines = BufReader::new(reader).lines();
                    let mut head = Vec::new();
                    while let Ok(Some(line)) = lines.next_line().await {
                        if line.is_empty() {
                            break;
                        }
                        head.push(line);
                    }
                    let path = head.first().and_then(|line| line.split(' ').nth(1));
                    let answer = answers(path.unwrap_or_default());
                    seen.lock().unwrap().push(head.join("\n"));
                    let held = answer.strip_suffix(HOLD);
                    let _ = writer.write_all(held.unwrap_or(&answer)).await;
                    if held.is_some() {
                        let _ = lines.next_line().await;
                    }
                });
            }
        });
        Self { address, asked }
    }

    fn url(&self, path: &str) -> Url {
        self.named("site.example", path)
    }

    fn named(&self, host: &str, path: &str) -> Url {
        Url::parse(&format!("http://{host}:{}{path}", self.address.port())).unwrap()
    }

    fn asked(&self) -> Vec<String> {
        let asked = self.asked.lock().unwrap();
        asked
            .iter()
            .map(|head| head.split(' ').nth(1).unwrap().to_owned())
            .collect()
    }

    /// Reaches this server under every name that ends in `.example`.
    fn fetcher(&self) -> Fetcher {
        let address = self.address;
        Fetcher {
            network: Network::All,
            links: Links::default(),
            reachable: vec![address],
            bounds: Bounds {
                total: Duration::from_secs(30),
                head: Duration::from_secs(20),
                idle: Duration::from_secs(10),
                body: 100_000,
            },
            resolver: Some(Arc::new(move |_, _| {
                Box::pin(async move { Ok(vec![address]) })
            })),
        }
    }
}

fn ok(body: &str) -> Vec<u8> {
    format!(
        "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{body}",
        body.len()
    )
    .into_bytes()
}

fn status(line: &str) -> Vec<u8> {
    format!("HTTP/1.1 {line}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n").into_bytes()
}

fn to(location: &str) -> Vec<u8> {
    status(&format!("302 Found\r\nLocation: {location}"))
}

async fn fetch(fetcher: &Fetcher, url: Url) -> Result<Page, Failure> {
    fetcher.fetch(url, &HeaderMap::new()).await
}

async fn fault(fetcher: &Fetcher, url: Url) -> (Fault, String) {
    let failure = fetch(fetcher, url).await.unwrap_err();
    (failure.fault, failure.reason)
}

#[tokio::test]
async fn a_page_comes_with_its_last_address_and_headers_stay_with_the_first_host() {
    let server = Server::start(|path| match path {
        "/robots.txt" => status("404 Not Found"),
        "/a" => to("b?x=1"),
        "/b?x=1" => to("/c"),
        _ => ok("here"),
    })
    .await;
    let far = Server::start(|path| match path {
        "/robots.txt" => status("404 Not Found"),
        _ => ok("far"),
    })
    .await;
    let mut fetcher = server.fetcher();
    let headers = HeaderMap::from_iter([(
        reqwest::header::ACCEPT_LANGUAGE,
        HeaderValue::from_static("de"),
    )]);

    let page = fetcher.fetch(server.url("/a"), &headers).await.unwrap();

    assert_eq!(page.url, server.url("/c"));
    assert_eq!((page.status, page.body.as_slice()), (200, &b"here"[..]));
    assert_eq!(page.content_type, "text/plain");
    assert!(!page.truncated);
    assert_eq!(server.asked(), ["/robots.txt", "/a", "/b?x=1", "/c"]);
    let heads = server.asked.lock().unwrap().clone();
    assert!(
        heads[1].contains("user-agent: quarterdeck/"),
        "{}",
        heads[1]
    );
    assert!(heads[1].contains("accept-language: de"));
    assert!(!heads[1].contains("cookie"));

    let target = far.named("far.example", "/");
    let near = Server::start(move |path| match path {
        "/robots.txt" => status("404 Not Found"),
        _ => to(target.as_str()),
    })
    .await;
    let (one, other) = (near.address, far.address);
    fetcher.reachable = vec![one, other];
    fetcher.resolver = Some(Arc::new(move |_, port| {
        let found = if port == one.port() { one } else { other };
        Box::pin(async move { Ok(vec![found]) })
    }));
    let page = fetcher.fetch(near.url("/"), &headers).await.unwrap();
    assert_eq!(page.body, b"far");
    let heads = far.asked.lock().unwrap().clone();
    assert!(
        heads.iter().all(|head| !head.contains("accept-language")),
        "{heads:?}"
    );
}

#[tokio::test]
async fn b113_local_addresses_are_refused_at_every_hop_before_a_byte_is_sent() {
    let secret = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    secret.set_nonblocking(true).unwrap();
    let near = format!("http://{}/", secret.local_addr().unwrap());
    let targets = [
        near.clone(),
        near.replace("127.0.0.1", "2130706433"),
        near.replace("127.0.0.1", "[::ffff:127.0.0.1]"),
        near.replace("127.0.0.1", "localhost"),
        "http://169.254.169.254/latest/meta-data".to_owned(),
        "http://10.0.0.1/".to_owned(),
        "file:///etc/hostname".to_owned(),
        "http://me:canary@other.example/".to_owned(),
    ];
    let list = targets.clone();
    let server = Server::start(
        move |path| match path.trim_start_matches('/').parse::<usize>() {
            Ok(number) => to(&list[number]),
            Err(_) => status("404 Not Found"),
        },
    )
    .await;
    for (number, target) in targets.iter().enumerate() {
        let (kind, reason) = fault(&server.fetcher(), server.url(&format!("/{number}"))).await;
        assert_eq!(kind, Fault::Redirect, "{target}: {reason}");
        assert!(
            reason.contains("refused:") && !reason.contains("canary"),
            "{reason}"
        );
        if !target.contains('@') && target.starts_with("http") {
            let (kind, reason) = fault(&server.fetcher(), Url::parse(target).unwrap()).await;
            assert_eq!(kind, Fault::Refused, "{target}: {reason}");
        }
    }
    // A name that leads here is known by its address.
    let address = secret.local_addr().unwrap();
    let fetcher = Fetcher {
        resolver: Some(Arc::new(move |_, _| {
            Box::pin(async move { Ok(vec![address]) })
        })),
        reachable: Vec::new(),
        ..server.fetcher()
    };
    let url = Url::parse(&format!("http://innocent.example:{}/", address.port())).unwrap();
    let (kind, reason) = fault(&fetcher, url).await;
    assert_eq!(kind, Fault::Refused);
    assert!(
        reason.contains("this machine; it stays closed unless a rule"),
        "{reason}"
    );
    assert!(secret.accept().is_err());
}

#[tokio::test]
async fn a_rule_that_names_a_local_address_opens_it_where_the_network_is_open() {
    let server = Server::start(|_| ok("mine")).await;
    let url = Url::parse(&format!("http://{}/", server.address)).unwrap();
    let opened = |network| Fetcher {
        network,
        reachable: Vec::new(),
        resolver: None,
        links: Links {
            configured: vec![Rule {
                action: "web_fetch".to_owned(),
                resource: format!("http://{}/*", server.address),
                verdict: Verdict::Allow,
            }],
            ..Links::default()
        },
        ..server.fetcher()
    };

    assert_eq!(
        fetch(&opened(Network::All), url.clone())
            .await
            .unwrap()
            .body,
        b"mine"
    );
    assert_eq!(server.asked(), ["/"], "what a host wishes does not count");
    for network in [Network::Remote, Network::None] {
        assert_eq!(fault(&opened(network), url.clone()).await.0, Fault::Refused);
    }
}

#[tokio::test]
async fn robots_txt_is_asked_first_and_remembered() {
    let server = Server::start(|path| match path {
        "/robots.txt" => ok("User-agent: *\nDisallow: /no"),
        "/over" => to("/no/there"),
        _ => ok("yes"),
    })
    .await;
    let fetcher = server.fetcher();

    assert!(fetch(&fetcher, server.url("/yes")).await.is_ok());
    let (kind, reason) = fault(&fetcher, server.url("/no/page")).await;
    assert_eq!(kind, Fault::Robots);
    assert!(
        reason.contains("robots.txt of site.example keeps programs away from /no/page"),
        "{reason}"
    );
    assert_eq!(fault(&fetcher, server.url("/over")).await.0, Fault::Robots);
    assert_eq!(server.asked(), ["/robots.txt", "/yes", "/over"]);

    let ill = Server::start(|_| status("503 Service Unavailable")).await;
    assert_eq!(fault(&ill.fetcher(), ill.url("/")).await.0, Fault::Robots);
}

#[tokio::test]
async fn more_than_ten_redirects_are_not_followed() {
    let count = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&count);
    let server = Server::start(move |path| match path {
        "/robots.txt" => status("404 Not Found"),
        _ => to(&format!("/{}", counted.fetch_add(1, Ordering::Relaxed))),
    })
    .await;

    let (kind, reason) = fault(&server.fetcher(), server.url("/")).await;

    assert_eq!(kind, Fault::Redirect);
    assert!(reason.contains("more than 10 times"), "{reason}");
    assert_eq!(count.load(Ordering::Relaxed), 11);
}

#[tokio::test]
async fn b161_a_body_without_an_end_stops_at_the_bound() {
    let mut endless = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n".to_vec();
    for _ in 0..50 {
        endless.extend_from_slice(b"1000\r\n");
        endless.extend_from_slice(&[b'a'; 0x1000]);
        endless.extend_from_slice(b"\r\n");
    }
    endless.extend_from_slice(HOLD);
    let server = Server::start(move |path| match path {
        "/robots.txt" => status("404 Not Found"),
        _ => endless.clone(),
    })
    .await;

    let page = fetch(&server.fetcher(), server.url("/")).await.unwrap();

    assert_eq!(page.body.len(), 100_000);
    assert!(page.truncated);
}

/// 400,000 letters in a few hundred bytes.
#[tokio::test]
async fn what_a_body_becomes_is_bounded_not_what_is_sent() {
    let packed = base64::engine::general_purpose::STANDARD
        .decode(
            "H4sIAAAAAAACA+3BMQEAAADCoKzrX8IUfkABAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA\
        AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA\
        AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA\
        AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA\
        AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA\
        AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAADA3wB1+IeRgBoGAA==",
        )
        .unwrap();
    let head = format!(
        "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: {}\r\n\r\n",
        packed.len()
    );
    let server = Server::start(move |path| match path {
        "/robots.txt" => status("404 Not Found"),
        _ => [head.as_bytes(), &packed].concat(),
    })
    .await;

    let page = fetch(&server.fetcher(), server.url("/")).await.unwrap();

    assert_eq!((page.body.len(), page.truncated), (100_000, true));
    assert!(page.body.iter().all(|byte| *byte == b'a'));
}

#[tokio::test]
async fn b161_what_breaks_off_or_never_comes_fails_by_name() {
    let server = Server::start(|path| match path {
        "/robots.txt" => status("404 Not Found"),
        "/lies" => b"HTTP/1.1 200 OK\r\nContent-Length: 999\r\n\r\nshort".to_vec(),
        "/slow" => [&b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\na"[..], HOLD].concat(),
        "/mute" => HOLD.to_vec(),
        "/heads" => {
            let lines: String = (0..5000)
                .map(|number| format!("X-{number}: y\r\n"))
                .collect();
            format!("HTTP/1.1 200 OK\r\n{lines}\r\n").into_bytes()
        }
        _ => b"nonsense\r\n\r\n".to_vec(),
    })
    .await;
    let short = Duration::from_millis(50);
    let patient = server.fetcher();
    let hasty = |change: fn(&mut Bounds, Duration)| {
        let mut fetcher = server.fetcher();
        change(&mut fetcher.bounds, short);
        fetcher
    };

    let (kind, reason) = fault(&patient, server.url("/lies")).await;
    assert_eq!(kind, Fault::Transport);
    assert!(reason.contains("the answer broke off"), "{reason}");
    assert_eq!(
        fault(&patient, server.url("/heads")).await.0,
        Fault::Transport
    );
    assert_eq!(
        fault(&patient, server.url("/nonsense")).await.0,
        Fault::Transport
    );
    let fetcher = hasty(|bounds, short| bounds.idle = short);
    let (kind, reason) = fault(&fetcher, server.url("/slow")).await;
    assert_eq!(kind, Fault::Timeout);
    assert!(
        reason.contains("sent nothing for 0.05 s after 1 bytes"),
        "{reason}"
    );
    let fetcher = hasty(|bounds, short| bounds.head = short);
    assert_eq!(fault(&fetcher, server.url("/mute")).await.0, Fault::Timeout);
    let fetcher = hasty(|bounds, short| bounds.total = short);
    let (kind, reason) = fault(&fetcher, server.url("/mute")).await;
    assert_eq!(kind, Fault::Timeout);
    assert!(reason.contains("had not come after 0.05 s"), "{reason}");
}

#[tokio::test]
async fn nobody_at_home_is_no_connection() {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    drop(listener);
    let server = Server::start(|_| Vec::new()).await;
    let fetcher = Fetcher {
        reachable: vec![address],
        resolver: Some(Arc::new(move |_, _| {
            Box::pin(async move { Ok(vec![address]) })
        })),
        ..server.fetcher()
    };
    let url = Url::parse(&format!("http://gone.example:{}/", address.port())).unwrap();

    let (kind, reason) = fault(&fetcher, url).await;

    assert_eq!(kind, Fault::Transport);
    assert!(reason.contains("no connection"), "{reason}");
}
