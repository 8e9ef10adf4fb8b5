//! Reads keymap files: a table per scope, in it `action = "chord"` or `action = ["chord", …]`.
//!
//! A file stands on its `base` (the default keymap when it names none): what it says about an action in a scope
//! replaces what the base says, and a chord that it binds is taken from the base's other actions of that scope.
//! Everything that is wrong is reported with its line, and the rest of the file still counts.

use toml::{
    Spanned,
    de::{DeTable, DeValue},
};

use super::{Action, Scope, Sequence, action};
use crate::ui::files::problem::{Problem, Reporter, did_you_mean};

const DEFAULT: &str = include_str!("../../../keymaps/default.toml");
const EMACS: &str = include_str!("../../../keymaps/emacs.toml");
const VIM: &str = include_str!("../../../keymaps/vim.toml");

/// The names of the keymaps that are built in.
pub const BUILTIN: [&str; 3] = ["default", "vim", "emacs"];

/// One sequence and what it does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Binding {
    /// Where.
    pub scope: Scope,
    /// The chords.
    pub sequence: Sequence,
    /// What it does.
    pub action: Action,
}

/// Which keys do what.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Keymap {
    /// The name it was loaded by.
    pub name: String,
    bindings: Vec<Binding>,
}

/// A line of a file that binds something.
struct Line {
    binding: Binding,
    at: usize,
}

impl Keymap {
    /// A built-in keymap; `None` for an unknown name.
    pub fn builtin(name: &str) -> Option<Self> {
        let source = match name {
            "default" => return Some(Self::default_keymap()),
            "vim" => VIM,
            "emacs" => EMACS,
            _ => return None,
        };
        Some(Self::parse(name, source).0)
    }

    /// Reads a keymap file. What could be read counts even when something is wrong.
    pub fn parse(name: &str, source: &str) -> (Self, Vec<Problem>) {
        let file = format!("{name}.toml");
        let mut reporter = Reporter::new(&file, source);
        let Some(table) = read_table(source, &mut reporter) else {
            return (Self::default_keymap(), reporter.problems);
        };
        let base = read_base(&table, &mut reporter);
        let lines = read_lines(&table, &mut reporter);
        report_conflicts(&lines, &mut reporter);
        let keymap = Self {
            name: name.to_owned(),
            bindings: overlay(base.bindings, lines),
        };
        (keymap, reporter.problems)
    }

    /// The bindings of one scope in the order in which they are looked at.
    pub fn bindings_of(&self, scope: Scope) -> impl Iterator<Item = &Binding> {
        self.bindings
            .iter()
            .filter(move |binding| binding.scope == scope)
    }

    fn default_keymap() -> Self {
        let mut reporter = Reporter::new("default.toml", DEFAULT);
        let lines = read_table(DEFAULT, &mut reporter)
            .map(|table| read_lines(&table, &mut reporter))
            .unwrap_or_default();
        Self {
            name: "default".to_owned(),
            bindings: lines.into_iter().map(|line| line.binding).collect(),
        }
    }
}

fn read_table<'a>(source: &'a str, reporter: &mut Reporter<'_>) -> Option<DeTable<'a>> {
    DeTable::parse(source)
        .map(Spanned::into_inner)
        .map_err(|error| reporter.report_syntax(&error))
        .ok()
}

fn read_base(table: &DeTable<'_>, reporter: &mut Reporter<'_>) -> Keymap {
    let Some(value) = table.get("base") else {
        return Keymap::default_keymap();
    };
    let name = value.get_ref().as_str().unwrap_or_default();
    Keymap::builtin(name).unwrap_or_else(|| {
        reporter.report(
            value.span().start,
            format!(
                "`base` is the name of a built-in keymap: {}",
                BUILTIN.join(", ")
            ),
        );
        Keymap::default_keymap()
    })
}

fn read_lines(table: &DeTable<'_>, reporter: &mut Reporter<'_>) -> Vec<Line> {
    let mut lines = Vec::new();
    for (key, value) in table {
        let name = key.get_ref().as_ref();
        if name == "base" {
            continue;
        }
        let scope = Scope::ALL.iter().find(|scope| scope.name() == name);
        match (scope, value.get_ref().as_table()) {
            (Some(scope), Some(entries)) => read_scope(*scope, entries, reporter, &mut lines),
            (Some(_), None) => {
                reporter.report(key.span().start, format!("`{name}` has to be a table"));
            }
            (None, _) => {
                let hint = did_you_mean(name, Scope::ALL.iter().map(|scope| scope.name()));
                reporter.report(
                    key.span().start,
                    format!("there is no scope `{name}`{hint}"),
                );
            }
        }
    }
    lines
}

fn read_scope(
    scope: Scope,
    entries: &DeTable<'_>,
    reporter: &mut Reporter<'_>,
    lines: &mut Vec<Line>,
) {
    for (key, value) in entries {
        let name = key.get_ref().as_ref();
        let at = key.span().start;
        let Some(action) = action::by_name(name) else {
            let known = Action::ALL.iter().filter(|a| a.scopes().contains(&scope));
            let hint = did_you_mean(name, known.map(|action| action.name()));
            reporter.report(at, format!("there is no action `{name}`{hint}"));
            continue;
        };
        if !action.scopes().contains(&scope) {
            let places: Vec<&str> = action.scopes().iter().map(|scope| scope.name()).collect();
            reporter.report(
                at,
                format!(
                    "`{name}` means nothing in `{}`; it belongs to {}",
                    scope.name(),
                    places.join(", ")
                ),
            );
            continue;
        }
        read_chords(scope, action, value, reporter, lines);
    }
}

fn read_chords(
    scope: Scope,
    action: Action,
    value: &Spanned<DeValue<'_>>,
    reporter: &mut Reporter<'_>,
    lines: &mut Vec<Line>,
) {
    let single = std::slice::from_ref(value);
    let chords: &[Spanned<DeValue<'_>>] = match value.get_ref() {
        DeValue::Array(array) => array.as_ref(),
        _ => single,
    };
    for chord in chords {
        let at = chord.span().start;
        let Some(text) = chord.get_ref().as_str() else {
            reporter.report(at, "a chord is a string such as \"ctrl+p\"");
            continue;
        };
        match text.parse::<Sequence>() {
            Ok(sequence) => lines.push(Line {
                binding: Binding {
                    scope,
                    sequence,
                    action,
                },
                at,
            }),
            Err(error) => reporter.report(at, error.to_string()),
        }
    }
}

/// In one scope of one file a chord means one thing, and no chord is the beginning of a longer sequence.
fn report_conflicts(lines: &[Line], reporter: &mut Reporter<'_>) {
    for (index, line) in lines.iter().enumerate() {
        for other in lines.iter().skip(index + 1) {
            let (a, b) = (&line.binding, &other.binding);
            let overlaps =
                a.sequence.0.starts_with(&b.sequence.0) || b.sequence.0.starts_with(&a.sequence.0);
            if a.scope != b.scope || !overlaps {
                continue;
            }
            let first = reporter.line(line.at.min(other.at));
            let (later, earlier) = if line.at > other.at { (a, b) } else { (b, a) };
            reporter.report(
                line.at.max(other.at),
                format!(
                    "`{}` for `{}` is in the way of `{}` for `{}` in line {first}",
                    later.sequence,
                    later.action.name(),
                    earlier.sequence,
                    earlier.action.name(),
                ),
            );
        }
    }
}

fn overlay(base: Vec<Binding>, lines: Vec<Line>) -> Vec<Binding> {
    let own: Vec<Binding> = lines.into_iter().map(|line| line.binding).collect();
    let replaced = |old: &Binding| {
        own.iter().any(|new| {
            new.scope == old.scope && (new.action == old.action || new.sequence == old.sequence)
        })
    };
    let kept: Vec<Binding> = base.into_iter().filter(|old| !replaced(old)).collect();
    own.into_iter().chain(kept).collect()
}

#[cfg(test)]
#[path = "load_tests.rs"]
mod tests;
