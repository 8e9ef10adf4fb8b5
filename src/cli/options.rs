//! From settings to what an engine is started with.

use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

use super::{environment::HiddenVariables, profiles::ConfiguredProfiles, startup::Start};
use crate::{
    config::{Loaded, Origin, Paths},
    domain::permission::OwnPlaces,
    engine::{
        event::ProfileOffer,
        options::{Asked, Bounds, EngineOptions, StartPermissions},
        session::permissions::Configured,
    },
    process::sandbox::{backend::Choice, wanted::SandboxSettings},
    tools::context::ToolSettings,
    workspace::root,
};

/// What an engine is started with.
pub fn engine(
    start: Start,
    environment: HiddenVariables,
    offers: Vec<ProfileOffer>,
) -> EngineOptions {
    let (loaded, paths) = (&start.loaded, &start.setting.paths);
    EngineOptions {
        cwd: start.setting.cwd.clone(),
        opening: start.opening.clone(),
        profile: start.profile.clone(),
        default_profile: loaded.first_profile().to_owned(),
        permissions: permissions(loaded),
        bounds: bounds(loaded),
        tools: tools(loaded, paths),
        configured: configured(loaded),
        trusted: start.trust.answer(),
        asking: start.asking.clone(),
        seen: start.project.seen().clone(),
        offers,
        notices: start.notices.clone(),
        store: start.store.clone(),
        profiles: Arc::new(ConfiguredProfiles::new(start, environment)),
    }
}

/// Puts settings that were read again into the options of a running engine.
pub(super) fn renew(options: &mut EngineOptions, loaded: &Loaded, paths: &Paths) {
    loaded
        .first_profile()
        .clone_into(&mut options.default_profile);
    options.permissions = StartPermissions {
        // What the person asked for was meant for the start.
        asked: options.permissions.asked,
        ..permissions(loaded)
    };
    options.bounds = bounds(loaded);
    options.tools = tools(loaded, paths);
    options.configured = configured(loaded);
}

/// What the configuration says of tools, agents and hooks.
pub(super) fn configured(loaded: &Loaded) -> Configured {
    let settings = &loaded.settings;
    Configured {
        allowed: settings.tools.allowed.clone(),
        disabled: settings.tools.disabled.clone(),
        levels: settings.tools.levels.clone(),
        agents: loaded.agents.clone(),
        origins: loaded.rule_origins.clone(),
        hooks: settings.hooks.clone().into(),
        declared: settings.tools.declared.clone().into(),
    }
}

/// Permission settings at the start.
fn permissions(loaded: &Loaded) -> StartPermissions {
    let permissions = &loaded.settings.permissions;
    let is_flag = |key: &str| {
        matches!(
            loaded.origin(&format!("permissions.{key}")),
            Origin::Flag(_)
        )
    };
    StartPermissions {
        asked: Asked {
            level: is_flag("level").then_some(permissions.level),
            mode: is_flag("mode").then_some(permissions.mode),
            approvals: is_flag("approvals").then_some(permissions.approvals),
            network: is_flag("network").then_some(permissions.network),
        },
        level: permissions.level,
        mode: permissions.mode,
        approvals: permissions.approvals,
        network: permissions.network,
        confine_reads: permissions.confine_reads,
        rules: permissions.rules.clone(),
    }
}

/// Bounds of a session.
fn bounds(loaded: &Loaded) -> Bounds {
    let settings = &loaded.settings;
    Bounds {
        agent_depth: settings.agents.max_depth as usize,
        agents_running: settings.agents.max_running as usize,
        ceiling_percent: settings.context.ceiling_percent,
        compacting: settings.context.compaction,
        checkpoint: settings.context.checkpoint,
    }
}

/// Settings of the tools.
fn tools(loaded: &Loaded, paths: &Paths) -> ToolSettings {
    let tools = &loaded.settings.tools;
    ToolSettings {
        shell_timeout: std::time::Duration::from_millis(tools.shell_timeout_ms),
        shell_timeout_max: std::time::Duration::from_millis(tools.shell_timeout_max_ms),
        spool: paths.spool(),
        secret_variables: loaded.secret_variables(),
        own: own_places(paths),
        sandbox: sandbox(loaded),
    }
}

/// Settings of the sandbox.
pub(super) fn sandbox(loaded: &Loaded) -> SandboxSettings {
    let settings = &loaded.settings.sandbox;
    let home = std::env::home_dir();
    let place = |named: &String| match (named.strip_prefix("~/"), &home) {
        (Some(rest), Some(home)) => home.join(rest),
        _ => PathBuf::from(named),
    };
    SandboxSettings {
        choice: Choice::from_name(&settings.backend).unwrap_or_default(),
        writable: settings.writable.iter().map(place).collect(),
        reachable: Vec::new(),
    }
}

/// The program's own places by where they really are.
fn own_places(paths: &Paths) -> OwnPlaces {
    // A place behind a loop of links holds nothing.
    let real = |path: &Path| root::resolve(path).unwrap_or_else(|_| path.to_owned());
    OwnPlaces {
        closed: [paths.config(), paths.data(), paths.state(), paths.cache()]
            .map(real)
            .to_vec(),
        open: vec![real(&paths.themes()), real(&paths.keymaps())],
    }
}
