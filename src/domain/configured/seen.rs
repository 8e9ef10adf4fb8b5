//! What of a folder a person has seen when they trusted it: its own files that act, and what differs since.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// Files that are named where there is little room.
const NAMED: usize = 3;

/// The folder's own files that act once it is trusted: name from the folder, and a digest of the content.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Seen(pub BTreeMap<String, String>);

/// How a file differs; what acts comes first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Difference {
    /// It was not there.
    New,
    /// It says something else.
    Changed,
    /// It is not there any more.
    Gone,
}

/// A file that differs from what was seen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Altered {
    /// Its name from the folder.
    pub name: String,
    /// How it differs.
    pub how: Difference,
}

/// What is remembered of a folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Remembered {
    /// What the person answered.
    pub trusted: bool,
    /// What they had seen then; `None` where an earlier version did not keep it.
    pub seen: Option<Seen>,
}

/// Why a folder is asked about.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Why {
    /// It was not asked about before.
    #[default]
    First,
    /// It was trusted, but what was seen is not known.
    Older,
    /// It was trusted, and its own files are others now.
    Altered,
}

/// What a question about a folder says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Asking {
    /// Why it comes.
    pub why: Why,
    /// The folder's own files: those that differ where it was trusted, else all.
    pub files: Vec<Altered>,
}

impl Difference {
    /// In a word.
    pub fn name(self) -> &'static str {
        match self {
            Self::New => "new",
            Self::Changed => "changed",
            Self::Gone => "gone",
        }
    }

    /// What somebody did to the file.
    pub fn deed(self) -> &'static str {
        match self {
            Self::New => "made",
            Self::Changed => "changed",
            Self::Gone => "removed",
        }
    }
}

impl Seen {
    /// What differs from `before`: new files first, those that are gone last.
    pub fn since(&self, before: &Self) -> Vec<Altered> {
        let altered = |name: &String, how| Altered {
            name: name.clone(),
            how,
        };
        let mut found: Vec<Altered> = self
            .0
            .iter()
            .filter_map(|(name, digest)| match before.0.get(name) {
                None => Some(altered(name, Difference::New)),
                Some(old) if old != digest => Some(altered(name, Difference::Changed)),
                Some(_) => None,
            })
            .collect();
        let gone = before.0.keys().filter(|name| !self.0.contains_key(*name));
        found.extend(gone.map(|name| altered(name, Difference::Gone)));
        // By name already.
        found.sort_by_key(|file| file.how);
        found
    }
}

impl Asking {
    /// About a folder that was not asked about, or whose answer does not count any more.
    pub fn about(remembered: Option<&Remembered>, now: &Seen) -> Self {
        let (why, before) = match remembered {
            None => (Why::First, None),
            Some(Remembered { seen: None, .. }) => (Why::Older, None),
            Some(Remembered { seen, .. }) => (Why::Altered, seen.as_ref()),
        };
        Self {
            why,
            files: now.since(before.unwrap_or(&Seen::default())),
        }
    }

    /// About files that are others than those the person was asked about or has trusted.
    pub fn altered(files: Vec<Altered>) -> Self {
        Self {
            why: Why::Altered,
            files,
        }
    }

    /// Why a folder that was trusted is not, in a line.
    pub fn reason(&self) -> Option<String> {
        match self.why {
            Why::First => None,
            Why::Older => Some(
                "trusted with an earlier version, which did not keep what you had seen".to_owned(),
            ),
            Why::Altered => {
                let files = listed(&self.files, Difference::name);
                Some(format!(
                    "its own files differ since you trusted it: {files}"
                ))
            }
        }
    }
}

/// The files in a line, each behind a word for how it differs.
pub fn listed(files: &[Altered], word: impl Fn(Difference) -> &'static str) -> String {
    let named = files.iter().take(NAMED);
    let mut parts: Vec<String> = named
        .map(|file| format!("{} {}", word(file.how), file.name))
        .collect();
    let more = files.len().saturating_sub(NAMED);
    if more > 0 {
        parts.push(format!("{more} more"));
    }
    parts.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seen(files: &[(&str, &str)]) -> Seen {
        let owned = |(name, digest): &(&str, &str)| ((*name).to_owned(), (*digest).to_owned());
        Seen(files.iter().map(owned).collect())
    }

    #[test]
    fn what_is_new_changed_and_gone_is_told_by_name() {
        let before = seen(&[("a", "1"), ("b", "1"), ("c", "1")]);
        let now = seen(&[("a", "1"), ("c", "2"), ("d", "1"), ("e", "1")]);
        let remembered = |seen| Remembered {
            trusted: true,
            seen,
        };

        let asking = Asking::about(Some(&remembered(Some(before.clone()))), &now);
        assert_eq!(asking.why, Why::Altered);
        assert_eq!(
            asking.reason().unwrap(),
            "its own files differ since you trusted it: new d, new e, changed c, 1 more"
        );
        assert_eq!(before.since(&before), []);
        let older = Asking::about(Some(&remembered(None)), &before);
        assert_eq!((older.why, older.files.len()), (Why::Older, 3));
        assert_eq!(Asking::about(None, &Seen::default()), Asking::default());
    }
}
