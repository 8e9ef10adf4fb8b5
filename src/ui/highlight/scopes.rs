//! From grammar scopes to our meanings. The innermost scope that is known decides; what is not known stays plain.

use std::sync::OnceLock;

use syntect::parsing::{Scope, ScopeStack};

use crate::ui::theme::StyleName;

/// Prefixes of scopes and what they mean; the first that fits wins.
const MEANINGS: &[(&str, StyleName)] = &[
    ("comment", StyleName::SyntaxComment),
    ("string.unquoted", StyleName::Text),
    ("string", StyleName::SyntaxString),
    ("constant.character.escape", StyleName::SyntaxConstant),
    ("constant", StyleName::SyntaxConstant),
    ("keyword.operator", StyleName::SyntaxPunctuation),
    ("keyword", StyleName::SyntaxKeyword),
    ("storage.type.function", StyleName::SyntaxKeyword),
    ("storage.type", StyleName::SyntaxKeyword),
    ("storage", StyleName::SyntaxKeyword),
    ("entity.name.function", StyleName::SyntaxFunction),
    ("support.function", StyleName::SyntaxFunction),
    ("variable.function", StyleName::SyntaxFunction),
    ("meta.function-call.identifier", StyleName::SyntaxFunction),
    ("entity.name.tag", StyleName::SyntaxKeyword),
    ("entity.name.section", StyleName::SyntaxFunction),
    ("entity.name", StyleName::SyntaxType),
    ("entity.other.attribute-name", StyleName::SyntaxType),
    ("entity.other.inherited-class", StyleName::SyntaxType),
    ("support.type.property-name", StyleName::SyntaxType),
    ("support.type", StyleName::SyntaxType),
    ("support.class", StyleName::SyntaxType),
    ("variable.language", StyleName::SyntaxKeyword),
    ("markup.inserted", StyleName::DiffAdd),
    ("markup.deleted", StyleName::DiffDelete),
    ("markup.heading", StyleName::Heading),
    ("punctuation.definition.comment", StyleName::SyntaxComment),
    ("punctuation.definition.string", StyleName::SyntaxString),
    ("punctuation", StyleName::SyntaxPunctuation),
];

/// What the innermost known scope means.
pub(super) fn meaning(stack: &ScopeStack) -> StyleName {
    let known = known();
    stack
        .scopes
        .iter()
        .rev()
        .find_map(|scope| {
            known
                .iter()
                .find(|(prefix, _)| prefix.is_prefix_of(*scope))
                .map(|(_, name)| *name)
        })
        .unwrap_or(StyleName::Text)
}

fn known() -> &'static [(Scope, StyleName)] {
    static KNOWN: OnceLock<Vec<(Scope, StyleName)>> = OnceLock::new();
    KNOWN.get_or_init(|| {
        MEANINGS
            .iter()
            .filter_map(|(prefix, name)| Some((Scope::new(prefix).ok()?, *name)))
            .collect()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_prefix_is_a_scope() {
        assert_eq!(known().len(), MEANINGS.len());
    }
}
