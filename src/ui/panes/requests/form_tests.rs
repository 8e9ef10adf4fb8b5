use proptest::prelude::{any, proptest};

use super::{Form, Step};
use crate::domain::{
    ids::{AgentId, CallId, RequestId},
    question::{Answer, FormOutcome, Question, QuestionForm, QuestionKind},
};

fn question(text: &str, kind: QuestionKind) -> Question {
    Question {
        text: text.to_owned(),
        kind,
    }
}

fn options(names: &[&str]) -> Vec<String> {
    names.iter().map(|name| (*name).to_owned()).collect()
}

fn choice() -> Question {
    question(
        "Which store?",
        QuestionKind::Choice {
            options: options(&["SQLite", "files"]),
            default: None,
        },
    )
}

fn multi() -> Question {
    question(
        "Which systems?",
        QuestionKind::Multi {
            options: options(&["Linux", "macOS", "Windows"]),
        },
    )
}

fn text(default: Option<&str>) -> Question {
    question(
        "Name?",
        QuestionKind::Text {
            default: default.map(str::to_owned),
        },
    )
}

fn confirm(default: Option<bool>) -> Question {
    question("Go on?", QuestionKind::Confirm { default })
}

fn form(questions: Vec<Question>) -> Form {
    Form::new(QuestionForm {
        id: RequestId(1),
        agent: AgentId::main(),
        lineage: vec!["main".to_owned()],
        call: CallId::new("c1"),
        questions,
    })
}

fn words(text: &str) -> Answer {
    Answer::Text {
        text: text.to_owned(),
    }
}

fn answered(answers: Vec<Answer>) -> Step {
    Step::End(FormOutcome::Answered { answers })
}

fn type_words(form: &mut Form, text: &str) {
    form.editor().expect("a text field").insert(text);
}

#[test]
fn one_choice_is_sent_with_enter_on_the_selected_row() {
    let mut form = form(vec![choice()]);
    form.step(1);

    assert_eq!(form.accept(), answered(vec![words("files")]));
}

#[test]
fn the_rows_of_a_choice_meet_at_their_ends() {
    let mut form = form(vec![choice()]);
    form.step(-1);

    // Up from the first row is the row for free words.
    assert_eq!(form.accept(), Step::Stay);
    assert!(form.editing);
}

#[test]
fn a_digit_chooses_and_the_digit_behind_the_last_option_opens_the_free_words() {
    let mut one = form(vec![choice()]);
    assert_eq!(one.character('2'), Some(answered(vec![words("files")])));

    let mut other = form(vec![choice()]);
    assert_eq!(other.character('3'), Some(Step::Stay));
    type_words(&mut other, "a spreadsheet");
    assert_eq!(other.accept(), answered(vec![words("a spreadsheet")]));

    assert_eq!(form(vec![choice()]).character('4'), None);
}

#[test]
fn empty_free_words_are_no_answer() {
    let mut form = form(vec![choice()]);
    form.character('3');
    type_words(&mut form, "  ");

    assert_eq!(form.accept(), Step::Stay);
    assert_eq!(
        form.hint,
        Some("write something, or Esc to go back to the options")
    );
    assert_eq!(form.answers(), [Answer::Unanswered]);
}

#[test]
fn esc_in_the_free_words_leads_to_the_options_with_the_words_kept_then_out() {
    let mut form = form(vec![choice()]);
    form.character('3');
    type_words(&mut form, "a spread");

    assert_eq!(form.back(), Step::Stay);
    assert!(!form.editing);
    assert_eq!(form.back(), Step::Leave);
    assert_eq!(form.accept(), Step::Stay);
    type_words(&mut form, "sheet");

    assert_eq!(form.accept(), answered(vec![words("a spreadsheet")]));
}

#[test]
fn a_multi_needs_a_tick_and_keeps_the_order_of_the_options() {
    let mut form = form(vec![multi()]);
    assert_eq!(form.accept(), Step::Stay);
    assert_eq!(form.hint, Some("tick at least one, or go on with Tab"));

    form.character('3');
    form.step(1);
    form.toggle();

    assert_eq!(
        form.accept(),
        answered(vec![Answer::Many {
            options: options(&["Linux", "Windows"])
        }])
    );
}

#[test]
fn a_yes_or_no_takes_letters_arrows_and_its_default() {
    let yes = answered(vec![Answer::Confirm { yes: true }]);
    let no = answered(vec![Answer::Confirm { yes: false }]);

    assert_eq!(form(vec![confirm(None)]).character('y'), Some(yes.clone()));
    assert_eq!(form(vec![confirm(None)]).character('o'), Some(yes.clone()));
    assert_eq!(form(vec![confirm(None)]).character('n'), Some(no.clone()));
    assert_eq!(form(vec![confirm(Some(false))]).accept(), no);
    let mut moved = form(vec![confirm(Some(false))]);
    moved.sideways();
    assert_eq!(moved.accept(), yes);
}

#[test]
fn a_prefilled_text_is_sent_as_edited_and_an_accepted_empty_one_is_empty() {
    let mut prefilled = form(vec![text(Some("fetcher"))]);
    type_words(&mut prefilled, "_two");
    assert_eq!(prefilled.accept(), answered(vec![words("fetcher_two")]));

    assert_eq!(form(vec![text(None)]).accept(), answered(vec![words("")]));
}

#[test]
fn answers_are_kept_while_tabs_turn_and_the_rest_is_sent_as_unanswered() {
    let mut form = form(vec![choice(), multi(), text(None), confirm(None)]);
    form.character('1');
    form.character('2');
    form.accept();
    assert_eq!(form.tab, 2);
    form.turn(1);
    form.turn(1);
    assert!(form.is_review());
    form.turn(1);
    assert_eq!(form.tab, 0);
    form.turn(-1);

    assert_eq!(
        form.accept(),
        answered(vec![
            words("SQLite"),
            Answer::Many {
                options: options(&["macOS"])
            },
            Answer::Unanswered,
            Answer::Unanswered,
        ])
    );
}

#[test]
fn a_row_of_the_review_leads_back_to_its_question() {
    let mut form = form(vec![choice(), confirm(None)]);
    form.turn(-1);
    form.step(-1);

    assert_eq!(form.accept(), Step::Stay);
    assert_eq!(form.tab, 1);
}

#[test]
fn an_empty_form_is_not_sent() {
    let mut form = form(vec![choice(), confirm(None)]);
    form.turn(-1);

    assert_eq!(form.accept(), Step::Stay);
    assert_eq!(form.hint, Some("nothing is answered yet"));
}

#[test]
fn declining_asks_once_more_only_when_something_was_given() {
    let declined = Step::End(FormOutcome::Declined);
    assert_eq!(form(vec![choice(), multi()]).decline(), declined);
    assert_eq!(form(vec![text(Some("x"))]).decline(), declined);

    let mut given = form(vec![choice(), multi()]);
    given.character('1');
    assert_eq!(given.decline(), Step::Stay);
    given.step(1);
    assert_eq!(given.decline(), Step::Stay);
    assert_eq!(given.decline(), declined);
}

proptest! {
    #[test]
    fn no_key_but_sending_and_declining_ends_a_form(
        keys in proptest::collection::vec(0u8..9, 0..80),
        typed in any::<char>(),
    ) {
        let mut form = form(vec![choice(), multi(), text(Some("d")), confirm(Some(true))]);
        for key in keys {
            let step = match key {
                0 => { form.turn(1); Step::Stay }
                1 => { form.turn(-1); Step::Stay }
                2 => { form.step(1); Step::Stay }
                3 => { form.step(-1); Step::Stay }
                4 => { form.toggle(); Step::Stay }
                5 => form.back(),
                6 => form.character(typed).unwrap_or(Step::Stay),
                7 => { form.sideways(); Step::Stay }
                _ => {
                    if let Some(editor) = form.editor() {
                        editor.insert(typed.encode_utf8(&mut [0; 4]));
                    }
                    Step::Stay
                }
            };
            assert!(!matches!(step, Step::End(_)));
        }
    }
}
