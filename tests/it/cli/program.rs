//! The real binary in a home of its own.

#![expect(
    clippy::disallowed_types,
    reason = "the program under test is a child of the test"
)]

use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use quarterdeck::store::StorePlaces;

/// A home and a folder to work in.
pub(crate) struct Program {
    _directory: tempfile::TempDir,
    pub(crate) home: PathBuf,
    pub(crate) folder: PathBuf,
}

/// What a run left behind.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Run {
    pub(crate) code: Option<i32>,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl Program {
    pub(crate) fn new() -> Self {
        let directory = tempfile::tempdir().unwrap();
        let root = directory.path().canonicalize().unwrap();
        let folder = root.join("project");
        fs::create_dir(&folder).unwrap();
        Self {
            _directory: directory,
            home: root.join("home"),
            folder,
        }
    }

    /// With these settings of the person.
    pub(crate) fn configured(text: &str) -> Self {
        let program = Self::new();
        write(&program.config_file(), text);
        program
    }

    pub(crate) fn config_file(&self) -> PathBuf {
        self.home.join("config/config.toml")
    }

    pub(crate) fn store_places(&self) -> StorePlaces {
        StorePlaces::new(self.home.join("data"), self.home.join("state"))
    }

    /// Runs `qd` without a terminal.
    pub(crate) fn run(&self, arguments: &[&str]) -> Run {
        self.run_with(arguments, &[])
    }

    pub(crate) fn run_with(&self, arguments: &[&str], variables: &[(&str, &str)]) -> Run {
        let output = Command::new(env!("CARGO_BIN_EXE_qd"))
            .args(arguments)
            .current_dir(&self.folder)
            .env_clear()
            .env("QD_HOME", &self.home)
            .env("TZ", "UTC")
            .envs(variables.iter().copied())
            .stdin(Stdio::null())
            .output()
            .unwrap();
        Run {
            code: output.status.code(),
            out: String::from_utf8(output.stdout).unwrap(),
            err: String::from_utf8(output.stderr).unwrap(),
        }
    }
}

pub(crate) fn write(file: &Path, text: &str) {
    fs::create_dir_all(file.parent().unwrap()).unwrap();
    std::io::Write::write_all(&mut fs::File::create(file).unwrap(), text.as_bytes()).unwrap();
}
