//! The overlays that are open, one above the other: the top one is drawn and has the keys, and what lies beneath comes
//! back when it is closed.

use super::{
    Overlay,
    ask::{self, Subject},
};
use crate::ui::Model;

/// The open overlays.
#[derive(Debug, Default)]
pub struct Overlays {
    /// The top one last. The same kind is never there twice, so there are never more than there are kinds.
    stack: Vec<Overlay>,
    /// Moves whenever one is opened.
    opened: u64,
}

impl Overlays {
    /// The one that is drawn and has the keys.
    pub fn top(&self) -> Option<&Overlay> {
        self.stack.last()
    }

    /// The one that has the keys, to be changed.
    pub fn top_mut(&mut self) -> Option<&mut Overlay> {
        self.stack.last_mut()
    }

    /// All of them, to be changed.
    pub fn iter_mut(&mut self) -> impl DoubleEndedIterator<Item = &mut Overlay> {
        self.stack.iter_mut()
    }

    /// Whether none is open.
    pub fn is_none(&self) -> bool {
        self.stack.is_empty()
    }

    /// Whether one is open.
    pub fn is_some(&self) -> bool {
        !self.stack.is_empty()
    }

    /// How many have been opened so far.
    pub fn opened(&self) -> u64 {
        self.opened
    }

    /// Opens one above all others; an older one of its kind goes.
    pub fn open(&mut self, overlay: Overlay) {
        self.stack.retain(|other| !same_kind(other, &overlay));
        self.stack.push(overlay);
        self.opened += 1;
    }

    /// Opens one below all others, to be seen when they are closed.
    pub fn open_beneath(&mut self, overlay: Overlay) {
        if !self.stack.iter().any(|other| same_kind(other, &overlay)) {
            self.stack.insert(0, overlay);
        }
    }

    /// Puts the one that was just taken below the one that it opened.
    pub fn put_below_top(&mut self, overlay: Overlay) {
        let place = self.stack.len().saturating_sub(1);
        if !self.stack.iter().any(|other| same_kind(other, &overlay)) {
            self.stack.insert(place, overlay);
        }
    }

    /// Puts the one that was just taken back.
    pub fn put_back(&mut self, overlay: Overlay) {
        self.stack.push(overlay);
    }

    /// Takes the top one away.
    pub fn take(&mut self) -> Option<Overlay> {
        self.stack.pop()
    }

    /// Closes all.
    pub fn clear(&mut self) {
        self.stack.clear();
    }

    /// Closes what was only looked at; what the person has to decide stays.
    pub fn close_passing(&mut self) {
        self.stack.retain(Overlay::stays);
    }

    /// Closes everything but the program's own questions.
    pub fn close_choices(&mut self) {
        self.stack
            .retain(|overlay| matches!(overlay, Overlay::Ask(_)));
    }

    /// Whether the folder is being asked about.
    pub fn asks_trust(&self) -> bool {
        self.stack.iter().any(is_trust)
    }
}

impl Overlay {
    /// Whether it stays when an action of the whole screen is done over it: it would not be asked again.
    fn stays(&self) -> bool {
        is_trust(self) || matches!(self, Self::Start(_) | Self::Endpoint(_))
    }
}

fn is_trust(overlay: &Overlay) -> bool {
    matches!(overlay, Overlay::Ask(ask) if ask.subject == Subject::Trust)
}

fn same_kind(one: &Overlay, other: &Overlay) -> bool {
    match (one, other) {
        (Overlay::Ask(one), Overlay::Ask(other)) => one.subject == other.subject,
        _ => std::mem::discriminant(one) == std::mem::discriminant(other),
    }
}

/// Closes the top one without an answer.
pub fn close(model: &mut Model) {
    if let Some(closed) = model.overlay.take() {
        ask::left(model, &closed);
    }
}
