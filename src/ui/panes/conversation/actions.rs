//! What keys do in the pane.

use super::{
    entry::{Body, Call, Entry, EntryKey, Fold},
    pane::{area, window},
    scroll::{Scroll, Window},
    search, selection,
};
use crate::{
    domain::{display::Display, notice::Notice, record::Speaker},
    text::sanitize::clean,
    ui::{
        Effect, Model,
        cells::default_fold,
        focus::{self, Pane},
        keymap::Action,
        overlays::viewer,
        panes::typing,
    },
};

/// Rows that a step goes inside an entry that is higher than the window.
const STEP: isize = 3;

/// Takes an action.
pub fn update(model: &mut Model, action: Action) -> Vec<Effect> {
    if typing::is_on(model) {
        // Only one action is bound there.
        return typing::leave(model);
    }
    if search::takes_text(model) {
        search::typing(model, action);
        return Vec::new();
    }
    match action {
        Action::Up => step(model, -1),
        Action::Down => step(model, 1),
        Action::PageUp => page(model, |rows| -(rows - 1).max(1)),
        Action::PageDown => page(model, |rows| (rows - 1).max(1)),
        Action::HalfPageUp => page(model, |rows| -(rows / 2).max(1)),
        Action::HalfPageDown => page(model, |rows| (rows / 2).max(1)),
        Action::First => first(model),
        Action::Last => last(model),
        Action::Open => return open(model),
        Action::Back => return back(model),
        Action::Search => search::begin(model),
        Action::NextMatch => search::step(model, true),
        Action::PreviousMatch => search::step(model, false),
        Action::Copy => return copy(model, false),
        Action::CopyMarkdown => return copy(model, true),
        Action::CopyCode => return copy_code(model),
        Action::Fold => fold(model),
        Action::FoldAll => fold_all(model),
        Action::DiffStyle => {
            let width = usize::from(area(model).width).saturating_sub(4);
            model.conversation.diff = model.conversation.diff.toggled(width);
        }
        Action::PreviousPrompt => prompt(model, false),
        Action::NextPrompt => prompt(model, true),
        _ => {}
    }
    let area = area(model);
    let is_near = is_near_top(&window(model, area), model);
    model.conversation.want_past(is_near)
}

/// Whether the first known entry is less than two pages away.
pub(super) fn is_near_top(window: &Window<'_>, model: &Model) -> bool {
    let scroll = model.conversation.looking().scroll;
    let (key, _) = window.top(scroll);
    let (above, _) = window.transcript.extent(key, &window.scene);
    above < 2 * window.rows.max(1)
}

/// Scrolls without moving the focus out of sight.
pub(super) fn scroll_by(model: &mut Model, rows: isize) {
    let area = area(model);
    let window = window(model, area);
    let scroll = window.moved(model.conversation.looking().scroll, rows);
    let focus = model
        .conversation
        .looking()
        .focus
        .map(|focus| in_sight(&window, scroll, focus));
    let view = model.conversation.look();
    view.scroll = scroll;
    view.focus = focus;
}

fn page(model: &mut Model, rows: impl Fn(isize) -> isize) {
    let height = window(model, area(model)).rows as isize;
    scroll_by(model, rows(height));
}

/// The focus, or the entry in sight that is nearest to it.
fn in_sight(window: &Window<'_>, scroll: Scroll, focus: EntryKey) -> EntryKey {
    let placed = window.placed(scroll);
    match (placed.first(), placed.last()) {
        (Some(first), Some(last)) => focus.clamp(first.key, last.key),
        _ => focus,
    }
}

/// Whether an entry of which this holds is on the screen.
pub fn shows(model: &Model, holds: fn(&Entry) -> bool) -> bool {
    let window = window(model, area(model));
    let placed = window.placed(model.conversation.looking().scroll);
    placed
        .iter()
        .any(|placed| window.transcript.get(placed.key).is_some_and(holds))
}

/// Goes to the entry above or below; through an entry that is higher than the window in steps.
fn step(model: &mut Model, by: EntryKey) {
    let area = area(model);
    let window = window(model, area);
    let transcript = window.transcript;
    if transcript.is_empty() {
        return;
    }
    let view = model.conversation.looking();
    let Some(focus) = view.focus else {
        let placed = window.placed(view.scroll);
        let key = placed.last().map_or(transcript.last(), |last| last.key);
        model.conversation.look().focus = Some(key);
        return;
    };
    let focus = transcript.clamped(focus);
    let placed = window.placed(view.scroll);
    let hidden = placed
        .iter()
        .find(|placed| placed.key == focus)
        .is_some_and(|placed| match by {
            1 => placed.top + placed.gap + placed.rows.len() - placed.skip > window.rows,
            _ => placed.skip > 0,
        });
    if hidden {
        let scroll = window.moved(view.scroll, STEP * by as isize);
        model.conversation.look().scroll = scroll;
        return;
    }
    let key = transcript.clamped(focus + by);
    let scroll = if key == transcript.last() && by > 0 && focus == key {
        Scroll::Follow
    } else {
        window.showing(view.scroll, key)
    };
    let view = model.conversation.look();
    view.scroll = scroll;
    view.focus = Some(key);
    model.conversation.code_copies = 0;
}

fn first(model: &mut Model) {
    let area = area(model);
    let window = window(model, area);
    let key = window.transcript.first();
    let scroll = window.pinned(model.conversation.looking().scroll, (key, 0), false);
    let view = model.conversation.look();
    view.scroll = scroll;
    view.focus = view.focus.map(|_| key);
}

fn last(model: &mut Model) {
    let key = model.conversation.transcript().last();
    let view = model.conversation.look();
    view.scroll = Scroll::Follow;
    view.focus = view.focus.map(|_| key);
}

/// Goes to the person's message before or after what is looked at.
fn prompt(model: &mut Model, forward: bool) {
    let Some(key) = prompt_beside(model, forward) else {
        return;
    };
    let area = area(model);
    let window = window(model, area);
    let scroll = window.pinned(model.conversation.looking().scroll, (key, 0), true);
    let view = model.conversation.look();
    view.scroll = scroll;
    view.focus = Some(key);
}

/// The person's message before or after what is looked at.
pub fn prompt_beside(model: &Model, forward: bool) -> Option<EntryKey> {
    let area = area(model);
    let window = window(model, area);
    let view = model.conversation.looking();
    let from = view.focus.unwrap_or_else(|| {
        let (key, _) = window.top(view.scroll);
        if forward {
            key
        } else {
            window.transcript.last() + 1
        }
    });
    let is_prompt = |entry: &Entry| {
        matches!(
            entry.body,
            Body::Said {
                speaker: Speaker::Person | Speaker::Parent { .. },
                ..
            }
        )
    };
    let transcript = window.transcript;
    let holds = |key: &EntryKey| transcript.get(*key).is_some_and(is_prompt);
    if forward {
        (from + 1..=transcript.last()).find(holds)
    } else {
        (transcript.first()..from).rfind(holds)
    }
}

/// One step out: the search, the selection, the focus, then the pane.
fn back(model: &mut Model) -> Vec<Effect> {
    if search::end(model) || model.conversation.selection.take().is_some() {
        return Vec::new();
    }
    if model.conversation.look().focus.take().is_some() {
        return Vec::new();
    }
    focus::focus(model, Pane::Composer)
}

fn changed_focus(model: &mut Model, change: impl Fn(&mut Entry)) {
    let Some((key, _)) = model.conversation.focused() else {
        return;
    };
    let agent = model.conversation.shown.clone();
    if let Some(transcript) = model.conversation.transcripts.get_mut(&agent)
        && let Some(entry) = transcript.change(key)
    {
        change(entry);
    }
    let area = area(model);
    let scroll = window(model, area).showing(model.conversation.looking().scroll, key);
    model.conversation.look().scroll = scroll;
}

fn next_fold(entry: &mut Entry) {
    let fold = entry.fold.unwrap_or_else(|| default_fold(entry));
    entry.fold = Some(fold.next());
}

fn fold(model: &mut Model) {
    if model.conversation.looking().focus.is_none() {
        step(model, -1);
    }
    // A state that looks like the one before is passed over: the key did something, or there is nothing to fold.
    let height = focused_height(model);
    for _ in 0..Fold::STATES {
        changed_focus(model, next_fold);
        if focused_height(model) != height {
            break;
        }
    }
}

fn focused_height(model: &Model) -> Option<usize> {
    let (key, _) = model.conversation.focused()?;
    let window = window(model, area(model));
    Some(window.transcript.height(key, &window.scene))
}

/// Folds everything to a line, or gives everything back its own fold.
fn fold_all(model: &mut Model) {
    let agent = model.conversation.shown.clone();
    let Some(transcript) = model.conversation.transcripts.get_mut(&agent) else {
        return;
    };
    let foldable = |entry: &Entry| matches!(entry.body, Body::Call(_) | Body::Reasoning { .. });
    let is_folded = transcript
        .iter()
        .filter(|(_, entry)| foldable(entry))
        .all(|(_, entry)| entry.fold == Some(Fold::Line));
    let fold = if is_folded { None } else { Some(Fold::Line) };
    for key in transcript.first()..=transcript.last() {
        if transcript.get(key).is_some_and(foldable)
            && let Some(entry) = transcript.change(key)
        {
            entry.fold = fold;
        }
    }
}

/// Opens an output in the viewer, or unfolds what has none.
fn open(model: &mut Model) -> Vec<Effect> {
    let agent = model.conversation.shown.clone();
    let Some((_, entry)) = model.conversation.focused() else {
        step(model, -1);
        return Vec::new();
    };
    match &entry.body {
        Body::Call(call) => {
            let title = format!("{} {}", call.call.name, call.subject());
            let title = crate::text::sanitize::clean_line(&title).into_owned();
            let source = match call.result {
                Some(_) => output(call),
                None => viewer::Source::Running(agent, call.call.id.clone()),
            };
            viewer::open(model, title, source)
        }
        Body::Reply { document, .. } if document.is_cut() => {
            let text = viewer::Source::Text(document.source().into());
            viewer::open(model, "Reply".to_owned(), text)
        }
        Body::Said { .. } | Body::Reasoning { .. } => {
            changed_focus(model, next_fold);
            Vec::new()
        }
        _ => Vec::new(),
    }
}

/// Where the whole of a call's output is.
pub fn output(call: &Call) -> viewer::Source {
    let Some(result) = &call.result else {
        return viewer::Source::Text(clean(&call.output).as_ref().into());
    };
    if let Some(artifact) = &result.artifact {
        return viewer::Source::Artifact(artifact.id.clone());
    }
    let text = match &result.display {
        Display::Terminal { output, .. } => output.as_str(),
        Display::Code { text, .. } | Display::Markdown { text } => text.as_str(),
        _ => result.text.as_str(),
    };
    viewer::Source::Text(clean(text).as_ref().into())
}

fn copy(model: &mut Model, as_markdown: bool) -> Vec<Effect> {
    let text = match model.conversation.focused() {
        Some((key, entry)) => selection::entry_text(model, key, entry, as_markdown),
        None => String::new(),
    };
    copied(model, text)
}

/// Copies a block of code of the focused entry; each time the next one.
fn copy_code(model: &mut Model) -> Vec<Effect> {
    let blocks = match model.conversation.focused() {
        Some((
            _,
            Entry {
                body: Body::Reply { document, .. },
                ..
            },
        )) => document.code_blocks(),
        _ => Vec::new(),
    };
    if blocks.is_empty() {
        model.notify(Notice::info("the focused entry holds no block of code"));
        return Vec::new();
    }
    let index = model.conversation.code_copies % blocks.len();
    model.conversation.code_copies = index + 1;
    let text = blocks
        .get(index)
        .map(|block| clean(&block.text).into_owned())
        .unwrap_or_default();
    copied(model, text)
}

fn copied(model: &mut Model, text: String) -> Vec<Effect> {
    if text.is_empty() {
        model.notify(Notice::info(
            "there is nothing to copy: focus an entry first",
        ));
        return Vec::new();
    }
    vec![Effect::Copy(text)]
}
