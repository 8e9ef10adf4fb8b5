//! Words: what stands in a line once quotes and escapes are gone.

use tree_sitter::Node;

/// A word of a command.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Word {
    /// Its text; of what is not known before the line runs, the source.
    pub text: String,
    /// Whether the text is exactly what the program gets.
    pub literal: bool,
    /// Whether file names are put in its place (`*.rs`).
    pub glob: bool,
}

impl Word {
    /// A word that is known.
    pub fn literal(text: impl Into<String>) -> Self {
        Self {
            text: text.into(),
            literal: true,
            glob: false,
        }
    }

    /// A word that is not known before the line runs.
    pub fn unknown(text: impl Into<String>) -> Self {
        Self {
            text: text.into(),
            literal: false,
            glob: false,
        }
    }

    /// The word of a node.
    pub(super) fn of(node: Node<'_>, source: &str) -> Self {
        let mut word = Self::literal("");
        let mut has_brace = false;
        word.take(node, source, &mut has_brace);
        if has_brace && (word.text.contains(',') || word.text.contains("..")) {
            word.literal = false;
        }
        word
    }

    fn take(&mut self, node: Node<'_>, source: &str, has_brace: &mut bool) {
        let text = source.get(node.byte_range()).unwrap_or_default();
        match node.kind() {
            "word" | "variable_name" | "special_character" | "test_operator" => {
                *has_brace |= text.contains(['{', '}']);
                self.bare(text);
            }
            // Braces that stand alone are nodes without a name.
            "{" | "}" => {
                *has_brace = true;
                self.text.push_str(text);
            }
            "number" => self.text.push_str(text),
            "raw_string" => self.text.push_str(text.trim_matches('\'')),
            "ansi_c_string" => match decoded(text) {
                Some(text) => self.text.push_str(&text),
                None => self.unknown_part(text),
            },
            "string" if !is_translated(node, source) => self.quoted(node, source),
            "concatenation" | "command_name" => {
                let mut cursor = node.walk();
                let mut end = node.start_byte();
                for child in node.children(&mut cursor) {
                    // Between the parts of a word stands nothing; if something does, it was not understood.
                    if child.start_byte() != end {
                        self.literal = false;
                    }
                    self.take(child, source, has_brace);
                    end = child.end_byte();
                }
            }
            _ => self.unknown_part(text),
        }
    }

    fn unknown_part(&mut self, text: &str) {
        self.text.push_str(text);
        self.literal = false;
    }

    /// An unquoted part.
    fn bare(&mut self, text: &str) {
        if self.text.is_empty() && text.starts_with('~') {
            self.literal = false;
        }
        let mut characters = text.chars();
        while let Some(character) = characters.next() {
            match character {
                '\\' => match characters.next() {
                    // A line that goes on.
                    Some('\n') => {}
                    Some(escaped) => self.text.push(escaped),
                    None => self.literal = false,
                },
                '*' | '?' | '[' => {
                    self.glob = true;
                    self.text.push(character);
                }
                '$' | '`' => {
                    self.literal = false;
                    self.text.push(character);
                }
                other => self.text.push(other),
            }
        }
    }

    /// A part in double quotes.
    fn quoted(&mut self, node: Node<'_>, source: &str) {
        let mut cursor = node.walk();
        let mut end = node.start_byte() + 1;
        let inner_end = node.end_byte().saturating_sub(1);
        for child in node.named_children(&mut cursor) {
            // White space in front of an expansion belongs to the text and to no node.
            self.escaped(source.get(end..child.start_byte()).unwrap_or_default());
            let text = source.get(child.byte_range()).unwrap_or_default();
            match child.kind() {
                "string_content" => self.escaped(text),
                _ => self.unknown_part(text),
            }
            end = child.end_byte();
        }
        self.escaped(source.get(end..inner_end).unwrap_or_default());
    }

    /// Text inside double quotes: a backslash counts before `$`, a backquote, `"`, itself and a line end.
    fn escaped(&mut self, text: &str) {
        let mut characters = text.chars().peekable();
        while let Some(character) = characters.next() {
            match (character, characters.peek()) {
                ('\\', Some('\n')) => {
                    characters.next();
                }
                ('\\', Some(&next)) if matches!(next, '$' | '`' | '"' | '\\') => {
                    characters.next();
                    self.text.push(next);
                }
                ('$' | '`', _) => {
                    self.text.push(character);
                    self.literal = false;
                }
                (other, _) => self.text.push(other),
            }
        }
    }
}

/// `$"…"`: its text may be replaced by a translation.
fn is_translated(node: Node<'_>, source: &str) -> bool {
    let before = source.get(..node.start_byte()).unwrap_or_default();
    before.ends_with('$')
        || !source
            .get(node.byte_range())
            .unwrap_or_default()
            .starts_with('"')
}

/// The text of `$'…'`; `None` when it holds an escape that is not known here.
fn decoded(text: &str) -> Option<String> {
    let inner = text.strip_prefix("$'")?.strip_suffix('\'')?;
    let mut decoded = String::new();
    let mut characters = inner.chars();
    while let Some(character) = characters.next() {
        if character != '\\' {
            decoded.push(character);
            continue;
        }
        decoded.push(match characters.next()? {
            'n' => '\n',
            't' => '\t',
            '\\' => '\\',
            '\'' => '\'',
            '"' => '"',
            'x' => {
                let digits: String = characters.by_ref().take(2).collect();
                let byte = u8::from_str_radix(&digits, 16).ok()?;
                (digits.len() == 2 && byte.is_ascii_graphic()).then_some(char::from(byte))?
            }
            _ => return None,
        });
    }
    Some(decoded)
}
