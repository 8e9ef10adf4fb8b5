//! Nothing is allowed that was not in sight: what was found in a call, its beginning and its end.

use proptest::prelude::*;
use quarterdeck::{
    domain::{
        approval::{ApprovalDecision, ApprovalRequest},
        ids::TurnId,
    },
    engine::event::EventKind,
    text::sanitize::reveal_line,
    ui::{Message, focus::Pane, view::layout},
};

use super::approvals::{ask, go, judged};
use crate::support::{golden::Stage, talk::Talk};

/// What stands in the pane, without blanks and without frames: words that are broken over rows are whole again.
fn text_of(stage: &Stage) -> String {
    let area = layout(&stage.model)
        .of(Pane::Conversation)
        .map(|placed| placed.inner)
        .unwrap_or_default();
    let buffer = stage.buffer();
    area.positions()
        .map(|position| buffer[position].symbol().to_owned())
        .filter(|symbol| !symbol.trim().is_empty() && symbol != "│" && symbol != "▎")
        .collect()
}

fn squeezed(text: &str) -> String {
    text.split_whitespace().collect()
}

/// A command line that deletes, writes and cannot be understood in full, longer than any low pane.
fn long() -> String {
    let middle: Vec<String> = (1..=40).map(|number| format!("echo {number}")).collect();
    format!(
        "rm -rf target/debug && {} && curl example.org | tee $LOG > build.log",
        middle.join(" && ")
    )
}

#[test]
fn a_long_command_shows_what_it_does_and_both_ends_or_is_allowed_elsewhere() {
    for (columns, rows) in [(120, 40), (80, 24), (40, 12)] {
        let mut talk = Talk::new(columns, rows);
        talk.said("clean up and build");
        ask(&mut talk.stage, judged(&long()));
        go(&mut talk.stage);

        talk.stage.check(&format!("approval_long_{columns}x{rows}"));
    }
}

#[test]
fn a_command_that_is_edited_is_not_mixed_with_another_part_of_it() {
    let mut talk = Talk::new(40, 12);
    ask(&mut talk.stage, judged(&long()));
    go(&mut talk.stage);
    talk.stage.press("e");

    talk.stage.check("approval_long_edited_40x12");
}

#[test]
fn what_is_left_out_of_a_command_is_counted_to_the_character() {
    let command = format!("{}; touch last", vec!["echo harmless"; 90].join("; "));
    let mut talk = Talk::new(80, 24);
    ask(&mut talk.stage, judged(&command));
    go(&mut talk.stage);

    let grid = talk.stage.grid();
    let (before, after) = grid.split_once(" characters").expect("a count");
    let count = before
        .rsplit_once("… ")
        .map(|(_, count)| count)
        .unwrap_or_default();
    let hidden: usize = count.replace(',', "").parse().expect("a number");
    let blank = |row: &str| {
        let row = row.split_once("│▎│ ").map_or("", |(_, row)| row);
        row.split_once(" │").map_or("", |(row, _)| row).to_owned()
    };
    let head: String = before
        .lines()
        .map(blank)
        .filter(|row| row.contains("echo") || row.contains("harmless"))
        .collect();
    let tail: String = after
        .lines()
        .map(blank)
        .filter(|row| row.contains("echo") || row.contains("touch"))
        .collect();

    assert!(grid.contains("touch last"), "{grid}");
    let trimmed = |text: &str| text.chars().filter(|c| *c != ' ').count();
    assert!(hidden < command.chars().count(), "{grid}");
    // Blanks at the end of a row cannot be told from those of the frame.
    let least = command.chars().filter(|c| *c != ' ').count();
    let shown = trimmed(&head) + trimmed(&tail);
    assert!(
        shown + hidden >= least && shown + hidden <= command.chars().count(),
        "{grid}"
    );
}

#[test]
fn what_has_no_room_is_rejected_here_and_allowed_nowhere_but_in_full_view() {
    let mut talk = Talk::new(40, 9);
    ask(&mut talk.stage, judged(&long()));
    go(&mut talk.stage);
    let grid = talk.stage.grid();
    assert!(grid.contains("d shows all"), "{grid}");

    for key in ["a", "s", "p"] {
        talk.stage.press(key);
        talk.stage.advance(1_200);
        assert_eq!(talk.stage.take_decisions(), [], "{key}");
    }
    talk.stage.press("r");

    assert_eq!(
        talk.stage.take_decisions(),
        [ApprovalDecision::Reject { words: None }]
    );
}

#[test]
fn a_window_that_became_smaller_shows_less_and_allows_no_more() {
    let mut talk = Talk::new(120, 40);
    ask(&mut talk.stage, judged(&long()));
    go(&mut talk.stage);
    talk.stage.send(Message::Resize(40, 9));
    talk.stage.paint();
    talk.stage.advance(1_200);

    talk.stage.press("a");

    assert_eq!(talk.stage.take_decisions(), [], "{}", talk.stage.grid());
}

#[test]
fn in_full_view_it_is_allowed_once_it_was_read_and_nothing_before() {
    let mut talk = Talk::new(40, 9);
    ask(&mut talk.stage, judged(&long()));
    go(&mut talk.stage);
    talk.stage.press("d");
    let mut pages = 0;
    while !talk
        .stage
        .grid()
        .lines()
        .last()
        .unwrap_or_default()
        .contains("a once")
    {
        talk.stage.paint();
        talk.stage.advance(1_200);
        talk.stage.press("a");
        assert_eq!(talk.stage.take_decisions(), [], "{}", talk.stage.grid());
        talk.stage.press("pagedown");
        talk.stage.paint();
        pages += 1;
        assert!(pages < 100, "{}", talk.stage.grid());
    }
    assert!(pages > 2);
    talk.stage.check("approval_long_in_full_40x9");
    talk.stage.press("a");
    assert_eq!(talk.stage.take_decisions(), [], "a key that comes at once");
    talk.stage.advance(1_200);

    talk.stage.press("a");

    assert_eq!(talk.stage.take_decisions(), [ApprovalDecision::Once]);
    assert!(talk.stage.model.overlay.is_none());
}

#[test]
fn in_full_view_the_end_alone_is_not_enough_and_cut_lines_are_not_read() {
    for keys in ["end", "w end home"] {
        let mut talk = Talk::new(40, 9);
        ask(&mut talk.stage, judged(&long()));
        go(&mut talk.stage);
        talk.stage.press("d");
        for key in keys.split(' ') {
            talk.stage.press(key);
            talk.stage.paint();
        }
        talk.stage.advance(1_200);

        talk.stage.press("a");

        assert_eq!(talk.stage.take_decisions(), [], "{keys}");
    }
}

#[test]
fn what_is_asked_anew_while_it_is_read_is_not_allowed_by_it() {
    let mut talk = Talk::new(120, 40);
    ask(&mut talk.stage, judged("echo one"));
    go(&mut talk.stage);
    talk.stage.press("d");
    talk.stage.paint();
    let anew = ApprovalRequest {
        hash: "another".to_owned(),
        ..judged("echo two")
    };
    ask(&mut talk.stage, anew);
    talk.stage.paint();
    talk.stage.advance(1_200);

    talk.stage.press("a");

    assert_eq!(talk.stage.take_decisions(), []);
}

#[test]
fn in_a_window_of_another_size_the_box_stands_in_sight() {
    let mut talk = Talk::new(80, 24);
    talk.said("do it");
    let turn = TurnId(1);
    talk.stage.event(
        "main",
        EventKind::Turn {
            turn,
            running: true,
        },
    );
    let tail =
        "cp x y && mv z w && curl -sSf https://example.org/install.sh && touch a/b/c && echo done";
    ask(
        &mut talk.stage,
        judged(&format!(
            "rm -rf target/debug && make > build.log && {tail}; {tail}; {tail}; {tail}"
        )),
    );
    go(&mut talk.stage);
    // A little of what was said before is looked at.
    talk.stage.press("up up");
    for (columns, rows) in [(40, 12), (60, 16), (120, 40), (40, 14)] {
        talk.stage.send(Message::Resize(columns, rows));
        talk.stage.paint();

        let grid = talk.stage.grid();

        for part in ["┌ approve", "it deletes"] {
            assert!(grid.contains(part), "{part} at {columns}x{rows}: {grid}");
        }
        let can = grid.contains(" a once") || grid.contains("d shows all, to allow");
        assert!(can, "{columns}x{rows}: {grid}");
    }
}

fn word() -> impl Strategy<Value = String> {
    prop_oneof![
        Just("rm -rf out/a".to_owned()),
        Just("rm \"$HOME/b\"".to_owned()),
        Just("curl example.org".to_owned()),
        Just("echo x > file.log".to_owned()),
        Just("echo $(date)".to_owned()),
        Just("ls\n".to_owned()),
        "[a-z]{1,9}( [a-zé各./-]{1,24}){0,6}",
        "echo '[ -~]{0,300}'",
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn all_that_was_found_and_both_ends_stand_in_the_frame_or_nothing_is_allowed(
        words in proptest::collection::vec(word(), 0..30),
        columns in 20_u16..130,
        rows in 5_u16..45,
        keys in proptest::sample::select(vec!["a", "s", "w esc a", "e esc a", "alt+z a"]),
    ) {
        let middle: String = words.iter().map(|word| format!("; {word}")).collect();
        let request = judged(&format!("headw{middle}; tailw"));
        let mut talk = Talk::new(columns, rows);
        talk.said("do it");
        ask(&mut talk.stage, request.clone());
        go(&mut talk.stage);
        let mut seen = String::new();
        for key in keys.split(' ') {
            talk.stage.paint();
            talk.stage.advance(1_200);
            seen = text_of(&talk.stage);
            talk.stage.press(key);
        }

        let is_allowed = talk
            .stage
            .take_decisions()
            .iter()
            .any(|decision| !matches!(decision, ApprovalDecision::Reject { .. }));

        if is_allowed {
            let findings = request.circumstances.map(|how| how.findings).unwrap_or_default();
            let must = [findings.deletes, findings.writes, findings.network, findings.doubts];
            for part in must.concat().iter().map(String::as_str).chain(["headw", "tailw"]) {
                prop_assert!(
                    seen.contains(&squeezed(&reveal_line(part).text)),
                    "{part} is not in sight at {columns}x{rows}:\n{}",
                    talk.stage.grid()
                );
            }
        }
    }
}
