//! What the loop receives. Time is data: `update` and `view` never look at a clock.

use std::sync::Arc;

use crossterm::event::{KeyEvent, MouseEvent};

use super::{highlight::Highlighted, keymap::Keymap, theme::Theme};
use crate::engine::{command::Command, event::Event};

/// Milliseconds per picture of the spinner.
pub const SPINNER_STEP_MS: u64 = 100;

/// The time as the screen shows it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Clock {
    /// Milliseconds since the Unix epoch, for showing only.
    pub now_ms: i64,
    /// Milliseconds since the program started; never goes back. Every decision about time uses this.
    pub elapsed_ms: u64,
    /// Seconds that local time is ahead of UTC.
    pub utc_offset_s: i32,
}

/// What the loop receives.
#[derive(Clone, Debug)]
pub enum Message {
    /// Keys that were pressed or repeat (releases are dropped before), all that were read at once. One that comes
    /// with others was typed ahead or pasted: it never answers a question.
    Keys(Vec<KeyEvent>),
    /// Text was pasted; it may hold line ends.
    Paste(String),
    /// The mouse did something other than move.
    Mouse(MouseEvent),
    /// The terminal has this many columns and rows.
    Resize(u16, u16),
    /// The terminal window got (true) or lost the keyboard.
    Focus(bool),
    /// The engine says something.
    Engine(Box<Event>),
    /// Time has passed that somebody waited for.
    Tick(Clock),
    /// A deed has ended.
    Done(Done),
    /// The theme or the keymap changed.
    Reload(Reload),
    /// A frame that shows the model as it now is stands on the screen since this moment.
    Painted(Clock),
}

/// How a deed ended.
#[derive(Clone, Debug)]
pub enum Done {
    /// Syntax colours of a piece of code are ready.
    Highlighted(Box<Highlighted>),
    /// The person saved the draft in their editor: this is what it says now.
    Edited(String),
    /// So many lines stand on the clipboard, or why they do not.
    Copied(Result<usize, String>),
    /// The engine did not take this command: it has ended, or too many wait.
    Refused(Box<Command>),
}

/// What was loaded anew.
#[derive(Clone, Debug)]
pub enum Reload {
    /// Another theme.
    Theme(Arc<Theme>),
    /// Another keymap.
    Keymap(Arc<Keymap>),
    /// Names of all themes, to choose from.
    Themes(Vec<String>),
    /// Names of all keymaps, to choose from.
    Keymaps(Vec<String>),
    /// What was chosen is kept for the next start.
    Kept(String),
    /// A file is wrong; the old one stays in force. One line with file and line number.
    Failed(String),
}

impl Message {
    /// One key that came alone.
    pub fn key(key: KeyEvent) -> Self {
        Self::Keys(vec![key])
    }
}

impl Clock {
    /// The picture of the spinner at this moment.
    pub fn spinner(&self) -> &'static str {
        const PICTURES: [&str; 8] = ["⠋", "⠙", "⠸", "⠴", "⠦", "⠧", "⠇", "⠏"];
        let phase = (self.elapsed_ms / SPINNER_STEP_MS) as usize % PICTURES.len();
        PICTURES.get(phase).copied().unwrap_or("⠋")
    }

    /// Local time of a moment as `14:02`.
    pub fn hour_minute(&self, at_ms: i64) -> String {
        let local_s = at_ms.div_euclid(1000) + i64::from(self.utc_offset_s);
        let minute_of_day = local_s.div_euclid(60).rem_euclid(24 * 60);
        format!("{:02}:{:02}", minute_of_day / 60, minute_of_day % 60)
    }

    /// Until when something holds: `until 18:00`, `for 7 more days`.
    pub fn until(&self, end_ms: i64) -> String {
        let hours = (end_ms - self.now_ms).max(0) / 3_600_000;
        match hours {
            0..=23 => format!("until {}", self.hour_minute(end_ms)),
            _ => format!("for {} more days", (hours + 12) / 24),
        }
    }

    /// How long ago a moment was, in one or two characters and a unit: `now`, `41s`, `2m`, `3h`, `5d`.
    pub fn age(&self, at_ms: i64) -> String {
        let seconds = (self.now_ms - at_ms).max(0) / 1000;
        match seconds {
            0..=4 => "now".to_owned(),
            5..=59 => format!("{seconds}s"),
            60..=3599 => format!("{}m", seconds / 60),
            3600..=86_399 => format!("{}h", seconds / 3600),
            _ => format!("{}d", seconds / 86_400),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn local_time_honours_the_offset_across_midnight() {
        let clock = Clock {
            utc_offset_s: 2 * 3600,
            ..Clock::default()
        };

        assert_eq!(clock.hour_minute(23 * 3_600_000), "01:00");
        assert_eq!(clock.hour_minute(-1), "01:59");
    }

    #[test]
    fn an_age_has_one_unit() {
        let clock = Clock {
            now_ms: 100_000_000,
            ..Clock::default()
        };
        let ages: Vec<String> = [0, 5_000, 59_999, 60_000, 7_200_000, 86_400_000, -9]
            .iter()
            .map(|ago| clock.age(100_000_000 - ago))
            .collect();

        assert_eq!(ages, ["now", "5s", "59s", "1m", "2h", "1d", "now"]);
    }
}
