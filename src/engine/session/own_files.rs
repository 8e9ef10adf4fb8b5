//! The folder's own files that act once it is trusted, watched while a session is open: what a command makes of them
//! is told when it is made, and acts only after the person was asked.

use std::{
    path::Path,
    sync::{Arc, Mutex, PoisonError},
};

use super::state::Session;
use crate::{
    config::project::ProjectFiles,
    domain::{
        configured::seen::{Altered, Difference, Seen, listed},
        notice::Notice,
    },
};

/// The files as they were last looked at.
#[derive(Debug, Default)]
pub struct OwnFiles {
    known: Mutex<Seen>,
}

impl OwnFiles {
    /// Files that are known already.
    pub fn new(seen: Seen) -> Arc<Self> {
        let known = Mutex::new(seen);
        Arc::new(Self { known })
    }

    /// These are known from now on.
    pub fn know(&self, seen: Seen) {
        *self.known.lock().unwrap_or_else(PoisonError::into_inner) = seen;
    }

    /// What differs since the last look. Blocks on the disk; looks that come at once come one after the other, so that
    /// what one has told no other tells again.
    fn look(&self, folder: &Path) -> Vec<Altered> {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let project = ProjectFiles::read(folder);
        let altered = project.seen().since(&known);
        if !altered.is_empty() {
            *known = project.seen().clone();
        }
        altered
    }
}

impl Session {
    /// Tells what a command made of the folder's own files.
    pub async fn look_at_own_files(&self) {
        let (own, folder) = (Arc::clone(&self.own_files), self.cwd.clone());
        let altered = tokio::task::spawn_blocking(move || own.look(&folder)).await;
        let altered = altered.unwrap_or_default();
        // In a folder that is not trusted none of them acts.
        if altered.is_empty() || !self.is_trusted() {
            return;
        }
        let text = format!("a command {}", listed(&altered, Difference::deed));
        let gone = altered.iter().all(|file| file.how == Difference::Gone);
        let hint = if gone {
            "you are asked about this folder at the next start"
        } else {
            "you are asked before it acts"
        };
        self.tell_notice(Notice::warning(text).with_hint(hint))
            .await;
    }
}
