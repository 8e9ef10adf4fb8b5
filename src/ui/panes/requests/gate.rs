//! When a key may answer a request.
//!
//! The one invariant: an answer is a key that was pressed after the request had stood on the screen, and
//! the keyboard had been quiet, for half a second. So words meant for the composer, a key held down and a
//! paste never answer: every key counts as typing, and one that was read together with others is no answer at all.
//! Times are `Clock::elapsed_ms`, which never goes back.

use crossterm::event::{KeyCode, KeyEvent, KeyEventKind, KeyModifiers};

/// How long a request must have been seen before a key may answer it.
pub const SEEN_MS: u64 = 500;
/// How long the key that answered the request before must have been still before it may answer again: longer
/// than the delay after which a held key begins to repeat.
pub const SAME_KEY_MS: u64 = 1_000;
/// How long the composer must have been still before a request may take the keyboard from it.
pub const COMPOSER_STILL_MS: u64 = 1_000;

/// How much of what is asked stands on the screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sight {
    /// Nothing that could be answered.
    Nothing,
    /// Not all that must be seen before it is allowed.
    Part,
    /// All of that.
    Whole,
}

/// Watches paint and keys of one request after the other.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Gate {
    painted_ms: Option<u64>,
    /// Since when all was in sight that must be seen before anything is allowed.
    whole_ms: Option<u64>,
    last_key: Option<(KeyCode, KeyModifiers, u64)>,
    /// The text key with which typing began, while no other came.
    first: Option<KeyEvent>,
    /// Whether the key that is being taken came at once with others.
    is_crowded: bool,
}

impl Gate {
    /// What is asked has changed: it has not been seen yet.
    pub fn close(&mut self) {
        self.painted_ms = None;
        self.whole_ms = None;
    }

    /// What is asked stands on the screen, as far as this. Only the first time counts.
    pub fn painted(&mut self, sight: Sight, now_ms: u64) {
        if sight != Sight::Nothing {
            self.painted_ms.get_or_insert(now_ms);
        }
        if sight == Sight::Whole {
            self.whole_ms.get_or_insert(now_ms);
        }
    }

    /// Whether all that must be seen before anything is allowed has been in sight for long enough.
    pub fn is_seen_whole(&self, now_ms: u64) -> bool {
        self.whole_ms
            .is_some_and(|since| now_ms.saturating_sub(since) >= SEEN_MS)
    }

    /// Whether what is asked stands on the screen.
    pub fn is_seen(&self) -> bool {
        self.painted_ms.is_some()
    }

    /// Whether all that must be seen before anything is allowed stands on the screen.
    pub fn is_whole(&self) -> bool {
        self.whole_ms.is_some()
    }

    /// Whether the wait is over, if no key comes in between.
    pub fn is_armed(&self, now_ms: u64) -> bool {
        self.painted_ms
            .is_some_and(|since| now_ms.saturating_sub(since) >= SEEN_MS)
            && self
                .last_key
                .is_none_or(|(_, _, at)| now_ms.saturating_sub(at) >= SEEN_MS)
    }

    /// Says how the next key came. With others it is typing, and the wait begins anew.
    pub fn comes(&mut self, is_crowded: bool, now_ms: u64) {
        self.is_crowded = is_crowded;
        if is_crowded {
            self.type_on(now_ms);
        }
    }

    /// Whether the key that is being taken came at once with others.
    pub fn is_crowded(&self) -> bool {
        self.is_crowded
    }

    /// Something was typed or pasted: the wait begins anew.
    pub fn type_on(&mut self, now_ms: u64) {
        self.last_key = Some((KeyCode::Null, KeyModifiers::NONE, now_ms));
    }

    /// A key was taken, whatever it did: an answer does not follow fast on it.
    pub fn note(&mut self, key: KeyEvent, now_ms: u64) {
        let is_text = matches!(key.code, KeyCode::Char(_));
        let begins = self
            .last_key
            .is_none_or(|(_, _, at)| now_ms.saturating_sub(at) >= SEEN_MS);
        self.first = (is_text && begins).then_some(key);
        self.last_key = Some((key.code, key.modifiers, now_ms));
    }

    /// Whether this key goes on with what began with another one: words, and no repeat of a key that moves.
    pub fn is_typed_on(&self, key: KeyEvent, now_ms: u64) -> bool {
        let is_same = self
            .last_key
            .is_some_and(|(code, _, at)| code == key.code && now_ms.saturating_sub(at) < SEEN_MS);
        !self.is_armed(now_ms) && !is_same
    }

    /// The key with which the words that go on now began, once.
    pub fn take_first(&mut self) -> Option<KeyEvent> {
        self.first.take()
    }

    /// In how many milliseconds the wait is over; `None` when it is over or has not begun.
    pub fn arms_in_ms(&self, now_ms: u64) -> Option<u64> {
        let seen = self.painted_ms?;
        let still = self.last_key.map_or(0, |(_, _, at)| at);
        let end = seen.max(still).saturating_add(SEEN_MS);
        (end > now_ms).then(|| end - now_ms)
    }

    /// Takes a key that would answer; says whether it may. Every key that comes too early starts the wait anew.
    pub fn admits(&mut self, key: KeyEvent, now_ms: u64) -> bool {
        let is_repeat = key.kind != KeyEventKind::Press || self.is_held(key, now_ms, SAME_KEY_MS);
        let admitted = !is_repeat && self.is_armed(now_ms);
        self.last_key = Some((key.code, key.modifiers, now_ms));
        admitted
    }

    /// Another key came between: the key before it was not held.
    pub fn settle(&mut self) {
        if let Some((code, _, _)) = self.last_key.as_mut() {
            *code = KeyCode::Null;
        }
    }

    /// Takes a key of something that was begun already; says whether it is no repeat: neither reported as one nor
    /// the same key within `still_ms`.
    pub fn is_fresh(&mut self, key: KeyEvent, now_ms: u64, still_ms: u64) -> bool {
        let is_repeat = key.kind != KeyEventKind::Press || self.is_held(key, now_ms, still_ms);
        self.last_key = Some((key.code, key.modifiers, now_ms));
        !is_repeat
    }

    fn is_held(&self, key: KeyEvent, now_ms: u64, still_ms: u64) -> bool {
        self.last_key.is_some_and(|(code, modifiers, at)| {
            code == key.code && modifiers == key.modifiers && now_ms.saturating_sub(at) < still_ms
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn press(c: char) -> KeyEvent {
        KeyEvent::new(KeyCode::Char(c), KeyModifiers::NONE)
    }

    #[test]
    fn nothing_answers_before_the_paint_or_within_half_a_second() {
        let mut gate = Gate::default();

        assert!(!gate.admits(press('a'), 10_000));
        gate.painted(Sight::Whole, 20_000);
        assert!(!gate.is_armed(20_499));
        assert!(gate.is_armed(20_500));
        assert!(!gate.clone().admits(press('s'), 20_499));
        assert!(gate.admits(press('a'), 20_500));
    }

    #[test]
    fn later_paints_do_not_start_the_wait_anew() {
        let mut gate = Gate::default();
        gate.painted(Sight::Whole, 100);
        gate.painted(Sight::Whole, 550);

        assert!(gate.is_armed(600));
    }

    #[test]
    fn typing_on_keeps_the_gate_shut_until_the_keyboard_is_quiet() {
        let mut gate = Gate::default();
        gate.painted(Sight::Whole, 0);
        let admitted: Vec<bool> = "yes and also 1 a"
            .chars()
            .enumerate()
            .map(|(index, c)| gate.admits(press(c), 50 * index as u64))
            .collect();

        assert_eq!(admitted, vec![false; 16]);
        assert_eq!(gate.arms_in_ms(750), Some(500));
        assert!(gate.admits(press('r'), 1_250));
    }

    #[test]
    fn a_held_key_answers_once() {
        let mut gate = Gate::default();
        gate.painted(Sight::Whole, 0);
        assert!(gate.admits(press('a'), 500));

        // The next request is painted at once; the held key repeats after 660 ms, then every 30 ms.
        gate.close();
        gate.painted(Sight::Whole, 516);
        let mut at = 1_160;
        while at < 6_000 {
            assert!(!gate.admits(press('a'), at), "at {at}");
            at += 30;
        }
        assert!(gate.admits(press('a'), at + SAME_KEY_MS));
    }

    #[test]
    fn a_reported_repeat_never_answers() {
        let mut gate = Gate::default();
        gate.painted(Sight::Whole, 0);
        let repeat =
            KeyEvent::new_with_kind(KeyCode::Char('a'), KeyModifiers::NONE, KeyEventKind::Repeat);

        assert!(!gate.admits(repeat, 9_000));
    }

    #[test]
    fn another_key_may_answer_the_next_request_after_half_a_second() {
        let mut gate = Gate::default();
        gate.painted(Sight::Whole, 0);
        assert!(gate.admits(press('a'), 500));
        gate.close();
        gate.painted(Sight::Whole, 510);

        assert!(!gate.is_armed(1_009));
        assert!(gate.admits(press('r'), 1_010));
    }
}
