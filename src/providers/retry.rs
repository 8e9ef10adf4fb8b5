//! How long to wait before a request is sent again, and how often.
//!
//! Pure: the random fraction comes as an argument. Whether a request may be sent again at all (nothing shown,
//! nothing run) is for the caller to know.

use std::time::Duration;

use super::error::ProviderError;

/// The rule of waiting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RetryPolicy {
    /// The first wait; doubled each time.
    pub first: Duration,
    /// The longest wait of our own choice.
    pub longest: Duration,
    /// How often a request is sent at most.
    pub tries: u32,
    /// The longest wait that a server may ask for; when it asks for more, the request fails at once, so that
    /// the person hears of it.
    pub longest_asked: Duration,
}

impl Default for RetryPolicy {
    fn default() -> Self {
        Self {
            first: Duration::from_secs(1),
            longest: Duration::from_mins(1),
            tries: 6,
            longest_asked: Duration::from_mins(10),
        }
    }
}

impl RetryPolicy {
    /// The wait after `tries` sent requests of which the last failed with `error`; `None` when it is not to be
    /// sent again. `fraction` (0 to 1) spreads the waits of several askers: each is longer by up to a quarter.
    pub fn wait(&self, tries: u32, error: &ProviderError, fraction: f64) -> Option<Duration> {
        if tries >= self.tries || !error.is_retryable() {
            return None;
        }
        let spread = |wait: Duration| wait.mul_f64(1.0 + 0.25 * fraction.clamp(0.0, 1.0));
        if let Some(asked) = error.retry_after() {
            // A server that asks for no time at all is still not to be hammered.
            return (asked <= self.longest_asked).then(|| spread(asked.max(self.first)));
        }
        let doubled = 2_u32.saturating_pow(tries.saturating_sub(1));
        let wait = self.first.saturating_mul(doubled).min(self.longest);
        Some(spread(wait).min(self.longest))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::providers::error::Fault;

    fn waits(policy: RetryPolicy, fault: &Fault, fraction: f64) -> Vec<Option<f64>> {
        let error = ProviderError::new(fault.clone(), "x");
        (1..=policy.tries)
            .map(|tries| {
                policy
                    .wait(tries, &error, fraction)
                    .map(|wait| wait.as_secs_f64())
            })
            .collect()
    }

    #[test]
    fn waits_double_and_end_after_six_tries() {
        let fault = Fault::Overloaded { retry_after: None };

        assert_eq!(
            waits(RetryPolicy::default(), &fault, 0.0),
            [Some(1.0), Some(2.0), Some(4.0), Some(8.0), Some(16.0), None]
        );
        assert_eq!(
            waits(RetryPolicy::default(), &fault, 1.0),
            [
                Some(1.25),
                Some(2.5),
                Some(5.0),
                Some(10.0),
                Some(20.0),
                None
            ]
        );
    }

    #[test]
    fn no_wait_of_our_own_is_longer_than_a_minute_however_often_it_fails() {
        let policy = RetryPolicy {
            tries: u32::MAX,
            ..RetryPolicy::default()
        };
        let error = ProviderError::new(Fault::Unreachable, "x");

        for tries in [7, 8, 45, 64, 1_000_000] {
            assert_eq!(
                policy.wait(tries, &error, 1.0),
                Some(Duration::from_mins(1))
            );
        }
    }

    #[test]
    fn the_server_is_obeyed_unless_it_asks_for_too_much() {
        let asked = |seconds| Fault::RateLimited {
            retry_after: Some(Duration::from_secs(seconds)),
        };
        let wait = |seconds, tries| {
            RetryPolicy::default().wait(tries, &ProviderError::new(asked(seconds), "x"), 0.0)
        };

        assert_eq!(wait(2, 5), Some(Duration::from_secs(2)));
        assert_eq!(wait(600, 1), Some(Duration::from_mins(10)));
        assert_eq!(wait(0, 1), Some(Duration::from_secs(1)));
        assert_eq!(wait(601, 1), None);
        assert_eq!(wait(60 * 60 * 24 * 21, 1), None);
    }

    #[test]
    fn what_cannot_help_is_not_tried() {
        for fault in [
            Fault::Unauthorized,
            Fault::NotFound,
            Fault::WindowFull,
            Fault::Rejected,
            Fault::WebPage,
            Fault::InStream,
            Fault::Setup,
        ] {
            assert_eq!(
                waits(RetryPolicy::default(), &fault, 0.5)[0],
                None,
                "{fault:?}"
            );
        }
    }
}
