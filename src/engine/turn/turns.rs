//! Where a turn begins and ends: numbers, recap, title, and the word to whoever waits for the agent.

use std::sync::Arc;

use super::{driver::Driver, effect::Effect};
use crate::{
    domain::record::{Record, TurnOutcome},
    engine::{clock, event::EventKind, session::tree::Ended},
};

impl Driver {
    /// Gives the turn its number.
    pub(super) async fn begin_turn(&mut self) -> Vec<Effect> {
        let session = Arc::clone(self.session());
        let turn = session.next_turn();
        self.meter.begin(turn);
        let effects = self.record(Record::TurnStarted { turn }).await;
        let agent = self.agent();
        session
            .change_node(&agent, |node| {
                node.started_ms = clock::now_ms();
                node.ended_ms = None;
            })
            .await;
        self.tell(EventKind::Turn {
            turn,
            running: true,
        })
        .await;
        effects
    }

    /// Closes the turn.
    pub(super) async fn end_turn(&mut self, outcome: TurnOutcome) {
        let Some((turn, recap)) = self.meter.end() else {
            return;
        };
        let session = Arc::clone(self.session());
        let agent = self.agent();
        let record = Record::TurnFinished {
            turn,
            outcome: outcome.clone(),
            recap,
        };
        // A log that cannot be written was told already, and the turn has ended all the same.
        self.record(record).await;
        session
            .change_node(&agent, |node| {
                node.ended_ms = Some(clock::now_ms());
                node.activity = String::new();
            })
            .await;
        self.tell(EventKind::Turn {
            turn,
            running: false,
        })
        .await;
        let ended = Ended {
            turns: self.meter.turns,
            outcome,
            words: self.conversation.last_words(),
        };
        self.ended.send_replace(Some(ended));
    }
}
