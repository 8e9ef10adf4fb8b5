//! What a configuration adds and takes away: declared tools, hooks, filters.

use super::row::{
    Origin::{A, B, C, E},
    Subject, otherwise, shown,
};

/// The rows.
pub(super) const ROWS: &[Subject] = &[
    Subject(
        "declared tools",
        &[
            shown(
                C,
                "An entry of the configuration is a tool with its name, its description and its parameters.",
                &[
                    "lib::config::lists::tools::tests::a_tool_is_read_with_all_that_it_says",
                    "it::engine::declared::the_model_is_told_of_it_behind_the_built_in_tools_and_hooks_know_its_name",
                ],
            ),
            shown(
                C,
                "The schema has one field for each parameter, with its type.",
                &[
                    "it::cli::tools::the_schema_of_a_declared_tool_says_in_words_what_is_required_and_possible",
                ],
            ),
            shown(
                C,
                "What is possible, optional and a default stands in a parameter's description.",
                &[
                    "it::cli::tools::the_schema_of_a_declared_tool_says_in_words_what_is_required_and_possible",
                ],
            ),
            shown(
                C,
                "The schema has neither `required` nor `enum`.",
                &[
                    "it::cli::tools::the_schema_of_a_declared_tool_says_in_words_what_is_required_and_possible",
                ],
            ),
            shown(
                C,
                "The description ends with the names of the required parameters.",
                &[
                    "it::cli::tools::the_schema_of_a_declared_tool_says_in_words_what_is_required_and_possible",
                ],
            ),
            shown(
                C,
                "Numbers are taken as text of digits too, booleans as their words in any case, texts as numbers or booleans.",
                &[
                    "lib::domain::configured::declared::tests::values_become_of_their_type_as_near_as_they_are_to_it",
                ],
            ),
            shown(
                C,
                "Whole numbers are written without a point, numbers without an exponent, booleans as true and false.",
                &["lib::domain::configured::declared::tests::numbers_are_written_plainly"],
            ),
            shown(
                C,
                "An optional parameter that is left out has its default.",
                &["it::engine::declared::a_default_stands_in_for_what_is_left_out"],
            ),
            shown(
                C,
                "An entry of the command that is only a placeholder goes with the value that is left out.",
                &[
                    "lib::domain::configured::declared::tests::what_was_left_out_takes_its_own_entry_with_it_and_is_empty_inside_of_another",
                    "it::engine::declared::what_is_left_out_leaves_no_empty_argument",
                ],
            ),
            shown(
                C,
                "A placeholder inside other text becomes empty when its value is left out.",
                &[
                    "lib::domain::configured::declared::tests::what_was_left_out_takes_its_own_entry_with_it_and_is_empty_inside_of_another",
                ],
            ),
            shown(
                C,
                "A call that does not fit runs nothing and asks nothing.",
                &[
                    "it::engine::declared::an_invalid_call_runs_nothing_and_asks_nothing_and_says_all_that_is_wrong",
                ],
            ),
            shown(
                C,
                "Its refusal tells everything that is wrong at once, what was sent and what is expected.",
                &[
                    "it::engine::declared::an_invalid_call_runs_nothing_and_asks_nothing_and_says_all_that_is_wrong",
                ],
            ),
            shown(
                C,
                "No shell reads the command: a value never adds an argument, a pipe or a redirection.",
                &[
                    "it::engine::declared::a_value_stays_one_argument_whatever_it_holds_and_is_shown_so",
                    "lib::domain::configured::declared::tests::no_value_ever_becomes_two_arguments",
                ],
            ),
            shown(
                C,
                "A value is never read as a placeholder.",
                &[
                    "lib::domain::configured::declared::tests::a_value_is_never_read_as_a_placeholder",
                ],
            ),
            shown(
                C,
                "An entry's own time limit ends the call, and without one that of commands.",
                &[
                    "it::engine::declared::a_time_limit_a_missing_program_and_a_failing_one_are_told",
                    "it::engine::declared::without_a_limit_of_its_own_that_of_commands_holds",
                ],
            ),
            shown(
                C,
                "A program that cannot be started is told with the reason.",
                &[
                    "it::engine::declared::a_time_limit_a_missing_program_and_a_failing_one_are_told",
                ],
            ),
            shown(
                C,
                "Another exit status than 0 is an output that ends with it.",
                &[
                    "it::engine::declared::a_time_limit_a_missing_program_and_a_failing_one_are_told",
                ],
            ),
            shown(
                C,
                "Stopping the turn ends its processes and keeps what was printed.",
                &["it::engine::declared::stopping_it_ends_its_processes_and_keeps_what_it_printed"],
            ),
            shown(
                C,
                "It asks as a command does, and a rejection runs nothing.",
                &[
                    "it::engine::declared::it_is_judged_as_what_it_runs",
                    "it::engine::approvals::a_rejection_runs_nothing_and_tells_the_words",
                ],
            ),
            shown(
                C,
                "The person sees the line that runs.",
                &[
                    "it::engine::declared::a_value_stays_one_argument_whatever_it_holds_and_is_shown_so",
                    "it::frames::declared::what_a_declared_tool_runs_is_what_is_asked_about",
                ],
            ),
            shown(
                C,
                "It is not counted among the commands of a turn.",
                &[
                    "it::engine::declared::a_recap_counts_commands_and_not_tools_of_the_configuration",
                ],
            ),
            shown(
                C,
                "Hooks know it by its name.",
                &[
                    "it::engine::declared::the_model_is_told_of_it_behind_the_built_in_tools_and_hooks_know_its_name",
                ],
            ),
            shown(
                C,
                "It works in the folder of the session.",
                &["it::engine::declared::it_is_judged_as_what_it_runs"],
            ),
            shown(
                A,
                "Filters and levels know it by its name.",
                &[
                    "it::cli::tools::a_declared_tool_stands_behind_the_built_in_ones_and_filters_know_it",
                    "it::engine::declared::its_level_is_that_of_commands_and_no_less_than_it_says",
                ],
            ),
            shown(
                C,
                "It cannot take the name of another tool.",
                &["it::cli::tools::no_declared_tool_takes_the_name_of_another_tool"],
            ),
        ],
    ),
    Subject(
        "hooks",
        &[
            shown(
                C,
                "A hook before a call can keep it from running, and the model hears why.",
                &["it::engine::hooks::answers::a_denied_call_does_not_run_and_the_model_hears_why"],
            ),
            shown(
                C,
                "A hook after a call can replace what the model reads.",
                &[
                    "it::engine::hooks::answers::an_output_is_replaced_for_the_model_and_an_objection_is_heard",
                ],
            ),
            shown(
                C,
                "A matcher says which tools a hook is about.",
                &[
                    "it::engine::hooks::answers::a_matcher_says_which_tools_a_hook_is_about_by_any_of_their_names",
                ],
            ),
            shown(
                C,
                "A hook can change the arguments, and the changed call is judged.",
                &[
                    "it::engine::hooks::answers::changed_arguments_run_and_the_log_and_the_model_know_both_and_who",
                    "it::engine::hooks::answers::a_read_that_becomes_a_write_outside_is_judged_as_what_it_became",
                ],
            ),
            shown(
                C,
                "A hook before an ask can refuse it: no agent starts and the model hears the reason.",
                &["it::engine::hooks::answers::a_denied_ask_starts_no_agent"],
            ),
            shown(
                C,
                "A hook after an ask can replace the answer before the model reads it.",
                &["it::engine::hooks::answers::an_asked_agent_is_told_of_and_its_answer_replaced"],
            ),
            shown(
                C,
                "Context of a hook stands behind the result, and it is said whose it is.",
                &[
                    "it::engine::hooks::answers::context_of_a_call_comes_with_its_result",
                    "it::engine::hooks::answers::context_of_a_call_that_did_not_run_is_told_all_the_same",
                ],
            ),
            shown(
                C,
                "Context that is added before a generation goes with the words of the person.",
                &[
                    "it::engine::hooks::moments::context_stands_in_front_of_the_words_that_it_was_added_to",
                ],
            ),
            shown(
                C,
                "A hook can keep words from the model, and the log says so.",
                &[
                    "it::engine::hooks::moments::blocked_words_never_reach_the_model_and_stay_in_the_log",
                ],
            ),
            shown(
                C,
                "Each moment is told in order, with what it is about.",
                &["it::engine::hooks::moments::each_moment_is_told_in_order_with_what_it_is_about"],
            ),
            shown(
                C,
                "Exit code 2 denies with the words on the error stream.",
                &[
                    "it::engine::hooks::answers::exit_code_2_denies_with_the_words_on_standard_error",
                    "lib::hooks::answer::tests::exit_code_2_denies_with_the_words_of_its_error_and_any_other_is_a_fault",
                ],
            ),
            shown(
                C,
                "Any other failure is told of, and the call runs unless the hook is required.",
                &[
                    "it::engine::hooks::faults::a_hook_that_fails_is_told_of_and_the_call_runs_unless_it_is_required",
                ],
            ),
            shown(
                C,
                "A hook that takes too long is ended with all that it started.",
                &[
                    "it::engine::hooks::faults::a_hook_that_takes_too_long_is_ended_with_all_that_it_started",
                ],
            ),
            otherwise(
                C,
                "A hook after permission was given runs on what was permitted.",
                "Hooks come before the judgement, so that what is judged and asked about is what runs.",
            ),
        ],
    ),
    Subject(
        "filters",
        &[
            shown(
                A,
                "An allow-list offers only the tools that it names.",
                &[
                    "it::cli::tools::the_allow_list_and_the_block_list_and_levels_hold_under_every_name",
                ],
            ),
            shown(
                A,
                "A block-list takes tools away, whatever is allowed.",
                &[
                    "it::cli::tools::the_allow_list_and_the_block_list_and_levels_hold_under_every_name",
                ],
            ),
            shown(
                A,
                "The level that a tool needs can be raised.",
                &[
                    "it::engine::approvals::a_tool_can_be_made_to_need_a_higher_level",
                    "it::cli::tools::the_allow_list_and_the_block_list_and_levels_hold_under_every_name",
                ],
            ),
            otherwise(
                A,
                "The level that a tool needs can be lowered.",
                "A lower word would promise what the sandbox and the path checks do not give, so levels are only raised.",
            ),
            shown(
                A,
                "The list of tools shows each with its level and whether it is on.",
                &[
                    "it::cli::tools::every_tool_is_listed_and_a_disabled_one_is_marked",
                    "it::cli::tools::the_allow_list_and_the_block_list_and_levels_hold_under_every_name",
                ],
            ),
            shown(
                A,
                "One tool is shown with its whole description and schema, as the model has them.",
                &["it::cli::tools::a_tool_is_shown_under_its_name_and_its_aliases_with_its_schema"],
            ),
            shown(
                A,
                "Without the tool that starts agents the others for agents are gone.",
                &[
                    "it::cli::tools::the_allow_list_and_the_block_list_and_levels_hold_under_every_name",
                ],
            ),
            shown(
                A,
                "A depth of 0 takes the tools for agents away.",
                &["it::cli::tools::an_agent_that_may_start_none_has_no_tools_for_them"],
            ),
            shown(
                A,
                "Taking away the list of agents takes nothing else away.",
                &[
                    "it::cli::tools::switching_off_the_list_of_agents_leaves_the_tool_that_starts_them",
                ],
            ),
            shown(
                A,
                "What is switched off is not in the request.",
                &[
                    "it::engine::declared::the_model_is_told_of_it_behind_the_built_in_tools_and_hooks_know_its_name",
                ],
            ),
            shown(
                A,
                "A call above the level is asked about when approvals are on, and else refused with the way to raise it.",
                &[
                    "it::engine::approvals::a_tool_can_be_made_to_need_a_higher_level",
                    "lib::permission::evaluate::tests::without_approvals_a_call_above_the_level_is_refused_with_the_way_to_raise_it",
                ],
            ),
            shown(
                A,
                "An approved call still reaches no further than the level.",
                &[
                    "it::engine::approvals::a_write_outside_the_folder_is_refused_without_asking",
                    "it::cases::sandbox::at_level_read_nothing_but_tmp_is_written",
                ],
            ),
            otherwise(
                A,
                "At level `none` no tool is there.",
                "Tools that stay in the session's own store reach nothing: they plan and take notes at every level.",
            ),
            otherwise(
                B,
                "A tool is offered only where a rule allows or asks for it.",
                "Levels and modes decide for what no rule names, so that nothing has to be configured first.",
            ),
            shown(
                B,
                "The tools of a running turn stay as they are, and what was switched off meanwhile is refused.",
                &[
                    "it::engine::goals::a_cancelled_goal_is_over_and_another_can_be_set",
                    "it::engine::declared::a_projects_tool_is_there_while_the_folder_is_trusted",
                ],
            ),
            shown(
                C,
                "Where nobody can be asked, what would ask is refused.",
                &[
                    "it::engine::hooks::answers::where_nobody_is_asked_a_hook_that_asks_refuses",
                    "lib::permission::evaluate::tests::without_approvals_what_a_mode_or_a_rule_would_ask_is_refused_with_what_to_do",
                ],
            ),
            shown(
                E,
                "What is not offered is listed with the reason.",
                &[
                    "it::cli::tools::the_allow_list_and_the_block_list_and_levels_hold_under_every_name",
                    "it::engine::rules::the_tools_can_be_asked_for_with_the_reason_why_some_are_not_offered",
                ],
            ),
            shown(
                E,
                "The interface lists the tools that there are now.",
                &[
                    "it::frames::sandbox::the_tools_are_listed_with_what_they_need_and_why_some_are_not_offered",
                ],
            ),
            shown(
                E,
                "Every call is judged before it runs.",
                &["lib::engine::turn::state::tests::all_calls_are_judged_before_any_runs"],
            ),
            shown(
                E,
                "What the floor forbids never runs, whatever was answered.",
                &[
                    "lib::permission::floor::find::tests::every_category_has_its_code",
                    "lib::permission::evaluate::tests::properties::no_grant_lifts_a_refusal",
                ],
            ),
            shown(
                E,
                "Open mode runs what the floor lets pass; the other modes ask by risk.",
                &["lib::permission::evaluate::tests::every_level_and_mode_has_its_verdict"],
            ),
            shown(
                E,
                "What a folder brings counts once the folder is trusted.",
                &[
                    "it::engine::declared::a_projects_tool_is_there_while_the_folder_is_trusted",
                    "it::engine::hooks::moments::a_projects_hook_is_heard_while_the_folder_is_trusted",
                ],
            ),
            shown(
                E,
                "A tool that fails is a result that the model reads, and ends nothing else.",
                &[
                    "it::engine::turns::malformed_arguments_are_told_to_the_model",
                    "lib::engine::turn::call::tests::a_panic_while_judging_or_running_fails_the_call",
                ],
            ),
            shown(
                E,
                "The names that other systems use mean the same tools.",
                &["lib::tools::registry::tests::no_name_and_no_alias_means_two_tools"],
            ),
        ],
    ),
];
