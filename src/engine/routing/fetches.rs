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
use crate::domain::{ids::ArtifactId, notice::Notice};

/// Most bytes of an output that are shown.
const SHOWN_BYTES: u64 = 8 * 1024 * 1024;
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
        let text = match self.session.store.read_artifact(&id, SHOWN_BYTES).await {
            Ok(read) => {
                let mut text = read.text();
                if read.is_cut() {
                    text.push_str(&format!(
                        "\n[only the first {} of {} bytes are shown]",
                        read.bytes.len(),
                        read.total
                    ));
                }
                Ok(text)
            }
            Err(error) => Err(error.to_string()),
        };
        Fetched::Artifact { id, text }
    }
}
