//! The load: a server that streams a chat completion, at a pace or as fast as the socket takes it.

use std::{
    collections::VecDeque,
    io::{BufRead, BufReader, Read, Write},
    net::{TcpListener, TcpStream},
    sync::{
        Arc, Mutex,
        atomic::{AtomicU64, AtomicUsize, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

use serde_json::{Value, json};

/// What the next answer is.
#[derive(Clone, Copy)]
pub(crate) struct Plan {
    /// Tokens (a word each).
    pub(crate) tokens: usize,
    /// Tokens per second; 0 is as fast as the socket takes them.
    pub(crate) pace: u32,
}

/// A tool that the next answer calls, and its arguments.
pub(crate) type Call = (&'static str, Value);

/// The server.
pub(crate) struct Load {
    address: String,
    plan: Arc<Mutex<Plan>>,
    steps: Arc<Mutex<VecDeque<Vec<Call>>>>,
    ended: Arc<Mutex<Option<Instant>>>,
    sent: Arc<AtomicU64>,
    answers: Arc<AtomicUsize>,
}

/// The last word of every answer.
pub(crate) const LAST: &str = "ENDOFREPLY";

impl Load {
    /// Starts it on a free port of the loopback interface.
    pub(crate) fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let load = Self {
            address: listener.local_addr().unwrap().to_string(),
            plan: Arc::new(Mutex::new(Plan { tokens: 3, pace: 0 })),
            steps: Arc::default(),
            ended: Arc::default(),
            sent: Arc::default(),
            answers: Arc::default(),
        };
        let (plan, steps, ended, sent, answers) = (
            Arc::clone(&load.plan),
            Arc::clone(&load.steps),
            Arc::clone(&load.ended),
            Arc::clone(&load.sent),
            Arc::clone(&load.answers),
        );
        thread::spawn(move || {
            for connection in listener.incoming().flatten() {
                let (plan, steps, ended, sent, answers) = (
                    *plan.lock().unwrap(),
                    Arc::clone(&steps),
                    Arc::clone(&ended),
                    Arc::clone(&sent),
                    Arc::clone(&answers),
                );
                thread::spawn(move || {
                    if answer(connection, plan, &steps, &sent).is_some() {
                        *ended.lock().unwrap() = Some(Instant::now());
                        answers.fetch_add(1, Ordering::SeqCst);
                    }
                });
            }
        });
        load
    }

    /// Host and port.
    pub(crate) fn address(&self) -> &str {
        &self.address
    }

    /// Chooses the next answer.
    pub(crate) fn plan(&self, plan: Plan) {
        *self.plan.lock().unwrap() = plan;
    }

    /// Chooses the calls of the next answers; words follow them.
    pub(crate) fn steps(&self, steps: impl IntoIterator<Item = Vec<Call>>) {
        self.steps.lock().unwrap().extend(steps);
    }

    /// When the last byte of the latest answer left.
    pub(crate) fn ended(&self) -> Option<Instant> {
        *self.ended.lock().unwrap()
    }

    /// Whole answers so far.
    pub(crate) fn answers(&self) -> usize {
        self.answers.load(Ordering::SeqCst)
    }
}

fn answer(
    connection: TcpStream,
    plan: Plan,
    steps: &Mutex<VecDeque<Vec<Call>>>,
    sent: &AtomicU64,
) -> Option<()> {
    connection.set_nodelay(true).ok()?;
    let mut reader = BufReader::new(connection.try_clone().ok()?);
    let mut length = 0;
    let mut line = String::new();
    let mut is_chat = false;
    loop {
        line.clear();
        reader
            .read_line(&mut line)
            .ok()
            .filter(|count| *count > 0)?;
        is_chat |= line.contains("/chat/completions");
        if let Some(value) = line.to_ascii_lowercase().strip_prefix("content-length:") {
            length = value.trim().parse().ok()?;
        }
        if line == "\r\n" {
            break;
        }
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).ok()?;
    if !is_chat {
        return None;
    }
    let mut out = connection;
    out.write_all(
        b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n",
    )
    .ok()?;
    let step = steps.lock().unwrap().pop_front();
    if let Some(calls) = step {
        return out.write_all(call(&calls).as_bytes()).ok();
    }
    let started = Instant::now();
    let mut batch = Vec::new();
    for number in 0..plan.tokens {
        let word = match number {
            _ if number + 1 == plan.tokens => format!(" {LAST}"),
            _ if number % 12 == 11 => format!(" word{number}\\n\\n"),
            _ => format!(" word{number}"),
        };
        write!(
            batch,
            "data: {{\"choices\":[{{\"index\":0,\"delta\":{{\"content\":\"{word}\"}}}}]}}\n\n"
        )
        .ok()?;
        if plan.pace > 0 {
            let due = Duration::from_secs_f64(f64::from(number as u32) / f64::from(plan.pace));
            if let Some(wait) = due.checked_sub(started.elapsed()) {
                thread::sleep(wait);
            }
        } else if batch.len() < 16 * 1024 {
            continue;
        }
        sent.fetch_add(batch.len() as u64, Ordering::Relaxed);
        out.write_all(&batch).ok()?;
        batch.clear();
    }
    out.write_all(&batch).ok()?;
    out.write_all(
        b"data: {\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"stop\"}],\"usage\":{\"prompt_tokens\":100,\"completion_tokens\":100}}\n\ndata: [DONE]\n\n",
    )
    .ok()
}

/// An answer that calls tools.
fn call(calls: &[Call]) -> String {
    static NUMBER: AtomicUsize = AtomicUsize::new(0);
    let calls: Vec<Value> = calls
        .iter()
        .enumerate()
        .map(|(index, (name, arguments))| {
            let number = NUMBER.fetch_add(1, Ordering::Relaxed);
            json!({
                "index": index,
                "id": format!("call_{number}"),
                "type": "function",
                "function": {"name": name, "arguments": arguments.to_string()},
            })
        })
        .collect();
    let delta = json!({"choices": [{"index": 0, "delta": {"tool_calls": calls}}]});
    let end = json!({"choices": [{"index": 0, "delta": {}, "finish_reason": "tool_calls"}]});
    format!("data: {delta}\n\ndata: {end}\n\ndata: [DONE]\n\n")
}
