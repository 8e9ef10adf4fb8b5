//! The screen around the panes: header, footer, borders, focus, zoom, sizes.

use quarterdeck::{
    engine::event::EventKind,
    ui::{
        Message,
        focus::Pane,
        theme::{Depth, Theme},
    },
};

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
fn the_header_says_everything_at_80_columns() {
    let mut stage = sample::session(80, 24);
    stage.event("main", EventKind::QuestionAsked(Box::new(sample::form(9))));

    let grid = stage.grid();
    let header = grid.lines().next().unwrap_or_default();
    for part in [
        "claude",
        "fetcher",
        "workspace",
        "adaptive",
        "net:all",
        "question",
    ] {
        assert!(header.contains(part), "{part}: {header}");
    }
}

#[test]
fn the_current_tab_has_its_own_colour_and_not_that_of_the_border() {
    let mut stage = sample::session(80, 24);
    stage.theme(Theme::builtin("default", Depth::True).unwrap());

    let buffer = stage.buffer();
    let layout = quarterdeck::ui::view::layout(&stage.model);
    let placed = layout.of(Pane::Agents).unwrap();
    let x = placed.outer.x + 2;
    let cell = buffer.cell((x, placed.outer.y)).unwrap();
    let border = buffer.cell((placed.outer.x, placed.outer.y)).unwrap();

    assert_eq!(cell.symbol(), "3");
    assert_ne!(cell.fg, border.fg);
}

#[test]
fn a_side_pane_is_left_by_going_back() {
    let mut stage = sample::session(120, 40);

    for keys in ["alt+3 esc", "alt+4 esc", "alt+5 esc", "alt+6 esc"] {
        stage.press(keys);
        assert_eq!(stage.model.screen.focus, Pane::Composer, "{keys}");
    }
}

#[test]
fn what_belongs_to_a_sub_agent_says_so_and_a_key_leads_back() {
    let mut stage = sample::session(120, 40);

    stage.press("alt+3 down enter");
    stage.check("shell_sub_agent");
    stage.send(Message::Resize(80, 24));
    stage.press("alt+4");
    stage.check("shell_sub_agent_80x24");
    stage.press("alt+3 esc");
    assert!(stage.model.conversation.shown.is_main());
    stage.press("alt+3 down m");

    stage.check("shell_aimed_80x24");
}

#[test]
fn nothing_is_open_yet() {
    Stage::new(80, 24).check("shell_nothing_open");
}
