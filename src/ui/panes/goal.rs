//! The goal: one line above the composer, and the whole of it in a viewer.

use crossterm::event::{MouseButton, MouseEvent, MouseEventKind};
use ratatui::{
    buffer::Buffer,
    layout::Rect,
    text::{Line, Span},
};

use crate::{
    domain::{
        checklist::{Checklist, ItemStatus},
        goal::{Goal, GoalStatus},
        ids::AgentId,
        record::{Record, Speaker},
    },
    engine::{
        command::{Command, GoalCommand},
        event::{Event, EventKind},
    },
    text::{sanitize::clean_line, truncate::head, width::columns},
    ui::{
        Effect, Model,
        focus::Pane,
        layout::Layout,
        overlays::viewer::{self, Source},
        theme::StyleName,
        widgets::text::{put, put_line},
    },
};

/// Rows of the conversation, border included, from which on the line has room.
const LEAST_ROWS: u16 = 5;
/// What `/goal` can do.
const USAGE: &str = "/goal OBJECTIVE   sets one; the agent goes on until its checklist is done
/goal pause       no more reminders; what runs goes on
/goal resume      reminders again
/goal cancel      gives it up; what runs goes on";

/// Does what stands behind `/goal`; without words it shows the goal.
pub fn slash(model: &mut Model, words: &str) -> Vec<Effect> {
    let command = match words.trim() {
        "" | "status" => return open(model),
        "pause" => GoalCommand::Pause,
        "resume" => GoalCommand::Resume,
        "cancel" => GoalCommand::Cancel,
        objective => GoalCommand::Set(objective.to_owned()),
    };
    vec![Effect::Send(Command::Goal(command))]
}

/// Follows the engine. A goal that is over goes with the person's next words.
pub fn apply(goal: &mut Option<Goal>, event: &Event) {
    match &event.kind {
        EventKind::Opened(_) => *goal = None,
        EventKind::Goal(now) => *goal = Some((**now).clone()),
        EventKind::Recorded(stored) => {
            let speaks = matches!(
                stored.record,
                Record::Said {
                    speaker: Speaker::Person,
                    ..
                }
            );
            if speaks && goal.as_ref().is_some_and(|goal| !goal.status.is_open()) {
                *goal = None;
            }
        }
        _ => {}
    }
}

/// Makes room for the line above the composer.
pub fn make_room(model: &Model, layout: &mut Layout) {
    if model.checklist.goal.is_none() {
        return;
    }
    let conversation = layout
        .panes
        .iter_mut()
        .find(|placed| placed.pane == Pane::Conversation);
    if let Some(placed) = conversation
        && placed.outer.height >= LEAST_ROWS
    {
        placed.inner.height = placed.outer.height - 3;
    }
}

/// Where the line stands.
fn area(model: &Model, layout: &Layout) -> Option<Rect> {
    model.checklist.goal.as_ref()?;
    let placed = layout.of(Pane::Conversation)?;
    let has_room = placed.outer.height >= LEAST_ROWS && placed.inner.width > 0;
    has_room.then(|| Rect {
        y: placed.inner.bottom(),
        height: 1,
        ..placed.inner
    })
}

/// A click on the line opens the whole goal; `None` for the mouse elsewhere.
pub fn mouse(model: &mut Model, mouse: MouseEvent, layout: &Layout) -> Option<Vec<Effect>> {
    let area = area(model, layout)?;
    if !area.contains((mouse.column, mouse.row).into()) {
        return None;
    }
    matches!(mouse.kind, MouseEventKind::Down(MouseButton::Left)).then(|| open(model))
}

/// Draws the line: the objective, how far the checklist is, how the goal stands.
pub fn view(model: &Model, layout: &Layout, buffer: &mut Buffer) {
    let (Some(area), Some(goal)) = (area(model, layout), &model.checklist.goal) else {
        return;
    };
    let (mark, name) = look(goal.status);
    let mut right = format!(" {}", goal.status.name());
    let (done, wanted) = progress(list(model));
    if wanted > 0 {
        right = format!(" {done} of {wanted} ·{right}");
    }
    let right_columns = columns(&right) as u16;
    let left_columns = area.width.saturating_sub(right_columns);
    let objective = clean_line(&goal.objective);
    let left = Line::from(vec![
        Span::styled(mark, model.style(name)),
        Span::styled(
            head(&objective, usize::from(left_columns).saturating_sub(2)).to_string(),
            model.style(StyleName::Text),
        ),
    ]);
    put_line(buffer, area.x, area.y, left_columns, &left);
    let style = model.style(match goal.status {
        GoalStatus::Active => StyleName::Dim,
        _ => name,
    });
    put(
        buffer,
        area.right().saturating_sub(right_columns),
        area.y,
        right_columns,
        &right,
        style,
    );
}

/// Opens the whole goal.
fn open(model: &mut Model) -> Vec<Effect> {
    let text = match &model.checklist.goal {
        Some(goal) => whole(goal, list(model)),
        None => format!("No goal is set.\n\n{USAGE}"),
    };
    viewer::open(model, "goal", Source::Text(text.into()))
}

fn whole(goal: &Goal, list: &Checklist) -> String {
    let mut state = goal.status.name().to_owned();
    if !goal.reason.is_empty() {
        state = format!("{state}: {}", goal.reason);
    }
    let (done, wanted) = progress(list);
    let mut lines = vec![
        goal.objective.clone(),
        String::new(),
        format!("The goal is {state}"),
    ];
    if goal.status == GoalStatus::Active {
        lines.push(
            "The agent is reminded when nothing else is to be done: no message waits, no other agent and no \
             background command runs."
                .to_owned(),
        );
    }
    lines.push(String::new());
    if list.items.is_empty() {
        lines.push("The checklist is empty".to_owned());
    } else {
        lines.push(format!("{done} of {wanted} done"));
    }
    lines.extend(list.items.iter().map(|item| {
        let mark = match item.status {
            ItemStatus::Completed => "✓",
            ItemStatus::InProgress => "▶",
            ItemStatus::Pending => "○",
            ItemStatus::Deferred => "◌",
            ItemStatus::Canceled => "✗",
        };
        let reason = item
            .reason
            .as_ref()
            .map_or_else(String::new, |reason| format!(" ({reason})"));
        format!("{mark} {}{reason}", item.text)
    }));
    lines.push(String::new());
    lines.push(USAGE.to_owned());
    lines.join("\n")
}

fn look(status: GoalStatus) -> (&'static str, StyleName) {
    match status {
        GoalStatus::Active => ("◎ ", StyleName::Accent),
        GoalStatus::Paused => ("◌ ", StyleName::Warn),
        GoalStatus::Completed => ("✓ ", StyleName::Good),
        GoalStatus::Cancelled => ("✗ ", StyleName::Faint),
    }
}

/// How many items are done, and of how many that were not given up.
fn progress(list: &Checklist) -> (usize, usize) {
    let is_wanted = |status: ItemStatus| status != ItemStatus::Canceled;
    let items = list.items.iter();
    let wanted = items.filter(|item| is_wanted(item.status)).count();
    (list.completed_count(), wanted)
}

/// The main agent's checklist, which is the goal's.
fn list(model: &Model) -> &Checklist {
    static EMPTY: Checklist = Checklist {
        items: Vec::new(),
        last_id: 0,
    };
    let lists = &model.session.checklists;
    lists
        .get(&AgentId::main())
        .map_or(&EMPTY, |agent| &agent.list)
}
