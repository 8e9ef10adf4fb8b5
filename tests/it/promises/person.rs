//! Questions to the person, and answers that are saved.

use super::row::{
    Origin::{B, C},
    Subject, otherwise, shown,
};

/// The rows.
pub(super) const ROWS: &[Subject] = &[
    Subject(
        "ask_user",
        &[
            shown(
                C,
                "One to four questions are put together.",
                &[
                    "lib::tools::person::ask_user::tests::questions_are_asked_as_they_are_meant",
                    "lib::tools::person::ask_user::tests::a_wrong_form_is_refused_by_number_and_never_shown",
                ],
            ),
            shown(
                C,
                "A single question may stand without the list.",
                &["lib::tools::person::ask_user::tests::questions_are_asked_as_they_are_meant"],
            ),
            shown(
                C,
                "The types are choice, multi, text and confirm.",
                &[
                    "lib::tools::person::ask_user::tests::a_wrong_form_is_refused_by_number_and_never_shown",
                    "lib::tools::person::questions::tests::every_synonym_means_its_type",
                ],
            ),
            shown(
                C,
                "Other words for a type mean it.",
                &["lib::tools::person::questions::tests::every_synonym_means_its_type"],
            ),
            shown(
                C,
                "Without a type, options make a choice, and none a text.",
                &["lib::tools::person::ask_user::tests::questions_are_asked_as_they_are_meant"],
            ),
            shown(
                C,
                "Options are trimmed, and those that say the same are one.",
                &["lib::tools::person::ask_user::tests::questions_are_asked_as_they_are_meant"],
            ),
            shown(
                C,
                "A default stays only where it means something, a yes or no in English or French.",
                &[
                    "lib::tools::person::ask_user::tests::a_default_stays_only_where_it_means_something",
                ],
            ),
            shown(
                C,
                "The schema tells a question's fields in words.",
                &[
                    "lib::tools::person::ask_user::tests::its_schema_tells_the_fields_of_a_question_in_words",
                ],
            ),
            shown(
                C,
                "The answer is one line behind its question, several options joined.",
                &["lib::tools::person::ask_user::tests::every_end_of_a_form_has_its_own_words"],
            ),
            shown(
                C,
                "Declined, cancelled and nobody to ask each say how to go on, and fail the call.",
                &[
                    "lib::tools::person::ask_user::tests::every_end_of_a_form_has_its_own_words",
                    "it::engine::questions::only_an_answer_is_done_and_the_turn_goes_on_with_whatever_came",
                ],
            ),
            shown(
                C,
                "A form that is wrong is never shown, and says which question is wrong and how.",
                &[
                    "lib::tools::person::ask_user::tests::a_wrong_form_is_refused_by_number_and_never_shown",
                ],
            ),
            shown(
                C,
                "Asking needs no permission.",
                &["it::cli::tools::the_list_says_what_each_tool_needs_at_the_least"],
            ),
            shown(
                C,
                "Stopping the turn cancels the question.",
                &["it::engine::questions::a_stopped_turn_cancels_the_question_and_says_so"],
            ),
            shown(
                C,
                "Options of a text or a yes or no are ignored.",
                &["lib::tools::person::ask_user::tests::questions_are_asked_as_they_are_meant"],
            ),
            shown(
                C,
                "A sub-agent's question reaches the person and says whose it is.",
                &[
                    "it::engine::questions::the_question_of_a_sub_agent_says_whose_it_is_and_its_answer_stays_below",
                ],
            ),
            shown(
                B,
                "Fields answer to the names that other systems use.",
                &["lib::tools::person::ask_user::tests::fields_answer_to_other_systems_names"],
            ),
        ],
    ),
    Subject(
        "save_answer",
        &[
            shown(
                C,
                "What the message of the call says is saved, or else the last answer of before.",
                &[
                    "it::engine::answers::the_words_in_front_of_the_call_are_saved_or_else_those_of_an_earlier_turn",
                ],
            ),
            shown(
                C,
                "It is written as it stands, with a line end behind it.",
                &[
                    "it::engine::answers::the_words_in_front_of_the_call_are_saved_or_else_those_of_an_earlier_turn",
                ],
            ),
            shown(
                C,
                "A file that exists is never overwritten.",
                &[
                    "it::engine::answers::the_words_in_front_of_the_call_are_saved_or_else_those_of_an_earlier_turn",
                    "it::engine::answers::saving_is_asked_about_with_what_would_be_written_and_a_rejection_writes_nothing",
                ],
            ),
            shown(
                C,
                "Without an answer it says so, and nothing is asked.",
                &[
                    "it::engine::answers::the_words_in_front_of_the_call_are_saved_or_else_those_of_an_earlier_turn",
                ],
            ),
            shown(
                C,
                "Missing folders are made.",
                &[
                    "it::engine::answers::the_words_in_front_of_the_call_are_saved_or_else_those_of_an_earlier_turn",
                ],
            ),
            shown(
                C,
                "The result says which answer was saved, where, how large, and its first line.",
                &[
                    "it::engine::answers::the_words_in_front_of_the_call_are_saved_or_else_those_of_an_earlier_turn",
                ],
            ),
            shown(
                C,
                "It is judged and asked about as every write, and a rejection writes nothing.",
                &[
                    "it::engine::answers::saving_is_asked_about_with_what_would_be_written_and_a_rejection_writes_nothing",
                ],
            ),
            otherwise(
                C,
                "A setting has to switch it on.",
                "It writes no more than `file_write` may; who does not want it names it in `tools.disabled`.",
            ),
        ],
    ),
];
