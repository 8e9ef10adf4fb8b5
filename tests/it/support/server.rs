//! A loopback HTTP server that plays exact bytes and remembers what it was asked.
//!
//! It runs on a thread of its own, so that it serves blocking tests (a program in a pseudo-terminal) as well as
//! asynchronous ones. Like a real server it refuses bad requests (`validate`) with status 400; such a request
//! takes no scripted reply and is listed in `violations`. Nothing here sleeps: a reply that has to wait waits
//! for a [`Gate`].

use std::{
    collections::VecDeque,
    net::SocketAddr,
    sync::{Arc, Condvar, Mutex, MutexGuard},
    time::Duration,
};

use quarterdeck::providers::scripted::Gate;
use serde_json::{Value, json};
use tokio::{
    io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader},
    net::{
        TcpListener, TcpStream,
        tcp::{OwnedReadHalf, OwnedWriteHalf},
    },
    sync::watch,
};

use super::{frames, validate};

/// The longest that a blocking wait lasts before the test fails.
const PATIENCE: Duration = Duration::from_mins(1);

/// A request as it came.
#[derive(Clone, Debug)]
pub(crate) struct Received {
    /// `POST`.
    pub(crate) method: String,
    /// `/v1/chat/completions`, with query.
    pub(crate) path: String,
    /// Names in lower case.
    pub(crate) headers: Vec<(String, String)>,
    /// The body; `Null` when it is not JSON.
    pub(crate) body: Value,
}

impl Received {
    /// The first header of this name (lower case).
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers
            .iter()
            .find(|(known, _)| known == name)
            .map(|(_, value)| value.as_str())
    }

    /// The chat messages of the body.
    pub(crate) fn messages(&self) -> &[Value] {
        self.body["messages"].as_array().map_or(&[], Vec::as_slice)
    }
}

enum Part {
    Bytes(Vec<u8>),
    Hold(Gate),
}

enum Framing {
    /// The bytes are the whole answer, head included.
    Raw,
    Chunked,
    Length,
    UntilClose,
}

/// One scripted answer.
pub(crate) struct Reply {
    status: u16,
    headers: Vec<(String, String)>,
    parts: Vec<Part>,
    framing: Framing,
    cut: bool,
}

impl Reply {
    /// A stream of server-sent events; pieces follow by [`Reply::then`].
    pub(crate) fn stream() -> Self {
        Self {
            status: 200,
            headers: vec![("Content-Type".to_owned(), "text/event-stream".to_owned())],
            parts: Vec::new(),
            framing: Framing::Chunked,
            cut: false,
        }
    }

    /// An answer with this status, content type and body.
    pub(crate) fn plain(status: u16, content_type: &str, body: impl Into<Vec<u8>>) -> Self {
        Self {
            status,
            headers: vec![("Content-Type".to_owned(), content_type.to_owned())],
            parts: vec![Part::Bytes(body.into())],
            framing: Framing::Length,
            cut: false,
        }
    }

    /// A JSON answer with this status.
    pub(crate) fn json(status: u16, body: &Value) -> Self {
        Self::plain(status, "application/json", body.to_string())
    }

    /// These bytes and nothing else, from the status line on; then the connection ends.
    pub(crate) fn raw(bytes: impl Into<Vec<u8>>) -> Self {
        Self {
            status: 0,
            headers: Vec::new(),
            parts: vec![Part::Bytes(bytes.into())],
            framing: Framing::Raw,
            cut: false,
        }
    }

    /// Adds a header.
    pub(crate) fn header(mut self, name: &str, value: &str) -> Self {
        self.headers.push((name.to_owned(), value.to_owned()));
        self
    }

    /// Bytes of the body, written and flushed by themselves.
    pub(crate) fn then(mut self, bytes: impl Into<Vec<u8>>) -> Self {
        self.parts.push(Part::Bytes(bytes.into()));
        self
    }

    /// Waits here until the gate is open. When the client goes away first, the rest is dropped.
    pub(crate) fn hold(mut self, gate: &Gate) -> Self {
        self.parts.push(Part::Hold(gate.clone()));
        self
    }

    /// Writes the body without chunks and ends it by closing the connection.
    pub(crate) fn until_close(mut self) -> Self {
        self.framing = Framing::UntilClose;
        self
    }

    /// Closes the connection after the last piece, without the end of the body.
    pub(crate) fn cut(mut self) -> Self {
        self.cut = true;
        self
    }
}

/// A whole streamed reply of words, in pieces of one word.
pub(crate) fn sse_text(text: &str) -> Reply {
    let mut reply =
        Reply::stream().then(frames::delta(&json!({"role": "assistant", "content": ""})));
    for word in text.split_inclusive(' ') {
        reply = reply.then(frames::text(word));
    }
    finish(reply, "stop")
}

/// A whole streamed reply of tool calls: id, name, arguments.
pub(crate) fn sse_calls(calls: &[(&str, &str, Value)]) -> Reply {
    let mut reply = Reply::stream().then(frames::delta(
        &json!({"role": "assistant", "content": null}),
    ));
    for (index, (id, name, arguments)) in calls.iter().enumerate() {
        let index = index as u64;
        let arguments = arguments.to_string();
        reply = reply
            .then(frames::call(index, Some(id), Some(name), Some("")))
            .then(frames::call(index, None, None, Some(&arguments)));
    }
    finish(reply, "tool_calls")
}

fn finish(reply: Reply, reason: &str) -> Reply {
    reply
        .then(frames::end(reason))
        .then(frames::usage(100, 0, 10))
        .then(frames::DONE)
}

type Fits = Box<dyn Fn(&Received) -> bool + Send>;

#[derive(Default)]
struct State {
    replies: VecDeque<(Option<Fits>, Reply)>,
    received: Vec<Received>,
    /// Answers to requests that are none of the wire: method and path.
    beside: Vec<(String, Reply)>,
    asked_beside: Vec<Received>,
    violations: Vec<String>,
    abandoned: usize,
}

struct Shared {
    state: Mutex<State>,
    changed: Condvar,
    changes: watch::Sender<u64>,
}

impl Shared {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap()
    }

    fn change<T>(&self, change: impl FnOnce(&mut State) -> T) -> T {
        let changed = change(&mut self.state());
        self.changed.notify_all();
        self.changes.send_modify(|count| *count += 1);
        changed
    }
}

/// The server. It ends with the value.
pub(crate) struct Server {
    address: SocketAddr,
    shared: Arc<Shared>,
    stop: Gate,
    thread: Option<std::thread::JoinHandle<()>>,
}

impl Server {
    /// Starts a server on a free port of the loopback interface.
    #[expect(clippy::unused_async, reason = "reads like the other waits of a test")]
    pub(crate) async fn start() -> Self {
        Self::start_blocking()
    }

    /// The same for a test without a runtime.
    pub(crate) fn start_blocking() -> Self {
        let shared = Arc::new(Shared {
            state: Mutex::default(),
            changed: Condvar::new(),
            changes: watch::Sender::new(0),
        });
        let stop = Gate::new();
        let listener = std::net::TcpListener::bind(("127.0.0.1", 0)).unwrap();
        listener.set_nonblocking(true).unwrap();
        let address = listener.local_addr().unwrap();
        let thread = std::thread::spawn({
            let (shared, stop) = (Arc::clone(&shared), stop.clone());
            move || {
                let runtime = tokio::runtime::Builder::new_current_thread()
                    .enable_all()
                    .build()
                    .unwrap();
                runtime.block_on(async move {
                    let listener = TcpListener::from_std(listener).unwrap();
                    tokio::select! {
                        () = accept(listener, shared) => {}
                        () = stop.pass() => {}
                    }
                });
            }
        });
        Self {
            address,
            shared,
            stop,
            thread: Some(thread),
        }
    }

    /// The base URL for an account.
    pub(crate) fn url(&self) -> String {
        format!("http://{}/v1", self.address)
    }

    /// Adds an answer for the next chat request that has none of its own.
    pub(crate) fn reply(&self, reply: Reply) -> &Self {
        self.shared
            .change(|state| state.replies.push_back((None, reply)));
        self
    }

    /// Adds an answer for the next chat request whose body contains these words anywhere.
    pub(crate) fn reply_to(&self, words: &str, reply: Reply) -> &Self {
        let words = json!(words).to_string();
        let words = words.trim_matches('"').to_owned();
        self.reply_when(
            move |received| received.body.to_string().contains(&words),
            reply,
        )
    }

    /// Adds an answer for the next chat request that fits.
    pub(crate) fn reply_when(
        &self,
        fits: impl Fn(&Received) -> bool + Send + 'static,
        reply: Reply,
    ) -> &Self {
        self.shared
            .change(|state| state.replies.push_back((Some(Box::new(fits)), reply)));
        self
    }

    /// Adds an answer for the next request that is none of the wire: `GET /api/ps`.
    pub(crate) fn beside(&self, asked: &str, reply: Reply) -> &Self {
        let entry = (asked.to_owned(), reply);
        self.shared.change(|state| state.beside.push(entry));
        self
    }

    /// Every request so far that is none of the wire.
    pub(crate) fn asked_beside(&self) -> Vec<Received> {
        self.shared.state().asked_beside.clone()
    }

    /// Every chat request so far, refused ones included.
    pub(crate) fn requests(&self) -> Vec<Received> {
        self.shared.state().received.clone()
    }

    /// What was wrong with requests that were refused.
    pub(crate) fn violations(&self) -> Vec<String> {
        self.shared.state().violations.clone()
    }

    /// Number of answers that nobody has asked for yet.
    pub(crate) fn left(&self) -> usize {
        self.shared.state().replies.len()
    }

    /// Waits until this many chat requests have come.
    pub(crate) async fn received(&self, count: usize) {
        self.until(|state| state.received.len() >= count).await;
    }

    /// Waits until the client has gone away in the middle of this many answers.
    pub(crate) async fn abandoned(&self, count: usize) {
        self.until(|state| state.abandoned >= count).await;
    }

    /// Waits, in a test without a runtime, until this many chat requests have come.
    pub(crate) fn received_blocking(&self, count: usize) {
        let (state, waited) = self
            .shared
            .changed
            .wait_timeout_while(self.shared.state(), PATIENCE, |state| {
                state.received.len() < count
            })
            .unwrap();
        assert!(
            !waited.timed_out(),
            "{} of {count} requests came: {:#?}",
            state.received.len(),
            state.received
        );
    }

    async fn until(&self, reached: impl Fn(&State) -> bool) {
        let mut changes = self.shared.changes.subscribe();
        let wait = async {
            while !reached(&self.shared.state()) {
                changes.changed().await.unwrap();
            }
        };
        assert!(
            tokio::time::timeout(PATIENCE, wait).await.is_ok(),
            "the server waited in vain; it was asked {:#?}",
            self.requests()
        );
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.stop.open();
        if let Some(thread) = self.thread.take() {
            let ended = thread.join();
            if !std::thread::panicking() {
                ended.expect("the server's thread ended well");
            }
        }
    }
}

async fn accept(listener: TcpListener, shared: Arc<Shared>) {
    while let Ok((socket, _)) = listener.accept().await {
        // A client that breaks off is no fault of the server's.
        tokio::spawn(serve(socket, Arc::clone(&shared)));
    }
}

async fn serve(socket: TcpStream, shared: Arc<Shared>) -> std::io::Result<()> {
    socket.set_nodelay(true)?;
    let (reader, mut writer) = socket.into_split();
    let mut reader = BufReader::new(reader);
    while let Some(received) = read_request(&mut reader).await? {
        let reply = choose(received, &shared);
        let keep = match write(reply, &mut reader, &mut writer).await {
            Ok(keep) => keep,
            Err(_) => {
                shared.change(|state| state.abandoned += 1);
                false
            }
        };
        if !keep {
            break;
        }
    }
    writer.shutdown().await
}

async fn read_request(reader: &mut BufReader<OwnedReadHalf>) -> std::io::Result<Option<Received>> {
    let mut line = String::new();
    if reader.read_line(&mut line).await? == 0 {
        return Ok(None);
    }
    let mut words = line.split_whitespace().map(str::to_owned);
    let (method, path) = (
        words.next().unwrap_or_default(),
        words.next().unwrap_or_default(),
    );
    let mut headers = Vec::new();
    loop {
        let mut line = String::new();
        if reader.read_line(&mut line).await? == 0 || line.trim().is_empty() {
            break;
        }
        if let Some((name, value)) = line.split_once(':') {
            headers.push((name.trim().to_lowercase(), value.trim().to_owned()));
        }
    }
    let mut received = Received {
        method,
        path,
        headers,
        body: Value::Null,
    };
    let length = received
        .header("content-length")
        .map_or(0, |length| length.parse().unwrap_or(0));
    let mut body = vec![0; length];
    reader.read_exact(&mut body).await?;
    received.body = serde_json::from_slice(&body).unwrap_or(Value::Null);
    Ok(Some(received))
}

fn choose(received: Received, shared: &Shared) -> Reply {
    if received.method == "GET" && received.path.ends_with("/models") {
        return Reply::json(
            200,
            &json!({"object": "list", "data": [{"id": "test-model"}]}),
        );
    }
    if !received.path.contains("/chat/completions") {
        let asked = format!("{} {}", received.method, received.path);
        let words = format!("no such path: {}", received.path);
        return shared.change(|state| {
            state.asked_beside.push(received);
            match state.beside.iter().position(|(known, _)| *known == asked) {
                Some(place) => state.beside.remove(place).1,
                None => Reply::json(404, &json!({"error": {"message": words}})),
            }
        });
    }
    let fault = validate::fault(&received.body);
    shared.change(|state| {
        state.received.push(received.clone());
        if let Some(fault) = fault {
            state.violations.push(fault.clone());
            return refusal(&fault);
        }
        let fitting =
            |wanted: &(Option<Fits>, Reply)| wanted.0.as_ref().is_some_and(|fits| fits(&received));
        let place = state
            .replies
            .iter()
            .position(fitting)
            .or_else(|| state.replies.iter().position(|(fits, _)| fits.is_none()));
        match place.and_then(|place| state.replies.remove(place)) {
            Some((_, reply)) => reply,
            None => refusal("the test has scripted no further reply"),
        }
    })
}

fn refusal(words: &str) -> Reply {
    Reply::json(
        400,
        &json!({"error": {"message": words, "type": "invalid_request_error"}}),
    )
}

/// Writes an answer; the result says whether the connection can be used again. Fails when the client is gone.
async fn write(
    reply: Reply,
    reader: &mut BufReader<OwnedReadHalf>,
    writer: &mut OwnedWriteHalf,
) -> std::io::Result<bool> {
    let chunked = matches!(reply.framing, Framing::Chunked);
    if !matches!(reply.framing, Framing::Raw) {
        writer.write_all(head(&reply).as_bytes()).await?;
    }
    for part in reply.parts {
        match part {
            Part::Bytes(bytes) if bytes.is_empty() => {}
            Part::Bytes(bytes) if chunked => {
                let mut chunk = format!("{:x}\r\n", bytes.len()).into_bytes();
                chunk.extend(bytes);
                chunk.extend(b"\r\n");
                writer.write_all(&chunk).await?;
            }
            Part::Bytes(bytes) => writer.write_all(&bytes).await?,
            Part::Hold(gate) => tokio::select! {
                () = gate.pass() => {}
                // The client sends nothing while it reads: what comes is its end.
                _ = reader.fill_buf() => return Err(std::io::ErrorKind::BrokenPipe.into()),
            },
        }
        // Lets the client read this piece by itself where the scheduler is willing.
        tokio::task::yield_now().await;
    }
    if reply.cut {
        return Ok(false);
    }
    if chunked {
        writer.write_all(b"0\r\n\r\n").await?;
    }
    Ok(chunked || matches!(reply.framing, Framing::Length))
}

fn head(reply: &Reply) -> String {
    let mut head = format!("HTTP/1.1 {} Scripted\r\n", reply.status);
    for (name, value) in &reply.headers {
        head.push_str(&format!("{name}: {value}\r\n"));
    }
    match reply.framing {
        Framing::Chunked => head.push_str("Transfer-Encoding: chunked\r\n"),
        Framing::UntilClose => head.push_str("Connection: close\r\n"),
        Framing::Length => {
            let length: usize = reply
                .parts
                .iter()
                .map(|part| match part {
                    Part::Bytes(bytes) => bytes.len(),
                    Part::Hold(_) => 0,
                })
                .sum();
            head.push_str(&format!("Content-Length: {length}\r\n"));
        }
        Framing::Raw => {}
    }
    head.push_str("\r\n");
    head
}

#[cfg(test)]
#[path = "server_tests.rs"]
mod tests;
