//! Reading, writing and editing files, notebooks among them.

use super::row::{
    Origin::{A, B, C, E},
    Subject, otherwise, shown,
};

/// The rows.
pub(super) const ROWS: &[Subject] = &[
    Subject(
        "file_read",
        &[
            shown(
                C,
                "Lines are chosen by `start` and `end`, from 1, both included.",
                &["it::tools::files::a_window_can_be_named_in_three_ways"],
            ),
            shown(
                B,
                "Lines are chosen by `offset`, from 0, and `limit`.",
                &["it::tools::files::a_window_can_be_named_in_three_ways"],
            ),
            shown(
                B,
                "At most 2,000 lines or entries come when nothing is said.",
                &["it::tools::files::a_read_ends_with_its_range_and_the_next_line"],
            ),
            shown(
                C,
                "`numbered` puts its number before each line.",
                &["it::tools::files::numbers_and_a_pattern_can_be_asked_for"],
            ),
            shown(
                A,
                "`regex` keeps the lines that match.",
                &["it::tools::files::numbers_and_a_pattern_can_be_asked_for"],
            ),
            otherwise(
                C,
                "A file that is not there is named with how to create it.",
                "Reading names what is near, as most such names are misspelt; how to create one is said where a change was wanted.",
            ),
            shown(
                C,
                "A file that is not there is named with what is near.",
                &[
                    "lib::workspace::read::tests::a_missing_file_names_what_is_near",
                    "it::tools::files::what_is_missing_or_no_text_is_said_in_words",
                ],
            ),
            otherwise(
                C,
                "The last line end is kept only where the end of the file is shown.",
                "The answer ends with its range, so that the end is told in words.",
            ),
            shown(
                B,
                "A folder lists its entries.",
                &["it::tools::files::a_folder_lists_its_entries"],
            ),
            shown(
                B,
                "A file that is no text is known by its content.",
                &["it::tools::files::what_is_missing_or_no_text_is_said_in_words"],
            ),
            shown(
                B,
                "Images, PDF, audio and video are known by their content, never by the name alone.",
                &["lib::media::sniff::tests::every_kind_of_file_is_known_by_its_beginning"],
            ),
            shown(
                B,
                "A damaged image or document is told and goes to no model.",
                &[
                    "lib::media::picture::tests::a_picture_that_breaks_off_anywhere_is_damaged",
                    "lib::media::check::tests::a_document_that_breaks_off_or_is_locked_is_told",
                ],
            ),
            shown(
                B,
                "An image or a document goes to a model that takes it, behind the results where the wire wants it so.",
                &[
                    "it::engine::media::images_and_documents_go_behind_the_results_and_again_after_a_restart",
                ],
            ),
            shown(
                B,
                "A model that does not take such files is named with the reason.",
                &[
                    "it::engine::media::a_file_that_the_model_does_not_get_is_named_with_the_reason",
                    "lib::domain::work::media::tests::a_file_needs_a_model_that_takes_it_and_a_wire_that_carries_it",
                ],
            ),
            shown(
                B,
                "A wire that does not carry such files is named, and the size that it carries holds.",
                &[
                    "lib::domain::work::media::tests::a_file_needs_a_model_that_takes_it_and_a_wire_that_carries_it",
                ],
            ),
            shown(
                B,
                "A request holds so many files, the latest, and none is left out without a word.",
                &[
                    "lib::engine::outputs::attach::tests::a_request_is_bounded_and_no_file_is_lost_without_a_word",
                ],
            ),
            shown(
                B,
                "A file that is left out can be read again.",
                &["it::engine::media::an_image_that_was_shown_is_read_again_by_its_address"],
            ),
            shown(
                B,
                "A server that refuses files is not asked again and again.",
                &[
                    "it::engine::media::a_server_that_refuses_the_files_is_not_asked_in_vain_for_ever",
                ],
            ),
            shown(
                B,
                "A file that is not shown fails the call, which says how to go on.",
                &["it::engine::media::a_file_that_the_model_does_not_get_is_named_with_the_reason"],
            ),
            shown(
                B,
                "An answer stays in the conversation and never cuts a line.",
                &["it::tools::files::an_answer_stays_in_the_conversation_and_never_cuts_a_line"],
            ),
            shown(
                B,
                "A path that leads elsewhere by the time it is read is not read through.",
                &[
                    "lib::workspace::gate::tests::a_folder_swapped_for_a_link_after_the_look_is_not_read_through",
                ],
            ),
            shown(
                E,
                "Pipes, devices and sockets are refused by their kind.",
                &[
                    "lib::workspace::read::tests::pipes_devices_sockets_and_directories_are_refused_by_kind",
                ],
            ),
            shown(
                E,
                "A huge file costs no more than what is shown of it.",
                &["lib::workspace::read::tests::a_huge_file_costs_no_more_than_its_window"],
            ),
            shown(
                E,
                "Files that look like secrets are refused, by a link too.",
                &["it::cases::edit::b111_a_secret_leaves_by_no_tool"],
            ),
            otherwise(
                E,
                "Paths outside the workspace are refused.",
                "Reading is open to the person's files as in any shell; `permissions.confine_reads` closes it.",
            ),
        ],
    ),
    Subject(
        "file_write",
        &[
            shown(
                C,
                "The whole content of a file is replaced.",
                &["it::tools::files::a_new_file_is_written_without_having_been_read"],
            ),
            shown(
                C,
                "Missing folders are made.",
                &[
                    "lib::workspace::gate::tests::a_new_file_gets_its_folders_and_leaves_nothing_beside_it",
                    "it::tools::files::a_new_file_is_written_without_having_been_read",
                ],
            ),
            shown(
                C,
                "The answer is a headline and what changed.",
                &["it::tools::files::a_new_file_is_written_without_having_been_read"],
            ),
            shown(
                C,
                "The same content is not written again, and the answer says so.",
                &["it::tools::files::an_existing_file_is_replaced_only_when_it_was_read"],
            ),
            shown(
                A,
                "A file that was not read, or changed since, is not replaced.",
                &[
                    "it::tools::files::an_existing_file_is_replaced_only_when_it_was_read",
                    "lib::workspace::freshness::tests::never_read_and_changed_since_are_two_refusals",
                ],
            ),
            shown(
                A,
                "An empty content is a content.",
                &["it::tools::arguments::every_field_of_every_tool_follows_the_rule"],
            ),
            shown(
                A,
                "It is confined to the workspace.",
                &[
                    "lib::permission::evaluate::tests::properties::a_write_outside_never_runs_below_unrestricted",
                    "lib::workspace::gate::tests::a_write_outside_the_roots_to_a_secret_or_read_only_file_is_refused",
                ],
            ),
            shown(
                B,
                "A write is whole or not there.",
                &[
                    "it::cases::edit::b36_a_killed_write_leaves_the_old_or_the_new_file_and_nothing_else",
                ],
            ),
            shown(
                B,
                "Writes to the same file follow each other.",
                &[
                    "lib::engine::turn::schedule::tests::the_same_key_runs_in_order_and_another_key_beside_it",
                ],
            ),
            shown(
                B,
                "What was looked at is what is written: a file that changed meanwhile is asked about again.",
                &[
                    "it::engine::approvals::a_file_that_changed_after_it_was_shown_is_asked_again",
                    "lib::workspace::gate::tests::a_file_that_changed_or_appeared_meanwhile_is_not_written",
                ],
            ),
            shown(
                C,
                "A person sees the change before it is made.",
                &["it::tools::files::a_dry_run_and_a_preview_write_nothing"],
            ),
        ],
    ),
    Subject(
        "file_edit",
        &[
            shown(
                C,
                "`old_string` stands in the file exactly once, or the edit is refused with the lines.",
                &[
                    "lib::workspace::edit::plan::tests::two_places_are_refused_with_their_lines_however_they_matched",
                    "it::cases::edit::b34_of_two_places_none_is_chosen",
                ],
            ),
            shown(
                C,
                "Several edits are all resolved against the file as it was.",
                &[
                    "lib::workspace::edit::plan::tests::edits_are_resolved_against_the_original_text",
                    "it::tools::files::several_edits_are_made_together_or_not_at_all",
                ],
            ),
            shown(
                C,
                "Edits that overlap, nest or repeat are refused.",
                &[
                    "lib::workspace::edit::plan::tests::edits_that_overlap_nest_or_repeat_are_refused",
                ],
            ),
            shown(
                C,
                "One edit that is refused stops all.",
                &[
                    "lib::workspace::edit::plan::tests::one_bad_edit_of_several_is_named_and_stops_all",
                ],
            ),
            shown(
                C,
                "`dry_run` says what would change and writes nothing.",
                &["it::tools::files::a_dry_run_and_a_preview_write_nothing"],
            ),
            shown(
                C,
                "The headline tells edits, lines and the first line, and the change has line numbers.",
                &["it::tools::files::an_edit_says_what_it_did_with_real_line_numbers"],
            ),
            shown(
                C,
                "The headline tells how many matched only without their white space.",
                &["it::tools::files::an_edit_says_what_it_did_with_real_line_numbers"],
            ),
            shown(
                C,
                "Text that is there exactly is never matched any other way.",
                &[
                    "lib::workspace::edit::plan::tests::text_that_is_there_verbatim_is_never_matched_any_other_way",
                ],
            ),
            shown(
                C,
                "White space around the old text is forgiven, and comes off the new text too.",
                &[
                    "lib::workspace::edit::plan::tests::white_space_around_the_old_text_is_forgiven_and_comes_off_the_new",
                ],
            ),
            shown(
                C,
                "White space of each line is forgiven in a text of several lines.",
                &[
                    "lib::workspace::edit::plan::tests::a_block_retyped_with_spaces_is_found_and_gets_the_files_tabs",
                ],
            ),
            shown(
                C,
                "A text that is forgiven still has to be the only one.",
                &[
                    "lib::workspace::edit::plan::tests::two_places_are_refused_with_their_lines_however_they_matched",
                ],
            ),
            shown(
                C,
                "The new text gets the file's own indentation.",
                &[
                    "lib::workspace::edit::plan::tests::a_block_retyped_with_spaces_is_found_and_gets_the_files_tabs",
                    "lib::workspace::edit::plan::tests::a_block_without_its_base_indentation_gets_it_back",
                ],
            ),
            shown(
                C,
                "Nothing that matches is answered with the region that comes closest.",
                &[
                    "lib::workspace::edit::plan::tests::the_refusal_shows_the_region_that_came_closest",
                ],
            ),
            shown(
                C,
                "An innocent region is not shown.",
                &[
                    "lib::workspace::edit::plan::tests::an_innocent_part_of_the_file_is_not_pointed_at",
                ],
            ),
            shown(
                C,
                "An empty new text deletes.",
                &["lib::workspace::edit::plan::tests::deleting_a_line_leaves_no_line_of_spaces"],
            ),
            shown(
                B,
                "Exact matches alone count with `strict`.",
                &["lib::workspace::edit::plan::tests::strict_allows_exact_matches_alone"],
            ),
            otherwise(
                B,
                "An edit does not see what another call of the same step writes.",
                "Calls about one file follow each other, and each finds what the one before it left.",
            ),
            shown(
                B,
                "An edit finds what a write of the same step left in the file.",
                &["it::engine::approvals::an_edit_sees_what_a_write_of_the_same_step_left"],
            ),
            shown(
                A,
                "`replace_all` replaces every occurrence, exact ones only.",
                &[
                    "lib::workspace::edit::plan::tests::every_exact_occurrence_can_be_replaced_and_only_exact_ones",
                    "it::tools::files::lines_are_inserted_and_all_occurrences_replaced_when_asked",
                ],
            ),
            shown(
                C,
                "A file that is not there is named with how to create it.",
                &["it::tools::files::an_edit_of_a_missing_file_says_how_to_create_it"],
            ),
            shown(
                A,
                "A file that was not read, or changed since, is not edited.",
                &[
                    "lib::workspace::freshness::tests::never_read_and_changed_since_are_two_refusals",
                    "it::cases::edit::b38_what_a_person_added_since_the_read_survives",
                ],
            ),
        ],
    ),
    Subject(
        "notebook_edit",
        &[
            shown(
                E,
                "A cell of a notebook gets another source, is added or is deleted.",
                &[
                    "it::cases::notebook::b163_only_the_cell_that_is_meant_changes",
                    "it::cases::notebook::b163_a_new_markdown_cell_has_an_id_of_its_own_and_no_outputs",
                    "it::cases::notebook::b163_a_deleted_cell_takes_nothing_with_it",
                ],
            ),
            shown(
                E,
                "What each of the three needs is said where it is missing.",
                &[
                    "it::cases::notebook::what_does_not_make_an_edit_is_refused_and_the_same_source_is_not_written",
                ],
            ),
            shown(
                E,
                "A new cell comes at the beginning, or behind the one that is named.",
                &[
                    "lib::workspace::notebook::plan::tests::a_new_cell_looks_like_its_neighbours_and_has_an_id_of_its_own",
                    "it::cases::notebook::b163_a_new_markdown_cell_has_an_id_of_its_own_and_no_outputs",
                ],
            ),
            shown(
                E,
                "A new cell is code unless told otherwise, with the fields of its kind and no others.",
                &[
                    "lib::workspace::notebook::plan::tests::a_new_cell_looks_like_its_neighbours_and_has_an_id_of_its_own",
                    "it::cases::notebook::b163_a_new_markdown_cell_has_an_id_of_its_own_and_no_outputs",
                ],
            ),
            shown(
                E,
                "A new cell has an id of its own where the format has ids.",
                &[
                    "lib::workspace::notebook::plan::tests::a_new_cell_looks_like_its_neighbours_and_has_an_id_of_its_own",
                ],
            ),
            shown(
                E,
                "A cell is named by its id, or by its place from 0 as cell-N.",
                &[
                    "it::cases::notebook::b163_only_the_cell_that_is_meant_changes",
                    "it::cases::notebook::b163_a_deleted_cell_takes_nothing_with_it",
                ],
            ),
            shown(
                E,
                "A code cell with another source loses its outputs and its number.",
                &[
                    "lib::workspace::notebook::plan::tests::a_code_cell_gets_its_source_and_loses_what_it_printed",
                    "it::cases::notebook::b163_only_the_cell_that_is_meant_changes",
                ],
            ),
            shown(
                E,
                "A text cell with another source gets no outputs.",
                &[
                    "lib::workspace::notebook::plan::tests::a_text_cell_gets_its_source_and_nothing_else",
                ],
            ),
            shown(
                E,
                "Fields that are not known stay as they are.",
                &[
                    "lib::workspace::notebook::plan::tests::bytes_outside_the_cell_never_change",
                    "it::cases::notebook::b163_only_the_cell_that_is_meant_changes",
                ],
            ),
            shown(
                E,
                "A file that is no notebook is refused, by its name or by what it holds.",
                &[
                    "it::cases::notebook::a_notebook_is_changed_only_as_it_was_read",
                    "lib::workspace::notebook::plan::tests::what_is_no_notebook_and_a_cell_that_is_not_there_are_told_apart",
                ],
            ),
            shown(
                E,
                "A cell that is not there is answered with those that there are.",
                &[
                    "it::cases::notebook::what_does_not_make_an_edit_is_refused_and_the_same_source_is_not_written",
                ],
            ),
            otherwise(
                E,
                "A time of change guards against an edit of another state.",
                "The content that was read guards: times of change are coarse and can be set.",
            ),
            shown(
                E,
                "A notebook that changed since it was read is not edited.",
                &["it::cases::notebook::a_notebook_is_changed_only_as_it_was_read"],
            ),
            shown(
                E,
                "The person sees the change of the cell.",
                &["it::engine::notebooks::an_edit_is_asked_for_as_the_change_of_its_cell"],
            ),
            shown(
                E,
                "It is confined to the workspace, and a write is whole or not there.",
                &[
                    "lib::workspace::gate::tests::a_write_outside_the_roots_to_a_secret_or_read_only_file_is_refused",
                    "it::cases::edit::b36_a_killed_write_leaves_the_old_or_the_new_file_and_nothing_else",
                ],
            ),
            otherwise(
                E,
                "It is always offered.",
                "It is offered once there is a notebook in the workspace, since few have one and every schema costs room.",
            ),
        ],
    ),
];
