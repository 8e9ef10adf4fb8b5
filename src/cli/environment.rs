//! Environment variables with keys, which were taken out of the process's own environment at the start.

use std::{ffi::OsString, sync::Arc};

/// The hidden variables.
#[derive(Clone, Default)]
pub struct HiddenVariables(Arc<Vec<(OsString, OsString)>>);

impl HiddenVariables {
    /// What was hidden at the start.
    pub fn new(variables: Vec<(OsString, OsString)>) -> Self {
        Self(Arc::new(variables))
    }

    /// The hidden ones, for a program that the person named and that acts for nobody else.
    pub fn hidden(&self) -> &[(OsString, OsString)] {
        &self.0
    }

    /// A variable that is set and not blank, hidden or not.
    pub fn get(&self, name: &str) -> Option<String> {
        let hidden = self
            .0
            .iter()
            .find(|(hidden, _)| hidden == name)
            .map(|(_, value)| value.to_string_lossy().into_owned());
        hidden
            .or_else(|| std::env::var(name).ok())
            .filter(|value| !value.trim().is_empty())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hidden_and_plain_variables_are_found_and_blank_ones_are_not() {
        let variables = HiddenVariables::new(vec![
            ("QD_TEST_KEY".into(), "k".into()),
            ("QD_TEST_BLANK".into(), " ".into()),
        ]);

        assert_eq!(variables.get("QD_TEST_KEY").as_deref(), Some("k"));
        assert_eq!(variables.get("QD_TEST_BLANK"), None);
        assert!(variables.get("PATH").is_some());
    }
}
