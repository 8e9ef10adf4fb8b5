//! What every command starts from: places, folder, trust, settings, store.

use std::{
    fs,
    path::{Path, PathBuf},
};

use super::{
    arguments::WorkbenchArguments,
    failure::{Exit, Failure},
};
use crate::{
    config::{
        ConfigError, ConfigErrors, Loaded, Origin, Override, Paths, Sources, load, trust::Trust,
    },
    domain::{notice::Notice, permission::OwnPlaces},
    engine::options::{Asked, Bounds, Opening, StartPermissions},
    store::{StoreError, StoreHandle, StorePlaces},
    tools::{context::ToolSettings, registry},
    workspace::root,
};

/// Where we are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setting {
    /// Where our own files are.
    pub paths: Paths,
    /// The folder to work in, resolved.
    pub cwd: PathBuf,
}

/// A session about to be opened: all that the engine and the screen are made from.
#[derive(Debug)]
pub struct Start {
    /// Where we are.
    pub setting: Setting,
    /// Settings of all layers. The engine restrains the level as long as the folder is not trusted.
    pub loaded: Loaded,
    /// What is known of the folder.
    pub trust: Trust,
    /// The store.
    pub store: StoreHandle,
    /// Which session to open.
    pub opening: Opening,
    /// The profile that a flag or the environment names.
    pub profile: Option<String>,
    /// What the person should be told.
    pub notices: Vec<Notice>,
}

impl Setting {
    /// Finds the places and the folder.
    pub fn find(cwd: Option<&Path>) -> Result<Self, Failure> {
        let paths = Paths::from_environment()?;
        let wanted = match cwd {
            Some(cwd) => cwd.to_owned(),
            None => std::env::current_dir().map_err(|error| {
                Failure::new(
                    Exit::Setup,
                    format!("the current folder is not there: {error}"),
                )
            })?,
        };
        let cannot = |error: std::io::Error| {
            Failure::new(
                Exit::Setup,
                format!("cannot work in {}: {error}", wanted.display()),
            )
        };
        let cwd = fs::canonicalize(&wanted).map_err(cannot)?;
        if !cwd.is_dir() {
            let text = format!("cannot work in {}: it is no folder", wanted.display());
            return Err(Failure::new(Exit::Setup, text));
        }
        Ok(Self { paths, cwd })
    }

    /// Where the store keeps its files.
    pub fn store_places(&self) -> StorePlaces {
        StorePlaces::new(self.paths.data(), self.paths.state())
    }

    /// Opens the store, when there is one: asking for something must not make files.
    pub async fn existing_store(&self) -> Result<Option<(StoreHandle, Vec<Notice>)>, StoreError> {
        let places = self.store_places();
        if !places.database().exists() {
            return Ok(None);
        }
        StoreHandle::open(places).await.map(Some)
    }

    /// Settings as a listing shows them: with the project's when the folder is trusted, without flags.
    pub fn settings(&self) -> Result<(Loaded, Trust), Failure> {
        let (trusted, notices) = block_on(async {
            match self.existing_store().await {
                Ok(Some((store, notices))) => {
                    let trusted = store.trusted(&self.cwd).await;
                    let _ = store.close().await;
                    (trusted, notices)
                }
                Ok(None) => (Ok(None), Vec::new()),
                Err(error) => (Err(error), Vec::new()),
            }
        })?;
        // A store that cannot be opened must not keep anyone from mending the settings.
        let trust = Trust::decide(None, trusted.unwrap_or_default());
        let mut loaded = self.load(trust, &[])?;
        loaded.notices.splice(0..0, notices);
        Ok((loaded, trust))
    }

    /// Reads the settings and looks whether the tools they name are there.
    pub(super) fn load(
        &self,
        trust: Trust,
        overrides: &[Override],
    ) -> Result<Loaded, ConfigErrors> {
        let loaded = load(&Sources {
            paths: &self.paths,
            project: trust.is_given().then_some(self.cwd.as_path()),
            environment: true,
            overrides,
        })?;
        let errors = unknown_tools(&loaded);
        if errors.is_empty() {
            Ok(loaded)
        } else {
            Err(ConfigErrors(errors))
        }
    }
}

impl Start {
    /// Opens the store, looks up the folder's trust, reads the settings and finds the session.
    pub async fn prepare(
        setting: Setting,
        arguments: &WorkbenchArguments,
    ) -> Result<Self, Failure> {
        let overrides = arguments.overrides();
        // What is wrong with the person's own settings is told before a store is made.
        setting.load(Trust::Unasked, &overrides)?;
        let (store, mut notices) = StoreHandle::open(setting.store_places()).await?;
        let trust = Trust::decide(arguments.trust(), store.trusted(&setting.cwd).await?);
        let mut loaded = setting.load(trust, &overrides)?;
        notices.append(&mut loaded.notices);
        let opening = match &arguments.resume {
            Some(id) => Opening::Resume(store.find_session(id).await?.id),
            None if arguments.latest => Opening::Latest,
            None => Opening::New,
        };
        let profile = match loaded.origin("default_profile") {
            Origin::Flag(_) | Origin::Environment(_) => {
                Some(loaded.settings.default_profile.clone())
            }
            _ => None,
        };
        Ok(Self {
            setting,
            loaded,
            trust,
            store,
            opening,
            profile,
            notices,
        })
    }

    /// Permission settings at the start.
    pub fn permissions(&self) -> StartPermissions {
        let permissions = &self.loaded.settings.permissions;
        let is_flag = |key: &str| {
            matches!(
                self.loaded.origin(&format!("permissions.{key}")),
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
    pub fn bounds(&self) -> Bounds {
        let settings = &self.loaded.settings;
        Bounds {
            agent_depth: settings.agents.max_depth as usize,
            agents_running: settings.agents.max_running as usize,
            ceiling_percent: settings.context.ceiling_percent,
        }
    }

    /// Settings of the tools.
    pub fn tools(&self) -> ToolSettings {
        let tools = &self.loaded.settings.tools;
        ToolSettings {
            shell_timeout: std::time::Duration::from_millis(tools.shell_timeout_ms),
            shell_timeout_max: std::time::Duration::from_millis(tools.shell_timeout_max_ms),
            spool: self.setting.paths.spool(),
            secret_variables: self.loaded.secret_variables(),
            own: own_places(&self.setting.paths),
        }
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

/// Names in the settings that mean no tool. A misspelt name would leave a tool on that the person wants off.
fn unknown_tools(loaded: &Loaded) -> Vec<ConfigError> {
    let tools = &loaded.settings.tools;
    let off = tools
        .disabled
        .iter()
        .map(|name| ("tools.disabled".to_owned(), name));
    let levels = tools
        .levels
        .keys()
        .map(|name| (format!("tools.levels.{name}"), name));
    off.chain(levels)
        .filter(|(_, name)| registry::find(name).is_none())
        .map(|(key, name)| ConfigError {
            origin: loaded.origin(&key).clone(),
            problem: format!("there is no tool `{name}`"),
            hint: Some("`qd tool list` shows them".to_owned()),
            key,
        })
        .collect()
}

/// Runs something asynchronous to its end on this thread.
pub(super) fn block_on<T>(future: impl Future<Output = T>) -> Result<T, Failure> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(|error| Failure::new(Exit::Failed, format!("cannot start: {error}")))?;
    Ok(runtime.block_on(future))
}
