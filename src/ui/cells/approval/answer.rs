//! The part of a box that answers: its keys, or the words that are being written.

use crate::{
    engine::event::Covered,
    text::{
        sanitize::reveal_line,
        truncate::{grouped, head},
        width::columns,
    },
    ui::{
        cells::scene::Scene,
        keymap::{Action, Scope},
        panes::{
            composer::{Editor, wrapping::PieceKind},
            requests::{
                ApprovalBox,
                answering::{
                    hunks::{Hunks, Part},
                    rule_line::{Known, RuleLine},
                },
                answers::{self, offered},
                approval::Mode,
            },
        },
        rows::{Flow, Piece, Row, flow},
        theme::StyleName,
    },
};

/// The answers whose keys are shown first when there is one row for all.
const BRIEF: [Action; 3] = [Action::AllowOnce, Action::Reject, Action::Details];

/// Rows, calls and columns of a call that are said of what a rule covers.
const SAID_ROWS: usize = 3;
const SUBJECTS: usize = 4;
const SUBJECT_COLUMNS: usize = 36;

/// What answers, from top to bottom.
#[derive(Debug, Default)]
pub(super) struct Answer {
    /// What is being written.
    pub(super) label: Vec<Row>,
    /// The text.
    pub(super) text: Vec<Row>,
    /// What is said about what is written.
    pub(super) said: Vec<Row>,
    /// The keys.
    pub(super) keys: Vec<Row>,
    /// Row (of `text`) and column of the caret; `None` when nothing is written.
    pub(super) caret: Option<(usize, usize)>,
}

impl Answer {
    /// The answer part of a box.
    pub(super) fn of(found: &ApprovalBox<'_>, inner: usize, scene: &Scene<'_>) -> Self {
        let mode = found.approval.mode;
        if let (Mode::Hunks, Some(hunks)) = (mode, &found.approval.hunks) {
            return Self {
                label: label_row(&format!(
                    "make {} of {} changes:",
                    hunks.taken(),
                    hunks.parts.len()
                )),
                text: hunk_rows(hunks, inner),
                keys: writing_keys(mode, inner, scene),
                caret: Some((hunks.at, 1)),
                ..Self::default()
            };
        }
        let Some(editor) = found.approval.editor() else {
            return Self {
                keys: keys(found, inner, scene),
                ..Self::default()
            };
        };
        let rule = found.approval.rule.as_ref().filter(|_| mode == Mode::Rule);
        let label = match (mode, rule) {
            (Mode::Rule, Some(rule)) => rule_label(rule, inner),
            (Mode::Edit, _) => label_row("change it:"),
            _ => label_row("reject because:"),
        };
        let (text, caret) = editor_rows(editor, inner);
        let keys = if found.has_keyboard {
            writing_keys(mode, inner, scene)
        } else {
            leading_key(inner, scene)
        };
        Self {
            label,
            text,
            said: rule.map_or_else(Vec::new, |rule| covers(rule, inner)),
            keys,
            caret: Some(caret),
        }
    }

    /// All rows.
    pub(super) fn len(&self) -> usize {
        self.label.len() + self.text.len() + self.said.len() + self.keys.len()
    }
}

/// One row for each part of a change: whether it is made, and where it begins to differ.
fn hunk_rows(hunks: &Hunks, inner: usize) -> Vec<Row> {
    let row = |(index, part): (usize, &Part)| {
        let (mark, name) = if part.is_taken {
            ("[x] ", StyleName::Good)
        } else {
            ("[ ] ", StyleName::Dim)
        };
        let (old, new) = first_difference(&part.old, &part.new);
        let room = inner.saturating_sub(11) / 2;
        let cut = |text: &str| head(&reveal_line(text.trim()).text, room).into_owned();
        let mut pieces = vec![Piece::new(mark, name)];
        pieces.push(Piece::new(format!("- {}", cut(old)), StyleName::DiffDelete));
        pieces.push(Piece::new(format!("  + {}", cut(new)), StyleName::DiffAdd));
        let mut row = Row::new(pieces);
        if index == hunks.at {
            row.pieces.insert(0, Piece::new("▸", StyleName::Accent));
        } else {
            row.pieces.insert(0, Piece::blank(1));
        }
        row
    };
    hunks.parts.iter().enumerate().map(row).collect()
}

/// The first lines in which two texts differ.
fn first_difference<'text>(old: &'text str, new: &'text str) -> (&'text str, &'text str) {
    let (mut olds, mut news) = (old.lines(), new.lines());
    loop {
        match (olds.next(), news.next()) {
            (Some(one), Some(two)) if one == two => {}
            (one, two) => return (one.unwrap_or_default(), two.unwrap_or_default()),
        }
    }
}

fn label_row(words: &str) -> Vec<Row> {
    vec![Row::of(words, StyleName::Accent)]
}

/// What the rule that is written does.
fn rule_label(rule: &RuleLine, inner: usize) -> Vec<Row> {
    let by = match rule.rules().len() {
        0 | 1 => "rule".to_owned(),
        count => format!("{count} rules"),
    };
    let words = format!("allow by {by} {}:", rule.words());
    flow(&[Piece::new(words, StyleName::Accent)], &Flow::words(inner))
}

/// What the rule that is written would have answered for.
fn covers(rule: &RuleLine, inner: usize) -> Vec<Row> {
    let (words, name) = match rule.known() {
        Known::Empty => (
            "a rule needs a pattern; * stands for anything".to_owned(),
            StyleName::Warn,
        ),
        Known::NotYet => ("looking at earlier calls…".to_owned(), StyleName::Faint),
        Known::Elsewhere => (
            "it does not cover the call that is asked about".to_owned(),
            StyleName::Warn,
        ),
        Known::Covers(covered) => (matched(covered), StyleName::Dim),
    };
    let mut rows = flow(&[Piece::new(words, name)], &Flow::words(inner));
    rows.truncate(SAID_ROWS);
    rows
}

fn matched(covered: &Covered) -> String {
    let count = covered.calls.len();
    let who = if covered.rules.len() > 1 {
        "they"
    } else {
        "it"
    };
    let mut words = format!(
        "{who} would have matched {} of {} calls so far",
        grouped(count),
        grouped(covered.of)
    );
    let mut named: Vec<String> = Vec::new();
    for subject in &covered.subjects {
        let subject = reveal_line(subject).text;
        let subject = head(&subject, SUBJECT_COLUMNS).into_owned();
        if !named.contains(&subject) {
            named.push(subject);
        }
        if named.len() == SUBJECTS {
            break;
        }
    }
    if !named.is_empty() {
        words.push_str(": ");
        words.push_str(&named.join(" · "));
    }
    words
}

fn writing_keys(mode: Mode, inner: usize, scene: &Scene<'_>) -> Vec<Row> {
    let mut rows = vec![Row::empty()];
    for (action, words) in answers::writing(mode) {
        let scope = match mode {
            Mode::Hunks => Scope::Question,
            _ => Scope::Field,
        };
        let key = scene.key(scope, action);
        if key.is_empty() {
            continue;
        }
        let words = head(words, inner.saturating_sub(columns(&key) + 1));
        let wanted = columns(&key) + 1 + columns(&words);
        let taken = rows.last().map_or(0, Row::columns);
        if taken > 0 && taken + 2 + wanted > inner {
            rows.push(Row::empty());
        }
        let Some(row) = rows.last_mut() else { break };
        if !row.pieces.is_empty() {
            row.pieces.push(Piece::blank(2));
        }
        row.pieces.push(Piece::new(key, StyleName::Key));
        row.pieces
            .push(Piece::new(format!(" {words}"), StyleName::Dim));
    }
    if mode == Mode::Rule {
        let other = [
            Piece::new("↑↓", StyleName::Key),
            Piece::new(" other patterns", StyleName::Dim),
        ];
        match rows.last_mut().filter(|row| row.columns() + 19 <= inner) {
            Some(row) => row
                .pieces
                .extend([Piece::blank(2)].into_iter().chain(other)),
            None => rows.push(Row::new(other.to_vec())),
        }
    }
    rows
}

fn editor_rows(editor: &Editor, width: usize) -> (Vec<Row>, (usize, usize)) {
    let wrapped = editor.rows(width);
    let caret = editor.caret(&wrapped);
    let rows = wrapped
        .iter()
        .map(|row| {
            let pieces = row.spans().into_iter().map(|(text, kind)| {
                let name = match kind {
                    PieceKind::Plain | PieceKind::Space => StyleName::Text,
                    PieceKind::Chip => StyleName::Accent,
                    PieceKind::Hidden => StyleName::Suspicious,
                };
                Piece::new(text, name)
            });
            Row::new(pieces.collect())
        })
        .collect();
    (rows, caret)
}

/// The key that leads to a box which has not the keyboard.
fn leading_key(inner: usize, scene: &Scene<'_>) -> Vec<Row> {
    let key = scene.key(Scope::Global, Action::Approvals);
    flow(
        &[
            Piece::new(key, StyleName::Key),
            Piece::new(" to answer", StyleName::Dim),
        ],
        &Flow::words(inner),
    )
}

/// The keys that answer, or the key that leads here.
fn keys(found: &ApprovalBox<'_>, inner: usize, scene: &Scene<'_>) -> Vec<Row> {
    if !found.has_keyboard {
        return leading_key(inner, scene);
    }
    let is_marked = !scene.model.requests.marked.is_empty();
    let several = [
        (Action::NextRequest, "next", found.count > 1),
        (Action::Mark, "mark", found.count > 1),
        (Action::AnswerMarked, "all marked", is_marked),
    ];
    let several = several.into_iter().filter(|(_, _, is_there)| *is_there);
    let next = several.map(|(action, word, _)| (action, word));
    let mut rows: Vec<Row> = Vec::new();
    let mut row = Row::empty();
    for (action, word) in offered(found.approval).into_iter().chain(next) {
        if !put(&mut row, action, word, inner, found, scene) {
            rows.push(std::mem::take(&mut row));
            put(&mut row, action, word, inner, found, scene);
        }
    }
    rows.push(row);
    rows
}

/// The keys that matter most in one row, with the number of lines that are left out.
pub(super) fn brief(
    hidden: usize,
    inner: usize,
    found: &ApprovalBox<'_>,
    scene: &Scene<'_>,
) -> Row {
    let more = format!("{} more", grouped(hidden));
    let offered = offered(found.approval);
    let (mut first, others): (Vec<_>, Vec<_>) = offered
        .into_iter()
        .partition(|(action, _)| BRIEF.contains(action));
    for (action, word) in &mut first {
        match action {
            Action::AllowOnce => *word = "once",
            Action::Details if hidden > 0 => *word = more.as_str(),
            _ => {}
        }
    }
    let mut row = Row::empty();
    for (action, word) in first.into_iter().chain(others) {
        if !put(&mut row, action, word, inner, found, scene) {
            break;
        }
    }
    row
}

/// Stands for the keys where what must be seen has no room: the key that shows all of it, which can be allowed there.
pub(super) fn too_low(details: &str, inner: usize, scene: &Scene<'_>) -> Vec<Row> {
    let reject = scene.key(Scope::Approval, Action::Reject);
    let ways = [
        (" shows all of it, to allow it there", " rejects"),
        (" shows all, to allow there", " rejects"),
        (" shows all, to allow", " rejects"),
        (" to allow", " rejects"),
        (" shows all", ""),
    ];
    let row = |(shows, rejects): (&str, &str)| {
        let mut pieces = vec![
            Piece::new(details, StyleName::Key),
            Piece::new(shows, StyleName::Warn),
        ];
        if !rejects.is_empty() && !reject.is_empty() {
            pieces.push(Piece::blank(2));
            pieces.push(Piece::new(reject.as_str(), StyleName::Key));
            pieces.push(Piece::new(rejects, StyleName::Dim));
        }
        Row::new(pieces)
    };
    let mut rows = ways.into_iter().map(row);
    let fitting = rows.find(|row| row.columns() <= inner);
    fitting.into_iter().collect()
}

/// Appends a key and what it does; false when the row has no room for it.
fn put(
    row: &mut Row,
    action: Action,
    word: &str,
    inner: usize,
    found: &ApprovalBox<'_>,
    scene: &Scene<'_>,
) -> bool {
    let key = scene.key(Scope::Approval, action);
    if key.is_empty() {
        return true;
    }
    let taken = row.columns();
    if taken > 0 {
        if taken + 2 + columns(&key) + 1 + columns(word) > inner {
            return false;
        }
        row.pieces.push(Piece::blank(2));
    }
    // A key that comes too early answers nothing; it looks like that.
    let name = if found.is_armed {
        StyleName::Key
    } else {
        StyleName::Faint
    };
    row.pieces.push(Piece::new(key, name));
    row.pieces
        .push(Piece::new(format!(" {word}"), StyleName::Dim));
    true
}
