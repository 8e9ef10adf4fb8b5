//! Keys as people read them: a person who moved a key reads the key they chose.

use super::{Action, Chord, Keymap, Scope, Sequence};

impl Keymap {
    /// The first key of an action where this scope has the keys, as people read it: `Alt+Enter`.
    pub fn key(&self, scope: Scope, action: Action) -> Option<String> {
        self.sequences(scope, action).next().map(label)
    }

    /// All keys of an action where this scope has the keys, as people read them.
    pub fn keys(&self, scope: Scope, action: Action) -> Vec<String> {
        self.sequences(scope, action).map(label).collect()
    }

    fn sequences(&self, scope: Scope, action: Action) -> impl Iterator<Item = &Sequence> {
        scope
            .chain()
            .iter()
            .flat_map(|scope| self.bindings_of(*scope))
            .filter(move |binding| binding.action == action)
            .map(|binding| &binding.sequence)
            .filter(move |sequence| {
                self.resolve(scope, &sequence.0) == super::Resolution::Action(action)
            })
    }
}

/// A sequence as people read it.
pub fn label(sequence: &Sequence) -> String {
    sequence
        .0
        .iter()
        .map(chord_label)
        .collect::<Vec<_>>()
        .join(" ")
}

fn chord_label(chord: &Chord) -> String {
    let written = chord.to_string();
    // A lone character is shown as it is typed: `a`, `G`, `?`.
    if let Some(letter) = written.strip_prefix("shift+")
        && letter.chars().count() == 1
    {
        return letter.to_uppercase();
    }
    if written.chars().count() == 1 {
        return written;
    }
    written
        .split('+')
        .map(|part| match part {
            "up" => "↑".to_owned(),
            "down" => "↓".to_owned(),
            "left" => "←".to_owned(),
            "right" => "→".to_owned(),
            "pageup" => "PgUp".to_owned(),
            "pagedown" => "PgDn".to_owned(),
            "plus" => "+".to_owned(),
            part => capital(part),
        })
        .collect::<Vec<_>>()
        .join("+")
}

fn capital(word: &str) -> String {
    let mut characters = word.chars();
    match characters.next() {
        Some(first) => first.to_uppercase().chain(characters).collect(),
        None => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_written_as_people_read_them() {
        let labels: Vec<String> = [
            "alt+enter",
            "G",
            "ctrl+p",
            "f1",
            "ctrl+w 3",
            "shift+tab",
            "pageup",
        ]
        .iter()
        .map(|text| label(&text.parse().unwrap()))
        .collect();

        assert_eq!(
            labels,
            [
                "Alt+Enter",
                "G",
                "Ctrl+P",
                "F1",
                "Ctrl+W 3",
                "Shift+Tab",
                "PgUp"
            ]
        );
    }

    #[test]
    fn a_key_that_a_nearer_scope_took_is_not_offered() {
        let keymap = Keymap::builtin("default").unwrap();

        // Ctrl+D declines a form, so half a page down has only its other key there.
        assert_eq!(keymap.keys(Scope::Question, Action::HalfPageDown), ["}"]);
        assert_eq!(
            keymap.key(Scope::Conversation, Action::HalfPageDown),
            Some("Ctrl+D".to_owned())
        );
    }
}
