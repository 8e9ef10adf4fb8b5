//! How work on a file fails, in words that a model can act on.
//!
//! Every message names the file as the model sees it and says what to do next.

use std::io;

/// What an entry of a directory is, when it is not an ordinary file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// An ordinary file.
    File,
    /// A directory.
    Directory,
    /// A symbolic link.
    Link,
    /// A named pipe.
    Fifo,
    /// A Unix socket.
    Socket,
    /// A character device.
    CharDevice,
    /// A block device.
    BlockDevice,
    /// Something else.
    Other,
}

impl Kind {
    /// The kind of a directory entry.
    pub fn of(kind: std::fs::FileType) -> Self {
        use std::os::unix::fs::FileTypeExt;
        if kind.is_file() {
            Self::File
        } else if kind.is_dir() {
            Self::Directory
        } else if kind.is_symlink() {
            Self::Link
        } else if kind.is_fifo() {
            Self::Fifo
        } else if kind.is_socket() {
            Self::Socket
        } else if kind.is_char_device() {
            Self::CharDevice
        } else if kind.is_block_device() {
            Self::BlockDevice
        } else {
            Self::Other
        }
    }

    /// The kind with its article.
    pub fn name(self) -> &'static str {
        match self {
            Self::File => "a file",
            Self::Directory => "a directory",
            Self::Link => "a symbolic link",
            Self::Fifo => "a named pipe (FIFO)",
            Self::Socket => "a socket",
            Self::CharDevice => "a character device",
            Self::BlockDevice => "a block device",
            Self::Other => "a special file",
        }
    }
}

/// A failure of this folder.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WorkspaceError {
    /// There is no such file.
    #[error("{file} does not exist{near}")]
    Missing {
        /// The file.
        file: String,
        /// What is there instead, as the rest of the sentence.
        near: String,
    },
    /// A link stands where none was when the path was judged.
    #[error(
        "{file} is not where it was when the call was judged: a symbolic link came in its way. Nothing was opened; \
         look at the folder and call again"
    )]
    Elsewhere {
        /// The file.
        file: String,
    },
    /// It is not an ordinary file.
    #[error("{file} is {}, not a file; nothing was read or written", kind.name())]
    NotAFile {
        /// The file.
        file: String,
        /// What it is.
        kind: Kind,
    },
    /// It holds no text.
    #[error("{file} is {what} ({bytes} bytes), not text")]
    Binary {
        /// The file.
        file: String,
        /// What it is, with its article.
        what: &'static str,
        /// Its size.
        bytes: u64,
    },
    /// It is larger than what is loaded whole.
    #[error(
        "{file} is {bytes} bytes, over the {limit} that can be changed here; use shell_execute"
    )]
    TooLarge {
        /// The file.
        file: String,
        /// Its size.
        bytes: u64,
        /// The limit.
        limit: u64,
    },
    /// It looks like a store of secrets.
    #[error(
        "{file} looks like a secret ({reason}): no tool reads or writes it. Ask the person for what you need from it"
    )]
    Secret {
        /// The file.
        file: String,
        /// Why it looks so.
        reason: &'static str,
    },
    /// It is outside the directories in which writing is possible.
    #[error(
        "{file} is outside the folders where writing is possible ({roots}); nothing was written"
    )]
    Outside {
        /// The file by its real path.
        file: String,
        /// The folders.
        roots: String,
    },
    /// Nobody may write it.
    #[error("{file} is read-only (mode {mode:o}); nothing was written")]
    ReadOnly {
        /// The file.
        file: String,
        /// Its permission bits.
        mode: u32,
    },
    /// This agent has not read it.
    #[error("{file} exists but was never read: call file_read on it first, then change it")]
    NeverRead {
        /// The file.
        file: String,
    },
    /// It has changed since this agent read it.
    #[error(
        "{file} has changed since it was read: call file_read on it again, then change what is there now"
    )]
    Changed {
        /// The file.
        file: String,
    },
    /// The new text holds a character that stands for a raw byte.
    #[error("{}; nothing was written", forged(*letter))]
    Forged {
        /// The character.
        letter: char,
    },
    /// An edit cannot be placed.
    #[error("{file}: {reason}")]
    Edit {
        /// The file.
        file: String,
        /// Why, and what to send instead.
        reason: String,
    },
    /// A pattern, type or other part of a search is wrong.
    #[error("{0}")]
    Search(String),
    /// The work was stopped.
    #[error("stopped before the end")]
    Cancelled,
    /// The system refused.
    #[error("{file}: cannot {action}: {reason}")]
    System {
        /// The file.
        file: String,
        /// What was tried: `open`, `write`.
        action: &'static str,
        /// The system's words.
        reason: String,
    },
}

/// The refusal of a character that stands for a raw byte.
pub(super) fn forged(letter: char) -> String {
    format!(
        "the new text holds U+{:04X}, a private character that cannot be written as text; leave it out",
        u32::from(letter)
    )
}

impl WorkspaceError {
    /// What is not an ordinary file. A resolved path is a link only when one came there later.
    pub fn not_a_file(file: &str, kind: Kind) -> Self {
        let file = file.to_owned();
        match kind {
            Kind::Link => Self::Elsewhere { file },
            kind => Self::NotAFile { file, kind },
        }
    }

    /// A refusal by the system, in plain words.
    pub fn system(file: &str, action: &'static str, error: &io::Error) -> Self {
        if error.raw_os_error() == Some(libc::ELOOP) {
            return Self::Elsewhere {
                file: file.to_owned(),
            };
        }
        let reason = match error.kind() {
            io::ErrorKind::PermissionDenied => "permission denied".to_owned(),
            io::ErrorKind::StorageFull => "no space left on the device".to_owned(),
            io::ErrorKind::NotADirectory => {
                "a part of the path is a file, not a directory".to_owned()
            }
            io::ErrorKind::IsADirectory => "it is a directory".to_owned(),
            io::ErrorKind::InvalidFilename => "the name is too long or not allowed".to_owned(),
            io::ErrorKind::ReadOnlyFilesystem => "the file system is read-only".to_owned(),
            io::ErrorKind::QuotaExceeded => "the disk quota is used up".to_owned(),
            io::ErrorKind::WouldBlock => "it has nothing to read and would wait".to_owned(),
            _ => {
                let text = error.to_string();
                match text.find(" (os error") {
                    Some(end) => text.chars().take(end).collect::<String>().to_lowercase(),
                    None => text,
                }
            }
        };
        Self::System {
            file: file.to_owned(),
            action,
            reason,
        }
    }
}
