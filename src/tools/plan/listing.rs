//! The checklist in words for the model and as a display for the person.
//!
//! The model sees what remains; the person keeps seeing what was completed or canceled.

use crate::{
    domain::{
        checklist::{Checklist, Item, ItemStatus},
        display::Display,
        goal::Goal,
    },
    tools::output::ToolOutput,
};

/// An answer that opens with `first` and shows the whole remaining list.
pub(super) fn answer(first: &str, list: &Checklist) -> ToolOutput {
    let remaining: Vec<&Item> = list
        .items
        .iter()
        .filter(|item| !matches!(item.status, ItemStatus::Completed | ItemStatus::Canceled))
        .collect();
    let mut lines: Vec<String> = Vec::new();
    if !first.is_empty() {
        lines.push(first.to_owned());
    }
    lines.push(if remaining.is_empty() {
        "Nothing remains on the checklist.".to_owned()
    } else {
        format!("Remaining ({}):", remaining.len())
    });
    lines.extend(remaining.into_iter().map(line));
    ToolOutput::text(lines.join("\n"))
        .with_display(Display::Checklist(list.clone()))
        .with_outcome(count(list))
}

/// The goal with the whole list, what is finished included.
pub(super) fn goal(goal: &Goal, list: &Checklist) -> ToolOutput {
    let mut lines = vec![
        format!("The goal is {}.", goal.status.name()),
        format!("Objective:\n{}", goal.objective),
        if list.items.is_empty() {
            "The checklist is empty.".to_owned()
        } else {
            "Checklist:".to_owned()
        },
    ];
    lines.extend(list.items.iter().map(line));
    let mut output = ToolOutput::text(lines.join("\n"))
        .with_display(Display::Checklist(list.clone()))
        .with_outcome(format!("{} · {}", goal.status.name(), count(list)));
    // A part of the list would be taken for all of it, and the next update would drop the rest.
    output.stays_inline = true;
    output
}

/// How far the list is: items that were given up are no longer counted, as in the pane's title.
pub(super) fn count(list: &Checklist) -> String {
    let wanted = list
        .items
        .iter()
        .filter(|item| item.status != ItemStatus::Canceled)
        .count();
    format!("{} of {wanted} done", list.completed_count())
}

fn line(item: &Item) -> String {
    let reason = item
        .reason
        .as_ref()
        .map_or_else(String::new, |reason| format!(" ({reason})"));
    format!(
        "{}. [{}] {}{reason}",
        item.id,
        item.status.name(),
        item.text
    )
}
