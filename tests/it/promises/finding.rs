//! Finding files by name and by content.

use super::row::{Origin::E, Subject, otherwise, shown};

/// The rows.
pub(super) const ROWS: &[Subject] = &[
    Subject(
        "file_find",
        &[
            shown(
                E,
                "Files are found by glob pattern.",
                &[
                    "it::tools::search::files_are_found_by_glob_in_order_of_path_or_the_last_changed_first",
                    "lib::workspace::walk::visit::tests::globs_mean_what_they_mean_to_ripgrep",
                ],
            ),
            shown(
                E,
                "What `.gitignore` names, hidden and generated files are left out.",
                &[
                    "it::tools::search::generated_folders_are_left_out_told_and_shown_when_asked_for",
                    "lib::workspace::walk::visit::tests::ignored_hidden_generated_and_secret_files_are_left_out",
                ],
            ),
            shown(
                E,
                "Hidden files are found when asked for, secrets not even then.",
                &[
                    "it::tools::search::no_argument_opens_a_secret_to_a_search",
                    "it::cases::edit::b111_a_secret_leaves_by_no_tool",
                ],
            ),
            shown(
                E,
                "Files are sorted by path, or the last changed come first.",
                &[
                    "it::tools::search::files_are_found_by_glob_in_order_of_path_or_the_last_changed_first",
                    "lib::workspace::walk::visit::tests::the_file_changed_last_comes_first_and_pages_are_exact",
                ],
            ),
            shown(
                E,
                "`limit` and `offset` count behind the sorting.",
                &[
                    "lib::workspace::walk::visit::tests::the_file_changed_last_comes_first_and_pages_are_exact",
                    "it::tools::search::files_are_found_by_glob_in_order_of_path_or_the_last_changed_first",
                ],
            ),
            shown(
                E,
                "Nothing found says where nothing was looked for.",
                &[
                    "it::tools::search::files_are_found_by_glob_in_order_of_path_or_the_last_changed_first",
                ],
            ),
            shown(
                E,
                "A glob that cannot be is refused with the reason.",
                &[
                    "lib::workspace::walk::visit::tests::a_glob_that_cannot_be_is_refused_with_the_reason",
                ],
            ),
        ],
    ),
    Subject(
        "file_search",
        &[
            shown(
                E,
                "Contents are searched by regular expression, with line numbers.",
                &[
                    "it::tools::search::matches_are_shown_by_file_with_their_lines",
                    "lib::workspace::grep::search::tests::matching_lines_come_with_numbers_ranges_and_context",
                ],
            ),
            shown(
                E,
                "`glob` and `type` choose files.",
                &[
                    "it::tools::search::files_and_counts_can_be_asked_for_instead",
                    "it::tools::search::matches_are_shown_by_file_with_their_lines",
                    "lib::workspace::walk::visit::tests::a_type_selects_its_files_and_an_unknown_one_is_refused",
                ],
            ),
            shown(
                E,
                "Case can be ignored and matches may span lines.",
                &[
                    "lib::workspace::grep::search::tests::text_case_and_line_ends_are_matched_as_asked",
                    "it::tools::search::a_match_reaches_over_lines_only_when_asked",
                ],
            ),
            shown(
                E,
                "Binary files and secrets are not searched.",
                &[
                    "lib::workspace::grep::search::tests::secrets_and_binary_files_are_not_searched",
                    "it::tools::search::no_argument_opens_a_secret_to_a_search",
                ],
            ),
            shown(
                E,
                "Matching files, or counts, can be asked for instead.",
                &[
                    "it::tools::search::files_and_counts_can_be_asked_for_instead",
                    "lib::workspace::grep::search::tests::files_and_counts_are_rows_of_their_own",
                ],
            ),
            shown(
                E,
                "50 rows come when nothing is said, and `offset` goes on.",
                &[
                    "it::tools::search::long_answers_come_in_pages",
                    "lib::workspace::grep::search::tests::pages_follow_one_another_without_gap_or_repeat",
                ],
            ),
            shown(
                E,
                "The answer and each line are bounded.",
                &[
                    "it::tools::search::long_answers_come_in_pages",
                    "it::tools::search::a_line_that_is_cut_is_told_with_the_argument_that_cut_it",
                    "lib::workspace::grep::search::tests::a_long_line_is_cut_around_its_match",
                ],
            ),
            shown(
                E,
                "Files of more than 2 MB are left out, and that is said.",
                &[
                    "it::tools::search::no_matches_says_what_was_not_looked_at",
                    "it::tools::search::a_file_that_is_named_is_searched_whatever_its_size_unless_a_size_is_named",
                ],
            ),
            shown(
                E,
                "Lines around a match come when asked for.",
                &[
                    "it::tools::search::matches_are_shown_by_file_with_their_lines",
                    "lib::workspace::grep::search::tests::matching_lines_come_with_numbers_ranges_and_context",
                ],
            ),
            shown(
                E,
                "Hidden files are searched when asked for, what looks like a secret not even then.",
                &[
                    "it::tools::search::no_matches_says_what_was_not_looked_at",
                    "it::tools::search::no_argument_opens_a_secret_to_a_search",
                ],
            ),
            shown(
                E,
                "A search ends in time, and what it found until then is told as such.",
                &[
                    "lib::workspace::walk::visit::tests::a_walk_that_is_told_to_stop_says_that_it_did",
                    "lib::workspace::grep::search::tests::a_file_without_matches_is_left_as_soon_as_the_search_is_to_stop",
                ],
            ),
            otherwise(
                E,
                "Places outside the workspace are refused.",
                "They are judged as every read is; `permissions.confine_reads` closes them for all tools.",
            ),
            shown(
                E,
                "A search can be stopped.",
                &["it::tools::search::a_search_that_was_cancelled_is_interrupted"],
            ),
            shown(
                E,
                "An unusable pattern is refused with what to do.",
                &[
                    "it::tools::search::a_bad_pattern_type_or_place_is_refused_with_what_to_do",
                    "lib::workspace::grep::search::tests::a_pattern_that_cannot_be_is_refused_with_what_to_do",
                ],
            ),
            otherwise(
                E,
                "The search needs ripgrep to be installed.",
                "It is part of the program, so that it cannot be missing.",
            ),
        ],
    ),
];
