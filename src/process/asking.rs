//! A line over which a program that runs asks us for things: a request a line, an answer a line, one after the other.
//!
//! Nothing that comes over it is trusted: a request has a bound, and what is not answered in time for the program's end
//! is not waited for. While we answer, the program's own time stands still.

use std::{
    sync::{Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use futures::future::BoxFuture;
use tokio::{
    io::{AsyncBufReadExt as _, AsyncReadExt as _, AsyncWriteExt as _, BufReader},
    net::UnixStream,
    time::{Instant, sleep, sleep_until},
};
use tokio_util::sync::CancellationToken;

/// The longest request.
const LONGEST: u64 = 4 << 20;
/// Between two looks at whether an answer is still under way.
const LOOK: Duration = Duration::from_millis(50);

/// Who answers.
pub trait Answers: Send + Sync {
    /// The answer to a request, both without line ends. It is dropped when the program does not need it any more and it
    /// has not come soon after `over`.
    fn answer<'a>(&'a self, request: &'a str, over: &'a CancellationToken)
    -> BoxFuture<'a, String>;

    /// The answer to a request that is too long, after which nothing more is heard.
    fn too_long(&self) -> String;
}

/// Nobody: what a program without a line has.
pub(super) struct Deaf;

impl Answers for Deaf {
    fn answer<'a>(&'a self, _: &'a str, _: &'a CancellationToken) -> BoxFuture<'a, String> {
        Box::pin(async { String::new() })
    }

    fn too_long(&self) -> String {
        String::new()
    }
}

/// The time that a program has for itself.
pub(super) struct Clock {
    limit: Duration,
    state: Mutex<State>,
}

struct State {
    /// When it began.
    start: Instant,
    /// Since when it stands still.
    held_since: Option<Instant>,
    /// How long it stood still before.
    held: Duration,
}

impl Clock {
    pub(super) fn start(limit: Duration) -> Self {
        Self {
            limit,
            state: Mutex::new(State {
                start: Instant::now(),
                held_since: None,
                held: Duration::ZERO,
            }),
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// All of the time is there again.
    pub(super) fn begin_anew(&self) {
        let mut state = self.state();
        (state.start, state.held) = (Instant::now(), Duration::ZERO);
    }

    fn hold(&self) {
        self.state().held_since = Some(Instant::now());
    }

    fn go_on(&self) {
        let mut state = self.state();
        if let Some(since) = state.held_since.take() {
            state.held += since.elapsed();
        }
    }

    /// When the time is over; `None` while it stands still.
    fn due(&self) -> Option<Instant> {
        let state = self.state();
        let due = state.start + self.limit + state.held;
        state.held_since.is_none().then_some(due)
    }

    /// Waits until the time is over.
    pub(super) async fn is_up(&self) {
        loop {
            match self.due() {
                None => sleep(LOOK).await,
                Some(due) if due <= Instant::now() => return,
                Some(due) => sleep_until(due).await,
            }
        }
    }
}

/// Answers until the line ends, or until the first answer after `over`. Without a line there is nothing to do.
pub(super) async fn serve(
    line: Option<UnixStream>,
    answers: &dyn Answers,
    clock: &Clock,
    over: &CancellationToken,
) {
    let Some(line) = line else { return };
    let mut line = BufReader::new(line);
    let mut request = Vec::new();
    loop {
        request.clear();
        let mut bounded = (&mut line).take(LONGEST);
        let read = tokio::select! {
            read = bounded.read_until(b'\n', &mut request) => read,
            () = over.cancelled() => return,
        };
        if read.unwrap_or(0) == 0 {
            return;
        }
        let is_whole = request.pop_if(|last| *last == b'\n').is_some();
        let mut answer = if is_whole {
            clock.hold();
            let request = String::from_utf8_lossy(&request);
            let answer = answers.answer(&request, over).await;
            clock.go_on();
            answer
        } else {
            answers.too_long()
        };
        answer.push('\n');
        let written = tokio::select! {
            written = line.write_all(answer.as_bytes()) => written,
            () = over.cancelled() => return,
        };
        if written.is_err() || !is_whole {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Echo;

    impl Answers for Echo {
        fn answer<'a>(
            &'a self,
            request: &'a str,
            _: &'a CancellationToken,
        ) -> BoxFuture<'a, String> {
            Box::pin(async move { format!("<{request}>") })
        }

        fn too_long(&self) -> String {
            "too long".to_owned()
        }
    }

    async fn said(text: Vec<u8>) -> String {
        let (near, far) = UnixStream::pair().unwrap();
        let (clock, over) = (
            Clock::start(Duration::from_secs(1)),
            CancellationToken::new(),
        );
        let (mut reader, mut writer) = far.into_split();
        let talk = async {
            // The far end may be closed before all was said.
            let _ = writer.write_all(&text).await;
            drop(writer);
            let mut heard = String::new();
            reader.read_to_string(&mut heard).await.unwrap();
            heard
        };
        let (heard, ()) = tokio::join!(talk, serve(Some(near), &Echo, &clock, &over));
        heard
    }

    #[tokio::test]
    async fn requests_are_answered_in_order_and_half_of_one_is_not_taken() {
        assert_eq!(said(b"one\ntwo\n".to_vec()).await, "<one>\n<two>\n");
        assert_eq!(said(b"one\ntw".to_vec()).await, "<one>\ntoo long\n");
        let long = vec![b'x'; usize::try_from(LONGEST).unwrap() + 1];
        assert_eq!(said(long).await, "too long\n");
    }

    #[tokio::test]
    async fn the_time_of_an_answer_is_not_the_programs() {
        let limit = Duration::from_mins(1);
        let clock = Clock::start(limit);
        let first = clock.due();

        clock.hold();
        let held = clock.due();
        clock.go_on();
        let later = clock.due();
        clock.begin_anew();

        assert!(first > Some(Instant::now()) && first <= Some(Instant::now() + limit));
        assert_eq!(held, None);
        assert!(later > first && clock.due() > first);
        Clock::start(Duration::ZERO).is_up().await;
    }
}
