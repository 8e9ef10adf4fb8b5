//! What an agent has committed to do. A turn does not end well while an item is open.

use serde::{Deserialize, Serialize};

/// State of an item.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ItemStatus {
    /// Not begun.
    Pending,
    /// At work.
    InProgress,
    /// Put off, with a reason.
    Deferred,
    /// Finished.
    Completed,
    /// Given up, with a reason.
    Canceled,
}

impl ItemStatus {
    /// Whether the item still has to be done by the agent in this turn.
    pub fn is_open(self) -> bool {
        matches!(self, Self::Pending | Self::InProgress)
    }

    /// The name that the model uses.
    pub fn name(self) -> &'static str {
        match self {
            Self::Pending => "pending",
            Self::InProgress => "in_progress",
            Self::Deferred => "deferred",
            Self::Completed => "completed",
            Self::Canceled => "canceled",
        }
    }
}

/// One item.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Item {
    /// Number, counted from 1 per agent and never reused.
    pub id: u32,
    /// What is to be done, one line.
    pub text: String,
    /// Its state.
    pub status: ItemStatus,
    /// Why it was deferred or canceled, one line.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

/// An agent's list. Completed and canceled items stay for the person until the list is emptied;
/// the model sees only what remains.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Checklist {
    /// The items in order.
    pub items: Vec<Item>,
    /// The highest number given so far.
    #[serde(default)]
    pub last_id: u32,
}

/// A change to one item.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ItemChange {
    /// The new state.
    pub status: Option<ItemStatus>,
    /// Why; required with deferred and canceled, refused otherwise.
    pub reason: Option<String>,
    /// New words.
    pub text: Option<String>,
}

impl Checklist {
    /// Number of items that still have to be done.
    pub fn open_count(&self) -> usize {
        self.items
            .iter()
            .filter(|item| item.status.is_open())
            .count()
    }

    /// Number of finished items.
    pub fn completed_count(&self) -> usize {
        self.items
            .iter()
            .filter(|item| item.status == ItemStatus::Completed)
            .count()
    }

    /// Whether all that was to be done is done: nothing remains, and not everything was given up.
    pub fn is_done(&self) -> bool {
        let is_over =
            |item: &Item| matches!(item.status, ItemStatus::Completed | ItemStatus::Canceled);
        self.completed_count() > 0 && self.items.iter().all(is_over)
    }

    /// Forgets what is finished or was given up.
    pub fn drop_finished(&mut self) {
        self.items
            .retain(|item| !matches!(item.status, ItemStatus::Completed | ItemStatus::Canceled));
    }

    /// Holds these items instead, each with whether it is finished. An item that was there keeps its number, and its
    /// state where that says the same.
    pub fn replace(&mut self, items: &[(String, bool)]) {
        let mut before = std::mem::take(&mut self.items);
        for (text, finished) in items {
            let text = one_line(text);
            let known = before.iter().position(|item| item.text == text);
            let mut item = match known {
                Some(index) => before.remove(index),
                None => {
                    self.last_id += 1;
                    Item {
                        id: self.last_id,
                        text,
                        status: ItemStatus::Pending,
                        reason: None,
                    }
                }
            };
            let is_over = matches!(item.status, ItemStatus::Completed | ItemStatus::Canceled);
            if *finished != is_over {
                item.reason = None;
                item.status = if *finished {
                    ItemStatus::Completed
                } else {
                    ItemStatus::Pending
                };
            }
            self.items.push(item);
        }
    }

    /// Appends an item and returns its number. Line ends become spaces.
    pub fn add(&mut self, text: &str, status: ItemStatus) -> u32 {
        self.last_id += 1;
        self.items.push(Item {
            id: self.last_id,
            text: one_line(text),
            status,
            reason: None,
        });
        self.last_id
    }

    /// Changes one item, or says why not and changes nothing.
    pub fn edit(&mut self, id: u32, change: &ItemChange) -> Result<(), String> {
        let known: Vec<String> = self.items.iter().map(|item| item.id.to_string()).collect();
        let Some(item) = self.items.iter_mut().find(|item| item.id == id) else {
            return Err(if known.is_empty() {
                format!("there is no item {id}: the checklist is empty")
            } else {
                format!("there is no item {id}; the items are {}", known.join(", "))
            });
        };
        let status = change.status.unwrap_or(item.status);
        let reason = change
            .reason
            .as_deref()
            .map(one_line)
            .filter(|reason| !reason.is_empty());
        let needs_reason = matches!(status, ItemStatus::Deferred | ItemStatus::Canceled);
        if change.status.is_some() && needs_reason && reason.is_none() {
            return Err(format!("status {} needs a reason", status.name()));
        }
        if reason.is_some() && !needs_reason {
            return Err(format!(
                "a reason belongs to deferred and canceled only, not to {}",
                status.name()
            ));
        }
        if let Some(text) = change.text.as_deref().map(one_line) {
            if text.is_empty() {
                return Err("the text is empty".to_owned());
            }
            item.text = text;
        }
        if change.status.is_some() || reason.is_some() {
            item.status = status;
            item.reason = if needs_reason {
                reason.or_else(|| item.reason.take())
            } else {
                None
            };
        }
        Ok(())
    }
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_never_reused_and_lines_are_joined() {
        let mut list = Checklist::default();

        assert_eq!(list.add("one\n  thing", ItemStatus::Pending), 1);
        list.items.clear();
        assert_eq!(list.add("two", ItemStatus::InProgress), 2);

        assert_eq!(list.items[0].text, "two");
        assert_eq!(list.open_count(), 1);
    }

    #[test]
    fn deferring_needs_a_reason_and_completing_refuses_one() {
        let mut list = Checklist::default();
        let id = list.add("write it", ItemStatus::Pending);
        let change = |status, reason: Option<&str>| ItemChange {
            status: Some(status),
            reason: reason.map(str::to_owned),
            text: None,
        };

        let missing = list.edit(id, &change(ItemStatus::Deferred, None));
        let extra = list.edit(id, &change(ItemStatus::Completed, Some("because")));

        assert_eq!(missing, Err("status deferred needs a reason".to_owned()));
        assert!(extra.is_err_and(|error| error.contains("not to completed")));
        assert_eq!(list.items[0].status, ItemStatus::Pending);
    }

    #[test]
    fn a_list_is_done_when_nothing_remains_and_something_was_reached() {
        let check = |statuses: &[ItemStatus], expected: bool| {
            let mut list = Checklist::default();
            for status in statuses {
                list.add("x", *status);
            }
            assert_eq!(list.is_done(), expected, "{statuses:?}");
        };
        check(&[], false);
        check(&[ItemStatus::Completed], true);
        check(&[ItemStatus::Completed, ItemStatus::Canceled], true);
        check(&[ItemStatus::Canceled], false);
        check(&[ItemStatus::Completed, ItemStatus::Deferred], false);
        check(&[ItemStatus::Completed, ItemStatus::InProgress], false);
    }

    #[test]
    fn a_replaced_list_keeps_numbers_and_states_that_still_hold() {
        let mut list = Checklist::default();
        list.add("one", ItemStatus::InProgress);
        list.add("two", ItemStatus::Completed);
        list.add("gone", ItemStatus::Pending);
        let item = |text: &str, finished| (text.to_owned(), finished);

        list.replace(&[
            item("new\nitem", false),
            item("two", false),
            item("one", false),
            item("one", true),
        ]);

        let now: Vec<(u32, &str, ItemStatus)> = list
            .items
            .iter()
            .map(|item| (item.id, item.text.as_str(), item.status))
            .collect();
        assert_eq!(
            now,
            [
                (4, "new item", ItemStatus::Pending),
                (2, "two", ItemStatus::Pending),
                (1, "one", ItemStatus::InProgress),
                (5, "one", ItemStatus::Completed),
            ]
        );
    }

    #[test]
    fn an_unknown_number_names_the_known_ones() {
        let mut list = Checklist::default();
        list.add("a", ItemStatus::Pending);
        list.add("b", ItemStatus::Pending);

        let error = list.edit(7, &ItemChange::default());

        assert_eq!(
            error,
            Err("there is no item 7; the items are 1, 2".to_owned())
        );
    }
}
