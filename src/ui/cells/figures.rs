//! Numbers as people read them.

/// A count with one decimal from a thousand on: `950`, `12.3k`, `1.2M`.
pub fn count(number: u64) -> String {
    match number {
        0..=999 => number.to_string(),
        1_000..=999_949 => format!("{:.1}k", number as f64 / 1_000.0),
        _ => format!("{:.1}M", number as f64 / 1_000_000.0),
    }
}

/// A duration: `0.02s`, `4.1s`, `2m 05s`, `1h 02m`.
pub fn duration(milliseconds: u64) -> String {
    let seconds = milliseconds / 1_000;
    match milliseconds {
        0..=999 => format!("{:.2}s", milliseconds as f64 / 1_000.0),
        1_000..=59_949 => format!("{:.1}s", milliseconds as f64 / 1_000.0),
        59_950..=3_599_999 => format!("{}m {:02}s", seconds / 60, seconds % 60),
        _ => format!("{}h {:02}m", seconds / 3_600, seconds / 60 % 60),
    }
}

/// US dollars: two decimals, more for less than a cent.
pub fn money(dollars: f64) -> String {
    if dollars > 0.0 && dollars < 0.01 {
        format!("${dollars:.4}")
    } else {
        format!("${dollars:.2}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short() {
        assert_eq!(
            [999, 1_000, 12_345, 999_949, 1_250_000].map(count),
            ["999", "1.0k", "12.3k", "999.9k", "1.2M"]
        );
        assert_eq!(
            [0, 20, 999, 4_100, 59_949, 60_000, 125_000, 3_720_000].map(duration),
            [
                "0.00s", "0.02s", "1.00s", "4.1s", "59.9s", "1m 00s", "2m 05s", "1h 02m"
            ]
        );
        assert_eq!(
            [0.41, 0.004_2, 0.0, 12.0].map(money),
            ["$0.41", "$0.0042", "$0.00", "$12.00"]
        );
    }
}
