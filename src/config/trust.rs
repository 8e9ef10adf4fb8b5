//! Whether a folder's own configuration counts, and what holds until the person has said so.

/// What is known about a folder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trust {
    /// The person trusts it: its own configuration is loaded.
    Given,
    /// The person does not trust it.
    Refused,
    /// The person was not asked yet.
    Unasked,
}

impl Trust {
    /// A flag decides for this run; without one, what the person said before.
    pub fn decide(flag: Option<bool>, remembered: Option<bool>) -> Self {
        match flag.or(remembered) {
            Some(true) => Self::Given,
            Some(false) => Self::Refused,
            None => Self::Unasked,
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
        assert_eq!(Trust::decide(None, None), Trust::Unasked);
        assert_eq!(Trust::decide(None, Some(false)), Trust::Refused);
        assert_eq!(Trust::decide(Some(true), Some(false)), Trust::Given);
        assert_eq!(Trust::decide(Some(false), Some(true)), Trust::Refused);
        for answer in [None, Some(true), Some(false)] {
            assert_eq!(Trust::decide(None, answer).answer(), answer);
        }
    }
}
