//! Reading pages of the web.
//!
//! `request` says what is asked for, `fetch` asks for it hop by hop, each judged before it is connected to; `wishes` and
//! `robots` are what a host wishes of programs. `body` says what came, `markdown` writes HTML as Markdown, `answer` is what a model
//! reads.

mod answer;
mod body;
mod client;
mod fetch;
mod markdown;
mod request;
mod robots;
mod save;
mod web_fetch;
mod wishes;

use super::contract::{AnyTool, Typed};

/// The family.
pub(super) const TOOLS: &[&dyn AnyTool] = &[&Typed::<web_fetch::WebFetch>::new()];
