//! What stands on lines of its own.

use std::cell::Cell;

use scraper::{Html, Node};

use super::{
    convert::Options,
    escape,
    parse::{At, DEEPEST, attribute, is_block, name, text},
    removed::Removal,
};
use crate::text::sanitize;

/// The most bytes that are written.
const MOST: usize = 32 * 1024 * 1024;
/// How deep quotes and lists are moved to the right.
const DEEPEST_INDENT: usize = 12;

/// A finished block.
pub(super) struct Block {
    text: String,
    /// Whether a list stands close below what it belongs to.
    is_list: bool,
}

impl Block {
    pub(super) fn plain(text: String) -> Self {
        Self {
            text,
            is_list: false,
        }
    }
}

/// Writes one page.
pub(super) struct Writer<'t> {
    page: &'t Html,
    pub(super) options: &'t Options,
    pub(super) removal: Removal<'t>,
    stop: &'t dyn Fn() -> bool,
    /// Bytes written so far, those of inner blocks again for every block around them.
    written: Cell<usize>,
}

impl<'t> Writer<'t> {
    pub(super) fn new(page: &'t Html, options: &'t Options, stop: &'t dyn Fn() -> bool) -> Self {
        Self {
            page,
            options,
            removal: Removal::new(page),
            stop,
            written: Cell::new(0),
        }
    }

    /// The whole page.
    pub(super) fn document(&self) -> String {
        join(&self.blocks(self.page.tree.root(), 0, 0), false)
    }

    /// Whether nothing more is written.
    pub(super) fn is_full(&self) -> bool {
        self.written.get() > MOST || (self.stop)()
    }

    pub(super) fn push(&self, blocks: &mut Vec<Block>, block: Block) {
        if !block.text.trim().is_empty() {
            self.written.set(self.written.get() + block.text.len());
            blocks.push(block);
        }
    }

    /// The children of a node as blocks. `indent` counts the lists and quotes around them.
    pub(super) fn blocks(&self, node: At<'t>, depth: usize, indent: usize) -> Vec<Block> {
        let mut blocks = Vec::new();
        let mut line = String::new();
        for child in node.children() {
            if self.is_full() {
                break;
            }
            if self.removal.takes(child) {
                continue;
            }
            if self.stands_alone(child, depth) {
                self.push(&mut blocks, paragraph(&std::mem::take(&mut line)));
                self.block(child, &mut blocks, depth + 1, indent);
            } else {
                self.inline(child, &mut line, depth + 1);
            }
        }
        self.push(&mut blocks, paragraph(&line));
        blocks
    }

    /// Whether a node is a block, or an unknown element around one.
    fn stands_alone(&self, node: At<'t>, depth: usize) -> bool {
        let Node::Element(element) = node.value() else {
            return false;
        };
        let is_line = matches!(element.name(), "a" | "code" | "kbd" | "samp" | "tt");
        if is_block(element.name()) {
            return true;
        }
        !is_line
            && depth < DEEPEST
            && node
                .descendants()
                .skip(1)
                .any(|inner| is_block(name(inner)))
    }

    fn block(&self, node: At<'t>, blocks: &mut Vec<Block>, depth: usize, indent: usize) {
        if depth > DEEPEST {
            let mut line = String::new();
            escape::push(&mut line, &sanitize::clean(&text(node)));
            return self.push(blocks, paragraph(&line));
        }
        match name(node) {
            level @ ("h1" | "h2" | "h3" | "h4" | "h5" | "h6") => {
                let words = self.single_line(node, depth);
                let marks = level.as_bytes().get(1).map_or(1, |digit| digit - b'0');
                if !words.is_empty() {
                    let heading = format!("{} {words}", "#".repeat(usize::from(marks)));
                    self.push(blocks, Block::plain(heading));
                }
            }
            "hr" => self.push(blocks, Block::plain("---".to_owned())),
            "pre" => self.push(blocks, code_block(node)),
            "blockquote" => {
                let inner = join(&self.blocks(node, depth, indent + 1), false);
                if indent >= DEEPEST_INDENT {
                    return self.push(blocks, Block::plain(inner));
                }
                let quoted = inner.lines().map(|line| format!("> {line}"));
                let quoted: Vec<String> = quoted.map(|line| line.trim_end().to_owned()).collect();
                self.push(blocks, Block::plain(quoted.join("\n")));
            }
            "ul" | "ol" | "menu" => {
                let text = self.list(node, depth, indent);
                // Only a list that counts from one may follow a paragraph without a blank line.
                let is_list = attribute(node, "start").is_none();
                self.push(blocks, Block { text, is_list });
            }
            "table" => self.table(node, blocks, depth),
            _ => {
                for block in self.blocks(node, depth, indent) {
                    self.push(blocks, block);
                }
            }
        }
    }

    fn list(&self, list: At<'t>, depth: usize, indent: usize) -> String {
        let is_numbered = name(list) == "ol";
        let start = attribute(list, "start").and_then(|start| start.trim().parse().ok());
        let mut number: u32 = start.unwrap_or(1);
        let mut items: Vec<String> = Vec::new();
        let mut is_loose = false;
        for item in list.children().filter(|item| item.value().is_element()) {
            if self.removal.takes(item) || self.is_full() {
                continue;
            }
            let is_item = name(item) == "li";
            let blocks = if is_item {
                self.blocks(item, depth + 1, indent + 1)
            } else {
                let mut blocks = Vec::new();
                self.block(item, &mut blocks, depth + 1, indent + 1);
                blocks
            };
            let is_tight = blocks.iter().filter(|block| !block.is_list).count() <= 1;
            let text = join(&blocks, is_tight);
            if text.is_empty() {
                continue;
            }
            let marker = if is_numbered {
                format!("{number}. ")
            } else {
                "- ".to_owned()
            };
            let pad = if indent >= DEEPEST_INDENT {
                0
            } else {
                marker.len()
            };
            if !is_item && let Some(last) = items.last_mut() {
                // A list right inside of a list belongs to the item before it.
                last.push('\n');
                last.push_str(&indented(&text, pad, pad));
                continue;
            }
            is_loose |= !is_tight;
            let mark = self.check_box(item).unwrap_or_default();
            let text = indented(&text, pad, 0);
            items.push(format!("{marker}{mark}{text}"));
            number = number.saturating_add(1);
        }
        items.join(if is_loose { "\n\n" } else { "\n" })
    }

    /// The box that an item starts with.
    fn check_box(&self, item: At<'t>) -> Option<&'static str> {
        if !self.options.task_list {
            return None;
        }
        let first = item.descendants().skip(1).find(|node| match node.value() {
            Node::Text(text) => !text.trim().is_empty(),
            Node::Element(element) => element.name() == "input",
            _ => false,
        })?;
        let is_box =
            attribute(first, "type").is_some_and(|kind| kind.eq_ignore_ascii_case("checkbox"));
        let mark = if attribute(first, "checked").is_some() {
            "[x] "
        } else {
            "[ ] "
        };
        is_box.then_some(mark)
    }
}

/// A paragraph from a line with hard breaks.
pub(super) fn paragraph(line: &str) -> Block {
    let line = line.trim_matches([' ', '\n']);
    let line = line
        .strip_suffix('\\')
        .filter(|rest| !rest.ends_with('\\'))
        .unwrap_or(line);
    let lines: Vec<String> = line.split('\n').map(escape::start).collect();
    Block::plain(lines.join("\n"))
}

fn code_block(node: At<'_>) -> Block {
    let code = text(node).replace("\r\n", "\n");
    let code = code.strip_prefix('\n').unwrap_or(&code).trim_end();
    if code.is_empty() {
        return Block::plain(String::new());
    }
    let inner = node.children().find(|child| name(*child) == "code");
    let classes = [Some(node), inner].into_iter().flatten();
    let language = classes
        .filter_map(|node| attribute(node, "class"))
        .flat_map(str::split_ascii_whitespace)
        .find_map(|class| {
            class
                .strip_prefix("language-")
                .or(class.strip_prefix("lang-"))
        })
        .filter(|word| {
            let fits = |c: char| c.is_ascii_alphanumeric() || "+#-_.".contains(c);
            word.len() <= 30 && word.chars().all(fits)
        });
    Block::plain(escape::fenced(code, language.unwrap_or_default()))
}

/// Blocks with a blank line between them, in a tight item none before its list.
pub(super) fn join(blocks: &[Block], is_tight: bool) -> String {
    let mut text = String::new();
    for block in blocks {
        if !text.is_empty() {
            text.push_str(if block.is_list && is_tight {
                "\n"
            } else {
                "\n\n"
            });
        }
        text.push_str(&block.text);
    }
    text
}

fn indented(text: &str, pad: usize, first: usize) -> String {
    let lines = text.lines().enumerate().map(|(index, line)| {
        let pad = if index == 0 { first } else { pad };
        if line.is_empty() {
            String::new()
        } else {
            format!("{}{line}", " ".repeat(pad))
        }
    });
    lines.collect::<Vec<_>>().join("\n")
}
