//! An approval while it waits: what was asked, and what the person has begun to say.

use std::borrow::Cow;

use serde_json::Value;

use super::answering::{hunks::Hunks, rule_line::RuleLine};
use crate::{
    domain::{
        approval::ApprovalRequest,
        display::{Display, FileDiff},
    },
    ui::{cells::ChangeMemo, panes::composer::Editor},
};

/// An approval and what the person has begun to say.
#[derive(Debug)]
pub struct Approval {
    /// What is asked.
    pub request: ApprovalRequest,
    /// What the keys do.
    pub mode: Mode,
    /// The person's reason, kept while the box is left.
    pub words: Editor,
    /// The argument being edited, kept while the box is left.
    pub argument: Editor,
    /// The arguments as edited; what "once" allows then.
    pub edited: Option<Value>,
    /// The rule being made, kept while the box is left.
    pub rule: Option<Box<RuleLine>>,
    /// Which parts of the change are made, once the person chose.
    pub hunks: Option<Hunks>,
    change: ChangeMemo,
}

/// What the keys do in an approval box.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mode {
    /// They answer.
    #[default]
    Answer,
    /// They write the reason of a rejection.
    Words,
    /// They edit the argument.
    Edit,
    /// They make a rule.
    Rule,
    /// They take and leave parts of the change.
    Hunks,
}

impl Approval {
    /// An approval that nothing was said to.
    pub fn new(request: ApprovalRequest) -> Self {
        Self {
            request,
            mode: Mode::Answer,
            words: Editor::multi_line(),
            argument: Editor::multi_line(),
            edited: None,
            change: ChangeMemo::default(),
            rule: None,
            hunks: None,
        }
    }

    /// What is known of the rows of the change.
    pub fn change_memo(&self) -> &ChangeMemo {
        &self.change
    }

    /// The text that keys type into now.
    pub fn editor(&self) -> Option<&Editor> {
        match self.mode {
            Mode::Answer | Mode::Hunks => None,
            Mode::Words => Some(&self.words),
            Mode::Edit => Some(&self.argument),
            Mode::Rule => self.rule.as_ref().map(|rule| &rule.pattern),
        }
    }

    /// The same, to change it.
    pub fn editor_mut(&mut self) -> Option<&mut Editor> {
        match self.mode {
            Mode::Answer | Mode::Hunks => None,
            Mode::Words => Some(&mut self.words),
            Mode::Edit => Some(&mut self.argument),
            Mode::Rule => self.rule.as_mut().map(|rule| &mut rule.pattern),
        }
    }

    /// The editable argument as it was sent.
    pub fn original(&self) -> &str {
        let name = self.request.editable.as_deref().unwrap_or_default();
        self.request
            .arguments
            .get(name)
            .and_then(Value::as_str)
            .unwrap_or_default()
    }

    /// The editable argument as the person edited it.
    pub fn edited_text(&self) -> Option<&str> {
        let name = self.request.editable.as_deref()?;
        self.edited.as_ref()?.get(name)?.as_str()
    }

    /// The call as it would run when it is allowed now.
    pub fn arguments(&self) -> &Value {
        self.edited.as_ref().unwrap_or(&self.request.arguments)
    }

    /// What would happen when it is allowed now; `None` when that is not known, or nothing beyond the arguments.
    pub fn preview(&self) -> Option<Cow<'_, Display>> {
        let preview = self.request.preview.as_ref()?;
        if let (Some(hunks), Some(_)) = (&self.hunks, &self.edited) {
            let Display::Diff(diff) = preview else {
                return None;
            };
            return hunks
                .without(diff)
                .map(|diff| Cow::Owned(Display::Diff(diff)));
        }
        let Some(edited) = self.edited_text() else {
            return Some(Cow::Borrowed(preview));
        };
        let Display::Diff(diff) = preview else {
            return None;
        };
        with_edit(diff, self.original(), edited).map(|diff| Cow::Owned(Display::Diff(diff)))
    }

    /// Opens the editable argument. Says whether there is one.
    pub fn begin_edit(&mut self) -> bool {
        if self.request.editable.is_none() {
            return false;
        }
        if self.argument.is_empty() {
            let text = self.original().to_owned();
            self.argument.set_text(&text);
        }
        self.mode = Mode::Edit;
        true
    }

    /// Opens the parts of the change. Says whether there are several.
    pub fn begin_hunks(&mut self) -> bool {
        if self.hunks.is_none() {
            self.hunks = Hunks::of(&self.request);
        }
        if self.hunks.is_some() {
            self.mode = Mode::Hunks;
        }
        self.hunks.is_some()
    }

    /// Takes the chosen parts over; false when there is none.
    pub fn end_hunks(&mut self) -> bool {
        let Some(hunks) = self.hunks.as_ref().filter(|hunks| hunks.taken() > 0) else {
            return false;
        };
        self.edited = hunks.arguments(&self.request.arguments);
        self.mode = Mode::Answer;
        self.change.forget();
        true
    }

    /// Whether a rule can be made of an answer.
    pub fn is_ruled(&self) -> bool {
        !self.request.offers.patterns.is_empty()
    }

    /// Opens the rule line. Says whether there is a pattern to start from.
    pub fn begin_rule(&mut self, now_ms: u64) -> bool {
        if self.rule.is_none() {
            self.rule = RuleLine::of(&self.request, now_ms).map(Box::new);
        }
        if self.rule.is_some() {
            self.mode = Mode::Rule;
        }
        self.rule.is_some()
    }

    /// What is written was changed.
    pub fn changed(&mut self, now_ms: u64) {
        if let (Mode::Rule, Some(rule)) = (self.mode, &mut self.rule) {
            rule.changed(now_ms);
        }
    }

    /// Takes the edited argument over. What is as it was sent counts as not edited.
    pub fn end_edit(&mut self) {
        self.mode = Mode::Answer;
        self.change.forget();
        let text = self.argument.text();
        let Some(name) = self.request.editable.clone() else {
            return;
        };
        if text == self.original() {
            self.edited = None;
            return;
        }
        let mut arguments = self.request.arguments.clone();
        if let Some(fields) = arguments.as_object_mut() {
            fields.insert(name, Value::String(text));
            self.edited = Some(arguments);
        }
    }
}

/// A change in which the person replaced one text that the call brings by another; `None` when it is not plain where
/// that text stands.
fn with_edit(diff: &FileDiff, original: &str, edited: &str) -> Option<FileDiff> {
    if let Some((before, after)) = split_at_only(&diff.new, original) {
        return Some(FileDiff {
            new: format!("{before}{edited}{after}"),
            ..diff.clone()
        });
    }
    // The text is the whole file, and the change a window of it: outside the window nothing changes.
    let (before, after) = split_at_only(original, &diff.new)?;
    Some(FileDiff {
        old: format!("{before}{}{after}", diff.old),
        new: edited.to_owned(),
        first_line: diff
            .first_line
            .saturating_sub(before.matches('\n').count())
            .max(1),
        ..diff.clone()
    })
}

/// What stands around a text that stands in another exactly once.
pub(super) fn split_at_only<'text>(
    whole: &'text str,
    part: &str,
) -> Option<(&'text str, &'text str)> {
    let (before, after) = whole.split_once(part).filter(|_| !part.is_empty())?;
    (!after.contains(part)).then_some((before, after))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn diff(old: &str, new: &str, first_line: usize) -> FileDiff {
        FileDiff {
            path: "a".to_owned(),
            old: old.to_owned(),
            new: new.to_owned(),
            first_line,
            created: false,
        }
    }

    #[test]
    fn an_edited_part_stands_where_the_part_stood() {
        let asked = diff("x\nold\ny\n", "x\nnew\ny\n", 7);

        let now = with_edit(&asked, "new", "newer\nstill").unwrap();

        assert_eq!(now, diff("x\nold\ny\n", "x\nnewer\nstill\ny\n", 7));
    }

    #[test]
    fn an_edited_whole_may_change_what_the_window_did_not_show() {
        let asked = diff("old\n", "new\n", 3);

        let now = with_edit(&asked, "1\n2\nnew\n4\n", "one\n2\nnew\n4\n").unwrap();

        assert_eq!(now, diff("1\n2\nold\n4\n", "one\n2\nnew\n4\n", 1));
    }

    #[test]
    fn where_the_text_stands_twice_or_not_at_all_nothing_is_claimed() {
        assert_eq!(with_edit(&diff("", "a\na\n", 1), "a", "b"), None);
        assert_eq!(with_edit(&diff("", "A\n", 1), "a", "b"), None);
        assert_eq!(with_edit(&diff("a", "", 1), "", "b"), None);
    }
}
