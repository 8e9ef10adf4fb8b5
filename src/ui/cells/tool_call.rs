//! A tool call: one line (glyph, tool, subject, outcome, time), then as much of its output as the fold says.
//!
//! No tool is known by name here. What a result looks like is its display; what a call is about is an argument.

use super::{
    approval,
    cell::{BoxPlace, Drawn},
    decision, dialogue, question,
    scene::Scene,
};
use crate::{
    domain::{
        approval::ApprovalDecision,
        display::Display,
        tool::{CallStatus, ToolResult},
    },
    text::{
        figures::{duration, short},
        sanitize::{clean_line, reveal_line},
        truncate::{floor_boundary, head, middle},
        width::columns,
    },
    ui::{
        displays::{Amount, Canvas, Rendered, fold_row, one_row, render},
        keymap::{Action, Scope},
        panes::{
            conversation::{self, Call, CallStage, Fold},
            typing,
        },
        rows::{Paint, Piece, Row},
        theme::StyleName,
    },
};

/// Lines of live output that are shown.
const LIVE_LINES: usize = 5;
/// What is said of a command whose output the model does not get.
const UNSEEN: &str = "unseen by the model";
/// Rows of a pane in which a box stands alone.
const LOW: usize = 8;
/// Bytes of a path, and bytes that a row can need at most, per column.
const LONGEST_PATH: usize = 4_096;
const BYTES_PER_COLUMN: usize = 32;
/// Columns of the time at the right end.
const TIME: usize = 7;

/// How much of a call is shown when the person chose nothing: failures and changes show a part, the rest one line.
pub(super) fn default_fold(call: &Call) -> Fold {
    let Some(result) = &call.result else {
        return Fold::Preview;
    };
    let edited = call
        .approvals
        .iter()
        .any(|(_, decision)| matches!(decision, Some(ApprovalDecision::Edited { .. })));
    match (&result.display, result.status) {
        (_, CallStatus::Failed) | (Display::Diff(_), CallStatus::Done) => Fold::Preview,
        (Display::Terminal { exit, .. }, _) if *exit != Some(0) => Fold::Preview,
        _ if edited || call.by_person.is_some() => Fold::Preview,
        _ => Fold::Line,
    }
}

/// Draws a call.
pub(super) fn draw(call: &Call, fold: Fold, scene: &Scene<'_>) -> Drawn {
    let mut rows = vec![header(call, fold, scene)];
    let mut unsettled = false;
    let mut caret = None;
    let mut boxed = None;
    for (index, (request, answer)) in call.approvals.iter().enumerate() {
        let Some(answer) = answer else { continue };
        if *answer == ApprovalDecision::Withdrawn {
            // One that was asked again says nothing: what counts is the last.
            if index + 1 == call.approvals.len() {
                rows.extend(decision::withdrawn(call, fold, scene));
            }
        } else if fold != Fold::Line || decision::is_telling(answer) {
            rows.extend(decision::draw(request, answer, scene));
        }
    }
    if let Some(result) = &call.result
        && result.status == CallStatus::Refused
        && !was_rejected(call)
    {
        rows.extend(decision::refused(&call.call.name, &result.text, scene));
    }
    if let Some((form, outcome)) = &call.question {
        rows.extend(question::draw(form, outcome.as_ref(), scene));
    }
    if let Some(request) = call.open_request() {
        // Short of room the box, which says the same and more, stands alone.
        let is_low = scene.rows <= LOW;
        let above = if is_low { 0 } else { rows.len() };
        let mut drawn = approval::draw(request, scene.rows.saturating_sub(above), scene);
        let wants_room = !is_low && !drawn.is_whole && !drawn.is_written;
        if wants_room {
            drawn = approval::draw(request, scene.rows, scene);
        }
        if (is_low || wants_room) && !drawn.rows.is_empty() {
            rows.clear();
        }
        caret = drawn.caret.map(|(row, column)| (rows.len() + row, column));
        boxed = (!drawn.rows.is_empty()).then(|| BoxPlace {
            rows: rows.len()..rows.len() + drawn.rows.len(),
            is_whole: drawn.is_whole,
        });
        unsettled |= drawn.unsettled;
        rows.extend(drawn.rows);
    }
    if call.result.is_none() && dialogue::is_typed_into(call, scene) {
        caret = Some(dialogue::caret(call, rows.len(), scene));
    }
    let body = body(call, fold, scene);
    unsettled |= body.unsettled;
    let guide = [Piece::new("  │ ", StyleName::Guide)];
    rows.extend(body.rows.into_iter().map(|row| row.indented(&guide)));
    Drawn {
        rows: rows.into(),
        unsettled,
        caret,
        boxed,
    }
}

/// Whether the person said no to this very call.
fn was_rejected(call: &Call) -> bool {
    call.approvals.iter().any(|(_, decision)| {
        matches!(
            decision,
            Some(ApprovalDecision::Reject { .. } | ApprovalDecision::Never)
        )
    })
}

/// A call that is still being written.
pub(super) fn draft(name: &str, bytes: usize, scene: &Scene<'_>) -> Vec<Row> {
    let left = vec![
        Piece::new(
            format!("{} ", conversation::spinner(scene.model)),
            StyleName::Accent,
        ),
        Piece::new(head(&clean_line(name), 40).into_owned(), StyleName::Tool),
    ];
    let size = format!("writing · {} bytes", short(bytes as u64));
    vec![joined(
        left,
        vec![Piece::new(size, StyleName::Dim)],
        scene.width,
    )]
}

fn body(call: &Call, fold: Fold, scene: &Scene<'_>) -> Rendered {
    let amount = match fold {
        Fold::Line => return Rendered::default(),
        Fold::Preview => Amount::Preview,
        Fold::Whole => Amount::Whole,
    };
    let Some(result) = &call.result else {
        return live(call, scene);
    };
    // Questions show their answers; the text for the model says the same again.
    if call.question.is_some() {
        return Rendered::default();
    }
    let key = scene.open_key();
    let canvas = Canvas {
        wraps: went_wrong(result),
        ..scene.canvas(4, amount, &key)
    };
    match &result.display {
        Display::Text { text } if text.trim().is_empty() => Rendered::default(),
        display => render(display, &canvas),
    }
}

/// Whether what a call printed says why it did not do what it should.
fn went_wrong(result: &ToolResult) -> bool {
    let failed = matches!(&result.display, Display::Terminal { exit, .. } if *exit != Some(0));
    failed || result.status != CallStatus::Done
}

/// The latest lines of what runs.
fn live(call: &Call, scene: &Scene<'_>) -> Rendered {
    if dialogue::is_typed_into(call, scene) {
        return Rendered::whole(dialogue::rows(call, scene));
    }
    let width = scene.width.saturating_sub(4).max(1);
    let body = call.output.trim_end_matches('\n');
    if body.is_empty() {
        return Rendered::default();
    }
    let count = body.matches('\n').count() + 1;
    let skipped = count.saturating_sub(LIVE_LINES);
    let mut rows = Vec::new();
    if skipped > 0 {
        rows.push(fold_row(skipped, &scene.open_key(), width));
    }
    rows.extend(
        body.split('\n')
            .skip(skipped)
            .map(|line| Row::of(one_row(line, width), StyleName::Text)),
    );
    Rendered::whole(rows)
}

fn header(call: &Call, fold: Fold, scene: &Scene<'_>) -> Row {
    let (glyph, glyph_name) = glyph(call, fold, scene);
    let right = right(call, scene);
    // What a person decided about is told as it was asked: nothing is taken out.
    let clean = |text: &str| {
        if call.approvals.is_empty() {
            clean_line(text).into_owned()
        } else {
            reveal_line(text).text
        }
    };
    let whole = call.subject();
    let subject = if call.approvals.is_empty() {
        scene.shortened(whole.trim())
    } else {
        whole.trim()
    };
    let mut name = head(&clean(&call.call.name), 32).into_owned();
    if call.is_inner {
        name.insert_str(0, "↳ ");
    }
    let subject = clean(beginning(subject, scene.width));
    let taken = 2 + columns(&name) + 1;
    let right_columns: usize = right.iter().map(Piece::columns).sum();
    let room = scene
        .width
        .saturating_sub(taken + right_columns + 2)
        .max(scene.width.saturating_sub(taken) / 3);
    let subject = cut_subject(&subject, room);
    let name_look = match call.by_person {
        Some(_) => StyleName::UserBar,
        None => StyleName::Tool,
    };
    let left = vec![
        Piece::new(format!("{glyph} "), glyph_name),
        Piece::new(name, name_look),
        Piece::text(" "),
        Piece::new(subject, StyleName::ToolSubject),
    ];
    joined(left, right, scene.width)
}

/// As much of a text as one row can show; a path is never longer than that.
fn beginning(text: &str, width: usize) -> &str {
    let most = (width * BYTES_PER_COLUMN).max(LONGEST_PATH);
    text.get(..floor_boundary(text, most)).unwrap_or(text)
}

/// A path keeps both ends, anything else its beginning.
fn cut_subject(subject: &str, room: usize) -> String {
    let is_path = subject.contains('/') && !subject.contains(' ');
    if is_path {
        middle(subject, room).into_owned()
    } else {
        one_row(subject, room)
    }
}

/// Both ends of a row; what does not fit goes from the right end, the time first.
fn joined(left: Vec<Piece>, mut right: Vec<Piece>, width: usize) -> Row {
    let taken: usize = left.iter().map(Piece::columns).sum();
    while !right.is_empty() && taken + 2 + right.iter().map(Piece::columns).sum::<usize>() > width {
        right.pop();
    }
    let free = width.saturating_sub(taken + right.iter().map(Piece::columns).sum::<usize>());
    let mut pieces = left;
    if !right.is_empty() {
        pieces.push(Piece::blank(free));
        pieces.extend(right);
    }
    Row::new(pieces).with_gutter(2)
}

fn glyph(call: &Call, fold: Fold, scene: &Scene<'_>) -> (&'static str, Paint) {
    match call.stage {
        CallStage::Done => {
            let glyph = if fold == Fold::Line { "▸" } else { "▾" };
            (glyph, Paint::of(StyleName::Dim))
        }
        CallStage::Running if !is_asking(call) => {
            (conversation::spinner(scene.model), StyleName::Accent.into())
        }
        CallStage::Running | CallStage::Asking => ("◐", StyleName::Warn.into()),
        CallStage::Judging => ("◌", StyleName::Dim.into()),
        CallStage::Waiting | CallStage::Requested => ("○", StyleName::Dim.into()),
    }
}

/// Whether it has asked the person something and waits for the answer.
fn is_asking(call: &Call) -> bool {
    matches!(&call.question, Some((_, None)))
}

/// Outcome and time.
fn right(call: &Call, scene: &Scene<'_>) -> Vec<Piece> {
    let (outcome, name) = outcome(call, scene);
    let mut pieces = Vec::new();
    if !outcome.is_empty() {
        let most = most_outcome(scene);
        pieces.push(Piece::new(head(&outcome, most).into_owned(), name));
    }
    let elapsed = match (&call.result, call.started_ms) {
        // What was refused never started; what took less than a millisecond did.
        (Some(result), started) if result.elapsed_ms > 0 || started.is_some() => {
            Some(result.elapsed_ms)
        }
        (Some(_), _) | (None, None) => None,
        // A time that stands still tells nothing.
        (None, Some(_)) if conversation::waits_only_for_person(scene.model) => None,
        (None, Some(started)) => u64::try_from(scene.model.clock.now_ms - started).ok(),
    };
    if let Some(elapsed) = elapsed {
        let time = duration(elapsed);
        pieces.push(Piece::new(format!("  {time:>TIME$}"), StyleName::Faint));
    } else if !pieces.is_empty() {
        pieces.push(Piece::blank(TIME + 2));
    }
    pieces
}

/// The most columns that the outcome takes.
fn most_outcome(scene: &Scene<'_>) -> usize {
    (scene.width * 2 / 5).max(12)
}

/// That the person can type into it, and with which key where there is room for that.
fn takes_input(scene: &Scene<'_>) -> String {
    let key = scene.key(Scope::Global, Action::TypeInto);
    let said = format!("{key} types into it");
    if key.is_empty() || columns(&said) > most_outcome(scene) {
        return "takes input".to_owned();
    }
    said
}

fn outcome(call: &Call, scene: &Scene<'_>) -> (String, StyleName) {
    let Some(result) = &call.result else {
        return match call.stage {
            CallStage::Judging => ("being judged".to_owned(), StyleName::Dim),
            CallStage::Running if is_asking(call) => ("asks you".to_owned(), StyleName::Warn),
            CallStage::Asking => ("asks you".to_owned(), StyleName::Warn),
            CallStage::Waiting => ("waits for its turn".to_owned(), StyleName::Dim),
            CallStage::Running if call.by_person == Some(false) => {
                (UNSEEN.to_owned(), StyleName::Dim)
            }
            CallStage::Running if dialogue::is_typed_into(call, scene) => {
                ("you type".to_owned(), StyleName::Accent)
            }
            CallStage::Running if typing::takes(scene.model, &call.call.id) => {
                (takes_input(scene), StyleName::Warn)
            }
            CallStage::Running => (String::new(), StyleName::Dim),
            CallStage::Requested | CallStage::Done => (String::new(), StyleName::Dim),
        };
    };
    let said = clean_line(&result.outcome).into_owned();
    let or = |word: &str| {
        if said.is_empty() {
            word.to_owned()
        } else {
            said.clone()
        }
    };
    match result.status {
        CallStatus::Done => {
            let failed =
                matches!(&result.display, Display::Terminal { exit, .. } if *exit != Some(0));
            if failed {
                (format!("✗ {}", or("failed")), StyleName::Error)
            } else if call.by_person == Some(false) {
                (format!("{} · {UNSEEN}", or("done")), StyleName::Dim)
            } else {
                (said, StyleName::Dim)
            }
        }
        CallStatus::Failed => (format!("✗ {}", or("failed")), StyleName::Error),
        CallStatus::Refused => (format!("⊘ {}", or("refused")), StyleName::Warn),
        CallStatus::Interrupted => (format!("■ {}", or("interrupted")), StyleName::Warn),
    }
}
