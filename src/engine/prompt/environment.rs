//! The context note in front of the person's words: what the agent must know of its surroundings.
//!
//! The whole note comes once; later only a note about what changed.

use std::{io::Read, path::Path};

use crate::{
    domain::permission::{Level, Mode, Network, OwnPlaces},
    workspace::{error::WorkspaceError, gate, root},
};

/// Most bytes of project instructions that are sent.
const INSTRUCTION_BYTES: usize = 32 * 1024;

/// What the note is made from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Environment {
    /// The working directory.
    pub cwd: String,
    /// Reach.
    pub level: Level,
    /// Where connections may go.
    pub network: Network,
    /// When the person is asked.
    pub mode: Mode,
    /// Today, as `2026-11-30`.
    pub date: String,
}

impl Environment {
    /// The whole note.
    pub fn note(&self, instructions: Option<&str>) -> String {
        let mut note = format!(
            "[environment]\nWorking directory: {}\nPlatform: {}\nDate: {}\nPermission level: {}\nApprovals: {}\n",
            self.cwd,
            std::env::consts::OS,
            self.date,
            self.level.name(),
            self.mode.name(),
        );
        if self.network != Network::All {
            note.push_str(&format!("Network: {}\n", self.network.name()));
        }
        if let Some(text) = instructions {
            note.push_str("\n[project instructions from AGENTS.md]\n");
            note.push_str(text);
        }
        note
    }

    /// What differs from an earlier note, or `None`.
    pub fn difference(&self, earlier: &Self) -> Option<String> {
        let mut lines = Vec::new();
        if self.level != earlier.level {
            lines.push(format!("Permission level: {}", self.level.name()));
        }
        if self.network != earlier.network {
            lines.push(format!("Network: {}", self.network.name()));
        }
        if self.mode != earlier.mode {
            lines.push(format!("Approvals: {}", self.mode.name()));
        }
        if self.date != earlier.date {
            lines.push(format!("Date: {}", self.date));
        }
        (!lines.is_empty()).then(|| format!("[environment changed]\n{}", lines.join("\n")))
    }
}

/// The project's instructions.
#[derive(Debug, PartialEq, Eq)]
pub struct Instructions {
    /// The text, as the model gets it.
    pub text: String,
    /// Whether the file is longer.
    pub is_cut: bool,
}

/// The project's instructions, cut to 32 KiB; `None` when there are none. Blocks on the disk. The error says why they
/// were not read: the file may be a link, and it goes to the model unasked, so it is held to what any tool may read.
pub fn instructions(cwd: &Path, own: &OwnPlaces) -> Result<Option<Instructions>, String> {
    let text = |error: WorkspaceError| error.to_string();
    let file = root::locate(cwd, &cwd.join("AGENTS.md")).map_err(text)?;
    if own.hold(&file.real) {
        return Err(format!("{} is a file of quarterdeck itself", file.shown));
    }
    let opened = match gate::open(&file) {
        Ok((opened, _)) => opened,
        Err(WorkspaceError::Missing { .. }) => return Ok(None),
        Err(error) => return Err(text(error)),
    };
    let mut bytes = Vec::new();
    opened
        .take(INSTRUCTION_BYTES as u64 + 1)
        .read_to_end(&mut bytes)
        .map_err(|error| error.to_string())?;
    let is_cut = bytes.len() > INSTRUCTION_BYTES;
    bytes.truncate(INSTRUCTION_BYTES);
    if is_cut {
        // Not in the middle of a letter.
        let whole = match std::str::from_utf8(&bytes) {
            Err(error) if error.error_len().is_none() => error.valid_up_to(),
            _ => bytes.len(),
        };
        bytes.truncate(whole);
    }
    let mut text = String::from_utf8_lossy(&bytes).into_owned();
    if is_cut {
        text.push_str("\n[cut at 32 KiB: read AGENTS.md for the rest]");
    }
    Ok((!text.trim().is_empty()).then_some(Instructions { text, is_cut }))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn environment(level: Level) -> Environment {
        Environment {
            cwd: "/p".to_owned(),
            level,
            network: Network::All,
            mode: Mode::Adaptive,
            date: "2026-01-02".to_owned(),
        }
    }

    #[test]
    fn a_network_is_told_where_it_is_not_open_and_where_it_changes() {
        let open = environment(Level::Read);
        let closed = Environment {
            network: Network::None,
            ..open.clone()
        };

        assert!(!open.note(None).contains("Network"));
        assert!(closed.note(None).contains("\nNetwork: none\n"));
        assert_eq!(
            open.difference(&closed).as_deref(),
            Some("[environment changed]\nNetwork: all")
        );
    }

    #[test]
    fn only_what_changed_is_told_again() {
        let earlier = environment(Level::Workspace);

        assert_eq!(environment(Level::Workspace).difference(&earlier), None);
        assert_eq!(
            environment(Level::Read).difference(&earlier).as_deref(),
            Some("[environment changed]\nPermission level: read")
        );
    }

    #[test]
    fn long_instructions_are_cut_between_letters() {
        let folder = tempfile::tempdir().unwrap();
        let long = format!("x{}", "é".repeat(INSTRUCTION_BYTES));
        std::io::Write::write_all(
            &mut std::fs::File::create(folder.path().join("AGENTS.md")).unwrap(),
            long.as_bytes(),
        )
        .unwrap();

        let text = instructions(folder.path(), &OwnPlaces::default())
            .unwrap()
            .unwrap();

        assert!(text.is_cut);
        let (kept, note) = text.text.rsplit_once('\n').unwrap();
        assert_eq!(kept.len(), INSTRUCTION_BYTES - 1);
        assert!(long.starts_with(kept));
        assert_eq!(note, "[cut at 32 KiB: read AGENTS.md for the rest]");
    }
}
