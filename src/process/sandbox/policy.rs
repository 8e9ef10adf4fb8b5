//! What a command may touch, as data. Every path is absolute and resolved.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::backend::Backend;
use crate::{domain::permission::Network, permission::network::NetworkPolicy};

/// What a command may touch.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Policy {
    /// What holds it.
    pub backend: Backend,
    /// Directories that can be written.
    pub writable: Vec<PathBuf>,
    /// Directories that stay in sight, read-only, though they lie where the command gets an empty place of its own.
    pub shown: Vec<PathBuf>,
    /// What cannot be moved away inside of them, though its contents can be written.
    pub pinned: Vec<PathBuf>,
    /// What stays read-only inside of them.
    pub protected: Vec<PathBuf>,
    /// What is not there for the command.
    pub hidden: Vec<PathBuf>,
    /// What can be read; `None` for everything that is not hidden.
    pub readable: Option<Vec<PathBuf>>,
    /// Where connections may go.
    pub network: NetworkPolicy,
    /// The directory that stands for `/tmp` and `/var/tmp`.
    pub tmp: PathBuf,
}

impl Policy {
    /// Where the command finds its directory for temporary files.
    pub fn seen_tmp(&self) -> &Path {
        if self.backend.has_namespaces() {
            Path::new("/tmp")
        } else {
            &self.tmp
        }
    }

    /// Whether the command has the machine's network.
    pub fn is_online(&self) -> bool {
        self.network.network == Network::All
    }

    /// Whether the command has a proxy to other machines, and nothing else.
    pub fn has_proxy(&self) -> bool {
        self.network.network == Network::Remote
    }

    /// Whether the network that the command sees is its own.
    pub fn has_own_network(&self) -> bool {
        self.backend.has_namespaces() && !self.is_online()
    }
}
