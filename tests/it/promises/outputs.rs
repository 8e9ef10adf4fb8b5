//! What becomes of outputs: inline, in the scratchpad, in the store with an address.

use super::row::{
    Origin::{A, B, D},
    Subject, otherwise, shown,
};

/// The rows.
pub(super) const ROWS: &[Subject] = &[Subject(
    "outputs",
    &[
        shown(
            D,
            "An output over 30,000 bytes goes to the scratchpad under a name of its own and leaves a preview.",
            &["it::engine::turns::a_large_output_is_kept_whole_and_shown_in_part"],
        ),
        shown(
            D,
            "A name that is made up never takes the place of an entry.",
            &["it::engine::turns::a_generated_name_never_takes_the_place_of_another_entry"],
        ),
        shown(
            A,
            "`scratchpad` keeps the output of a call under that name and out of the conversation.",
            &[
                "it::engine::turns::a_named_scratchpad_entry_takes_the_output_out_of_the_conversation",
            ],
        ),
        shown(
            A,
            "Every tool takes `scratchpad`, and its schema says so.",
            &[
                "it::engine::outputs::every_tool_says_once_that_a_scratchpad_entry_can_take_its_output",
            ],
        ),
        shown(
            A,
            "Refusals and failures stay in the conversation.",
            &["it::engine::outputs::a_scratchpad_entry_takes_every_output_whole_and_no_failure"],
        ),
        shown(
            A,
            "A command that exits with another status than 0 is an output, its status included.",
            &["it::engine::outputs::a_scratchpad_entry_takes_every_output_whole_and_no_failure"],
        ),
        shown(
            A,
            "`scratchpad` that is no text refuses the call and says what is expected; null is left out.",
            &["it::engine::outputs::a_scratchpad_entry_takes_every_output_whole_and_no_failure"],
        ),
        shown(
            A,
            "The parameter is taken off before the tool sees its arguments.",
            &[
                "it::engine::turns::a_named_scratchpad_entry_takes_the_output_out_of_the_conversation",
            ],
        ),
        shown(
            A,
            "With `scratchpad` a search returns all of its matches and a page all of its text.",
            &[
                "it::engine::outputs::a_scratchpad_entry_takes_every_output_whole_and_no_failure",
                "it::engine::outputs::what_a_scratchpad_entry_takes_is_not_cut_unless_a_limit_says_so",
                "it::tools::web::what_a_scratchpad_entry_takes_is_the_whole_page_unless_a_limit_says_otherwise",
            ],
        ),
        shown(
            A,
            "An unfit or lent name is refused before anything runs.",
            &[
                "it::engine::turns::an_unfit_name_for_the_scratchpad_is_refused_before_anything_runs",
                "it::engine::agents::an_output_cannot_be_kept_under_a_name_that_the_parent_lends",
            ],
        ),
        shown(
            B,
            "What is kept is kept under its SHA-256 and only once.",
            &["it::store::outputs::an_output_is_kept_under_its_digest_and_only_once"],
        ),
        shown(
            B,
            "Only the person's own account can read what is kept.",
            &["it::store::outputs::a_file_is_taken_over_and_nobody_else_can_read_it"],
        ),
        shown(
            B,
            "A large output is read again by its address, by line, with where to go on.",
            &[
                "it::engine::outputs::the_pages_of_a_stored_output_are_the_whole",
                "it::tools::files::a_stored_output_is_read_by_its_address",
            ],
        ),
        shown(
            B,
            "Each stream of a command has an address of its own behind that of the list.",
            &[
                "it::engine::outputs::each_stream_of_a_large_output_is_read_by_its_own_address",
                "it::store::outputs::streams_are_outputs_of_their_own_under_one_list",
            ],
        ),
        shown(
            B,
            "An address is 64 lower-case hex digits and at most one stream's name; anything else is refused.",
            &[
                "lib::domain::work::artifact::tests::an_address_names_an_output_or_one_of_its_streams_and_nothing_else",
            ],
        ),
        shown(
            B,
            "A stream's name has 1 to 64 letters, digits, `_`, `-` and `.`, and is neither `.` nor `..`.",
            &[
                "lib::domain::work::artifact::tests::an_address_names_an_output_or_one_of_its_streams_and_nothing_else",
            ],
        ),
        shown(
            B,
            "A stream of an output that has none, and an unknown stream, are refused.",
            &["it::engine::outputs::each_stream_of_a_large_output_is_read_by_its_own_address"],
        ),
        shown(
            B,
            "A line that is larger than a page is read on in the middle, and nothing is skipped.",
            &["it::engine::outputs::a_line_that_is_larger_than_any_page_is_read_to_its_end"],
        ),
        shown(
            B,
            "A damaged or missing output is a plain failure of the call that reads it.",
            &[
                "it::engine::outputs::a_session_opens_whose_outputs_are_damaged_or_gone",
                "it::engine::outputs::a_damaged_output_is_refused_by_name",
                "it::store::outputs::a_damaged_output_is_refused_by_name_and_mended_by_keeping_it_again",
            ],
        ),
        shown(
            B,
            "A damaged output keeps neither the program nor a session from opening.",
            &["it::engine::outputs::a_session_opens_whose_outputs_are_damaged_or_gone"],
        ),
        shown(
            B,
            "What nothing names is removed after an hour.",
            &[
                "it::store::collecting::what_a_log_or_a_scratchpad_names_stays_and_the_rest_goes_after_an_hour",
            ],
        ),
        shown(
            B,
            "Nothing is removed while it is being kept, by this program or by another.",
            &[
                "it::store::collecting::nothing_goes_while_a_program_has_something_that_stands_in_no_log",
                "it::store::collecting::what_is_kept_while_another_program_collects_is_there_when_it_is_kept",
                "it::store::collecting::an_output_that_is_kept_again_while_the_logs_are_read_stays",
            ],
        ),
        shown(
            B,
            "What is kept again is young again.",
            &["it::store::collecting::an_old_output_that_is_kept_again_is_young"],
        ),
        shown(
            B,
            "What a killed program left half-written is cleared away later.",
            &[
                "it::store::collecting::a_killed_program_leaves_whole_outputs_and_what_another_one_can_clear_away",
            ],
        ),
        shown(
            B,
            "Logs that cannot be read keep everything.",
            &[
                "it::store::collecting::a_database_that_cannot_be_read_keeps_everything",
                "it::store::collecting::a_damaged_database_that_lies_aside_keeps_everything",
            ],
        ),
        shown(
            B,
            "Control characters of an output reach neither the screen nor the model.",
            &["it::cases::shell::escapes_reach_neither_screen_nor_model"],
        ),
        shown(
            B,
            "What was printed before a stop is kept with the call.",
            &[
                "it::engine::declared::stopping_it_ends_its_processes_and_keeps_what_it_printed",
                "it::cases::sandbox::a_command_that_takes_too_long_ends_with_all_it_started",
            ],
        ),
        shown(
            B,
            "An address works for whoever has it, in another session too.",
            &["it::engine::outputs::an_address_works_in_another_session_too"],
        ),
        otherwise(
            B,
            "Reads by address begin at line 0.",
            "`start` counts lines from 1 as editors do; `offset` is taken too and counts from 0.",
        ),
        otherwise(
            B,
            "The limits of previews are settings, in lines and bytes.",
            "One limit of 30,000 bytes holds for every tool, so that a request can be reckoned beforehand.",
        ),
        otherwise(
            B,
            "A page of more than 2 MiB fails.",
            "A page ends with a whole line when it is full, and the answer names the next one.",
        ),
        otherwise(
            B,
            "A rule for addresses must allow the reading of outputs.",
            "What a session kept it may read: an output holds nothing that its agents have not been shown.",
        ),
    ],
)];
