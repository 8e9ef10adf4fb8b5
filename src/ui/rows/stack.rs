//! Many rows in parts that are shared, so that a long text grows without copying what it was.

use std::rc::Rc;

use super::piece::Row;

/// Rows in parts.
#[derive(Clone, Debug, Default)]
pub struct Stack {
    parts: Vec<Rc<[Row]>>,
    /// Rows up to and with each part.
    ends: Vec<usize>,
}

impl PartialEq for Stack {
    fn eq(&self, other: &Self) -> bool {
        self.len() == other.len() && self.iter().eq(other.iter())
    }
}

impl From<Vec<Row>> for Stack {
    fn from(rows: Vec<Row>) -> Self {
        let mut stack = Self::default();
        stack.push(rows.into());
        stack
    }
}

impl Stack {
    /// Appends a part.
    pub fn push(&mut self, part: Rc<[Row]>) {
        if !part.is_empty() {
            self.ends.push(self.len() + part.len());
            self.parts.push(part);
        }
    }

    /// Appends all parts of another one.
    pub fn extend(&mut self, other: &Self) {
        for part in &other.parts {
            self.push(Rc::clone(part));
        }
    }

    /// Number of rows.
    pub fn len(&self) -> usize {
        self.ends.last().copied().unwrap_or(0)
    }

    /// Whether there is no row.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The rows from `index` on.
    pub fn rows_from(&self, index: usize) -> impl Iterator<Item = &Row> {
        let part = self.ends.partition_point(|end| *end <= index);
        let before = part
            .checked_sub(1)
            .and_then(|part| self.ends.get(part))
            .copied()
            .unwrap_or(0);
        self.parts
            .get(part..)
            .unwrap_or_default()
            .iter()
            .flat_map(|part| part.iter())
            .skip(index.saturating_sub(before))
    }

    /// All rows.
    pub fn iter(&self) -> impl Iterator<Item = &Row> {
        self.rows_from(0)
    }

    /// One row.
    pub fn get(&self, index: usize) -> Option<&Row> {
        self.rows_from(index).next()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ui::theme::StyleName;

    #[test]
    fn rows_are_found_over_parts() {
        let row = |text: &str| Row::of(text, StyleName::Text);
        let mut stack = Stack::from(vec![row("a"), row("b")]);
        stack.push(Rc::from(vec![]));
        stack.push(Rc::from(vec![row("c")]));

        let from = |index| stack.rows_from(index).map(Row::text).collect::<Vec<_>>();

        assert_eq!(stack.len(), 3);
        assert_eq!(from(0), ["a", "b", "c"]);
        assert_eq!(from(2), ["c"]);
        assert_eq!(from(3), Vec::<String>::new());
        assert_eq!(stack.get(1), Some(&row("b")));
    }
}
