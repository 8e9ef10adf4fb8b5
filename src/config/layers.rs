//! Who wins: built-in < person < project (once trusted) < environment < flags. Remembers where each value came from.

use std::{
    collections::BTreeMap,
    fs,
    io::Read,
    path::{Path, PathBuf},
};

use super::{
    accounts::Account,
    agents,
    error::{ConfigError, ConfigErrors, Origin, Place},
    paths::Paths,
    profiles::{PRACTICE, Profile},
    project::ProjectFiles,
    reader::{self, Source},
    settings::Settings,
    shown,
};
use crate::domain::{
    agent_policy::{AgentTypes, RuleOrigin},
    notice::Notice,
};

/// The longest file that is read.
pub(super) const FILE_LIMIT: u64 = 1024 * 1024;

/// Environment variables that are settings: variable and key.
const VARIABLES: [(&str, &str); 1] = [("QD_PROFILE", "default_profile")];

/// A setting that a flag of the command line gives.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Override {
    /// The whole key with dots.
    pub key: &'static str,
    /// The value in words: `workspace`, `on`, `12`.
    pub words: String,
    /// The flag: `--level`.
    pub flag: &'static str,
}

/// What settings are read from.
#[derive(Clone, Debug)]
pub struct Sources<'a> {
    /// The person's places.
    pub paths: &'a Paths,
    /// The project's own files, when it is trusted.
    pub project: Option<&'a ProjectFiles>,
    /// Whether environment variables count.
    pub environment: bool,
    /// What the command line says.
    pub overrides: &'a [Override],
}

/// Settings with their origins.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Loaded {
    /// The settings.
    pub settings: Settings,
    /// Where values came from, by whole key; what is not here is built in.
    pub(super) origins: BTreeMap<String, Origin>,
    /// What the person should know, such as a project's setting that was left out.
    pub notices: Vec<Notice>,
    /// The files that were read.
    pub files: Vec<PathBuf>,
    /// The types of agents that documents describe.
    pub agents: AgentTypes,
    /// Where each permission rule stands, in the order of the rules.
    pub rule_origins: Vec<RuleOrigin>,
}

impl Loaded {
    /// Where the value of a key came from.
    pub fn origin(&self, key: &str) -> &Origin {
        self.origins.get(key).unwrap_or(&Origin::BuiltIn)
    }

    /// Gives tools in the settings their own names; `own` knows them under any. Under two names of one tool, the higher
    /// level holds.
    pub fn call_tools(&mut self, own: impl Fn(&str) -> Option<&'static str>) {
        let tools = &mut self.settings.tools;
        for name in tools
            .allowed
            .iter_mut()
            .flatten()
            .chain(&mut tools.disabled)
        {
            if let Some(own) = own(name) {
                own.clone_into(name);
            }
        }
        for (name, level) in std::mem::take(&mut tools.levels) {
            let own = own(&name).unwrap_or(&name);
            let kept = tools.levels.get(own).copied();
            if kept.is_none_or(|kept| kept < level) {
                tools.levels.insert(own.to_owned(), level);
                let key = |name: &str| format!("tools.levels.{}", shown::name(name));
                if let Some(origin) = self.origins.remove(&key(&name)) {
                    self.origins.insert(key(own), origin);
                }
            }
        }
    }

    /// Every key that was set, with its origin.
    pub fn origins(&self) -> impl Iterator<Item = (&str, &Origin)> {
        self.origins
            .iter()
            .map(|(key, origin)| (key.as_str(), origin))
    }
}

/// Reads every layer. Everything that is wrong is returned together.
pub fn load(sources: &Sources<'_>) -> Result<Loaded, ConfigErrors> {
    let mut loaded = Loaded::default();
    let mut errors = Vec::new();
    let person = sources.paths.config_file();
    let text = read_text(&person, FILE_LIMIT);
    let mut files = vec![(person, text, false)];
    if let Some(project) = sources.project {
        loaded.notices.extend(project.notices.iter().cloned());
        files.push((project.file.clone(), project.settings.clone(), true));
    }
    for (file, text, is_project) in files {
        match text {
            Ok(Some(text)) => {
                let source = Source {
                    file: &file,
                    text: &text,
                    is_project,
                };
                errors.extend(reader::read(&source, &mut loaded));
                loaded.files.push(file);
            }
            Ok(None) => {}
            Err(problem) => errors.push(unread(&file, is_project, problem)),
        }
    }
    let (types, notices) = agents::load(sources.paths, sources.project);
    loaded.agents = types;
    loaded.notices.extend(notices);
    if sources.environment {
        for (variable, key) in VARIABLES {
            let words = std::env::var(variable).unwrap_or_default();
            if !words.is_empty() {
                let origin = Origin::Environment(variable.to_owned());
                errors.extend(reader::set_words(&mut loaded, key, &words, origin).err());
            }
        }
    }
    for over in sources.overrides {
        let origin = Origin::Flag(over.flag.to_owned());
        errors.extend(reader::set_words(&mut loaded, over.key, &over.words, origin).err());
    }
    if errors.is_empty() {
        errors = check(&loaded);
    }
    if errors.is_empty() {
        Ok(loaded)
    } else {
        Err(ConfigErrors(errors))
    }
}

/// Names of the variables that the person's file calls keys. For the first instant of the program: nothing is parsed,
/// a file with mistakes answers too, and a name too many does no harm.
pub fn key_variables(paths: &Paths) -> Vec<String> {
    const KEY: &str = "api_key_env";
    let Ok(Some(text)) = read_text(&paths.config_file(), FILE_LIMIT) else {
        return Vec::new();
    };
    let named = |rest: &str| {
        let value = rest.trim_start_matches(['"', '\'']).trim_start();
        let value = value.strip_prefix('=')?.trim_start();
        let quote = value
            .chars()
            .next()
            .filter(|first| matches!(first, '"' | '\''))?;
        let name = value.get(1..)?.split(quote).next()?;
        Some(name.to_owned())
    };
    text.split(KEY).skip(1).filter_map(named).collect()
}

/// Whether this text would be accepted as the person's file.
pub(super) fn check_text(file: &Path, text: &str) -> Result<(), ConfigErrors> {
    let mut loaded = Loaded::default();
    let source = Source {
        file,
        text,
        is_project: false,
    };
    let mut errors = reader::read(&source, &mut loaded);
    if errors.is_empty() {
        errors = check(&loaded);
    }
    if errors.is_empty() {
        Ok(())
    } else {
        Err(ConfigErrors(errors))
    }
}

/// A file that cannot be read.
fn unread(file: &Path, is_project: bool, problem: String) -> ConfigError {
    let place = Place {
        file: file.to_owned(),
        line: 0,
        column: 0,
    };
    let origin = if is_project {
        Origin::Project(place)
    } else {
        Origin::User(place)
    };
    ConfigError::new(origin, "", problem)
}

/// The text of a file; `None` when it is not there. The error says what is wrong.
pub(super) fn read_text(file: &Path, limit: u64) -> Result<Option<String>, String> {
    let cannot = |error: std::io::Error| format!("the file cannot be read: {error}");
    let opened = match open_file(file) {
        Ok(opened) => opened,
        Err(error) if is_absent(&error) => return Ok(None),
        Err(error) if error.kind() == std::io::ErrorKind::InvalidInput => {
            return Err(error.to_string());
        }
        Err(error) => return Err(cannot(error)),
    };
    let mut bytes = Vec::new();
    opened
        .take(limit + 1)
        .read_to_end(&mut bytes)
        .map_err(cannot)?;
    if bytes.len() as u64 > limit {
        return Err(match limit {
            FILE_LIMIT => "the file is longer than 1 MiB".to_owned(),
            limit => format!("the file is longer than {} KiB", limit / 1024),
        });
    }
    match String::from_utf8(bytes) {
        Ok(text) => Ok(Some(text)),
        Err(error) => {
            let at = error.utf8_error().valid_up_to();
            let line = error
                .as_bytes()
                .iter()
                .take(at)
                .filter(|byte| **byte == b'\n');
            let line = line.count() + 1;
            Err(format!("line {line} of the file is not UTF-8"))
        }
    }
}

/// Opens a file to read it. A pipe or a device would never end, and is an error.
pub fn open_file(path: &Path) -> std::io::Result<fs::File> {
    let mut options = fs::OpenOptions::new();
    // Opening a pipe would wait for somebody to write into it.
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::custom_flags(&mut options, libc::O_NONBLOCK);
    let opened = options.read(true).open(path)?;
    if opened.metadata()?.is_file() {
        return Ok(opened);
    }
    let kind = std::io::ErrorKind::InvalidInput;
    Err(std::io::Error::new(kind, "this is not a file"))
}

/// A file that is not there, or whose directory is something else.
fn is_absent(error: &std::io::Error) -> bool {
    matches!(
        error.kind(),
        std::io::ErrorKind::NotFound | std::io::ErrorKind::NotADirectory
    )
}

/// What no single key can tell.
fn check(loaded: &Loaded) -> Vec<ConfigError> {
    let mut errors = Vec::new();
    let settings = &loaded.settings;
    for (name, account) in settings
        .accounts
        .iter()
        .filter(|(name, _)| *name != PRACTICE)
    {
        check_account(loaded, name, account, &mut errors);
    }
    for (name, profile) in settings
        .profiles
        .iter()
        .filter(|(name, _)| *name != PRACTICE)
    {
        check_profile(loaded, name, profile, &mut errors);
    }
    let chosen = &settings.default_profile;
    if !chosen.is_empty() && !settings.profiles.contains_key(chosen) {
        errors.push(loaded.unknown_profile(chosen));
    }
    if settings.tools.shell_timeout_ms > settings.tools.shell_timeout_max_ms {
        let key = "tools.shell_timeout_ms";
        let problem = format!(
            "`{key}` is {} and `tools.shell_timeout_max_ms` only {}",
            settings.tools.shell_timeout_ms, settings.tools.shell_timeout_max_ms
        );
        let origin = match loaded.origin(key) {
            Origin::BuiltIn => loaded.origin("tools.shell_timeout_max_ms"),
            given => given,
        };
        errors.push(ConfigError::new(origin.clone(), key, problem));
    }
    errors
}

fn check_account(loaded: &Loaded, name: &str, account: &Account, errors: &mut Vec<ConfigError>) {
    let table = format!("accounts.{}", shown::name(name));
    let origin = loaded.origin(&table);
    let missing = |key: &str, hint: &str| {
        ConfigError::new(origin.clone(), &table, format!("`{table}` has no `{key}`"))
            .with_hint(hint)
    };
    if account.backend.is_empty() {
        errors.push(missing("backend", "backend = \"openai-chat-completions\""));
    }
    let url = &account.base_url;
    if url.is_empty() {
        errors.push(missing(
            "base_url",
            "base_url = \"http://127.0.0.1:8080/v1\"",
        ));
    } else if !url.starts_with("http://") && !url.starts_with("https://") {
        let key = format!("{table}.base_url");
        let problem = format!("`{key}` must begin with http:// or https://, not {url:?}");
        errors.push(ConfigError::new(loaded.origin(&key).clone(), &key, problem));
    }
    if account.api_key_env.is_some() && account.api_key_command.is_some() {
        let key = format!("{table}.api_key_command");
        let problem = format!("`{table}` has both `api_key_env` and `api_key_command`");
        let error = ConfigError::new(loaded.origin(&key).clone(), &key, problem);
        errors.push(error.with_hint("keep one of them"));
    }
    if account.api_key_command.as_ref().is_some_and(Vec::is_empty) {
        let key = format!("{table}.api_key_command");
        let problem = format!("`{key}` names no program");
        errors.push(ConfigError::new(loaded.origin(&key).clone(), &key, problem));
    }
}

fn check_profile(loaded: &Loaded, name: &str, profile: &Profile, errors: &mut Vec<ConfigError>) {
    let table = format!("profiles.{}", shown::name(name));
    let at_table =
        |problem: String| ConfigError::new(loaded.origin(&table).clone(), &table, problem);
    let accounts = &loaded.settings.accounts;
    if profile.account.is_empty() {
        errors.push(at_table(format!("`{table}` has no `account`")));
    } else if !accounts.contains_key(&profile.account) {
        let key = format!("{table}.account");
        let problem = format!("there is no account `{}`", profile.account);
        let error = ConfigError::new(loaded.origin(&key).clone(), &key, problem);
        let known = || accounts.keys().map(String::as_str);
        errors.push(match super::nearest::nearest(&profile.account, known()) {
            Some(meant) => error.with_hint(format!("did you mean `{meant}`?")),
            None => error.with_hint(format!("describe it under [accounts.{}]", profile.account)),
        });
    }
    if profile.model.is_empty() {
        errors.push(at_table(format!("`{table}` has no `model`")));
    }
    let price = profile.price;
    if price.price().is_none() && price != Default::default() {
        errors.push(at_table(format!(
            "`{table}.price` needs both `input` and `output`"
        )));
    }
}

#[cfg(test)]
#[path = "layers_tests.rs"]
mod tests;
