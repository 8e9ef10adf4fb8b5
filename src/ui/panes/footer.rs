//! The bottom line: the keys that work where the keyboard is, and at the right what the program has to say: the
//! latest notice, the rest of a key sequence, or how long the shown agent has been at work.

use ratatui::{
    buffer::Buffer,
    layout::Rect,
    text::{Line, Span},
};

use crate::{
    domain::notice::Severity,
    text::{sanitize::clean_line, width::columns},
    ui::{
        Model, focus,
        keymap::{Action, Scope, Sequence, hints::label},
        layout::NARROW,
        overlays::Overlay,
        panes::{
            composer, conversation,
            requests::{self, answering::in_full::Reading},
            typing,
        },
        theme::StyleName,
        widgets::{
            hints,
            text::{line_width, put_line},
        },
    },
};

/// Draws the line.
pub fn view(model: &Model, area: Rect, buffer: &mut Buffer) {
    let right = said(model);
    let most = area.width.saturating_sub(2 + least_hints(model));
    let wanted = (line_width(&right.spans) as u16).min(most);
    let left_width = area.width.saturating_sub(wanted + 3);
    let hints = hints::line(
        &hints_of(model),
        usize::from(left_width),
        model.style(StyleName::Key),
        model.style(StyleName::Footer),
    );
    put_line(buffer, area.x + 1, area.y, left_width, &hints);
    let x = area.right().saturating_sub(wanted + 1);
    put_line(buffer, x, area.y, wanted, &right);
}

/// Columns that words at the right never take: the keys of a request that waits for an answer, else the first keys.
fn least_hints(model: &Model) -> u16 {
    let scope = focus::scope(model);
    let kept = match scope {
        Scope::Approval | Scope::Question => usize::MAX,
        _ => 2,
    };
    let busy = model.session.is_agent_busy(&model.conversation.shown);
    let columns = asked_hints(model)
        .unwrap_or_else(|| own_hints(model, scope, busy))
        .into_iter()
        .take(kept)
        .filter_map(|(action, word)| Some((model.keymap.key(scope, action)?, word)))
        .map(|(key, word)| columns(&key) + 1 + columns(word) + 2)
        .sum::<usize>();
    columns as u16
}

/// What stands at the right.
fn said(model: &Model) -> Line<'static> {
    let dim = model.style(StyleName::Footer);
    let now = model.clock.elapsed_ms;
    if !model.screen.pending.is_empty() {
        let keys = label(&Sequence(model.screen.pending.clone()));
        return Line::styled(format!("{keys} …"), model.style(StyleName::Key));
    }
    if model
        .screen
        .quit_armed_until
        .is_some_and(|until| now < until)
    {
        let again = model
            .keymap
            .key(focus::scope(model), Action::Interrupt)
            .unwrap_or_default();
        return Line::styled(
            format!("{again} again leaves"),
            model.style(StyleName::Warn),
        );
    }
    if let Some(notice) = model.notices.shown(now) {
        let style = model.style(match notice.severity {
            Severity::Info => StyleName::Stage,
            Severity::Warning => StyleName::Warn,
            Severity::Error => StyleName::Error,
        });
        let sign = match notice.severity {
            Severity::Info => "",
            Severity::Warning => "! ",
            Severity::Error => "✗ ",
        };
        let mut spans = vec![Span::styled(
            format!("{sign}{}", clean_line(&notice.text)),
            style,
        )];
        if let Some(hint) = &notice.hint {
            spans.push(Span::styled(format!(" · {}", clean_line(hint)), dim));
        }
        return Line::from(spans);
    }
    at_work(model)
}

/// The spinner, and how long the shown agent has been at work or until it tries again.
fn at_work(model: &Model) -> Line<'static> {
    let agent = &model.conversation.shown;
    if let Some(retry) = model.session.running.retries.get(agent) {
        let wait = retry.at_elapsed_ms.saturating_sub(model.clock.elapsed_ms);
        let text = format!(
            "{} · try {} of {} in {}s",
            clean_line(&retry.reason),
            retry.attempt,
            retry.of,
            wait.div_ceil(1000)
        );
        return Line::styled(text, model.style(StyleName::Warn));
    }
    if !model.session.is_agent_busy(agent) {
        return Line::default();
    }
    // The time would stand still.
    if conversation::waits_only_for_person(model) {
        return Line::default();
    }
    let seconds = model.session.agent(agent).map_or(0, |node| {
        (model.clock.now_ms - node.started_ms).max(0) / 1000
    });
    let elapsed = if seconds < 60 {
        format!("{seconds}s")
    } else {
        format!("{}m {:02}s", seconds / 60, seconds % 60)
    };
    Line::from(vec![
        Span::styled(conversation::spinner(model), model.style(StyleName::Accent)),
        Span::styled(format!(" {elapsed}"), model.style(StyleName::Footer)),
    ])
}

/// The keys to show, the most useful first.
fn hints_of(model: &Model) -> Vec<hints::Hint> {
    let scope = focus::scope(model);
    let busy = model.session.is_agent_busy(&model.conversation.shown);
    let waits = requests::waiting(model) != (0, 0);
    let mut wanted: Vec<(Action, &'static str)> = Vec::new();
    let asked = asked_hints(model);
    if waits && asked.is_none() && model.overlay.is_none() {
        wanted.push((Action::Approvals, "answer"));
    }
    if typing::has_any(model) && asked.is_none() && model.overlay.is_none() {
        wanted.push((Action::TypeInto, "type into program"));
    }
    wanted.extend(asked.unwrap_or_else(|| own_hints(model, scope, busy)));
    if model.overlay.is_none() {
        wanted.push((Action::Palette, "commands"));
        wanted.push((Action::Help, "help"));
    }
    let wanted = wanted
        .into_iter()
        .map(|(action, word)| (scope, action, word));
    read_hints(model)
        .into_iter()
        .chain(wanted)
        .filter_map(|(scope, action, word)| Some((model.keymap.key(scope, action)?, word)))
        .collect()
}

/// The keys that answer a request which is read in full.
fn read_hints(model: &Model) -> Vec<(Scope, Action, &'static str)> {
    match model.overlay.top() {
        Some(Overlay::Viewer(viewer)) => viewer
            .reading
            .as_ref()
            .map_or_else(Vec::new, Reading::hints),
        _ => Vec::new(),
    }
}

/// The keys of the box or form that has the keyboard.
fn asked_hints(model: &Model) -> Option<Vec<(Action, &'static str)>> {
    if model.overlay.is_some() {
        return None;
    }
    requests::answers::hints(model)
}

fn own_hints(model: &Model, scope: Scope, busy: bool) -> Vec<(Action, &'static str)> {
    let hints: &[(Action, &str)] = match scope {
        Scope::Composer => return composer_hints(model, busy),
        Scope::Conversation => &[
            (Action::Open, "open"),
            (Action::Fold, "fold"),
            (Action::Search, "search"),
            (Action::Copy, "copy"),
            (Action::Last, "follow"),
            (Action::ToComposer, "write"),
        ],
        Scope::Agents => return agent_hints(model),
        Scope::Checklist => &[
            (Action::Toggle, "tick"),
            (Action::Add, "add"),
            (Action::Edit, "edit"),
            (Action::Defer, "defer"),
            (Action::GiveUp, "give up"),
        ],
        Scope::Scratchpad => &[
            (Action::Open, "open"),
            (Action::Add, "add"),
            (Action::Edit, "edit"),
            (Action::Rename, "rename"),
            (Action::Delete, "delete"),
        ],
        Scope::Viewer => &[
            (Action::Search, "search"),
            (Action::Follow, "follow"),
            (Action::Wrap, "wrap"),
            (Action::Copy, "copy"),
            (Action::Quote, "to the message"),
            (Action::Back, "close"),
        ],
        Scope::Field => &[(Action::Open, "accept"), (Action::Back, "back")],
        // Only the manual has the keys of a bare list.
        Scope::List => &[
            (Action::Open, "next page"),
            (Action::Search, "search"),
            (Action::Back, "close"),
        ],
        Scope::Context => &[(Action::Open, "breakdown"), (Action::ToComposer, "write")],
        Scope::Terminal if typing::is_over(model) => &[(Action::Back, "back: it has ended")],
        Scope::Terminal if model.screen.columns < NARROW.0 => &[(Action::Back, "stops typing")],
        Scope::Terminal => &[(
            Action::Back,
            "stops typing; every other key goes to the program",
        )],
        // Boxes, forms and the list of rules name their keys themselves.
        Scope::Global | Scope::Approval | Scope::Question | Scope::Rules => &[],
    };
    hints.to_vec()
}

fn composer_hints(model: &Model, busy: bool) -> Vec<(Action, &'static str)> {
    if model.composer.aim.is_some() {
        return vec![
            (Action::Send, "send"),
            (Action::Escape, "to the shown agent again"),
        ];
    }
    let mut hints = vec![(Action::Send, if busy { "steer" } else { "send" })];
    if !busy && composer::waits_for_next(model) {
        hints.push((Action::TakeBack, "take back"));
    }
    if busy {
        hints.extend([(Action::Queue, "queue"), (Action::SendNow, "send now")]);
    } else {
        hints.push((Action::NewLine, "newline"));
    }
    // The same key leads out of a sub-agent before it stops anything.
    if !model.conversation.shown.is_main() {
        hints.push((Action::Escape, "to main"));
    } else if busy {
        // An Esc that may have been meant for the box or form stops nothing.
        let waits = requests::waits_for(model, &model.conversation.shown);
        let stop = if waits {
            Action::CancelTurn
        } else {
            Action::Escape
        };
        hints.push((stop, "stop"));
    }
    hints
}

fn agent_hints(model: &Model) -> Vec<(Action, &'static str)> {
    let mut hints = vec![(Action::Open, "show")];
    if !model.conversation.shown.is_main() {
        hints.push((Action::Back, "to main"));
    }
    hints.extend([
        (Action::Steer, "write to it"),
        (Action::Cut, "interrupt"),
        (Action::CancelAgent, "cancel"),
        (Action::AgentScope, "what it may do"),
    ]);
    hints
}
