//! The checklist and the goal.

use super::row::{
    Origin::{A, B},
    Subject, otherwise, shown,
};

/// The rows.
pub(super) const ROWS: &[Subject] = &[
    Subject(
        "checklist_add",
        &[
            shown(
                A,
                "Items are texts, or objects of a text and a status.",
                &[
                    "lib::tools::plan::checklist_add::tests::it_takes_texts_and_objects_and_one_bare_text",
                    "lib::tools::plan::checklist_add::tests::its_schema_says_both_forms",
                ],
            ),
            shown(
                A,
                "A plain text is pending.",
                &[
                    "lib::tools::plan::checklist_add::tests::it_takes_texts_and_objects_and_one_bare_text",
                ],
            ),
            shown(
                A,
                "A new item is pending or in progress and nothing else.",
                &["lib::tools::plan::checklist_add::tests::one_wrong_item_refuses_the_whole_call"],
            ),
            shown(
                A,
                "The answer has the new ids and the list.",
                &[
                    "lib::tools::plan::checklist_add::tests::it_takes_texts_and_objects_and_one_bare_text",
                ],
            ),
            shown(
                A,
                "A text is kept as one line.",
                &[
                    "lib::tools::plan::checklist_add::tests::it_takes_texts_and_objects_and_one_bare_text",
                    "lib::domain::work::checklist::tests::numbers_are_never_reused_and_lines_are_joined",
                ],
            ),
            shown(
                A,
                "A turn does not end while an item is pending or in progress: the agent is told to go on.",
                &[
                    "lib::engine::turn::state::tests::an_open_checklist_item_is_nudged_three_times_and_then_given_up",
                ],
            ),
            shown(
                A,
                "Three times in a row without a call, or nine in a turn, and the turn ends with a warning.",
                &[
                    "lib::engine::turn::guards::nudge::tests::three_in_a_row_end_the_turn",
                    "lib::engine::turn::guards::nudge::tests::a_tool_call_resets_the_row_but_not_the_turn",
                ],
            ),
            shown(
                A,
                "A sub-agent has a checklist of its own.",
                &["it::engine::goals::a_sub_agent_has_a_checklist_of_its_own"],
            ),
            shown(
                A,
                "The list is there when the session is opened again.",
                &["it::engine::resume::grants_and_the_checklist_survive"],
            ),
            otherwise(
                A,
                "Keeping a list needs level `read`.",
                "It reaches nothing but the session's own store, so that even level `none` may plan.",
            ),
        ],
    ),
    Subject(
        "checklist_edit",
        &[
            shown(
                A,
                "One item is changed by its id: its status, its reason, its text.",
                &[
                    "lib::tools::plan::checklist_edit::tests::status_words_and_reason_change_together",
                ],
            ),
            shown(
                A,
                "The status is one of pending, in_progress, deferred, completed and canceled.",
                &["lib::tools::plan::checklist_edit::tests::one_wrong_part_refuses_the_whole_call"],
            ),
            shown(
                A,
                "Deferring and canceling need a reason.",
                &[
                    "lib::tools::plan::checklist_edit::tests::one_wrong_part_refuses_the_whole_call",
                    "lib::domain::work::checklist::tests::deferring_needs_a_reason_and_completing_refuses_one",
                ],
            ),
            shown(
                A,
                "A reason with any other status is refused.",
                &[
                    "lib::tools::plan::checklist_edit::tests::one_wrong_part_refuses_the_whole_call",
                    "lib::domain::work::checklist::tests::deferring_needs_a_reason_and_completing_refuses_one",
                ],
            ),
            shown(
                A,
                "A reason is kept as one line.",
                &[
                    "lib::tools::plan::checklist_edit::tests::status_words_and_reason_change_together",
                ],
            ),
            shown(
                A,
                "One wrong part refuses the whole call.",
                &["lib::tools::plan::checklist_edit::tests::one_wrong_part_refuses_the_whole_call"],
            ),
            shown(
                A,
                "Completed and canceled items leave the list that the agent sees.",
                &[
                    "lib::tools::plan::checklist_edit::tests::a_completed_item_leaves_what_the_model_sees",
                    "lib::tools::plan::checklist_edit::tests::a_person_reads_which_item_changed_and_given_up_items_are_not_counted",
                ],
            ),
            shown(
                A,
                "Every answer has what remains, with the ids that the next edit needs.",
                &[
                    "lib::tools::plan::checklist_edit::tests::a_completed_item_leaves_what_the_model_sees",
                ],
            ),
        ],
    ),
    Subject(
        "checklist_read",
        &[
            shown(
                A,
                "It returns the list.",
                &[
                    "lib::tools::plan::checklist_read::tests::it_shows_the_model_what_remains_and_the_person_everything",
                ],
            ),
            shown(
                A,
                "It takes no arguments.",
                &[
                    "lib::tools::plan::checklist_read::tests::an_empty_list_says_so_and_arguments_are_refused",
                ],
            ),
        ],
    ),
    Subject(
        "goal_get",
        &[
            shown(
                B,
                "It returns the objective, how the goal stands and the whole checklist.",
                &["lib::tools::plan::goal_get::tests::it_tells_the_objective_and_every_item"],
            ),
            shown(
                B,
                "Nothing of it is cut for showing it.",
                &["lib::tools::plan::goal_get::tests::a_long_goal_is_told_whole"],
            ),
            shown(
                B,
                "The tools of a goal are offered only while one is active or paused.",
                &["it::engine::goals::it_goes_on_by_itself_until_every_item_is_finished"],
            ),
            shown(
                B,
                "Sub-agents are not offered the tools of a goal.",
                &["it::engine::goals::only_the_agent_of_the_goal_is_offered_its_tools"],
            ),
            shown(
                B,
                "A goal that changes leaves the tools of a running turn as they are.",
                &["it::engine::goals::a_cancelled_goal_is_over_and_another_can_be_set"],
            ),
            otherwise(
                B,
                "The answer has a revision.",
                "Nothing takes a revision: the list is the agent's own, and its calls about it follow each other.",
            ),
            otherwise(
                B,
                "It is judged as a read of `goal:current`.",
                "What stays in the session reaches nothing that a person would be asked about.",
            ),
        ],
    ),
    Subject(
        "goal_update",
        &[
            shown(
                B,
                "It replaces the whole ordered checklist.",
                &[
                    "lib::tools::plan::goal_update::tests::the_list_is_replaced_while_the_goal_is_open",
                    "lib::domain::work::checklist::tests::a_replaced_list_keeps_numbers_and_states_that_still_hold",
                ],
            ),
            shown(
                B,
                "An item is a description and whether it is finished, and has no id.",
                &["lib::tools::plan::goal_update::tests::its_schema_says_what_an_item_is"],
            ),
            shown(
                B,
                "The last accepted list counts: calls about it follow each other in their order.",
                &[
                    "lib::engine::turn::schedule::tests::the_same_key_runs_in_order_and_another_key_beside_it",
                ],
            ),
            shown(
                B,
                "It reaches the goal that there is when it is accepted, not the one that the turn began with.",
                &["it::engine::goals::an_update_reaches_the_goal_that_there_is_by_then"],
            ),
            shown(
                B,
                "Without a goal, or when it is over, the call is refused though the turn still has the tool.",
                &[
                    "lib::tools::plan::goal_update::tests::the_list_is_replaced_while_the_goal_is_open",
                    "it::engine::goals::a_cancelled_goal_is_over_and_another_can_be_set",
                ],
            ),
            shown(
                B,
                "An empty list leaves the goal as it stands.",
                &[
                    "lib::tools::plan::goal_update::tests::the_list_is_replaced_while_the_goal_is_open",
                    "lib::domain::work::checklist::tests::a_list_is_done_when_nothing_remains_and_something_was_reached",
                ],
            ),
            shown(
                B,
                "A list that is finished completes the goal, a paused one too.",
                &[
                    "it::engine::goals::it_goes_on_by_itself_until_every_item_is_finished",
                    "it::engine::goals::a_paused_goal_is_completed_by_its_checklist",
                ],
            ),
            shown(
                B,
                "The answer is the whole state.",
                &[
                    "lib::tools::plan::goal_update::tests::the_list_is_replaced_while_the_goal_is_open",
                ],
            ),
            shown(
                B,
                "One item that is none refuses the whole call.",
                &["lib::tools::plan::goal_update::tests::one_blank_item_refuses_the_whole_call"],
            ),
            shown(
                B,
                "The agent cannot set, pause, resume or cancel a goal: only items are arguments.",
                &[
                    "it::tools::arguments::every_tool_refuses_a_field_that_it_does_not_have",
                    "lib::tools::plan::goal_update::tests::its_schema_says_what_an_item_is",
                ],
            ),
            otherwise(
                B,
                "It is judged as a write to `goal:current`.",
                "What stays in the session reaches nothing that a person would be asked about.",
            ),
        ],
    ),
];
