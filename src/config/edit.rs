//! Changes the person's file and keeps everything else in it as it stands: comments, order, spacing.

use std::{
    fs,
    path::{Path, PathBuf},
};

use toml_edit::{DocumentMut, Item, Table, value};

use super::{
    credentials::write_private,
    error::{ConfigError, ConfigErrors, Origin, Place},
    layers::check_text,
    paths::Paths,
    profiles::PRACTICE,
};

/// What `qd config init` writes: nothing is set, everything is shown.
const STARTER: &str = include_str!("starter.toml");

/// A profile with an account of its own.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NewProfile {
    /// The profile's name, and the account's.
    pub name: String,
    /// The wire.
    pub backend: String,
    /// The endpoint's address.
    pub base_url: String,
    /// The provider's name for the model.
    pub model_id: String,
    /// Environment variable that holds the key.
    pub api_key_env: Option<String>,
    /// Context window in tokens, when known.
    pub context_window: Option<u64>,
}

/// Writes a commented file when there is none; returns where it is and whether it was written now.
pub fn init(paths: &Paths) -> Result<(PathBuf, bool), ConfigError> {
    let file = paths.config_file();
    if file.exists() {
        return Ok((file, false));
    }
    write_private(&file, STARTER).map_err(|error| cannot_write(&file, &error))?;
    Ok((file, true))
}

/// Adds a profile and its account to the person's file. It becomes the default when there was none. Nothing is
/// written when the file, or what would become of it, is wrong.
pub fn add_profile(paths: &Paths, profile: &NewProfile) -> Result<(), ConfigErrors> {
    check_name(&profile.name)?;
    change(paths, |document| insert(document, profile))
}

/// Sets the look of the screen for the next starts: `theme` or `keymap`.
pub fn set_ui(paths: &Paths, key: &str, name: &str) -> Result<(), ConfigErrors> {
    change(paths, |document| {
        let table = document
            .entry("ui")
            .or_insert(Item::Table(Table::new()))
            .as_table_like_mut()
            .ok_or_else(|| {
                ConfigError::new(Origin::BuiltIn, "ui", "`ui` is not a table".to_owned())
            })?;
        match table.get_mut(key).and_then(Item::as_value_mut) {
            // What stands around the old value stays: blanks and a comment behind it.
            Some(old) => {
                let decor = old.decor().clone();
                *old = name.into();
                *old.decor_mut() = decor;
            }
            None => {
                table.insert(key, value(name));
            }
        }
        Ok(())
    })
}

/// Keeps how the person arranged the screen; the text is the screen's own.
pub fn keep_panes(paths: &Paths, text: &str) -> std::io::Result<()> {
    write_private(&paths.panes(), text)
}

/// Changes the person's file. Nothing is written when it, or what would become of it, is wrong.
fn change(
    paths: &Paths,
    change: impl FnOnce(&mut DocumentMut) -> Result<(), ConfigError>,
) -> Result<(), ConfigErrors> {
    let file = paths.config_file();
    let before = match fs::read_to_string(&file) {
        Ok(text) => text,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => String::new(),
        Err(error) => {
            let problem = format!("the file cannot be read: {error}");
            return Err(ConfigError::new(whole(&file), "", problem).into());
        }
    };
    // A broken file is reported as it is at every start, before anything is added to it.
    check_text(&file, &before)?;
    let mut document: DocumentMut = before
        .parse()
        .map_err(|error| ConfigError::new(whole(&file), "", format!("not valid TOML: {error}")))?;
    let is_bare = document.iter().next().is_none();
    change(&mut document)?;
    let after = if is_bare {
        // Nothing but comments: they stay in front.
        document.set_trailing("");
        format!("{before}\n{document}").trim_start().to_owned()
    } else {
        document.to_string()
    };
    check_text(&file, &after)?;
    write_private(&file, &after).map_err(|error| cannot_write(&file, &error))?;
    Ok(())
}

fn insert(document: &mut DocumentMut, profile: &NewProfile) -> Result<(), ConfigError> {
    let mut account = Table::new();
    account.insert("backend", value(&profile.backend));
    account.insert("base_url", value(&profile.base_url));
    if let Some(variable) = &profile.api_key_env {
        account.insert("api_key_env", value(variable));
    }
    let mut model = Table::new();
    model.insert("account", value(&profile.name));
    model.insert("model", value(&profile.model_id));
    if let Some(window) = profile.context_window {
        model.insert("context_window", value(window as i64));
    }
    add_table(document, "accounts", &profile.name, account)?;
    add_table(document, "profiles", &profile.name, model)?;
    if !document.contains_key("default_profile") {
        document.insert("default_profile", value(&profile.name));
    }
    Ok(())
}

fn add_table(
    document: &mut DocumentMut,
    parent: &str,
    name: &str,
    table: Table,
) -> Result<(), ConfigError> {
    let mut empty = Table::new();
    // Only `[accounts.name]` is written, no header for the parent alone.
    empty.set_implicit(true);
    let tables = document
        .entry(parent)
        .or_insert(Item::Table(empty))
        .as_table_like_mut();
    let key = format!("{parent}.{name}");
    match tables {
        Some(tables) if !tables.contains_key(name) => {
            tables.insert(name, Item::Table(table));
            Ok(())
        }
        Some(_) => {
            Err(
                ConfigError::new(Origin::BuiltIn, &key, format!("there is `{key}` already"))
                    .with_hint("choose another name"),
            )
        }
        None => Err(ConfigError::new(
            Origin::BuiltIn,
            parent,
            format!("`{parent}` is not a table"),
        )),
    }
}

/// Names stand in keys, on the command line and on screen.
fn check_name(name: &str) -> Result<(), ConfigError> {
    let is_plain = !name.is_empty()
        && name.len() <= 64
        && name
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'));
    let problem = if name == PRACTICE {
        format!("`{PRACTICE}` is built in and cannot be changed")
    } else if is_plain {
        return Ok(());
    } else {
        format!("{name:?} is no usable name")
    };
    Err(ConfigError::new(Origin::BuiltIn, "profiles", problem)
        .with_hint("use up to 64 letters, digits, - and _"))
}

fn whole(file: &Path) -> Origin {
    Origin::User(Place {
        file: file.to_owned(),
        line: 0,
        column: 0,
    })
}

fn cannot_write(file: &Path, error: &std::io::Error) -> ConfigError {
    ConfigError::new(
        whole(file),
        "",
        format!("the file cannot be written: {error}"),
    )
}

#[cfg(test)]
#[path = "edit_tests.rs"]
mod tests;
