//! Which of several replacements of one call are made: the person takes some and leaves the rest.
//!
//! Only replacements that the call itself brings apart can be chosen, so that what runs is what is shown.

use serde_json::Value;

use crate::{
    domain::{approval::ApprovalRequest, display::FileDiff},
    ui::{keymap::Action, panes::requests::approval::split_at_only},
};

/// The replacements of a call and which of them are taken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hunks {
    /// The replacements, in the call's order.
    pub parts: Vec<Part>,
    /// The selected one.
    pub at: usize,
    /// The argument that brings them.
    pub argument: String,
}

/// One replacement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// The text that goes.
    pub old: String,
    /// The text that comes.
    pub new: String,
    /// Whether it is made.
    pub is_taken: bool,
}

impl Hunks {
    /// The replacements of a call; `None` when it does not bring several.
    pub fn of(request: &ApprovalRequest) -> Option<Self> {
        let named = |name: &&String| request.arguments.get(name.as_str()).is_some();
        request.previewed.iter().filter(named).find_map(|name| {
            let list = request.arguments.get(name)?.as_array()?;
            let parts: Option<Vec<Part>> = list.iter().map(part).collect();
            Some(Self {
                parts: parts.filter(|parts| parts.len() > 1)?,
                at: 0,
                argument: name.clone(),
            })
        })
    }

    /// Takes an action of the list.
    pub fn update(&mut self, action: Action) {
        let last = self.parts.len().saturating_sub(1);
        match action {
            Action::Up => self.at = self.at.saturating_sub(1),
            Action::Down => self.at = (self.at + 1).min(last),
            Action::First => self.at = 0,
            Action::Last => self.at = last,
            Action::Toggle => {
                if let Some(part) = self.parts.get_mut(self.at) {
                    part.is_taken = !part.is_taken;
                }
            }
            _ => {}
        }
    }

    /// How many are taken.
    pub fn taken(&self) -> usize {
        self.parts.iter().filter(|part| part.is_taken).count()
    }

    /// The arguments with those that are taken; `None` when that is all of them.
    pub fn arguments(&self, asked: &Value) -> Option<Value> {
        if self.taken() == self.parts.len() {
            return None;
        }
        let mut arguments = asked.clone();
        let list = arguments.get_mut(&self.argument)?.as_array_mut()?;
        let mut taken = self.parts.iter().map(|part| part.is_taken);
        list.retain(|_| taken.next().unwrap_or(false));
        Some(arguments)
    }

    /// The change without what is left out; `None` when it is not plain where that stands.
    pub fn without(&self, diff: &FileDiff) -> Option<FileDiff> {
        let mut new = diff.new.clone();
        for part in self.parts.iter().filter(|part| !part.is_taken) {
            let (before, after) = split_at_only(&new, &part.new)?;
            new = format!("{before}{}{after}", part.old);
        }
        Some(FileDiff {
            new,
            ..diff.clone()
        })
    }
}

fn part(value: &Value) -> Option<Part> {
    let text = |name: &str| value.get(name)?.as_str().map(str::to_owned);
    Some(Part {
        old: text("old")?,
        new: text("new")?,
        is_taken: true,
    })
}
