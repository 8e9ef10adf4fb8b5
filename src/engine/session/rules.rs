//! What decides about calls: grants, the configuration's rules, and what a rule would have answered for.

use std::sync::Arc;

use crate::{
    domain::{
        access::Resource,
        ids::{AgentId, CallId},
        permission::{Grant, Rule},
        record::Record,
    },
    engine::{
        event::{Covered, Rules},
        host::EngineHost,
        session::state::Session,
        toolset,
    },
    store::StoreError,
    tools::{
        context::{Reach, ToolContext},
        registry,
    },
};

/// Records that are looked through for calls.
const RECORDS: usize = 2000;
/// Calls that are tried, the latest.
const CALLS: usize = 300;

/// Everything that decides about calls now.
pub fn all(session: &Session) -> Box<Rules> {
    let settings = session.permissions.settings();
    let agents = session.tree.authorities().into_iter();
    Box::new(Rules {
        grants: session.permissions.grants(),
        origins: session.permissions.configured().origins.clone(),
        agents: agents
            .map(|(id, authority)| (id, authority.within(settings.level, settings.network)))
            .collect(),
        roots: settings.roots.clone(),
        disabled: toolset::off(&session.permissions.configured()),
        configured: settings.rules.clone(),
        judged: session.permissions.judged(),
    })
}

/// Keeps what lasts, and forgets what was taken back.
pub async fn keep(session: &Session, changes: &[(Grant, bool)]) -> Result<(), StoreError> {
    for (grant, revoked) in changes {
        if !grant.scope.lasts() {
            continue;
        }
        if *revoked {
            session
                .store
                .remove_grants(&session.cwd, &grant.rule)
                .await?;
        } else {
            session.store.add_grant(&session.cwd, grant).await?;
        }
    }
    Ok(())
}

/// Which of the session's latest calls rules would have answered for.
pub async fn covered(session: &Arc<Session>, rules: Vec<Rule>) -> Result<Covered, StoreError> {
    let page = session.store.records(&session.id, None, RECORDS).await?;
    let calls = page
        .records
        .iter()
        .rev()
        .filter_map(|stored| match &stored.record {
            Record::Reply { message, .. } => {
                Some(message.calls().map(|call| (stored.agent.clone(), call)))
            }
            _ => None,
        });
    let context = ToolContext {
        session: session.id.clone(),
        agent: AgentId::main(),
        call: CallId::new(""),
        cwd: session.cwd.clone(),
        roots: Arc::default(),
        // Rules name what is touched, not how far it reaches.
        reach: Reach::of_person(),
        places: None,
        freshness: Arc::default(),
        settings: Arc::clone(&session.tools),
        host: Arc::new(EngineHost::new(Arc::clone(session))),
        media: Default::default(),
        keeps: false,
        cancel: session.cancel.clone(),
    };
    let mut tried = Vec::new();
    for (agent, call) in calls.flatten().take(CALLS) {
        let Some(tool) = registry::find(&call.name) else {
            continue;
        };
        let access = tool
            .check(&call.arguments)
            .and_then(|arguments| tool.access(&arguments, &context));
        if let Ok(access) = access {
            tried.push((tool.about(), access, (agent, call.id.clone())));
        }
    }
    let session = Arc::clone(session);
    let judged = tokio::task::spawn_blocking(move || {
        let calls = tried.iter().map(|(about, access, _)| (about, access));
        let covered = session.permissions.covered(&rules, calls, &session.cwd);
        let of = tried.len();
        let hit = tried
            .into_iter()
            .zip(covered)
            .filter(|(_, covered)| *covered);
        let (subjects, calls): (Vec<_>, _) = hit
            .map(|((_, access, call), _)| (access.resources.first().map(Resource::subject), call))
            .unzip();
        Covered {
            of,
            subjects: subjects.into_iter().flatten().collect(),
            calls,
            rules,
        }
    });
    judged
        .await
        .map_err(|error| StoreError::Failed(error.to_string()))
}
