//! First frame, typing, pasting, resizing: what a person does in the first minutes.

use crate::support::terminal::Setup;

#[test]
fn the_first_frame_shows_the_panes_and_says_that_a_script_answers() {
    let mut terminal = Setup::new(120, 40).start();

    terminal.wait_for("1 Conversation");
    terminal.wait_for("6 Context");
    terminal.wait_for("practice (a script, no model)");
}

#[test]
fn a_typed_message_is_sent_and_answered() {
    let mut terminal = Setup::new(100, 30).start();
    terminal.wait_for("2 Message");

    terminal.send("hello");
    terminal.wait_for("hello");
    terminal.send("\r");

    terminal.wait_for("I am the practice model");
}

#[test]
fn a_pasted_line_end_sends_nothing() {
    let mut terminal = Setup::new(100, 30).start();
    terminal.wait_for("2 Message");

    terminal.paste("one\rtwo\nthree");
    terminal.wait_for("three");

    assert!(
        !terminal.grid().contains("practice model"),
        "{}",
        terminal.grid()
    );
    assert!(!terminal.grid().contains("You"), "{}", terminal.grid());
    terminal.wait_for("one");
}

#[test]
fn a_large_paste_arrives_whole_and_the_screen_goes_on() {
    let mut terminal = Setup::new(100, 30).start();
    terminal.wait_for("2 Message");
    let line = "各 wide\tand plain 0123456789\n";
    let text = line.repeat(100 * 1024 / line.len());

    terminal.send("before ");
    terminal.send("\x1b[200~");
    for piece in text.as_bytes().chunks(1024) {
        terminal.send(piece);
    }
    terminal.send("\x1b[201~");
    terminal.send("after");

    terminal.wait_for("before");
    terminal.wait_for("after");
    terminal.wait_for("[paste 1: ");
}

#[test]
fn a_released_key_types_nothing() {
    let mut terminal = Setup::new(100, 30).kitty().start();
    terminal.wait_until("the keyboard protocol is switched on", |terminal| {
        contains(&terminal.bytes, b"\x1b[>7u")
    });

    terminal.send("\x1b[104;1:1u\x1b[104;1:3u\x1b[105;1:1u\x1b[105;1:3uQ");
    terminal.wait_for("hiQ");
    terminal.send("\x7f\x1b[13;1:1u\x1b[13;1:3u");

    terminal.wait_for("I am the practice model");
    let prompts = terminal.grid().matches("You").count();
    assert_eq!(prompts, 1, "{}", terminal.grid());
}

#[test]
fn the_screen_follows_every_size() {
    let mut terminal = Setup::new(120, 40).start();
    terminal.wait_for("6 Context");

    terminal.resize(60, 18);
    terminal.wait_for("2 Message │ 3");
    terminal.resize(12, 3);
    terminal.wait_for("too small");
    terminal.resize(120, 40);

    terminal.wait_for("6 Context");
}

#[test]
fn the_keys_of_the_palette_work_in_the_real_terminal() {
    let mut terminal = Setup::new(100, 30).start();
    terminal.wait_for("2 Message");

    terminal.send("\x10");
    terminal.wait_for("type to narrow");
    terminal.send("theme\r");

    terminal.wait_for("light");
}

#[cfg(target_os = "linux")]
#[test]
fn a_configured_key_is_out_of_sight_of_every_other_program() {
    let script = "mkdir -p $HOME/qd/config; \
                  printf '[accounts.a]\\nbackend = \"openai-chat-completions\"\\nbase_url = \"http://127.0.0.1:9/v1\"\\n\
                  api_key_env = \"ACME\"\\n' >$HOME/qd/config/config.toml; exec QD";
    let mut terminal = Setup::new(100, 30)
        .variable("ACME", "canary")
        .in_shell(script);
    terminal.wait_for("2 Message");

    let seen = std::fs::read(format!("/proc/{}/environ", terminal.process())).unwrap();

    assert!(contains(&seen, b"QD_HOME="));
    assert!(!contains(&seen, b"canary"));
}

#[test]
fn hidden_panes_stay_hidden_at_the_next_start() {
    let mut terminal = Setup::new(120, 40).in_shell("QD; echo it-has-ended; read line; QD; true");
    terminal.wait_for("5 Scratchpad");
    terminal.send("\x1b5");
    terminal.send("\x1b-");
    terminal.wait_until("the pane is hidden", |terminal| {
        !terminal.grid().contains("5 Scratchpad")
    });
    terminal.send("\x11");
    terminal.wait_for("it-has-ended");
    terminal.send("\n");

    terminal.wait_for("6 Context");
    assert!(
        !terminal.grid().contains("5 Scratchpad"),
        "{}",
        terminal.grid()
    );
    terminal.send("\x1b0");
    terminal.wait_for("5 Scratchpad");
}

/// The program is killed while two messages wait; begun again, it has them in the draft.
#[test]
#[cfg(target_os = "linux")]
fn what_waits_to_be_sent_outlives_a_kill() {
    let mut terminal = Setup::new(100, 30).in_shell("QD; QD -c");
    terminal.wait_for("2 Message");
    terminal.send("run sleep 600\r");
    terminal.wait_for("shell_execute sleep 600");
    terminal.send("\x1b2first of all\t");
    terminal.wait_for("⋯ queue      first of all");
    terminal.send("second\t");
    terminal.wait_for("⋯ queue      second");

    let shell = terminal.process();
    let children = std::fs::read_to_string(format!("/proc/{shell}/task/{shell}/children"));
    let program: i32 = children.unwrap().trim().parse().unwrap();
    let program = rustix::process::Pid::from_raw(program).unwrap();
    rustix::process::kill_process(program, rustix::process::Signal::KILL).unwrap();

    terminal.wait_for("was not sent");
    terminal.wait_for("first of all");
    terminal.wait_for("second");
    assert!(!terminal.grid().contains("⋯ queue"), "{}", terminal.grid());
}

pub(super) fn contains(bytes: &[u8], part: &[u8]) -> bool {
    bytes.windows(part.len()).any(|window| window == part)
}
