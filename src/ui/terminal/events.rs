//! From what the terminal sends to messages: releases and mere moves are dropped, keys that come faster than anybody
//! types are one paste, and fewer of them stay together, so that whoever takes them knows that they came at once.

use crossterm::event::{Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers, MouseEventKind};

use crate::ui::Message;

/// So many text keys at once are a paste, whatever they hold.
const BURST: usize = 16;
/// So many at once are a paste when a line end stands among them.
const BURST_WITH_LINES: usize = 3;

/// The messages of what came at once, in order.
pub fn messages(events: Vec<Event>) -> Vec<Message> {
    let mut messages = Vec::new();
    let mut typed: Vec<KeyEvent> = Vec::new();
    for event in events {
        if let Event::Key(key) = event {
            if key.kind == KeyEventKind::Release {
                continue;
            }
            if text_of(&key).is_some() {
                typed.push(key);
                continue;
            }
        }
        flush(&mut typed, &mut messages);
        match event {
            Event::Key(key) => add(key, &mut messages),
            Event::Paste(text) => messages.push(Message::Paste(text)),
            Event::Mouse(mouse) if mouse.kind != MouseEventKind::Moved => {
                messages.push(Message::Mouse(mouse));
            }
            Event::Mouse(_) => {}
            Event::Resize(columns, rows) => messages.push(Message::Resize(columns, rows)),
            Event::FocusGained => messages.push(Message::Focus(true)),
            Event::FocusLost => messages.push(Message::Focus(false)),
        }
    }
    flush(&mut typed, &mut messages);
    join_pastes(&mut messages);
    messages
}

/// Adds a key to those that came at once with it.
fn add(key: KeyEvent, messages: &mut Vec<Message>) {
    match messages.last_mut() {
        Some(Message::Keys(keys)) => keys.push(key),
        _ => messages.push(Message::key(key)),
    }
}

/// Text that came at once with a paste is a part of it, so that it answers nothing either.
fn join_pastes(messages: &mut [Message]) {
    let is_paste = |message: &Message| matches!(message, Message::Paste(_));
    if !messages.iter().any(is_paste) {
        return;
    }
    for message in messages {
        if let Message::Keys(keys) = message
            && let [key] = keys.as_slice()
            && key.code != KeyCode::Enter
            && let Some(text) = text_of(key)
        {
            *message = Message::Paste(text.to_string());
        }
    }
}

/// Whether this arrives at the loop at all: mere moves do not wake it.
pub fn matters(event: &Event) -> bool {
    match event {
        Event::Mouse(mouse) => mouse.kind != MouseEventKind::Moved,
        Event::Key(key) => key.kind != KeyEventKind::Release,
        _ => true,
    }
}

fn flush(typed: &mut Vec<KeyEvent>, messages: &mut Vec<Message>) {
    let mut keys = std::mem::take(typed);
    // One line and Enter behind it is a line that was typed ahead or sent by a script: Enter means Enter.
    let is_enter = |key: &KeyEvent| key.code == KeyCode::Enter;
    let ends_line = keys.last().is_some_and(is_enter);
    let lines = keys.iter().filter(|key| is_enter(key)).count();
    let last = if ends_line && lines == 1 {
        keys.pop()
    } else {
        None
    };
    let inside = lines - usize::from(last.is_some());
    let is_held = keys.windows(2).all(|pair| pair.first() == pair.last());
    let is_paste =
        !is_held && (keys.len() >= BURST || (inside > 0 && keys.len() >= BURST_WITH_LINES));
    if is_paste {
        let text = keys.iter().filter_map(text_of).collect();
        messages.push(Message::Paste(text));
    } else {
        for key in keys {
            add(key, messages);
        }
    }
    if let Some(key) = last {
        add(key, messages);
    }
}

/// What a key types, when it may be a part of a paste.
fn text_of(key: &KeyEvent) -> Option<char> {
    let is_plain =
        key.kind == KeyEventKind::Press && (key.modifiers - KeyModifiers::SHIFT).is_empty();
    match key.code {
        KeyCode::Char(character) if is_plain => Some(character),
        KeyCode::Enter if is_plain && key.modifiers.is_empty() => Some('\n'),
        KeyCode::Tab if is_plain && key.modifiers.is_empty() => Some('\t'),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use crossterm::event::MouseEvent;

    use super::*;

    fn keys(text: &str) -> Vec<Event> {
        text.chars()
            .map(|character| match character {
                '\n' => KeyCode::Enter,
                other => KeyCode::Char(other),
            })
            .map(|code| Event::Key(KeyEvent::new(code, KeyModifiers::NONE)))
            .collect()
    }

    fn told(events: Vec<Event>) -> Vec<String> {
        messages(events)
            .iter()
            .map(|message| match message {
                Message::Keys(keys) => {
                    let codes: Vec<_> = keys.iter().map(|key| format!("{:?}", key.code)).collect();
                    codes.join(" ")
                }
                Message::Paste(text) => format!("paste {text:?}"),
                other => format!("{other:?}"),
            })
            .collect()
    }

    #[test]
    fn a_burst_with_line_ends_is_a_paste() {
        assert_eq!(told(keys("one\ntwo\n")), ["paste \"one\\ntwo\\n\""]);
        assert_eq!(told(keys("a\n\n")), ["paste \"a\\n\\n\""]);
    }

    #[test]
    fn typing_and_a_typed_line_stay_keys() {
        assert_eq!(told(keys("a")), ["Char('a')"]);
        assert_eq!(told(keys("ab")), ["Char('a') Char('b')"]);
        assert_eq!(told(keys("y\n")), ["Char('y') Enter"]);
        assert_eq!(
            told(keys("a line sent by a script\n")),
            ["paste \"a line sent by a script\"", "Enter"]
        );
        assert_eq!(told(keys("\n\n")), ["Enter Enter"]);
        let held = messages(keys(&"j".repeat(30)));
        assert!(matches!(held.as_slice(), [Message::Keys(keys)] if keys.len() == 30));
    }

    #[test]
    fn a_key_that_came_with_a_paste_is_a_part_of_it() {
        let mut events = keys("a");
        events.push(Event::Paste("b".to_owned()));
        events.extend(keys("\n"));

        assert_eq!(told(events), ["paste \"a\"", "paste \"b\"", "Enter"]);
    }

    #[test]
    fn releases_and_moves_never_arrive() {
        let mut release = KeyEvent::new(KeyCode::Enter, KeyModifiers::NONE);
        release.kind = KeyEventKind::Release;
        let moved = Event::Mouse(MouseEvent {
            kind: MouseEventKind::Moved,
            column: 1,
            row: 1,
            modifiers: KeyModifiers::NONE,
        });

        assert!(!matters(&moved) && !matters(&Event::Key(release)));
        assert_eq!(told(vec![Event::Key(release), moved]), Vec::<String>::new());
    }
}
