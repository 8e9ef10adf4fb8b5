//! Whether a folder's own configuration counts, and what holds until the person has said so.

use crate::domain::configured::seen::{Asking, Remembered, Seen};

/// What is known about a folder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trust {
    /// The person trusts it: its own configuration is loaded.
    Given,
    /// The person does not trust it.
    Refused,
    /// The person was not asked yet, or trusted something else.
    Unasked,
}

impl Trust {
    /// A flag decides for this run; without one, what the person said before. Trust stands for what was seen: where the
    /// folder's own files are others now, nothing was said. A refusal stands whatever they are.
    pub fn decide(flag: Option<bool>, remembered: Option<&Remembered>, now: &Seen) -> Self {
        match (flag, remembered) {
            (Some(true), _) => Self::Given,
            (Some(false), _) => Self::Refused,
            (None, Some(said)) if !said.trusted => Self::Refused,
            (None, Some(said)) if said.seen.as_ref() == Some(now) => Self::Given,
            (None, _) => Self::Unasked,
        }
    }

    /// What the question about the folder says; nothing of its files where it was answered.
    pub fn asking(self, remembered: Option<&Remembered>, now: &Seen) -> Asking {
        match self {
            Self::Unasked => Asking::about(remembered, now),
            Self::Given | Self::Refused => Asking::default(),
        }
    }

    /// The answer as it is remembered; `None` when the person has to be asked.
    pub fn answer(self) -> Option<bool> {
        match self {
            Self::Given => Some(true),
            Self::Refused => Some(false),
            Self::Unasked => None,
        }
    }

    /// Whether the folder's own configuration may be loaded.
    pub fn is_given(self) -> bool {
        self == Self::Given
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_flag_comes_before_what_was_remembered() {
        let now = Seen::default();
        let said = |trusted| Remembered {
            trusted,
            seen: Some(Seen::default()),
        };
        let decide = |flag, said: Option<Remembered>| Trust::decide(flag, said.as_ref(), &now);
        assert_eq!(decide(None, None), Trust::Unasked);
        assert_eq!(decide(None, Some(said(false))), Trust::Refused);
        assert_eq!(decide(None, Some(said(true))), Trust::Given);
        assert_eq!(decide(Some(true), Some(said(false))), Trust::Given);
        assert_eq!(decide(Some(false), Some(said(true))), Trust::Refused);
    }

    #[test]
    fn trust_stands_for_what_was_seen_and_a_refusal_for_anything() {
        let now = Seen([("a".to_owned(), "1".to_owned())].into());
        let decide = |trusted, seen| Trust::decide(None, Some(&Remembered { trusted, seen }), &now);

        assert_eq!(decide(true, Some(now.clone())), Trust::Given);
        for other in [None, Some(Seen::default())] {
            assert_eq!(decide(true, other.clone()), Trust::Unasked);
            assert_eq!(decide(false, other), Trust::Refused);
        }
    }
}
