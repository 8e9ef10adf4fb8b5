//! Code that runs, and what it calls.

use super::row::{
    Origin::{A, B, C, E},
    Subject, otherwise, shown,
};

/// The rows.
pub(super) const ROWS: &[Subject] = &[Subject(
    "code_execute",
    &[
        shown(
            E,
            "Python and JavaScript run as they are, and no shell reads them.",
            &["it::tools::code::code_is_run_as_it_is_and_never_by_a_shell"],
        ),
        otherwise(
            E,
            "Only Python runs.",
            "JavaScript runs too: a model is good at both, and a machine may have one of them only.",
        ),
        shown(
            E,
            "What the code prints is the answer, and how it ended stands below it.",
            &[
                "it::tools::code::it_ends_in_time_and_when_it_is_killed_and_when_it_is_stopped",
                "it::tools::code::what_goes_wrong_is_shown_with_the_lines_of_the_code",
            ],
        ),
        shown(
            E,
            "The code finds its input on its standard input.",
            &["it::tools::code::what_it_reads_is_its_input_and_what_it_starts_gets_no_line_to_us"],
        ),
        shown(
            E,
            "A time limit ends it with everything that it started.",
            &["it::tools::code::it_ends_in_time_and_when_it_is_killed_and_when_it_is_stopped"],
        ),
        otherwise(
            E,
            "The limit is 5 s, and 30 s at the most.",
            "It is that of commands, since code does what commands do; a call of a tool does not count.",
        ),
        shown(
            E,
            "The time of a call of a tool, the person's answer included, is not the code's.",
            &[
                "it::engine::code::the_time_of_a_call_is_not_the_codes",
                "lib::process::asking::tests::the_time_of_an_answer_is_not_the_programs",
            ],
        ),
        shown(
            E,
            "At most so many characters are answered as were asked for.",
            &["it::tools::code::only_so_much_is_answered_as_was_asked_for"],
        ),
        shown(
            E,
            "It is held by the sandbox of commands.",
            &["it::engine::code::in_each_sandbox_it_is_held_as_a_command_is_and_reaches_our_tools"],
        ),
        shown(
            B,
            "What a rule forbids to a command line, code may not do either.",
            &["it::engine::code::a_rule_about_commands_holds_for_code"],
        ),
        shown(
            B,
            "An answer for the session stands for a language where nothing can be written, elsewhere for this code.",
            &[
                "it::engine::code::an_answer_for_the_session_stands_for_a_language_at_level_read_only",
            ],
        ),
        shown(
            E,
            "Code calls tools for files, searches and looking, and no others.",
            &["it::tools::code::calls_that_nobody_answers_are_errors_in_the_code"],
        ),
        shown(
            E,
            "Each call of code is judged, logged and shown as a call of its own.",
            &[
                "it::engine::code::a_call_of_code_is_one_of_its_own_and_the_model_is_told_what_the_code_printed",
                "it::frames::code::what_code_calls_stands_below_it_and_is_asked_about_there",
            ],
        ),
        shown(
            E,
            "A call that is refused or fails is an error in the code.",
            &[
                "it::engine::code::what_needs_an_answer_is_asked_with_the_code_named_and_a_no_is_an_error_in_it",
                "it::engine::code::rules_and_hooks_hold_for_what_code_calls",
            ],
        ),
        shown(
            C,
            "Hooks hear of what code calls.",
            &["it::engine::code::rules_and_hooks_hold_for_what_code_calls"],
        ),
        shown(
            E,
            "Calls of one run are bounded.",
            &["it::engine::code::a_thousand_calls_are_bounded"],
        ),
        shown(
            B,
            "Stopping the turn takes back what the code has asked and ends it.",
            &["it::engine::code::stopping_the_turn_ends_a_question_of_the_code_and_the_code"],
        ),
        shown(
            A,
            "What code has read the model has not: it does not write over it.",
            &["it::engine::code::what_code_has_read_the_model_has_not"],
        ),
    ],
)];
