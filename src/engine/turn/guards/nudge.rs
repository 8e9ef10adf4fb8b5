//! The checklist rule: a reply without tool calls while an item is open gets a nudge.
//!
//! Three nudges in a row without a tool call between them, or nine in one turn, and the turn ends with a
//! visible warning.

/// Nudges without a tool call between them.
pub const IN_A_ROW: u32 = 3;
/// Nudges in one turn.
pub const IN_A_TURN: u32 = 9;

/// Counts nudges of a turn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Nudges {
    in_a_row: u32,
    in_turn: u32,
}

/// What to do when a reply called no tool.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Next {
    /// End the turn: nothing is open.
    Rest,
    /// Tell the model this and go on.
    Nudge(String),
    /// End the turn with this warning.
    GiveUp(String),
}

impl Nudges {
    /// A tool was called.
    pub fn called(&mut self) {
        self.in_a_row = 0;
    }

    /// Nudges given in this turn.
    pub fn given(self) -> u32 {
        self.in_turn
    }

    /// The model rested with this many items open.
    pub fn rested(&mut self, open: usize) -> Next {
        if open == 0 {
            return Next::Rest;
        }
        if self.in_a_row >= IN_A_ROW || self.in_turn >= IN_A_TURN {
            return Next::GiveUp(format!(
                "the turn ended with {open} checklist {} open after {} nudges",
                if open == 1 { "item" } else { "items" },
                self.in_turn,
            ));
        }
        self.in_a_row += 1;
        self.in_turn += 1;
        Next::Nudge(format!(
            "[checklist] {open} {} still open. Go on with the work; or mark each open item completed, deferred or \
             canceled (with a reason) using checklist_edit. The turn cannot end while an item is open.",
            if open == 1 { "item is" } else { "items are" },
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_in_a_row_end_the_turn() {
        let mut nudges = Nudges::default();

        for _ in 0..IN_A_ROW {
            assert!(matches!(nudges.rested(2), Next::Nudge(_)));
        }

        assert_eq!(
            nudges.rested(2),
            Next::GiveUp("the turn ended with 2 checklist items open after 3 nudges".to_owned())
        );
    }

    #[test]
    fn a_tool_call_resets_the_row_but_not_the_turn() {
        let mut nudges = Nudges::default();

        for _ in 0..IN_A_TURN {
            nudges.called();
            assert!(matches!(nudges.rested(1), Next::Nudge(_)));
        }
        nudges.called();

        assert!(matches!(nudges.rested(1), Next::GiveUp(_)));
    }

    #[test]
    fn nothing_open_is_rest() {
        assert_eq!(Nudges::default().rested(0), Next::Rest);
    }
}
