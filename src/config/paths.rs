//! Where everything is kept. `QD_HOME` moves all of it below one directory.

use std::path::{Path, PathBuf};

use super::error::{ConfigError, Origin};

/// The name of our folder among those of other programs.
const NAME: &str = "quarterdeck";

/// The four directories and what lies in them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Paths {
    config: PathBuf,
    data: PathBuf,
    state: PathBuf,
    cache: PathBuf,
}

impl Paths {
    /// The places that this environment asks for.
    pub fn from_environment() -> Result<Self, ConfigError> {
        let home = std::env::var_os("QD_HOME").filter(|home| !home.is_empty());
        if let Some(home) = home {
            let home = std::path::absolute(&home).map_err(|error| {
                let name = home.to_string_lossy();
                ConfigError::new(
                    Origin::Environment("QD_HOME".to_owned()),
                    "",
                    format!("{name} is no usable directory: {error}"),
                )
            })?;
            return Ok(Self::below(&home));
        }
        let system = directories::ProjectDirs::from("", "", NAME).ok_or_else(|| {
            ConfigError::new(Origin::BuiltIn, "", "this account has no home directory")
                .with_hint("set QD_HOME to a directory that qd may use")
        })?;
        Ok(Self {
            config: system.config_dir().to_owned(),
            data: system.data_dir().to_owned(),
            // Only some systems have a place of its own for state.
            state: system
                .state_dir()
                .map_or_else(|| system.data_local_dir().join("state"), Path::to_owned),
            cache: system.cache_dir().to_owned(),
        })
    }

    /// Everything below one directory.
    pub fn below(home: &Path) -> Self {
        Self {
            config: home.join("config"),
            data: home.join("data"),
            state: home.join("state"),
            cache: home.join("cache"),
        }
    }

    /// What the person writes: settings, themes, keymaps.
    pub fn config(&self) -> &Path {
        &self.config
    }

    /// What must be kept: sessions, outputs.
    pub fn data(&self) -> &Path {
        &self.data
    }

    /// What belongs to this machine: locks, credentials, the log.
    pub fn state(&self) -> &Path {
        &self.state
    }

    /// What can be deleted at any time.
    pub fn cache(&self) -> &Path {
        &self.cache
    }

    /// The person's settings.
    pub fn config_file(&self) -> PathBuf {
        self.config.join("config.toml")
    }

    /// The person's themes.
    pub fn themes(&self) -> PathBuf {
        self.config.join("themes")
    }

    /// The person's keymaps.
    pub fn keymaps(&self) -> PathBuf {
        self.config.join("keymaps")
    }

    /// Stored keys, mode 0600.
    pub fn credentials(&self) -> PathBuf {
        self.state.join("credentials.toml")
    }

    /// How the person arranged the screen.
    pub fn panes(&self) -> PathBuf {
        self.state.join("panes.toml")
    }

    /// The program's own log.
    pub fn log(&self) -> PathBuf {
        self.state.join("log").join("qd.log")
    }

    /// Where running commands write their whole output: on the file system of the stored outputs, so that a
    /// finished one is moved and not copied.
    pub fn spool(&self) -> PathBuf {
        self.data.join("spool")
    }

    /// A project's own settings.
    pub fn project_file(project: &Path) -> PathBuf {
        project.join(".quarterdeck").join("config.toml")
    }

    /// Each directory or file with its name, for `qd config path`.
    pub fn named(&self) -> Vec<(&'static str, PathBuf)> {
        vec![
            ("config", self.config.clone()),
            ("config file", self.config_file()),
            ("data", self.data.clone()),
            ("state", self.state.clone()),
            ("cache", self.cache.clone()),
            ("log", self.log()),
        ]
    }
}
