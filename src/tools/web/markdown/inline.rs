//! What stands within a line.

use scraper::Node;
use url::Url;

use super::{
    blocks::Writer,
    escape,
    parse::{At, DEEPEST, attribute, is_block, name, text},
};
use crate::text::sanitize;

/// The longest address that is written.
const LONGEST_ADDRESS: usize = 2000;

impl<'t> Writer<'t> {
    /// The children of a node as one line; hard breaks are `\` and a newline.
    pub(super) fn line(&self, node: At<'t>, depth: usize) -> String {
        let mut line = String::new();
        for child in node.children() {
            self.inline(child, &mut line, depth + 1);
        }
        line
    }

    /// The same where no line can be broken.
    pub(super) fn single_line(&self, node: At<'t>, depth: usize) -> String {
        let line = self.line(node, depth).replace("\\\n", " ");
        line.split_whitespace().collect::<Vec<_>>().join(" ")
    }

    /// Adds a node to a line.
    pub(super) fn inline(&self, node: At<'t>, line: &mut String, depth: usize) {
        if let Node::Text(text) = node.value() {
            // An escape sequence is known as one only before marks are escaped.
            return escape::push(line, &sanitize::clean(text));
        }
        if self.removal.takes(node) || self.is_full() {
            return;
        }
        if depth > DEEPEST {
            return escape::push(line, &sanitize::clean(&text(node)));
        }
        match name(node) {
            "br" => {
                let end = line.trim_end_matches(' ').len();
                line.truncate(end);
                if !line.is_empty() {
                    line.push_str("\\\n");
                }
            }
            "strong" | "b" => wrap(line, &self.line(node, depth), "**"),
            "em" | "i" => wrap(line, &self.line(node, depth), "*"),
            "del" | "s" | "strike" if self.options.strikethrough => {
                wrap(line, &self.line(node, depth), "~~");
            }
            "code" | "kbd" | "samp" | "tt" => line.push_str(&escape::code(&text(node))),
            "a" => self.link(node, line, depth),
            "img" => self.image(node, line),
            "input" => {}
            name => {
                let gap = if is_block(name) { " " } else { "" };
                escape::push(line, gap);
                for child in node.children() {
                    self.inline(child, line, depth + 1);
                }
                escape::push(line, gap);
            }
        }
    }

    fn link(&self, node: At<'t>, line: &mut String, depth: usize) {
        let raw = self.line(node, depth);
        let words = raw.replace("\\\n", " ");
        let words = words.split_whitespace().collect::<Vec<_>>().join(" ");
        let Some(address) = attribute(node, "href").and_then(|href| self.address(href)) else {
            return append(line, &raw, &words);
        };
        if words.is_empty() {
            // A mark beside a heading is no link that anybody would follow.
            if attribute(node, "href").is_some_and(|href| !href.starts_with('#')) {
                line.push_str(&address);
            }
            return;
        }
        append(line, &raw, &format!("[{words}]({})", target(&address)));
    }

    fn image(&self, node: At<'t>, line: &mut String) {
        let alt = attribute(node, "alt").unwrap_or_default();
        let mut words = String::new();
        escape::push(&mut words, alt.trim());
        let source = attribute(node, "src").unwrap_or_default();
        match self.address(source) {
            Some(address) => line.push_str(&format!("![{words}]({})", target(&address))),
            None => line.push_str(&words),
        }
    }

    /// An address made absolute; `None` for a program, for data and for none.
    fn address(&self, text: &str) -> Option<String> {
        let text = text.trim();
        let is_too_much = text.is_empty() || text.len() > LONGEST_ADDRESS;
        let url = match &self.options.base {
            _ if is_too_much => return None,
            Some(base) => base.join(text).ok()?,
            None => Url::parse(text).ok()?,
        };
        let is_shown = matches!(url.scheme(), "http" | "https" | "mailto" | "ftp" | "tel");
        is_shown.then(|| String::from(url))
    }
}

/// An address as the target of a link.
fn target(address: &str) -> String {
    if address.contains(['(', ')', ' ']) {
        let address = address.replace('<', "%3C").replace('>', "%3E");
        format!("<{address}>")
    } else {
        address.to_owned()
    }
}

/// Adds a piece that was made from `raw`, with the spaces that stood around it.
fn append(line: &mut String, raw: &str, piece: &str) {
    let is_spaced = |line: &String| line.is_empty() || line.ends_with([' ', '\n']);
    if raw.starts_with(' ') && !is_spaced(line) {
        line.push(' ');
    }
    line.push_str(piece);
    if raw.ends_with(' ') && !is_spaced(line) {
        line.push(' ');
    }
}

/// Puts marks around text, none around nothing. Marks do not reach over hard breaks.
fn wrap(line: &mut String, raw: &str, mark: &str) {
    let pieces: Vec<String> = raw
        .split("\\\n")
        .map(|piece| {
            let words = piece.trim();
            if words.is_empty() {
                String::new()
            } else {
                format!("{mark}{words}{mark}")
            }
        })
        .collect();
    append(line, raw, &pieces.join("\\\n"));
}
