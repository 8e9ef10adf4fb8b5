//! What a finished draft is: words for the agent, a shell command of the person's own, or an action by its name.
//!
//! The one invariant: words are sent exactly as written. Only a `!` or a `/` in the very first column has a
//! meaning, so a blank before it sends it as words.

use crate::ui::keymap::action;

/// What a draft is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Submission {
    /// Nothing but blanks.
    Nothing,
    /// Words for the agent.
    Words(String),
    /// `!command` or `!!command`.
    Shell {
        /// The command line.
        command: String,
        /// Whether the model sees it (`!`, not `!!`).
        shared: bool,
    },
    /// `/name arguments`.
    Act {
        /// The whole line.
        line: String,
    },
    /// `/name` of no action.
    Unknown(String),
}

impl Submission {
    /// Reads a draft.
    pub fn of(text: &str) -> Self {
        if text.trim().is_empty() {
            return Self::Nothing;
        }
        if let Some(rest) = text.strip_prefix('!') {
            let (command, shared) = match rest.strip_prefix('!') {
                Some(command) => (command, false),
                None => (rest, true),
            };
            let command = command.trim().to_owned();
            return if command.is_empty() {
                Self::Nothing
            } else {
                Self::Shell { command, shared }
            };
        }
        match text.strip_prefix('/').and_then(slash_name) {
            Some(name) if action::by_slash(name).is_some() => Self::Act {
                line: text.trim_end().to_owned(),
            },
            Some(name) => Self::Unknown(name.to_owned()),
            None => Self::Words(text.to_owned()),
        }
    }
}

/// The name of a slash command; `None` for what is a path or no name at all.
fn slash_name(text: &str) -> Option<&str> {
    let name = text.split(char::is_whitespace).next()?;
    let is_name = !name.is_empty()
        && name
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || c == '-' || c == '_');
    is_name.then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_kept_exactly() {
        let words = |text: &str| Submission::Words(text.to_owned());

        assert_eq!(Submission::of("  keep this \n"), words("  keep this \n"));
        assert_eq!(Submission::of(" /help"), words(" /help"));
        assert_eq!(Submission::of(" !ls"), words(" !ls"));
        assert_eq!(
            Submission::of("/etc/hosts is wrong"),
            words("/etc/hosts is wrong")
        );
        assert_eq!(Submission::of("/ alone"), words("/ alone"));
        assert_eq!(Submission::of(" \n\t"), Submission::Nothing);
    }

    #[test]
    fn one_mark_shares_a_command_and_two_keep_it_out() {
        let shell = |command: &str, shared| Submission::Shell {
            command: command.to_owned(),
            shared,
        };

        assert_eq!(Submission::of("!cargo test"), shell("cargo test", true));
        assert_eq!(Submission::of("!! git log\n"), shell("git log", false));
        assert_eq!(Submission::of("!!"), Submission::Nothing);
    }

    #[test]
    fn a_slash_name_runs_its_action_with_its_arguments() {
        assert_eq!(
            Submission::of("/title  Fetcher with retry "),
            Submission::Act {
                line: "/title  Fetcher with retry".to_owned(),
            }
        );
        assert_eq!(
            Submission::of("/nonsense now"),
            Submission::Unknown("nonsense".to_owned())
        );
    }
}
