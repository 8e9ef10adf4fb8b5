//! Numbers as the side panes write them: short, with one unit, unknown said as unknown.

/// Output tokens and the like: `950`, `12.4k`, `84k`, `1.2M`.
pub fn tokens(count: u64) -> String {
    match count {
        0..1_000 => count.to_string(),
        1_000..99_950 => trim_zero(format!("{:.1}", count as f64 / 1e3), "k"),
        99_950..999_500 => format!("{}k", (count + 500) / 1_000),
        _ => trim_zero(format!("{:.1}", count as f64 / 1e6), "M"),
    }
}

/// US dollars: `$0.41`, `$12.30`, `$0.0042`.
pub fn money(dollars: f64) -> String {
    if dollars > 0.0 && dollars < 0.01 {
        return format!("${dollars:.4}");
    }
    format!("${dollars:.2}")
}

/// How long something took or has been taking: `18s`, `2m`, `1h 3m`.
pub fn elapsed(milliseconds: i64) -> String {
    let seconds = milliseconds.max(0) / 1_000;
    match seconds {
        0..60 => format!("{seconds}s"),
        60..3_600 => format!("{}m", seconds / 60),
        _ => format!("{}h {}m", seconds / 3_600, seconds % 3_600 / 60),
    }
}

/// A count with its word: `1 call`, `7 calls`.
pub fn counted(count: u64, word: &str) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{count} {word}{plural}")
}

fn trim_zero(number: String, unit: &str) -> String {
    format!("{}{unit}", number.strip_suffix(".0").unwrap_or(&number))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_have_at_most_three_digits() {
        let written: Vec<String> = [
            0, 999, 1_000, 12_440, 84_000, 99_949, 99_950, 999_499, 999_500,
        ]
        .into_iter()
        .map(tokens)
        .collect();

        assert_eq!(
            written,
            [
                "0", "999", "1k", "12.4k", "84k", "99.9k", "100k", "999k", "1M"
            ]
        );
    }

    #[test]
    fn small_money_is_not_rounded_to_nothing() {
        assert_eq!(money(0.41), "$0.41");
        assert_eq!(money(0.0042), "$0.0042");
        assert_eq!(money(0.0), "$0.00");
    }

    #[test]
    fn a_time_has_at_most_two_units() {
        let written: Vec<String> = [-5, 18_999, 120_000, 3_780_000]
            .into_iter()
            .map(elapsed)
            .collect();

        assert_eq!(written, ["0s", "18s", "2m", "1h 3m"]);
    }
}
