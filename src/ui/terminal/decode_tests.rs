use crossterm::event::{KeyCode, KeyEvent};
use proptest::prelude::*;

use super::*;
use crate::ui::theme::Rgb;

const ANSWERS: &[u8] = b"\x1b]11;rgb:ffff/ffff/ffff\x1b\\\x1b[?2026;2$y\x1b[?0u\x1b[?62;4c";

fn key(code: KeyCode) -> Heard {
    Heard::Event(Event::Key(KeyEvent::new(code, KeyModifiers::NONE)))
}

fn typed(character: char) -> Heard {
    key(KeyCode::Char(character))
}

fn typed_text(heard: &Heard) -> Option<char> {
    match heard {
        Heard::Event(Event::Key(KeyEvent {
            code: KeyCode::Char(character),
            modifiers: KeyModifiers::NONE | KeyModifiers::SHIFT,
            ..
        })) => Some(*character),
        _ => None,
    }
}

fn answers() -> Vec<Heard> {
    [
        Answer::Background(Rgb(255, 255, 255)),
        Answer::Synchronized,
        Answer::Keyboard,
        Answer::Last,
    ]
    .map(Heard::Answer)
    .to_vec()
}

/// Everything that is heard of bytes that come in pieces, one right behind the other.
fn heard(pieces: &[&[u8]]) -> Vec<Heard> {
    let mut decoder = Decoder::new(true);
    let mut all: Vec<Heard> = pieces
        .iter()
        .flat_map(|piece| decoder.feed(piece))
        .collect();
    all.extend(decoder.give_up());
    all
}

#[test]
fn answers_and_keys_are_told_apart_wherever_they_are_cut() {
    let mut all = b"h\x1b[A".to_vec();
    all.extend_from_slice(ANSWERS);
    all.extend_from_slice("é\x1b[D\r\x1b[200~one\r各\x1b[Btwo\x1b[201~z".as_bytes());
    let pasted = Heard::Event(Event::Paste("one\r各\x1b[Btwo".to_owned()));
    let mut expected = vec![typed('h'), key(KeyCode::Up)];
    expected.extend(answers());
    let behind = [
        typed('é'),
        key(KeyCode::Left),
        key(KeyCode::Enter),
        pasted,
        typed('z'),
    ];
    expected.extend(behind);

    for cut in 0..=all.len() {
        assert_eq!(heard(&[&all[..cut], &all[cut..]]), expected, "cut at {cut}");
    }
}

#[test]
fn an_answer_that_stops_in_its_middle_never_becomes_text() {
    for cut in 1..ANSWERS.len() {
        let mut decoder = Decoder::new(true);
        let mut all = decoder.feed(&ANSWERS[..cut]);
        // Longer than any Escape is waited for, shorter than a sequence is.
        if decoder.patience() == Some(ESCAPE) {
            all.extend(decoder.give_up());
        }
        all.extend(decoder.feed(&ANSWERS[cut..]));
        // One byte of it is Escape, and two are a key with Alt: these are told, and nothing else.
        all.retain(|heard| matches!(heard, Heard::Answer(_)) || typed_text(heard).is_some());

        assert_eq!(all, answers(), "cut at {cut}");
    }
}

#[test]
fn escape_is_a_key_when_nothing_follows_in_time() {
    let mut decoder = Decoder::new(false);
    assert_eq!(decoder.feed(b"\x1b"), []);
    assert_eq!(decoder.patience(), Some(ESCAPE));
    assert_eq!(decoder.give_up(), [key(KeyCode::Esc)]);
    assert_eq!(decoder.patience(), None);
    assert_eq!(decoder.feed(b"]1"), [typed(']'), typed('1')]);

    assert_eq!(
        decoder.feed(b"\x1b\x1b[A"),
        [key(KeyCode::Esc), key(KeyCode::Up)]
    );
    assert_eq!(decoder.feed(b"\x1b["), []);
    let alt = Event::Key(KeyEvent::new(KeyCode::Char('['), KeyModifiers::ALT));
    assert_eq!(decoder.give_up(), [Heard::Event(alt)]);
}

#[test]
fn what_is_typed_behind_escape_stays_typed_while_answers_are_to_come() {
    for text in ["]", "[", "]a", "[A", "ab", "]?", "[1", "]1", "[?", "]11;"] {
        let mut decoder = Decoder::new(true);
        decoder.feed(b"\x1b");
        let mut all = decoder.give_up();
        all.extend(decoder.feed(text.as_bytes()));
        all.extend(decoder.give_up());

        let mut expected = vec![key(KeyCode::Esc)];
        expected.extend(text.chars().map(|character| match character {
            'A' => Heard::Event(Event::Key(KeyEvent::new(
                KeyCode::Char('A'),
                KeyModifiers::SHIFT,
            ))),
            other => typed(other),
        }));
        assert_eq!(all, expected, "{text}");
    }
}

#[test]
fn what_is_unknown_or_endless_is_passed_over_and_bounded() {
    let mut decoder = Decoder::new(false);
    let mut all = decoder.feed(b"a\x1b]52;c;eA==\x07\x1bP1+r\x1b\\\x1b[>1;2c\x1b[?997;1nb");
    all.extend(decoder.feed(b"\x1b]4;"));
    for _ in 0..100 {
        all.extend(decoder.feed(&[b'x'; LONGEST]));
        assert!(decoder.bytes.len() <= LONGEST);
    }
    all.extend(decoder.feed(b"\x1b"));
    all.extend(decoder.feed(b"\\c"));

    assert_eq!(all, [typed('a'), typed('b'), typed('c')]);
}

#[test]
fn a_paste_without_an_end_is_a_paste_and_then_it_is_over() {
    let mut decoder = Decoder::new(false);
    assert_eq!(decoder.feed(b"\x1b[200~half\x1b[20"), []);
    assert_eq!(decoder.patience(), Some(PASTE));
    let half = Event::Paste("half\x1b[20".to_owned());

    assert_eq!(decoder.give_up(), [Heard::Event(half)]);
    assert_eq!(decoder.feed(b"a"), [typed('a')]);
}

#[test]
fn an_enormous_paste_comes_whole_in_pieces() {
    let mut decoder = Decoder::new(false);
    let mut all = decoder.feed(PASTE_BEGIN);
    let piece = "各".repeat(1_000_001);
    for _ in 0..7 {
        all.extend(decoder.feed(piece.as_bytes()));
    }
    all.extend(decoder.feed(PASTE_END));
    let texts: Vec<&str> = all
        .iter()
        .map(|heard| match heard {
            Heard::Event(Event::Paste(text)) => text.as_str(),
            other => unreachable!("{other:?}"),
        })
        .collect();

    assert!(texts.len() > 1);
    assert_eq!(texts.concat(), piece.repeat(7));
}

proptest! {
    #[test]
    fn nothing_that_comes_is_too_much(bytes in prop::collection::vec(any::<u8>(), 0..200), cut in 0_usize..200) {
        let cut = cut.min(bytes.len());
        let mut decoder = Decoder::new(true);
        decoder.feed(&bytes[..cut]);
        decoder.feed(&bytes[cut..]);
        decoder.give_up();
        prop_assert!(decoder.patience().is_none());
    }

    #[test]
    fn no_sequence_is_too_strange(body in "[\\[O\\]P]?[<>=?0-9;:$ !]{0,12}[a-zA-Z~\\[]?") {
        let mut decoder = Decoder::new(true);
        decoder.feed(b"\x1b");
        decoder.feed(body.as_bytes());
        decoder.give_up();
    }
}

#[test]
fn keys_typed_into_a_paste_without_an_end_are_no_reason_to_wait_on() {
    let begin = Instant::now();
    let at = |ms: u64| begin + Duration::from_millis(ms);
    let mut decoder = Decoder::new(false);
    assert_eq!(decoder.feed(b"\x1b[200~pasted"), []);
    assert_eq!(decoder.waits_until(12, at(0)), Some(at(5_000)));

    for second in 1..=4 {
        assert_eq!(decoder.feed(b"k"), []);
        assert_eq!(decoder.waits_until(1, at(1_000 * second)), Some(at(5_000)));
    }
    let heard = decoder.give_up();

    assert_eq!(heard, [Heard::Event(Event::Paste("pastedkkkk".to_owned()))]);
    assert_eq!(decoder.waits_until(0, at(5_000)), None);
    // What is typed from now on is typed, and the end that comes late is nothing.
    assert_eq!(decoder.feed(b"\x1b[201~j"), [typed('j')]);
}

#[test]
fn a_long_paste_that_goes_on_coming_is_waited_for() {
    let begin = Instant::now();
    let at = |ms: u64| begin + Duration::from_millis(ms);
    let mut decoder = Decoder::new(false);
    let _ = decoder.feed(b"\x1b[200~");
    assert_eq!(decoder.waits_until(6, at(0)), Some(at(5_000)));

    assert_eq!(decoder.feed(&[b'x'; 64]), []);

    assert_eq!(decoder.waits_until(64, at(4_000)), Some(at(9_000)));
}
