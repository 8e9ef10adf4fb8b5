//! What the person types into a command, on its way there.

use tokio::sync::mpsc;

use crate::domain::terminal::TerminalInput;

/// How much may wait for a command that is slow to take it.
const WAITING: usize = 256;

/// What comes from the person; nothing when nobody can type.
#[derive(Debug, Default)]
pub struct Keyboard(Option<mpsc::Receiver<TerminalInput>>);

impl Keyboard {
    /// A keyboard, and where what is typed goes in. It is closed when the command takes nothing any more.
    pub fn new() -> (mpsc::Sender<TerminalInput>, Self) {
        let (sender, receiver) = mpsc::channel(WAITING);
        (sender, Self(Some(receiver)))
    }

    /// What comes next; never returns when nothing more can come.
    pub(in crate::process) async fn next(&mut self) -> TerminalInput {
        if let Some(receiver) = &mut self.0 {
            match receiver.recv().await {
                Some(input) => return input,
                None => self.0 = None,
            }
        }
        std::future::pending().await
    }
}
