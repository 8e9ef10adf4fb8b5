//! What concerns the calls of a turn: loops, and what is counted.

use super::row::{
    Origin::{A, B, C},
    Subject, otherwise, shown,
};

/// The rows.
pub(super) const ROWS: &[Subject] = &[
    Subject(
        "loops",
        &[
            shown(
                C,
                "The same call with the same result three times in a row is told to the model behind the result.",
                &[
                    "lib::engine::turn::guards::loops::tests::equal_calls_are_told_at_three_and_end_at_six",
                    "lib::engine::turn::state::tests::the_same_call_with_the_same_result_ends_the_turn_at_the_sixth",
                ],
            ),
            shown(
                C,
                "The sixth time ends the turn and says what to do.",
                &[
                    "lib::engine::turn::guards::loops::tests::equal_calls_are_told_at_three_and_end_at_six",
                    "lib::engine::turn::state::tests::the_same_call_with_the_same_result_ends_the_turn_at_the_sixth",
                ],
            ),
            shown(
                C,
                "Another call or another result starts the count again.",
                &[
                    "lib::engine::turn::guards::loops::tests::another_call_starts_the_count_again",
                    "lib::engine::turn::guards::loops::tests::another_output_starts_the_count_again",
                ],
            ),
            otherwise(
                C,
                "The count goes on from turn to turn.",
                "A turn counts anew, since a person may well ask for the same thing again; reminders of a goal have bounds of their own.",
            ),
            shown(
                C,
                "Calls that were refused or could not begin count as well.",
                &[
                    "lib::engine::turn::batch::tests::a_call_that_never_runs_counts_for_the_loop_detector",
                ],
            ),
            shown(
                C,
                "Arguments that repeat 4 to 64 letters over 256 end the generation while they come.",
                &[
                    "lib::engine::turn::guards::loops::tests::a_repeated_pattern_is_seen_and_prose_and_rules_are_not",
                    "lib::engine::turn::reply::tests::a_runaway_argument_is_stopped",
                ],
            ),
            shown(
                C,
                "Arguments that pass 256 KB end the generation while they come.",
                &["lib::engine::turn::reply::tests::a_runaway_argument_is_stopped"],
            ),
            shown(
                C,
                "A call that is being written shows so, with its name and how much has come.",
                &["it::frames::displays::a_call_that_is_being_written_says_so"],
            ),
        ],
    ),
    Subject(
        "recap",
        &[
            shown(
                C,
                "Commands of a turn are counted.",
                &[
                    "it::engine::declared::a_recap_counts_commands_and_not_tools_of_the_configuration",
                ],
            ),
            shown(
                C,
                "Files that were read, written and edited are counted by themselves.",
                &["it::engine::turns::a_recap_counts_only_calls_that_ran"],
            ),
            shown(
                C,
                "A call that did not run is not counted.",
                &["it::engine::turns::a_recap_counts_only_calls_that_ran"],
            ),
            shown(
                C,
                "The counts stand behind the turn.",
                &["it::frames::conversation::a_reply_in_markdown_with_its_recap"],
            ),
        ],
    ),
    Subject(
        "arguments",
        &[
            shown(
                A,
                "A blank optional text is left out, a blank required one is missing and refused by name.",
                &[
                    "lib::tools::arguments::tests::texts",
                    "it::tools::arguments::every_field_of_every_tool_follows_the_rule",
                ],
            ),
            shown(
                A,
                "Where an empty text is a value it stays.",
                &[
                    "lib::tools::arguments::tests::texts",
                    "it::tools::arguments::every_field_of_every_tool_follows_the_rule",
                ],
            ),
            shown(
                A,
                "A list takes one bare text, drops blank entries and refuses those of another type.",
                &[
                    "lib::tools::arguments::tests::lists",
                    "it::tools::arguments::every_field_of_every_tool_follows_the_rule",
                ],
            ),
            shown(
                A,
                "True and false are not texts or numbers.",
                &[
                    "lib::tools::arguments::tests::true_and_false",
                    "it::tools::arguments::every_field_of_every_tool_follows_the_rule",
                ],
            ),
            shown(
                A,
                "A number is whole, 2.0 included, and never quoted, broken or negative where it counts.",
                &[
                    "lib::tools::arguments::tests::numbers",
                    "it::tools::arguments::every_field_of_every_tool_follows_the_rule",
                ],
            ),
            shown(
                A,
                "An object is an object, not its text, and headers are texts.",
                &[
                    "lib::tools::arguments::tests::objects",
                    "it::tools::arguments::every_field_of_every_tool_follows_the_rule",
                ],
            ),
            shown(
                B,
                "Unknown arguments and wrong types are refused.",
                &[
                    "it::tools::arguments::every_tool_refuses_a_field_that_it_does_not_have",
                    "it::tools::arguments::every_field_of_every_tool_follows_the_rule",
                ],
            ),
            shown(
                C,
                "A refusal says what was sent and what is expected.",
                &[
                    "lib::tools::arguments::tests::texts",
                    "it::tools::arguments::every_field_of_every_tool_follows_the_rule",
                ],
            ),
            shown(
                B,
                "The names that other systems use mean ours.",
                &["lib::tools::arguments::tests::names"],
            ),
            shown(
                A,
                "A tool's schema is made of what it reads, so that the two cannot differ.",
                &[
                    "lib::tools::schema::tests::a_schema_is_a_plain_object_that_every_wire_takes",
                    "lib::tools::registry::tests::argument_aliases_and_the_subject_name_real_arguments",
                ],
            ),
        ],
    ),
    Subject(
        "concurrency",
        &[
            shown(
                B,
                "Calls that may run side by side start together.",
                &[
                    "it::tools::side_by_side::what_only_looks_and_what_is_held_by_itself_runs_beside_anything",
                    "lib::engine::turn::schedule::tests::parallel_calls_start_together_beside_a_held_one",
                ],
            ),
            shown(
                B,
                "Calls about the same thing follow each other, others run beside them.",
                &[
                    "it::tools::side_by_side::changes_of_the_same_thing_follow_each_other",
                    "lib::engine::turn::schedule::tests::the_same_key_runs_in_order_and_another_key_beside_it",
                ],
            ),
            shown(
                B,
                "A call that must be alone runs alone.",
                &[
                    "it::tools::side_by_side::what_is_about_several_things_runs_alone",
                    "lib::engine::turn::schedule::tests::an_exclusive_call_runs_alone",
                ],
            ),
            otherwise(
                B,
                "Declared tools and those of plugins run alone.",
                "A declared tool runs a program as `shell_execute` does, and beside others as that does.",
            ),
            shown(
                B,
                "Every call is judged before any runs.",
                &["lib::engine::turn::state::tests::all_calls_are_judged_before_any_runs"],
            ),
            shown(
                B,
                "Results go back with the calls that they belong to, in the order of the calls.",
                &[
                    "it::engine::turns::a_tool_result_reaches_the_next_request_in_call_order",
                    "lib::engine::window::conversation::tests::results_stand_behind_their_calls_in_call_order",
                ],
            ),
            shown(
                B,
                "The next request waits for every result.",
                &["lib::engine::turn::state::tests::the_next_request_waits_for_every_result"],
            ),
        ],
    ),
];
