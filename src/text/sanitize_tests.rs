use proptest::prelude::*;

use super::*;

#[test]
fn escape_sequences_are_taken_out_whole() {
    let cases = [
        ("\u{1b}[31mred\u{1b}[0m", "red"),
        ("\u{1b}]0;title\u{7}x", "x"),
        ("\u{1b}]8;;http://a\u{1b}\\link\u{1b}]8;;\u{1b}\\", "link"),
        ("\u{1b}[?1049h\u{1b}[?1000hX", "X"),
        ("\u{1b}Pq#0;2\u{1b}\\y", "y"),
        ("\u{1b}(B\u{1b}7z\u{1b}c", "z"),
        ("\u{9b}31mred\u{9d}title\u{9c}!", "red!"),
        ("a\u{8}b\u{0}c\u{7f}", "abc"),
    ];
    for (text, expected) in cases {
        assert_eq!(clean(text), expected, "{text:?}");
    }
}

#[test]
fn an_unfinished_sequence_hides_nothing() {
    assert_eq!(clean("\u{1b}]0;rm -rf /\nnext"), "]0;rm -rf /\nnext");
    assert_eq!(clean("\u{1b}]0;one\u{1b}[31mtwo"), "]0;onetwo");
    assert_eq!(clean("\u{1b}[31各"), "[31各");
    assert_eq!(clean("end\u{1b}"), "end");
}

#[test]
fn line_ends_become_newlines_and_tabs_stay() {
    assert_eq!(clean("a\r\nb\rc\u{2028}d\te"), "a\nb\nc\nd\te");
    assert_eq!(clean_line("a\r\nb\tc"), "a b c");
    assert!(matches!(clean("plain 各 text\n"), Cow::Borrowed(_)));
}

#[test]
fn bidirectional_and_invisible_characters_are_taken_out() {
    assert_eq!(
        clean("rm -rf ./a\u{202e}gpj.b \u{200b}\u{feff}\u{e0041}x⚠\u{fe0f}"),
        "rm -rf ./agpj.b x⚠"
    );
    assert_eq!(clean("👩\u{200d}💻"), "👩💻");
    assert_eq!(clean("می\u{200c}خواهم"), "می\u{200c}خواهم");
}

#[test]
fn piled_up_marks_are_limited() {
    let piled = format!("a{}b", "\u{301}".repeat(500));

    assert_eq!(clean(&piled), format!("a{}b", "\u{301}".repeat(8)));
    assert_eq!(reveal(&piled).marks.len(), 1);
    assert!(reveal(&piled).text.ends_with("\\u{301}×492b"));
}

#[test]
fn what_is_approved_is_shown_with_everything_hidden() {
    let revealed = reveal("rm -rf ./a\u{202e}gpj.b");

    assert_eq!(
        revealed,
        Revealed {
            text: "rm -rf ./a\\u{202e}gpj.b".to_owned(),
            marks: vec![Mark {
                range: 10..18,
                hazard: Some(Hazard::Bidirectional),
            }],
        }
    );
    assert_eq!(reveal("cat file\u{200b}.txt").text, "cat file\\u{200b}.txt");
    assert!(!reveal("cargo test\n\t--all").is_suspicious());
}

#[test]
fn escapes_in_an_approval_cannot_redraw_it() {
    let revealed = reveal("touch x #\u{1b}[2K\u{1b}[1A\rls");

    assert_eq!(revealed.text, "touch x #\\u{1b}[2K\\u{1b}[1A\\u{d}ls");
    assert_eq!(revealed.marks.len(), 3);
}

#[test]
fn padding_is_folded_with_a_count() {
    let padded = format!("ls{}; rm x\n{}echo", " ".repeat(500), "\n".repeat(40));

    let revealed = reveal(&padded);

    assert_eq!(
        revealed.text,
        "ls⟨500 blanks⟩; rm x\n⟨40 blank lines⟩\necho"
    );
    assert_eq!(revealed.marks.len(), 2);
    assert_eq!(reveal("a\n\n\nb").text, "a\n\n\nb");
    assert_eq!(reveal(&"\u{a0}".repeat(90)).text, "\\u{a0}×90");
}

#[test]
fn one_line_shows_newlines_and_tabs() {
    assert_eq!(reveal_line("a\n\tb").text, "a\\n\\tb");
    assert!(reveal_line("a\nb").is_suspicious());
}

#[test]
fn a_megabyte_of_introducers_is_cleaned_in_linear_time() {
    let text = "\u{1b}]\u{1b}P\u{1b}[".repeat(1 << 18);

    assert_eq!(clean(&text).len(), 3 << 18);
}

fn texts() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        "[a-z ]{1,6}",
        Just("\u{1b}[1;31m".to_owned()),
        Just("\u{1b}]0;t\u{7}".to_owned()),
        Just("\u{1b}".to_owned()),
        Just("[".to_owned()),
        Just("\\".to_owned()),
        Just("\r".to_owned()),
        Just("\n".to_owned()),
        Just("\u{301}".repeat(5)),
        Just("\u{200d}".to_owned()),
        Just("\u{202e}".to_owned()),
        Just("ک".to_owned()),
        any::<char>().prop_map(String::from),
    ];
    prop::collection::vec(piece, 0..30).prop_map(|pieces| pieces.concat())
}

proptest! {
    #[test]
    fn nothing_that_a_terminal_obeys_is_left(text in texts()) {
        let cleaned = clean(&text).into_owned();
        let bad = |character: char| matches!(
            hazard(character),
            Some(Hazard::Control | Hazard::Bidirectional)
        );
        prop_assert!(!cleaned.contains(bad), "{:?}", cleaned);
        prop_assert_eq!(clean(&cleaned), cleaned.as_str());
        prop_assert!(!clean_line(&text).contains(['\n', '\t']));
    }

    #[test]
    fn a_revealed_text_holds_no_hazard_and_marks_all_of_them(text in texts()) {
        let revealed = reveal(&text);
        prop_assert!(!revealed.text.contains(|c| hazard(c).is_some()), "{:?}", revealed);
        prop_assert_eq!(reveal_line(&text).text.contains(['\n', '\t']), false);
        if text.contains(|c| hazard(c).is_some()) {
            prop_assert!(revealed.is_suspicious());
        }
        for mark in &revealed.marks {
            prop_assert!(revealed.text.get(mark.range.clone()).is_some());
        }
    }
}
