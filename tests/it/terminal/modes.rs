//! The terminal is given back as it was, whatever ends the program.

use rustix::{
    process::{Pid, Signal, kill_process, test_kill_process},
    termios::{Action, LocalModes},
};

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

/// The workbench below the shell that runs it.
fn workbench(terminal: &Terminal) -> Pid {
    let shell = terminal.process();
    let children = std::fs::read_to_string(format!("/proc/{shell}/task/{shell}/children")).unwrap();
    let first = children.split_whitespace().next().expect("a child");
    Pid::from_raw(first.parse().unwrap()).unwrap()
}

#[test]
fn a_stop_from_outside_leaves_a_terminal_that_works_again_afterwards() {
    for signal in [Signal::STOP, Signal::TSTP] {
        let mut terminal = Setup::new(100, 30)
            .in_shell("set -m; QD; echo it-is-stopped; read line; fg; echo it-has-ended");
        terminal.wait_for("2 Message");
        terminal.send("words");
        terminal.wait_for("words");

        kill_process(workbench(&terminal), signal).unwrap();
        terminal.wait_for("it-is-stopped");
        if signal == Signal::TSTP {
            assert_restored(&terminal);
        }
        let before = terminal.bytes.len();
        terminal.send("\n");
        terminal.wait_until("the workbench is back", |terminal| {
            contains(&terminal.bytes[before..], b"\x1b[?1049h")
                && terminal.grid().contains("2 Message")
        });
        // In a terminal that is not raw this would be the end.
        terminal.send("\x03still here");
        terminal.wait_for("still here");
        terminal.send("\x11");

        terminal.wait_for("it-has-ended");
        assert_restored(&terminal);
    }
}

#[test]
fn a_draft_outlives_an_end_right_behind_its_last_key() {
    for end in ["\x11", "TERM", "HUP", "QUIT"] {
        let mut terminal =
            Setup::new(100, 30).in_shell("QD; echo it-has-ended; read line; QD; true");
        terminal.wait_for("2 Message");

        terminal.send("words of a draft");
        terminal.wait_for("words of a draft");
        let signal = match end {
            "TERM" => Some(Signal::TERM),
            "HUP" => Some(Signal::HUP),
            "QUIT" => Some(Signal::QUIT),
            keys => {
                terminal.send(keys);
                None
            }
        };
        if let Some(signal) = signal {
            kill_process(workbench(&terminal), signal).unwrap();
        }
        terminal.wait_for("it-has-ended");
        assert_restored(&terminal);
        terminal.send("\n");

        terminal.wait_for("words of a draft");
    }
}

/// Holds the output of a terminal.
fn held(terminal: &Terminal) -> std::fs::File {
    let slave = std::fs::File::open(format!("/proc/{}/fd/0", terminal.process())).unwrap();
    rustix::termios::tcflow(&slave, Action::OOff).unwrap();
    slave
}

fn assert_not_raw(slave: &std::fs::File) {
    let modes = rustix::termios::tcgetattr(slave).unwrap();
    assert!(
        modes.local_modes.contains(LocalModes::ICANON),
        "raw mode is off"
    );
    assert!(
        modes.local_modes.contains(LocalModes::ECHO),
        "what is typed is seen"
    );
}

#[test]
fn a_terminal_that_takes_no_output_does_not_keep_the_program() {
    // At the first frame, while a frame is held up, and while nothing is to be painted.
    for (text, typed) in [
        ("2 Message", "nobody sees this"),
        ("rests", "nobody"),
        ("rests", ""),
    ] {
        let mut terminal = Setup::new(100, 30).start();
        terminal.wait_for(text);
        let slave = held(&terminal);

        terminal.send(typed);
        terminal.signal(Signal::TERM);
        let status = terminal.wait_for_exit();

        assert_eq!(status.exit_code(), 143);
        assert_not_raw(&slave);
    }
}

#[test]
fn a_shell_has_its_terminal_back_although_it_took_no_output() {
    for typed in ["nobody sees this", ""] {
        let mut terminal = Setup::new(100, 30).in_shell("QD; echo code:$?:; read line");
        terminal.wait_for("rests");
        let slave = held(&terminal);
        let program = workbench(&terminal);

        terminal.send(typed);
        kill_process(program, Signal::TERM).unwrap();
        terminal.wait_outside("the program ends", |_| {
            test_kill_process(program).is_err().then_some(())
        });
        assert_not_raw(&slave);
        terminal.wait_for("code:143:");
        assert_restored(&terminal);
    }
}

/// An editor that says that it runs, and adds a line when one was typed.
const EDITOR: &str = "sh -c 'echo editor-runs; read line; echo $line >> \"$1\"' sh";

#[test]
fn the_editor_gives_back_the_draft_once() {
    let mut terminal = Setup::new(100, 30).variable("EDITOR", EDITOR).start();
    terminal.wait_for("2 Message");
    terminal.send("one");
    terminal.wait_for("one");

    terminal.send("\x07");
    terminal.wait_for("editor-runs");
    // What keys of the terminal send to everything in front is for the editor alone.
    for signal in [Signal::INT, Signal::QUIT] {
        terminal.signal(signal);
    }
    terminal.send("two\n");
    terminal.wait_for("2 Message");
    terminal.wait_for("two");

    assert_eq!(
        terminal.grid().matches("one").count(),
        1,
        "{}",
        terminal.grid()
    );
}

#[test]
fn an_editor_that_fails_changes_nothing() {
    let mut terminal = Setup::new(100, 30).variable("EDITOR", "false").start();
    terminal.wait_for("2 Message");
    terminal.send("one");
    terminal.wait_for("one");

    terminal.send("\x07");
    terminal.wait_for("the editor failed");

    assert_eq!(
        terminal.grid().matches("one").count(),
        1,
        "{}",
        terminal.grid()
    );
}

#[test]
fn a_termination_ends_the_editor_too() {
    let mut terminal = Setup::new(100, 30).variable("EDITOR", EDITOR).start();
    terminal.wait_for("2 Message");
    terminal.send("\x07");
    terminal.wait_for("editor-runs");

    terminal.signal(Signal::TERM);
    let status = terminal.wait_for_end();

    assert_eq!(status.exit_code(), 143);
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

/// B49: what a command prints switches nothing, whether it is shown folded or open.
#[test]
fn b49_sequences_that_a_command_prints_never_reach_the_terminal() {
    let mut terminal = Setup::new(100, 30).start();
    terminal.wait_for("2 Message");
    let count = |terminal: &Terminal, sequence: &str| {
        let windows = terminal.bytes.windows(sequence.len());
        windows
            .filter(|window| *window == sequence.as_bytes())
            .count()
    };
    let switches = [
        "\x1b[?1049h",
        "\x1b[?1000h",
        "\x1b[?1049l",
        "\x1b]0;hi",
        "\x1b[2J\x1b[3J",
    ];
    let before = switches.map(|sequence| count(&terminal, sequence));

    terminal.send(
        r"!printf '\033[?1049h\033[?1000h\033[?1049l\033]0;hi\007\033[2J\033[3JX-%s-X\n' shown",
    );
    terminal.wait_for("%s-X");
    terminal.send("\r");
    terminal.wait_for("X-shown-X");

    assert_eq!(switches.map(|sequence| count(&terminal, sequence)), before);
}
