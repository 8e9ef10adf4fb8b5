//! What a front end asks to be told.

use super::super::{
    command::Fetch,
    completion,
    event::{EventKind, Fetched},
    jobs,
    session::rules,
    toolset,
    turn::input::Input,
    worker::Worker,
};
use crate::{
    domain::{ids::ArtifactId, notice::Notice},
    store::ArtifactRead,
    text::truncate::grouped,
};

/// Most bytes of both ends of an output that are shown.
const SHOWN_BYTES: (u64, u64) = (6 << 20, 2 << 20);
/// Most sessions that are listed.
const SESSIONS: usize = 200;

impl Worker {
    pub(super) async fn fetch(&self, fetch: Fetch) {
        let session = &self.session;
        let fetched = match fetch {
            Fetch::Artifact(id) => Ok(self.fetch_artifact(id).await),
            Fetch::Scratchpad { agent, name } => session
                .store
                .scratchpad_read(&session.id, &agent, &name)
                .await
                .map(|entry| Fetched::Scratchpad { agent, name, entry }),
            Fetch::Sessions => session
                .store
                .list_sessions(Some(&session.cwd), SESSIONS)
                .await
                .map(Fetched::Sessions),
            Fetch::Earlier { before, limit } => {
                match session
                    .store
                    .records(&session.id, Some(before), limit.min(2000))
                    .await
                {
                    Ok(page) => {
                        self.tell(EventKind::History {
                            records: page.records,
                            more: page.more,
                        })
                        .await;
                    }
                    Err(error) => self.notice(Notice::error(error.to_string())).await,
                }
                return;
            }
            Fetch::Files => return completion::tell(session),
            Fetch::Window(agent) => return self.input(&agent, Input::Weighed).await,
            Fetch::Jobs => return jobs::tell(session).await,
            Fetch::Rules => Ok(Fetched::Rules(rules::all(session))),
            Fetch::Tools => Ok(Fetched::Tools(toolset::of_session(session).await)),
            Fetch::Covered(rules) => rules::covered(session, rules).await.map(Fetched::Covered),
        };
        match fetched {
            Ok(fetched) => self.tell(EventKind::Fetched(fetched)).await,
            Err(error) => self.notice(Notice::error(error.to_string())).await,
        }
    }

    async fn fetch_artifact(&self, id: ArtifactId) -> Fetched {
        let store = &self.session.store;
        let text = match store.read_artifact_ends(&id, SHOWN_BYTES).await {
            Ok((begun, end)) => Ok(both_ends(&begun, &end)),
            Err(error) => Err(error.to_string()),
        };
        Fetched::Artifact { id, text }
    }
}

/// The beginning and the end of an output, with a line between them that says what is missing.
fn both_ends(begun: &ArtifactRead, end: &[u8]) -> String {
    let shown = (begun.bytes.len() + end.len()) as u64;
    let missing = begun.total.saturating_sub(shown);
    if missing == 0 {
        // The cut may have gone through a character.
        let bytes = [begun.bytes.as_slice(), end].concat();
        return String::from_utf8_lossy(&bytes).into_owned();
    }
    let is_rest = |byte: &u8| byte & 0xc0 == 0x80;
    let cut = end.iter().take_while(|byte| is_rest(byte)).count();
    format!(
        "{}\n[… {} of {} bytes left out here …]\n{}",
        begun.text(),
        grouped(missing as usize),
        grouped(begun.total as usize),
        String::from_utf8_lossy(end.get(cut..).unwrap_or_default())
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_ends_meet_or_say_what_is_missing_and_no_character_is_cut() {
        let whole = "a各b各c";
        let joined = |head: usize, tail: usize| {
            let bytes = whole.as_bytes();
            let begun = ArtifactRead {
                bytes: bytes[..head].to_vec(),
                total: bytes.len() as u64,
            };
            both_ends(&begun, &bytes[head.max(bytes.len() - tail)..])
        };

        for (head, tail) in [(9, 0), (2, 7), (5, 9), (0, 9)] {
            assert_eq!(joined(head, tail), whole, "{head} {tail}");
        }
        assert_eq!(joined(2, 3), "a\n[… 4 of 9 bytes left out here …]\nc");
    }
}
