//! Ways to answer an approval that need more than a key: `held`, an answer that waits whether words follow; `hunks`, some of
//! several replacements; `in_full`, what is answered where all of it is read; `rule_line`, the rule that is made of an
//! answer; `several`, one answer for what was marked and for requests that are alike.

pub mod held;
pub mod hunks;
pub mod in_full;
pub mod rule_line;
pub mod several;
