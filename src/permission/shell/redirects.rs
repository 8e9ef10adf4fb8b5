//! Redirections of a statement: the files, the texts that are given, and what else stands there.

use tree_sitter::Node;

use super::{Input, Redirect, Word, tree::Walk};

impl Walk<'_> {
    pub(super) fn redirected(&mut self, node: Node<'_>, input: &Input, level: usize) {
        let mut cursor = node.walk();
        let redirects: Vec<Node<'_>> = node
            .children_by_field_name("redirect", &mut cursor)
            .collect();
        let given = redirects.iter().find_map(|redirect| self.given(*redirect));
        if let Some(Input::Text(text, is_known)) = &given {
            if !is_known {
                self.text_to_expand(text);
            }
            self.given.push(text.clone());
        }
        let behind: Vec<Word> = redirects
            .iter()
            .flat_map(|redirect| self.words_behind(*redirect))
            .collect();
        if !behind.is_empty() {
            match node.child_by_field_name("body").and_then(last_command) {
                Some(command) => self.behind.entry(command.id()).or_default().extend(behind),
                None => {
                    self.line
                        .doubt("words behind a redirection are not understood");
                    self.read_crudely();
                }
            }
        }
        let start = self.line.commands.len();
        let input = given.unwrap_or_else(|| input.clone());
        let mut cursor = node.walk();
        for child in node.named_children(&mut cursor) {
            if !redirects.contains(&child) {
                self.node(child, &input, level + 1);
            }
        }
        let piped = Input::Pipe(start..self.line.commands.len());
        for redirect in redirects {
            if redirect.kind() == "heredoc_redirect" {
                self.behind_heredoc(redirect, &piped, level + 1);
            } else {
                self.redirect(redirect, level + 1);
            }
        }
    }

    /// Whether a word is the number of the stream that the redirection directly behind it is about. Behind an escaped
    /// line end the grammar takes it for an argument.
    pub(super) fn is_descriptor(&self, word: Node<'_>) -> bool {
        let behind = self.text.get(word.end_byte()..).unwrap_or_default();
        self.source(word).bytes().all(|byte| byte.is_ascii_digit())
            && behind.starts_with(['<', '>'])
    }

    /// Arguments of the command that stand behind one of its redirections.
    pub(super) fn words_behind(&self, redirect: Node<'_>) -> Vec<Word> {
        let mut cursor = redirect.walk();
        let mut words = Vec::new();
        match redirect.kind() {
            "file_redirect" => {
                let destinations = redirect.children_by_field_name("destination", &mut cursor);
                let words_behind = destinations
                    .skip(1)
                    .filter(|word| !self.is_descriptor(*word));
                words.extend(words_behind.map(|word| Word::of(word, self.text)));
            }
            "heredoc_redirect" => {
                for (at, child) in (0..).zip(redirect.children(&mut cursor)) {
                    match redirect.field_name_for_child(at) {
                        Some("argument") => words.push(Word::of(child, self.text)),
                        Some("redirect") => words.extend(self.words_behind(child)),
                        _ => {}
                    }
                }
            }
            _ => {}
        }
        words
    }

    /// What stands on the line of `<<`: more redirections, and commands that follow.
    fn behind_heredoc(&mut self, node: Node<'_>, piped: &Input, level: usize) {
        let mut cursor = node.walk();
        for child in node.named_children(&mut cursor) {
            match child.kind() {
                // The grammar puts the rest of a pipeline here; its first command reads from the redirected one.
                "pipeline" => self.pipeline(child, piped, level),
                _ => self.node(child, &Input::Inherited, level),
            }
        }
    }

    /// The text that a redirection gives to a command.
    pub(super) fn given(&self, node: Node<'_>) -> Option<Input> {
        let mut cursor = node.walk();
        match node.kind() {
            "herestring_redirect" => {
                let word = Word::of(node.named_child(0)?, self.text);
                Some(Input::Text(word.text, word.literal))
            }
            "heredoc_redirect" => {
                let mut children = node.named_children(&mut cursor);
                let start = children.find(|child| child.kind() == "heredoc_start")?;
                let end = children.find(|child| child.kind() == "heredoc_end");
                let is_quoted = self.source(start).contains(['\'', '"', '\\']);
                // The grammar's own node of the body may lack its beginning.
                let behind = self.text.get(start.end_byte()..)?;
                let from = start.end_byte() + behind.find('\n').map_or(behind.len(), |at| at + 1);
                let to = end.map_or(node.end_byte(), |end| end.start_byte());
                let text = self.text.get(from..to.max(from)).unwrap_or_default();
                let is_known = is_quoted || !text.contains(['$', '`', '\\']);
                Some(Input::Text(text.to_owned(), is_known))
            }
            _ => None,
        }
    }

    pub(super) fn redirect(&mut self, node: Node<'_>, level: usize) {
        self.children(node, &Input::Inherited, level);
        if node.kind() != "file_redirect" {
            return;
        }
        let mut cursor = node.walk();
        let operator = node
            .children(&mut cursor)
            .find(|child| !child.is_named())
            .map_or("", |child| child.kind());
        let Some(destination) = node.child_by_field_name("destination") else {
            // `2>&-` closes a stream.
            return;
        };
        let file = Word::of(destination, self.text);
        let is_stream = operator.ends_with('&') && file.text.chars().all(|c| c.is_ascii_digit());
        let is_nowhere = file.literal && file.text == "/dev/null";
        if !is_stream && !is_nowhere {
            self.line.redirects.push(Redirect {
                writes: operator != "<",
                file,
            });
        }
    }
}

/// The command that ends a statement, to which a redirection behind it belongs.
fn last_command(node: Node<'_>) -> Option<Node<'_>> {
    match node.kind() {
        "command" => Some(node),
        "pipeline" | "list" | "negated_command" => {
            let last = node.named_child_count().checked_sub(1)?;
            last_command(node.named_child(u32::try_from(last).ok()?)?)
        }
        _ => None,
    }
}
