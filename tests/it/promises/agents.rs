//! Sub-agents, and the window of an agent.

use super::row::{
    Origin::{A, B},
    Subject, otherwise, shown,
};

/// The rows.
pub(super) const ROWS: &[Subject] = &[
    Subject(
        "agent_spawn",
        &[
            shown(
                A,
                "A sub-agent gets a task and returns one report.",
                &[
                    "lib::tools::agents::agent_spawn::tests::the_result_opens_with_agent_permission_and_folder",
                    "it::engine::agents::two_sub_agents_run_at_the_same_time_and_report",
                ],
            ),
            shown(
                A,
                "Several that are started in one step run at the same time.",
                &["it::engine::agents::two_sub_agents_run_at_the_same_time_and_report"],
            ),
            shown(
                A,
                "More than may run at once wait for their turn.",
                &["it::engine::agents::six_children_run_four_at_a_time_and_all_finish"],
            ),
            shown(
                A,
                "The result opens with the agent, its level and its folder.",
                &[
                    "lib::tools::agents::agent_spawn::tests::the_result_opens_with_agent_permission_and_folder",
                ],
            ),
            shown(
                A,
                "Without a level of its own it has its parent's, and a higher one is refused.",
                &["it::engine::agents::a_child_cannot_have_more_than_its_parent"],
            ),
            shown(
                A,
                "Its network is its parent's or narrower.",
                &["it::engine::agents::a_network_only_narrows_on_the_way_down"],
            ),
            shown(
                A,
                "It reads the entries of the scratchpad that it is lent, and no other.",
                &["it::engine::lent::a_lent_entry_is_read_listed_merged_and_saved_and_no_other"],
            ),
            shown(
                A,
                "A name of an entry that is not there starts nothing.",
                &["lib::tools::agents::agent_spawn::tests::a_wrong_call_starts_nothing"],
            ),
            shown(
                A,
                "Authority only narrows going down.",
                &[
                    "lib::domain::agent::tests::authority_only_narrows_going_down_any_tree",
                    "it::engine::agents::a_type_narrows_its_agents_and_all_below_them",
                ],
            ),
            shown(
                A,
                "Opened again it has what it was given, not what its parent has now.",
                &["it::engine::resume::a_child_comes_back_with_no_more_than_it_was_given"],
            ),
            shown(
                B,
                "A type that is described gives its agents words, level and permissions.",
                &["it::engine::agents::a_type_narrows_its_agents_and_all_below_them"],
            ),
            shown(
                B,
                "What an agent asks reaches the person, with who asks for whom.",
                &["it::engine::agents::a_childs_approval_reaches_the_person_with_its_lineage"],
            ),
            shown(
                B,
                "Stopping the parent ends all agents below it.",
                &[
                    "it::engine::agents::cancelling_the_parent_ends_the_whole_tree",
                    "it::engine::agents::cancelling_the_parent_ends_children_that_still_queue",
                ],
            ),
            shown(
                B,
                "An agent that did not end well fails the call with what it left.",
                &[
                    "lib::tools::agents::agent_spawn::tests::an_agent_that_did_not_end_well_fails_the_call_with_what_it_left",
                ],
            ),
        ],
    ),
    Subject(
        "agent_list",
        &[
            shown(
                A,
                "It lists the agents below the caller, with state and task.",
                &["lib::tools::agents::agent_list::tests::the_tree_below_the_caller_is_indented"],
            ),
            otherwise(
                A,
                "Only direct children are listed.",
                "The whole tree below is the caller's own to answer for, so all of it is shown, indented.",
            ),
            shown(
                A,
                "Without any it says so.",
                &["lib::tools::agents::agent_list::tests::nobody_below_is_said"],
            ),
        ],
    ),
    Subject(
        "context_check",
        &[
            shown(
                A,
                "It reports what is used, the window and the share.",
                &["lib::tools::window::context_check::tests::it_reports_use_headroom_and_shares"],
            ),
            shown(
                A,
                "It reports the room below the ceiling.",
                &["lib::tools::window::context_check::tests::it_reports_use_headroom_and_shares"],
            ),
            shown(
                A,
                "It reports what system and schemas take, and what the conversation does.",
                &["lib::tools::window::context_check::tests::it_reports_use_headroom_and_shares"],
            ),
            shown(
                A,
                "What is unknown is said to be.",
                &["lib::tools::window::context_check::tests::what_is_unknown_is_said_to_be"],
            ),
        ],
    ),
    Subject(
        "context_compact",
        &[
            shown(
                A,
                "Room is made before the next step, once the calls of this one are done.",
                &["it::engine::compaction::an_agent_asks_for_room_and_gets_it_once_in_a_turn"],
            ),
            shown(
                A,
                "One request is honoured per turn.",
                &["it::engine::compaction::an_agent_asks_for_room_and_gets_it_once_in_a_turn"],
            ),
            shown(
                A,
                "Its instructions reach whoever writes the summary.",
                &["it::engine::compaction::an_agent_asks_for_room_and_gets_it_once_in_a_turn"],
            ),
            shown(
                A,
                "With keep_recent false the latest steps do not stay.",
                &["it::engine::compaction::an_agent_asks_for_room_and_gets_it_once_in_a_turn"],
            ),
        ],
    ),
    Subject(
        "context_replace",
        &[
            shown(
                A,
                "The agent hands in its summary at a checkpoint, and the turn goes on.",
                &[
                    "it::engine::compaction::at_the_ceiling_the_agent_saves_and_summarises_and_the_turn_goes_on",
                ],
            ),
            shown(
                A,
                "It is refused at any other time, and without words.",
                &["it::engine::compaction::a_summary_that_nobody_asked_for_is_refused"],
            ),
            shown(
                A,
                "It is in every request, so that a checkpoint shares the cache of the turn.",
                &[
                    "it::engine::compaction::at_the_ceiling_the_agent_saves_and_summarises_and_the_turn_goes_on",
                ],
            ),
        ],
    ),
];
