//! What keys and the mouse do while the list is open.

use crossterm::event::{KeyEvent, MouseButton, MouseEvent, MouseEventKind};
use ratatui::layout::Rect;

use super::view::row_at;
use crate::{
    domain::ids::RequestId,
    ui::{
        Effect, Model, focus,
        focus::Pane,
        keymap::Action,
        overlays::Overlay,
        panes::requests::{self, answering::several, approval::Mode},
    },
};

/// Opens the list when several requests wait; goes to the only one.
pub fn open(model: &mut Model) -> Vec<Effect> {
    if model.requests.open().count() < 2 {
        return requests::focus_next(model);
    }
    let effects = match selected(model) {
        Some(id) => requests::go_to(model, id),
        None => requests::focus_next(model),
    };
    model.overlay.open(Overlay::Inbox);
    effects
}

/// The request that is selected.
pub(super) fn selected(model: &Model) -> Option<RequestId> {
    let id = model.requests.focused.or(model.requests.open_form)?;
    let is_open = model.requests.open().any(|waiting| waiting.id == id);
    is_open.then_some(id)
}

/// The row that is selected.
pub(super) fn selected_row(model: &Model) -> usize {
    let selected = selected(model);
    let groups = several::groups(&model.requests);
    let row = groups
        .iter()
        .position(|group| group.iter().any(|waiting| Some(waiting.id) == selected));
    row.unwrap_or(0)
}

/// Takes an action; `key` ended its chords.
pub fn update(model: &mut Model, action: Action, key: KeyEvent) -> Vec<Effect> {
    let mut effects = match action {
        Action::Back => {
            model.overlay.take();
            model.requests.answers_marked = false;
            return requests::return_keyboard(model);
        }
        Action::Open => {
            model.overlay.take();
            return Vec::new();
        }
        Action::ToComposer => {
            model.overlay.take();
            return focus::focus(model, Pane::Composer);
        }
        Action::Up | Action::PreviousRequest => step(model, -1),
        Action::Down | Action::NextRequest => step(model, 1),
        Action::First => step(model, isize::MIN),
        Action::Last => step(model, isize::MAX),
        _ if model.requests.focused.is_some() => requests::update(model, action, key),
        _ => Vec::new(),
    };
    effects.extend(settle(model));
    effects
}

/// Whether an action that is called by name does something in the list itself.
pub fn offers(model: &Model, action: Action) -> bool {
    let row = selected_row(model);
    match action {
        Action::Open => true,
        Action::PreviousRequest => row > 0,
        Action::NextRequest => row + 1 < several::groups(&model.requests).len(),
        _ => false,
    }
}

/// The list goes when nothing waits any more, or when the person writes in a box; while it is open, something is
/// selected.
pub fn settle(model: &mut Model) -> Vec<Effect> {
    if !matches!(model.overlay.top(), Some(Overlay::Inbox)) {
        return Vec::new();
    }
    let first = model.requests.open().next().map(|waiting| waiting.id);
    let writes = model
        .requests
        .focused_approval()
        .is_some_and(|approval| approval.mode != Mode::Answer);
    match first {
        Some(first) if !writes && selected(model).is_none() => requests::go_to(model, first),
        Some(_) if !writes => Vec::new(),
        _ => {
            model.overlay.take();
            Vec::new()
        }
    }
}

/// Selects another row; the ends stop.
fn step(model: &mut Model, by: isize) -> Vec<Effect> {
    let groups = several::groups(&model.requests);
    let last = groups.len().saturating_sub(1);
    let row = selected_row(model).saturating_add_signed(by).min(last);
    let target = groups.get(row).and_then(|group| group.first());
    match target.map(|waiting| waiting.id) {
        Some(id) if selected(model) != Some(id) => requests::go_to(model, id),
        _ => Vec::new(),
    }
}

/// Takes the mouse: a click selects, the wheel moves the selection.
pub fn mouse(model: &mut Model, mouse: MouseEvent, body: Rect) -> Vec<Effect> {
    match mouse.kind {
        MouseEventKind::ScrollUp => step(model, -1),
        MouseEventKind::ScrollDown => step(model, 1),
        MouseEventKind::Down(MouseButton::Left) => {
            let clicked = row_at(model, body, (mouse.column, mouse.row));
            let by = clicked.map(|row| row as isize - selected_row(model) as isize);
            by.map_or_else(Vec::new, |by| step(model, by))
        }
        _ => Vec::new(),
    }
}
