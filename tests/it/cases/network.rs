//! The network of commands: `remote` is other machines, by way of a proxy, and what it refuses is named.

use std::{
    io::{Read as _, Write as _},
    net::{SocketAddr, TcpListener},
};

use quarterdeck::domain::permission::Network;

use crate::support::cage::{Cage, backends, has};

/// A server of this machine that answers every request with the same page.
fn page() -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.unwrap();
            let mut piece = [0; 4096];
            if stream.read(&mut piece).is_ok_and(|length| length > 0) {
                let page =
                    b"HTTP/1.1 200 OK\r\nContent-Length: 6\r\nConnection: close\r\n\r\na page";
                let _ = stream.write_all(page);
            }
        }
    });
    address
}

/// A client that is always there: the shell asks the proxy that the variables name.
fn ask(request: &str) -> String {
    format!(
        "p=${{http_proxy#http://}}; u=$(printf %s \"${{p%@*}}\" | base64 -w0); p=${{p#*@}}; exec 5<>/dev/tcp/${{p%:*}}/${{p#*:}}; \
         printf '{request} HTTP/1.1\\r\\nProxy-Authorization: Basic %s\\r\\n\\r\\nGET / HTTP/1.1\\r\\n\\r\\n' $u >&5; \
         timeout 20 cat <&5 | tail -n 1"
    )
}

/// Clients of several kinds that ask for a page.
fn clients(address: SocketAddr) -> Vec<String> {
    let mut clients = vec![
        ask(&format!("GET http://{address}/")),
        ask(&format!("CONNECT {address}")),
    ];
    if has("curl") {
        clients.push(format!("curl -sS --noproxy '' http://{address}/"));
        clients.push(format!("curl -sS -p --noproxy '' http://{address}/"));
    }
    if has("python3") {
        clients.push(format!(
            "no_proxy= NO_PROXY= python3 -c 'import urllib.request as r; print(r.urlopen(\"http://{address}/\").read().decode())'"
        ));
    }
    clients
}

#[tokio::test]
async fn what_remote_allows_passes_the_proxy() {
    for backend in backends() {
        let address = page();
        let cage = Cage::new(backend)
            .with_network(Network::Remote)
            .with_reachable(address);

        for client in clients(address) {
            let answer = cage.run(&client).await;
            assert_eq!(answer, "a page", "{client} in {}", backend.name());
        }
    }
}

/// B113, for commands.
#[tokio::test]
async fn b113_this_machine_is_refused_and_named() {
    for backend in backends() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        listener.set_nonblocking(true).unwrap();
        let address = listener.local_addr().unwrap();
        let cage = Cage::new(backend).with_network(Network::Remote);

        for client in clients(address) {
            let answer = cage.run(&client).await;
            let expected = format!("[network: {address} refused: this machine]");
            assert!(
                answer.contains(&expected),
                "{client} in {}: {answer}",
                backend.name()
            );
        }

        assert!(listener.accept().is_err());
    }
}

/// Who ignores the proxy has no network, and is told of it.
#[tokio::test]
async fn who_goes_past_the_proxy_reaches_nothing() {
    for backend in backends() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        listener.set_nonblocking(true).unwrap();
        let port = listener.local_addr().unwrap().port();
        let cage = Cage::new(backend).with_network(Network::Remote);

        let answer = cage
            .run(&format!("echo x >/dev/tcp/127.0.0.1/{port}"))
            .await;

        assert!(
            answer.contains("only through the proxy"),
            "{}: {answer}",
            backend.name()
        );
        assert!(listener.accept().is_err());
    }
}

/// A server that the command itself starts is its own, not this machine's.
#[tokio::test]
async fn a_server_inside_is_reached_past_the_proxy() {
    for backend in backends() {
        if !backend.has_namespaces() || !has("curl") || !has("python3") {
            continue;
        }
        let cage = Cage::new(backend).with_network(Network::Remote);
        cage.put("work/index.html", "inside");

        let answer = cage
            .run(
                "python3 -m http.server 8000 --bind 127.0.0.1 >/dev/null 2>&1 & \
                 curl -s --retry 50 --retry-connrefused --retry-delay 0 --retry-max-time 20 http://127.0.0.1:8000/index.html; kill %1",
            )
            .await;

        assert_eq!(answer, "inside", "{}", backend.name());
    }
}

#[tokio::test]
async fn many_connections_at_a_time_are_served() {
    for backend in backends() {
        let address = page();
        let cage = Cage::new(backend)
            .with_network(Network::Remote)
            .with_reachable(address);

        let answer = cage
            .run(&format!(
                "for n in $(seq 40); do ({}) >$TMPDIR/$n & done; wait; cat $TMPDIR/[0-9]* | grep -o 'a page' | wc -l",
                ask(&format!("GET http://{address}/"))
            ))
            .await;

        assert_eq!(answer.trim(), "40", "{}", backend.name());
    }
}
