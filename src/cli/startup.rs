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
        ConfigError, ConfigErrors, Loaded, Origin, Override, Paths, Sources, load,
        nearest::nearest, project::ProjectFiles, trust::Trust,
    },
    domain::{configured::seen::Asking, notice::Notice},
    engine::options::Opening,
    permission::rule::Pattern,
    store::{StoreError, StoreHandle, StorePlaces},
    text::{sanitize::clean_line, truncate::head},
    tools::registry,
};

/// What to do when the project's settings are wrong and cannot be mended now.
const WITHOUT_PROJECT: &str = "`--trust no` starts without the project's settings";
/// The most rules without a tool that are told.
const MOST_IDLE: usize = 16;
/// Columns of an action that are shown.
const LONGEST_ACTION: usize = 60;

/// Where we are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setting {
    /// Where our own files are.
    pub paths: Paths,
    /// The folder to work in, resolved.
    pub cwd: PathBuf,
    /// Whether the person named that folder.
    pub is_named: bool,
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
    /// Whether a flag says so, for this run only.
    pub trust_is_flagged: bool,
    /// What the question about it says.
    pub asking: Asking,
    /// Its own files as they are.
    pub project: ProjectFiles,
    /// The store.
    pub store: StoreHandle,
    /// Which session to open.
    pub opening: Opening,
    /// The profile that a flag or the environment names.
    pub profile: Option<String>,
    /// What the command line says.
    pub overrides: Vec<Override>,
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
        let is_named = cwd.is_some();
        Ok(Self {
            paths,
            cwd: folder(&wanted)?,
            is_named,
        })
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
    pub fn settings(&self) -> Result<(Loaded, Trust, Asking), Failure> {
        let (said, notices) = block_on(async {
            match self.existing_store().await {
                Ok(Some((store, notices))) => {
                    let said = store.trust(&self.cwd).await;
                    let _ = store.close().await;
                    (said, notices)
                }
                Ok(None) => (Ok(None), Vec::new()),
                Err(error) => (Err(error), Vec::new()),
            }
        })?;
        // A store that cannot be opened must not keep anyone from mending the settings.
        let said = said.unwrap_or_default();
        let project = ProjectFiles::read(&self.cwd);
        let trust = Trust::decide(None, said.as_ref(), project.seen());
        let mut loaded = self.load(trust.is_given().then_some(&project), &[])?;
        loaded.notices.splice(0..0, notices);
        Ok((loaded, trust, trust.asking(said.as_ref(), project.seen())))
    }

    /// Reads the settings, with the project's when its files are given, and looks whether the tools they name are there.
    pub(super) fn load(
        &self,
        project: Option<&ProjectFiles>,
        overrides: &[Override],
    ) -> Result<Loaded, ConfigErrors> {
        let mut loaded = load(&Sources {
            paths: &self.paths,
            project,
            environment: true,
            overrides,
        })?;
        let mut errors = unknown_tools(&loaded);
        errors.extend(taken_names(&loaded));
        if !errors.is_empty() {
            return Err(ConfigErrors(errors));
        }
        let idle = idle_rules(&loaded);
        loaded.notices.extend(idle);
        loaded.call_tools(|name| registry::built_in(name).map(|tool| tool.about().name));
        Ok(loaded)
    }
}

impl Start {
    /// Opens the store, looks up the folder's trust, reads the settings and finds the session.
    pub async fn prepare(
        mut setting: Setting,
        arguments: &WorkbenchArguments,
    ) -> Result<Self, Failure> {
        let overrides = arguments.overrides();
        // What is wrong with the person's own settings is told before a store is made.
        setting.load(None, &overrides)?;
        let (store, mut notices) = StoreHandle::open(setting.store_places()).await?;
        let opening = match &arguments.resume {
            Some(id) => {
                let info = store.find_session(id).await?;
                // A session goes on where it worked, wherever it is called from.
                if !setting.is_named {
                    setting.cwd = folder(&info.cwd).map_err(|failure| {
                        failure.with_hint("name the folder to go on in: qd -C DIR -r ID")
                    })?;
                }
                Opening::Resume(info.id)
            }
            None if arguments.latest => Opening::Latest,
            None => Opening::New,
        };
        let said = store.trust(&setting.cwd).await?;
        let project = ProjectFiles::read(&setting.cwd);
        let trust = Trust::decide(arguments.trust(), said.as_ref(), project.seen());
        let asking = trust.asking(said.as_ref(), project.seen());
        // The person's own settings were read above: what is wrong now came with the project's.
        let mut loaded = setting
            .load(trust.is_given().then_some(&project), &overrides)
            .map_err(|errors| Failure::from(errors).with_hint(WITHOUT_PROJECT))?;
        notices.append(&mut loaded.notices);
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
            trust_is_flagged: arguments.trust().is_some(),
            asking,
            project,
            store,
            opening,
            profile,
            overrides,
            notices,
        })
    }
}

/// The folder to work in, resolved.
fn folder(wanted: &Path) -> Result<PathBuf, Failure> {
    let cannot = |why: String| {
        let text = format!("cannot work in {}: {why}", wanted.display());
        Failure::new(Exit::Setup, text)
    };
    let cwd = fs::canonicalize(wanted).map_err(|error| cannot(error.to_string()))?;
    if cwd.is_dir() {
        Ok(cwd)
    } else {
        Err(cannot("it is no folder".to_owned()))
    }
}

/// Names in the settings that mean no tool. A misspelt name would leave a tool on that the person wants off.
fn unknown_tools(loaded: &Loaded) -> Vec<ConfigError> {
    let tools = &loaded.settings.tools;
    let off = tools
        .disabled
        .iter()
        .map(|name| ("tools.disabled".to_owned(), name));
    let allowed = tools.allowed.iter().flatten();
    let allowed = allowed.map(|name| ("tools.allowed".to_owned(), name));
    let levels = tools
        .levels
        .keys()
        .map(|name| (format!("tools.levels.{name}"), name));
    off.chain(allowed)
        .chain(levels)
        .filter(|(_, name)| {
            let mut declared = tools.declared.iter();
            registry::built_in(name).is_none() && !declared.any(|tool| tool.name == **name)
        })
        .map(|(key, name)| ConfigError {
            origin: loaded.origin(&key).clone(),
            problem: format!("there is no tool `{name}`"),
            hint: Some("`qd tool list` shows them".to_owned()),
            key,
        })
        .collect()
}

/// Declared tools whose name means another tool. One that took the name of a built-in tool would get what its rules allow.
fn taken_names(loaded: &Loaded) -> Vec<ConfigError> {
    let declared = &loaded.settings.tools.declared;
    let taken = declared.iter().enumerate().filter_map(|(index, tool)| {
        let name = &tool.name;
        let why = match registry::built_in(name) {
            Some(own) if own.about().name == name => "is the name of a built-in tool".to_owned(),
            Some(own) => format!("also means the built-in tool {}", own.about().name),
            None if declared.iter().take(index).any(|other| other.name == *name) => {
                "is the name of another declared tool".to_owned()
            }
            None => return None,
        };
        Some((name, why))
    });
    taken
        .map(|(name, why)| {
            let key = format!("tools.declared.{name}");
            let origin = loaded.origin(&key).clone();
            ConfigError {
                origin,
                problem: format!("the tool `{name}` cannot be declared: it {why}"),
                hint: Some("choose another name".to_owned()),
                key,
            }
        })
        .collect()
}

/// Rules of the settings and of agent documents whose action is no tool. One that forbids such a tool protects nothing.
/// Not an error: a tool of another version or from elsewhere may be meant.
fn idle_rules(loaded: &Loaded) -> Vec<Notice> {
    let rules = loaded.settings.permissions.rules.iter();
    let places = loaded.rule_origins.iter().map(|origin| &origin.place);
    let configured = rules.map(|rule| rule.action.as_str()).zip(places);
    let documents = loaded.agents.known.iter().flat_map(|document| {
        let actions = document
            .permissions
            .iter()
            .flat_map(|all| all.actions.keys());
        actions.map(|action| (action.as_str(), &document.place))
    });
    let names = || {
        registry::with(&loaded.settings.tools.declared).flat_map(|tool| {
            let about = tool.about();
            std::iter::once(about.name).chain(about.aliases.iter().copied())
        })
    };
    configured
        .chain(documents)
        .filter(|(action, _)| {
            let pattern = Pattern::parse(action);
            !names().any(|name| pattern.matches(name))
        })
        .take(MOST_IDLE)
        .map(|(action, place)| {
            let shown = clean_line(action);
            let shown = head(&shown, LONGEST_ACTION);
            let hint = match nearest(&shown, names()) {
                Some(meant) => format!("did you mean `{meant}`?"),
                None => "`qd tool list` shows them".to_owned(),
            };
            let text = format!("no tool is called `{shown}`: the rule at {place} does nothing");
            Notice::warning(text).with_hint(hint)
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
