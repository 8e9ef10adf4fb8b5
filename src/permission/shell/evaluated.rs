//! Places where bash makes more of a text than words: calculations, in which a name stands for the text that it holds
//! and a subscript runs what it substitutes (`x='a[$(ls)]'; ((x))`), expansions by such names, and variables that a
//! loop sets. What holds more than numbers there is doubted.

use tree_sitter::Node;

use super::{Word, assignments::is_harmless, crude, line::PRINTED, tamed, tree::Walk};

/// The doubt about calculations.
const CALCULATED: &str = "a calculation may run a text that is not known before it runs";

/// The doubt about words that the grammar ends elsewhere than bash.
const UNENDED: &str = "where a word of the line ends is not understood";

/// Leaves in which bash looks for substitutions.
const READ_BY_BASH: &[&str] = &[
    "extglob_pattern",
    "regex",
    "string_content",
    "variable_name",
    "word",
];

/// Operators of tests that take their sides for calculations.
const COMPARING: &[&str] = &["-eq", "-ge", "-gt", "-le", "-lt", "-ne"];
/// Operators of tests that take a word for the name of a variable.
const NAMING: &[&str] = &["-R", "-v"];
/// Operators of tests that are no options.
const SIGNS: &[&str] = &["!=", "<", "=", "==", "=~", ">"];

impl Walk<'_> {
    /// What the grammar takes for a plain text may hold substitutions all the same: "${x:-`command`}".
    pub(super) fn leaf(&mut self, node: Node<'_>) {
        let text = self.source(node);
        if node.kind() == "heredoc_start" && !self.starts_plainly(node) {
            self.line.doubt(UNENDED);
            self.read_crudely();
        }
        if READ_BY_BASH.contains(&node.kind()) && tamed::substitutes(text) {
            self.text_to_expand(text);
            // It may end behind the leaf.
            self.read_crudely();
        }
        // Inside of `"${x:-'…'}"` the quotes quote nothing.
        let is_quoted = matches!(node.kind(), "raw_string" | "ansi_c_string");
        if is_quoted && tamed::substitutes(text) && is_expanded(node) {
            self.text_to_expand(text);
        }
        let bare = text.replace('\\', "");
        if tamed::substitutes(&bare) {
            self.hidden.push(bare);
        }
    }

    /// Adds what the whole text might run, once.
    pub(super) fn read_crudely(&mut self) {
        if !std::mem::replace(&mut self.is_crude, true) {
            crude::read(self.line, self.text);
        }
    }

    /// Doubts a command that goes on behind the end of its line: behind an escaped line end the grammar forgets it.
    pub(super) fn holds_together(&mut self, node: Node<'_>) {
        let mut cursor = node.walk();
        let mut end = node.start_byte();
        let is_whole = node.children(&mut cursor).all(|child| {
            let gap = self.text.get(end..child.start_byte()).unwrap_or_default();
            end = end.max(child.end_byte());
            !gap.contains('\n') || !gap.replace("\\\n", "").contains('\n')
        });
        if !is_whole {
            self.line.doubt(UNENDED);
            self.read_crudely();
        }
    }

    /// Whether a text behind `<<` begins where the grammar says it does: of `<<A<<'B'` it makes one word, and behind an
    /// escaped line end it takes what is in the text for arguments.
    fn starts_plainly(&self, start: Node<'_>) -> bool {
        let behind = self.text.get(start.end_byte()..).unwrap_or_default();
        let ends = behind.match_indices('\n').map(|(at, _)| at);
        let line_end = ends
            .into_iter()
            .find(|at| !behind.get(..*at).unwrap_or_default().ends_with('\\'))
            .map_or(self.text.len(), |at| start.end_byte() + at);
        let is_inside = |child: Node<'_>| {
            let is_text = child.kind().starts_with("heredoc_");
            is_text || child.end_byte() <= line_end
        };
        let mut cursor = start.walk();
        !self
            .source(start)
            .contains(['<', '>', '&', '|', ';', '(', ')'])
            && start
                .parent()
                .is_none_or(|whole| whole.named_children(&mut cursor).all(is_inside))
    }

    /// A text in which bash looks for substitutions and the grammar does not.
    pub(super) fn text_to_expand(&mut self, text: &str) {
        if tamed::substitutes(text) {
            self.line.calculates = true;
            self.line.doubt(PRINTED);
            crude::read(self.line, text);
        }
    }

    /// Doubts a word behind which bash goes on with the same word: `x=$(a)\;`.
    pub(super) fn ends(&mut self, word: Node<'_>) {
        let behind = self.text.get(word.end_byte()..).unwrap_or_default();
        let is_end = |next: char| next.is_ascii_whitespace() || ";&|()<>`".contains(next);
        let goes_on = behind.chars().next().is_some_and(|next| !is_end(next));
        if goes_on && !behind.starts_with("\\\n") {
            self.line.doubt(UNENDED);
            self.read_crudely();
        }
    }

    /// Doubts a node in which bash may run what a text holds, or set what changes what runs.
    pub(super) fn evaluated(&mut self, node: Node<'_>) {
        let text = self.source(node);
        let is_plain = match node.kind() {
            "arithmetic_expansion" => has_numbers_only(node),
            "compound_statement" => !text.starts_with("((") || has_numbers_only(node),
            "c_style_for_statement" => false,
            // Inside of an expansion the grammar takes a calculation for commands in parentheses.
            "command_substitution" => !text.starts_with("$(("),
            "subscript" => node
                .child_by_field_name("index")
                .is_some_and(|index| is_index(self.source(index))),
            "expansion" => expands_plainly(text),
            "array" => {
                let mut cursor = node.walk();
                let mut items = node.named_children(&mut cursor);
                !items.any(|item| self.source(item).starts_with('['))
            }
            "test_command" => self.tests_plainly(node),
            "for_statement" => return self.looped(node),
            _ => true,
        };
        if !is_plain {
            self.line.calculates = true;
            self.line.doubt(CALCULATED);
        }
    }

    /// The variable of a loop is set to each word in turn.
    fn looped(&mut self, node: Node<'_>) {
        let name = node.child_by_field_name("variable");
        let name = name.map_or("", |name| self.source(name));
        self.line.set(name, Word::unknown("…"));
        if !is_harmless(name) {
            self.line
                .doubt(format!("setting {name} may change what runs"));
        }
    }

    /// Whether nothing in `[[ … ]]` or `[ … ]` is calculated or taken for a name.
    fn tests_plainly(&self, node: Node<'_>) -> bool {
        let is_syntax = self.source(node).starts_with("[[");
        let mut parts = Vec::new();
        self.parts(node, &mut parts);
        parts.iter().enumerate().all(|(at, (word, is_quoted))| {
            let before = at.checked_sub(1).and_then(|at| parts.get(at));
            let beside = [before, parts.get(at + 1)];
            let mut beside = beside.into_iter().flatten().map(|(word, _)| word);
            let text = word.text.as_str();
            if word.literal && NAMING.contains(&text) {
                return false;
            }
            if is_syntax {
                return !COMPARING.contains(&text) || beside.all(|side| is_number(&side.text));
            }
            // Of `[` every word may turn out to be an operator.
            let is_known = word.literal && !word.glob;
            is_known || *is_quoted && (parts.len() == 1 || beside.any(is_operator))
        })
    }

    /// The words and operators of a test, each with whether it stands in double quotes.
    fn parts(&self, node: Node<'_>, parts: &mut Vec<(Word, bool)>) {
        let mut cursor = node.walk();
        for child in node.children(&mut cursor) {
            let kind = child.kind();
            if kind.ends_with("_expression") {
                self.parts(child, parts);
            } else if child.is_named() {
                parts.push((Word::of(child, self.text), kind == "string"));
            } else if !matches!(kind, "[[" | "]]" | "[" | "]") {
                parts.push((Word::literal(kind), false));
            }
        }
    }
}

/// Whether a node is a part of `${…}`.
fn is_expanded(node: Node<'_>) -> bool {
    let mut above = node.parent();
    while let Some(node) = above {
        match node.kind() {
            "expansion" => return true,
            "command" | "command_substitution" | "process_substitution" => return false,
            _ => above = node.parent(),
        }
    }
    false
}

fn is_operator(word: &Word) -> bool {
    word.literal && (word.text.starts_with('-') || SIGNS.contains(&word.text.as_str()))
}

fn is_number(text: &str) -> bool {
    let digits = text.strip_prefix('-').unwrap_or(text);
    !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
}

fn is_index(text: &str) -> bool {
    matches!(text, "@" | "*") || is_number(text)
}

/// Whether a calculation holds nothing but numbers and signs.
fn has_numbers_only(node: Node<'_>) -> bool {
    let mut cursor = node.walk();
    node.named_children(&mut cursor)
        .all(|child| match child.kind() {
            "number" => child.named_child_count() == 0,
            "binary_expression"
            | "parenthesized_expression"
            | "postfix_expression"
            | "ternary_expression"
            | "unary_expression" => has_numbers_only(child),
            _ => false,
        })
}

/// Whether `${…}` puts the text of a variable in its place, as a whole or in a part that no calculation decides, and
/// sets none.
pub(super) fn expands_plainly(text: &str) -> bool {
    let Some(inner) = text
        .strip_prefix("${")
        .and_then(|text| text.strip_suffix('}'))
    else {
        return false;
    };
    let is_of_name = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
    // `${#x}` is how long it is.
    let inner = match inner.strip_prefix('#') {
        Some(counted) if counted.starts_with(is_of_name) => counted,
        _ => inner,
    };
    let end = inner.find(|letter| !is_of_name(letter));
    let end = match end {
        // One of `${?}`, `${#}`, `${@}`.
        Some(0) if inner.starts_with(['?', '#', '@', '*', '$', '-']) => 1,
        Some(0) => return inner == "!",
        Some(end) => end,
        None => return !inner.is_empty(),
    };
    let rest = inner.get(end..).unwrap_or_default();
    let index = rest.strip_prefix('[').and_then(|rest| rest.split_once(']'));
    let rest = match index {
        Some((index, rest)) if is_index(index) => rest,
        _ => rest,
    };
    // Of expansions inside of it none is looked at here.
    if rest.contains("${") || rest.contains("$[") {
        return false;
    }
    match rest.strip_prefix(':').unwrap_or(rest).chars().next() {
        None => !rest.starts_with(':'),
        Some('-' | '+' | '?') => true,
        Some('#' | '%' | '/' | '^' | ',') => !rest.starts_with(':'),
        Some(_) => {
            rest.starts_with(':')
                && rest
                    .chars()
                    .all(|letter| letter == ':' || letter.is_ascii_digit())
        }
    }
}
