//! What was kept and stands in no log yet. As long as there is something, nothing is collected, by this program or
//! another one.
//!
//! The sign to other programs is a shared lock: who collects needs it alone. It ends with the process, however that
//! ends.

use std::{
    collections::HashSet,
    fs::File,
    sync::{Mutex, MutexGuard, PoisonError},
};

use crate::{
    domain::ids::ArtifactId,
    store::{
        lock::{create_private_directory, private_options},
        places::StorePlaces,
    },
};

/// What this program has kept and not recorded.
#[derive(Debug, Default)]
pub(in crate::store) struct Publishing(Mutex<Unrecorded>);

#[derive(Debug, Default)]
struct Unrecorded {
    ids: HashSet<ArtifactId>,
    /// How many outputs are being kept at this moment.
    holds: usize,
    /// Keeps the shared lock.
    lock: Option<File>,
}

impl Unrecorded {
    fn settle(&mut self) {
        if self.ids.is_empty() && self.holds == 0 {
            self.lock = None;
        }
    }
}

impl Publishing {
    fn lock(&self) -> MutexGuard<'_, Unrecorded> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Outputs are about to be kept. Waits for a program that is collecting, which takes it moments.
    pub(super) fn begin(&self, places: &StorePlaces) -> Hold<'_> {
        let needed = {
            let mut unrecorded = self.lock();
            unrecorded.holds += 1;
            unrecorded.lock.is_none()
        };
        let hold = Hold(self);
        // Where files cannot be locked nobody can collect either.
        if needed
            && let Ok(file) = lock_file(places)
            && file.lock_shared().is_ok()
        {
            self.lock().lock.get_or_insert(file);
        }
        hold
    }

    /// These stand in a log now.
    pub(in crate::store) fn recorded<'a>(&self, ids: impl Iterator<Item = &'a ArtifactId>) {
        let mut unrecorded = self.lock();
        for id in ids {
            unrecorded.ids.remove(id);
        }
        unrecorded.settle();
    }
}

/// Outputs are being kept as long as this lives.
#[derive(Debug)]
pub(super) struct Hold<'a>(&'a Publishing);

impl Hold<'_> {
    /// This one is kept, and goes on to count until it stands in a log.
    pub(super) fn keep(&self, id: &ArtifactId) {
        self.0.lock().ids.insert(id.clone());
    }
}

impl Drop for Hold<'_> {
    fn drop(&mut self) {
        let mut unrecorded = self.0.lock();
        unrecorded.holds = unrecorded.holds.saturating_sub(1);
        unrecorded.settle();
    }
}

/// The lock as who collects has it; `None` when somebody has something that stands in no log.
pub(super) fn alone(places: &StorePlaces) -> Option<File> {
    let file = lock_file(places).ok()?;
    file.try_lock().is_ok().then_some(file)
}

fn lock_file(places: &StorePlaces) -> std::io::Result<File> {
    create_private_directory(&places.locks()).map_err(std::io::Error::other)?;
    private_options()
        .truncate(false)
        .open(places.artifacts_lock())
}
