//! What a key sends to a program, as the terminals that everybody knows do.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

/// The bytes of a key; `None` for one that sends nothing.
pub(super) fn of_key(key: KeyEvent) -> Option<Vec<u8>> {
    let modifiers = key.modifiers;
    let sent = match key.code {
        KeyCode::Char(character) => of_character(character, modifiers),
        KeyCode::Enter => b"\r".to_vec(),
        KeyCode::Tab => b"\t".to_vec(),
        KeyCode::Backspace => b"\x7f".to_vec(),
        KeyCode::Esc => b"\x1b".to_vec(),
        KeyCode::BackTab => return Some(b"\x1b[Z".to_vec()),
        code => return sequence(code, modifiers).map(String::into_bytes),
    };
    Some(if modifiers.contains(KeyModifiers::ALT) {
        [b"\x1b", sent.as_slice()].concat()
    } else {
        sent
    })
}

fn of_character(character: char, modifiers: KeyModifiers) -> Vec<u8> {
    if modifiers.contains(KeyModifiers::CONTROL)
        && let Some(control) = control(character)
    {
        return vec![control];
    }
    if modifiers.contains(KeyModifiers::SHIFT) {
        return character.to_uppercase().to_string().into_bytes();
    }
    character.to_string().into_bytes()
}

/// What a character sends with Ctrl.
fn control(character: char) -> Option<u8> {
    Some(match character.to_ascii_lowercase() {
        letter @ 'a'..='z' => letter as u8 & 0x1f,
        ' ' | '@' | '2' => 0,
        '[' | '3' => 0x1b,
        '\\' | '4' => 0x1c,
        ']' | '5' => 0x1d,
        '^' | '6' => 0x1e,
        '_' | '/' | '7' => 0x1f,
        '?' | '8' => 0x7f,
        _ => return None,
    })
}

fn sequence(code: KeyCode, modifiers: KeyModifiers) -> Option<String> {
    let with = 1
        + u8::from(modifiers.contains(KeyModifiers::SHIFT))
        + 2 * u8::from(modifiers.contains(KeyModifiers::ALT))
        + 4 * u8::from(modifiers.contains(KeyModifiers::CONTROL));
    let lettered = |letter: char, introducer: &str| {
        if with == 1 {
            format!("\x1b{introducer}{letter}")
        } else {
            format!("\x1b[1;{with}{letter}")
        }
    };
    let numbered = |number: u8| {
        if with == 1 {
            format!("\x1b[{number}~")
        } else {
            format!("\x1b[{number};{with}~")
        }
    };
    Some(match code {
        KeyCode::Up => lettered('A', "["),
        KeyCode::Down => lettered('B', "["),
        KeyCode::Right => lettered('C', "["),
        KeyCode::Left => lettered('D', "["),
        KeyCode::Home => lettered('H', "["),
        KeyCode::End => lettered('F', "["),
        KeyCode::Insert => numbered(2),
        KeyCode::Delete => numbered(3),
        KeyCode::PageUp => numbered(5),
        KeyCode::PageDown => numbered(6),
        KeyCode::F(1) => lettered('P', "O"),
        KeyCode::F(2) => lettered('Q', "O"),
        KeyCode::F(3) => lettered('R', "O"),
        KeyCode::F(4) => lettered('S', "O"),
        KeyCode::F(5) => numbered(15),
        KeyCode::F(number @ 6..=10) => numbered(number + 11),
        KeyCode::F(number @ 11..=12) => numbered(number + 12),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_send_what_every_terminal_sends() {
        let (none, shift) = (KeyModifiers::NONE, KeyModifiers::SHIFT);
        let (alt, control) = (KeyModifiers::ALT, KeyModifiers::CONTROL);
        let table = [
            (KeyCode::Char('y'), none, "y"),
            (KeyCode::Char('Y'), shift, "Y"),
            (KeyCode::Char('各'), none, "各"),
            (KeyCode::Char('b'), alt, "\x1bb"),
            (KeyCode::Char('c'), control, "\x03"),
            (KeyCode::Char(' '), control, "\0"),
            (KeyCode::Char('7'), control, "\x1f"),
            (KeyCode::Char('c'), control | alt, "\x1b\x03"),
            (KeyCode::Enter, none, "\r"),
            (KeyCode::Backspace, none, "\x7f"),
            (KeyCode::BackTab, shift, "\x1b[Z"),
            (KeyCode::Up, none, "\x1b[A"),
            (KeyCode::Left, control, "\x1b[1;5D"),
            (KeyCode::Delete, none, "\x1b[3~"),
            (KeyCode::PageDown, shift, "\x1b[6;2~"),
            (KeyCode::F(1), none, "\x1bOP"),
            (KeyCode::F(5), none, "\x1b[15~"),
            (KeyCode::F(6), none, "\x1b[17~"),
            (KeyCode::F(12), none, "\x1b[24~"),
        ];

        for (code, modifiers, expected) in table {
            let sent = of_key(KeyEvent::new(code, modifiers));
            let sent = sent.map(|bytes| String::from_utf8(bytes).unwrap());
            assert_eq!(sent.as_deref(), Some(expected), "{code:?} {modifiers:?}");
        }
        assert_eq!(of_key(KeyEvent::new(KeyCode::Menu, none)), None);
    }
}
