//! The goal rule: an agent that rests while a goal is active is reminded of it, when nothing else is to be done.
//!
//! As many reminders in a row without a tool call between them as a turn has nudges, or a bound in all, and the goal is
//! paused with a visible warning.

use super::nudge::IN_A_ROW;
use crate::domain::{
    checklist::{Checklist, ItemStatus},
    goal::{Goal, GoalStatus},
};

/// Reminders of a goal since the person set or resumed it.
pub const IN_ALL: u32 = 50;

/// What may keep the main agent, which rests, from being reminded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Standing {
    /// Inputs that came and were not looked at.
    pub inputs: usize,
    /// Messages of the person that wait.
    pub messages: usize,
    /// Other agents at work or about to be.
    pub agents: usize,
    /// Commands that run in the background, the person's or those that an agent left.
    pub jobs: usize,
}

impl Standing {
    /// Whether anything else comes first.
    pub fn is_busy(&self) -> bool {
        *self != Self::default()
    }
}

/// What to do for the goal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Next {
    /// Nothing: there is none to pursue.
    Nothing,
    /// Something else comes first; look again when that is over.
    Wait,
    /// Every item is finished.
    Complete,
    /// Begin a turn with these words.
    Remind(String),
    /// Pause it with this warning.
    GiveUp(String),
}

/// Counts reminders of a goal.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Reminders {
    in_a_row: u32,
    in_all: u32,
}

impl Reminders {
    /// The agent called a tool, or the person spoke.
    pub fn moved(&mut self) {
        self.in_a_row = 0;
    }

    /// What is to be done for the goal as all stands.
    pub fn next(&mut self, goal: &Goal, list: &Checklist, standing: &Standing) -> Next {
        if goal.status != GoalStatus::Active {
            return Next::Nothing;
        }
        if standing.is_busy() {
            return Next::Wait;
        }
        if list.is_done() {
            return Next::Complete;
        }
        if self.in_a_row >= IN_A_ROW {
            return Next::GiveUp(format!("{IN_A_ROW} reminders in a row led to no tool call"));
        }
        if self.in_all >= IN_ALL {
            return Next::GiveUp(format!("it took {IN_ALL} reminders"));
        }
        self.in_a_row += 1;
        self.in_all += 1;
        Next::Remind(text(goal, list))
    }
}

/// What the model is told.
fn text(goal: &Goal, list: &Checklist) -> String {
    let items: Vec<String> = list
        .items
        .iter()
        .map(|item| format!("{}. [{}] {}", item.id, item.status.name(), item.text))
        .collect();
    let (state, advice) = if items.is_empty() {
        (
            "is empty: say with goal_update which items reach the goal, then begin.".to_owned(),
            "",
        )
    } else {
        let put_off = list
            .items
            .iter()
            .any(|item| item.status == ItemStatus::Deferred);
        (
            format!("is:\n{}", items.join("\n")),
            if put_off {
                " An item that was put off is not finished: do it now, or say what you need for it."
            } else {
                ""
            },
        )
    };
    format!(
        "[goal] The goal is not reached: go on with it.\nThe objective, in the person's words:\n{}\nThe checklist \
         {state}\nMark an item finished only when you have seen that it is. The goal is reached when every item is \
         finished.{advice}",
        goal.objective
    )
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn goal() -> Goal {
        Goal::new("green tests").unwrap()
    }

    fn list(statuses: &[ItemStatus]) -> Checklist {
        let mut list = Checklist::default();
        for status in statuses {
            list.add("an item", *status);
        }
        list
    }

    #[test]
    fn three_in_a_row_without_a_call_are_the_last() {
        let mut reminders = Reminders::default();
        let (goal, list, free) = (goal(), list(&[]), Standing::default());

        for _ in 0..IN_A_ROW {
            assert!(matches!(
                reminders.next(&goal, &list, &free),
                Next::Remind(_)
            ));
        }

        assert_eq!(
            reminders.next(&goal, &list, &free),
            Next::GiveUp("3 reminders in a row led to no tool call".to_owned())
        );
        reminders.moved();
        assert!(matches!(
            reminders.next(&goal, &list, &free),
            Next::Remind(_)
        ));
    }

    #[test]
    fn there_is_a_bound_in_all() {
        let mut reminders = Reminders::default();
        let (goal, list, free) = (goal(), list(&[ItemStatus::Deferred]), Standing::default());

        for _ in 0..IN_ALL {
            reminders.moved();
            assert!(matches!(
                reminders.next(&goal, &list, &free),
                Next::Remind(_)
            ));
        }
        reminders.moved();

        assert_eq!(
            reminders.next(&goal, &list, &free),
            Next::GiveUp("it took 50 reminders".to_owned())
        );
    }

    #[test]
    fn the_words_hold_the_whole_objective_and_the_whole_list() {
        let goal = Goal::new("make the tests green\nand keep them so").unwrap();
        let mut list = list(&[ItemStatus::Completed]);
        list.add("tell", ItemStatus::Deferred);

        let Next::Remind(text) = Reminders::default().next(&goal, &list, &Standing::default())
        else {
            panic!("no reminder");
        };

        for part in [
            "[goal] ",
            "make the tests green\nand keep them so\n",
            "1. [completed] an item\n2. [deferred] tell\n",
            "put off",
        ] {
            assert!(text.contains(part), "{part:?} is not in:\n{text}");
        }
    }

    fn any_status() -> impl Strategy<Value = GoalStatus> {
        prop_oneof![
            Just(GoalStatus::Active),
            Just(GoalStatus::Paused),
            Just(GoalStatus::Completed),
            Just(GoalStatus::Cancelled),
        ]
    }

    fn any_items() -> impl Strategy<Value = Vec<ItemStatus>> {
        let item = prop_oneof![
            Just(ItemStatus::Pending),
            Just(ItemStatus::InProgress),
            Just(ItemStatus::Deferred),
            Just(ItemStatus::Completed),
            Just(ItemStatus::Canceled),
        ];
        prop::collection::vec(item, 0..4)
    }

    proptest! {
        /// No reminder while anything is pending, none of a goal that is not active or is reached, and the bounds hold.
        #[test]
        fn a_reminder_comes_only_when_nothing_else_is_to_be_done(
            rounds in prop::collection::vec(
                (any_status(), any_items(), 0_usize..2, 0_usize..2, 0_usize..2, 0_usize..2, any::<bool>()),
                0..120,
            ),
        ) {
            let mut reminders = Reminders::default();
            let (mut in_a_row, mut in_all) = (0, 0);
            for (status, items, inputs, messages, agents, jobs, called) in rounds {
                let goal = Goal { status, ..goal() };
                let list = list(&items);
                let standing = Standing { inputs, messages, agents, jobs };
                let is_free = inputs + messages + agents + jobs == 0;

                let next = reminders.next(&goal, &list, &standing);

                if matches!(next, Next::Remind(_)) {
                    prop_assert!(status == GoalStatus::Active && is_free && !list.is_done());
                    in_a_row += 1;
                    in_all += 1;
                    prop_assert!(in_a_row <= IN_A_ROW && in_all <= IN_ALL);
                }
                if next == Next::Complete {
                    prop_assert!(list.is_done());
                }
                if called {
                    reminders.moved();
                    in_a_row = 0;
                }
            }
        }
    }
}
