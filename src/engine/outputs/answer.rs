//! What an agent has answered so far.

use crate::{
    domain::{
        ids::{AgentId, CallId},
        record::{Record, Stored},
    },
    engine::session::state::Session,
    store::StoreError,
    tools::host::GivenAnswer,
};

/// Records that are read at a time.
const RECORDS: usize = 500;

/// The words in front of a call, or else the last ones before its turn.
pub async fn given(
    session: &Session,
    agent: &AgentId,
    call: &CallId,
) -> Result<Option<GivenAnswer>, StoreError> {
    let mut before = None;
    let mut in_turn = true;
    loop {
        let page = session.store.records(&session.id, before, RECORDS).await?;
        let of_agent = page.records.iter().rev();
        for stored in of_agent.filter(|stored| stored.agent == *agent) {
            if let Some(answer) = said(stored, call, &mut in_turn) {
                return Ok(Some(answer));
            }
        }
        before = page.records.first().map(|first| first.sequence);
        if !page.more || before.is_none() {
            return Ok(None);
        }
    }
}

/// What a record has to say, read from the latest to the first; `in_turn` until the turn of the call has been read.
fn said(stored: &Stored, call: &CallId, in_turn: &mut bool) -> Option<GivenAnswer> {
    let message = match &stored.record {
        Record::TurnStarted { .. } => {
            *in_turn = false;
            return None;
        }
        Record::Reply { message, .. } => message,
        _ => return None,
    };
    let is_its_own = message.calls().any(|made| made.id == *call);
    let text = message.text();
    let counts = (is_its_own || !*in_turn) && !text.trim().is_empty();
    counts.then_some(GivenAnswer {
        text,
        is_earlier: !is_its_own,
    })
}
