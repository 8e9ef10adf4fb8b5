//! Tells the person that something waits or has ended while they look elsewhere: OSC 9 or 777 where the terminal is
//! known to show it, else the bell.

use std::io::{self, Write};

use crate::text::sanitize::clean_line;

/// Longest text, in characters.
const LONGEST: usize = 200;

/// The bytes for a terminal of this kind (`TERM_PROGRAM`, `TERM`).
pub fn sequence(text: &str, program: &str, term: &str) -> String {
    let short: String = clean_line(text).chars().take(LONGEST).collect();
    let shows_9 = ["iterm.app", "wezterm", "ghostty", "kitty", "warp"];
    let shows_777 = ["foot", "rxvt", "contour"];
    let is = |known: &[&str]| {
        known.iter().any(|name| {
            program.to_ascii_lowercase().contains(name) || term.to_ascii_lowercase().contains(name)
        })
    };
    if is(&shows_9) {
        // A semicolon behind the 9 would make it another sequence for some terminals.
        format!("\x1b]9;{}\x1b\\", short.replace(';', ","))
    } else if is(&shows_777) {
        format!(
            "\x1b]777;notify;quarterdeck;{}\x1b\\",
            short.replace(';', ",")
        )
    } else {
        "\x07".to_owned()
    }
}

/// Tells the person.
pub fn send(text: &str) -> io::Result<()> {
    let variable = |name: &str| std::env::var(name).unwrap_or_default();
    let mut out = io::stdout();
    out.write_all(sequence(text, &variable("TERM_PROGRAM"), &variable("TERM")).as_bytes())?;
    out.flush()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn terminals_get_what_they_understand() {
        assert_eq!(sequence("done", "", "xterm-256color"), "\x07");
        assert_eq!(
            sequence("a;b\x1b", "iTerm.app", "xterm-256color"),
            "\x1b]9;a,b\x1b\\"
        );
        assert_eq!(
            sequence("done", "", "foot"),
            "\x1b]777;notify;quarterdeck;done\x1b\\"
        );
    }
}
