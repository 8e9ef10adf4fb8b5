use std::fmt::Write as _;

use proptest::prelude::*;

use super::*;
use crate::text::sanitize;

#[test]
fn three_thousand_progress_frames_become_one_line() {
    let mut output = String::new();
    for frame in 1..=3_000 {
        write!(output, "\r{frame}/3000").unwrap();
    }
    output.push('\n');

    assert_eq!(plain(output.as_bytes()), "3000/3000\n");
}

#[test]
fn going_back_prints_over_what_was_there() {
    let cases: [(&str, &str); 14] = [
        ("abcdef\rxy", "xycdef"),
        ("abc\r\ndef\r\n", "abc\ndef\n"),
        ("100%\r\u{1b}[K5%\n", "5%\n"),
        ("abc\u{8}\u{8}X", "aXc"),
        ("ab\u{1b}[5GX", "ab  X"),
        ("ab\u{1b}[2KX", "  X"),
        ("abc\u{1b}[2D\u{1b}[1Kd", " dc"),
        ("各各\rx", "x 各"),
        ("各\u{1b}[2Gx", " x"),
        ("a\tb\rX", "X\tb"),
        ("a\tb\u{1b}[4GX", "a  X    b"),
        ("\tx\n", "\tx\n"),
        ("e\u{301}x\rE", "Ex"),
        ("a\u{7f}\u{7}\u{0}b", "ab"),
    ];
    for (output, expected) in cases {
        assert_eq!(plain(output.as_bytes()), expected, "{output:?}");
    }
}

#[test]
fn no_sequence_is_left_and_no_mode_is_switched() {
    let output = "\u{1b}[?1049h\u{1b}[?1000h\u{1b}]0;hi\u{7}\u{1b}[31mX\u{1b}[0m\u{1b}P1$r\u{1b}\\\u{202e}\u{200b}\n";

    assert_eq!(plain(output.as_bytes()), "X\n");
}

#[test]
fn an_unfinished_sequence_swallows_one_line_at_most() {
    assert_eq!(plain(b"a\x1b]0;title\nb\nc"), "a\nb\nc");
    assert_eq!(plain(b"a\x1bPq\nb"), "a\nb");
    assert_eq!(plain(b"a\x1b_x\nb"), "a\nb");
    let mut endless = b"\x1b]".to_vec();
    endless.extend(std::iter::repeat_n(b'y', 3 << 20));
    assert!(plain(&endless).len() > 1 << 20);
}

#[test]
fn characters_split_between_pieces_are_whole() {
    let mut printer = Printer::new();

    printer.feed(b"\xe2");
    printer.feed(b"\x86");
    printer.feed(b"\x92\n\xff\xe2\x86");
    printer.finish();

    assert_eq!(printer.take(), "→\n\u{fffd}\u{fffd}");
}

#[test]
fn several_progress_lines_collapse_once_the_program_has_gone_up() {
    let mut output = String::from("start\n");
    for frame in 1..=100 {
        if frame > 1 {
            output.push_str("\u{1b}[2A");
        }
        write!(output, "\u{1b}[2Kone {frame}\n\u{1b}[2Ktwo {frame}\n").unwrap();
    }
    output.push_str("end\n");

    assert_eq!(
        plain(output.as_bytes()),
        "start\none 1\ntwo 1\none 100\ntwo 100\nend\n"
    );
}

#[test]
fn text_placed_on_a_screen_starts_a_line() {
    assert_eq!(plain(b"\x1b[2J\x1b[1;1Hone\x1b[5;1Htwo"), "one\ntwo");
}

#[test]
fn a_line_without_end_is_settled_in_parts() {
    let mut printer = Printer::new();
    let line = "→".repeat(100_000);

    printer.feed(line.as_bytes());

    assert!(printer.open().len() <= LONGEST_OPEN_LINE + 4);
    printer.finish();
    assert_eq!(printer.take(), line);
}

#[test]
fn a_line_without_end_is_settled_in_parts_after_the_program_has_gone_up() {
    let mut printer = Printer::new();
    let line = "y".repeat(3 * LONGEST_OPEN_LINE);

    printer.feed(b"a\n\x1b[Ab\n");
    printer.feed(line.as_bytes());

    assert!(printer.open().len() <= LONGEST_OPEN_LINE + 1);
    printer.finish();
    assert!(printer.take() == format!("a\nb\n{line}"));
}

#[test]
fn a_far_cursor_costs_no_memory() {
    let output = "\u{1b}[65535C\u{1b}[65535Cx\n\u{1b}[65535Gy\u{1b}[65535Bz";

    assert!(plain(output.as_bytes()).len() < 3 * 17_000);
}

#[test]
fn live_pieces_take_back_the_unfinished_line_and_keep_the_end() {
    let mut shown = String::new();

    for piece in ["one\ntw", "\rtwo\n1%", "\r2%", "\r3%\rdone\n"] {
        append(&mut shown, piece, 1_000);
    }
    assert_eq!(shown, "one\ntwo\ndone\n");

    append(&mut shown, "four\n", 10);
    assert_eq!(shown, "done\nfour\n");
    append(&mut shown, &"各".repeat(10), 8);
    assert_eq!(shown, "各各");
}

fn outputs() -> impl Strategy<Value = Vec<u8>> {
    let piece = prop_oneof![
        "[a-z ]{1,6}".prop_map(String::into_bytes),
        Just("→".as_bytes().to_vec()),
        Just("👩\u{200d}👧".as_bytes().to_vec()),
        Just("e\u{301}".as_bytes().to_vec()),
        Just(b"\r".to_vec()),
        Just(b"\n".to_vec()),
        Just(b"\t".to_vec()),
        Just(b"\x08".to_vec()),
        Just(b"\x1b[2A".to_vec()),
        Just(b"\x1b[K".to_vec()),
        Just(b"\x1b[1K".to_vec()),
        Just(b"\x1b[3D".to_vec()),
        Just(b"\x1b[9C".to_vec()),
        Just(b"\x1b[J".to_vec()),
        Just(b"\x1b[4;4H".to_vec()),
        Just(b"\x1b[1;31m".to_vec()),
        Just(b"\x1b]0;title\x07".to_vec()),
        Just(b"\x1b]".to_vec()),
        Just(b"\x1bP".to_vec()),
        Just(b"\x1b\\".to_vec()),
        prop::collection::vec(any::<u8>(), 1..5),
    ];
    prop::collection::vec(piece, 0..40).prop_map(|pieces| pieces.concat())
}

proptest! {
    #[test]
    fn pieces_of_any_size_give_the_same_text(
        output in outputs(),
        cuts in prop::collection::vec(any::<prop::sample::Index>(), 0..8),
    ) {
        let mut cuts: Vec<usize> = cuts.iter().map(|cut| cut.index(output.len() + 1)).collect();
        cuts.extend([0, output.len()]);
        cuts.sort_unstable();
        let mut printer = Printer::new();
        let mut text = String::new();
        for pair in cuts.windows(2) {
            printer.feed(&output[pair[0]..pair[1]]);
            text.push_str(&printer.take());
        }
        printer.finish();
        text.push_str(&printer.take());

        prop_assert_eq!(text, plain(&output));
    }

    #[test]
    fn printed_text_is_clean(output in outputs()) {
        let text = plain(&output);
        let bad = |character: char| matches!(
            sanitize::hazard(character),
            Some(sanitize::Hazard::Control | sanitize::Hazard::Bidirectional)
        );
        prop_assert!(!text.contains(bad), "{:?}", text);
    }

    #[test]
    fn text_without_controls_is_printed_as_it_is(text in "[a-zé各\n\t ]{0,80}") {
        prop_assert_eq!(plain(text.as_bytes()), text);
    }
}
