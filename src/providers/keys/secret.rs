//! A key that cannot be printed.
//!
//! There is no `Display`, no serialisation, and `Debug` shows only that there is something. The text leaves
//! through [`Secret::expose`] alone, which is called where a header is made and where an answer is searched for it.

use std::{fmt, sync::Arc};

/// An API key.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(Arc<str>);

impl Secret {
    /// Takes a key; white space around it (the line end of a file) is dropped. `None` when nothing is left.
    pub fn new(text: &str) -> Option<Self> {
        let text = text.trim();
        (!text.is_empty()).then(|| Self(text.into()))
    }

    /// The key itself.
    pub fn expose(&self) -> &str {
        &self.0
    }

    /// A text without the key.
    pub fn redact(&self, text: &str) -> String {
        text.replace(self.expose(), "[key]")
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(…)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_never_printed() {
        let secret = Secret::new(" sk-canary\n").unwrap();

        assert_eq!(secret.expose(), "sk-canary");
        assert_eq!(
            format!("{:?} {:#?}", secret, Some(&secret))
                .matches("canary")
                .count(),
            0
        );
        assert_eq!(
            secret.redact("Incorrect key: sk-canary."),
            "Incorrect key: [key]."
        );
        assert_eq!(Secret::new(" \n"), None);
    }
}
