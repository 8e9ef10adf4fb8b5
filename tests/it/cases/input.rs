//! Fault cases of the keyboard: pastes, releases, the cursor, Ctrl+C, history, drafts.

use crossterm::event::{KeyCode, KeyEvent, KeyEventKind, KeyModifiers};
use proptest::prelude::{Just, ProptestConfig, Strategy, any, prop_oneof, proptest};
use quarterdeck::{
    domain::{
        ids::{AgentId, CallId, QueuedId, Sequence},
        record::{Lane, Record, Speaker, Stored},
        tool::{CallStatus, ToolResult},
    },
    engine::{
        command::{Command, Fetch},
        event::{EventKind, Fetched, Queued},
    },
    ui::{Effect, Message, message::Done},
};
use ratatui::layout::Position;

use crate::support::{golden::Stage, sample};

fn drafts(stage: &mut Stage) -> Vec<String> {
    stage
        .take_effects()
        .into_iter()
        .filter_map(|effect| match effect {
            Effect::Send(Command::SaveDraft { text }) => Some(text),
            _ => None,
        })
        .collect()
}

fn draft(stage: &Stage) -> String {
    stage.model.composer.editor.text()
}

fn send(text: &str, lane: Lane) -> Command {
    Command::Send {
        agent: AgentId::main(),
        text: text.to_owned(),
        lane,
    }
}

#[test]
fn what_is_opened_before_the_session_is_stays_open_and_what_lies_over_another_goes() {
    let mut stage = Stage::new(80, 24);
    stage.press("ctrl+p");
    stage.event("main", EventKind::Opened(Box::new(sample::opening())));
    assert!(stage.grid().contains("Commands"), "{}", stage.grid());

    stage.event("main", EventKind::Opened(Box::new(sample::opening())));
    assert!(!stage.grid().contains("Commands"), "{}", stage.grid());
}

fn idle() -> Stage {
    let mut stage = sample::opened(80, 24);
    stage.take_effects();
    stage
}

/// The sample session at work.
fn busy() -> Stage {
    let mut stage = sample::session(80, 24);
    stage.take_effects();
    stage
}

#[test]
fn what_the_editor_saved_takes_the_place_of_the_draft() {
    let mut stage = idle();
    stage.type_text("one");
    stage.press("ctrl+g");
    let opened = Effect::OpenEditor("one".to_owned());
    assert!(stage.take_effects().contains(&opened));
    stage.send(Message::Done(Done::Edited("one\ntwo".to_owned())));

    assert_eq!(draft(&stage), "one\ntwo");
}

#[test]
fn words_that_the_engine_refused_are_in_the_draft_again() {
    for (typed, keys) in [
        ("look here", "enter"),
        ("!ls", "enter"),
        ("!!ls -l", "enter"),
    ] {
        let mut stage = idle();
        stage.type_text(typed);
        stage.press(keys);
        let sent = stage.take_commands().remove(0);
        stage.type_text("next");
        stage.send(Message::Done(Done::Refused(Box::new(sent))));

        assert_eq!(draft(&stage), format!("{typed}\nnext"));
        assert!(stage.grid().contains("does not take commands"));
    }
}

#[test]
fn b77_a_pasted_newline_never_sends() {
    for mut stage in [idle(), busy()] {
        stage.send(Message::Paste("one\rtwo\nthree".to_owned()));

        assert_eq!(draft(&stage), "one\ntwo\nthree");
        assert_eq!(stage.take_commands(), []);
        stage.press("enter");
        assert_eq!(
            stage.take_commands(),
            [send("one\ntwo\nthree", Lane::Steer)]
        );
    }
}

#[test]
fn b77_a_paste_into_an_approval_or_a_form_answers_nothing() {
    let mut approval = sample::approval(1);
    approval.agent = AgentId::main();
    let form = sample::form(2);
    let asks = [
        EventKind::ApprovalAsked(Box::new(approval)),
        EventKind::QuestionAsked(Box::new(form)),
    ];
    for ask in asks {
        let mut stage = busy();
        stage.event("main", ask);
        stage.paint();
        stage.advance(2_000);
        stage.send(Message::Paste("a\ry\n1\r\n".to_owned()));

        assert_eq!(stage.take_commands(), []);
        assert_eq!(draft(&stage), "a\ny\n1\n");
    }
}

#[test]
fn b79_a_hundred_kilobytes_into_the_middle_of_a_line_are_sent_exactly() {
    let unit = "abc 各\tdef 漢字 0123456789 ";
    let big = unit.repeat(100_000 / unit.len() + 1);
    let mut stage = idle();
    stage.type_text("before after");
    stage.press("left left left left left");
    stage.send(Message::Paste(big.clone()));

    assert!(
        stage.grid().contains("[paste 1: 100 KB]"),
        "{}",
        stage.grid()
    );
    stage.press("enter");
    assert_eq!(
        stage.take_commands(),
        [send(&format!("before {big}after"), Lane::Steer)]
    );
}

#[test]
fn b81_a_release_is_no_press_and_modified_enters_make_lines() {
    let mut stage = idle();
    let release = |code| KeyEvent::new_with_kind(code, KeyModifiers::NONE, KeyEventKind::Release);
    stage.send(Message::key(release(KeyCode::Enter)));
    stage.press("a");
    stage.send(Message::key(release(KeyCode::Char('a'))));
    stage.press("shift+enter alt+enter ctrl+j b enter");
    stage.send(Message::key(release(KeyCode::Enter)));

    assert_eq!(stage.take_commands(), [send("a\n\n\nb", Lane::Steer)]);
}

#[test]
fn b89_the_terminal_cursor_stands_at_the_caret_while_text_streams() {
    let mut stage = busy();
    stage.type_text("各a😀");
    let inner = quarterdeck::ui::view::layout(&stage.model)
        .of(quarterdeck::ui::focus::Pane::Composer)
        .unwrap()
        .inner;

    for piece in ["the ", "reply ", "streams\n\n"] {
        sample::stream(&mut stage, piece);
        let (_, cursor) = stage.draw();
        assert_eq!(cursor, Some(Position::new(inner.x + 5, inner.y)));
    }
}

#[test]
fn b90_control_c_clears_then_stops_then_arms_and_only_a_second_one_in_time_leaves() {
    let mut stage = busy();
    stage.type_text("half a thought");
    stage.take_effects();

    stage.press("ctrl+c");
    assert_eq!(draft(&stage), "");
    assert_eq!(stage.take_commands(), []);
    stage.press("up");
    assert_eq!(draft(&stage), "half a thought");
    stage.press("ctrl+c ctrl+c");
    assert_eq!(
        stage.take_commands(),
        [Command::Cancel {
            agent: AgentId::main()
        }]
    );

    let mut stage = idle();
    stage.press("ctrl+c");
    stage.advance(3_000);
    stage.press("ctrl+c");
    assert_eq!(stage.take_effects(), []);
    stage.advance(500);
    stage.press("ctrl+c");
    assert_eq!(stage.take_commands(), [Command::Shutdown]);
}

#[test]
fn the_three_lanes_are_three_keys_while_the_agent_works() {
    for (key, lane) in [
        ("enter", Lane::Steer),
        ("tab", Lane::Queue),
        ("alt+i", Lane::Interrupt),
        ("ctrl+enter", Lane::Interrupt),
    ] {
        let mut stage = busy();
        stage.type_text("also log it");
        stage.press(key);

        assert_eq!(stage.take_commands(), [send("also log it", lane)], "{key}");
        assert_eq!(draft(&stage), "");
    }
}

#[test]
fn tab_on_an_idle_agent_sends_nothing() {
    let mut stage = idle();
    stage.type_text("words");
    stage.press("tab");

    assert_eq!(stage.take_commands(), []);
    assert_eq!(draft(&stage), "words");
}

#[test]
fn one_mark_runs_a_command_in_sight_of_the_model_and_two_out_of_it() {
    let mut stage = idle();
    stage.type_text("!git status");
    stage.press("enter");
    stage.type_text("!!env");
    stage.press("enter");

    let run = |command: &str, shared| Command::RunShell {
        command: command.to_owned(),
        shared,
        attended: false,
    };
    assert_eq!(
        stage.take_commands(),
        [run("git status", true), run("env", false)]
    );
}

#[test]
fn a_command_of_the_person_is_stopped_like_a_turn() {
    for key in ["esc", "ctrl+c"] {
        let mut stage = idle();
        stage.event(
            "main",
            EventKind::PersonRuns {
                call: CallId::new("person_1"),
                command: "sleep 600".to_owned(),
                shared: true,
            },
        );
        stage.press(key);

        let agent = AgentId::main();
        assert_eq!(stage.take_commands(), [Command::Cancel { agent }], "{key}");
    }
}

#[test]
fn leaving_is_asked_while_a_command_of_the_person_runs_or_a_message_waits() {
    let mut stage = idle();
    let call = CallId::new("person_1");
    stage.event(
        "main",
        EventKind::PersonRuns {
            call: call.clone(),
            command: "make".to_owned(),
            shared: true,
        },
    );
    stage.press("ctrl+q");
    assert_eq!(stage.take_commands(), []);
    assert!(
        stage.grid().contains("Something still runs."),
        "{}",
        stage.grid()
    );
    stage.press("esc");

    stage.event(
        "main",
        EventKind::Recorded(Box::new(Stored {
            sequence: Sequence(9_000),
            at_ms: 0,
            agent: AgentId::main(),
            record: Record::PersonRan {
                command: "make".to_owned(),
                result: ToolResult::plain(call, CallStatus::Done, ""),
                shared: true,
            },
        })),
    );
    let queued = Queued {
        id: QueuedId(1),
        lane: Lane::Queue,
        text: "later".to_owned(),
    };
    stage.event("main", EventKind::Queue(vec![queued]));
    stage.press("ctrl+q");
    assert_eq!(stage.take_commands(), []);
    assert!(
        stage.grid().contains("One message was not sent"),
        "{}",
        stage.grid()
    );
    assert!(!stage.grid().contains("still runs"), "{}", stage.grid());
    stage.press("esc");

    stage.event("main", EventKind::Queue(Vec::new()));
    stage.press("ctrl+q");
    assert_eq!(stage.take_commands(), [Command::Shutdown]);
}

#[test]
fn an_unknown_slash_name_keeps_the_draft() {
    let mut stage = idle();
    stage.type_text("/nonsense now");
    stage.press("enter");

    assert_eq!(stage.take_commands(), []);
    assert_eq!(draft(&stage), "/nonsense now");
    let notice = stage.model.notices.list.back().unwrap().0.clone();
    assert_eq!(notice.text, "there is no command /nonsense");
}

#[test]
fn a_slash_command_takes_its_words_along() {
    let mut stage = idle();
    stage.type_text("/title Fetcher with retry");
    stage.press("enter");

    assert_eq!(
        stage.take_commands(),
        [Command::Session(
            quarterdeck::engine::command::SessionCommand::Title("Fetcher with retry".to_owned())
        )]
    );
}

#[test]
fn a_file_is_put_in_by_its_path_and_the_names_are_fetched_once_a_word() {
    let mut stage = idle();
    stage.type_text("see @fet");
    assert_eq!(stage.take_commands(), [Command::Fetch(Fetch::Files)]);
    let files = vec!["src/fetch.rs".to_owned(), "notes.md".to_owned()];
    stage.event("main", EventKind::Fetched(Fetched::Files(files)));
    stage.press("enter");

    assert_eq!(draft(&stage), "see @src/fetch.rs ");
    assert_eq!(stage.take_commands(), []);
}

#[test]
fn a_waiting_message_comes_back_when_the_engine_lets_it_go() {
    let mut stage = busy();
    let waiting = Queued {
        id: QueuedId(7),
        lane: Lane::Queue,
        text: "then tag it".to_owned(),
    };
    stage.event("main", EventKind::Queue(vec![waiting.clone()]));
    stage.type_text("draft");
    stage.press("alt+up");
    assert_eq!(
        stage.take_commands(),
        [Command::TakeBack {
            message: QueuedId(7)
        }]
    );
    stage.event("main", EventKind::Queue(vec![waiting]));
    stage.event("scout_1a2b", EventKind::Queue(Vec::new()));
    assert_eq!(
        draft(&stage),
        "draft",
        "what another agent waits for says nothing"
    );

    stage.event("main", EventKind::Queue(Vec::new()));

    assert_eq!(draft(&stage), "then tag it\ndraft");
}

#[test]
fn a_message_that_was_read_before_it_could_be_taken_back_is_not_written_again() {
    let mut stage = busy();
    let waiting = Queued {
        id: QueuedId(7),
        lane: Lane::Steer,
        text: "then tag it".to_owned(),
    };
    stage.event("main", EventKind::Queue(vec![waiting]));
    stage.press("alt+up");
    stage.event(
        "main",
        EventKind::Recorded(Box::new(Stored {
            sequence: Sequence(9_000),
            agent: AgentId::main(),
            at_ms: 0,
            record: Record::Said {
                speaker: Speaker::Person,
                lane: Lane::Steer,
                text: "then tag it".to_owned(),
            },
        })),
    );
    stage.event("main", EventKind::Queue(Vec::new()));

    assert_eq!(draft(&stage), "");
}

#[test]
fn a_draft_is_journalled_when_the_person_pauses_and_while_they_go_on() {
    let mut stage = idle();
    stage.type_text("first");
    assert_eq!(drafts(&mut stage), Vec::<String>::new());
    stage.advance(400);
    assert_eq!(drafts(&mut stage), ["first"]);

    for _ in 0..20 {
        stage.type_text("x");
        stage.advance(100);
    }
    let saved = drafts(&mut stage);
    assert_eq!(saved, [format!("first{}", "x".repeat(15))]);
}

#[test]
fn a_journalled_draft_stands_in_the_composer_again() {
    let mut stage = Stage::new(80, 24);
    let mut opening = sample::opening();
    opening.draft = "half a\nthought".to_owned();
    stage.event("main", EventKind::Opened(Box::new(opening)));

    assert_eq!(draft(&stage), "half a\nthought");
}

#[test]
fn sending_empties_the_journal() {
    let mut stage = idle();
    stage.type_text("words");
    stage.advance(400);
    stage.take_effects();
    stage.press("enter");

    assert_eq!(drafts(&mut stage), [String::new()]);
}

#[test]
fn a_found_message_replaces_the_draft_and_up_brings_the_draft_back() {
    let mut stage = idle();
    stage.type_text("half");
    stage.press("ctrl+r");
    stage.type_text("project");
    stage.press("enter");
    assert_eq!(draft(&stage), "what does this project do?");
    assert_eq!(stage.take_commands(), []);

    stage.press("up");

    assert_eq!(draft(&stage), "half");
}

#[test]
fn leaving_the_search_keeps_the_draft() {
    let mut stage = idle();
    stage.type_text("half");
    stage.press("ctrl+r");
    stage.type_text("nothing like it");
    stage.press("esc");

    assert_eq!(draft(&stage), "half");
}

fn any_press() -> impl Strategy<Value = KeyEvent> {
    let code = prop_oneof![
        4 => any::<char>().prop_map(KeyCode::Char),
        4 => "[a-z@/! ]".prop_map(|text| KeyCode::Char(text.chars().next().unwrap())),
        1 => Just(KeyCode::Up),
        1 => Just(KeyCode::Down),
        1 => Just(KeyCode::Left),
        1 => Just(KeyCode::Right),
        1 => Just(KeyCode::Home),
        1 => Just(KeyCode::End),
        1 => Just(KeyCode::Esc),
        1 => Just(KeyCode::Tab),
        1 => Just(KeyCode::Enter),
        1 => Just(KeyCode::Backspace),
        1 => (1u8..12).prop_map(KeyCode::F),
    ];
    let modifiers = prop_oneof![
        6 => Just(KeyModifiers::NONE),
        1 => Just(KeyModifiers::CONTROL),
        1 => Just(KeyModifiers::ALT),
        1 => Just(KeyModifiers::SHIFT),
    ];
    (code, modifiers).prop_map(|(code, modifiers)| KeyEvent::new(code, modifiers))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn no_keys_on_any_size_make_it_panic(
        keys in proptest::collection::vec(any_press(), 0..60),
        columns in 0u16..140,
        rows in 0u16..45,
    ) {
        let mut stage = sample::session(columns, rows);
        stage.event("main", EventKind::QuestionAsked(Box::new(sample::form(4))));
        stage.event("main", EventKind::ApprovalAsked(Box::new(sample::approval(5))));
        for key in keys {
            stage.send(Message::key(key));
            stage.advance(300);
            stage.paint();
        }
    }

    /// Walking, searching, leaving, focusing: nothing but sending and deleting takes words out of reach.
    #[test]
    fn a_draft_is_never_lost(
        words in "[a-z]{1,12}",
        moves in proptest::collection::vec(0usize..12, 0..40),
    ) {
        let keys = [
            "up", "down", "ctrl+r", "esc", "alt+4", "alt+2", "ctrl+c", "alt+1", "left", "alt+a", "alt+l", "f6",
        ];
        let mut stage = sample::opened(80, 24);
        stage.type_text(&words);
        for index in moves {
            stage.press(keys[index]);
        }
        stage.press("esc alt+2");

        let now = draft(&stage);
        let mut history = stage.model.composer.history.clone();
        let mut seen = vec![now.clone()];
        let mut shown = now;
        while let Some(text) = history.newer(&shown) {
            seen.push(text.clone());
            shown = text;
        }
        while let Some(text) = history.older(&shown) {
            seen.push(text.clone());
            shown = text;
        }
        assert!(seen.contains(&words), "{seen:?}");
    }
}
