//! Leaves out rules whose pattern cannot match anything of a call, without reading the pattern: a configuration may
//! hold a thousand rules, and a call is judged while a person waits.
//!
//! What is left may match or not; what is left out never does.

/// The texts by which rules may name what a call touches.
pub(super) struct Sieve {
    /// All of them, each behind a character that no text holds.
    texts: String,
    /// Bytes that one of them begins with.
    firsts: [bool; 256],
    /// Whether one of them is empty.
    has_empty: bool,
}

impl Sieve {
    /// A sieve for these texts.
    pub(super) fn new<'t>(subjects: impl IntoIterator<Item = &'t str>) -> Self {
        let mut sieve = Self {
            texts: String::new(),
            firsts: [false; 256],
            has_empty: false,
        };
        for subject in subjects {
            match subject.bytes().next() {
                Some(first) => {
                    if let Some(known) = sieve.firsts.get_mut(usize::from(first)) {
                        *known = true;
                    }
                }
                None => sieve.has_empty = true,
            }
            sieve.texts.push('\0');
            sieve.texts.push_str(subject);
        }
        sieve
    }

    /// Whether a pattern may match one of the texts.
    pub(super) fn lets_through(&self, pattern: &str) -> bool {
        let bytes = pattern.as_bytes();
        let begins = |byte: &u8| {
            let known = self.firsts.get(usize::from(*byte));
            is_special(byte) || known.is_some_and(|known| *known)
        };
        // Most rules are about another program.
        if bytes.first().is_some_and(|first| !begins(first)) {
            return false;
        }
        let start = bytes.iter().position(|byte| !is_special(byte));
        let Some(start) = start else {
            return !pattern.is_empty() || self.has_empty;
        };
        let end = bytes
            .iter()
            .skip(start)
            .position(is_special)
            .map_or(bytes.len(), |length| start + length);
        // `git *` matches `git` as well.
        let run = pattern.get(start..end).unwrap_or_default();
        let run = run.strip_suffix(' ').unwrap_or(run);
        self.texts.contains(run)
    }
}

/// Whether a character of a pattern does not stand for itself.
fn is_special(byte: &u8) -> bool {
    matches!(byte, b'*' | b'?' | b'\\')
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{super::rule::Pattern, Sieve};

    #[test]
    fn it_leaves_out_what_cannot_match() {
        let sieve = Sieve::new(["git status", "/home/ada/x.rs"]);

        for pattern in [
            "git *",
            "*",
            "?it status",
            "*.rs",
            "git status",
            "git status *",
            "\\git*",
        ] {
            assert!(sieve.lets_through(pattern), "{pattern}");
        }
        for pattern in [
            "",
            "cargo *",
            "*.py",
            "status",
            "/home/ada/project/*",
            "?cargo",
        ] {
            assert!(!sieve.lets_through(pattern), "{pattern}");
        }
        assert!(Sieve::new([""]).lets_through(""));
    }

    proptest! {
        #[test]
        fn what_matches_is_let_through(pattern in "[ab *?\\\\é]{0,8}", texts in proptest::collection::vec("[ab *?\\\\é]{0,6}", 0..4)) {
            let matches = texts.iter().any(|text| Pattern::parse(&pattern).matches(text));
            let sieve = Sieve::new(texts.iter().map(String::as_str));
            prop_assert!(!matches || sieve.lets_through(&pattern), "{pattern:?} {texts:?}");
        }
    }
}
