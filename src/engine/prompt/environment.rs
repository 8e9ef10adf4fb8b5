//! The context note in front of the person's words: what the agent must know of its surroundings.
//!
//! The whole note comes once; later only a note about what changed.

use std::path::Path;

use crate::domain::permission::{Level, Mode};

/// Most bytes of project instructions that are sent.
const INSTRUCTION_BYTES: usize = 32 * 1024;

/// What the note is made from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Environment {
    /// The working directory.
    pub cwd: String,
    /// Reach.
    pub level: Level,
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
        if self.mode != earlier.mode {
            lines.push(format!("Approvals: {}", self.mode.name()));
        }
        if self.date != earlier.date {
            lines.push(format!("Date: {}", self.date));
        }
        (!lines.is_empty()).then(|| format!("[environment changed]\n{}", lines.join("\n")))
    }
}

/// The project's instructions, cut to 32 KiB; `None` when there are none.
pub async fn instructions(cwd: &Path) -> Option<String> {
    let bytes = tokio::fs::read(cwd.join("AGENTS.md")).await.ok()?;
    let mut text = String::from_utf8_lossy(&bytes).into_owned();
    if text.len() > INSTRUCTION_BYTES {
        let mut end = INSTRUCTION_BYTES;
        while !text.is_char_boundary(end) {
            end -= 1;
        }
        text.truncate(end);
        text.push_str("\n[cut at 32 KiB: read AGENTS.md for the rest]");
    }
    (!text.trim().is_empty()).then_some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn environment(level: Level) -> Environment {
        Environment {
            cwd: "/p".to_owned(),
            level,
            mode: Mode::Adaptive,
            date: "2026-01-02".to_owned(),
        }
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
}
