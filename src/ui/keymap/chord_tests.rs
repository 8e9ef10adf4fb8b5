//! Chords are read as they are written, and written as they are read.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use proptest::prelude::*;

use super::*;

fn any_chord() -> impl Strategy<Value = Chord> {
    let code = prop_oneof![
        any::<char>()
            .prop_filter("bindable", |c| !c.is_control()
                && (!c.is_whitespace() || *c == ' '))
            .prop_map(KeyCode::Char),
        (1_u8..=24).prop_map(KeyCode::F),
        proptest::sample::select(NAMES).prop_map(|(_, code)| code),
        Just(KeyCode::BackTab),
    ];
    (code, 0_u8..8).prop_filter_map("bindable", |(code, bits)| {
        Chord::from_event(&KeyEvent::new(code, KeyModifiers::from_bits_truncate(bits)))
    })
}

proptest! {
    #[test]
    fn every_chord_survives_being_written_and_read(chord in any_chord()) {
        let written = chord.to_string();

        prop_assert_eq!(written.parse::<Chord>(), Ok(chord), "{}", written);
    }

    #[test]
    fn every_sequence_survives_being_written_and_read(
        chords in proptest::collection::vec(any_chord(), 1..=SEQUENCE_MAX)
    ) {
        let sequence = Sequence(chords);
        let written = sequence.to_string();

        prop_assert_eq!(written.parse::<Sequence>(), Ok(sequence), "{}", written);
    }

    #[test]
    fn any_text_is_read_or_refused(text in ".{0,12}") {
        let _ = text.parse::<Sequence>();
    }
}

#[test]
fn two_spellings_of_a_key_are_one_chord() {
    let chord = |text: &str| text.parse::<Chord>().unwrap();

    assert_eq!(chord("G"), chord("shift+g"));
    assert_eq!(chord("Ctrl+Enter"), chord("control+enter"));
    assert_eq!(chord("ctrl++"), chord("ctrl+plus"));
    assert_eq!(
        Chord::from_event(&KeyEvent::new(KeyCode::BackTab, KeyModifiers::SHIFT)),
        Some(chord("shift+tab"))
    );
    assert_eq!(
        Chord::from_event(&KeyEvent::new(KeyCode::Char('?'), KeyModifiers::SHIFT)),
        Some(chord("?"))
    );
}

#[test]
fn a_modifier_that_no_chord_has_makes_it_another_key() {
    for held in [KeyModifiers::SUPER, KeyModifiers::HYPER, KeyModifiers::META] {
        let event = KeyEvent::new(KeyCode::Char('a'), held | KeyModifiers::CONTROL);
        assert_eq!(Chord::from_event(&event), None, "{held}");
    }
}

#[test]
fn a_wrong_chord_says_what_is_wrong() {
    let error = |text: &str| text.parse::<Sequence>().unwrap_err();

    assert_eq!(error(""), ChordError::Empty);
    assert_eq!(error("hyper+a"), ChordError::Modifier("hyper".to_owned()));
    assert_eq!(error("ctrl+entre"), ChordError::Key("entre".to_owned()));
    assert_eq!(error("f25"), ChordError::Key("f25".to_owned()));
    assert_eq!(error("a b c d"), ChordError::TooLong);
}
