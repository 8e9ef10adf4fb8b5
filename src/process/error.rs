//! How starting a command fails. A command that runs and fails is no error.

use std::path::PathBuf;

/// Why a command did not run.
#[derive(Debug, thiserror::Error)]
pub enum ProcessError {
    /// The directory to run in is not there.
    #[error("the working directory {} no longer exists; nothing was run", .0.display())]
    NoDirectory(PathBuf),
    /// The command line is longer than the system takes.
    #[error(
        "the command line has {0} bytes, more than the system takes; write it to a file and run that"
    )]
    TooLong(usize),
    /// The shell could not be started.
    #[error("the shell could not be started: {0}")]
    Shell(String),
    /// The supervisor could not be started or talked to.
    #[error("the supervisor of the command could not be started: {0}")]
    Supervisor(#[from] std::io::Error),
}
