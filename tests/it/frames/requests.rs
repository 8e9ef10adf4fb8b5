//! Question forms in the composer's place, and how an approval takes the keyboard.

use quarterdeck::{
    domain::{
        ids::{AgentId, RequestId},
        question::{QuestionForm, QuestionKind},
    },
    engine::event::EventKind,
    ui::focus::Pane,
};

use crate::support::{golden::Stage, sample};

fn asked(columns: u16, rows: u16, form: QuestionForm) -> Stage {
    let mut stage = sample::session(columns, rows);
    stage.event("main", EventKind::QuestionAsked(Box::new(form)));
    stage.paint();
    stage.advance(600);
    stage
}

fn single(index: usize) -> QuestionForm {
    let mut form = sample::form(1);
    form.questions = vec![form.questions.remove(index)];
    form
}

#[test]
fn a_choice() {
    asked(80, 24, single(0)).check_pane("form_choice", Pane::Composer);
}

#[test]
fn a_choice_just_asked_says_that_keys_wait() {
    let mut stage = sample::session(80, 24);
    stage.event("main", EventKind::QuestionAsked(Box::new(single(0))));
    stage.paint();

    stage.check_pane("form_just_asked", Pane::Composer);
}

#[test]
fn free_words_of_a_choice() {
    let mut stage = asked(80, 24, single(0));
    stage.press("4");
    stage.type_text("whatever 各自 like best");

    stage.check_pane("form_other", Pane::Composer);
}

#[test]
fn a_multi() {
    let mut stage = asked(80, 24, single(1));
    stage.press("1 down space");

    stage.check_pane("form_multi", Pane::Composer);
}

#[test]
fn a_text() {
    asked(80, 24, single(2)).check_pane("form_text", Pane::Composer);
}

#[test]
fn a_yes_or_no() {
    asked(80, 24, single(3)).check_pane("form_confirm", Pane::Composer);
}

#[test]
fn several_questions_have_tabs_and_a_review() {
    let mut stage = asked(120, 40, sample::form(1));
    stage.press("2");
    stage.advance(400);
    stage.press("space down space");
    stage.advance(400);
    stage.check_pane("form_tabs", Pane::Composer);
    stage.press("shift+tab shift+tab");

    stage.check_pane("form_review", Pane::Composer);
}

#[test]
fn long_options_wrap_and_scroll() {
    let mut form = single(0);
    let option = |number: usize| {
        format!(
            "option {number}: a sentence that goes on for so long that it cannot stand on one row of this form, 長い文"
        )
    };
    form.questions[0].kind = QuestionKind::Choice {
        options: (1..=9).map(option).collect(),
        default: None,
    };
    let mut stage = asked(80, 24, form);
    stage.press("up up up");

    stage.check_pane("form_overflowing", Pane::Composer);
}

#[test]
fn a_form_on_a_narrow_screen() {
    let mut stage = asked(60, 20, sample::form(1));
    stage.press("tab");

    stage.check_pane("form_narrow", Pane::Composer);
}

#[test]
fn letters_and_arrows_of_lists_neither_leave_nor_answer_a_form() {
    let mut stage = asked(80, 24, sample::form(1));
    stage.press("3");
    stage.advance(400);
    stage.press("shift+tab");
    for key in ["h", "left", "l", "right", "i"] {
        stage.advance(400);
        stage.press(key);

        assert!(stage.model.requests.form().is_some(), "{key} left the form");
    }
    let form = stage.model.requests.form().expect("a form");
    assert_eq!(form.tab, 0);
}

#[test]
fn a_key_that_is_held_back_is_told() {
    let mut stage = asked(100, 30, sample::form(1));
    stage.press("shift+tab shift+tab");
    stage.advance(600);
    stage.press("enter");
    stage.advance(300);
    stage.press("enter");

    let grid = stage.grid();
    assert!(grid.contains("press it once more"), "{grid}");
}

#[test]
fn an_agent_with_an_open_form_asks_and_does_not_run() {
    let stage = asked(120, 40, sample::form(1));

    let grid = stage.grid();

    assert!(grid.contains("waits for you"), "{grid}");
    assert!(grid.contains("asks you"), "{grid}");
}

#[test]
fn while_a_form_is_put_off_the_footer_names_a_key_that_stops() {
    let mut stage = asked(120, 40, sample::form(1));
    stage.press("esc");

    let grid = stage.grid();
    let footer = grid.lines().last().unwrap_or_default();

    assert!(footer.contains("Alt+C stop"), "{footer}");
}

#[test]
fn a_form_on_a_low_screen_has_all_of_it() {
    let mut stage = asked(40, 12, sample::form(1));
    let grid = stage.grid();
    for shown in [
        "Which back-off?",
        "constant",
        "doubling",
        "with jitter",
        "other…",
    ] {
        assert!(grid.contains(shown), "{shown}: {grid}");
    }
    stage.press("tab");
    let grid = stage.grid();
    assert!(grid.contains("Which answers are tried again?"), "{grid}");
    assert!(grid.contains("504"), "{grid}");

    stage.press("alt+1");
    assert!(
        stage.grid().contains("1 Conversation · main"),
        "the transcript is a key away"
    );
}

#[test]
fn a_review_shows_answers_whole_and_tabs_say_what_was_answered() {
    let mut form = sample::form(1);
    let long = "one store, then the other, and both of them are compared every night until nothing differs";
    form.questions[2].kind = QuestionKind::Text {
        default: Some(long.to_owned()),
    };
    let mut stage = asked(100, 34, form);
    let tabs = stage.grid();
    assert!(!tabs.contains('✓'), "nothing was answered: {tabs}");
    stage.press("shift+tab");

    let grid = stage.grid();
    for word in long.split(' ') {
        assert!(grid.contains(word), "{word}: {grid}");
    }
    stage.check_pane("form_review_long", Pane::Composer);
}

#[test]
fn whoever_has_just_answered_in_the_transcript_has_the_next_box_as_well() {
    for (between, is_offered) in [(None, true), (Some("down"), false)] {
        let mut stage = sample::session(100, 30);
        let ask = |stage: &mut Stage, id| {
            let mut request = sample::approval(id);
            request.agent = AgentId::main();
            stage.event("main", EventKind::ApprovalAsked(Box::new(request)));
            stage.paint();
            stage.advance(600);
        };
        stage.press("alt+1");
        ask(&mut stage, 1);
        assert!(stage.model.requests.focused.is_none(), "the person reads");
        stage.press("alt+a");
        stage.paint();
        stage.advance(600);
        stage.press("a");
        stage.event("main", EventKind::RequestClosed(RequestId(1)));
        stage.advance(600);
        if let Some(key) = between {
            stage.press(key);
            stage.advance(2_000);
        }
        ask(&mut stage, 2);

        assert_eq!(stage.model.requests.focused.is_some(), is_offered);
    }
}

#[test]
fn the_word_that_a_question_waits_goes_with_the_question() {
    let mut stage = asked(100, 30, single(3));
    stage.press("esc");
    assert!(stage.grid().contains("the question waits"));
    stage.press("alt+l");
    stage.paint();
    stage.advance(1_200);
    stage.press("y");

    assert!(
        !stage.grid().contains("the question waits"),
        "{}",
        stage.grid()
    );
}
