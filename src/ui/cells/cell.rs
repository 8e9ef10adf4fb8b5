//! From an entry to its rows, one line each.

use std::ops::Range;

use super::{assistant, notice, reasoning, recap, scene::Scene, tool_call, user};
use crate::ui::{
    panes::conversation::{Body, Entry, Fold},
    rows::{Row, Stack},
};

/// Rows of an entry.
#[derive(Clone, Debug, Default)]
pub struct Drawn {
    /// The rows.
    pub rows: Stack,
    /// Whether colours of code are still to come.
    pub unsettled: bool,
    /// Row and column of the caret while the person writes here.
    pub caret: Option<(usize, usize)>,
    /// The box in which the person decides, where there is one.
    pub boxed: Option<BoxPlace>,
}

/// Where a box stands in an entry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BoxPlace {
    /// Its rows.
    pub rows: Range<usize>,
    /// Whether all that must be seen before it is allowed stands in it.
    pub is_whole: bool,
}

impl From<Vec<Row>> for Drawn {
    fn from(rows: Vec<Row>) -> Self {
        Self {
            rows: rows.into(),
            ..Self::default()
        }
    }
}

/// Draws an entry.
pub fn draw(entry: &Entry, scene: &Scene<'_>) -> Drawn {
    let fold = entry.fold.unwrap_or_else(|| default_fold(entry));
    match &entry.body {
        Body::Said {
            speaker,
            lane,
            text,
        } => user::draw(speaker, *lane, text, entry.at_ms, fold, scene).into(),
        Body::Reply {
            document,
            is_labelled,
            ..
        } => assistant::draw(document, *is_labelled, scene),
        Body::Reasoning { text, streaming } => {
            reasoning::draw(text, *streaming, fold, scene).into()
        }
        Body::Draft { name, bytes, .. } => tool_call::draft(name, *bytes, scene).into(),
        Body::Call(call) => tool_call::draw(call, fold, scene),
        Body::Stage { severity, text } => notice::draw(*severity, text, scene).into(),
        Body::Recap { outcome, recap } => recap::draw(outcome, recap, scene).into(),
    }
}

/// How much of an entry is shown when the person chose nothing.
pub fn default_fold(entry: &Entry) -> Fold {
    match &entry.body {
        Body::Call(call) => tool_call::default_fold(call),
        Body::Reasoning { streaming, .. } if !*streaming => Fold::Line,
        _ => Fold::Preview,
    }
}
