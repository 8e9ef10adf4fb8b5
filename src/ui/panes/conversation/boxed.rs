//! The box of an approval that has the keyboard: how much of it is in sight, and how much room it needs.

use super::{
    drawing::has_status,
    pane::{area, window},
};
use crate::{
    domain::ids::CallId,
    ui::{
        Model,
        cells::{self, Scene},
    },
};

/// How much of the box of a call is in sight: `None` when not the whole frame of it is, else whether all that must be
/// seen before it is allowed stands in it.
pub fn box_in_sight(model: &Model, call: &CallId) -> Option<bool> {
    let window = window(model, area(model));
    let key = window.transcript.key_of(call)?;
    let placed = window.placed(model.conversation.looking().scroll);
    let placed = placed.iter().find(|placed| placed.key == key)?;
    let boxed = cells::draw(window.transcript.get(key)?, &window.scene).boxed?;
    let first = boxed.rows.start.checked_sub(placed.skip)?;
    let end = placed.top + placed.gap + first + boxed.rows.len();
    (end <= window.rows).then_some(boxed.is_whole)
}

/// Rows that the pane needs so that all of a box that must be seen has room, at this width.
pub fn rows_for_box(model: &Model, width: u16) -> u16 {
    let boxes = model.requests.boxes(&model.conversation.shown, 0);
    let Some(found) = boxes.iter().find(|found| found.has_keyboard) else {
        return 0;
    };
    let scene = Scene {
        model,
        highlights: &model.conversation.highlights,
        diff: model.conversation.diff,
        width: usize::from(width.max(1)),
        rows: 0,
    };
    let status = usize::from(has_status(model));
    u16::try_from(cells::least_rows(found, &scene) + status).unwrap_or(u16::MAX)
}
