//! The wall clock, for showing only. Order comes from the log and durations from a monotonic clock.

/// Milliseconds since the Unix epoch.
pub fn now_ms() -> i64 {
    jiff::Timestamp::now().as_millisecond()
}
