//! Numbers as people read them: the same number looks the same wherever it stands.

use super::truncate::grouped;

/// A large count with one decimal at most: `950`, `12.4k`, `84k`, `1.2M`.
pub fn short(count: u64) -> String {
    match count {
        0..1_000 => count.to_string(),
        1_000..99_950 => trim_zero(format!("{:.1}", count as f64 / 1e3), "k"),
        99_950..999_500 => format!("{}k", (count + 500) / 1_000),
        _ => trim_zero(format!("{:.1}", count as f64 / 1e6), "M"),
    }
}

/// US dollars: two decimals, more for less than a cent.
pub fn money(dollars: f64) -> String {
    if dollars > 0.0 && dollars < 0.01 {
        return format!("${dollars:.4}");
    }
    format!("${dollars:.2}")
}

/// How long something took: `0.02s`, `4.1s`, `2m 05s`, `1h 02m`.
pub fn duration(milliseconds: u64) -> String {
    let seconds = milliseconds / 1_000;
    match milliseconds {
        0..=999 => format!("{:.2}s", milliseconds as f64 / 1_000.0),
        1_000..=59_949 => format!("{:.1}s", milliseconds as f64 / 1_000.0),
        59_950..=3_599_999 => format!("{}m {:02}s", seconds / 60, seconds % 60),
        _ => format!("{}h {:02}m", seconds / 3_600, seconds / 60 % 60),
    }
}

/// How long something has been taking, in as few columns as a narrow pane has: `18s`, `2m`, `1h 3m`.
pub fn elapsed(milliseconds: i64) -> String {
    let seconds = u64::try_from(milliseconds).unwrap_or(0) / 1_000;
    match seconds {
        0..60 => format!("{seconds}s"),
        60..3_600 => format!("{}m", seconds / 60),
        _ => format!("{}h {}m", seconds / 3_600, seconds / 60 % 60),
    }
}

/// A count with its word: `1 match`, `1,204 matches`.
pub fn counted(count: usize, one: &str, many: &str) -> String {
    format!("{} {}", grouped(count), if count == 1 { one } else { many })
}

fn trim_zero(number: String, unit: &str) -> String {
    format!("{}{unit}", number.strip_suffix(".0").unwrap_or(&number))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_have_at_most_three_digits() {
        let numbers = [
            0, 999, 1_000, 12_440, 84_000, 99_949, 99_950, 999_499, 999_500, 1_250_000,
        ];
        assert_eq!(
            numbers.map(short),
            [
                "0", "999", "1k", "12.4k", "84k", "99.9k", "100k", "999k", "1M", "1.2M"
            ]
        );
    }

    #[test]
    fn small_money_is_not_rounded_to_nothing() {
        assert_eq!(
            [0.41, 0.004_2, 0.0, 12.0].map(money),
            ["$0.41", "$0.0042", "$0.00", "$12.00"]
        );
    }

    #[test]
    fn a_time_has_at_most_two_units() {
        assert_eq!(
            [0, 20, 999, 4_100, 59_949, 60_000, 125_000, 3_720_000].map(duration),
            [
                "0.00s", "0.02s", "1.00s", "4.1s", "59.9s", "1m 00s", "2m 05s", "1h 02m"
            ]
        );
        assert_eq!(
            [-5, 18_999, 120_000, 3_780_000].map(elapsed),
            ["0s", "18s", "2m", "1h 3m"]
        );
    }

    #[test]
    fn one_is_one() {
        assert_eq!(counted(1, "match", "matches"), "1 match");
        assert_eq!(counted(0, "match", "matches"), "0 matches");
        assert_eq!(counted(1_204, "match", "matches"), "1,204 matches");
    }
}
