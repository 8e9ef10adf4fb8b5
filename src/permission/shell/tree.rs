//! From the syntax tree of a line to its simple commands.

use std::{borrow::Cow, cell::RefCell, collections::HashMap, ops::ControlFlow};

use tree_sitter::{Node, ParseOptions, Parser, Tree};

use super::{
    Input, Line, SHELLS, Simple, Word, assignments, crude, line::PRINTED, tamed, wrappers,
};

/// How often the parser may ask whether to go on; it asks every hundred steps.
const MOST_STEPS: usize = 20_000;
/// How deep the tree is followed.
const DEEPEST_NODE: usize = 200;

/// Nodes that only hold others.
const TRANSPARENT: &[&str] = &[
    "program",
    "list",
    "subshell",
    "compound_statement",
    "do_group",
    "if_statement",
    "elif_clause",
    "else_clause",
    "while_statement",
    "for_statement",
    "c_style_for_statement",
    "case_statement",
    "case_item",
    "function_definition",
    "negated_command",
    "test_command",
    "command_substitution",
    "process_substitution",
    "array",
    "subscript",
    "string",
    "translated_string",
    "concatenation",
    "expansion",
    "arithmetic_expansion",
    "binary_expression",
    "unary_expression",
    "postfix_expression",
    "ternary_expression",
    "parenthesized_expression",
    "brace_expression",
    "variable_assignments",
    "heredoc_body",
];

/// Nodes that hold nothing that runs.
const LEAVES: &[&str] = &[
    "comment",
    "word",
    "number",
    "raw_string",
    "ansi_c_string",
    "string_content",
    "simple_expansion",
    "variable_name",
    "special_variable_name",
    "file_descriptor",
    "heredoc_start",
    "heredoc_end",
    "heredoc_content",
    "test_operator",
    "extglob_pattern",
    "regex",
    "special_character",
];

/// Nodes that end with their line.
const ONE_LINE: &[&str] = &[
    "command",
    "declaration_command",
    "redirected_statement",
    "unset_command",
];

/// Words of the shell that are the name of no program.
const RESERVED: &[&str] = &[
    "!", "[[", "]]", "case", "do", "done", "elif", "else", "esac", "fi", "for", "function", "if",
    "select", "then", "until", "while", "{", "}",
];

/// Reads a text into a line.
pub(super) fn read(line: &mut Line, text: &str, depth: usize) {
    // Of a line without an end the grammar weighs every reading, which takes three times as long.
    let ended = if text.ends_with(['\n', '\\']) {
        Cow::Borrowed(text)
    } else {
        Cow::Owned(format!("{text}\n"))
    };
    let text: &str = &ended;
    let tamed = tamed::tamed(text);
    if let Cow::Owned(_) = tamed {
        line.doubt("the line holds characters that quarterdeck may read differently than bash");
        crude::read(line, text);
    }
    let Some(tree) = parse(&tamed) else {
        crude::read(line, text);
        return line.doubt("the line takes too long to be understood");
    };
    let root = tree.root_node();
    if root.has_error() {
        line.doubt("the line is not valid bash as far as quarterdeck knows it");
        crude::read(line, text);
    }
    let mut walk = Walk {
        line,
        text,
        depth,
        given: Vec::new(),
        behind: HashMap::new(),
        hidden: Vec::new(),
        is_crude: false,
    };
    walk.node(root, &Input::Inherited, 0);
    if walk.line.calculates {
        for text in std::mem::take(&mut walk.hidden) {
            crude::read(walk.line, &text);
        }
    }
    // The grammar may give a text to another command of its pipeline than bash does.
    let given = std::mem::take(&mut walk.given);
    if line
        .commands
        .iter()
        .any(|command| SHELLS.contains(&command.program()))
    {
        for text in given {
            wrappers::maybe(line, &text, depth);
        }
    }
}

thread_local! {
    /// A parser keeps the memory that it has worked in.
    static PARSER: RefCell<Option<Parser>> = RefCell::new(parser());
}

fn parser() -> Option<Parser> {
    let mut parser = Parser::new();
    let language = tree_sitter_bash::LANGUAGE.into();
    parser.set_language(&language).ok().map(|()| parser)
}

fn parse(text: &str) -> Option<Tree> {
    PARSER.with_borrow_mut(|parser| parse_with(parser.as_mut()?, text))
}

fn parse_with(parser: &mut Parser, text: &str) -> Option<Tree> {
    let mut left = MOST_STEPS;
    let mut progress = |_: &tree_sitter::ParseState| {
        left = left.saturating_sub(1);
        if left == 0 {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    };
    let options = ParseOptions::new().progress_callback(&mut progress);
    let bytes = text.as_bytes();
    let mut input = |at: usize, _| bytes.get(at..).unwrap_or_default();
    let tree = parser.parse_with_options(&mut input, None, Some(options));
    // One that was stopped would go on with its text.
    parser.reset();
    tree
}

/// A walk over the tree.
pub(super) struct Walk<'a> {
    pub(super) line: &'a mut Line,
    pub(super) text: &'a str,
    depth: usize,
    /// Texts that are given to commands.
    pub(super) given: Vec<String>,
    /// Arguments that stand behind a redirection, by the command's node: the grammar gives them to the redirection.
    pub(super) behind: HashMap<usize, Vec<Word>>,
    /// Texts that would substitute something if they were expanded once more.
    pub(super) hidden: Vec<String>,
    /// Whether what the whole text might run was added.
    pub(super) is_crude: bool,
}

impl<'a> Walk<'a> {
    pub(super) fn source(&self, node: Node<'_>) -> &'a str {
        self.text.get(node.byte_range()).unwrap_or_default()
    }

    pub(super) fn node(&mut self, node: Node<'_>, input: &Input, level: usize) {
        if level > DEEPEST_NODE {
            return self.line.doubt("the line is nested too deeply");
        }
        let kind = node.kind();
        if ONE_LINE.contains(&kind) {
            self.holds_together(node);
        }
        match kind {
            "command" => self.command(node, input, level),
            "pipeline" => self.pipeline(node, input, level),
            "redirected_statement" => self.redirected(node, input, level),
            "file_redirect" | "herestring_redirect" => self.redirect(node, level),
            "heredoc_redirect" => self.children(node, input, level),
            "variable_assignment" => self.assignment(node, level),
            "declaration_command" | "unset_command" => self.declaration(node, level),
            _ if LEAVES.contains(&kind) => self.leaf(node),
            _ if TRANSPARENT.contains(&kind) => {
                match kind {
                    "command_substitution" if self.source(node).starts_with("$(") => {
                        self.line.doubt_printed();
                    }
                    // In backquotes a backslash means something else than it does anywhere.
                    "command_substitution" if self.source(node).contains('\\') => {
                        self.line.doubt(PRINTED);
                        crude::read(self.line, self.source(node));
                    }
                    "command_substitution" | "process_substitution" => self.line.doubt(PRINTED),
                    _ => {}
                }
                self.evaluated(node);
                let start = self.line.commands.len();
                self.children(node, input, level);
                if kind == "function_definition" {
                    self.line.doubt("the line defines a function");
                    let name = node.child_by_field_name("name");
                    let name = name.map_or("", |name| self.source(name)).to_owned();
                    let body = start..self.line.commands.len();
                    self.line.functions.push((name, body));
                }
            }
            _ => {
                self.line.doubt(format!(
                    "`{}` is not understood",
                    shortened(self.source(node))
                ));
                self.children(node, input, level);
            }
        }
    }

    pub(super) fn children(&mut self, node: Node<'_>, input: &Input, level: usize) {
        let mut cursor = node.walk();
        for child in node.named_children(&mut cursor) {
            self.node(child, input, level + 1);
        }
    }

    /// Each command reads what the one before it prints.
    pub(super) fn pipeline(&mut self, node: Node<'_>, input: &Input, level: usize) {
        let mut input = input.clone();
        let mut cursor = node.walk();
        for child in node.named_children(&mut cursor) {
            let start = self.line.commands.len();
            self.node(child, &input, level + 1);
            input = Input::Pipe(start..self.line.commands.len());
        }
    }

    /// An assignment that is not in front of a command.
    fn assignment(&mut self, node: Node<'_>, level: usize) {
        self.ends(node);
        let (name, value) = self.named_value(node);
        if !assignments::is_harmless(&name) {
            self.line
                .doubt(format!("setting {name} may change what runs"));
        }
        self.line.set(&name, value);
        self.children(node, &Input::Inherited, level);
    }

    /// `export A=1`: a command whose arguments the grammar takes apart.
    fn declaration(&mut self, node: Node<'_>, level: usize) {
        let keyword = self.source(node).split_whitespace().next();
        let mut words = vec![Word::literal(keyword.unwrap_or_default())];
        let mut cursor = node.walk();
        for child in node.named_children(&mut cursor) {
            if child.kind() == "variable_assignment" {
                let (name, value) = self.named_value(child);
                words.push(Word {
                    text: format!("{name}={}", value.text),
                    ..value
                });
            } else {
                words.push(Word::of(child, self.text));
            }
        }
        let command = Simple {
            words,
            ..Simple::default()
        };
        self.line.push(command, self.depth);
        self.children(node, &Input::Inherited, level);
    }

    fn named_value(&self, node: Node<'_>) -> (String, Word) {
        let name = node
            .child_by_field_name("name")
            .map_or("", |name| self.source(name));
        let value = node
            .child_by_field_name("value")
            .map_or_else(|| Word::literal(""), |value| Word::of(value, self.text));
        (name.to_owned(), value)
    }

    fn command(&mut self, node: Node<'_>, input: &Input, level: usize) {
        let mut command = Simple {
            input: input.clone(),
            ..Simple::default()
        };
        let mut cursor = node.walk();
        let mut inner = Vec::new();
        for child in node.children(&mut cursor) {
            match child.kind() {
                "variable_assignment" => {
                    self.ends(child);
                    let (name, value) = self.named_value(child);
                    command.assignments.push((name, value));
                    inner.push(child);
                }
                "file_redirect" | "herestring_redirect" | "heredoc_redirect" => {
                    if let Some(given) = self.given(child) {
                        if let Input::Text(text, false) = &given {
                            self.text_to_expand(text);
                        }
                        command.input = given;
                    }
                    command.words.extend(self.words_behind(child));
                    self.redirect(child, level + 1);
                }
                "comment" => {}
                // Words that are signs to the grammar: `==`, `$`.
                _ if !child.is_named() => command.words.push(Word::literal(child.kind())),
                _ if self.is_descriptor(child) => {}
                _ => {
                    self.ends(child);
                    command.words.push(Word::of(child, self.text));
                    inner.push(child);
                }
            }
        }
        if let Some(words) = self.behind.remove(&node.id()) {
            command.words.extend(words);
        }
        let name = node.child_by_field_name("name");
        if name.is_some_and(|name| RESERVED.contains(&self.source(name))) {
            // The grammar knows `{` behind `!` as a word only.
            self.line
                .doubt("a word of the shell stands in the place of a program");
            self.read_crudely();
            let is_reserved = |word: &Word| RESERVED.contains(&word.text.as_str());
            let start = command.words.iter().position(|word| !is_reserved(word));
            command.words.drain(..start.unwrap_or(command.words.len()));
        }
        if command
            .words
            .first()
            .is_none_or(|program| !program.literal || program.glob)
        {
            self.line.doubt(format!(
                "which program `{}` runs is not known before it runs",
                shortened(self.source(node))
            ));
        }
        for (name, value) in &command.assignments {
            if !assignments::is_harmless_value(name, value) {
                let doubt = format!("setting {name} may change what runs");
                self.line.doubt(doubt);
            }
        }
        self.line.push(command, self.depth);
        // Commands inside of the words run first, but are told last: the order does not matter to a judge.
        for child in inner {
            self.inside(child, level + 1);
        }
    }

    /// Substitutions inside of a word.
    fn inside(&mut self, node: Node<'_>, level: usize) {
        match node.kind() {
            "command_name" | "variable_assignment" => {
                self.children(node, &Input::Inherited, level);
            }
            kind if LEAVES.contains(&kind) => self.leaf(node),
            _ => self.node(node, &Input::Inherited, level),
        }
    }
}

/// The beginning of a source text.
fn shortened(text: &str) -> String {
    let mut short: String = text.chars().take(40).collect();
    if short.len() < text.len() {
        short.push('…');
    }
    short
}
