//! The composer: draft, chip, waiting messages, lists above it.

use quarterdeck::{
    domain::{ids::QueuedId, record::Lane},
    engine::event::{EventKind, Fetched, Queued},
    ui::{focus::Pane, view::layout},
};

use ratatui::layout::Rect;

use crate::support::{golden::Stage, sample};

fn queue(stage: &mut Stage, texts: &[&str]) {
    let waiting = texts.iter().enumerate().map(|(index, text)| Queued {
        id: QueuedId(index as u64 + 1),
        lane: if index == 0 { Lane::Steer } else { Lane::Queue },
        text: (*text).to_owned(),
    });
    stage.event("main", EventKind::Queue(waiting.collect()));
}

/// The composer and the list that floats above it, without the borders of other panes.
fn with_list(stage: &Stage, rows: u16) -> Rect {
    let layout = layout(&stage.model);
    let placed = layout.of(Pane::Composer).unwrap();
    // A list has borders of its own.
    let above = rows + 2;
    Rect {
        y: placed.outer.y - above,
        height: placed.outer.height + above,
        ..placed.inner
    }
}

#[test]
fn an_idle_session_invites() {
    sample::opened(80, 24).check_pane("composer_empty", Pane::Composer);
}

#[test]
fn wide_characters_and_marks_stand_where_the_cursor_says() {
    let mut stage = sample::session(80, 24);
    stage.type_text("各a😀 e\u{301} \u{202e}x");

    stage.check_pane("composer_wide_characters", Pane::Composer);
}

#[test]
fn a_draft_of_several_lines_grows_and_scrolls() {
    let mut stage = sample::session(120, 40);
    for number in 1..=3 {
        stage.type_text(&format!(
            "line {number} of a message that is long enough to reach the edge of its pane and go on"
        ));
        stage.press("alt+enter");
    }
    stage.check_pane("composer_several_lines", Pane::Composer);
    for _ in 0..20 {
        stage.press("ctrl+j");
        stage.type_text("more");
    }

    stage.check_pane("composer_overflowing", Pane::Composer);
}

#[test]
fn a_large_paste_is_a_chip() {
    let mut stage = sample::session(80, 24);
    stage.type_text("see ");
    let lines: Vec<String> = (1..=240)
        .map(|number| format!("line {number} of the log, about fifty bytes long here"))
        .collect();
    stage.send(quarterdeck::ui::Message::Paste(lines.join("\r\n")));
    stage.type_text(" and tell me why");

    stage.check_pane("composer_chip", Pane::Composer);
}

#[test]
fn waiting_messages_stand_above_the_draft() {
    let mut stage = sample::session(80, 24);
    queue(
        &mut stage,
        &[
            "also log each attempt",
            "then bump the version\nand tag it",
            "three",
            "four",
            "five",
        ],
    );
    stage.type_text("and one more");

    stage.check_pane("composer_queue", Pane::Composer);
}

#[test]
fn slash_names_are_offered() {
    let mut stage = sample::session(120, 40);
    stage.type_text("/t");

    stage.check_area("composer_slash", with_list(&stage, 3));
}

#[test]
fn files_are_offered() {
    let mut stage = sample::session(80, 24);
    stage.type_text("look at @fet");
    let files = [
        "src/fetch.rs",
        "src/ui/fetcher_view.rs",
        "docs/fetching a page.md",
        "Cargo.toml",
    ];
    let files = files.map(str::to_owned).to_vec();
    stage.event("main", EventKind::Fetched(Fetched::Files(files)));
    stage.press("down");

    stage.check_area("composer_files", with_list(&stage, 3));
}

#[test]
fn earlier_messages_are_searched() {
    let mut stage = sample::session(80, 24);
    stage.press("ctrl+r");
    stage.type_text("project");

    stage.check_area("composer_search", with_list(&stage, 1));
}

#[test]
fn a_narrow_screen_keeps_the_composer() {
    let mut stage = sample::session(60, 20);
    stage.type_text("!cargo test --all-features -- --nocapture and more words than fit");

    stage.check_pane("composer_narrow", Pane::Composer);
}

#[test]
fn messages_that_a_stopped_turn_left_say_what_becomes_of_them() {
    for (columns, rows) in [(120, 40), (80, 24), (40, 12)] {
        let mut stage = sample::opened(columns, rows);
        queue(&mut stage, &["look at the tests too", "and then push"]);

        let grid = stage.grid();
        assert!(grid.contains("sent with your next message"), "{grid}");
        let footer = grid.lines().last().unwrap_or_default();
        assert!(footer.contains("Alt+↑ take back"), "{grid}");
        stage.check_pane(&format!("composer_left_{columns}x{rows}"), Pane::Composer);
    }
    let mut stage = sample::session(80, 24);
    queue(&mut stage, &["look at the tests too"]);
    assert!(!stage.grid().contains("next message"), "{}", stage.grid());
}
