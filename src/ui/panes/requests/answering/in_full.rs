//! A request that is read in full, in a viewer: how far it was read, and the answers that are given there.
//!
//! The one invariant: nothing is allowed here before everything that was found, the beginning and the end of what is
//! asked have stood in the viewer, and then only the very call that it shows.

use crossterm::event::KeyEvent;

use super::super::{approval_keys, gate::Gate, gate::Sight};
use crate::{
    domain::{approval::ApprovalRequest, ids::RequestId, notice::Notice},
    ui::{
        Effect, Model,
        keymap::{Action, Chord, Resolution, Scope},
        overlays::Overlay,
    },
};

/// Which lines of a request must be read before it is allowed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Must {
    /// All up to this one, and its beginning.
    pub head: usize,
    /// The end of this one.
    pub tail: usize,
}

/// A request that is being read.
#[derive(Clone, Debug)]
pub struct Reading {
    id: RequestId,
    hash: String,
    must: Must,
    /// Everything before this line and byte was seen.
    reached: (usize, usize),
    has_seen_tail: bool,
    gate: Gate,
}

impl Reading {
    /// Nothing of it was read yet.
    pub fn of(request: &ApprovalRequest, must: Must) -> Self {
        Self {
            id: request.id,
            hash: request.hash.clone(),
            must,
            reached: (0, 0),
            has_seen_tail: false,
            gate: Gate::default(),
        }
    }

    /// Everything between these places stands on the screen since this moment.
    pub fn painted(&mut self, from: (usize, usize), to: (usize, usize), now_ms: u64) {
        if from <= self.reached {
            self.reached = self.reached.max(to);
        }
        self.has_seen_tail |= from.0 <= self.must.tail && to > (self.must.tail, usize::MAX);
        let sight = if self.is_read() {
            Sight::Whole
        } else {
            Sight::Part
        };
        self.gate.painted(sight, now_ms);
    }

    /// Says how the next key came.
    pub fn comes(&mut self, is_crowded: bool, now_ms: u64) {
        self.gate.comes(is_crowded, now_ms);
    }

    /// Whether all that must be read was.
    pub fn is_read(&self) -> bool {
        self.reached > (self.must.head, 0) && self.has_seen_tail
    }

    /// The keys that do something, and what.
    pub fn hints(&self) -> Vec<(Scope, Action, &'static str)> {
        let first = if self.is_read() {
            (Scope::Approval, Action::AllowOnce, "once")
        } else {
            (Scope::Viewer, Action::PageDown, "reads on, to allow")
        };
        vec![first, (Scope::Approval, Action::Reject, "reject")]
    }
}

/// Takes a key over a request that is read in full; `None` when it is no answer.
pub fn press(model: &mut Model, key: KeyEvent, chord: Chord) -> Option<Vec<Effect>> {
    let now = model.clock.elapsed_ms;
    let keymap = model.keymap.clone();
    let Some(Overlay::Viewer(viewer)) = model.overlay.top_mut() else {
        return None;
    };
    if viewer.typing.is_some() {
        return None;
    }
    let reading = viewer.reading.as_mut()?;
    let resolved = keymap.resolve(Scope::Approval, &[chord]);
    let Resolution::Action(action @ (Action::AllowOnce | Action::Reject)) = resolved else {
        reading.gate.note(key, now);
        return None;
    };
    if !reading.gate.admits(key, now) {
        return Some(Vec::new());
    }
    let (id, hash) = (reading.id, reading.hash.clone());
    let allows = action == Action::AllowOnce;
    if allows && !reading.gate.is_seen_whole(now) {
        let notice = Notice::warning("not all of it was read");
        let key = keymap.key(Scope::Viewer, Action::PageDown);
        model.notify(match key {
            Some(key) => notice.with_hint(format!("{key} reads on")),
            None => notice,
        });
        return Some(Vec::new());
    }
    let asked = model
        .requests
        .focused_approval()
        .map(|asked| &asked.request);
    if !asked.is_some_and(|asked| asked.id == id && asked.hash == hash) {
        model.notify(Notice::info("this is not asked any more"));
        return Some(Vec::new());
    }
    model.overlay.take();
    Some(approval_keys::answer(model, action))
}
