//! What the person wants reached, over as many turns as it takes. It is the person's: an agent works on its checklist
//! and can neither begin nor end it otherwise than by finishing every item.

use serde::{Deserialize, Serialize};

/// Most characters of an objective: it is sent whole with every reminder.
pub const MOST_CHARS: usize = 4_000;

/// How a goal stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum GoalStatus {
    /// It is worked on; an agent that rests is reminded of it.
    Active,
    /// It rests until the person resumes it.
    Paused,
    /// Every item of the checklist is finished.
    Completed,
    /// The person gave it up.
    Cancelled,
}

impl GoalStatus {
    /// Whether it can still be reached.
    pub fn is_open(self) -> bool {
        matches!(self, Self::Active | Self::Paused)
    }

    /// The name for people and models.
    pub fn name(self) -> &'static str {
        match self {
            Self::Active => "active",
            Self::Paused => "paused",
            Self::Completed => "completed",
            Self::Cancelled => "cancelled",
        }
    }
}

/// A goal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Goal {
    /// What is to be reached, in the person's words.
    pub objective: String,
    /// How it stands.
    pub status: GoalStatus,
    /// Why it was paused, one line; empty when the person did it.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub reason: String,
}

impl Goal {
    /// An active goal, or why these words are none.
    pub fn new(objective: &str) -> Result<Self, String> {
        let objective = objective.trim();
        if objective.is_empty() {
            return Err("a goal needs words: /goal OBJECTIVE".to_owned());
        }
        let count = objective.chars().count();
        if count > MOST_CHARS {
            return Err(format!(
                "a goal has at most {MOST_CHARS} characters, and this has {count}: write the rest into a file and name it"
            ));
        }
        Ok(Self {
            objective: objective.to_owned(),
            status: GoalStatus::Active,
            reason: String::new(),
        })
    }

    /// Lets it rest. The reason is empty when the person does it.
    pub fn pause(&mut self, reason: &str) -> Result<(), String> {
        self.change(&[GoalStatus::Active], GoalStatus::Paused)?;
        self.reason = reason.split_whitespace().collect::<Vec<_>>().join(" ");
        Ok(())
    }

    /// Works on it again.
    pub fn resume(&mut self) -> Result<(), String> {
        self.change(&[GoalStatus::Paused], GoalStatus::Active)
    }

    /// Gives it up.
    pub fn cancel(&mut self) -> Result<(), String> {
        self.change(
            &[GoalStatus::Active, GoalStatus::Paused],
            GoalStatus::Cancelled,
        )
    }

    /// Every item is finished.
    pub fn complete(&mut self) -> Result<(), String> {
        self.change(
            &[GoalStatus::Active, GoalStatus::Paused],
            GoalStatus::Completed,
        )
    }

    /// What became of it, in one line.
    pub fn told(&self) -> String {
        let name = self.status.name();
        match self.status {
            GoalStatus::Paused if self.reason.is_empty() => "goal paused".to_owned(),
            GoalStatus::Paused => format!("goal paused: {}", self.reason),
            _ => {
                let words: Vec<&str> = self.objective.split_whitespace().collect();
                format!("goal {name}: {}", words.join(" "))
            }
        }
    }

    fn change(&mut self, from: &[GoalStatus], to: GoalStatus) -> Result<(), String> {
        if !from.contains(&self.status) {
            return Err(format!("the goal is {}", self.status.name()));
        }
        self.status = to;
        self.reason = String::new();
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What each change makes of each state; `None` where it is refused.
    #[test]
    fn the_transitions_are_these() {
        use GoalStatus::{Active, Cancelled, Completed, Paused};
        type Change = fn(&mut Goal) -> Result<(), String>;
        let changes: [Change; 4] = [
            |goal| goal.pause("the turn failed"),
            Goal::resume,
            Goal::cancel,
            Goal::complete,
        ];
        let expected = [
            (
                Active,
                [Some(Paused), None, Some(Cancelled), Some(Completed)],
            ),
            (
                Paused,
                [None, Some(Active), Some(Cancelled), Some(Completed)],
            ),
            (Completed, [None; 4]),
            (Cancelled, [None; 4]),
        ];
        for (from, ends) in expected {
            for (change, end) in changes.iter().zip(ends) {
                let mut goal = Goal {
                    status: from,
                    ..Goal::new("x").unwrap()
                };
                let before = goal.clone();

                let changed = change(&mut goal);

                assert_eq!(changed.is_ok(), end.is_some(), "{from:?} to {end:?}");
                assert_eq!(goal.status, end.unwrap_or(before.status));
                assert_eq!(goal.reason.is_empty(), end != Some(Paused));
            }
        }
    }

    #[test]
    fn an_objective_has_words_and_an_end() {
        assert!(Goal::new(" \n").is_err());
        assert!(Goal::new(&"ä".repeat(MOST_CHARS)).is_ok());
        assert!(Goal::new(&"ä".repeat(MOST_CHARS + 1)).is_err());
        assert_eq!(Goal::new(" two\nlines ").unwrap().objective, "two\nlines");
    }
}
