//! A rule that the person adds: action, pattern, verdict, scope and end.

use crossterm::event::{KeyCode, KeyEvent};

use crate::{
    domain::permission::{Grant, Rule, Scope, Verdict},
    ui::{
        message::Clock,
        panes::requests::answering::rule_line::{End, wider},
        widgets::field::Field,
    },
};

/// The rows of the form.
pub(super) const ROWS: [(&str, &str); 5] = [
    (
        "tool",
        "its name, for instance shell_execute; * stands for anything",
    ),
    (
        "pattern",
        "a command line or a whole path; `git *` also means `git`",
    ),
    ("verdict", "a denial beats whatever else allows it"),
    ("where", "how widely it holds"),
    ("until", "when it ends"),
];
const PATTERN: usize = 1;

/// The form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Form {
    fields: [Field; 2],
    verdict: Verdict,
    scope: Scope,
    end: End,
    /// The row that has the cursor.
    pub(super) at: usize,
    /// What is wrong with it.
    pub(super) wrong: Option<&'static str>,
}

impl Default for Form {
    fn default() -> Self {
        Self {
            fields: [Field::default(), Field::default()],
            verdict: Verdict::Allow,
            scope: Scope::Session,
            end: End::WithScope,
            at: 0,
            wrong: None,
        }
    }
}

impl Form {
    /// Goes to another row.
    pub(super) fn turn(&mut self, by: isize) {
        self.at = (self.at as isize + by).rem_euclid(ROWS.len() as isize) as usize;
    }

    /// The text field of a row.
    pub(super) fn field(&self, row: usize) -> Option<&Field> {
        self.fields.get(row)
    }

    /// What stands in a row that is no text.
    pub(super) fn choice(&self, row: usize) -> &'static str {
        match row {
            2 => self.verdict.name(),
            3 => self.scope.name(),
            _ => self.end.name(&self.scope),
        }
    }

    /// Takes a key.
    pub(super) fn input(&mut self, key: KeyEvent) {
        self.wrong = None;
        match key.code {
            KeyCode::Down => self.turn(1),
            KeyCode::Up => self.turn(-1),
            _ => match self.fields.get_mut(self.at) {
                Some(field) => {
                    field.input(key);
                }
                None if matches!(
                    key.code,
                    KeyCode::Left | KeyCode::Right | KeyCode::Char(' ')
                ) =>
                {
                    self.choose();
                }
                None => {}
            },
        }
    }

    /// Takes pasted text.
    pub(super) fn paste(&mut self, text: &str) -> usize {
        let field = self.fields.get_mut(self.at);
        field.map_or(0, |field| field.insert(text.trim()))
    }

    fn choose(&mut self) {
        match self.at {
            2 if self.verdict == Verdict::Allow => self.verdict = Verdict::Deny,
            2 => self.verdict = Verdict::Allow,
            3 => {
                self.scope = wider(&self.scope);
                self.end = self.end.within(&self.scope);
            }
            _ => self.end = self.end.next(&self.scope),
        }
    }

    /// The rule, or the cursor where something is missing.
    pub(super) fn accept(&mut self, clock: &Clock) -> Option<Grant> {
        let [action, resource] = [0, PATTERN].map(|row| {
            let text = self.fields.get(row).map(Field::text);
            text.unwrap_or_default().to_owned()
        });
        let action = action.trim().to_owned();
        let (wrong, at) = if action.is_empty() {
            (Some("which tool is it about?"), 0)
        } else if action.contains(char::is_whitespace) {
            (Some("the name of a tool is one word"), 0)
        } else if resource.trim().is_empty() {
            (
                Some("a rule needs a pattern; * stands for anything"),
                PATTERN,
            )
        } else {
            (None, self.at)
        };
        (self.wrong, self.at) = (wrong, at);
        if wrong.is_some() {
            return None;
        }
        Some(Grant {
            rule: Rule {
                action,
                resource,
                verdict: self.verdict,
            },
            scope: self.scope.clone(),
            expires_ms: self.end.at(clock),
            kind: false,
        })
    }
}
