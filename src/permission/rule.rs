//! Patterns and which of several matching rules decides.
//!
//! `*` stands for any text (it crosses `/`), `?` for one character, a backslash in front of `*`, `?` or a
//! backslash takes that character as it is. A pattern that ends in a space and a star also matches without
//! both: `git *` matches `git`. The whole text must match.

use std::{cmp::Ordering, str::Chars};

use crate::domain::permission::Rule;

/// A parsed pattern.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pattern {
    tokens: Vec<Token>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Token {
    Any,
    One,
    Exact(char),
}

impl Pattern {
    /// Parses a pattern; every text is one.
    pub fn parse(text: &str) -> Self {
        let mut tokens = Vec::new();
        let mut characters = text.chars().peekable();
        while let Some(character) = characters.next() {
            let token = match character {
                '*' => Token::Any,
                '?' => Token::One,
                '\\' => match characters.next_if(|next| matches!(next, '*' | '?' | '\\')) {
                    Some(escaped) => Token::Exact(escaped),
                    None => Token::Exact('\\'),
                },
                other => Token::Exact(other),
            };
            if token != Token::Any || tokens.last() != Some(&Token::Any) {
                tokens.push(token);
            }
        }
        Self { tokens }
    }

    /// Whether the whole text matches.
    pub fn matches(&self, text: &str) -> bool {
        if matches(&self.tokens, text) {
            return true;
        }
        match self.tokens.as_slice() {
            [bare @ .., Token::Exact(' '), Token::Any] if !bare.is_empty() => matches(bare, text),
            _ => false,
        }
    }

    /// Number of characters that stand for themselves.
    pub fn literals(&self) -> usize {
        self.tokens
            .iter()
            .filter(|token| matches!(token, Token::Exact(_)))
            .count()
    }

    /// Number of `*` and `?`.
    pub fn wildcards(&self) -> usize {
        self.tokens.len() - self.literals()
    }

    /// Whether it matches exactly one text.
    pub fn is_exact(&self) -> bool {
        self.wildcards() == 0
    }

    /// Whether some character behind the last `/` stands for itself, so that the pattern names files and not
    /// only a place.
    pub fn names_file(&self) -> bool {
        self.tokens
            .iter()
            .rev()
            .take_while(|token| **token != Token::Exact('/'))
            .any(|token| matches!(token, Token::Exact(_)))
    }
}

/// Linear in the pattern for each restart; a star is only ever given more text, so never exponential.
fn matches(tokens: &[Token], text: &str) -> bool {
    let (mut at_token, mut rest) = (0, text.chars());
    let mut star: Option<(usize, Chars<'_>)> = None;
    while let Some(found) = rest.clone().next() {
        match tokens.get(at_token) {
            Some(Token::Any) => {
                star = Some((at_token, rest.clone()));
                at_token += 1;
            }
            Some(token) if matches!(token, Token::One) || *token == Token::Exact(found) => {
                at_token += 1;
                rest.next();
            }
            _ => {
                let Some((star_token, mut behind)) = star else {
                    return false;
                };
                behind.next();
                rest = behind.clone();
                star = Some((star_token, behind));
                at_token = star_token + 1;
            }
        }
    }
    tokens
        .get(at_token..)
        .is_none_or(|rest| rest.iter().all(|token| *token == Token::Any))
}

/// The pattern that matches exactly this text.
pub fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        if matches!(character, '*' | '?' | '\\') {
            escaped.push('\\');
        }
        escaped.push(character);
    }
    escaped
}

/// Which of two rules that both match says more exactly what is meant: most literal characters of the
/// resource, then of the action, then fewest wildcards.
pub(super) fn specificity(one: &Rule, other: &Rule) -> Ordering {
    key(one).cmp(&key(other))
}

fn key(rule: &Rule) -> (usize, usize, std::cmp::Reverse<usize>) {
    let resource = Pattern::parse(&rule.resource);
    let action = Pattern::parse(&rule.action);
    (
        resource.literals(),
        action.literals(),
        std::cmp::Reverse(resource.wildcards() + action.wildcards()),
    )
}

/// The deciding one of several matching rules: the most specific, the later one of equals.
pub(super) fn winner<'a>(matching: impl IntoIterator<Item = &'a Rule>) -> Option<&'a Rule> {
    matching
        .into_iter()
        .reduce(|best, rule| match specificity(rule, best) {
            Ordering::Less => best,
            Ordering::Equal | Ordering::Greater => rule,
        })
}

/// A rule as a person reads it.
pub fn describe(rule: &Rule) -> String {
    let verdict = match rule.verdict {
        crate::domain::permission::Verdict::Allow => "allow",
        crate::domain::permission::Verdict::Ask => "ask",
        crate::domain::permission::Verdict::Deny => "deny",
    };
    format!("{verdict} {} `{}`", rule.action, rule.resource)
}

#[cfg(test)]
#[path = "rule_tests.rs"]
mod tests;
