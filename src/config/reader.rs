//! One source of settings, key by key, into the settings so far.
//!
//! Everything that is wrong with a source is found in one pass. A project's file can only narrow what is allowed:
//! what would widen it is left out and told.

use std::path::Path;

use toml_edit::{Document, Item, Key, TableLike, Value};

use super::{
    accounts::PLANNED_BACKENDS,
    catalogue::{SETTINGS, open_named},
    error::{ConfigError, Origin, Place},
    layers::Loaded,
    lists::{self, Addition, Reason, Wrong, article},
    nearest::nearest,
    profiles::PRACTICE,
    settings::Settings,
    shown,
    spec::{Field, Reach, SettingSpec},
};
use crate::domain::notice::Notice;

/// A file in the role of a layer.
pub(super) struct Source<'a> {
    /// The file.
    pub(super) file: &'a Path,
    /// Its text.
    pub(super) text: &'a str,
    /// Whether it is a project's.
    pub(super) is_project: bool,
}

/// Reads a file into the settings. Returns everything that is wrong with it.
pub(super) fn read(source: &Source<'_>, loaded: &mut Loaded) -> Vec<ConfigError> {
    let mut reader = Reader {
        source,
        loaded,
        errors: Vec::new(),
    };
    match Document::parse(source.text) {
        Ok(document) => reader.table(&[], document.as_table()),
        Err(error) => {
            let at = error.span().map_or(0, |span| span.start);
            let message = error.message().lines().next().unwrap_or_default();
            let error =
                ConfigError::new(reader.origin(at), "", format!("not valid TOML: {message}"));
            reader.errors.push(error);
        }
    }
    reader.errors
}

/// Sets one key from words, as a flag or an environment variable gives it.
pub(super) fn set_words(
    loaded: &mut Loaded,
    key: &str,
    words: &str,
    origin: Origin,
) -> Result<(), ConfigError> {
    let Found::Setting(spec, name) = find(&key.split('.').collect::<Vec<_>>()) else {
        return Err(ConfigError::new(
            origin,
            key,
            format!("there is no setting `{key}`"),
        ));
    };
    let item = match spec.field {
        Field::Flag(_) => match words {
            "yes" | "on" | "true" => toml_edit::value(true),
            "no" | "off" | "false" => toml_edit::value(false),
            _ => toml_edit::value(words),
        },
        Field::Whole { .. } => words
            .parse::<i64>()
            .map_or_else(|_| toml_edit::value(words), toml_edit::value),
        _ => toml_edit::value(words),
    };
    assign(&spec.field, name, &item, &mut loaded.settings)
        .map_err(|reason| reason.about(key).into_error(origin.clone(), key))?;
    loaded.origins.insert(key.to_owned(), origin);
    Ok(())
}

struct Reader<'a> {
    source: &'a Source<'a>,
    loaded: &'a mut Loaded,
    errors: Vec<ConfigError>,
}

impl Reader<'_> {
    fn table(&mut self, path: &[&str], table: &dyn TableLike) {
        for (name, item) in table.iter() {
            let at = table
                .get_key_value(name)
                .and_then(|(key, _)| Key::span(key))
                .or_else(|| item.span())
                .map_or(0, |span| span.start);
            let mut path = path.to_vec();
            path.push(name);
            self.entry(&path, item, at);
        }
    }

    fn entry(&mut self, path: &[&str], item: &Item, at: usize) {
        let key = dotted(path);
        if matches!(path, ["accounts" | "profiles", PRACTICE]) {
            let error = ConfigError::new(
                self.origin(at),
                &key,
                format!("`{PRACTICE}` is built in and cannot be changed"),
            );
            self.errors.push(error.with_hint("choose another name"));
            return;
        }
        match find(path) {
            Found::Setting(spec, name) => self.setting(spec, name, &key, item, at),
            Found::Table => match item.as_table_like() {
                Some(table) => {
                    if !self.source.is_project {
                        open_named(&mut self.loaded.settings, path);
                    }
                    let origin = self.origin(at);
                    self.loaded.origins.insert(key, origin);
                    self.table(path, table);
                }
                None => {
                    let problem = format!("`{key}` is a table, not {}", article(item.type_name()));
                    let error = ConfigError::new(self.origin(at), &key, problem);
                    self.errors.push(error.with_hint(format!("write [{key}]")));
                }
            },
            Found::Nothing => {
                let error = unknown(path, self.origin(at));
                self.errors.push(error);
            }
        }
    }

    fn setting(&mut self, spec: &SettingSpec, name: &str, key: &str, item: &Item, at: usize) {
        if spec.field.is_list() {
            self.list(spec, key, item, at);
            return;
        }
        let mut after = self.loaded.settings.clone();
        match assign(&spec.field, name, item, &mut after) {
            Ok(()) => self.take(spec, key, after, at),
            Err(reason) => {
                let error = reason.about(key).into_error(self.origin(at), key);
                self.errors.push(error);
            }
        }
    }

    /// Takes the changed settings, unless a project went beyond what it may.
    fn take(&mut self, spec: &SettingSpec, key: &str, after: Settings, at: usize) {
        let origin = self.origin(at);
        if self.source.is_project {
            let refused = match spec.reach {
                Reach::Project => None,
                Reach::Person => Some("it belongs into your own configuration"),
                Reach::Narrowing(narrows) => (!narrows(&self.loaded.settings, &after))
                    .then_some("a project can only narrow what is allowed"),
            };
            if let Some(why) = refused {
                let notice = Notice::warning(format!("`{key}` of the project is left out: {why}"));
                self.loaded
                    .notices
                    .push(notice.with_hint(origin.to_string()));
                return;
            }
        }
        self.loaded.settings = after;
        self.loaded.origins.insert(key.to_owned(), origin);
    }

    fn list(&mut self, spec: &SettingSpec, key: &str, item: &Item, at: usize) {
        let Some(tables) = lists::tables(item) else {
            let problem = format!(
                "`{key}` is {}, not {}",
                spec.field.describe(),
                article(item.type_name())
            );
            let error = ConfigError::new(self.origin(at), key, problem);
            self.errors
                .push(error.with_hint(format!("write [[{key}]]")));
            return;
        };
        for table in tables {
            match lists::read(&spec.field, key, table, at) {
                Ok(Addition { add, at, name }) => {
                    let mut after = self.loaded.settings.clone();
                    add(&mut after);
                    let place = self.origin(at);
                    let origin = place.of_rule();
                    self.take(spec, key, after, at);
                    let loaded = &mut *self.loaded;
                    if let Some(name) = name {
                        loaded
                            .origins
                            .insert(format!("{key}.{}", shown::name(&name)), place);
                    }
                    if loaded.rule_origins.len() < loaded.settings.permissions.rules.len() {
                        loaded.rule_origins.push(origin);
                    }
                }
                Err(wrong) => {
                    for Wrong { at, key, reason } in wrong {
                        let error = reason.into_error(self.origin(at), &key);
                        self.errors.push(error);
                    }
                }
            }
        }
    }

    /// The place of a byte of the text.
    fn origin(&self, at: usize) -> Origin {
        let before = self.source.text.get(..at).unwrap_or(self.source.text);
        let line_start = before.rfind('\n').map_or(0, |end| end + 1);
        let in_line = before.get(line_start..).unwrap_or_default();
        let place = Place {
            file: self.source.file.to_owned(),
            line: before.matches('\n').count() + 1,
            column: in_line.chars().count() + 1,
        };
        if self.source.is_project {
            Origin::Project(place)
        } else {
            Origin::User(place)
        }
    }
}

/// What a path of keys means.
enum Found<'a> {
    /// A setting, and the name that stands for `*`.
    Setting(&'static SettingSpec, &'a str),
    /// A table of settings.
    Table,
    /// Nothing that is known.
    Nothing,
}

fn find<'a>(path: &[&'a str]) -> Found<'a> {
    let mut is_table = false;
    for spec in SETTINGS {
        let mut parts = spec.key.split('.');
        let mut name = "";
        let fits = path.iter().all(|given| match parts.next() {
            Some("*") => {
                name = given;
                true
            }
            part => part == Some(given),
        });
        if fits && parts.next().is_none() {
            return Found::Setting(spec, name);
        }
        is_table |= fits;
    }
    if is_table {
        Found::Table
    } else {
        Found::Nothing
    }
}

/// The keys that may stand below this path.
fn known_below(path: &[&str]) -> Vec<&'static str> {
    let mut known: Vec<&'static str> = SETTINGS
        .iter()
        .filter_map(|spec| {
            let mut parts = spec.key.split('.');
            let fits = path.iter().all(|given| {
                let part = parts.next();
                part == Some("*") || part == Some(given)
            });
            parts.next().filter(|next| fits && *next != "*")
        })
        .collect();
    known.dedup();
    known
}

/// An error for a key that is not known: with the nearest one beside it, or the table where it belongs.
fn unknown(path: &[&str], origin: Origin) -> ConfigError {
    let key = dotted(path);
    let error = ConfigError::new(origin, &key, format!("unknown key `{key}`"));
    let Some((name, parent)) = path.split_last() else {
        return error;
    };
    let known = known_below(parent);
    if let Some(meant) = nearest(name, known.iter().copied()) {
        return error.with_hint(format!("did you mean `{meant}`?"));
    }
    let elsewhere = SETTINGS.iter().find_map(|spec| {
        let (table, last) = spec.key.rsplit_once('.')?;
        (last == *name && !table.contains('*')).then_some(table)
    });
    match elsewhere {
        Some(table) => error.with_hint(format!("`{name}` belongs under [{table}]")),
        None if parent.is_empty() => error.with_hint(format!("the keys are {}", known.join(", "))),
        None => error.with_hint(format!(
            "the keys of [{}] are {}",
            dotted(parent),
            known.join(", ")
        )),
    }
}

/// Sets a setting from a value, or says what it must be.
fn assign(field: &Field, name: &str, item: &Item, settings: &mut Settings) -> Result<(), Reason> {
    let expected = || Reason::new(format!("must be {}, not {}", field.describe(), shown(item)));
    match field {
        Field::Text(set) => match item.as_str() {
            Some("") => return Err(Reason::new("must not be empty")),
            text => set(settings, name, text.ok_or_else(expected)?.to_owned()),
        },
        Field::Flag(set) => set(settings, name, item.as_bool().ok_or_else(expected)?),
        Field::Whole { least, most, set } => {
            let number = item
                .as_integer()
                .and_then(|number| u64::try_from(number).ok())
                .filter(|number| (*least..=*most).contains(number))
                .ok_or_else(expected)?;
            set(settings, name, number);
        }
        Field::Decimal(set) => {
            let number = item
                .as_float()
                .or_else(|| item.as_integer().map(|number| number as f64))
                .filter(|number| number.is_finite() && *number >= 0.0)
                .ok_or_else(expected)?;
            set(settings, name, number);
        }
        Field::Choice { words, set } => {
            let word = item.as_str().ok_or_else(expected)?;
            if !words.contains(&word) {
                return Err(wrong_choice(word, words, expected()));
            }
            set(settings, name, word);
        }
        Field::Texts(set) => {
            let list: Option<Vec<String>> = item.as_array().and_then(|values| {
                values
                    .iter()
                    .map(|value| value.as_str().map(str::to_owned))
                    .collect()
            });
            set(settings, name, list.ok_or_else(expected)?);
        }
        // Read one by one.
        Field::Rules(_) | Field::Hooks(_) | Field::Tools(_) => return Err(expected()),
    }
    Ok(())
}

fn wrong_choice(word: &str, words: &[&str], expected: Reason) -> Reason {
    if PLANNED_BACKENDS.contains(&word) {
        return Reason::new(format!("cannot be {word:?} yet"))
            .with_hint(format!("this version speaks {}", words.join(", ")));
    }
    match nearest(word, words.iter().copied()) {
        Some(meant) => expected.with_hint(format!("did you mean \"{meant}\"?")),
        None => expected,
    }
}

/// A value as an error names it: itself when it is short, else its type.
fn shown(item: &Item) -> String {
    match item.as_value() {
        Some(Value::String(text)) if text.value().chars().count() <= 40 => {
            format!("{:?}", text.value())
        }
        Some(Value::Integer(number)) => number.value().to_string(),
        Some(Value::Float(number)) => number.value().to_string(),
        Some(Value::Boolean(flag)) => flag.value().to_string(),
        _ => article(item.type_name()),
    }
}

fn dotted(path: &[&str]) -> String {
    let parts: Vec<String> = path.iter().map(|part| shown::name(part)).collect();
    parts.join(".")
}
