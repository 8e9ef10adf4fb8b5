//! From the text of a page to its Markdown.

use schemars::JsonSchema;
use serde::Deserialize;
use url::Url;

use super::{blocks::Writer, parse};
use crate::text::sanitize;

/// What becomes of tables whose cells span others.
#[derive(Clone, Copy, Debug, Default, Deserialize, JsonSchema, PartialEq, Eq)]
#[serde(rename_all = "snake_case")]
pub(in crate::tools::web) enum Tables {
    /// They stay HTML.
    #[default]
    Html,
    /// A cell is repeated wherever it reaches.
    Flatten,
}

/// How a page is written.
#[derive(Clone, Debug, Default)]
pub(in crate::tools::web) struct Options {
    /// What links are relative to.
    pub(in crate::tools::web) base: Option<Url>,
    pub(in crate::tools::web) tables: Tables,
    /// Whether struck text is marked.
    pub(in crate::tools::web) strikethrough: bool,
    /// Whether boxes of lists are kept.
    pub(in crate::tools::web) task_list: bool,
}

/// The Markdown of a page, ending in one newline; empty when nothing is left. `None` when `stop` said so.
pub(in crate::tools::web) fn convert(
    html: &str,
    options: &Options,
    stop: &dyn Fn() -> bool,
) -> Option<String> {
    let page = parse::parse(html, stop)?;
    let writer = Writer::new(&page, options, stop);
    let markdown = writer.document();
    if stop() {
        return None;
    }
    let markdown = sanitize::clean(&markdown);
    let markdown = markdown.trim();
    if markdown.is_empty() {
        return Some(String::new());
    }
    Some(format!("{markdown}\n"))
}

#[cfg(test)]
#[path = "convert_tests.rs"]
mod tests;
