//! What a backend was seen to hold, as data, and what that leaves open in words.

use serde::{Deserialize, Serialize};

use crate::{domain::permission::Network, process::sandbox::backend::Backend};

/// What a backend was seen to hold.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Enforced {
    /// The backend.
    pub backend: Backend,
    /// Nothing outside the writable directories can be created, changed or moved.
    pub writes: bool,
    /// Neither can modes and times.
    pub metadata: bool,
    /// What is protected inside of them stays as it is.
    pub protected: bool,
    /// What is hidden cannot be read.
    pub hidden: bool,
    /// Without a network, nothing can be connected to.
    pub network: bool,
    /// With the network `remote`, nothing but the proxy to other machines can.
    pub remote: bool,
    /// Processes outside can be neither signalled nor looked into.
    pub processes: bool,
    /// Sockets that have no path cannot be connected to.
    pub sockets: bool,
    /// The directory for temporary files is the command's own.
    pub tmp: bool,
}

impl Enforced {
    /// The network that a command gets: what cannot be held is closed.
    pub fn network(&self, wanted: Network) -> Network {
        match wanted {
            Network::Remote if !self.remote => Network::None,
            wanted => wanted,
        }
    }

    /// Whether what a command leaves behind lies in the workspace, starts nothing by itself and holds no secret: a
    /// person need not look at every line of a kind that they allowed.
    pub fn is_whole(&self) -> bool {
        self.writes && self.protected && self.hidden && self.processes
    }

    /// What is held, each as a sentence without its end.
    pub fn holds(&self) -> impl Iterator<Item = &'static str> {
        let all = [
            (
                self.writes,
                "nothing outside the workspace is created, changed, moved or deleted",
            ),
            (self.metadata, "nor are modes and times"),
            (
                self.protected,
                ".git/hooks, .git/config, .envrc and .quarterdeck stay as they are where they are there",
            ),
            (
                self.hidden,
                "files with secrets and those of quarterdeck itself are not there",
            ),
            (self.network, "without a network nothing is reached"),
            (
                self.remote,
                "with the network `remote` only other machines are, through a proxy",
            ),
            (!self.remote, "the network `remote` is held as `none`"),
            (
                self.processes,
                "processes outside are neither signalled nor looked into",
            ),
            (
                self.sockets,
                "sockets of this machine that have no path are not reached",
            ),
            (self.tmp, "/tmp is the session's own"),
        ];
        all.into_iter()
            .filter(|(holds, _)| *holds)
            .map(|(_, what)| what)
    }

    /// What is not held, each as the end of "a command can".
    pub fn missing(&self) -> Vec<&'static str> {
        let all = [
            (
                self.metadata,
                "change modes and times of your files anywhere",
            ),
            (
                self.protected,
                "write .git/hooks, .git/config, .envrc and .quarterdeck in the workspace",
            ),
            (
                self.hidden,
                "read files with secrets and those of quarterdeck itself",
            ),
            (self.network, "reach the network although it is closed"),
            (self.processes, "signal other processes and look into them"),
            (
                // What holds connections to a port there knows no machines.
                self.backend != Backend::Landlock || !self.remote,
                "with the network `remote`, reach any machine at the one port number that the proxy has",
            ),
            (
                self.sockets,
                "connect to sockets of this machine that have no path",
            ),
            (
                self.tmp,
                "see the files of others in /tmp, and only write below TMPDIR",
            ),
        ];
        all.into_iter()
            .filter(|(holds, _)| !holds)
            .map(|(_, what)| what)
            .collect()
    }
}
