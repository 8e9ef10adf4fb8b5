//! What of a page is not content.

use std::cell::OnceCell;

use scraper::{Html, Node};

use super::parse::{At, attribute, element, name};

/// Elements that never hold content.
const ELEMENTS: &[&str] = &[
    "aside", "base", "button", "canvas", "dialog", "embed", "head", "iframe", "link", "meta",
    "nav", "noscript", "object", "script", "select", "style", "svg", "template", "textarea",
    "title",
];
const ROLES: &[&str] = &[
    "banner",
    "complementary",
    "contentinfo",
    "dialog",
    "navigation",
    "search",
];
/// Words of classes and ids.
const WORDS: &[&str] = &[
    "ad",
    "ads",
    "advert",
    "advertisement",
    "adverts",
    "breadcrumb",
    "breadcrumbs",
    "consent",
    "cookie",
    "cookies",
    "gdpr",
    "menu",
    "modal",
    "nav",
    "navbar",
    "navigation",
    "newsletter",
    "popup",
    "promo",
    "share",
    "sharing",
    "sidebar",
    "skiplink",
    "social",
    "sponsor",
    "sponsored",
    "subscribe",
    "subscription",
];
/// Whole classes.
const CLASSES: &[&str] = &[
    "screen-reader-text",
    "skip-link",
    "sr-only",
    "visually-hidden",
];

/// Says of elements whether they are left out.
pub(super) struct Removal<'t> {
    page: &'t Html,
    /// Bytes of text in the page, when somebody asked.
    text: OnceCell<usize>,
}

impl<'t> Removal<'t> {
    pub(super) fn new(page: &'t Html) -> Self {
        Self {
            page,
            text: OnceCell::new(),
        }
    }

    /// Whether an element is left out with all that is in it.
    pub(super) fn takes(&self, node: At<'t>) -> bool {
        let Some(element) = element(node) else {
            return !matches!(
                node.value(),
                Node::Text(_) | Node::Document | Node::Fragment
            );
        };
        let name = element.name();
        if matches!(name, "html" | "body" | "main" | "article") {
            return false;
        }
        if ELEMENTS.contains(&name) {
            return true;
        }
        let is = |attribute: &str, value: &str| {
            element
                .attr(attribute)
                .is_some_and(|given| given.trim().eq_ignore_ascii_case(value))
        };
        if element.attr("hidden").is_some() || is("aria-hidden", "true") {
            return true;
        }
        if name == "input" && !is("type", "checkbox") {
            return true;
        }
        if name == "footer" && !is_inside_content(node) {
            return true;
        }
        if ROLES.iter().any(|role| is("role", role)) {
            return true;
        }
        if element.attr("class").is_none() && element.attr("id").is_none() {
            return false;
        }
        (names_class(node) || names_word(node)) && !self.is_content(node)
    }

    /// Whether an element with a telling name holds the content all the same.
    fn is_content(&self, node: At<'t>) -> bool {
        let holds = node
            .descendants()
            .any(|inner| matches!(name(inner), "main" | "article" | "h1"));
        let all = *self.text.get_or_init(|| length(self.page.tree.root()));
        holds || length(node) * 2 > all
    }
}

/// Bytes of text below a node, programs and styles left out.
fn length(node: At<'_>) -> usize {
    let is_read = |text: &At<'_>| {
        let parent = text.parent().map_or("", name);
        !matches!(
            parent,
            "script" | "style" | "title" | "noscript" | "template"
        )
    };
    let texts = node.descendants().filter(is_read);
    texts
        .filter_map(|node| node.value().as_text())
        .map(|text| text.trim().len())
        .sum()
}

fn is_inside_content(node: At<'_>) -> bool {
    node.ancestors()
        .any(|above| matches!(name(above), "article" | "main"))
}

fn names_class(node: At<'_>) -> bool {
    let classes = attribute(node, "class").unwrap_or_default();
    classes.split_ascii_whitespace().any(|class| {
        CLASSES
            .iter()
            .any(|known| class.eq_ignore_ascii_case(known))
    })
}

fn names_word(node: At<'_>) -> bool {
    let names = ["class", "id"].map(|which| attribute(node, which).unwrap_or_default());
    names.iter().any(|names| {
        names
            .split(|c: char| c.is_ascii_whitespace() || matches!(c, '-' | '_'))
            .any(|word| WORDS.iter().any(|known| word.eq_ignore_ascii_case(known)))
    })
}
