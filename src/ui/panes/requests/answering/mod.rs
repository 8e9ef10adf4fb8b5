//! Ways to answer an approval that need more than a key: `rule_line`, the rule that is made of an answer; `several`, one
//! answer for what was marked and for requests that are alike.

pub mod rule_line;
pub mod several;
