//! A place in a scripted reply that is passed only after a test has said so.
//!
//! Both sides can wait for the other, so a test never sleeps: it waits until the reply has come to the gate,
//! looks at the world, and opens.

use tokio_util::sync::CancellationToken;

/// A gate; clones are the same gate. Once open it stays open.
#[derive(Clone, Debug, Default)]
pub struct Gate {
    reached: CancellationToken,
    opened: CancellationToken,
}

impl Gate {
    /// A closed gate.
    pub fn new() -> Self {
        Self::default()
    }

    /// Lets everything pass from now on.
    pub fn open(&self) {
        self.opened.cancel();
    }

    /// Waits until a reply stands at the gate (or has passed it).
    pub async fn reached(&self) {
        self.reached.cancelled().await;
    }

    /// Whether a reply has come to the gate.
    pub fn is_reached(&self) -> bool {
        self.reached.is_cancelled()
    }

    /// Says that someone has come, and waits until the gate is open.
    pub async fn pass(&self) {
        self.reached.cancel();
        self.opened.cancelled().await;
    }
}
