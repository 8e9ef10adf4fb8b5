//! The known word that a person most likely meant.

/// The nearest of `known` to `word`, when one is near enough to be meant.
pub fn nearest<'a>(word: &str, known: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let word = word.to_lowercase();
    let allowed = (word.chars().count() / 3).clamp(1, 3);
    known
        .map(|candidate| (distance(&word, candidate), candidate))
        .filter(|(distance, _)| *distance <= allowed)
        .min()
        .map(|(_, candidate)| candidate)
}

/// Number of characters to insert, delete, replace or swap with their neighbour.
fn distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    let mut before_last: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=b.len()).collect();
    for (row, from) in a.iter().enumerate() {
        let mut present = vec![row + 1];
        for (column, to) in b.iter().enumerate() {
            let at =
                |line: &[usize], index: usize| line.get(index).copied().unwrap_or(usize::MAX - 1);
            let mut cost = (at(&last, column) + usize::from(from != to))
                .min(at(&last, column + 1) + 1)
                .min(at(&present, column) + 1);
            let swapped = row > 0
                && column > 0
                && a.get(row - 1) == Some(to)
                && b.get(column - 1) == Some(from);
            if swapped {
                cost = cost.min(at(&before_last, column - 1) + 1);
            }
            present.push(cost);
        }
        before_last = last;
        last = present;
    }
    last.last().copied().unwrap_or(usize::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slip_of_the_fingers_finds_its_word_and_a_strange_word_finds_none() {
        let known = [
            "level",
            "mode",
            "approvals",
            "network",
            "confine_reads",
            "rules",
        ];
        let meant = |word| nearest(word, known.into_iter());

        assert_eq!(meant("levle"), Some("level"));
        assert_eq!(meant("Mode"), Some("mode"));
        assert_eq!(meant("aprovals"), Some("approvals"));
        assert_eq!(meant("confine_read"), Some("confine_reads"));
        assert_eq!(meant("sandbox"), None);
        assert_eq!(meant("x"), None);
        assert_eq!(meant(""), None);
    }

    #[test]
    fn neighbours_that_changed_places_count_once() {
        assert_eq!(distance("modle", "model"), 1);
        assert_eq!(distance("", "abc"), 3);
        assert_eq!(distance("kitten", "sitting"), 3);
    }
}
