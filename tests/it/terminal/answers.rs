//! Terminals that answer late and in pieces, and a person who does not wait for them.

use super::stories::contains;
use crate::support::terminal::{Setup, Terminal};

const ANSWERS: &str = "\x1b]11;rgb:ffff/ffff/ffff\x1b\\\x1b[?2026;2$y\x1b[?0u\x1b[?62;4c";
/// The accent of the light theme as a foreground of 24 bits.
const LIGHT_ACCENT: &[u8] = b"38;2;18;112;108";

/// A terminal that was asked, answers nothing of its own, and whose person has typed `axb` with an arrow between.
fn asked() -> Terminal {
    let mut terminal = Setup::new(100, 30).silent().start();
    terminal.wait_until("the terminal is asked", |terminal| {
        contains(&terminal.bytes, b"\x1b]11;?")
    });
    terminal.send("ab\x1b[Dx");
    terminal.wait_for("axb");
    terminal
}

/// Makes the program do something visible that no key asks for: the time between two pieces of an answer.
fn let_it_pass(terminal: &mut Terminal) {
    for (columns, rows) in [(60, 18), (100, 30)] {
        let before = terminal.bytes.len();
        terminal.resize(columns, rows);
        terminal.wait_until("the new size is painted", |terminal| {
            contains(&terminal.bytes[before..], b"\x1b[2J")
        });
    }
    terminal.wait_for("axb");
}

#[test]
fn late_answers_in_pieces_are_used_and_never_typed() {
    // In the text of the first, between the two bytes that end it, inside the others, and right behind an Escape.
    for cut in [1, 2, 10, 25, 33, 45] {
        let mut terminal = asked();
        terminal.send(&ANSWERS[..cut]);
        let_it_pass(&mut terminal);
        terminal.send(&ANSWERS[cut..]);

        terminal.wait_until("the light theme is used", |terminal| {
            contains(&terminal.bytes, LIGHT_ACCENT)
        });
        terminal.wait_until("the keyboard protocol is switched on", |terminal| {
            contains(&terminal.bytes, b"\x1b[>7u")
        });
        terminal.send("y\x1b[Dz");
        terminal.wait_for("axzyb");
        let grid = terminal.grid();
        assert!(
            !grid.contains("rgb") && !grid.contains("ffff"),
            "cut at {cut}: {grid}"
        );
    }
}

#[test]
fn what_is_typed_before_the_program_reads_arrives_in_order() {
    let mut terminal = Setup::new(100, 30).start();
    terminal.wait_until("the terminal is ours", |terminal| {
        contains(&terminal.bytes, b"\x1b[?1049h")
    });
    terminal.send("one\x1b[D\x1b[D-\x1b[C+\x1b[200~two\rthree\x1b[201~!");

    terminal.wait_for("o-n+two");
    terminal.wait_for("three!e");
}
