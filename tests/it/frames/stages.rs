//! What the program itself says in the conversation.

use quarterdeck::{
    domain::{
        checklist::Checklist,
        record::{Record, Speaker, TurnOutcome, TurnRecap},
    },
    engine::event::Opened,
};

use crate::support::{
    sample,
    talk::{Talk, content},
};

/// Once a turn, and in the same places however the past arrives.
#[test]
fn a_script_says_so_once_a_turn() {
    let mut talk = Talk::new(80, 60);
    let mut settings = sample::settings();
    settings.model.is_script = true;
    let opening = Opened {
        settings: settings.clone(),
        ..sample::opening()
    };
    talk.record(Record::SettingsChanged { settings });
    for _ in 0..2 {
        talk.turn();
        talk.said("go");
        for words in ["First words.", "Second words.", "Third words."] {
            talk.words(words);
        }
        talk.end(TurnOutcome::Finished, TurnRecap::default());
    }

    let rows = talk.rows();
    let labels: Vec<usize> = rows
        .iter()
        .enumerate()
        .filter(|(_, row)| *row == "  script · no language model answers")
        .map(|(place, _)| place)
        .collect();

    assert_eq!(labels.len(), 2, "{rows:#?}");
    for place in labels {
        assert_eq!(rows[place + 1].trim(), "First words.");
    }
    for page in 1..=talk.records.len() {
        let resumed = talk.resumed_as(page, opening.clone());
        assert_eq!(content(&resumed), rows, "in pages of {page}");
    }
}

#[test]
fn what_the_person_changed_in_the_checklist_is_said() {
    let mut talk = Talk::new(80, 24);
    for change in ["added: cover it with tests", ""] {
        talk.record(Record::ChecklistChanged {
            checklist: Checklist::default(),
            speaker: Speaker::Person,
            change: change.to_owned(),
        });
    }

    let rows = talk.rows().join("\n");

    assert!(
        rows.contains("· checklist: you added: cover it with tests"),
        "{rows}"
    );
    assert!(rows.contains("· you changed the checklist"), "{rows}");
}
