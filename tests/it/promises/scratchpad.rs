//! The scratchpad: named texts beside the conversation.

use super::row::{
    Origin::{A, D},
    Subject, otherwise, shown,
};

/// The rows.
pub(super) const ROWS: &[Subject] = &[
    Subject(
        "scratchpad_write",
        &[
            shown(
                D,
                "A text is stored under a name.",
                &["lib::tools::scratchpad::scratchpad_write::tests::it_stores_and_overwrites"],
            ),
            shown(
                D,
                "An entry of the same name is replaced without a word.",
                &["lib::tools::scratchpad::scratchpad_write::tests::it_stores_and_overwrites"],
            ),
            shown(
                A,
                "An empty text is stored as one.",
                &["lib::tools::scratchpad::scratchpad_write::tests::it_stores_and_overwrites"],
            ),
            shown(
                D,
                "An entry is there in the next turns of its session.",
                &["it::engine::lent::an_entry_is_there_in_the_next_turn_and_in_no_other_session"],
            ),
            shown(
                D,
                "An entry is there when the session is opened again.",
                &[
                    "it::store::rows::a_note_is_written_whole_replaced_and_read_back_after_a_restart",
                ],
            ),
            shown(
                D,
                "An entry is there when the window was summarised.",
                &["it::engine::lent::an_entry_is_there_when_the_window_was_summarised"],
            ),
            shown(
                D,
                "Two sessions may each have an entry of one name.",
                &["it::engine::lent::an_entry_is_there_in_the_next_turn_and_in_no_other_session"],
            ),
            shown(
                A,
                "Agents of one session do not see each other's entries.",
                &[
                    "it::store::rows::notes_belong_to_one_agent_and_are_listed_by_agent_and_name",
                    "it::engine::lent::a_lent_entry_is_read_listed_merged_and_saved_and_no_other",
                ],
            ),
            shown(
                D,
                "An entry that a parent lends cannot be written.",
                &["it::engine::lent::nothing_changes_a_lent_entry"],
            ),
            shown(
                D,
                "The whole family is offered from the first request.",
                &[
                    "it::engine::outputs::every_tool_says_once_that_a_scratchpad_entry_can_take_its_output",
                ],
            ),
            otherwise(
                D,
                "Storing an entry needs level `read`.",
                "It reaches nothing but the session's own store, so that even level `none` may take notes.",
            ),
        ],
    ),
    Subject(
        "scratchpad_read",
        &[
            shown(
                D,
                "An entry is read from a byte on, at most so many bytes.",
                &[
                    "lib::tools::scratchpad::scratchpad_read::tests::it_reads_whole_in_part_and_by_line",
                    "lib::tools::scratchpad::passage::tests::a_part_says_where_it_is_and_where_to_go_on",
                ],
            ),
            shown(
                D,
                "With the entry's size as limit all of it comes in one call.",
                &[
                    "it::engine::lent::reading_an_entry_stays_in_the_conversation_however_large_it_is",
                ],
            ),
            shown(
                D,
                "A read that passes the ceiling of the window is cut there.",
                &[
                    "lib::tools::scratchpad::scratchpad_read::tests::a_read_past_the_ceiling_is_cut_but_never_below_what_any_tool_may_return",
                ],
            ),
            shown(
                D,
                "A cut read names the offset to go on from.",
                &[
                    "lib::tools::scratchpad::passage::tests::a_part_says_where_it_is_and_where_to_go_on",
                    "lib::tools::scratchpad::passage::tests::following_the_offsets_returns_the_whole_text",
                ],
            ),
            shown(
                D,
                "Five letters count as a token and every other character as one, so that dense text is cut sooner.",
                &[
                    "lib::tools::scratchpad::passage::tests::dense_text_is_cut_sooner_than_prose_and_never_below_the_inline_bound",
                ],
            ),
            shown(
                D,
                "A read never returns less than the 30,000 bytes that any tool may return.",
                &[
                    "lib::tools::scratchpad::scratchpad_read::tests::a_read_past_the_ceiling_is_cut_but_never_below_what_any_tool_may_return",
                ],
            ),
            shown(
                D,
                "An answer stays in the conversation however large it is.",
                &[
                    "it::engine::lent::reading_an_entry_stays_in_the_conversation_however_large_it_is",
                ],
            ),
            shown(
                D,
                "A regular expression returns the lines that match, with their numbers, up to a hundred.",
                &[
                    "lib::tools::scratchpad::scratchpad_read::tests::it_reads_whole_in_part_and_by_line",
                    "lib::tools::scratchpad::passage::tests::a_search_numbers_lines_and_says_how_many_it_left_out",
                ],
            ),
            shown(
                D,
                "A lent entry is read as one of the agent's own.",
                &["it::engine::lent::a_lent_entry_is_read_listed_merged_and_saved_and_no_other"],
            ),
            shown(
                A,
                "A name that no entry has is answered with those that there are.",
                &["lib::tools::scratchpad::scratchpad_read::tests::a_wrong_call_says_what_to_do"],
            ),
        ],
    ),
    Subject(
        "scratchpad_edit",
        &[
            shown(
                D,
                "`content` replaces the whole entry.",
                &["lib::tools::scratchpad::scratchpad_edit::tests::it_changes_all_or_one_text"],
            ),
            shown(
                D,
                "`old_string` and `new_string` replace one text in it.",
                &["lib::tools::scratchpad::scratchpad_edit::tests::it_changes_all_or_one_text"],
            ),
            shown(
                D,
                "Both ways in one call are refused.",
                &[
                    "lib::tools::scratchpad::scratchpad_edit::tests::what_is_not_clear_changes_nothing",
                ],
            ),
            shown(
                D,
                "Every occurrence is replaced only when `replace_all` says so.",
                &[
                    "lib::tools::scratchpad::scratchpad_edit::tests::it_changes_all_or_one_text",
                    "lib::tools::scratchpad::scratchpad_edit::tests::what_is_not_clear_changes_nothing",
                ],
            ),
            shown(
                A,
                "An empty `new_string` deletes and an empty `content` empties.",
                &["lib::tools::scratchpad::scratchpad_edit::tests::it_changes_all_or_one_text"],
            ),
            shown(
                D,
                "An entry that a parent lends cannot be edited.",
                &["it::engine::lent::nothing_changes_a_lent_entry"],
            ),
        ],
    ),
    Subject(
        "scratchpad_list",
        &[
            shown(
                D,
                "Every entry is listed with name, size, time and origin.",
                &[
                    "lib::tools::scratchpad::scratchpad_list::tests::every_entry_has_size_time_and_origin",
                ],
            ),
            shown(
                D,
                "The origin tells entries of one's own from inherited ones.",
                &[
                    "lib::tools::scratchpad::scratchpad_list::tests::every_entry_has_size_time_and_origin",
                    "it::engine::lent::a_lent_entry_is_read_listed_merged_and_saved_and_no_other",
                ],
            ),
            otherwise(
                D,
                "The time is that of the entry's creation.",
                "It is that of the last change: an entry that is overwritten holds nothing of its creation.",
            ),
            shown(
                A,
                "It takes no arguments.",
                &["lib::tools::scratchpad::scratchpad_list::tests::an_empty_scratchpad_says_so"],
            ),
        ],
    ),
    Subject(
        "scratchpad_delete",
        &[
            shown(
                D,
                "An entry is deleted by its name.",
                &[
                    "lib::tools::scratchpad::scratchpad_delete::tests::it_deletes_one_and_says_when_there_is_none",
                ],
            ),
            shown(
                D,
                "An entry that a parent lends cannot be deleted.",
                &["it::engine::lent::nothing_changes_a_lent_entry"],
            ),
        ],
    ),
    Subject(
        "scratchpad_merge",
        &[
            shown(
                D,
                "Sources come in the order given, then those of the prefix in the order of names.",
                &[
                    "lib::tools::scratchpad::scratchpad_merge::tests::the_order_is_that_of_the_call_then_that_of_the_names",
                ],
            ),
            shown(
                D,
                "The sources stay as they are.",
                &[
                    "lib::tools::scratchpad::scratchpad_merge::tests::the_order_is_that_of_the_call_then_that_of_the_names",
                ],
            ),
            shown(
                D,
                "A target that is there is replaced, and a prefix never selects it.",
                &[
                    "lib::tools::scratchpad::scratchpad_merge::tests::the_target_is_replaced_and_is_no_source",
                ],
            ),
            shown(
                D,
                "A prefix selects entries of one's own only.",
                &[
                    "lib::tools::scratchpad::scratchpad_merge::tests::the_order_is_that_of_the_call_then_that_of_the_names",
                    "it::engine::lent::a_lent_entry_is_read_listed_merged_and_saved_and_no_other",
                ],
            ),
            shown(
                D,
                "A lent entry may be a source.",
                &["it::engine::lent::a_lent_entry_is_read_listed_merged_and_saved_and_no_other"],
            ),
            shown(
                D,
                "A lent entry cannot be the target.",
                &["it::engine::lent::nothing_changes_a_lent_entry"],
            ),
            shown(
                D,
                "Without sources and prefix the call is refused.",
                &["lib::tools::scratchpad::scratchpad_merge::tests::a_wrong_call_says_what_to_do"],
            ),
            shown(
                D,
                "A line with the name stands before each entry unless told otherwise.",
                &[
                    "lib::tools::scratchpad::scratchpad_merge::tests::the_order_is_that_of_the_call_then_that_of_the_names",
                ],
            ),
            shown(
                D,
                "`concat` puts a line end between the entries.",
                &[
                    "lib::tools::scratchpad::scratchpad_merge::tests::the_order_is_that_of_the_call_then_that_of_the_names",
                ],
            ),
            shown(
                D,
                "`json_array` takes each entry as JSON and quotes what is none.",
                &[
                    "lib::tools::scratchpad::scratchpad_merge::tests::the_order_is_that_of_the_call_then_that_of_the_names",
                ],
            ),
            otherwise(
                D,
                "The array of `json_array` is compact.",
                "What is JSON stays as it is written: a number that is read and written again may be another one.",
            ),
        ],
    ),
    Subject(
        "scratchpad_rename",
        &[
            shown(
                D,
                "An entry gets another name, its content untouched.",
                &[
                    "lib::tools::scratchpad::scratchpad_rename::tests::it_renames_to_a_free_name_only",
                    "it::store::rows::a_note_is_renamed_only_to_a_free_name_and_deleted_once",
                ],
            ),
            shown(
                D,
                "A missing old name and a taken new one are refused.",
                &[
                    "lib::tools::scratchpad::scratchpad_rename::tests::it_renames_to_a_free_name_only",
                ],
            ),
            shown(
                D,
                "Neither name may be one that a parent lends.",
                &["it::engine::lent::nothing_changes_a_lent_entry"],
            ),
        ],
    ),
    Subject(
        "scratchpad_load_file",
        &[
            shown(
                D,
                "A file's text goes into an entry and not through the conversation.",
                &["it::tools::scratchpad::a_file_goes_through_the_scratchpad_byte_for_byte"],
            ),
            shown(
                D,
                "A binary file is refused and called by its kind.",
                &["it::tools::scratchpad::what_cannot_be_loaded_is_refused_and_nothing_is_kept"],
            ),
            shown(
                D,
                "An entry of the same name is replaced.",
                &["it::tools::scratchpad::a_file_goes_through_the_scratchpad_byte_for_byte"],
            ),
            shown(
                D,
                "A name that a parent lends cannot be loaded into.",
                &["it::engine::lent::nothing_changes_a_lent_entry"],
            ),
            shown(
                D,
                "It needs level `read`.",
                &["it::cli::tools::the_list_says_what_each_tool_needs_at_the_least"],
            ),
        ],
    ),
    Subject(
        "scratchpad_save_file",
        &[
            shown(
                D,
                "An entry's text goes into a file and not through the conversation.",
                &["it::tools::scratchpad::a_file_goes_through_the_scratchpad_byte_for_byte"],
            ),
            shown(
                D,
                "It needs level `workspace`, the only one of its family that does.",
                &["it::cli::tools::the_list_says_what_each_tool_needs_at_the_least"],
            ),
            shown(
                D,
                "A path outside the workspace is refused as it is for every write.",
                &["it::tools::scratchpad::an_existing_file_is_replaced_only_when_that_is_meant"],
            ),
            shown(
                D,
                "A file that exists, readable or not, is replaced only with `force`.",
                &["it::tools::scratchpad::an_existing_file_is_replaced_only_when_that_is_meant"],
            ),
            shown(
                D,
                "A sub-agent can save an entry that it was lent.",
                &["it::engine::lent::a_lent_entry_is_read_listed_merged_and_saved_and_no_other"],
            ),
        ],
    ),
];
