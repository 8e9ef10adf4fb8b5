//! The tree of a page.

use ego_tree::NodeRef;
use html5ever::{
    ParseOpts, driver,
    tendril::{StrTendril, TendrilSink as _},
};
use scraper::{Html, HtmlTreeSink, Node, node::Element};

/// How much is parsed between two looks at the clock: deep nesting makes the work grow with its square.
const PIECE: usize = 4096;
/// How deep elements are written one inside the other; below that only their text is.
pub(super) const DEEPEST: usize = 120;

/// A node of the tree.
pub(super) type At<'t> = NodeRef<'t, Node>;

/// Parses a page; `None` when `stop` said so.
pub(super) fn parse(html: &str, stop: &dyn Fn() -> bool) -> Option<Html> {
    let sink = HtmlTreeSink::new(Html::new_document());
    let mut parser = driver::parse_document(sink, ParseOpts::default());
    let mut rest = html;
    while !rest.is_empty() {
        if stop() {
            return None;
        }
        let (piece, behind) = rest.split_at(rest.floor_char_boundary(PIECE.max(4)));
        parser.process(StrTendril::from(piece));
        rest = behind;
    }
    Some(parser.finish())
}

/// The element of a node.
pub(super) fn element(node: At<'_>) -> Option<&Element> {
    node.value().as_element()
}

/// The name of an element; empty for other nodes.
pub(super) fn name(node: At<'_>) -> &str {
    node.value()
        .as_element()
        .map_or("", |element| element.name())
}

/// An attribute of an element.
pub(super) fn attribute<'t>(node: At<'t>, name: &str) -> Option<&'t str> {
    node.value().as_element()?.attr(name)
}

/// Whether an element stands on lines of its own.
pub(super) fn is_block(name: &str) -> bool {
    matches!(
        name,
        "address"
            | "article"
            | "aside"
            | "blockquote"
            | "body"
            | "caption"
            | "center"
            | "dd"
            | "details"
            | "div"
            | "dl"
            | "dt"
            | "fieldset"
            | "figcaption"
            | "figure"
            | "footer"
            | "form"
            | "h1"
            | "h2"
            | "h3"
            | "h4"
            | "h5"
            | "h6"
            | "header"
            | "hgroup"
            | "hr"
            | "html"
            | "li"
            | "main"
            | "menu"
            | "ol"
            | "p"
            | "pre"
            | "section"
            | "summary"
            | "table"
            | "tbody"
            | "td"
            | "tfoot"
            | "th"
            | "thead"
            | "tr"
            | "ul"
    )
}

/// All the text below a node, as it stands; a line break is one.
pub(super) fn text(node: At<'_>) -> String {
    let mut text = String::new();
    for node in node.descendants() {
        match node.value() {
            Node::Text(piece) => text.push_str(piece),
            Node::Element(element) if element.name() == "br" => text.push('\n'),
            _ => {}
        }
    }
    text
}
