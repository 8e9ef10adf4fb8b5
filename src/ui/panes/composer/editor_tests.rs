use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use proptest::prelude::{Just, Strategy, any, prop_oneof, proptest};

use super::{Edited, Editor};

const WIDTH: usize = 40;

fn key(code: KeyCode) -> KeyEvent {
    KeyEvent::new(code, KeyModifiers::NONE)
}

fn control(code: KeyCode) -> KeyEvent {
    KeyEvent::new(code, KeyModifiers::CONTROL)
}

fn drawn(editor: &Editor, width: usize) -> Vec<String> {
    editor
        .rows(width)
        .iter()
        .map(|row| row.text.clone())
        .collect()
}

fn caret(editor: &Editor) -> (usize, usize) {
    editor.caret(&editor.rows(WIDTH))
}

#[test]
fn backspace_takes_a_whole_family_and_an_accent_with_its_letter() {
    let mut editor = Editor::multi_line().with_text("a👨‍👩‍👧e\u{301}");

    editor.input(key(KeyCode::Backspace), WIDTH);
    assert_eq!(editor.text(), "a👨‍👩‍👧");
    editor.input(key(KeyCode::Backspace), WIDTH);
    assert_eq!(editor.text(), "a");
}

#[test]
fn arrows_cross_a_grapheme_in_one_step() {
    let mut editor = Editor::multi_line().with_text("各👨‍👩‍👧z");

    let places: Vec<usize> = (0..4)
        .map(|_| {
            let place = caret(&editor).1;
            editor.input(key(KeyCode::Left), WIDTH);
            place
        })
        .collect();

    assert_eq!(places, [5, 4, 2, 0]);
}

#[test]
fn words_are_crossed_and_deleted_whole() {
    let mut editor = Editor::multi_line().with_text("cargo test --lib");

    editor.input(control(KeyCode::Left), WIDTH);
    assert_eq!(caret(&editor), (0, 13));
    editor.input(control(KeyCode::Backspace), WIDTH);
    assert_eq!(editor.text(), "cargo test lib");
    editor.input(control(KeyCode::Backspace), WIDTH);
    assert_eq!(editor.text(), "cargo lib");
    editor.input(control(KeyCode::Right), WIDTH);
    assert_eq!(caret(&editor), (0, 9));
}

#[test]
fn undo_takes_back_a_word_and_redo_returns_it() {
    let mut editor = Editor::multi_line();
    for c in "one".chars() {
        editor.input(key(KeyCode::Char(c)), WIDTH);
    }
    editor.input(control(KeyCode::Backspace), WIDTH);
    assert_eq!(editor.text(), "");

    assert!(editor.undo());
    assert_eq!(editor.text(), "one");
    assert!(editor.redo());
    assert_eq!(editor.text(), "");
}

#[test]
fn what_was_cut_comes_back_even_after_a_backspace() {
    let mut editor = Editor::multi_line().with_text("keep cut");
    editor.input(key(KeyCode::Home), WIDTH);
    for _ in 0..5 {
        editor.input(key(KeyCode::Right), WIDTH);
    }
    editor.input(control(KeyCode::Char('k')), WIDTH);
    editor.input(key(KeyCode::Backspace), WIDTH);
    assert_eq!(editor.text(), "keep");

    editor.input(control(KeyCode::Char('y')), WIDTH);

    assert_eq!(editor.text(), "keepcut");
}

#[test]
fn up_and_down_follow_the_rows_of_the_screen_and_keep_their_column() {
    let mut editor = Editor::multi_line().with_text("aaaa bbbb cccc\nx\nyyyyyy");

    assert_eq!(editor.input(key(KeyCode::Up), 10), Edited::Moved);
    assert_eq!(editor.caret(&editor.rows(10)), (2, 1));
    editor.input(key(KeyCode::Up), 10);
    assert_eq!(editor.caret(&editor.rows(10)), (1, 4));
    editor.input(key(KeyCode::Up), 10);
    assert_eq!(editor.caret(&editor.rows(10)), (0, 6));
    assert_eq!(editor.input(key(KeyCode::Up), 10), Edited::AtTop);
    for _ in 0..3 {
        assert_eq!(editor.input(key(KeyCode::Down), 10), Edited::Moved);
    }
    assert_eq!(editor.input(key(KeyCode::Down), 10), Edited::AtBottom);
}

#[test]
fn pasted_line_ends_are_made_equal_and_controls_dropped() {
    let mut editor = Editor::multi_line();

    editor.paste("one\rtwo\r\nthree\nfour\u{1b}[31m\u{7}\tend");

    assert_eq!(editor.text(), "one\ntwo\nthree\nfour[31m\tend");
    assert_eq!(
        drawn(&editor, WIDTH),
        ["one", "two", "three", "four[31m    end"]
    );
}

#[test]
fn a_large_paste_is_one_step_wide_and_is_read_whole() {
    let lines: Vec<String> = (1..=240).map(|n| format!("line {n}")).collect();
    let long = lines.join("\n");
    let mut editor = Editor::multi_line().with_text("before  after");
    for _ in 0..6 {
        editor.input(key(KeyCode::Left), WIDTH);
    }

    editor.paste(&long);

    assert_eq!(
        drawn(&editor, 60),
        ["before [paste 1: 240 lines, 2 KB] after"]
    );
    assert_eq!(editor.text(), format!("before {long} after"));
    editor.input(key(KeyCode::Backspace), WIDTH);
    assert_eq!(editor.text(), "before  after");
    editor.undo();
    assert_eq!(editor.text(), format!("before {long} after"));
}

#[test]
fn a_chip_opens_in_place() {
    let long = "a line\n".repeat(12);
    let mut editor = Editor::multi_line();
    editor.paste(&long);
    assert_eq!(editor.line_count(), 1);

    assert!(editor.open_chip());

    assert_eq!(editor.line_count(), 13);
    assert_eq!(editor.text(), long);
    assert!(!editor.open_chip());
}

#[test]
fn a_hundred_kilobytes_in_the_middle_of_a_line_are_exact() {
    let unit = "abc 各\tdef 漢字 ";
    let big = unit.repeat(100_000 / unit.len() + 1);
    let mut editor = Editor::multi_line().with_text("lr");
    editor.input(key(KeyCode::Left), WIDTH);

    editor.paste(&big);
    editor.input(key(KeyCode::Char('!')), WIDTH);

    assert_eq!(editor.text(), format!("l{big}!r"));
    assert_eq!(editor.rows(WIDTH).len(), 1);
}

#[test]
fn more_pastes_than_there_are_stand_ins_lose_nothing() {
    let mut editor = Editor::multi_line();
    let mut expected = String::new();
    for number in 0..40 {
        let text = format!("{number} ").repeat(1_500);
        editor.paste(&text);
        expected.push_str(&text);
    }

    assert_eq!(editor.text(), expected);
}

#[test]
fn a_single_line_stays_single() {
    let mut editor = Editor::single_line();

    editor.paste("one\r\ntwo\nthree");
    editor.newline();

    assert_eq!(editor.text(), "one two three ");
}

fn any_key() -> impl Strategy<Value = KeyEvent> {
    let code = prop_oneof![
        any::<char>().prop_map(KeyCode::Char),
        "[a-z_/7]".prop_map(|c| KeyCode::Char(c.chars().next().unwrap())),
        Just(KeyCode::Left),
        Just(KeyCode::Right),
        Just(KeyCode::Up),
        Just(KeyCode::Down),
        Just(KeyCode::Home),
        Just(KeyCode::End),
        Just(KeyCode::Backspace),
        Just(KeyCode::Delete),
        Just(KeyCode::Enter),
    ];
    let modifiers = prop_oneof![
        4 => Just(KeyModifiers::NONE),
        1 => Just(KeyModifiers::CONTROL),
        1 => Just(KeyModifiers::ALT),
    ];
    (code, modifiers).prop_map(|(code, modifiers)| KeyEvent::new(code, modifiers))
}

proptest! {
    #[test]
    fn no_sequence_of_keys_splits_a_grapheme_or_panics(
        start in "\\PC{0,40}",
        keys in proptest::collection::vec(any_key(), 0..60),
        width in 0usize..30,
    ) {
        let mut editor = Editor::multi_line().with_text(&start);
        for key in keys {
            editor.input(key, width);
            let rows = editor.rows(width);
            let (row, _) = editor.caret(&rows);
            assert!(row < rows.len());
        }
    }

    #[test]
    fn moving_never_changes_the_text(
        start in "[a-c 各👨‍👩‍👧\n]{0,60}",
        moves in proptest::collection::vec(0usize..8, 0..60),
        width in 0usize..30,
    ) {
        let codes = [
            KeyCode::Left, KeyCode::Right, KeyCode::Up, KeyCode::Down,
            KeyCode::Home, KeyCode::End, KeyCode::Left, KeyCode::Right,
        ];
        let mut editor = Editor::multi_line().with_text(&start);
        let before = editor.text();
        for index in moves {
            let modifiers = if index > 5 { KeyModifiers::CONTROL } else { KeyModifiers::NONE };
            editor.input(KeyEvent::new(codes[index], modifiers), width);
        }
        assert_eq!(editor.text(), before);
    }
}

#[test]
fn rows_are_those_of_the_text_whatever_was_asked_before() {
    let mut editor = Editor::multi_line().with_text("one two");
    let drawn = |editor: &Editor, width| -> Vec<String> {
        let rows = editor.rows(width);
        rows.iter().map(|row| row.text.clone()).collect()
    };
    assert_eq!(drawn(&editor, 40), ["one two"]);
    assert_eq!(drawn(&editor, 5), ["one ", "two"]);

    let before = editor.rows(40);
    editor.place(0, 3);
    assert!(
        std::rc::Rc::ptr_eq(&before, &editor.rows(40)),
        "the cursor moves no row"
    );
    editor.insert("!");
    assert_eq!(drawn(&editor, 40), ["one! two"]);
    editor.undo();
    assert_eq!(drawn(&editor, 40), ["one two"]);
    // When all stand-ins are taken the last chip grows.
    for _ in 0..32 {
        editor.paste(&"line\n".repeat(20));
    }
    let before = drawn(&editor, 4_000);
    editor.paste(&"line\n".repeat(20));
    assert_ne!(drawn(&editor, 4_000), before);
}
