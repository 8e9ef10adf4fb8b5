//! The call as it would run now: what it is about in full view, then every argument by name. What the person changed
//! stands where the original stood; the original follows, struck out.

use std::borrow::Cow;

use ratatui::style::Modifier;
use serde_json::Value as Json;

use super::{lines::Line, values::Value};
use crate::{
    domain::display::Display,
    engine::toolset::is_subject,
    text::{
        sanitize::{reveal, reveal_line},
        truncate::head,
        width::columns,
    },
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

/// The argument that a call is about.
struct Subject<'a> {
    /// Its name; none when it is no argument as it stands.
    name: Option<&'a str>,
    /// The whole of it.
    text: &'a str,
}

impl<'a> Asked<'a> {
    /// Whether hidden characters stand in what is shown, also where it is folded.
    pub(super) fn hides_something(&self) -> bool {
        let rest = self.told(&self.about());
        let mut rest = rest.iter().map(|(_, value)| text_of(value));
        self.path().is_some_and(|path| hides(&path))
            || hides(self.subject().text)
            || rest.any(|text| hides(&text))
    }

    /// A path is judged by where it leads, so that is what the person must see, before all else.
    pub(super) fn real_path(&self) -> Vec<Line> {
        let path = self.path();
        let value = |path: String| self.value(&path, StyleName::Warn.into(), self.inner).rows();
        path.map_or_else(Vec::new, value)
    }

    fn path(&self) -> Option<String> {
        let request = &self.approval.request;
        match &request.preview {
            Some(Display::Diff(change))
                if change.path != self.scene.shortened(&request.subject) =>
            {
                Some(format!("the file is {}", change.path))
            }
            _ => None,
        }
    }

    /// The one thing that matters most, exactly as it runs: a command that begins with the working directory is
    /// another one than the same without it.
    pub(super) fn subject(&self) -> Value<'a> {
        let subject = self.about();
        let edited = self.edited_as(subject.name);
        let look = Paint::of(StyleName::ApprovalSubject);
        self.value(edited.unwrap_or(subject.text), look, self.inner)
    }

    /// What the person changed it from, and every argument beside it that the change does not show.
    pub(super) fn rest(&self) -> Vec<Line> {
        let subject = self.about();
        let mut lines = Vec::new();
        if self.edited_as(subject.name).is_some() {
            lines.extend(self.original(subject.text, self.inner));
        }
        lines.extend(self.arguments(&subject));
        if self.shows_change && self.approval.edited.is_some() {
            lines.push(Row::of("you changed it; now it would do this:", StyleName::Warn).into());
        }
        lines
    }

    /// The whole argument, of which the request names one line.
    fn about(&self) -> Subject<'a> {
        let request = &self.approval.request;
        let subject = request.subject.as_str();
        let arguments = request.arguments.as_object().into_iter().flatten();
        let mut found = arguments.filter(|(_, value)| is_subject(value, subject));
        match (found.next(), found.next()) {
            (Some((name, Json::String(text))), None) => Subject {
                name: Some(name),
                text,
            },
            // Where several arguments say the same, each is shown with its name.
            _ => Subject {
                name: None,
                text: subject,
            },
        }
    }

    /// What an argument is now, when the person edited it.
    fn edited_as(&self, name: Option<&str>) -> Option<&'a str> {
        let editable = self.approval.request.editable.as_deref();
        let is_edited = name.is_some() && name == editable;
        self.approval.edited_text().filter(|_| is_edited)
    }

    /// What the person changed, as it was before.
    fn original(&self, text: &str, room: usize) -> Vec<Line> {
        let struck = Paint::of(StyleName::Dim).with(Modifier::CROSSED_OUT);
        let mut lines = vec![Row::of("you changed it from", StyleName::Warn).into()];
        lines.extend(self.value(text, struck, room).rows());
        lines
    }

    /// The arguments beside the subject that the change does not show; one without a name when they are no object.
    fn told(&self, subject: &Subject<'_>) -> Vec<(&'a str, &'a Json)> {
        let approval = self.approval;
        let request = &approval.request;
        // What is edited is told with what it was; what is chosen, as it would run.
        let arguments = match approval.hunks {
            Some(_) => approval.arguments(),
            None => &request.arguments,
        };
        let Some(map) = arguments.as_object() else {
            return vec![("", arguments)];
        };
        let is_told = |name: &str| {
            subject.name == Some(name)
                || (self.shows_change && request.previewed.iter().any(|told| told == name))
        };
        let fields = map.iter().filter(|(name, _)| !is_told(name));
        fields.map(|(name, value)| (name.as_str(), value)).collect()
    }

    /// These arguments, their names in front.
    fn arguments(&self, subject: &Subject<'_>) -> Vec<Line> {
        let told = self.told(subject);
        if let [("", value)] = told.as_slice() {
            let text = value.to_string();
            return self.value(&text, StyleName::Text.into(), self.inner).rows();
        }
        let names = told.iter().map(|(name, _)| columns(name)).max();
        let names = (names.unwrap_or(0) + 2).min(NAMES).min(self.inner / 2);
        let room = self.inner.saturating_sub(names).max(1);
        let mut lines = Vec::new();
        for (name, value) in told {
            let edited = self.edited_as(Some(name));
            let text = text_of(value);
            let name = reveal_line(name).text;
            let label = head(&name, names.saturating_sub(1)).into_owned();
            let pad = names.saturating_sub(columns(&label));
            let label = format!("{label}{}", " ".repeat(pad));
            let first = [Piece::new(label, StyleName::Dim)];
            let rest = [Piece::blank(names)];
            let value = self.value(edited.unwrap_or(&text), StyleName::Text.into(), room);
            let mut shown = value.rows();
            if edited.is_some() {
                shown.extend(self.original(&text, room));
            }
            for (index, mut line) in shown.into_iter().enumerate() {
                line.row = line.row.indented(if index == 0 { &first } else { &rest });
                lines.push(line);
            }
        }
        lines
    }

    fn value<'t>(&self, text: &'t str, look: Paint, width: usize) -> Value<'t>
    where
        'a: 't,
    {
        Value {
            text,
            look,
            width,
            key: self.key,
        }
    }
}

fn hides(text: &str) -> bool {
    reveal(text).is_suspicious()
}

fn text_of(value: &Json) -> Cow<'_, str> {
    match value {
        Json::String(text) => Cow::Borrowed(text),
        other => Cow::Owned(other.to_string()),
    }
}
