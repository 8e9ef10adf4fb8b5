//! One entry of any list, as a change of the settings.

use toml_edit::TableLike;

use super::{entry::Wrong, hooks, rules, tools};
use crate::config::{settings::Settings, spec::Field};

/// What an entry adds to the settings.
pub(in crate::config) struct Addition {
    /// Adds it.
    pub(in crate::config) add: Box<dyn FnOnce(&mut Settings)>,
    /// The place of its first key.
    pub(in crate::config) at: usize,
    /// Its name, where entries have one that is theirs alone.
    pub(in crate::config) name: Option<String>,
}

/// Reads an entry of the list that a field is; `at` is the place of the list.
pub(in crate::config) fn read(
    field: &Field,
    list: &str,
    table: &dyn TableLike,
    at: usize,
) -> Result<Addition, Vec<Wrong>> {
    match *field {
        Field::Rules(add) => {
            let (rule, at) = rules::read(list, table, at)?;
            Ok(Addition {
                add: Box::new(move |settings| add(settings, rule)),
                at,
                name: None,
            })
        }
        Field::Hooks(add) => {
            let (hook, at) = hooks::read(list, table, at)?;
            Ok(Addition {
                add: Box::new(move |settings| add(settings, hook)),
                at,
                name: None,
            })
        }
        Field::Tools(add) => {
            let (tool, at) = tools::read(list, table, at)?;
            let name = Some(tool.name.clone());
            Ok(Addition {
                add: Box::new(move |settings| add(settings, tool)),
                at,
                name,
            })
        }
        // The others are no lists of tables.
        _ => Err(Vec::new()),
    }
}
