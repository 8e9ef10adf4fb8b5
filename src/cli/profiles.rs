//! Profiles of the configuration, made ready for the engine.
//!
//! A provider is made once per account and shared, so that its rate gate holds for the whole agent tree.

use std::{
    collections::HashMap,
    path::PathBuf,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use super::{
    environment::HiddenVariables,
    startup::{Setting, Start},
};
use crate::{
    config::{
        Loaded, Override,
        accounts::KeySource,
        credentials::Credentials,
        edit,
        profiles::{Chosen, PRACTICE},
        project::ProjectFiles,
    },
    domain::{
        configured::seen::{Asking, Seen},
        notice::Notice,
    },
    engine::options::{EngineOptions, NewProfile, NotRead, OpenedProfile, Profiles, Reading},
    process::secret_command,
    providers::{
        account::Account,
        catalog,
        contract::Provider,
        error::{Fault, ProviderError},
        keys::secret::Secret,
        registry,
    },
};

/// The wire of a profile that is added from the start page.
const OPENAI_CHAT: &str = "openai-chat-completions";

/// The profiles of one start.
pub struct ConfiguredProfiles {
    setting: Setting,
    overrides: Vec<Override>,
    environment: HiddenVariables,
    state: Mutex<State>,
}

struct State {
    /// The folder's own files that count; `None` while it is not trusted.
    project: Option<ProjectFiles>,
    /// Its own files as they were when the person was last asked about them.
    shown: Seen,
    /// Whether a flag decides for this run.
    is_flagged: bool,
    loaded: Loaded,
    providers: HashMap<String, Arc<dyn Provider>>,
}

impl ConfiguredProfiles {
    /// The profiles of a start.
    pub fn new(start: Start, environment: HiddenVariables) -> Self {
        Self {
            setting: start.setting,
            overrides: start.overrides,
            environment,
            state: Mutex::new(State {
                shown: start.project.seen().clone(),
                project: start.trust.is_given().then_some(start.project),
                is_flagged: start.trust_is_flagged,
                loaded: start.loaded,
                providers: HashMap::new(),
            }),
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn load(&self, project: Option<&ProjectFiles>) -> Result<Loaded, String> {
        self.setting
            .load(project, &self.overrides)
            .map_err(|errors| errors.to_string())
    }

    /// Settings that were read again, and the project's files that are part of them, hold from now on.
    fn renew(
        &self,
        options: &mut EngineOptions,
        mut loaded: Loaded,
        project: Option<ProjectFiles>,
    ) -> Vec<Notice> {
        let notices = std::mem::take(&mut loaded.notices);
        super::options::renew(options, &loaded, &self.setting.paths);
        let mut state = self.lock();
        state.project = project;
        state.loaded = loaded;
        notices
    }

    /// A provider for the account, with its key read now and again when it is no longer taken.
    fn provider(&self, chosen: &Chosen) -> Result<Arc<dyn Provider>, ProviderError> {
        let keys = Keys {
            credentials: self.setting.paths.credentials(),
            environment: self.environment.clone(),
            chosen: chosen.clone(),
        };
        let account = keys.account()?;
        registry::build_renewing(&account, Arc::new(move || keys.account()))
    }
}

/// Where an account's key is read.
struct Keys {
    credentials: PathBuf,
    environment: HiddenVariables,
    chosen: Chosen,
}

impl Keys {
    fn account(&self) -> Result<Account, ProviderError> {
        let chosen = &self.chosen;
        let name = &chosen.account_name;
        let account = Account::new(name, &chosen.account.backend, &chosen.account.base_url);
        if chosen.account.backend == PRACTICE {
            return Ok(account);
        }
        let credentials =
            Credentials::read(&self.credentials).map_err(|error| setup(error.to_string()))?;
        let (key, hint) = match chosen.account.key_source(name, &credentials) {
            KeySource::None => (None, String::new()),
            KeySource::Variable(variable) => {
                let key = self.environment.get(&variable).ok_or_else(|| {
                    setup(format!(
                        "profile {}: the environment variable {variable} of account {name} is not set",
                        chosen.model.profile
                    ))
                })?;
                (Some(key), format!("the environment variable {variable}"))
            }
            KeySource::Command(argv) => {
                let key = secret_command::run(&argv, self.environment.hidden())
                    .map_err(|error| setup(format!("account {name}: {error}")))?;
                (Some(key), format!("the api_key_command of account {name}"))
            }
            KeySource::Stored(key) => (Some(key), format!("the stored key of account {name}")),
        };
        Ok(account.with_key(key.as_deref().and_then(Secret::new), hint))
    }
}

impl Profiles for ConfiguredProfiles {
    fn list(&self) -> Vec<(String, String)> {
        self.lock().loaded.profile_choices()
    }

    fn open(&self, name: &str) -> Result<OpenedProfile, ProviderError> {
        let (chosen, known) = {
            let state = self.lock();
            let chosen = state
                .loaded
                .profile(name)
                .map_err(|error| setup(error.to_string()))?;
            let known = state.providers.get(&chosen.account_name).cloned();
            (chosen, known)
        };
        let provider = match known {
            Some(provider) => provider,
            None => {
                let provider = self.provider(&chosen)?;
                self.lock()
                    .providers
                    .insert(chosen.account_name.clone(), Arc::clone(&provider));
                provider
            }
        };
        Ok(OpenedProfile {
            provider,
            model: catalog::complete(chosen.model, &chosen.account.base_url),
        })
    }

    fn add(&self, profile: &NewProfile) -> Result<(), String> {
        let new = edit::NewProfile {
            name: profile.name.clone(),
            backend: OPENAI_CHAT.to_owned(),
            base_url: profile.base_url.clone(),
            model_id: profile.model_id.clone(),
            api_key_env: profile.api_key_env.clone(),
            context_window: None,
        };
        edit::add_profile(&self.setting.paths, &new).map_err(|errors| errors.to_string())?;
        // What the project brings is what was trusted, not what is there now.
        let project = self.lock().project.clone();
        let loaded = self.load(project.as_ref())?;
        self.lock().loaded = loaded;
        Ok(())
    }

    fn configure(&self, options: &mut EngineOptions, trusted: bool) -> Result<Reading, NotRead> {
        let project = ProjectFiles::read(&self.setting.cwd);
        let seen = project.seen().clone();
        if trusted {
            let shown = std::mem::replace(&mut self.lock().shown, seen.clone());
            let altered = seen.since(&shown);
            if !altered.is_empty() {
                return Err(NotRead::Altered(altered));
            }
        }
        let project = trusted.then_some(project);
        let loaded = self.load(project.as_ref()).map_err(NotRead::Wrong)?;
        let notices = self.renew(options, loaded, project);
        self.lock().is_flagged = false;
        Ok(Reading { notices, seen })
    }

    fn look_again(&self, options: &mut EngineOptions) -> Result<Option<Asking>, String> {
        let trusted = {
            let state = self.lock();
            match &state.project {
                Some(project) if !state.is_flagged => project.seen().clone(),
                _ => return Ok(None),
            }
        };
        let project = ProjectFiles::read(&self.setting.cwd);
        let altered = project.seen().since(&trusted);
        if altered.is_empty() {
            return Ok(None);
        }
        let loaded = self.load(None)?;
        self.renew(options, loaded, None);
        options.seen = project.seen().clone();
        self.lock().shown = project.seen().clone();
        Ok(Some(Asking::altered(altered)))
    }
}

fn setup(text: String) -> ProviderError {
    ProviderError::new(Fault::Setup, text)
}
