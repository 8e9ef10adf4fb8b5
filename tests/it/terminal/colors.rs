//! Colours that the terminal has, on the background that it has.

use super::stories::contains;
use crate::support::terminal::Setup;

/// The accent of the light theme as a foreground of 24 bits.
const LIGHT_ACCENT: &[u8] = b"38;2;18;112;108";

/// Every parameter of every SGR sequence.
fn parameters(bytes: &[u8]) -> Vec<u32> {
    let text = String::from_utf8_lossy(bytes);
    let mut all = Vec::new();
    for piece in text.split("\x1b[").skip(1) {
        let end = piece.find(|c: char| c.is_ascii_alphabetic()).unwrap_or(0);
        if piece[end..].starts_with('m') {
            all.extend(
                piece[..end]
                    .split([';', ':'])
                    .filter_map(|number| number.parse::<u32>().ok()),
            );
        }
    }
    all
}

#[test]
fn without_colour_no_colour_is_ever_written() {
    let mut terminal = Setup::new(120, 40).variable("NO_COLOR", "1").start();
    terminal.wait_for("2 Message");
    terminal.send("hello\r");
    terminal.wait_for("I am the practice model");
    terminal.send("\x10");
    terminal.wait_for("type to narrow");
    terminal.send("\x1b[B\x1b");
    terminal.wait_until("the palette is closed", |terminal| {
        !terminal.grid().contains("type to narrow")
    });

    let colors: Vec<u32> = parameters(&terminal.bytes)
        .into_iter()
        .filter(|code| matches!(code, 30..=38 | 40..=48 | 90..=107))
        .collect();

    assert_eq!(colors, Vec::<u32>::new());
    assert!(
        parameters(&terminal.bytes).contains(&7),
        "the selection is reversed"
    );
}

#[test]
fn a_light_terminal_gets_the_light_theme() {
    let mut terminal = Setup::new(100, 30).background("rgb:ffff/ffff/ffff").start();

    terminal.wait_until("the light theme is used", |terminal| {
        contains(&terminal.bytes, LIGHT_ACCENT)
    });
}

#[test]
fn a_terminal_that_answers_nothing_is_used_all_the_same() {
    let mut terminal = Setup::new(100, 30)
        .silent()
        .variable("COLORFGBG", "0;15")
        .start();

    terminal.wait_for("2 Message");
    terminal.send("typed");
    terminal.wait_for("typed");

    assert!(contains(&terminal.bytes, LIGHT_ACCENT));
}

#[test]
fn sixteen_colours_are_all_that_a_plain_terminal_gets() {
    let mut terminal = Setup::new(100, 30)
        .variable("TERM", "linux")
        .variable("COLORTERM", "")
        .start();

    terminal.wait_for("2 Message");

    let text = String::from_utf8_lossy(&terminal.bytes).into_owned();
    assert!(
        !text.contains("8;2;") && !text.contains("8;5;1"),
        "{text:?}"
    );
}
