//! A program that is handed a text and answers with one, such as a hook.
//!
//! It is a command like any other, under a supervisor and perhaps in a sandbox, but what it prints is kept as it is, up to
//! a bound at which it is ended, and nothing that it starts outlives it.

use std::time::Duration;

use tokio::time::{Instant, sleep_until, timeout};
use tokio_util::sync::CancellationToken;

use super::{
    error::ProcessError,
    output::Stream,
    spawn::{self, End, ShellCommand},
    supervisor::Report,
    tree::{ENDING, Pipes, Tree},
};

/// Bytes of its standard error that are kept.
const MOST_ERROR: usize = 8 * 1024;
/// The longest wait for what is left in the pipes of one that has ended.
const REST: Duration = Duration::from_millis(500);

/// What a program answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// How it ended.
    pub end: End,
    /// What it printed, up to the bound.
    pub output: Vec<u8>,
    /// Whether it printed more than that, and was ended for it.
    pub overflowed: bool,
    /// The beginning of what it wrote to its standard error.
    pub error: Vec<u8>,
}

/// Runs a program to its end. It may print up to `most` bytes.
pub async fn exchange(
    spec: &ShellCommand,
    most: usize,
    cancel: &CancellationToken,
) -> Result<Answer, ProcessError> {
    let deadline = Instant::now() + spec.timeout;
    spawn::check(spec)?;
    let (mut tree, output, error) = Tree::start(spec).await?;
    let mut heard = Heard {
        pipes: Pipes::new(output, error),
        most,
        output: Vec::new(),
        error: Vec::new(),
    };
    let end = loop {
        tokio::select! {
            biased;
            () = cancel.cancelled() => break End::Cancelled,
            () = sleep_until(deadline) => break End::TimedOut,
            report = tree.report() => match report {
                Some(Report::Refused(_)) => {}
                report => break spawn::ended(report)?,
            },
            () = heard.hear(), if !heard.overflows() => {}
            () = std::future::ready(()), if heard.overflows() => break End::Cancelled,
        }
    };
    tree.ask_to_end().await;
    if timeout(ENDING, heard.until(tree.closed())).await.is_err() {
        tree.end_by_force().await;
    }
    tree.gone().await;
    let rest = async {
        while heard.pipes.are_open() {
            heard.hear().await;
        }
    };
    let _ = timeout(REST, rest).await;
    let overflowed = heard.overflows();
    heard.output.truncate(most);
    Ok(Answer {
        end,
        output: heard.output,
        overflowed,
        error: heard.error,
    })
}

/// What has come so far.
struct Heard {
    pipes: Pipes,
    most: usize,
    output: Vec<u8>,
    error: Vec<u8>,
}

impl Heard {
    fn overflows(&self) -> bool {
        self.output.len() > self.most
    }

    /// Waits for a piece and keeps what there is room for; never returns when nothing more can come.
    async fn hear(&mut self) {
        let (stream, piece) = self.pipes.piece().await;
        let (kept, most) = match stream {
            // One byte more tells that there was too much.
            Stream::Output => (&mut self.output, self.most + 1),
            Stream::Error => (&mut self.error, MOST_ERROR),
        };
        let room = most.saturating_sub(kept.len());
        kept.extend(piece.iter().take(room));
        // A flood is always ready: let others have their turn.
        tokio::task::yield_now().await;
    }

    /// Hears on until something else is over.
    async fn until(&mut self, over: impl Future<Output = ()>) {
        tokio::pin!(over);
        loop {
            tokio::select! {
                biased;
                () = &mut over => return,
                () = self.hear() => {}
            }
        }
    }
}
