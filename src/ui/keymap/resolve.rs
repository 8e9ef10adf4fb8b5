//! From pressed chords to an action, nearest scope first.

use super::{Action, Chord, Keymap, Scope};

/// What a chord means after those pressed before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Resolution {
    /// An action.
    Action(Action),
    /// The beginning of a sequence.
    Pending,
    /// Nothing.
    Unbound,
}

impl Keymap {
    /// What the pressed chords mean where this scope has the keys. Where plain characters type, a lone one is never
    /// looked up.
    pub fn resolve(&self, scope: Scope, pressed: &[Chord]) -> Resolution {
        if let [only] = pressed
            && scope.takes_text()
            && only.is_text()
        {
            return Resolution::Unbound;
        }
        for scope in scope.chain() {
            let mut begins = false;
            for binding in self.bindings_of(*scope) {
                let sequence = binding.sequence.0.as_slice();
                if sequence == pressed {
                    return Resolution::Action(binding.action);
                }
                begins |= sequence.starts_with(pressed);
            }
            if begins {
                return Resolution::Pending;
            }
        }
        Resolution::Unbound
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(scope: Scope, pressed: &str, expected: Resolution) {
        let keymap = Keymap::builtin("default").unwrap();
        let chords: Vec<Chord> = pressed
            .split_whitespace()
            .map(|chord| chord.parse().unwrap())
            .collect();

        assert_eq!(keymap.resolve(scope, &chords), expected, "{pressed}");
    }

    #[test]
    fn the_nearest_scope_wins() {
        check(Scope::Approval, "a", Resolution::Action(Action::AllowOnce));
        check(Scope::Checklist, "a", Resolution::Action(Action::Add));
        check(Scope::Global, "a", Resolution::Unbound);
    }

    #[test]
    fn a_sequence_waits_for_its_rest() {
        check(Scope::Composer, "ctrl+w", Resolution::Pending);
        check(
            Scope::Composer,
            "ctrl+w 3",
            Resolution::Action(Action::FocusAgents),
        );
        check(Scope::Composer, "ctrl+w ö", Resolution::Unbound);
    }

    #[test]
    fn plain_characters_type_where_text_is_taken() {
        check(Scope::Composer, "q", Resolution::Unbound);
        check(Scope::Field, "/", Resolution::Unbound);
        check(Scope::Field, "ctrl+p", Resolution::Action(Action::Palette));
    }
}
