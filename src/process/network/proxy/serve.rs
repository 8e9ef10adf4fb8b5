//! From a connection of a command to its end.

use std::{io, sync::Arc, time::Duration};

use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::{TcpListener, TcpStream},
    sync::{Semaphore, mpsc},
    task::JoinSet,
    time::{sleep, timeout},
};

use super::{
    address::ProxyAddress,
    head::{Asked, Bad, Head, LONGEST_HEAD},
    relay,
};
use crate::{
    permission::network::{Refusal, Target},
    process::network::guard::{Guard, Unconnected},
    text::sanitize::clean_line,
};

/// The most connections at a time; more wait.
const MOST_CONNECTIONS: usize = 128;
/// How long a client may take to say what it wants.
const ASKING: Duration = Duration::from_secs(30);
/// After an answer of ours, what the client still sends is read for so long: else the answer might not reach it.
const PARTING: Duration = Duration::from_millis(500);
/// When no connection can be taken for the moment.
const PAUSE: Duration = Duration::from_millis(50);
/// The longest name of a place that is told.
const LONGEST_NAME: usize = 200;

/// A proxy of one command.
#[derive(Clone)]
pub(crate) struct Proxy {
    guard: Guard,
    credentials: Option<String>,
    refusals: mpsc::Sender<String>,
}

/// What the proxy itself says to a client.
struct Answer {
    status: &'static str,
    more: &'static str,
    text: String,
}

impl Answer {
    fn new(status: &'static str, text: impl Into<String>) -> Self {
        Self {
            status,
            more: "",
            text: text.into(),
        }
    }
}

impl Proxy {
    /// A proxy that connects by a guard. What it refuses it tells, as long as there is room.
    pub(crate) fn new(
        guard: Guard,
        address: &ProxyAddress,
        refusals: mpsc::Sender<String>,
    ) -> Self {
        Self {
            guard,
            credentials: address.credentials(),
            refusals,
        }
    }

    /// Serves until it is dropped; its connections end with it.
    pub(crate) async fn serve(self, listener: TcpListener) {
        let places = Arc::new(Semaphore::new(MOST_CONNECTIONS));
        let mut connections = JoinSet::new();
        loop {
            let Ok(place) = Arc::clone(&places).acquire_owned().await else {
                return;
            };
            match listener.accept().await {
                Ok((client, _)) => {
                    let proxy = self.clone();
                    connections.spawn(async move {
                        let _place = place;
                        // The client is gone; nobody is left to hear of it.
                        let _ = proxy.attend(client).await;
                    });
                }
                Err(_) => sleep(PAUSE).await,
            }
            while connections.try_join_next().is_some() {}
        }
    }

    async fn attend(&self, mut client: TcpStream) -> io::Result<()> {
        let (head, rest) = match timeout(ASKING, hear(&mut client)).await {
            Ok(heard) => match heard? {
                Ok(heard) => heard,
                Err(answer) => return part(client, &answer).await,
            },
            Err(_) => return Ok(()),
        };
        if self.credentials.is_some() && head.credentials != self.credentials {
            let mut answer = Answer::new(
                "407 Proxy Authentication Required",
                "this proxy serves one command only",
            );
            answer.more = "Proxy-Authenticate: Basic realm=\"quarterdeck\"\r\n";
            return part(client, &answer).await;
        }
        match self.open(&head.asked).await {
            Ok((mut server, first)) => {
                match head.asked {
                    Asked::Tunnel(_) => client.write_all(&first).await?,
                    Asked::Forward(_) => server.write_all(&first).await?,
                }
                server.write_all(&rest).await?;
                relay::join(client, server).await;
                Ok(())
            }
            Err(answer) => part(client, &answer).await,
        }
    }

    /// Connects to what is asked for; what is said first: to the client of a tunnel, to the server of a request.
    async fn open(&self, asked: &Asked) -> Result<(TcpStream, Vec<u8>), Answer> {
        let policy = self.guard.policy();
        let (name, judged, first) = match asked {
            Asked::Tunnel(authority) => (
                authority,
                policy.judge_authority(authority),
                b"HTTP/1.1 200 Connection established\r\n\r\n".to_vec(),
            ),
            Asked::Forward(forward) => match policy.judge_url(&forward.url) {
                Ok((url, target)) => (&forward.url, Ok(target), forward.for_server(&url)),
                Err(refusal) => (&forward.url, Err(refusal), Vec::new()),
            },
        };
        let target = judged.map_err(|refusal| self.refuse(&named(asked, name), &refusal))?;
        match self.guard.connect(&target).await {
            Ok(server) => Ok((server, first)),
            Err(Unconnected::Refused(refusal)) => Err(self.refuse(&target.to_string(), &refusal)),
            Err(error) => Err(Answer::new("502 Bad Gateway", format!("{target}: {error}"))),
        }
    }

    fn refuse(&self, name: &str, refusal: &Refusal) -> Answer {
        let text = format!("{name} refused: {refusal}");
        // Who refuses so much that nobody reads it all has been heard already.
        let _ = self.refusals.try_send(text.clone());
        Answer::new("403 Forbidden", text)
    }
}

/// A place that was not let through, as the person reads it.
fn named(asked: &Asked, text: &str) -> String {
    let target = match asked {
        Asked::Tunnel(authority) => Target::from_authority(authority).ok(),
        Asked::Forward(forward) => url::Url::parse(&forward.url)
            .ok()
            .and_then(|url| Target::from_url(&url).ok()),
    };
    let name = target.map_or_else(|| text.to_owned(), |target| target.to_string());
    clean_line(&name).chars().take(LONGEST_NAME).collect()
}

/// Waits for the head of a request. What came behind it is returned as well.
async fn hear(client: &mut TcpStream) -> io::Result<Result<(Head, Vec<u8>), Answer>> {
    let mut heard = Vec::new();
    let mut piece = vec![0; LONGEST_HEAD];
    loop {
        let room = LONGEST_HEAD.saturating_sub(heard.len()).max(1);
        let length = client
            .read(piece.get_mut(..room).unwrap_or_default())
            .await?;
        if length == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        heard.extend(piece.iter().take(length));
        match Head::read(&heard) {
            Ok(Some(head)) => {
                let rest = heard.split_off(head.length.min(heard.len()));
                return Ok(Ok((head, rest)));
            }
            Ok(None) => {}
            Err(Bad::TooLarge) => {
                let status = "431 Request Header Fields Too Large";
                return Ok(Err(Answer::new(status, "the request's head is too large")));
            }
            Err(Bad::Malformed) => {
                let text = "this is an HTTP proxy, and that is no request to one";
                return Ok(Err(Answer::new("400 Bad Request", text)));
            }
        }
    }
}

/// Answers and closes the connection.
async fn part(mut client: TcpStream, answer: &Answer) -> io::Result<()> {
    let text = format!("quarterdeck: {}\n", answer.text);
    let head = format!(
        "HTTP/1.1 {}\r\n{}Content-Type: text/plain; charset=utf-8\r\nContent-Length: {}\r\nConnection: close\r\n\r\n",
        answer.status,
        answer.more,
        text.len()
    );
    client.write_all(head.as_bytes()).await?;
    client.write_all(text.as_bytes()).await?;
    client.shutdown().await?;
    let mut piece = [0; 1024];
    let reading = async { while client.read(&mut piece).await.is_ok_and(|length| length > 0) {} };
    let _ = timeout(PARTING, reading).await;
    Ok(())
}

#[cfg(test)]
#[path = "serve_tests.rs"]
mod tests;
