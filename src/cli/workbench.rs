//! The workbench: a terminal is needed, everything is prepared, then engine and screen take over.

use std::{fs, io::IsTerminal, sync::Arc};

use super::{
    arguments::WorkbenchArguments,
    environment::HiddenVariables,
    failure::{Exit, Failure},
    log, options,
    startup::{Setting, Start},
};
use crate::{
    config::{Paths, edit},
    engine::{self, EngineError, EngineHandle, event::ProfileOffer},
    process::editor,
    providers::detection,
    ui,
};

/// Runs the workbench until it is left; returns the exit code.
pub fn run(
    setting: Setting,
    arguments: &WorkbenchArguments,
    environment: HiddenVariables,
) -> Result<u8, Failure> {
    if !std::io::stdin().is_terminal() || !std::io::stdout().is_terminal() {
        return Err(Failure::new(
            Exit::Setup,
            "the workbench needs a terminal on stdin and stdout",
        )
        .with_hint("start qd in a terminal; `qd session list` and `qd config` work without one"));
    }
    log::start(&setting.paths.log());
    // The screen runs on this thread; two more serve the engine.
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .map_err(|error| Failure::new(Exit::Failed, format!("cannot start: {error}")))?;
    let code = runtime.block_on(async {
        let start = Start::prepare(setting, arguments).await?;
        let cwd = &start.setting.cwd;
        std::env::set_current_dir(cwd).map_err(|error| {
            let text = format!("cannot work in {}: {error}", cwd.display());
            Failure::new(Exit::Setup, text)
        })?;
        let screen = screen(&start, arguments, &environment);
        let engine = open(start, environment).await?;
        ui::run::start(engine, screen)
            .await
            .map_err(|error| Failure::new(Exit::Failed, format!("the terminal failed: {error}")))
    })?;
    // Work that still blocks a thread (a slow disk) must not keep the person waiting.
    runtime.shutdown_background();
    Ok(u8::try_from(code).unwrap_or(Exit::Failed as u8))
}

fn screen(
    start: &Start,
    arguments: &WorkbenchArguments,
    environment: &HiddenVariables,
) -> ui::run::Options {
    let settings = &start.loaded.settings.ui;
    let environment = environment.clone();
    ui::run::Options {
        theme: settings.theme.clone(),
        keymap: settings.keymap.clone(),
        themes: Some(start.setting.paths.themes()),
        keymaps: Some(start.setting.paths.keymaps()),
        mouse: settings.mouse && !arguments.no_mouse,
        links: settings.links,
        profile_is_named: start.profile.is_some(),
        prompt: arguments.prompt.clone(),
        // Where there is none yet, nothing was arranged.
        panes: fs::read_to_string(start.setting.paths.panes()).unwrap_or_default(),
        keep_panes: Some(keep_panes(start.setting.paths.clone())),
        keep: Some(keep(start.setting.paths.clone())),
        editor: Some(Box::new(move |text| {
            Box::pin(editor::edit(text, environment.hidden().to_vec()))
        })),
    }
}

/// Writes a choice into the person's file.
fn keep(paths: Paths) -> ui::run::Keep {
    Arc::new(move |key, name| edit::set_ui(&paths, key, name).map_err(|errors| errors.to_string()))
}

fn keep_panes(paths: Paths) -> ui::files::panes::Write {
    Arc::new(move |text| edit::keep_panes(&paths, text).map_err(|error| error.to_string()))
}

async fn open(start: Start, environment: HiddenVariables) -> Result<EngineHandle, Failure> {
    let spool = start.setting.paths.spool();
    fs::create_dir_all(&spool).map_err(|error| {
        Failure::new(
            Exit::Setup,
            format!("cannot make {}: {error}", spool.display()),
        )
        .with_hint("make the data directory writable, or name another one with QD_HOME")
    })?;
    let offers = if start.loaded.own_profiles().is_empty() {
        offers(&environment).await
    } else {
        Vec::new()
    };
    let options = options::engine(start, environment, offers);
    Ok(engine::start(options).await?)
}

/// What a first profile could use.
async fn offers(environment: &HiddenVariables) -> Vec<ProfileOffer> {
    let mut found = detection::running(&detection::local_candidates()).await;
    found.extend(detection::from_environment(|name| environment.get(name)));
    found
        .into_iter()
        .map(|found| ProfileOffer {
            label: found.label,
            name: found.name,
            base_url: found.base_url,
            model_id: found.models.into_iter().next().unwrap_or_default(),
            api_key_env: found.api_key_env,
        })
        .collect()
}

impl From<EngineError> for Failure {
    fn from(error: EngineError) -> Self {
        match error {
            EngineError::Store(error) => error.into(),
            EngineError::Provider(error) => Self::new(Exit::Setup, error)
                .with_hint("`qd config show` shows the profiles; --profile practice always works"),
        }
    }
}
