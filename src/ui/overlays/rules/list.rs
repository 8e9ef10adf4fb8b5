//! What is listed: headings, and below each what belongs to it.

use super::form::Form;
use crate::{
    domain::{
        agent_policy::RuleOrigin,
        ids::AgentId,
        permission::{Grant, JudgedCall, Level, Rule, Scope},
    },
    engine::event::Rules,
    text::{sanitize::reveal_line, truncate::tail},
    ui::widgets::list::Selection,
};

/// Which list it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Page {
    /// What the person said and what the configuration says, from the beginning.
    Grants,
    /// The same, at the configuration's rules.
    Rules,
    /// The latest judgements.
    Judged,
    /// What one agent may do, and what was said about it alone.
    Agent(AgentId),
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
    /// What the types of the agent say, for its page.
    pub(super) types: Vec<(String, Rule)>,
}

/// An entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Entry<'a> {
    /// Something that the person allowed or forbade.
    Grant(&'a Grant),
    /// A rule of the configuration, and where it stands.
    Configured(&'a Rule, Option<&'a RuleOrigin>),
    /// What a type of agents says: its name and the rule.
    OfType(&'a str, &'a Rule),
    /// A judgement.
    Judged(&'a JudgedCall),
}

/// Entries of one kind.
pub(super) struct Section<'a> {
    /// Their heading.
    pub(super) name: &'static str,
    /// What stands there when there is none.
    pub(super) empty: &'static str,
    /// What is told above them: label and words.
    pub(super) facts: Vec<(&'static str, String)>,
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
            types: Vec::new(),
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
                facts: Vec::new(),
                entries: rules.judged.iter().map(Entry::Judged).collect(),
            }]);
        }
        let grants = rules.grants.iter().filter(|grant| !grant.is_over(now_ms));
        if let Page::Agent(agent) = &self.page {
            let of_it = grants.filter(|grant| grant.scope.agent() == Some(agent));
            return Some(self.of_agent(agent, rules, of_it.map(Entry::Grant).collect()));
        }
        Some(vec![
            Section {
                name: "what you said",
                empty: "nothing yet: answers for more than one call stand here",
                facts: Vec::new(),
                entries: grants.map(Entry::Grant).collect(),
            },
            Section {
                name: "rules of the configuration",
                empty: "none: `rules` in the configuration's [permissions] adds some",
                facts: Vec::new(),
                entries: rules
                    .configured
                    .iter()
                    .enumerate()
                    .map(|(at, rule)| Entry::Configured(rule, rules.origins.get(at)))
                    .collect(),
            },
        ])
    }

    fn of_agent<'a>(
        &'a self,
        agent: &AgentId,
        rules: &Rules,
        said: Vec<Entry<'a>>,
    ) -> Vec<Section<'a>> {
        let types = self.types.iter();
        vec![
            Section {
                name: "what it may do at the most",
                empty: "",
                facts: facts(agent, rules),
                entries: Vec::new(),
            },
            Section {
                name: "what its type and those above it say",
                empty: "nothing: the configuration and you decide",
                facts: Vec::new(),
                entries: types.map(|(of, rule)| Entry::OfType(of, rule)).collect(),
            },
            Section {
                name: "what you said about it alone",
                empty: "nothing: answers for this turn or this agent stand here",
                facts: Vec::new(),
                entries: said,
            },
        ]
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
        if let Page::Agent(agent) = &self.page {
            let given = rules.agents.iter().find(|(id, _)| id == agent);
            let policies = given.map(|(_, authority)| authority.policies.as_slice());
            let rules = policies.unwrap_or_default().iter().flat_map(|policy| {
                let rules = policy.rules().into_iter();
                rules.map(|rule| (policy.of.clone(), rule))
            });
            self.types = rules.collect();
        }
        self.rules = Some(Box::new(rules.clone()));
    }
}

/// Level, network, directories and tools of an agent.
fn facts(agent: &AgentId, rules: &Rules) -> Vec<(&'static str, String)> {
    let Some((_, authority)) = rules.agents.iter().find(|(id, _)| id == agent) else {
        return vec![("", "this agent is gone".to_owned())];
    };
    let mut roots = rules.roots.iter().map(|root| root.display().to_string());
    let writes = match authority.cap {
        Level::None | Level::Read => "nowhere".to_owned(),
        Level::Workspace => roots.by_ref().collect::<Vec<_>>().join(", "),
        Level::Unrestricted => "everywhere".to_owned(),
    };
    let tools = if rules.disabled.is_empty() {
        "all".to_owned()
    } else {
        format!("all but {}", rules.disabled.join(", "))
    };
    let shown = |text: &str| reveal_line(text).text;
    vec![
        (
            "level",
            format!(
                "{} · network {}",
                authority.cap.name(),
                authority.network.name()
            ),
        ),
        ("writes", shown(&writes)),
        ("tools", shown(&tools)),
    ]
}

/// Where a grant holds; of one that is about an agent alone, its name.
pub(super) fn holds(scope: &Scope) -> String {
    let name = scope.name();
    match scope.agent() {
        Some(agent) => format!("{name} {}", reveal_line(agent.as_str()).text),
        None => name.to_owned(),
    }
}

/// Who says a rule of the configuration, and where it stands as far as there is room.
pub(super) fn stands(origin: &RuleOrigin, room: usize) -> String {
    /// So much of a place says nothing.
    const LEAST: usize = 16;
    let whose = if origin.is_project {
        "project"
    } else {
        "yours"
    };
    let room = room.saturating_sub(whose.len() + 3);
    if room < LEAST {
        return whose.to_owned();
    }
    let place = reveal_line(&origin.place).text;
    format!("{whose} · {}", tail(&place, room))
}
