//! Fault cases of approvals and question forms: what a key may answer, and what can never be lost.

use crossterm::event::{
    KeyCode, KeyEvent, KeyEventKind, KeyModifiers, MouseButton, MouseEvent, MouseEventKind,
};
use quarterdeck::{
    domain::{
        approval::{ApprovalDecision, ApprovalRequest},
        ids::{AgentId, RequestId},
        question::{Answer, FormOutcome},
    },
    engine::{command::Command, event::EventKind},
    ui::{
        Effect, Message,
        message::Done,
        overlays::Overlay,
        panes::requests::{self, answering::held::HOLD_MS, answers},
    },
};
use serde_json::json;

use crate::support::{golden::Stage, sample};

/// An approval that the shown agent asks for.
fn approval(id: u64) -> ApprovalRequest {
    let mut request = sample::approval(id);
    request.agent = AgentId::main();
    request
}

fn ask(stage: &mut Stage, request: ApprovalRequest) {
    let agent = request.agent.to_string();
    stage.event(&agent, EventKind::ApprovalAsked(Box::new(request)));
    stage.paint();
}

/// A session at work in which this approval has the keyboard and has been seen.
fn seen(request: ApprovalRequest) -> Stage {
    let mut stage = sample::session(100, 30);
    ask(&mut stage, request);
    stage.paint();
    stage.advance(500);
    stage.take_effects();
    stage
}

fn decided(id: u64, decision: ApprovalDecision) -> Command {
    Command::Decide {
        request: RequestId(id),
        hash: format!("hash-{id}"),
        decision,
    }
}

fn answered(answers: Vec<Answer>) -> Command {
    Command::Answer {
        request: RequestId(1),
        outcome: FormOutcome::Answered { answers },
    }
}

fn words(text: &str) -> Answer {
    Answer::Text {
        text: text.to_owned(),
    }
}

fn form_open() -> Stage {
    let mut stage = sample::session(100, 30);
    stage.event("main", EventKind::QuestionAsked(Box::new(sample::form(1))));
    stage.paint();
    stage.advance(600);
    stage.take_effects();
    stage
}

#[test]
fn each_key_gives_its_answer_with_the_shown_hash() {
    for (key, decision) in [
        ("a", ApprovalDecision::Once),
        ("s", ApprovalDecision::Session),
        ("r", ApprovalDecision::Reject { words: None }),
        ("n", ApprovalDecision::Never),
    ] {
        let mut stage = seen(approval(3));
        stage.press(key);
        assert_eq!(stage.take_commands(), [], "words may follow");
        stage.advance(HOLD_MS);

        assert_eq!(stage.take_commands(), [decided(3, decision)], "{key}");
    }
}

/// B109: a box that came by itself takes no first letter of a sentence for an answer, however late it begins.
#[test]
fn b109_the_first_letter_of_a_sentence_answers_nothing() {
    for words in ["also add tests", "show it", "no, wait", "run it"] {
        let mut stage = seen(approval(3));
        for letter in words.chars() {
            stage.type_text(&letter.to_string());
            stage.advance(150);
        }
        stage.advance(5_000);

        assert_eq!(stage.take_commands(), [], "{words}");
        assert!(stage.grid().contains(words), "{}", stage.grid());
    }
    let mut pasted = seen(approval(3));
    pasted.press("a");
    pasted.send(Message::Paste("dd tests".to_owned()));
    pasted.advance(5_000);
    assert_eq!(pasted.take_commands(), []);
    assert!(pasted.grid().contains("add tests"));

    let mut taken_back = seen(approval(3));
    taken_back.press("a esc");
    taken_back.advance(5_000);
    assert_eq!(taken_back.take_commands(), []);
}

/// Whoever went to the box is here to answer: nothing waits.
#[test]
fn a_box_that_was_gone_to_is_answered_at_once() {
    let mut stage = sample::session(100, 40);
    ask(&mut stage, approval(3));
    stage.press("alt+a");
    stage.paint();
    stage.advance(1_100);
    stage.press("a");

    assert_eq!(stage.take_commands(), [decided(3, ApprovalDecision::Once)]);
}

#[test]
fn an_answer_that_the_engine_refused_can_be_given_again() {
    let mut stage = seen(approval(3));
    stage.press("a");
    stage.advance(HOLD_MS);
    let answer = stage.take_commands().remove(0);
    assert_eq!(requests::waiting(&stage.model), (0, 0));
    stage.send(Message::Done(Done::Refused(Box::new(answer))));
    assert_eq!(requests::waiting(&stage.model), (1, 0));
    stage.press("alt+a");
    stage.paint();
    stage.advance(1_100);
    stage.press("a");

    assert_eq!(stage.take_commands(), [decided(3, ApprovalDecision::Once)]);
}

#[test]
fn a_request_that_was_left_never_takes_the_keyboard_by_itself_again() {
    let mut stage = sample::session(100, 40);
    ask(&mut stage, approval(1));
    ask(&mut stage, approval(2));
    stage.press("alt+a tab");
    assert_eq!(stage.model.requests.focused, Some(RequestId(2)));
    stage.press("esc alt+a enter");
    assert_eq!(stage.model.requests.focused, Some(RequestId(1)));
    stage.paint();
    stage.advance(1_100);
    stage.press("a");

    assert_eq!(stage.take_commands(), [decided(1, ApprovalDecision::Once)]);
    assert_eq!(stage.model.requests.focused, None);
}

fn mouse(kind: MouseEventKind, column: u16, row: u16) -> Message {
    Message::Mouse(MouseEvent {
        kind,
        column,
        row,
        modifiers: KeyModifiers::NONE,
    })
}

#[test]
fn a_click_on_a_box_goes_there_and_answers_nothing() {
    let mut stage = sample::session(100, 30);
    stage.type_text("a draft");
    ask(&mut stage, approval(1));
    assert_eq!(stage.model.requests.focused, None);
    let grid = stage.grid();
    let row = grid
        .lines()
        .position(|line| line.contains("approve"))
        .expect(&grid);
    for kind in [
        MouseEventKind::Down(MouseButton::Left),
        MouseEventKind::Up(MouseButton::Left),
    ] {
        stage.send(mouse(kind, 10, row as u16 + 1));
    }

    assert_eq!(stage.model.requests.focused, Some(RequestId(1)));
    assert_eq!(stage.take_commands(), []);
}

#[test]
fn b92_a_drag_that_ends_outside_the_pane_is_copied() {
    let mut stage = sample::session(100, 30);
    let grid = stage.grid();
    let row = grid
        .lines()
        .position(|line| line.contains("file_search"))
        .expect(&grid) as u16;
    stage.take_effects();
    stage.send(mouse(MouseEventKind::Down(MouseButton::Left), 4, row));
    stage.send(mouse(MouseEventKind::Drag(MouseButton::Left), 20, row));
    stage.send(mouse(MouseEventKind::Drag(MouseButton::Left), 20, 28));
    stage.send(mouse(MouseEventKind::Up(MouseButton::Left), 20, 28));

    let effects = stage.take_effects();
    let copied = effects.iter().find_map(|effect| match effect {
        Effect::Copy(text) => Some(text.as_str()),
        _ => None,
    });
    assert!(
        copied.is_some_and(|text| text.contains("file_")),
        "{effects:?}"
    );
}

#[test]
fn a_pane_of_any_height_can_be_made_taller_and_what_has_no_effect_is_forgotten() {
    let mut stage = sample::session(120, 40);
    stage.press("alt+4");
    let before = stage.grid();
    for _ in 0..200 {
        stage.press("alt+plus");
    }
    let tallest = stage.grid();
    assert_ne!(before, tallest);
    stage.press("alt+_");
    assert_ne!(stage.grid(), tallest, "one row back is seen at once");

    stage.send(Message::Resize(120, 40_000));
    stage.press("alt+plus alt+_");
}

#[test]
fn b101_hidden_characters_are_spelled_out_in_the_details() {
    let mut request = approval(1);
    request.arguments =
        json!({"command": "rm -rf ./a\u{202e}gpj.b", "note": "cat file\u{200b}.txt"});

    let mut stage = seen(request);
    stage.press("d");
    let details = stage.grid();

    assert!(details.contains("rm -rf ./a\\u{202e}gpj.b"), "{details}");
    assert!(details.contains("cat file\\u{200b}.txt"), "{details}");
    assert!(!details.contains(['\u{202e}', '\u{200b}']));
}

#[test]
fn b103_escapes_in_every_part_of_a_request_reach_no_cell() {
    let evil = "touch x #\u{1b}[2K\u{1b}[1A\rls\u{7}```";
    let mut request = approval(1);
    request.tool = format!("shell{evil}");
    request.subject = evil.to_owned();
    request.lineage = vec!["main".to_owned(), format!("sub{evil}")];
    request.arguments = json!({"command": evil, evil: 1});
    request.judgement.reason = evil.to_owned();
    let mut stage = seen(request.clone());

    let texts = [
        stage.grid(),
        answers::explanation(&request),
        answers::who(&request.lineage),
    ];
    for text in texts {
        let bad = text.chars().find(|c| c.is_control() && *c != '\n');
        assert_eq!(bad, None, "{text:?}");
    }
    stage.press("d");
    assert!(matches!(
        stage.model.overlay.top(),
        Some(Overlay::Viewer(_))
    ));
    assert!(!stage.grid().contains('\u{1b}'));
}

#[test]
fn b105_a_request_that_changed_is_asked_anew_and_answers_with_the_new_hash() {
    let mut stage = seen(approval(1));
    stage.press("a");
    stage.advance(HOLD_MS);
    assert_eq!(stage.take_commands(), [decided(1, ApprovalDecision::Once)]);
    stage.press("a");
    assert_eq!(stage.take_commands(), [], "answered once is answered");

    let mut changed = approval(1);
    changed.hash = "another".to_owned();
    ask(&mut stage, changed);
    stage.advance(2_000);
    stage.paint();
    stage.advance(499);
    stage.press("a");
    assert_eq!(
        stage.take_commands(),
        [],
        "the new form was not seen for long enough"
    );
    stage.press("alt+a");
    stage.paint();
    stage.advance(1_100);
    stage.press("a");

    assert_eq!(
        stage.take_commands(),
        [Command::Decide {
            request: RequestId(1),
            hash: "another".to_owned(),
            decision: ApprovalDecision::Once,
        }]
    );
}

#[test]
fn b109_words_being_typed_stay_words() {
    let mut stage = sample::session(100, 30);
    let text = "yes and also 1 a ";
    for (index, character) in text.chars().enumerate() {
        if index == 4 {
            ask(&mut stage, approval(1));
        }
        stage.type_text(&character.to_string());
        stage.advance(50);
        stage.paint();
    }

    assert_eq!(stage.take_commands(), []);
    assert_eq!(stage.model.composer.editor.text(), text);
    assert_eq!(requests::waiting(&stage.model), (1, 0));
}

#[test]
fn b109_words_begun_just_as_a_box_takes_the_keyboard_go_into_the_message() {
    let mut stage = sample::session(100, 30);
    stage.advance(5_000);
    ask(&mut stage, approval(1));
    assert!(
        requests::scope(&stage.model).is_some(),
        "the composer rests, so the box has the keys"
    );

    stage.advance(200);
    stage.type_text("a");
    stage.advance(100);
    stage.type_text("nd so");

    assert_eq!(stage.take_commands(), []);
    assert_eq!(stage.model.composer.editor.text(), "and so");
}

/// Keys that arrive in one read.
fn at_once(stage: &mut Stage, text: &str) {
    let keys = text.chars().map(|c| match c {
        '\n' => KeyEvent::from(KeyCode::Enter),
        c => KeyEvent::from(KeyCode::Char(c)),
    });
    stage.send(Message::Keys(keys.collect()));
}

#[test]
fn b109_a_key_that_comes_with_others_answers_nothing() {
    for text in ["as", "all", "any way", "rm"] {
        let mut stage = seen(approval(1));
        at_once(&mut stage, text);

        assert_eq!(stage.take_commands(), [], "{text}");
        assert_eq!(stage.model.composer.editor.text(), text);

        let mut stage = seen(approval(1));
        stage.press("alt+a");
        stage.paint();
        stage.advance(600);
        at_once(&mut stage, text);

        assert_eq!(stage.take_commands(), [], "{text}, gone to on purpose");
    }
    for text in ["1\n", "x\n", "yy"] {
        let mut stage = form_open();
        at_once(&mut stage, text);

        let answers = stage
            .take_commands()
            .into_iter()
            .filter(|command| matches!(command, Command::Answer { .. }));
        assert_eq!(answers.count(), 0, "{text}");
    }
}

#[test]
fn b109_keys_that_move_are_typing_too() {
    for text in ["java", "gas", "Nr", "{a", "/ a"] {
        let mut stage = seen(approval(1));
        for character in text.chars() {
            stage.type_text(&character.to_string());
            stage.advance(50);
            stage.paint();
        }

        assert_eq!(stage.take_commands(), [], "{text}");
        assert_eq!(stage.model.composer.editor.text(), text);
    }
    for keys in ["down a", "pageup a", "j j j a"] {
        let mut stage = seen(approval(1));
        stage.press("alt+a");
        stage.paint();
        stage.advance(600);
        stage.press(keys);
        assert_eq!(stage.take_commands(), [], "{keys}");
        stage.advance(1_000);
        stage.press("a");

        assert_eq!(stage.take_commands(), [decided(1, ApprovalDecision::Once)]);
    }
}

#[test]
fn a_key_with_another_modifier_is_another_key() {
    for modifier in [KeyModifiers::SUPER, KeyModifiers::HYPER, KeyModifiers::META] {
        let mut stage = seen(approval(1));
        stage.send(Message::key(KeyEvent::new(KeyCode::Char('a'), modifier)));

        assert_eq!(stage.take_commands(), [], "{modifier}");
        assert_eq!(stage.model.composer.editor.text(), "");
    }
}

#[test]
fn b109_a_box_never_takes_the_keyboard_from_a_draft() {
    let mut stage = sample::session(100, 30);
    stage.type_text("draft");
    stage.advance(60_000);
    ask(&mut stage, approval(1));
    stage.advance(60_000);
    stage.paint();
    assert_eq!(requests::scope(&stage.model), None);

    stage.press("alt+a");
    stage.paint();
    stage.advance(499);
    stage.press("a");
    assert_eq!(stage.take_commands(), []);
    stage.advance(1_000);
    stage.press("a");

    assert_eq!(stage.take_commands(), [decided(1, ApprovalDecision::Once)]);
    assert_eq!(stage.model.composer.editor.text(), "draft");
    assert_eq!(requests::scope(&stage.model), None);
}

#[test]
fn b109_a_held_key_answers_one_of_three() {
    let mut stage = sample::session(100, 30);
    for id in 1..=3 {
        ask(&mut stage, approval(id));
    }
    stage.press("alt+a");
    stage.paint();
    stage.advance(600);
    // The terminal reports the first press, then repeats after a while: as presses, or as what they are.
    stage.press("a");
    stage.paint();
    stage.advance(660);
    for count in 0..100 {
        let kind = if count % 2 == 0 {
            KeyEventKind::Press
        } else {
            KeyEventKind::Repeat
        };
        let key = KeyEvent::new_with_kind(KeyCode::Char('a'), KeyModifiers::NONE, kind);
        stage.send(Message::key(key));
        stage.paint();
        stage.advance(33);
    }

    assert_eq!(stage.take_commands().len(), 1);
    assert_eq!(requests::waiting(&stage.model), (2, 0));
}

#[test]
fn esc_leaves_the_box_and_never_answers() {
    let mut stage = seen(approval(1));
    stage.press("esc");
    stage.advance(60_000);
    stage.paint();
    stage.press("a s r n");

    assert_eq!(stage.take_commands(), []);
    assert_eq!(stage.model.composer.editor.text(), "asrn");
    assert_eq!(requests::waiting(&stage.model), (1, 0));
}

#[test]
fn an_edited_command_is_seen_again_before_it_is_allowed() {
    let mut stage = seen(approval(1));
    stage.press("e");
    stage.type_text(" --quiet");
    stage.press("enter a");
    assert_eq!(
        stage.take_commands(),
        [],
        "the edited text was not on the screen yet"
    );

    stage.paint();
    stage.advance(1_100);
    stage.press("a");

    let arguments = json!({"command": "cargo test --test retry --quiet", "timeout_ms": 120_000});
    assert_eq!(
        stage.take_commands(),
        [decided(1, ApprovalDecision::Edited { arguments })]
    );
}

#[test]
fn a_rejection_carries_the_words_and_esc_keeps_them() {
    let mut stage = seen(approval(1));
    stage.press("w");
    stage.type_text("use nextest");
    stage.press("esc");
    assert_eq!(stage.take_commands(), []);
    stage.advance(1_100);
    stage.press("w");
    stage.type_text(" please");
    stage.press("enter");

    let words = Some("use nextest please".to_owned());
    assert_eq!(
        stage.take_commands(),
        [decided(1, ApprovalDecision::Reject { words })]
    );
}

#[test]
fn what_is_not_offered_is_not_answered() {
    let mut request = approval(1);
    request.offers.session_rule = None;
    request.editable = None;
    let mut stage = seen(request);
    for key in ["s", "n", "e"] {
        stage.press(key);
        stage.advance(1_100);
    }

    assert_eq!(stage.take_commands(), []);
}

#[test]
fn the_queue_is_walked_oldest_first_over_the_whole_tree_and_ends_where_it_began() {
    let mut stage = sample::session(100, 30);
    stage.press("alt+4");
    ask(&mut stage, sample::approval(2));
    ask(&mut stage, approval(1));
    stage.press("alt+a");
    assert_eq!(stage.model.conversation.shown, AgentId::main());
    stage.paint();
    stage.advance(600);
    stage.press("a");
    assert_eq!(stage.model.conversation.shown.as_str(), sample::TESTS);
    stage.paint();
    stage.advance(1_100);
    stage.press("r");

    assert_eq!(
        stage.take_commands(),
        [
            decided(1, ApprovalDecision::Once),
            decided(2, ApprovalDecision::Reject { words: None }),
        ]
    );
    assert_eq!(stage.model.conversation.shown, AgentId::main());
    assert_eq!(stage.model.screen.focus.number(), 4);
}

#[test]
fn a_request_that_was_withdrawn_gives_the_keyboard_back() {
    let mut stage = seen(approval(1));
    stage.event("main", EventKind::RequestClosed(RequestId(1)));
    stage.type_text("a");

    assert_eq!(stage.take_commands(), []);
    assert_eq!(stage.model.composer.editor.text(), "a");
}

#[test]
fn b156_given_answers_are_sent_and_the_rest_is_marked() {
    let mut stage = form_open();
    stage.press("2");
    stage.advance(400);
    stage.press("1 enter");
    stage.press("shift+tab shift+tab shift+tab");
    stage.advance(1_100);
    stage.press("enter");

    let many = Answer::Many {
        options: vec!["502".to_owned()],
    };
    assert_eq!(
        stage.take_commands(),
        [answered(vec![
            words("doubling"),
            many,
            words("30 s"),
            Answer::Unanswered,
        ])]
    );
}

#[test]
fn b157_esc_steps_back_and_the_form_can_be_opened_again() {
    let mut stage = form_open();
    stage.press("3");
    stage.press("esc");
    assert!(!requests::takes_composer(&stage.model));
    stage.press("esc");
    assert_eq!(
        stage.take_commands(),
        [],
        "a second Esc does not end the turn that asks"
    );
    stage.advance(5_000);
    stage.paint();
    assert!(!requests::takes_composer(&stage.model), "it was put off");

    stage.press("alt+l");

    assert!(requests::takes_composer(&stage.model));
    let form = stage.model.requests.form().unwrap();
    assert_eq!(form.answers()[0], words("with jitter"));
    stage.paint();
    stage.advance(600);
    stage.press("ctrl+c");
    assert_eq!(
        stage.take_commands(),
        [Command::Cancel {
            agent: AgentId::main()
        }]
    );
}

#[test]
fn b157_declined_is_not_an_empty_answer() {
    let mut stage = form_open();
    stage.press("ctrl+d");

    assert_eq!(
        stage.take_commands(),
        [Command::Answer {
            request: RequestId(1),
            outcome: FormOutcome::Declined,
        }]
    );
}

#[test]
fn b158_esc_in_the_free_words_leads_back_to_the_options_with_the_words_kept() {
    let mut stage = form_open();
    stage.press("4");
    stage.type_text("exponential jk");
    stage.press("esc");
    let form = stage.model.requests.form().unwrap();
    assert!(!form.editing);
    assert_eq!(form.shown_editor().unwrap().text(), "exponential jk");

    stage.press("up down enter");
    stage.type_text("!");
    stage.press("alt+x");

    let form = stage.model.requests.form().unwrap();
    assert_eq!(form.shown_editor().unwrap().text(), "exponential jk!");
    assert_eq!(stage.take_commands(), []);
}

#[test]
fn a_form_waits_for_the_draft_to_be_sent() {
    let mut stage = sample::session(100, 30);
    stage.type_text("draft");
    stage.event("main", EventKind::QuestionAsked(Box::new(sample::form(1))));
    stage.paint();
    stage.advance(5_000);
    assert!(!requests::takes_composer(&stage.model));

    stage.press("enter");
    stage.advance(1_100);
    stage.paint();

    assert!(requests::takes_composer(&stage.model));
}
