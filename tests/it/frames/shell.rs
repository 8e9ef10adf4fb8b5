//! The screen around the panes: header, footer, borders, focus, zoom, sizes.

use crate::support::{golden::Stage, sample};

#[test]
fn a_session_at_work_at_every_size() {
    for (columns, rows) in [(120, 40), (80, 24), (60, 20), (200, 60)] {
        sample::session(columns, rows).check(&format!("shell_{columns}x{rows}"));
    }
}

#[test]
fn a_window_that_is_too_small_says_so() {
    sample::session(19, 4).check("shell_too_small");
}

#[test]
fn a_zoomed_pane_has_the_screen() {
    let mut stage = sample::session(120, 30);

    stage.press("alt+4 alt+z");

    stage.check("shell_zoomed");
}

#[test]
fn nothing_is_open_yet() {
    Stage::new(80, 24).check("shell_nothing_open");
}
