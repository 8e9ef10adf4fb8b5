//! The jobs of the open session as the person sees them: listed, ended one by one.

use std::sync::Arc;

use super::{
    event::{EventKind, Fetched},
    session::state::Session,
};
use crate::{
    domain::{ids::AgentId, notice::Notice},
    process::table,
    text::sanitize::clean_line,
};

/// Tells the front end which jobs run. Looking for processes blocks, so it is done elsewhere.
pub async fn tell(session: &Session) {
    let id = session.id.clone();
    let jobs = tokio::task::spawn_blocking(move || table::list(&id)).await;
    let fetched = Fetched::Jobs(jobs.unwrap_or_default());
    session
        .tell(&AgentId::main(), EventKind::Fetched(fetched))
        .await;
}

/// Tells them whenever there is one more or one less, until the session is left.
pub async fn watch(session: Arc<Session>) {
    let mut changes = table::changes();
    let mut told = table::ids(&session.id);
    loop {
        tokio::select! {
            () = session.cancel.cancelled() => return,
            changed = changes.changed() => if changed.is_err() {
                return;
            }
        }
        let ids = table::ids(&session.id);
        if ids != told {
            told = ids;
            tell(&session).await;
        }
    }
}

/// Ends a job of the session; that takes a moment, and nothing waits for it.
pub fn stop(session: &Arc<Session>, id: u32) {
    let session = Arc::clone(session);
    let tracker = session.tasks.clone();
    tracker.spawn(async move {
        let notice = match table::stop(&session.id, id).await {
            Some(command) => Notice::info(format!("ended what `{}` left", clean_line(&command))),
            None => Notice::info("that job has ended already"),
        };
        session.tell_notice(notice).await;
        tell(&session).await;
    });
}
