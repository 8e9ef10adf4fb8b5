use proptest::prelude::*;

use super::*;
use crate::text::width::columns;

fn shown(text: &str, width: usize) -> Vec<&str> {
    wrap(text, width).iter().map(|row| row.of(text)).collect()
}

#[test]
fn words_move_to_the_next_row_and_the_blank_between_is_not_shown() {
    assert_eq!(shown("the quick brown fox", 10), ["the quick", "brown fox"]);
    assert_eq!(shown("ab   cd", 3), ["ab", "cd"]);
}

#[test]
fn a_word_longer_than_the_row_is_broken() {
    assert_eq!(shown("a abcdefgh b", 4), ["a", "abcd", "efgh", "b"]);
}

#[test]
fn indentation_stays_with_its_word() {
    assert_eq!(shown("  abcdefgh", 6), ["  abcd", "efgh"]);
    assert_eq!(shown("\tif x {", 6), ["\tif", "x {"]);
}

#[test]
fn blanks_at_the_edge_swallow_the_line_end() {
    let rows = wrap("foo   \nbar", 3);

    assert_eq!(
        rows,
        [
            Row {
                start: 0,
                end: 3,
                next: 7,
                continues: false
            },
            Row {
                start: 7,
                end: 10,
                next: 10,
                continues: false
            },
        ]
    );
}

#[test]
fn lines_end_rows_and_a_last_newline_opens_none() {
    assert_eq!(shown("a\r\n\nb\n", 5), ["a", "", "b"]);
    assert_eq!(shown("", 5), [""]);
}

#[test]
fn ideographs_break_anywhere_but_before_a_closing_mark() {
    assert_eq!(shown("各各各各", 4), ["各各", "各各"]);
    assert_eq!(shown("各各。各", 4), ["各", "各。", "各"]);
    assert_eq!(shown("run 各各", 6), ["run 各", "各"]);
}

#[test]
fn code_breaks_behind_a_blank_near_the_end_of_the_row() {
    let rows = |text: &str| -> Vec<String> {
        Wrap::anywhere(12)
            .rows(text)
            .map(|row| row.of(text).to_owned())
            .collect()
    };

    assert_eq!(rows("it is a plain script"), ["it is a ", "plain script"]);
    assert_eq!(rows("a longwordindeed"), ["a longwordin", "deed"]);
}

#[test]
fn code_breaks_anywhere_and_keeps_its_blanks() {
    let text = "let x  = 1";

    let rows: Vec<&str> = Wrap::anywhere(5)
        .rows(text)
        .map(|row| row.of(text))
        .collect();

    assert_eq!(rows, ["let x", "  = 1"]);
}

#[test]
fn continued_rows_may_be_narrower() {
    let text = "one two three four";

    let rows: Vec<(&str, bool)> = Wrap::words(8)
        .hanging(3)
        .rows(text)
        .map(|row| (row.of(text), row.continues))
        .collect();

    assert_eq!(rows, [("one two", false), ("three", true), ("four", true)]);
}

#[test]
fn a_line_of_eight_megabytes_is_wrapped_in_linear_steps() {
    let text = "x".repeat(8 << 20);

    let rows = Wrap::words(100).rows(&text).count();

    assert_eq!(rows, (8usize << 20).div_ceil(100));
}

fn texts() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        "[a-z]{1,12}",
        Just(" ".to_owned()),
        Just("    ".to_owned()),
        Just("\t".to_owned()),
        Just("\n".to_owned()),
        Just("\r\n".to_owned()),
        Just("各".to_owned()),
        Just("。".to_owned()),
        Just("👩\u{200d}👩\u{200d}👧".to_owned()),
        Just("e\u{301}".to_owned()),
        Just("\u{200b}".to_owned()),
        Just("⚠\u{fe0f}".to_owned()),
        any::<char>().prop_map(String::from),
    ];
    prop::collection::vec(piece, 0..40).prop_map(|pieces| pieces.concat())
}

proptest! {
    #[test]
    fn rows_laid_end_to_end_are_the_text(text in texts(), width in 0usize..20, words: bool) {
        let wrap = if words { Wrap::words(width) } else { Wrap::anywhere(width) };
        let mut at = 0;
        for row in wrap.rows(&text) {
            prop_assert_eq!(row.start, at);
            prop_assert!(row.start <= row.end && row.end <= row.next);
            let swallowed = &text[row.end..row.next];
            prop_assert!(swallowed.chars().all(char::is_whitespace), "{:?}", swallowed);
            at = row.next;
        }
        prop_assert_eq!(at, text.len());
    }

    #[test]
    fn a_row_begins_and_ends_between_characters(text in texts(), width in 0usize..20, words: bool) {
        let wrap = if words { Wrap::words(width) } else { Wrap::anywhere(width) };
        let mut places: Vec<usize> = graphemes(&text).map(|(at, _)| at).collect();
        places.push(text.len());
        for row in wrap.rows(&text) {
            for at in [row.start, row.end] {
                // A line end is no character of a row: `\r\n` is passed over as a whole, or from its `\n` on.
                let is_end = text[at..].starts_with('\n');
                prop_assert!(is_end || places.binary_search(&at).is_ok(), "{:?} at {}", text, at);
            }
        }
    }

    #[test]
    fn a_row_is_never_wider_than_asked_unless_it_is_one_grapheme(text in texts(), width in 1usize..20) {
        for row in wrap(&text, width) {
            let shown = row.of(&text);
            let fits = columns(shown) <= width;
            let visible = graphemes(shown).filter(|(_, g)| columns(g) > 0).count();
            prop_assert!(fits || visible == 1, "{:?} at {}", shown, width);
        }
    }
}
