//! Where themes and keymaps come from: the person's folders first, then what is built in. Both folders are watched,
//! so that saving a file restyles the running program.

use std::{
    fs,
    io::{self, Read as _},
    path::{Path, PathBuf},
    sync::Arc,
};

use notify::{RecommendedWatcher, RecursiveMode, Watcher};
use tokio::sync::mpsc;

use super::problem::Problem;
use crate::{
    config::layers::open_file,
    ui::{
        keymap::{self, Keymap},
        message::{Message, Reload},
        theme::{self, Depth, Theme},
    },
};

/// The largest file that is read.
const LARGEST: u64 = 1 << 20;

/// The person's folders and the terminal's colours.
#[derive(Clone, Debug, Default)]
pub struct Folders {
    /// `config/themes`.
    pub themes: Option<PathBuf>,
    /// `config/keymaps`.
    pub keymaps: Option<PathBuf>,
    /// How many colours there are.
    pub depth: Depth,
}

impl Folders {
    /// The theme of this name and what is wrong with it; the error says that there is none.
    pub fn theme(&self, name: &str) -> Result<(Theme, Vec<Problem>), String> {
        if let Some(source) = read(self.themes.as_deref(), name) {
            let source = source.map_err(|error| unreadable("theme", name, &error))?;
            return Ok(Theme::parse(name, &source, self.depth));
        }
        Theme::builtin(name, self.depth)
            .map(|theme| (theme, Vec::new()))
            .ok_or_else(|| missing("theme", name, &self.theme_names()))
    }

    /// The keymap of this name and what is wrong with it; the error says that there is none.
    pub fn keymap(&self, name: &str) -> Result<(Keymap, Vec<Problem>), String> {
        if let Some(source) = read(self.keymaps.as_deref(), name) {
            let source = source.map_err(|error| unreadable("keymap", name, &error))?;
            return Ok(Keymap::parse(name, &source));
        }
        Keymap::builtin(name)
            .map(|keymap| (keymap, Vec::new()))
            .ok_or_else(|| missing("keymap", name, &self.keymap_names()))
    }

    /// Loads a theme as messages.
    pub fn load_theme(&self, name: &str) -> Vec<Message> {
        match self.theme(name) {
            Ok((theme, problems)) => reload(Reload::Theme(Arc::new(theme)), &problems),
            Err(text) => vec![Message::Reload(Reload::Failed(text))],
        }
    }

    /// Loads a keymap as messages.
    pub fn load_keymap(&self, name: &str) -> Vec<Message> {
        match self.keymap(name) {
            Ok((keymap, problems)) => reload(Reload::Keymap(Arc::new(keymap)), &problems),
            Err(text) => vec![Message::Reload(Reload::Failed(text))],
        }
    }

    /// Names of all themes.
    pub fn theme_names(&self) -> Vec<String> {
        names(self.themes.as_deref(), &theme::load::BUILTIN)
    }

    /// Names of all keymaps.
    pub fn keymap_names(&self) -> Vec<String> {
        names(self.keymaps.as_deref(), &keymap::load::BUILTIN)
    }

    /// Tells the file stem of every file that is saved in either folder. The watch ends when it is dropped.
    pub fn watch(&self, saved: mpsc::UnboundedSender<String>) -> Option<RecommendedWatcher> {
        let folders: Vec<&Path> = [self.themes.as_deref(), self.keymaps.as_deref()]
            .into_iter()
            .flatten()
            .filter(|folder| folder.is_dir())
            .collect();
        if folders.is_empty() {
            return None;
        }
        let mut watcher =
            notify::recommended_watcher(move |event: notify::Result<notify::Event>| {
                let Ok(event) = event else {
                    return;
                };
                if event.kind.is_access() {
                    return;
                }
                for path in event.paths {
                    if path
                        .extension()
                        .is_some_and(|extension| extension == "toml")
                        && let Some(stem) = path.file_stem()
                    {
                        let _ = saved.send(stem.to_string_lossy().into_owned());
                    }
                }
            })
            .ok()?;
        for folder in folders {
            watcher.watch(folder, RecursiveMode::NonRecursive).ok()?;
        }
        Some(watcher)
    }
}

fn reload(loaded: Reload, problems: &[Problem]) -> Vec<Message> {
    let mut messages = vec![Message::Reload(loaded)];
    if let Some(first) = problems.first() {
        let more = match problems.len() {
            1 => String::new(),
            count => format!(" (and {} more)", count - 1),
        };
        messages.push(Message::Reload(Reload::Failed(format!("{first}{more}"))));
    }
    messages
}

/// The text of a file of this name; `None` when there is none.
fn read(folder: Option<&Path>, name: &str) -> Option<io::Result<String>> {
    let is_name = !name.is_empty() && !name.contains(['/', '\\']) && !name.starts_with('.');
    let path = folder.filter(|_| is_name)?.join(format!("{name}.toml"));
    path.exists().then(|| {
        let mut text = String::new();
        let read = open_file(&path)?
            .take(LARGEST + 1)
            .read_to_string(&mut text)?;
        if read as u64 > LARGEST {
            return Err(io::Error::other("it is longer than 1 MiB"));
        }
        Ok(text)
    })
}

fn unreadable(what: &str, name: &str, error: &io::Error) -> String {
    format!("the {what} `{name}` cannot be read: {error}")
}

fn names(folder: Option<&Path>, builtin: &[&str]) -> Vec<String> {
    let mut names: Vec<String> = builtin.iter().map(|name| (*name).to_owned()).collect();
    let files = folder.map(fs::read_dir).and_then(io::Result::ok);
    for entry in files.into_iter().flatten().flatten() {
        let path = entry.path();
        let is_toml = path
            .extension()
            .is_some_and(|extension| extension == "toml");
        if let Some(stem) = path.file_stem().filter(|_| is_toml) {
            let name = stem.to_string_lossy().into_owned();
            if !names.contains(&name) {
                names.push(name);
            }
        }
    }
    names.sort();
    names
}

fn missing(what: &str, name: &str, known: &[String]) -> String {
    format!(
        "there is no {what} `{name}`; there are {}",
        known.join(", ")
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_persons_own_file_comes_before_the_built_in_one() {
        let folder = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| {
            let mut file = fs::File::create(folder.path().join(name)).unwrap();
            io::Write::write_all(&mut file, text.as_bytes()).unwrap();
        };
        write("light.toml", "is_light = false\n");
        write("mine.toml", "is_light = true\n[styles]\nwrong = {}\n");
        let folders = Folders {
            themes: Some(folder.path().to_owned()),
            ..Folders::default()
        };

        assert!(!folders.theme("light").unwrap().0.is_light);
        let (mine, problems) = folders.theme("mine").unwrap();
        assert!(mine.is_light);
        assert_eq!(problems.len(), 1);
        assert_eq!(
            folders.theme_names(),
            [
                "colorblind",
                "contrast",
                "default",
                "light",
                "mine",
                "sixteen"
            ]
        );
        assert_eq!(
            folders.theme("../mine").unwrap_err(),
            "there is no theme `../mine`; there are colorblind, contrast, default, light, mine, sixteen"
        );
    }

    #[test]
    fn a_pipe_in_the_place_of_a_file_keeps_nobody_waiting() {
        let folder = tempfile::tempdir().unwrap();
        let mode = rustix::fs::Mode::RUSR | rustix::fs::Mode::WUSR;
        let pipe = folder.path().join("mine.toml");
        rustix::fs::mkfifoat(rustix::fs::CWD, &pipe, mode).unwrap();
        let folders = Folders {
            themes: Some(folder.path().to_owned()),
            keymaps: Some(folder.path().to_owned()),
            ..Folders::default()
        };

        assert_eq!(
            folders.theme("mine").unwrap_err(),
            "the theme `mine` cannot be read: this is not a file"
        );
        assert_eq!(
            folders.keymap("mine").unwrap_err(),
            "the keymap `mine` cannot be read: this is not a file"
        );
    }
}
