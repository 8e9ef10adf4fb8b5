//! The panes and which of them has the keyboard.

use serde::{Deserialize, Serialize};

use super::{Effect, Model, keymap::Scope, panes};

/// A region of the screen with a number, a border and a title.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Pane {
    /// 1: the transcript.
    Conversation,
    /// 2: the composer.
    Composer,
    /// 3: the tree of agents.
    Agents,
    /// 4: the shown agent's checklist.
    Checklist,
    /// 5: the scratchpad.
    Scratchpad,
    /// 6: the context gauge.
    Context,
}

impl Pane {
    /// All panes in the order of their numbers.
    pub const ALL: [Self; 6] = [
        Self::Conversation,
        Self::Composer,
        Self::Agents,
        Self::Checklist,
        Self::Scratchpad,
        Self::Context,
    ];

    /// The panes of the right column, top to bottom.
    pub const RIGHT: [Self; 4] = [
        Self::Agents,
        Self::Checklist,
        Self::Scratchpad,
        Self::Context,
    ];

    /// The number in the title.
    pub fn number(self) -> u8 {
        self as u8 + 1
    }

    /// The name in titles and tabs.
    pub fn name(self) -> &'static str {
        match self {
            Self::Conversation => "Conversation",
            Self::Composer => "Message",
            Self::Agents => "Agents",
            Self::Checklist => "Checklist",
            Self::Scratchpad => "Scratchpad",
            Self::Context => "Context",
        }
    }

    /// The scope of its keys.
    pub fn scope(self) -> Scope {
        match self {
            Self::Conversation => Scope::Conversation,
            Self::Composer => Scope::Composer,
            Self::Agents => Scope::Agents,
            Self::Checklist => Scope::Checklist,
            Self::Scratchpad => Scope::Scratchpad,
            Self::Context => Scope::Context,
        }
    }

    /// Whether it stands in the right column.
    pub fn is_right(self) -> bool {
        Self::RIGHT.contains(&self)
    }
}

/// Gives a pane the keyboard, shows it if it was hidden, and leaves a box, a form or a program that had it.
pub fn focus(model: &mut Model, pane: Pane) -> Vec<Effect> {
    panes::requests::leave(model);
    panes::typing::left(model);
    model.screen.hidden.remove(&pane);
    if pane.is_right() {
        model.screen.tab = pane;
    }
    if model.screen.zoomed.is_some() {
        model.screen.zoomed = Some(pane);
    }
    model.screen.focus = pane;
    Vec::new()
}

/// The scope whose keys come first now.
pub fn scope(model: &Model) -> Scope {
    if let Some(overlay) = model.overlay.top() {
        return overlay.scope();
    }
    panes::requests::scope(model)
        .or_else(|| panes::scope(model))
        .unwrap_or_else(|| model.screen.focus.scope())
}
