//! How many colours the terminal has, from what the environment says. `NO_COLOR` wins over everything.

/// How many colours may be used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Depth {
    /// None at all: bold, reverse and signs tell things apart.
    None,
    /// The sixteen that every terminal has.
    Sixteen,
    /// The palette of 256.
    Palette,
    /// 24 bits.
    #[default]
    True,
}

impl Depth {
    /// What these variables say; `lookup` answers for one variable.
    pub fn detect(lookup: impl Fn(&str) -> Option<String>) -> Self {
        let value = |name: &str| lookup(name).unwrap_or_default().to_ascii_lowercase();
        if !value("NO_COLOR").is_empty() {
            return Self::None;
        }
        let term = value("TERM");
        if term == "dumb" {
            return Self::None;
        }
        let colorterm = value("COLORTERM");
        if matches!(colorterm.as_str(), "truecolor" | "24bit") || term.ends_with("-direct") {
            return Self::True;
        }
        let knows_true = [
            "kitty",
            "ghostty",
            "wezterm",
            "alacritty",
            "foot",
            "contour",
        ];
        if knows_true.iter().any(|name| term.contains(name)) {
            return Self::True;
        }
        let is_windows_terminal = !value("WT_SESSION").is_empty();
        if term.contains("256color") || is_windows_terminal {
            return Self::Palette;
        }
        Self::Sixteen
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(variables: &[(&str, &str)], expected: Depth) {
        let lookup = |name: &str| {
            variables
                .iter()
                .find(|(known, _)| *known == name)
                .map(|(_, value)| (*value).to_owned())
        };

        assert_eq!(Depth::detect(lookup), expected, "{variables:?}");
    }

    #[test]
    fn the_environment_says_how_many_colours_there_are() {
        check(&[("TERM", "linux")], Depth::Sixteen);
        check(&[("TERM", "screen-256color")], Depth::Palette);
        check(
            &[("TERM", "xterm-256color"), ("COLORTERM", "truecolor")],
            Depth::True,
        );
        check(&[("TERM", "xterm-kitty")], Depth::True);
        check(&[("TERM", "dumb"), ("COLORTERM", "truecolor")], Depth::None);
        check(&[], Depth::Sixteen);
    }

    #[test]
    fn no_color_wins_unless_it_is_empty() {
        let truecolor = ("COLORTERM", "truecolor");

        check(&[truecolor, ("NO_COLOR", "1")], Depth::None);
        check(&[truecolor, ("NO_COLOR", "")], Depth::True);
    }
}
