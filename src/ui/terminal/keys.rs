//! What keys, mouse and focus of the terminal mean. The library that reads their sequences is not the one that the rest
//! of the screen knows, so its events are told in the other's words.

use crossterm::event::{
    Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers, MouseButton, MouseEvent, MouseEventKind,
};
use termina::event as read;

/// What a control sequence means; `None` for one that is no key, mouse or focus.
pub fn of_control(sequence: &[u8]) -> Option<Event> {
    if !is_sound(sequence) {
        return None;
    }
    let mut parser = termina::Parser::default();
    parser.parse(sequence, false);
    let event = parser.pop()?;
    // It looks at one byte after the other: of a sequence that it does not know the rest would be typed.
    let is_whole = parser.pop().is_none() && (sequence.ends_with(b"u") || !is_character(&event));
    if is_whole { told(event) } else { None }
}

/// A character that was typed.
pub fn of_character(character: char, modifiers: KeyModifiers) -> Option<Event> {
    let (code, more) = match character {
        '\r' => (KeyCode::Enter, KeyModifiers::NONE),
        '\t' => (KeyCode::Tab, KeyModifiers::NONE),
        '\u{7f}' => (KeyCode::Backspace, KeyModifiers::NONE),
        '\0' => (KeyCode::Char(' '), KeyModifiers::CONTROL),
        '\u{1b}' => (KeyCode::Esc, KeyModifiers::NONE),
        control @ '\u{1}'..='\u{1a}' => (letter(control, 1, b'a'), KeyModifiers::CONTROL),
        control @ '\u{1c}'..='\u{1f}' => (letter(control, 0x1c, b'4'), KeyModifiers::CONTROL),
        control if control.is_control() => return None,
        upper if upper.is_uppercase() => (KeyCode::Char(upper), KeyModifiers::SHIFT),
        character => (KeyCode::Char(character), KeyModifiers::NONE),
    };
    Some(Event::Key(KeyEvent::new(code, modifiers | more)))
}

fn letter(control: char, from: u8, base: u8) -> KeyCode {
    KeyCode::Char(char::from(base + (control as u8).saturating_sub(from)))
}

/// The mouse counts from one; the library trusts that it does.
fn is_sound(sequence: &[u8]) -> bool {
    let is_mouse = matches!(sequence, [_, b'[', b'<' | b'0'..=b'9', .., b'M' | b'm']);
    !is_mouse
        || sequence
            .split(|byte| !byte.is_ascii_digit())
            .filter(|digits| !digits.is_empty())
            .skip(1)
            .all(|digits| digits.iter().any(|digit| *digit != b'0'))
}

fn is_character(event: &termina::Event) -> bool {
    matches!(event, termina::Event::Key(key) if matches!(key.code, read::KeyCode::Char(_)))
}

fn told(event: termina::Event) -> Option<Event> {
    match event {
        termina::Event::Key(key) => Some(Event::Key(KeyEvent::new_with_kind(
            code(key.code)?,
            modifiers(key.modifiers),
            match key.kind {
                read::KeyEventKind::Press => KeyEventKind::Press,
                read::KeyEventKind::Repeat => KeyEventKind::Repeat,
                read::KeyEventKind::Release => KeyEventKind::Release,
            },
        ))),
        termina::Event::Mouse(mouse) => Some(Event::Mouse(MouseEvent {
            kind: mouse_kind(mouse.kind),
            column: mouse.column,
            row: mouse.row,
            modifiers: modifiers(mouse.modifiers),
        })),
        termina::Event::FocusIn => Some(Event::FocusGained),
        termina::Event::FocusOut => Some(Event::FocusLost),
        _ => None,
    }
}

fn code(code: read::KeyCode) -> Option<KeyCode> {
    Some(match code {
        read::KeyCode::Char(character) if character.is_control() => return None,
        read::KeyCode::Char(character) => KeyCode::Char(character),
        read::KeyCode::Enter => KeyCode::Enter,
        read::KeyCode::Backspace => KeyCode::Backspace,
        read::KeyCode::Tab => KeyCode::Tab,
        read::KeyCode::BackTab => KeyCode::BackTab,
        read::KeyCode::Escape => KeyCode::Esc,
        read::KeyCode::Left => KeyCode::Left,
        read::KeyCode::Right => KeyCode::Right,
        read::KeyCode::Up => KeyCode::Up,
        read::KeyCode::Down => KeyCode::Down,
        read::KeyCode::Home => KeyCode::Home,
        read::KeyCode::End => KeyCode::End,
        read::KeyCode::PageUp => KeyCode::PageUp,
        read::KeyCode::PageDown => KeyCode::PageDown,
        read::KeyCode::Insert => KeyCode::Insert,
        read::KeyCode::Delete => KeyCode::Delete,
        read::KeyCode::KeypadBegin => KeyCode::KeypadBegin,
        read::KeyCode::Menu => KeyCode::Menu,
        read::KeyCode::Pause => KeyCode::Pause,
        read::KeyCode::PrintScreen => KeyCode::PrintScreen,
        read::KeyCode::Function(number) => KeyCode::F(number),
        // Nothing on the screen is done with these.
        read::KeyCode::CapsLock
        | read::KeyCode::ScrollLock
        | read::KeyCode::NumLock
        | read::KeyCode::Null
        | read::KeyCode::Modifier(_)
        | read::KeyCode::Media(_) => return None,
    })
}

fn modifiers(modifiers: read::Modifiers) -> KeyModifiers {
    [
        (read::Modifiers::SHIFT, KeyModifiers::SHIFT),
        (read::Modifiers::ALT, KeyModifiers::ALT),
        (read::Modifiers::CONTROL, KeyModifiers::CONTROL),
        (read::Modifiers::SUPER, KeyModifiers::SUPER),
        (read::Modifiers::HYPER, KeyModifiers::HYPER),
        (read::Modifiers::META, KeyModifiers::META),
    ]
    .into_iter()
    .filter(|(flag, _)| modifiers.contains(*flag))
    .fold(KeyModifiers::NONE, |all, (_, flag)| all | flag)
}

fn mouse_kind(kind: read::MouseEventKind) -> MouseEventKind {
    let button = |button| match button {
        read::MouseButton::Left => MouseButton::Left,
        read::MouseButton::Right => MouseButton::Right,
        read::MouseButton::Middle => MouseButton::Middle,
    };
    match kind {
        read::MouseEventKind::Down(pressed) => MouseEventKind::Down(button(pressed)),
        read::MouseEventKind::Up(pressed) => MouseEventKind::Up(button(pressed)),
        read::MouseEventKind::Drag(pressed) => MouseEventKind::Drag(button(pressed)),
        read::MouseEventKind::Moved => MouseEventKind::Moved,
        read::MouseEventKind::ScrollDown => MouseEventKind::ScrollDown,
        read::MouseEventKind::ScrollUp => MouseEventKind::ScrollUp,
        read::MouseEventKind::ScrollLeft => MouseEventKind::ScrollLeft,
        read::MouseEventKind::ScrollRight => MouseEventKind::ScrollRight,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(code: KeyCode, modifiers: KeyModifiers) -> Option<Event> {
        Some(Event::Key(KeyEvent::new(code, modifiers)))
    }

    #[test]
    fn keys_are_understood_in_every_form() {
        let none = KeyModifiers::NONE;
        for (sequence, expected) in [
            ("\x1b[A", key(KeyCode::Up, none)),
            ("\x1bOA", key(KeyCode::Up, none)),
            ("\x1b[1;5D", key(KeyCode::Left, KeyModifiers::CONTROL)),
            ("\x1b[5~", key(KeyCode::PageUp, none)),
            ("\x1bOQ", key(KeyCode::F(2), none)),
            ("\x1b[[B", key(KeyCode::F(2), none)),
            ("\x1b[Z", key(KeyCode::BackTab, KeyModifiers::SHIFT)),
            ("\x1b[97;3u", key(KeyCode::Char('a'), KeyModifiers::ALT)),
            ("\x1b[27u", key(KeyCode::Esc, none)),
            ("\x1b[I", Some(Event::FocusGained)),
        ] {
            assert_eq!(of_control(sequence.as_bytes()), expected, "{sequence:?}");
        }
    }

    #[test]
    fn the_mouse_is_understood_and_never_counts_from_nothing() {
        let clicked = MouseEvent {
            kind: MouseEventKind::Down(MouseButton::Left),
            column: 9,
            row: 4,
            modifiers: KeyModifiers::NONE,
        };
        assert_eq!(of_control(b"\x1b[<0;10;5M"), Some(Event::Mouse(clicked)));
        for nowhere in ["\x1b[<0;0;5M", "\x1b[<0;10;0m", "\x1b[32;0;00M"] {
            assert_eq!(of_control(nowhere.as_bytes()), None, "{nowhere:?}");
        }
    }

    #[test]
    fn of_an_unknown_sequence_nothing_is_typed() {
        for unknown in [
            "\x1b[;A",
            "\x1b[!p",
            "\x1b[=1c",
            "\x1bOz",
            "\x1b[1;2x",
            "\x1b[<1u",
        ] {
            assert_eq!(of_control(unknown.as_bytes()), None, "{unknown:?}");
        }
    }

    #[test]
    fn characters_are_keys() {
        let none = KeyModifiers::NONE;
        let control = KeyModifiers::CONTROL;
        for (character, expected) in [
            ('h', key(KeyCode::Char('h'), none)),
            ('H', key(KeyCode::Char('H'), KeyModifiers::SHIFT)),
            ('\r', key(KeyCode::Enter, none)),
            ('\n', key(KeyCode::Char('j'), control)),
            ('\u{3}', key(KeyCode::Char('c'), control)),
            ('\u{1f}', key(KeyCode::Char('7'), control)),
            ('\0', key(KeyCode::Char(' '), control)),
            ('\u{9b}', None),
        ] {
            assert_eq!(of_character(character, none), expected, "{character:?}");
        }
    }
}
