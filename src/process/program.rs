//! What a command is made of: a line for the shell, or a program with its arguments that no shell reads.

use std::{
    ffi::OsStr,
    fs::File,
    io::{self, Seek as _, Write as _},
    path::{Path, PathBuf},
    process::Stdio,
};

use serde::{Deserialize, Serialize};

/// Where a program of this name stands on the search path, folders in which agents can write left out: what lies
/// there may be anything. Looks at the disk.
pub fn find(name: &str, writable: &[PathBuf]) -> Option<PathBuf> {
    find_on(&std::env::var_os("PATH")?, name, writable)
}

fn find_on(path: &OsStr, name: &str, writable: &[PathBuf]) -> Option<PathBuf> {
    let folders = std::env::split_paths(path).filter(|folder| folder.is_absolute());
    let mut found = folders.filter_map(|folder| {
        let program = folder.join(name);
        let target = std::fs::canonicalize(&program).ok()?;
        let is_inside = |path: &Path| writable.iter().any(|folder| path.starts_with(folder));
        let is_own = is_inside(&program) || is_inside(&target);
        (!is_own && rustix::fs::access(&program, rustix::fs::Access::EXEC_OK).is_ok())
            .then_some(program)
    });
    found.find(|program| program.is_file())
}

/// Whether a file is there that we may run. Looks at the disk.
pub fn can_run(path: &Path) -> bool {
    path.is_file() && rustix::fs::access(path, rustix::fs::Access::EXEC_OK).is_ok()
}

/// What is run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Program {
    /// A line that bash reads.
    Line(String),
    /// A program, then its arguments.
    Words(Vec<String>),
    /// One of the others that has something to read.
    Reading {
        /// What is run.
        program: Box<Program>,
        /// What stands on its standard input.
        input: String,
    },
    /// One of the others that has a terminal of its own, into which a person can type.
    Attended(Box<Program>),
    /// One of the others that asks us for things while it runs, over its descriptor 3. What it prints goes to its
    /// standard error, since what would be its output is that line.
    Asking(Box<Program>),
}

impl Program {
    /// The same with something to read.
    pub fn reading(self, input: impl Into<String>) -> Self {
        Self::Reading {
            program: Box::new(self),
            input: input.into(),
        }
    }

    /// The same with a terminal of its own.
    pub fn attended(self) -> Self {
        Self::Attended(Box::new(self))
    }

    /// Whether it has a terminal of its own.
    pub fn is_attended(&self) -> bool {
        matches!(self, Self::Attended(_))
    }

    /// The same with a line to us.
    pub fn asking(self) -> Self {
        Self::Asking(Box::new(self))
    }

    /// Whether it has a line to us.
    pub(super) fn asks(&self) -> bool {
        match self {
            Self::Line(_) | Self::Words(_) | Self::Attended(_) => false,
            Self::Asking(_) => true,
            Self::Reading { program, .. } => program.asks(),
        }
    }

    /// Its longest single argument in bytes.
    pub(super) fn longest(&self) -> usize {
        match self {
            Self::Line(line) => line.len(),
            Self::Words(words) => words.iter().map(String::len).max().unwrap_or_default(),
            Self::Reading { program, .. } | Self::Attended(program) | Self::Asking(program) => {
                program.longest()
            }
        }
    }

    /// The name of what is started.
    pub(super) fn name(&self) -> &str {
        match self {
            Self::Line(_) => "bash",
            Self::Words(words) => words.first().map_or("", String::as_str),
            Self::Reading { program, .. } | Self::Attended(program) | Self::Asking(program) => {
                program.name()
            }
        }
    }

    /// Makes it ready to be started.
    #[expect(clippy::disallowed_types, reason = "this folder starts the children")]
    pub(super) fn command(&self) -> io::Result<std::process::Command> {
        let words = self.words();
        let mut words = words.iter();
        let mut command = std::process::Command::new(words.next().copied().unwrap_or_default());
        command.args(words).stdin(self.input()?);
        Ok(command)
    }

    /// Its standard input: empty when it has nothing to read. A terminal was made the present process's own before.
    pub(super) fn input(&self) -> io::Result<Stdio> {
        Ok(match self {
            Self::Reading { input, .. } => Stdio::from(nameless(input)?),
            Self::Attended(_) => Stdio::inherit(),
            Self::Line(_) | Self::Words(_) | Self::Asking(_) => Stdio::null(),
        })
    }

    /// What is started, and its arguments.
    fn words(&self) -> Vec<&str> {
        match self {
            Self::Line(line) => vec!["bash", "-c", line],
            Self::Words(words) => words.iter().map(String::as_str).collect(),
            // A shell lays the descriptors out before the program is there; nothing of the program is in its line.
            Self::Asking(program) => {
                let mut words = vec!["sh", "-c", "exec \"$@\" 3>&1 1>&2", "sh"];
                words.extend(program.words());
                words
            }
            Self::Reading { program, .. } | Self::Attended(program) => program.words(),
        }
    }
}

/// A file that only a descriptor names, to be read from its start. Nobody has to write while the program reads, and one
/// that reads nothing keeps nobody waiting.
#[cfg(target_os = "linux")]
fn nameless(text: &str) -> io::Result<File> {
    use rustix::fs::{MemfdFlags, memfd_create};

    filled(
        File::from(memfd_create("input", MemfdFlags::CLOEXEC)?),
        text,
    )
}

/// The same where a file must have a name first.
#[cfg(not(target_os = "linux"))]
fn nameless(text: &str) -> io::Result<File> {
    let path = std::env::temp_dir().join(format!("quarterdeck-{}", uuid::Uuid::new_v4()));
    let file = File::options()
        .read(true)
        .write(true)
        .create_new(true)
        .open(&path)?;
    std::fs::remove_file(&path)?;
    filled(file, text)
}

fn filled(mut file: File, text: &str) -> io::Result<File> {
    file.write_all(text.as_bytes())?;
    file.rewind()?;
    Ok(file)
}

#[cfg(test)]
mod tests {
    use std::{fs, os::unix::fs::symlink, path::Path};

    use super::find_on;

    #[test]
    fn a_program_that_an_agent_can_write_is_passed_over() {
        let world = tempfile::tempdir().unwrap();
        let world = world.path().canonicalize().unwrap();
        let [work, linked, plain, empty] = ["work", "linked", "plain", "empty"].map(|name| {
            let folder = world.join(name);
            fs::create_dir(&folder).unwrap();
            folder
        });
        fs::copy("/bin/true", work.join("look")).unwrap();
        fs::copy("/bin/true", plain.join("look")).unwrap();
        fs::File::create(empty.join("look")).unwrap();
        symlink(work.join("look"), linked.join("look")).unwrap();
        symlink(&work, world.join("alias")).unwrap();
        let find = |folders: &[&Path], writable: &[&Path]| {
            let path = std::env::join_paths(folders).unwrap();
            let writable: Vec<_> = writable.iter().map(|path| (*path).to_owned()).collect();
            find_on(&path, "look", &writable)
        };
        let alias = world.join("alias");
        let all = [Path::new("work"), &empty, &work, &alias, &linked, &plain];

        assert_eq!(find(&all, &[]), Some(work.join("look")));
        assert_eq!(find(&all, &[&work]), Some(plain.join("look")));
        assert_eq!(find(&all[..5], &[&work]), None);
    }
}
