//! What is listed: headings, and below each what belongs to it.

use super::form::Form;
use crate::{
    domain::permission::{Grant, JudgedCall, Rule, Scope},
    engine::event::Rules,
    text::sanitize::reveal_line,
    ui::widgets::list::Selection,
};

/// Which list it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Page {
    /// What the person said and what the configuration says, from the beginning.
    Grants,
    /// The same, at the configuration's rules.
    Rules,
    /// The latest judgements.
    Judged,
}

/// The list and what is selected.
#[derive(Debug)]
pub struct State {
    /// Which list it is.
    pub page: Page,
    /// What the engine told; `None` until it has.
    pub(super) rules: Option<Box<Rules>>,
    /// The selected one of the entries.
    pub(super) selection: Selection,
    /// A rule that is being added.
    pub(super) form: Option<Form>,
}

/// An entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Entry<'a> {
    /// Something that the person allowed or forbade.
    Grant(&'a Grant),
    /// A rule of the configuration.
    Configured(&'a Rule),
    /// A judgement.
    Judged(&'a JudgedCall),
}

/// Entries of one kind.
pub(super) struct Section<'a> {
    /// Their heading.
    pub(super) name: &'static str,
    /// What stands there when there is none.
    pub(super) empty: &'static str,
    /// They.
    pub(super) entries: Vec<Entry<'a>>,
}

impl State {
    /// A list that waits for the engine.
    pub fn new(page: Page) -> Self {
        Self {
            page,
            rules: None,
            selection: Selection::default(),
            form: None,
        }
    }

    /// Whether a text is being written.
    pub fn takes_text(&self) -> bool {
        self.form.is_some()
    }

    /// The sections; `None` until the engine has told.
    pub(super) fn sections(&self, now_ms: i64) -> Option<Vec<Section<'_>>> {
        let rules = self.rules.as_ref()?;
        if self.page == Page::Judged {
            return Some(vec![Section {
                name: "the latest judgements",
                empty: "nothing was judged yet",
                entries: rules.judged.iter().map(Entry::Judged).collect(),
            }]);
        }
        let grants = rules.grants.iter().filter(|grant| !grant.is_over(now_ms));
        Some(vec![
            Section {
                name: "what you said",
                empty: "nothing yet: answers for more than one call stand here",
                entries: grants.map(Entry::Grant).collect(),
            },
            Section {
                name: "rules of the configuration",
                empty: "none: `rules` in the configuration's [permission] adds some",
                entries: rules.configured.iter().map(Entry::Configured).collect(),
            },
        ])
    }

    /// All entries in their order.
    pub(super) fn entries(&self, now_ms: i64) -> Vec<Entry<'_>> {
        let sections = self.sections(now_ms).unwrap_or_default();
        sections
            .into_iter()
            .flat_map(|section| section.entries)
            .collect()
    }

    /// The selected entry.
    pub(super) fn selected(&self, now_ms: i64) -> Option<Entry<'_>> {
        let entries = self.entries(now_ms);
        let last = entries.len().checked_sub(1)?;
        entries.get(self.selection.selected.min(last)).copied()
    }

    /// The engine has told: the list stands at what was asked for.
    pub(super) fn told(&mut self, rules: &Rules) {
        if self.rules.is_none() && self.page == Page::Rules && !rules.configured.is_empty() {
            self.selection.selected = rules.grants.len();
        }
        self.rules = Some(Box::new(rules.clone()));
    }
}

/// Where a grant holds; of one that is about an agent alone, its name.
pub(super) fn holds(scope: &Scope) -> String {
    let name = scope.name();
    match scope.agent() {
        Some(agent) => format!("{name} {}", reveal_line(agent.as_str()).text),
        None => name.to_owned(),
    }
}
