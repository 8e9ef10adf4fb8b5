//! One entry of any list, as a change of the settings.

use toml_edit::TableLike;

use super::{entry::Wrong, hooks, rules};
use crate::config::{settings::Settings, spec::Field};

/// What an entry adds to the settings.
pub(in crate::config) type Addition = Box<dyn FnOnce(&mut Settings)>;

/// Reads an entry of the list that a field is. Returns what it adds and the place of its first key; `at` is the place of
/// the list.
pub(in crate::config) fn read(
    field: &Field,
    list: &str,
    table: &dyn TableLike,
    at: usize,
) -> Result<(Addition, usize), Vec<Wrong>> {
    match *field {
        Field::Rules(add) => {
            let (rule, at) = rules::read(list, table, at)?;
            Ok((Box::new(move |settings| add(settings, rule)), at))
        }
        Field::Hooks(add) => {
            let (hook, at) = hooks::read(list, table, at)?;
            Ok((Box::new(move |settings| add(settings, hook)), at))
        }
        // The others are no lists of tables.
        _ => Err(Vec::new()),
    }
}
