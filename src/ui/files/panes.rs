//! How the person arranged the panes, kept between starts: which are hidden, and how large the others are.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use serde::{Deserialize, Serialize};
use tokio::task::JoinHandle;

use crate::ui::{focus::Pane, layout::Screen};

/// Keeps a text for the next starts. It blocks.
pub type Write = Arc<dyn Fn(&str) -> Result<(), String> + Send + Sync>;

/// How long leaving waits for what was arranged last.
const PATIENCE: Duration = Duration::from_secs(1);

/// What is kept.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
struct Panes {
    #[serde(skip_serializing_if = "Option::is_none")]
    right_columns: Option<u16>,
    hidden: BTreeSet<Pane>,
    extra_rows: BTreeMap<Pane, i16>,
}

impl Panes {
    fn of(screen: &Screen) -> Self {
        Self {
            right_columns: screen.right_columns,
            hidden: screen.hidden.clone(),
            extra_rows: screen.extra_rows.clone(),
        }
    }

    fn is_of(&self, screen: &Screen) -> bool {
        self.right_columns == screen.right_columns
            && self.hidden == screen.hidden
            && self.extra_rows == screen.extra_rows
    }
}

/// Arranges a screen as it was kept. What cannot be read, from a later program perhaps, changes nothing.
pub fn restore(kept: &str, screen: &mut Screen) {
    let Ok(panes) = toml::from_str::<Panes>(kept) else {
        return;
    };
    screen.right_columns = panes.right_columns;
    screen.extra_rows = panes.extra_rows;
    // Only these can be hidden: the keyboard begins in the composer.
    screen.hidden = panes.hidden;
    screen.hidden.retain(|pane| pane.is_right());
}

/// Keeps how the panes are arranged, in the background.
pub struct Keeper {
    write: Option<Write>,
    kept: Panes,
    /// The number of the last arrangement, and of the last one that was written: an older one never replaces it.
    number: u64,
    written: Arc<Mutex<u64>>,
    last: Option<JoinHandle<()>>,
}

impl Keeper {
    /// Keeps changes from how the screen is now.
    pub fn new(write: Option<Write>, screen: &Screen) -> Self {
        Self {
            write,
            kept: Panes::of(screen),
            number: 0,
            written: Arc::default(),
            last: None,
        }
    }

    /// Keeps the screen's arrangement when it is another one and nothing is being dragged.
    pub fn look(&mut self, screen: &Screen) {
        if screen.drag.is_some() || self.kept.is_of(screen) {
            return;
        }
        self.kept = Panes::of(screen);
        let (Some(write), Ok(text)) = (self.write.clone(), toml::to_string(&self.kept)) else {
            return;
        };
        self.number += 1;
        let (number, written) = (self.number, Arc::clone(&self.written));
        self.last = Some(tokio::task::spawn_blocking(move || {
            let mut written = written.lock().unwrap_or_else(PoisonError::into_inner);
            if number < *written {
                return;
            }
            *written = number;
            if let Err(error) = write(&text) {
                tracing::warn!(error, "how the panes are arranged is not kept");
            }
        }));
    }

    /// Waits for what is being written.
    pub async fn settle(&mut self) {
        if let Some(last) = self.last.take() {
            // A disk that does not answer keeps nobody from leaving.
            let _ = tokio::time::timeout(PATIENCE, last).await;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn arranged() -> Screen {
        let mut screen = Screen::new(120, 40);
        screen.right_columns = Some(50);
        screen.hidden.insert(Pane::Scratchpad);
        screen.extra_rows.insert(Pane::Checklist, -3);
        screen
    }

    #[tokio::test]
    async fn what_was_arranged_last_is_restored() {
        let kept: Arc<Mutex<String>> = Arc::default();
        let text = Arc::clone(&kept);
        let write: Write = Arc::new(move |new: &str| {
            new.clone_into(&mut text.lock().unwrap());
            Ok(())
        });
        let mut keeper = Keeper::new(Some(write), &Screen::new(120, 40));
        let mut screen = arranged();

        screen.drag = Some(crate::ui::layout::Drag::Columns);
        keeper.look(&screen);
        keeper.settle().await;
        assert_eq!(*kept.lock().unwrap(), "", "nothing while it is dragged");
        screen.drag = None;
        keeper.look(&screen);
        screen.right_columns = Some(60);
        keeper.look(&screen);
        keeper.settle().await;

        let mut restored = Screen::new(120, 40);
        restore(&kept.lock().unwrap(), &mut restored);
        assert_eq!(Panes::of(&restored), Panes::of(&screen));
    }

    #[test]
    fn the_composer_is_never_hidden_and_nonsense_changes_nothing() {
        let mut screen = arranged();

        for nonsense in ["right_columns = \"wide\"", "hidden = [\"moon\"]", "=", "\0"] {
            restore(nonsense, &mut screen);
            assert_eq!(Panes::of(&screen), Panes::of(&arranged()), "{nonsense}");
        }
        restore("hidden = [\"composer\", \"agents\"]", &mut screen);

        assert_eq!(screen.hidden, BTreeSet::from([Pane::Agents]));
    }
}
