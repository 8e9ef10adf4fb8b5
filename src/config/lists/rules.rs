//! Reads one permission rule.

use toml_edit::TableLike;

use super::entry::{Shape, Wrong, choice, lacks, read_keys, text};
use crate::{
    config::settings::Settings,
    domain::permission::{Rule, Verdict},
};

const SHAPE: Shape<'_> = Shape {
    noun: "rule",
    keys: &["action", "resource", "verdict"],
};
const VERDICTS: [(&str, Verdict); 3] = [
    ("allow", Verdict::Allow),
    ("ask", Verdict::Ask),
    ("deny", Verdict::Deny),
];

/// A rule with the place of its first key. `at` is the place of the list, for a rule without keys.
pub(super) fn read(
    list: &str,
    table: &dyn TableLike,
    at: usize,
) -> Result<(Rule, usize), Vec<Wrong>> {
    let (mut action, mut resource, mut verdict) = (None, None, None);
    let (first, wrong) = read_keys(&SHAPE, list, table, at, |name, item| {
        match name {
            "action" => action = Some(text(item)?),
            "resource" => resource = Some(text(item)?),
            _ => verdict = Some(choice(item, &VERDICTS)?),
        }
        Ok(())
    });
    if !wrong.is_empty() {
        return Err(wrong);
    }
    let missing = |key| vec![lacks(&SHAPE, list, first, key)];
    let rule = Rule {
        action: action.ok_or_else(|| missing("action"))?,
        resource: resource.unwrap_or_else(|| "*".to_owned()),
        verdict: verdict.ok_or_else(|| missing("verdict"))?,
    };
    Ok((rule, first))
}

/// A project may deny. It may ask only where the person denies nothing, since the more exact rule decides and an
/// ask could take the place of a denial.
pub(in crate::config) fn narrows(before: &Settings, after: &Settings) -> bool {
    let rules = &after.permissions.rules;
    match rules.last().map(|rule| rule.verdict) {
        Some(Verdict::Deny) => true,
        Some(Verdict::Ask) => !before
            .permissions
            .rules
            .iter()
            .any(|rule| rule.verdict == Verdict::Deny),
        Some(Verdict::Allow) => false,
        None => true,
    }
}
