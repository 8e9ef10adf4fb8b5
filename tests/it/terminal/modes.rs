//! The terminal is given back as it was, whatever ends the program.

use rustix::process::Signal;

use super::stories::contains;
use crate::support::terminal::{Setup, Terminal};

/// Everything that was switched on is switched off behind it.
fn assert_restored(terminal: &Terminal) {
    for (on, off) in [
        ("\x1b[?1049h", "\x1b[?1049l"),
        ("\x1b[?2004h", "\x1b[?2004l"),
        ("\x1b[?1004h", "\x1b[?1004l"),
        ("\x1b[?1006h", "\x1b[?1006l"),
        ("\x1b[?25l", "\x1b[?25h"),
    ] {
        let last = |sequence: &str| {
            let windows = terminal.bytes.windows(sequence.len());
            windows
                .enumerate()
                .rfind(|(_, window)| *window == sequence.as_bytes())
        };
        let (on_at, off_at) = (
            last(on).map(|found| found.0),
            last(off).map(|found| found.0),
        );
        assert!(
            on_at.is_some() && on_at < off_at,
            "{on:?} at {on_at:?}, {off:?} at {off_at:?}"
        );
    }
    assert!(!terminal.screen().alternate_screen());
}

#[test]
fn leaving_gives_the_terminal_back() {
    let mut terminal = Setup::new(100, 30).start();
    terminal.wait_for("2 Message");

    terminal.send("\x11");
    let status = terminal.wait_for_end();

    assert_eq!(status.exit_code(), 0);
    assert_restored(&terminal);
}

#[test]
fn a_termination_gives_the_terminal_back_and_says_so_in_its_code() {
    for open in ["", "\x10"] {
        let mut terminal = Setup::new(100, 30).kitty().start();
        terminal.wait_until("the keyboard protocol is switched on", |terminal| {
            contains(&terminal.bytes, b"\x1b[>7u")
        });
        terminal.send(open);

        terminal.signal(Signal::TERM);
        let status = terminal.wait_for_end();

        assert_eq!(status.exit_code(), 143);
        assert_restored(&terminal);
        assert!(
            contains(&terminal.bytes, b"\x1b[<1u"),
            "the keyboard protocol is off"
        );
    }
}

#[test]
fn a_stop_gives_the_terminal_back_and_going_on_paints_everything() {
    let mut terminal = Setup::new(100, 30)
        .in_shell("set -m; QD; echo it-is-stopped; read line; fg; echo it-has-ended");
    terminal.wait_for("2 Message");

    terminal.send("\x1a");
    terminal.wait_for("it-is-stopped");
    assert_restored(&terminal);
    terminal.resize(90, 28);
    terminal.send("\n");
    terminal.wait_for("2 Message");
    terminal.send("\x11");

    terminal.wait_for("it-has-ended");
    assert_restored(&terminal);
}

#[test]
fn without_a_terminal_one_line_says_so_and_nothing_else_is_written() {
    for (redirection, name) in [("< /dev/null", "input"), ("> out.txt", "output")] {
        let script = format!("QD {redirection}; echo code $? end; wc -c < out.txt");
        let mut terminal = Setup::new(100, 30).in_shell(&script);

        terminal.wait_for("code 5 end");
        terminal.wait_for_end();

        assert!(
            terminal.grid().contains("needs a terminal"),
            "{name}: {}",
            terminal.grid()
        );
        assert!(!contains(&terminal.bytes, b"\x1b["), "{name}");
    }
}
