//! Commands, programs that only look, and code.

use super::row::{
    Origin::{A, B, C, E},
    Subject, otherwise, shown,
};

/// The rows.
pub(super) const ROWS: &[Subject] = &[
    Subject(
        "shell_execute",
        &[
            shown(
                C,
                "Bash runs the line, with nothing to read.",
                &[
                    "it::cases::shell::a_command_answers_with_its_output_and_its_status",
                    "it::cases::shell::a_command_has_no_terminal_and_nothing_to_read",
                ],
            ),
            shown(
                C,
                "It runs in the folder of the session.",
                &["it::cases::shell::a_deleted_working_directory_is_named_and_can_be_left"],
            ),
            shown(
                C,
                "A time limit ends it with everything that it started, and says so.",
                &["it::cases::shell::nothing_of_a_tree_is_left_after_a_time_out"],
            ),
            shown(
                B,
                "The limit of a call is given in milliseconds.",
                &["it::cases::shell::nothing_of_a_tree_is_left_after_a_time_out"],
            ),
            otherwise(
                C,
                "The limit is 30 s unless a setting says otherwise.",
                "It is 120 s, as builds take longer; a setting changes it.",
            ),
            shown(
                C,
                "Stopping the turn ends the command and keeps what it printed.",
                &["it::cases::shell::nothing_of_a_tree_is_left_after_it_is_stopped"],
            ),
            shown(
                C,
                "The call returns when the shell does, though a job still holds the output.",
                &["it::cases::shell::a_job_that_keeps_the_output_open_does_not_keep_the_call"],
            ),
            shown(
                C,
                "The job that was left goes on and may print.",
                &["it::cases::shell::a_job_may_go_on_printing_after_the_call"],
            ),
            otherwise(
                C,
                "A job outlives the session.",
                "Nothing that an agent started outlives the program; a job is listed, and ends with its session.",
            ),
            shown(
                C,
                "A job that is left is named.",
                &[
                    "it::cases::shell::a_job_that_keeps_the_output_open_does_not_keep_the_call",
                    "it::engine::jobs::a_job_is_listed_and_the_person_can_end_it",
                ],
            ),
            shown(
                C,
                "Of a very large output both ends come back.",
                &["it::engine::turns::a_large_output_is_kept_whole_and_shown_in_part"],
            ),
            shown(
                C,
                "The two streams are shown as one.",
                &["it::cases::shell::a_command_answers_with_its_output_and_its_status"],
            ),
            shown(
                B,
                "Each stream is kept by itself.",
                &["it::engine::outputs::each_stream_of_a_large_output_is_read_by_its_own_address"],
            ),
            shown(
                B,
                "Output is shown while the command runs.",
                &["it::cases::shell::output_is_shown_while_the_command_runs"],
            ),
            shown(
                C,
                "Another status than 0 is output that ends with it.",
                &["it::cases::shell::a_command_answers_with_its_output_and_its_status"],
            ),
            shown(
                C,
                "Without output it says so.",
                &["it::cases::shell::a_command_answers_with_its_output_and_its_status"],
            ),
            shown(
                B,
                "Control characters reach neither the screen nor the model, line ends and tabs apart.",
                &["it::cases::shell::escapes_reach_neither_screen_nor_model"],
            ),
            shown(
                C,
                "What would ask is asked before it runs.",
                &["it::cases::commands::b94_every_command_of_a_chain_is_judged"],
            ),
            shown(
                B,
                "A command that is `interactive` takes what the person types while it runs, the end of input too.",
                &[
                    "it::terminal::typing::an_answer_is_typed_pasted_and_mended_and_the_person_is_back_in_their_message",
                    "it::engine::terminals::the_model_is_told_how_much_was_typed_and_nobody_what",
                ],
            ),
            otherwise(
                B,
                "The streams of an interactive command are kept apart.",
                "It has a terminal, so that programs ask as they do in one, and a terminal has one stream.",
            ),
            shown(
                B,
                "What is typed is not shown to the model.",
                &[
                    "it::engine::terminals::the_model_is_told_how_much_was_typed_and_nobody_what",
                    "it::terminal::typing::a_password_is_asked_for_and_never_shown",
                ],
            ),
            shown(
                B,
                "Where nobody can type an interactive command does not run.",
                &["it::engine::terminals::where_nobody_is_asked_nobody_types"],
            ),
            shown(
                B,
                "An interactive command ends with its turn.",
                &[
                    "it::terminal::typing::a_program_that_waits_for_ever_ends_with_its_turn",
                    "it::engine::terminals::a_program_on_a_terminal_is_stopped_with_what_it_started",
                ],
            ),
            shown(
                A,
                "In a sandbox it needs level `read`, which keeps it from writing.",
                &[
                    "it::tools::levels::commands_and_code_need_level_read_in_a_sandbox_and_level_unrestricted_without_one",
                    "it::cases::sandbox::at_level_read_nothing_but_tmp_is_written",
                ],
            ),
            shown(
                A,
                "Without a sandbox it needs level `unrestricted`.",
                &[
                    "it::tools::levels::commands_and_code_need_level_read_in_a_sandbox_and_level_unrestricted_without_one",
                    "it::cases::sandbox::b116_a_backend_that_does_not_work_refuses_every_command",
                ],
            ),
            shown(
                A,
                "A network setting holds for what it runs.",
                &["it::cases::sandbox::without_a_network_loopback_inside_works_and_nothing_else"],
            ),
            shown(
                E,
                "Dangerous commands of the floor never run.",
                &["lib::permission::floor::find::tests::every_category_has_its_code"],
            ),
        ],
    ),
    Subject(
        "shell_inspect",
        &[
            shown(
                E,
                "A program and its arguments are given as words, and no shell reads them.",
                &[
                    "it::tools::inspect::a_program_gets_its_words_as_they_are",
                    "lib::permission::shell::argv::tests::what_is_accepted_bash_reads_the_same_and_only_looks",
                ],
            ),
            shown(
                E,
                "Possible are pwd, ls, cat, head, tail, wc, stat, file and seven commands of git.",
                &[
                    "lib::permission::shell::argv::tests::every_program_of_the_table_is_accepted_with_all_that_it_takes",
                ],
            ),
            shown(
                E,
                "`git show` is not possible.",
                &["lib::permission::shell::argv::tests::what_is_not_in_the_table_is_refused"],
            ),
            shown(
                E,
                "Shells, wrappers and interpreters are refused.",
                &["lib::permission::shell::argv::tests::what_is_not_in_the_table_is_refused"],
            ),
            shown(
                E,
                "Pipes, redirections, chains, substitutions and assignments are refused.",
                &["lib::permission::shell::argv::tests::what_is_not_in_the_table_is_refused"],
            ),
            shown(
                E,
                "Other programs, by a path too, and what changes something are refused.",
                &[
                    "lib::permission::shell::argv::tests::what_is_not_in_the_table_is_refused",
                    "it::tools::inspect::what_is_not_known_to_only_look_is_refused_before_it_is_judged",
                ],
            ),
            otherwise(
                E,
                "A glob as an argument is refused.",
                "No shell expands it, so it is a name as good as any: a file may be called so.",
            ),
            otherwise(
                E,
                "Paths outside the workspace are refused.",
                "They are judged as every read is; `permissions.confine_reads` closes them for all tools.",
            ),
            shown(
                E,
                "Its output is bounded.",
                &["it::engine::turns::a_large_output_is_kept_whole_and_shown_in_part"],
            ),
            otherwise(
                E,
                "Secrets are blanked in its output.",
                "Files that look like secrets are refused whole, and keys of accounts never reach a program.",
            ),
            shown(
                E,
                "What a rule forbids to commands it may not do either.",
                &[
                    "lib::permission::evaluate::tests::lines::what_is_forbidden_to_the_shell_is_forbidden_to_every_tool_that_runs_commands",
                ],
            ),
            shown(
                E,
                "It changes nothing and has no network, where a sandbox holds it.",
                &[
                    "it::tools::inspect::in_a_sandbox_it_sees_and_changes_nothing_and_has_no_network",
                ],
            ),
        ],
    ),
    Subject(
        "code_execute",
        &[
            shown(
                E,
                "Code of Python and JavaScript is run.",
                &[
                    "it::tools::code::code_is_run_as_it_is_and_never_by_a_shell",
                    "it::tools::code::what_it_reads_is_its_input_and_what_it_starts_gets_no_line_to_us",
                ],
            ),
            shown(
                E,
                "Code runs in the sandbox of commands.",
                &[
                    "it::engine::code::in_each_sandbox_it_is_held_as_a_command_is_and_reaches_our_tools",
                ],
            ),
            shown(
                E,
                "Running code is asked about as its risk says, and one answer stands for no more than is held.",
                &[
                    "it::engine::code::an_answer_for_the_session_stands_for_a_language_at_level_read_only",
                ],
            ),
            shown(
                E,
                "Without a sandbox code needs level `unrestricted`.",
                &[
                    "it::tools::levels::commands_and_code_need_level_read_in_a_sandbox_and_level_unrestricted_without_one",
                ],
            ),
            shown(
                E,
                "What a rule forbids to commands it forbids to code.",
                &["it::engine::code::a_rule_about_commands_holds_for_code"],
            ),
            shown(
                E,
                "Code can call tools, and each such call is judged and asked about by itself.",
                &[
                    "it::engine::code::a_call_of_code_is_one_of_its_own_and_the_model_is_told_what_the_code_printed",
                    "it::engine::code::what_needs_an_answer_is_asked_with_the_code_named_and_a_no_is_an_error_in_it",
                    "it::engine::code::rules_and_hooks_hold_for_what_code_calls",
                ],
            ),
            shown(
                E,
                "The model is told what the code printed, not what its calls answered.",
                &[
                    "it::engine::code::a_call_of_code_is_one_of_its_own_and_the_model_is_told_what_the_code_printed",
                ],
            ),
            shown(
                E,
                "Its time is bounded, and stopping the turn ends it with what it printed kept.",
                &[
                    "it::tools::code::it_ends_in_time_and_when_it_is_killed_and_when_it_is_stopped",
                    "it::engine::code::stopping_the_turn_ends_a_question_of_the_code_and_the_code",
                ],
            ),
            shown(
                E,
                "Its output is bounded, and the number of its calls.",
                &[
                    "it::tools::code::only_so_much_is_answered_as_was_asked_for",
                    "it::engine::code::a_thousand_calls_are_bounded",
                ],
            ),
            shown(
                E,
                "What goes wrong is shown with the lines of the code.",
                &["it::tools::code::what_goes_wrong_is_shown_with_the_lines_of_the_code"],
            ),
            shown(
                E,
                "A language that is not known is refused with those that are.",
                &["it::tools::code::an_unknown_language_is_refused_with_those_that_are_known"],
            ),
        ],
    ),
];
