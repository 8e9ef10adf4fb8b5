//! Typing into a program that asks: the whole way from a real key to a real pseudo-terminal inside another one.

use crate::support::terminal::{Setup, Terminal};

/// Nothing is asked, and nothing holds the command.
const FREE: &[&str] = &["--mode", "open", "--level", "unrestricted"];

/// The program with a call that has a terminal, typed into once the command has printed these words.
fn attended(arguments: &[&str], command: &str, words: &str) -> Terminal {
    let mut terminal = Setup::new(120, 40).arguments(arguments).start();
    terminal.wait_for("2 Message");
    terminal.send(format!("type {command}\r"));
    terminal.wait_for("Alt+Shift+I types into it");
    terminal.wait_for(words);
    terminal.send("\x1bI");
    terminal.wait_for("you type ");
    terminal
}

#[test]
fn a_password_is_asked_for_and_never_shown() {
    let command = r#"read -rsp "Pass""word: " word; echo; echo ${#word} "let""ters""#;
    let mut terminal = attended(FREE, command, "Password:");

    terminal.send("open-sesame\r");
    terminal.wait_for("11 letters");

    let seen = String::from_utf8_lossy(&terminal.bytes);
    assert!(!seen.contains("sesame"));
}

#[test]
fn an_answer_is_typed_pasted_and_mended_and_the_person_is_back_in_their_message() {
    let command = r#"read -rp "Na""me? " name; echo "Hel""lo $name.""#;
    let mut terminal = attended(FREE, command, "Name?");

    terminal.paste("Ada\u{1b}[31m Lovelace");
    terminal.wait_for("Name? Ada[31m Lovelace");
    terminal.send("\x15Adb\x7fa");
    terminal.wait_for("Name? Ada");
    terminal.send("\r");
    terminal.wait_for("Hello Ada.");

    terminal.wait_for("Enter send");
    terminal.send("and then");
    terminal.wait_for("and then");
}

#[test]
fn a_program_is_left_and_goes_on_and_its_keys_interrupt_it() {
    let command =
        r#"trap 'echo "inter""rupted"; exit 4' INT; echo "rea""dy"; while :; do sleep 1; done"#;
    let mut terminal = attended(FREE, command, "ready");

    terminal.send("\x1b");
    terminal.wait_for("Alt+Shift+I types into it");
    terminal.send("\x17I");
    terminal.wait_for("you type ");
    terminal.send("\x03");

    terminal.wait_for("exit 4");
    terminal.wait_for("interrupted");
}

#[test]
fn a_pager_turns_its_pages_and_knows_how_much_is_seen() {
    let mut terminal = attended(FREE, "seq 1 500 | TERM=vt100 less -e", "17");

    terminal.wait_for("│ 30 ");
    terminal.send(" ");
    terminal.wait_for("│ 60 ");
    terminal.send("q");
    terminal.wait_for("ok");
}

#[test]
fn a_program_hears_of_another_size() {
    let command = r#"echo "rea""dy"; while read -r line; do stty size; done"#;
    let mut terminal = attended(FREE, command, "ready");

    terminal.send("\r");
    terminal.wait_for("31 67");
    terminal.resize(100, 30);
    terminal.wait_for("3 Agents │ 4");
    terminal.send("\r");
    terminal.wait_for("21 55");
    terminal.send("\x04");
    terminal.wait_for("ok");
}

/// What the program is held by changes nothing about its terminal: it is its own, has a name, and its keys work.
#[test]
fn every_sandbox_gives_the_command_a_terminal_of_its_own() {
    let command = r#"tty; [ -t 2 ] && : < /dev/tty && read -rp "Na""me? " name && echo "Hel""lo $name, $(ps -o tty= $$)""#;
    for backend in ["namespaces", "bubblewrap", "landlock"] {
        let arguments = ["--mode", "open", "--sandbox-backend", backend];
        let mut terminal = attended(&arguments, command, "Name?");
        terminal.wait_for("/dev/pts/");
        terminal.send("Ada\r");
        terminal.wait_for("Hello Ada, pts/");
    }
}

#[test]
fn a_program_that_waits_for_ever_ends_with_its_turn() {
    let command =
        r#"setsid sleep 600 & echo $$ >pid; trap '' INT TERM HUP; read -rp "Na""me? " name"#;
    let mut terminal = attended(FREE, command, "Name?");
    let pid = std::fs::read_to_string(terminal.home.path().join("project/pid")).unwrap();

    terminal.send("\x1b");
    terminal.wait_for("Enter steer");
    terminal.send("\x1b");
    terminal.wait_for("stopped");

    let shell = std::path::PathBuf::from(format!("/proc/{}", pid.trim()));
    terminal.wait_outside("the shell is gone", |_| (!shell.exists()).then_some(()));
}

#[test]
fn a_command_line_of_the_persons_asks_the_person() {
    let mut terminal = Setup::new(120, 40).start();
    terminal.wait_for("2 Message");

    terminal.send("/type read -rp \"Na\"\"me? \" name; echo \"Hel\"\"lo $name.\"\r");
    terminal.wait_for("Name?");
    terminal.send("Ada\r");

    terminal.wait_for("Hello Ada.");
}
