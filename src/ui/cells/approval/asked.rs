//! The call as it would run now: what it is about in full view, then every argument by name. What the person changed
//! stands where the original stood; the original follows, struck out.

use ratatui::style::Modifier;
use serde_json::Value;

use super::{lines::Line, values::value_rows};
use crate::{
    domain::display::Display,
    text::{sanitize::reveal_line, truncate::head, width::columns},
    ui::{
        cells::scene::Scene,
        panes::requests::approval::Approval,
        rows::{Paint, Piece, Row},
        theme::StyleName,
    },
};

/// Columns of the names of arguments.
const NAMES: usize = 14;

/// Draws values of one call.
pub(super) struct Asked<'a> {
    /// The call.
    pub(super) approval: &'a Approval,
    /// Columns inside the frame.
    pub(super) inner: usize,
    /// Whether the change that it makes is shown as well.
    pub(super) shows_change: bool,
    /// The key that shows all; empty when it does nothing here.
    pub(super) key: &'a str,
    /// What may be looked at.
    pub(super) scene: &'a Scene<'a>,
}

impl Asked<'_> {
    /// All rows but those of the change, and how many of them are what matters most.
    pub(super) fn lines(&self, suspicious: &mut bool) -> (Vec<Line>, usize) {
        let mut lines = self.real_path(suspicious);
        lines.extend(self.subject(suspicious));
        let first = lines.len();
        lines.extend(self.arguments(suspicious));
        if self.shows_change && self.approval.edited.is_some() {
            lines.push(Row::of("you changed it; now it would do this:", StyleName::Warn).into());
        }
        (lines, first)
    }

    /// A path is judged by where it leads, so that is what the person must see, before all else.
    fn real_path(&self, suspicious: &mut bool) -> Vec<Line> {
        let request = &self.approval.request;
        match &request.preview {
            Some(Display::Diff(change))
                if change.path != self.scene.shortened(&request.subject) =>
            {
                let path = format!("the file is {}", change.path);
                self.value(&path, StyleName::Warn.into(), self.inner, suspicious)
            }
            _ => Vec::new(),
        }
    }

    /// The one thing that matters most, exactly as it runs: a command that begins with the working directory is
    /// another one than the same without it.
    fn subject(&self, suspicious: &mut bool) -> Vec<Line> {
        let approval = self.approval;
        let subject = approval.request.subject.as_str();
        let is_edited = approval.original() == subject;
        let edited = approval.edited_text().filter(|_| is_edited);
        let shown = edited.unwrap_or(subject);
        let look = Paint::of(StyleName::ApprovalSubject);
        let mut lines = self.value(shown, look, self.inner, suspicious);
        if edited.is_some() {
            lines.extend(self.original(subject, self.inner, suspicious));
        }
        lines
    }

    /// What the person changed, as it was before.
    fn original(&self, text: &str, room: usize, suspicious: &mut bool) -> Vec<Line> {
        let struck = Paint::of(StyleName::Dim).with(Modifier::CROSSED_OUT);
        let mut lines = vec![Row::of("you changed it from", StyleName::Warn).into()];
        lines.extend(self.value(text, struck, room, suspicious));
        lines
    }

    /// Every argument beside the subject that the change does not show, its name in front.
    fn arguments(&self, suspicious: &mut bool) -> Vec<Line> {
        let approval = self.approval;
        let request = &approval.request;
        // What is edited is told with what it was; what is chosen, as it would run.
        let arguments = match approval.hunks {
            Some(_) => approval.arguments(),
            None => &request.arguments,
        };
        let Some(map) = arguments.as_object() else {
            let text = request.arguments.to_string();
            return self.value(&text, StyleName::Text.into(), self.inner, suspicious);
        };
        let is_subject = |value: &Value| value.as_str() == Some(request.subject.as_str());
        // Where several arguments say the same, each is shown with its name.
        let is_shown_above = map.values().filter(|value| is_subject(value)).count() == 1;
        let is_told = |name: &str, value: &Value| {
            (is_shown_above && is_subject(value))
                || (self.shows_change && request.previewed.iter().any(|told| told == name))
        };
        let told: Vec<(&String, &Value)> = map
            .iter()
            .filter(|(name, value)| !is_told(name, value))
            .collect();
        let names = told.iter().map(|(name, _)| columns(name)).max();
        let names = (names.unwrap_or(0) + 2).min(NAMES).min(self.inner / 2);
        let room = self.inner.saturating_sub(names).max(1);
        let mut lines = Vec::new();
        for (name, value) in told {
            let is_edited = request.editable.as_deref() == Some(name.as_str());
            let edited = approval.edited_text().filter(|_| is_edited);
            let text = match value {
                Value::String(text) => text.clone(),
                other => other.to_string(),
            };
            let name = reveal_line(name).text;
            let label = head(&name, names.saturating_sub(1)).into_owned();
            let pad = names.saturating_sub(columns(&label));
            let label = format!("{label}{}", " ".repeat(pad));
            let first = [Piece::new(label, StyleName::Dim)];
            let rest = [Piece::blank(names)];
            let shown = edited.unwrap_or(&text);
            let mut value = self.value(shown, StyleName::Text.into(), room, suspicious);
            if edited.is_some() {
                value.extend(self.original(&text, room, suspicious));
            }
            for (index, mut line) in value.into_iter().enumerate() {
                line.row = line.row.indented(if index == 0 { &first } else { &rest });
                lines.push(line);
            }
        }
        lines
    }

    fn value(&self, text: &str, look: Paint, width: usize, suspicious: &mut bool) -> Vec<Line> {
        value_rows(text, look, width, self.key, suspicious)
    }
}
