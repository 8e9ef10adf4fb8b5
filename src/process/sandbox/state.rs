//! Which sandbox holds the commands of this run, found out once by trying.

use std::{
    collections::BTreeMap,
    path::Path,
    sync::{Arc, Mutex, PoisonError},
};

use tokio::sync::OnceCell;

use super::{
    backend::{Backend, Choice},
    probe::{self, Enforced},
};
use crate::{
    domain::sandbox::{SandboxReport, Standing},
    process::supervisor,
};

/// What holds commands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum State {
    /// A sandbox, and what it was seen to hold.
    On(Enforced),
    /// Nothing: the person wants none, or no backend works here.
    Off {
        /// What was tried, and why it does not work.
        tried: Vec<(Backend, String)>,
    },
    /// The backend that the person named does not work: no command runs below `unrestricted`.
    Broken {
        /// The backend.
        backend: Backend,
        /// Why it does not work.
        why: String,
    },
}

type Cell = Arc<OnceCell<Arc<State>>>;

static FOUND: Mutex<BTreeMap<Choice, Cell>> = Mutex::new(BTreeMap::new());

impl State {
    /// What the sandbox holds, when there is one.
    pub fn enforced(&self) -> Option<&Enforced> {
        match self {
            Self::On(enforced) => Some(enforced),
            Self::Off { .. } | Self::Broken { .. } => None,
        }
    }

    /// Why no command may run below `unrestricted`.
    pub fn refusal(&self) -> Option<String> {
        match self {
            Self::Broken { backend, why } => Some(format!(
                "sandbox.backend is {}, which does not work here: {why}. No command runs below level unrestricted; \
                 the person can set sandbox.backend to auto, or raise the level with /permission unrestricted",
                backend.name()
            )),
            Self::On(_) | Self::Off { .. } => None,
        }
    }

    /// What a person is told; `choice` is what they wanted.
    pub fn report(&self, choice: Choice) -> SandboxReport {
        let mut rows = Vec::new();
        match self {
            Self::On(enforced) => {
                rows.push((
                    "sandbox",
                    format!("{} (each of these was tried)", enforced.backend.name()),
                ));
                rows.extend(enforced.holds().map(|what| ("holds", what.to_owned())));
                let missing = enforced.missing();
                rows.extend(
                    missing
                        .into_iter()
                        .map(|what| ("does not hold", format!("a command can {what}"))),
                );
            }
            Self::Off { tried } => {
                let why = if choice == Choice::None {
                    "none, as sandbox.backend says"
                } else {
                    "none works here"
                };
                rows.push((
                "sandbox",
                format!("{why}: every command needs level unrestricted, or you are asked, and it runs as you"),
            ));
                let reasons = tried.iter();
                rows.extend(
                    reasons.map(|(backend, why)| ("tried", format!("{}: {why}", backend.name()))),
                );
            }
            Self::Broken { backend, why } => rows.push((
                "sandbox",
                format!(
                    "{} does not hold, so no command runs below level unrestricted: {why}",
                    backend.name()
                ),
            )),
        }
        let standing = match self {
            Self::On(enforced) if enforced.is_whole() => Standing::Whole,
            Self::On(_) => Standing::Part,
            Self::Off { .. } => Standing::Off,
            Self::Broken { .. } => Standing::Broken,
        };
        SandboxReport { standing, rows }
    }
}

/// What holds commands when the person wants `choice`. The first call of a run tries it, in a directory below `place`.
pub async fn state(choice: Choice, place: &Path) -> Arc<State> {
    let cell = {
        let mut found = FOUND.lock().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(found.entry(choice).or_default())
    };
    let place = place.to_owned();
    let find = || async move {
        tokio::task::spawn_blocking(move || Arc::new(find(choice, &place)))
            .await
            .unwrap_or_else(|error| {
                let why = error.to_string();
                Arc::new(failed(choice, vec![(Backend::Namespaces, why)]))
            })
    };
    Arc::clone(cell.get_or_init(find).await)
}

/// Tries one backend after the other. Blocks.
pub fn find(choice: Choice, place: &Path) -> State {
    let mut tried = Vec::new();
    for backend in choice.candidates() {
        if !backend.is_of_this_system() {
            tried.push((backend, "it belongs to another system".to_owned()));
            continue;
        }
        match probe::try_backend(backend, &supervisor::program(), place) {
            Ok(enforced) => return State::On(enforced),
            Err(why) => tried.push((backend, why)),
        }
    }
    failed(choice, tried)
}

fn failed(choice: Choice, mut tried: Vec<(Backend, String)>) -> State {
    match (choice, tried.pop()) {
        (Choice::Only(backend), Some((_, why))) => State::Broken { backend, why },
        (_, last) => {
            tried.extend(last);
            State::Off { tried }
        }
    }
}
