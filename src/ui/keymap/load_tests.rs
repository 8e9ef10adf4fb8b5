//! Keymap files: what they override, and how their mistakes are told.

use std::collections::{BTreeMap, BTreeSet};

use crossterm::event::{KeyCode, KeyModifiers};

use super::*;

fn problems(source: &str) -> Vec<String> {
    let (_, problems) = Keymap::parse("mine", source);
    problems.iter().map(ToString::to_string).collect()
}

#[test]
fn the_built_in_keymaps_have_no_mistake() {
    for (name, source) in [("default", DEFAULT), ("vim", VIM)] {
        let mut reporter = Reporter::new(name, source);
        let table = read_table(source, &mut reporter).unwrap();
        let lines = read_lines(&table, &mut reporter);
        report_conflicts(&lines, &mut reporter);

        assert_eq!(reporter.problems, Vec::<Problem>::new());
    }
}

/// What a multiplexer can eat is eaten by kind: all of Alt, all function keys, a control prefix.
fn kind(sequence: &Sequence) -> &'static str {
    let Some(first) = sequence.0.first() else {
        return "none";
    };
    match first.code {
        KeyCode::F(_) => "function",
        _ if first.modifiers.contains(KeyModifiers::ALT) => "alt",
        _ if first.modifiers.contains(KeyModifiers::CONTROL) && sequence.0.len() > 1 => "prefix",
        _ if first.modifiers.contains(KeyModifiers::CONTROL) => "control",
        KeyCode::Char(_) => "character",
        _ => "named",
    }
}

#[test]
fn every_action_has_two_default_keys_of_different_kinds_wherever_it_can_be_used() {
    let keymap = Keymap::builtin("default").unwrap();
    let mut kinds: BTreeMap<(Scope, Action), BTreeSet<&str>> = BTreeMap::new();
    for action in Action::ALL {
        for scope in action.scopes() {
            let found = keymap
                .bindings_of(*scope)
                .filter(|binding| binding.action == *action)
                .map(|binding| kind(&binding.sequence));
            kinds.insert((*scope, *action), found.collect());
        }
    }

    let poor: Vec<_> = kinds.iter().filter(|(_, kinds)| kinds.len() < 2).collect();

    assert!(poor.is_empty(), "{poor:#?}");
}

#[test]
fn a_file_overrides_what_it_names_and_keeps_the_rest() {
    let (keymap, problems) = Keymap::parse("mine", "[composer]\nqueue = \"ctrl+enter\"\n");

    assert_eq!(problems, Vec::new());
    assert_eq!(
        keymap.keys(Scope::Composer, Action::Queue),
        ["Ctrl+Enter"],
        "its own chords are replaced"
    );
    assert_eq!(
        keymap.keys(Scope::Composer, Action::SendNow),
        ["Alt+I"],
        "a taken chord is gone from the other action"
    );
    assert_eq!(
        keymap.key(Scope::Composer, Action::Send),
        Some("Enter".to_owned())
    );
}

#[test]
fn mistakes_are_told_with_their_line_and_the_rest_counts() {
    let source = "[global]\nzom = \"f12\"\nzoom = \"ctrl+entre\"\nsend = \"f11\"\n\n[compser]\nsend = \"f11\"\n\n[list]\nup = \"k\"\n";

    let (keymap, _) = Keymap::parse("mine", source);

    let mut told = problems(source);
    told.sort();
    assert_eq!(
        told,
        [
            "mine.toml:2: there is no action `zom` (did you mean `zoom`?)",
            "mine.toml:3: `entre` is no key; use one character or a name such as enter, tab, f2, pageup",
            "mine.toml:4: `send` means nothing in `global`; it belongs to composer",
            "mine.toml:6: there is no scope `compser` (did you mean `composer`?)",
        ]
    );
    assert_eq!(keymap.keys(Scope::List, Action::Up), ["k"]);
}

#[test]
fn a_chord_that_means_two_things_is_told() {
    assert_eq!(
        problems("[list]\nup = \"k\"\ndown = \"k\"\n"),
        ["mine.toml:3: `k` for `down` is in the way of `k` for `up` in line 2"]
    );
    assert_eq!(
        problems("[list]\nup = \"g\"\nfirst = \"g g\"\n"),
        ["mine.toml:3: `g g` for `first` is in the way of `g` for `up` in line 2"]
    );
}

#[test]
fn a_broken_file_leaves_the_default_in_force() {
    let (keymap, problems) = Keymap::parse("mine", "[global\n");

    assert_eq!(
        keymap.key(Scope::Global, Action::Palette),
        Some("Ctrl+P".to_owned())
    );
    assert_eq!(problems.len(), 1);
    assert_eq!(problems[0].line, 1);
}
