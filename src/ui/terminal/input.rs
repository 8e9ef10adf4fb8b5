//! Where the terminal's bytes arrive, with its answers among them, and where a new size of its window is heard of. There
//! is one reader at a time, and it takes nothing that the loop does not wait for.

use std::{
    io::{self, PipeReader, PipeWriter},
    sync::mpsc as blocking,
    thread,
    time::{Duration, Instant},
};

use rustix::{
    event::{PollFd, PollFlags, Timespec, poll},
    io::Errno,
};
use tokio::{
    signal::unix::{Signal, SignalKind, signal},
    sync::mpsc,
};

use super::{
    capabilities::{self, Answer},
    decode::{Decoder, Heard},
    events,
};
use crate::ui::Message;

/// So many bytes are read at once, as many as a terminal keeps.
const BUFFER: usize = 4_096;
/// So often is read before what came is looked at.
const READS: usize = 64;
/// How long whoever gives the terminal away waits for answers that are still to come.
const ANSWERS: Duration = Duration::from_millis(100);

/// Something from the terminal.
#[derive(Debug)]
pub enum Arrived {
    /// What it answered and what the person did.
    Heard(Vec<Answer>, Vec<Message>),
    /// Its window may have another size.
    Resized,
    /// It is gone.
    Closed,
}

/// The reader.
#[derive(Debug)]
pub enum Input {
    /// We read.
    Reading(Reader),
    /// Somebody else reads: the person's editor.
    Away,
}

/// Reads the terminal.
#[derive(Debug)]
pub struct Reader {
    watch: Watch,
    sizes: Signal,
    decoder: Decoder,
    /// When what has begun is no longer waited for.
    give_up_at: Option<Instant>,
}

impl Input {
    /// Asks the terminal what it can, and reads.
    pub fn ask() -> io::Result<Self> {
        let reading = Self::read(true)?;
        capabilities::ask()?;
        Ok(reading)
    }

    /// Reads without asking anything.
    pub fn reading() -> io::Result<Self> {
        Self::read(false)
    }

    fn read(asked: bool) -> io::Result<Self> {
        Ok(Self::Reading(Reader {
            watch: Watch::new()?,
            sizes: signal(SignalKind::window_change())?,
            decoder: Decoder::new(asked),
            give_up_at: None,
        }))
    }

    /// Waits for something. Nothing is lost when it is no longer waited for.
    pub async fn next(&mut self) -> Arrived {
        match self {
            Self::Reading(reader) => reader.next().await,
            Self::Away => std::future::pending().await,
        }
    }

    /// Stops reading, after a moment for answers that are still to come: whoever reads next would take them for typing.
    /// Returns what the person did meanwhile.
    pub async fn stop(&mut self) -> Vec<Message> {
        let mut all = Vec::new();
        let answers = async {
            while let Self::Reading(reader) = self
                && reader.decoder.is_asked()
            {
                match reader.next().await {
                    Arrived::Heard(_, messages) => all.extend(messages),
                    Arrived::Resized => {}
                    Arrived::Closed => break,
                }
            }
        };
        let _ = tokio::time::timeout(ANSWERS, answers).await;
        *self = Self::Away;
        all
    }
}

impl Reader {
    async fn next(&mut self) -> Arrived {
        loop {
            let Self {
                watch,
                sizes,
                decoder,
                give_up_at,
            } = self;
            let (heard, count, is_closed) = tokio::select! {
                biased;
                _ = sizes.recv() => return Arrived::Resized,
                ready = watch.ready.recv() => {
                    if ready.is_none() {
                        return Arrived::Closed;
                    }
                    let read = read(decoder);
                    let _ = watch.again.send(());
                    read
                }
                () = until(*give_up_at) => (decoder.give_up(), 0, false),
            };
            *give_up_at = decoder.waits_until(count, Instant::now());
            let (answers, events) = sorted(heard);
            if !answers.is_empty() || events.iter().any(events::matters) {
                return Arrived::Heard(answers, events::messages(events));
            }
            if is_closed {
                return Arrived::Closed;
            }
        }
    }
}

async fn until(at: Option<Instant>) {
    match at {
        Some(at) => tokio::time::sleep_until(at.into()).await,
        None => std::future::pending().await,
    }
}

/// Says when there is something to read. A thread waits for that: it reads nothing, so that what comes is left to
/// whoever reads next, and it ends when this is dropped.
#[derive(Debug)]
struct Watch {
    ready: mpsc::Receiver<()>,
    /// Has it wait again.
    again: blocking::Sender<()>,
    /// Closed with this, which wakes the thread.
    _open: PipeWriter,
}

impl Watch {
    fn new() -> io::Result<Self> {
        let (closed, open) = io::pipe()?;
        let (teller, ready) = mpsc::channel(1);
        let (again, asked) = blocking::channel();
        thread::Builder::new()
            .name("terminal".to_owned())
            .spawn(move || {
                while wait(&closed) && teller.blocking_send(()).is_ok() && asked.recv().is_ok() {}
            })?;
        Ok(Self {
            ready,
            again,
            _open: open,
        })
    }
}

/// Waits until there is something to read, or says that nobody wants to know any more.
fn wait(closed: &PipeReader) -> bool {
    let terminal = io::stdin();
    loop {
        let mut waited = [
            PollFd::new(&terminal, PollFlags::IN),
            PollFd::new(closed, PollFlags::IN),
        ];
        match poll(&mut waited, None) {
            Err(Errno::INTR) => {}
            Err(_) => return false,
            Ok(_) => {
                let [_, closed] = &waited;
                return closed.revents().is_empty();
            }
        }
    }
}

/// Reads what has come; says how many bytes and whether the terminal is gone. It asks first whether there is anything: the terminal is
/// also others', so it is not switched to never wait.
fn read(decoder: &mut Decoder) -> (Vec<Heard>, usize, bool) {
    let terminal = io::stdin();
    let mut heard = Vec::new();
    let mut bytes = 0;
    let mut buffer = [0_u8; BUFFER];
    for _ in 0..READS {
        let mut asked = [PollFd::new(&terminal, PollFlags::IN)];
        match poll(&mut asked, Some(&Timespec::default())) {
            Ok(0) => break,
            Ok(_) => {}
            Err(Errno::INTR) => continue,
            Err(_) => return (heard, bytes, true),
        }
        match rustix::io::read(&terminal, &mut buffer) {
            Ok(count @ 1..) => {
                bytes += count;
                heard.extend(decoder.feed(buffer.get(..count).unwrap_or_default()));
            }
            Err(Errno::INTR | Errno::AGAIN) => {}
            // What came before is not lost: the terminal is still gone when it is read again.
            Ok(_) | Err(_) => return (heard, bytes, true),
        }
    }
    (heard, bytes, false)
}

fn sorted(heard: Vec<Heard>) -> (Vec<Answer>, Vec<crossterm::event::Event>) {
    let mut answers = Vec::new();
    let mut events = Vec::new();
    for one in heard {
        match one {
            Heard::Answer(answer) => answers.push(answer),
            Heard::Event(event) => events.push(event),
        }
    }
    (answers, events)
}
