//! What can be typed on the command line. A flag is here only when what it does exists.

use std::{ffi::OsString, path::PathBuf};

use clap::{Args, CommandFactory as _, Parser, Subcommand, ValueEnum, error::ErrorKind};

use crate::config::Override;

/// A full-screen terminal workbench for working with AI coding agents.
#[derive(Clone, Debug, Parser)]
#[command(name = "qd", version)]
pub struct Arguments {
    /// Work in DIR instead of the current folder.
    #[arg(short = 'C', long = "cwd", value_name = "DIR", global = true)]
    pub cwd: Option<PathBuf>,
    /// What the workbench is started with.
    #[command(flatten)]
    pub workbench: WorkbenchArguments,
    /// Something other than the workbench.
    #[command(subcommand)]
    pub command: Option<Command>,
}

impl Arguments {
    /// Reads a command line. What the workbench is started with means nothing to anything else; `-C` means something
    /// to everything, wherever it stands.
    pub fn read(arguments: impl IntoIterator<Item = OsString>) -> Result<Self, clap::Error> {
        let arguments = Self::try_parse_from(arguments)?;
        if arguments.command.is_some() && arguments.workbench != WorkbenchArguments::default() {
            return Err(Self::command().error(
                ErrorKind::ArgumentConflict,
                "what the workbench is started with cannot stand before a command",
            ));
        }
        Ok(arguments)
    }
}

/// What the workbench is started with.
#[derive(Args, Clone, Debug, Default, PartialEq, Eq)]
pub struct WorkbenchArguments {
    /// Words that are sent at once.
    #[arg(value_name = "PROMPT")]
    pub prompt: Option<String>,
    /// Go on with the latest session of this folder.
    #[arg(short = 'c', long = "continue", conflicts_with = "resume")]
    pub latest: bool,
    /// Go on with this session: its id, or the beginning of it.
    #[arg(short = 'r', long, value_name = "ID")]
    pub resume: Option<String>,
    /// The model profile.
    #[arg(long, value_name = "NAME")]
    pub profile: Option<String>,
    /// The most that may happen without you widening it.
    #[arg(long, value_parser = ["none", "read", "workspace", "unrestricted"])]
    pub level: Option<String>,
    /// When you are asked about what no rule decides.
    #[arg(long, value_parser = ["strict", "adaptive", "open"])]
    pub mode: Option<String>,
    /// Whether anything is asked; if not, what would be is refused.
    #[arg(long, value_parser = ["on", "off"])]
    pub approvals: Option<String>,
    /// Where connections may go.
    #[arg(long, value_parser = ["all", "remote", "none"])]
    pub network: Option<String>,
    /// What holds commands below level `unrestricted`.
    #[arg(long, value_name = "NAME", value_parser = ["auto", "namespaces", "bubblewrap", "landlock", "none"])]
    pub sandbox_backend: Option<String>,
    /// Whether this folder is trusted, for this run.
    #[arg(long, value_parser = ["yes", "no"])]
    pub trust: Option<String>,
    /// Leave the mouse to the terminal.
    #[arg(long)]
    pub no_mouse: bool,
    /// The theme.
    #[arg(long, value_name = "NAME")]
    pub theme: Option<String>,
    /// The keymap.
    #[arg(long, value_name = "NAME")]
    pub keymap: Option<String>,
}

impl WorkbenchArguments {
    /// The flags that are settings.
    pub fn overrides(&self) -> Vec<Override> {
        let flags = [
            ("default_profile", &self.profile, "--profile"),
            ("permissions.level", &self.level, "--level"),
            ("permissions.mode", &self.mode, "--mode"),
            ("permissions.approvals", &self.approvals, "--approvals"),
            ("permissions.network", &self.network, "--network"),
            (
                "sandbox.backend",
                &self.sandbox_backend,
                "--sandbox-backend",
            ),
            ("ui.theme", &self.theme, "--theme"),
            ("ui.keymap", &self.keymap, "--keymap"),
        ];
        let given = flags.into_iter().filter_map(|(key, words, flag)| {
            let words = words.clone()?;
            Some(Override { key, words, flag })
        });
        let no_mouse = self.no_mouse.then(|| Override {
            key: "ui.mouse",
            words: "off".to_owned(),
            flag: "--no-mouse",
        });
        given.chain(no_mouse).collect()
    }

    /// What `--trust` says.
    pub fn trust(&self) -> Option<bool> {
        self.trust.as_deref().map(|word| word == "yes")
    }
}

/// Something other than the workbench.
#[derive(Clone, Debug, Subcommand)]
pub enum Command {
    /// Stored sessions.
    #[command(subcommand)]
    Session(SessionCommand),
    /// Settings and where they come from.
    #[command(subcommand)]
    Config(ConfigCommand),
    /// What agents can do.
    #[command(subcommand)]
    Tool(ToolCommand),
    /// What this machine gives: which sandbox holds commands, and what it leaves open.
    Doctor {
        /// How to print it.
        #[command(flatten)]
        output: Output,
    },
}

/// Stored sessions.
#[derive(Clone, Debug, Subcommand)]
pub enum SessionCommand {
    /// The sessions of this folder, the latest first.
    List {
        /// Those of every folder.
        #[arg(long)]
        all: bool,
        /// At most so many.
        #[arg(long, value_name = "N", default_value_t = 50)]
        limit: usize,
        /// How to print them.
        #[command(flatten)]
        output: Output,
    },
    /// A session as a plain transcript.
    Show {
        /// Its id, or the beginning of it; the latest of this folder when left out.
        id: Option<String>,
        /// How to print it.
        #[command(flatten)]
        output: Output,
    },
}

/// Settings and where they come from.
#[derive(Clone, Debug, Subcommand)]
pub enum ConfigCommand {
    /// Where everything is kept.
    Path {
        /// How to print it.
        #[command(flatten)]
        output: Output,
    },
    /// Every setting with its value and where that came from.
    Show {
        /// How to print it.
        #[command(flatten)]
        output: Output,
    },
    /// Looks for mistakes.
    Check,
    /// Writes a commented file to start from.
    Init,
}

/// What agents can do.
#[derive(Clone, Debug, Subcommand)]
pub enum ToolCommand {
    /// Every tool.
    List {
        /// How to print them.
        #[command(flatten)]
        output: Output,
    },
    /// One tool: what it does and what it takes.
    Show {
        /// Its name, or a name that other systems have for it.
        name: String,
        /// How to print it.
        #[command(flatten)]
        output: Output,
    },
}

/// How a listing is printed.
#[derive(Args, Clone, Copy, Debug)]
pub struct Output {
    /// Text for people or JSON for programs.
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub format: Format,
}

/// The form of a listing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// For people.
    Text,
    /// For programs.
    Json,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &str) -> Result<Arguments, ErrorKind> {
        let words = line.split_whitespace().map(OsString::from);
        Arguments::read(words).map_err(|error| error.kind())
    }

    #[test]
    fn the_folder_can_be_named_before_a_command_and_behind_it() {
        for line in ["qd -C /tmp session list", "qd session list -C /tmp"] {
            let arguments = read(line).expect(line);

            assert_eq!(arguments.cwd, Some(PathBuf::from("/tmp")), "{line}");
            assert!(arguments.command.is_some(), "{line}");
        }
    }

    #[test]
    fn what_starts_the_workbench_is_no_part_of_a_command() {
        for line in [
            "qd --profile a session list",
            "qd words session list",
            "qd -c tool list",
        ] {
            assert_eq!(
                read(line).err(),
                Some(ErrorKind::ArgumentConflict),
                "{line}"
            );
        }
    }
}
