//! Ways to answer an approval that need more than a key: `rule_line`, the rule that is made of an answer.

pub mod rule_line;
