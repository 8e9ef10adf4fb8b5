//! Makes a session ready: a new one, or one from the store with everything folded from its log.

use std::sync::{Arc, Mutex, atomic::AtomicU64};

use tokio::sync::{Notify, Semaphore};
use tokio_util::{sync::CancellationToken, task::TaskTracker};

use super::{
    ledger::{Ledger, PastAgent},
    own_files::OwnFiles,
    permissions::Permissions,
    recorder::{self, Recorder},
    repair,
    requests::Requests,
    state::{Counters, Session, Shared},
    terminals::Terminals,
    tree::Tree,
};
use crate::{
    domain::{
        agent::Authority,
        ids::AgentId,
        notice::Notice,
        permission::{Level, Network, PermissionSettings, Scope, Verdict},
        record::Stored,
        session::{SessionInfo, SessionSettings},
    },
    engine::{
        agents::actor::{self, Beginning},
        error::EngineError,
        event::Opened,
        options::{EngineOptions, OpenedProfile, Opening},
        outbox::Outbox,
    },
    store::{DraftKey, SessionLock},
};

/// Records that are told at once when a session is opened; earlier ones on request.
const SHOWN: usize = 400;
/// Earlier prompts that the composer can recall.
const PROMPTS: usize = 500;

/// A session that is ready, and what a front end must be told.
pub struct Ready {
    /// The session.
    pub session: Arc<Session>,
    /// Its place in the store and its settings.
    pub opened: Opened,
    /// The latest records, oldest first.
    pub shown: Vec<Stored>,
    /// Whether there are earlier ones.
    pub more: bool,
    /// What the person must be told of it.
    pub notices: Vec<Notice>,
}

/// Opens the session that the options name.
pub async fn open(options: &EngineOptions, outbox: Outbox) -> Result<Ready, EngineError> {
    let store = &options.store;
    let found = match &options.opening {
        Opening::New => None,
        Opening::Latest => store
            .latest_session(&options.cwd)
            .await?
            .map(|info| info.id),
        Opening::Resume(id) => Some(id.clone()),
    };
    let id = match &found {
        Some(id) => id.clone(),
        None => store.create_session(&options.cwd).await?.id,
    };
    let (lock, info) = store.open_session(&id).await?;
    // The folder may have been moved, or the person named another one.
    let info = SessionInfo {
        cwd: options.cwd.clone(),
        ..info
    };
    let mut past = recorder::read(store, &id).await?;
    let missing = repair::missing(&past);
    for stored in store.append_many(&id, missing).await? {
        past.take(&stored);
    }
    past.grants.end_turns();
    let shown = store.records(&id, None, SHOWN).await?;
    let own = past.clone();
    for grant in store.grants(&options.cwd).await? {
        // What was allowed for this folder holds while it is trusted; a denial holds always.
        let is_held_back = grant.scope == Scope::Project
            && grant.rule.verdict == Verdict::Allow
            && options.trusted != Some(true);
        if !is_held_back {
            past.grants.add(grant);
        }
    }
    let profile = open_profile(options, past.settings.as_ref())?;
    let start = Start {
        permissions: permission_settings(options, past.settings.as_ref()),
        is_resumed: found.is_some(),
        profile,
        info,
        lock,
    };
    let is_resumed = start.is_resumed;
    let info = start.info.clone();
    let turns = past.main().turns;
    let session = build(options, start, past, own, outbox);
    let mut opened = opened(options, &session, info, is_resumed).await?;
    opened.turns = turns;
    let notices = restore_queue(&session, &mut opened.draft).await?;
    Ok(Ready {
        session,
        opened,
        more: shown.more,
        shown: shown.records,
        notices,
    })
}

struct Start {
    permissions: PermissionSettings,
    is_resumed: bool,
    profile: OpenedProfile,
    info: SessionInfo,
    lock: SessionLock,
}

/// The profile named by the start, else the one the session used, else the default.
fn open_profile(
    options: &EngineOptions,
    settings: Option<&SessionSettings>,
) -> Result<OpenedProfile, EngineError> {
    if let Some(name) = &options.profile {
        return Ok(options.profiles.open(name)?);
    }
    let used = settings
        .map(|settings| settings.model.profile.as_str())
        .and_then(|name| options.profiles.open(name).ok());
    match used {
        Some(profile) => Ok(profile),
        None => Ok(options.profiles.open(&options.default_profile)?),
    }
}

/// The settings of a resumed session hold where they are narrower than those of the start, but for what the person
/// asked for with this start; an untrusted folder is read only.
fn permission_settings(
    options: &EngineOptions,
    settings: Option<&SessionSettings>,
) -> PermissionSettings {
    let start = &options.permissions;
    let asked = start.asked;
    let level = asked.level.unwrap_or_else(|| {
        settings.map_or(start.level, |settings| settings.level.min(start.level))
    });
    let trusted = options.trusted.unwrap_or(false);
    PermissionSettings {
        level: if trusted {
            level
        } else {
            level.min(Level::Read)
        },
        mode: asked.mode.unwrap_or_else(|| {
            settings.map_or(start.mode, |settings| settings.mode.min(start.mode))
        }),
        approvals: asked.approvals.unwrap_or_else(|| {
            start.approvals && settings.is_none_or(|settings| settings.approvals)
        }),
        network: asked.network.unwrap_or_else(|| {
            settings.map_or(start.network, |settings| {
                settings.network.min(start.network)
            })
        }),
        confine_reads: start.confine_reads,
        rules: start.rules.clone(),
        roots: vec![options.cwd.clone()],
        own: options.tools.own.clone(),
    }
}

/// `past` is what the session begins with, `log` what its log says.
fn build(
    options: &EngineOptions,
    start: Start,
    past: Ledger,
    log: Ledger,
    outbox: Outbox,
) -> Arc<Session> {
    let id = start.info.id.clone();
    let cancel = CancellationToken::new();
    let person_commands = cancel.child_token();
    let checklists = past.agents.iter().filter_map(|(id, agent)| {
        let checklist = agent.checklist.clone()?;
        Some((id.clone(), checklist))
    });
    let session = Arc::new(Session {
        recorder: Recorder::new(id.clone(), options.store.clone(), outbox, log),
        id,
        cwd: options.cwd.clone(),
        store: options.store.clone(),
        own_files: OwnFiles::new(options.seen.clone()),
        permissions: Permissions::new(
            start.permissions,
            past.grants.list().to_vec(),
            options.configured.clone(),
        ),
        tree: Tree::default(),
        requests: Requests::default(),
        terminals: Terminals::default(),
        profiles: Arc::clone(&options.profiles),
        bounds: options.bounds,
        tools: Arc::new(options.tools.clone()),
        running: Arc::new(Semaphore::new(options.bounds.agents_running.max(1))),
        cancel,
        stirred: Notify::new(),
        tasks: TaskTracker::new(),
        _lock: start.lock,
        shared: Mutex::new(Shared {
            profile: start.profile,
            checklists: checklists.collect(),
            pursuit: past.goal.clone().map(Into::into),
            usage: past.usage,
            trusted: options.trusted.unwrap_or(false),
            is_titled: past.is_titled,
            person_commands,
            unsent: 0,
            draft_is_unstored: false,
            had_notebooks: false,
        }),
        counters: Counters {
            turn: AtomicU64::new(past.last_turn),
            request: AtomicU64::new(past.last_request),
            queued: AtomicU64::new(0),
            commands: AtomicU64::new(0),
        },
    });
    start_main(&session, past.main());
    let deepest = options.bounds.agent_depth;
    for agent in past.order.iter().filter_map(|id| past.agents.get(id)) {
        let Some(node) = agent.node.clone() else {
            continue;
        };
        let beginning = Beginning {
            node,
            // An agent whose place is not known makes no others.
            depth: agent.depth.unwrap_or(deepest),
            authority: agent.authority.clone().unwrap_or_else(Authority::least),
            past: agent.clone(),
            is_held: false,
        };
        actor::start(&session, beginning);
    }
    session
}

fn start_main(session: &Arc<Session>, past: PastAgent) {
    let all = Authority {
        cap: Level::Unrestricted,
        network: Network::All,
        inherits: Vec::new(),
        policies: Vec::new(),
    };
    let mut main = Beginning::fresh(AgentId::main(), None, String::new(), all, 0);
    main.node.usage = past.usage;
    main.node.calls = past.ran;
    if let Some(turn) = &past.turn {
        main.node.status = turn.status.clone();
        main.node.started_ms = turn.started_ms;
        main.node.ended_ms = turn.ended_ms;
    }
    main.past = past;
    actor::start(session, main);
}

async fn opened(
    options: &EngineOptions,
    session: &Session,
    info: SessionInfo,
    resumed: bool,
) -> Result<Opened, EngineError> {
    let mut draft = String::new();
    for key in [
        DraftKey::Session(info.id.clone()),
        DraftKey::Folder(options.cwd.clone()),
    ] {
        if draft.is_empty() && (resumed || matches!(key, DraftKey::Folder(_))) {
            draft = options.store.draft(key).await?;
        }
    }
    Ok(Opened {
        settings: session.settings(),
        resumed,
        turns: 0,
        draft,
        profiles: options.profiles.list(),
        prompts: options.store.prompts(&options.cwd, PROMPTS).await?,
        asks_trust: options.trusted.is_none(),
        asking: options.asking.clone(),
        offers: if resumed {
            Vec::new()
        } else {
            options.offers.clone()
        },
        info,
    })
}

/// Puts what waited to be sent when the session was left in front of its draft.
async fn restore_queue(session: &Session, draft: &mut String) -> Result<Vec<Notice>, EngineError> {
    let store = &session.store;
    let key = DraftKey::Queue(session.id.clone());
    let waited = store.draft(key.clone()).await?;
    if waited.is_empty() {
        return Ok(Vec::new());
    }
    // A program that ended between the two writes below has left it in both places.
    if !draft.starts_with(&waited) {
        *draft = if draft.is_empty() {
            waited
        } else {
            format!("{waited}\n\n{draft}")
        };
    }
    store
        .save_draft(DraftKey::Session(session.id.clone()), draft.clone())
        .await?;
    store.save_draft(key, String::new()).await?;
    let notice = Notice::info("what waited when the session was left was not sent");
    Ok(vec![notice.with_hint("it stands in the draft")])
}
