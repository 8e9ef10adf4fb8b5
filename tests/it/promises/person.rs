//! Questions to the person, answers that are saved, and the model that can be unloaded.

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
            shown(
                C,
                "Arrows choose an option, and meet at the ends.",
                &["lib::ui::panes::requests::form::tests::the_rows_of_a_choice_meet_at_their_ends"],
            ),
            shown(
                C,
                "A digit chooses an option.",
                &[
                    "lib::ui::panes::requests::form::tests::a_digit_chooses_and_the_digit_behind_the_last_option_opens_the_free_words",
                ],
            ),
            shown(
                C,
                "Free words may answer a choice.",
                &[
                    "lib::ui::panes::requests::form::tests::a_digit_chooses_and_the_digit_behind_the_last_option_opens_the_free_words",
                    "it::frames::requests::free_words_of_a_choice",
                ],
            ),
            shown(
                C,
                "Several options are ticked, and at least one before they are sent.",
                &[
                    "lib::ui::panes::requests::form::tests::a_multi_needs_a_tick_and_keeps_the_order_of_the_options",
                ],
            ),
            shown(
                C,
                "A yes or no takes its letters and arrows.",
                &[
                    "lib::ui::panes::requests::form::tests::a_yes_or_no_takes_letters_arrows_and_its_default",
                ],
            ),
            shown(
                C,
                "A text begins with its default.",
                &[
                    "lib::ui::panes::requests::form::tests::a_prefilled_text_is_sent_as_edited_and_an_accepted_empty_one_is_empty",
                ],
            ),
            shown(
                C,
                "Several questions show which of them it is.",
                &["it::frames::requests::several_questions_have_tabs_and_a_review"],
            ),
            otherwise(
                C,
                "Escape declines the whole form.",
                "It steps back first, so that no answer is lost by a key; declining has a key of its own.",
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
    Subject(
        "model_unload",
        &[
            shown(
                C,
                "Ollama is asked what it holds first, and a model that is not loaded is never asked for.",
                &[
                    "it::providers::unload::ollama_unloads_what_it_holds_and_is_not_asked_for_anything_else",
                ],
            ),
            shown(
                C,
                "What a server does not confirm has failed, in its own words.",
                &["it::providers::unload::what_ollama_does_not_confirm_has_failed_in_its_words"],
            ),
            shown(
                C,
                "As a router llama.cpp unloads a model.",
                &["it::providers::unload::llama_cpp_as_a_router_unloads"],
            ),
            shown(
                C,
                "A server that cannot unload says why and what to do instead.",
                &["it::providers::unload::a_server_that_cannot_says_what_to_do_instead"],
            ),
            shown(
                C,
                "A server that is gone is named.",
                &["it::providers::unload::a_server_that_is_gone_is_named"],
            ),
            shown(
                C,
                "The result is one line.",
                &["lib::tools::model::model_unload::tests::every_end_is_one_line"],
            ),
            shown(
                C,
                "Without a name it is the agent's own model, and nobody is asked.",
                &[
                    "it::engine::unload::a_model_unloads_itself_at_the_lowest_level_without_a_question",
                ],
            ),
            otherwise(
                C,
                "It is always offered.",
                "Only a server of one's own holds models for one alone, so it is offered where the model runs on one.",
            ),
        ],
    ),
];
