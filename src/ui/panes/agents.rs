//! Pane 3: the tree of agents: what each is doing, for how long, and what it has used.

use crossterm::event::{MouseButton, MouseEvent, MouseEventKind};
use ratatui::{
    buffer::Buffer,
    layout::Rect,
    text::{Line, Span},
};

use super::{
    composer, conversation,
    side_list::{self, Entry},
};
use crate::{
    domain::{
        agent::{AgentNode, AgentStatus},
        ids::AgentId,
        notice::Notice,
        record::Lane,
    },
    engine::{
        command::Command,
        event::{Event, EventKind},
    },
    text::{
        figures::{counted, elapsed, money, short},
        sanitize::clean_line,
        truncate::head,
        width::{columns, pad},
    },
    ui::{
        Effect, Model,
        focus::{self, Pane},
        keymap::Action,
        overlays::rules,
        panes::{requests, typing},
        theme::StyleName,
        widgets::{frame::Title, list::Selection},
    },
};

/// From so many columns on all names take the columns of the longest.
const ALIGNED: u16 = 36;

/// What the pane remembers.
#[derive(Debug, Default)]
pub struct State {
    /// The selected agent, counted in the order of the drawing.
    pub selection: Selection,
}

/// Takes an action.
pub fn update(model: &mut Model, action: Action) -> Vec<Effect> {
    let count = model.session.agents.len();
    let page = side_list::page(model, Pane::Agents);
    if model.agents.selection.update(action, count, page) {
        return Vec::new();
    }
    let Some(agent) = selected(model) else {
        return Vec::new();
    };
    match action {
        Action::Open => conversation::show(model, agent),
        Action::Back if !model.conversation.shown.is_main() => {
            model.agents.selection.selected = 0;
            conversation::show(model, AgentId::main())
        }
        Action::Back => focus::focus(model, Pane::Composer),
        Action::Steer => aim(model, agent, Lane::Steer),
        Action::Cut => aim(model, agent, Lane::Interrupt),
        Action::CancelAgent if model.session.is_agent_busy(&agent) => {
            vec![Effect::Send(Command::Cancel { agent })]
        }
        Action::CancelAgent => {
            model.notify(Notice::info(format!("{agent} is not at work")));
            Vec::new()
        }
        Action::AgentScope => rules::open(model, rules::Page::Agent(agent)),
        Action::Copy => vec![Effect::Copy(agent.to_string())],
        _ => Vec::new(),
    }
}

/// Follows the engine.
pub fn apply(model: &mut Model, event: &Event) -> Vec<Effect> {
    match event.kind {
        EventKind::Opened(_) => model.agents = State::default(),
        EventKind::AgentRemoved if model.conversation.shown == event.agent => {
            return conversation::show(model, AgentId::main());
        }
        _ => {}
    }
    Vec::new()
}

/// Takes the mouse over the content: a click selects, a second one on the same agent shows it.
pub fn mouse(model: &mut Model, mouse: MouseEvent, area: Rect) -> Vec<Effect> {
    let entries = entries(model, area);
    let selected = model.agents.selection.selected;
    match mouse.kind {
        MouseEventKind::Down(MouseButton::Left) => {
            let Some(at) = side_list::entry_at(&entries, selected, area, mouse.row) else {
                return Vec::new();
            };
            model.agents.selection.selected = at;
            if at == selected {
                return update(model, Action::Open);
            }
            Vec::new()
        }
        MouseEventKind::ScrollUp => update(model, Action::Up),
        MouseEventKind::ScrollDown => update(model, Action::Down),
        _ => Vec::new(),
    }
}

/// What stands in the upper border.
pub fn title(model: &Model) -> Title {
    let busy = model
        .session
        .agents
        .iter()
        .filter(|node| node.status.is_busy())
        .count();
    let title = Title::of(Pane::Agents);
    if busy > 1 {
        return title.note(format!("{busy} at work"));
    }
    title
}

/// A pane's title, with the shown agent's name when it is not the main one.
pub fn titled(model: &Model, pane: Pane) -> Title {
    let mut title = Title::of(pane);
    let shown = &model.conversation.shown;
    if !shown.is_main() {
        let name = shown_name(model).unwrap_or_else(|| shown.to_string());
        title.name = format!("{} · {name}", title.name);
    }
    title
}

/// The shown agent's name as the tree writes it; `None` for the main one.
pub fn shown_name(model: &Model) -> Option<String> {
    let shown = &model.conversation.shown;
    let order = tree(&model.session.agents);
    let branch = order.iter().find(|branch| branch.node.id == *shown)?;
    (!shown.is_main()).then(|| name(&order, branch.node))
}

/// Draws the content.
pub fn view(model: &Model, area: Rect, buffer: &mut Buffer) {
    let entries = entries(model, area);
    if entries.is_empty() {
        side_list::empty(model, area, "no agent yet", buffer);
        return;
    }
    let selected = model.agents.selection.selected;
    side_list::view(model, Pane::Agents, &entries, selected, area, buffer);
}

fn aim(model: &mut Model, agent: AgentId, lane: Lane) -> Vec<Effect> {
    composer::aim(model, agent, lane)
}

pub(super) fn selected(model: &Model) -> Option<AgentId> {
    let order = tree(&model.session.agents);
    let last = order.len().checked_sub(1)?;
    let branch = order.get(model.agents.selection.selected.min(last))?;
    Some(branch.node.id.clone())
}

/// An agent in its place of the tree.
struct Branch<'a> {
    node: &'a AgentNode,
    /// Guides in front of its first row.
    lead: String,
    /// Guides in front of its other rows.
    rest: String,
}

/// The agents, children under their parents in the order in which they came.
fn tree(agents: &[AgentNode]) -> Vec<Branch<'_>> {
    let mut order = Vec::with_capacity(agents.len());
    for node in agents {
        let is_root = node
            .parent
            .as_ref()
            .is_none_or(|parent| !agents.iter().any(|other| other.id == *parent));
        if is_root {
            order.push(Branch {
                node,
                lead: String::new(),
                rest: String::new(),
            });
            children(agents, &node.id, "", &mut order);
        }
    }
    order
}

fn children<'a>(
    agents: &'a [AgentNode],
    parent: &AgentId,
    guides: &str,
    order: &mut Vec<Branch<'a>>,
) {
    // An agent that names itself as its parent, or a ring of them, must not be walked for ever.
    if order.len() > agents.len() {
        return;
    }
    let below: Vec<&AgentNode> = agents
        .iter()
        .filter(|node| node.parent.as_ref() == Some(parent) && node.id != *parent)
        .collect();
    for (index, node) in below.iter().enumerate() {
        let is_last = index + 1 == below.len();
        let (fork, line) = if is_last {
            ("└ ", "  ")
        } else {
            ("├ ", "│ ")
        };
        order.push(Branch {
            node,
            lead: format!("{guides}{fork}"),
            rest: format!("{guides}{line}"),
        });
        children(agents, &node.id, &format!("{guides}{line}"), order);
    }
}

fn entries(model: &Model, area: Rect) -> Vec<Entry> {
    let order = tree(&model.session.agents);
    // Figures have a row of their own where every agent can have one.
    let is_roomy = order.len() * 2 <= usize::from(area.height);
    let names: Vec<String> = order
        .iter()
        .map(|branch| name(&order, branch.node))
        .collect();
    let widest = order
        .iter()
        .zip(&names)
        .map(|(branch, name)| columns(&branch.lead) + columns(name))
        .max()
        .unwrap_or(0)
        .min(usize::from(area.width) / 2);
    // States stand below each other where there is room for them.
    let is_aligned = area.width >= ALIGNED;
    order
        .iter()
        .zip(&names)
        .map(|(branch, name)| {
            let taken = columns(&branch.lead) + columns(name);
            let column = if is_aligned {
                widest
            } else {
                taken.min(widest)
            };
            entry(model, branch, (name, column), is_roomy)
        })
        .collect()
}

/// The handle, its random part cut to four characters where that is still unique.
fn name(order: &[Branch<'_>], node: &AgentNode) -> String {
    let whole = node.id.as_str();
    let Some((kind, random)) = whole.rsplit_once('_') else {
        return clean_line(whole).into_owned();
    };
    let is_random = random.len() == 8 && random.chars().all(|c| c.is_ascii_hexdigit());
    let short = match random.get(..4) {
        Some(start) if is_random => format!("{kind}_{start}"),
        _ => whole.to_owned(),
    };
    let alike = order
        .iter()
        .filter(|branch| branch.node.id.as_str().starts_with(&short))
        .count();
    let name = if alike > 1 { whole } else { &short };
    clean_line(name).into_owned()
}

fn entry(
    model: &Model,
    branch: &Branch<'_>,
    (name, widest): (&str, usize),
    is_roomy: bool,
) -> Entry {
    let node = branch.node;
    let room = widest.saturating_sub(columns(&branch.lead));
    let name = pad(&head(name, room), room).into_owned();
    let status = status(model, node);
    let (glyph, glyph_style) = glyph(model, status);
    let is_shown = model.conversation.shown == node.id;
    let name_style = if is_shown {
        StyleName::Strong
    } else {
        StyleName::Text
    };
    let first = Line::from(vec![
        Span::styled(branch.lead.clone(), model.style(StyleName::Guide)),
        Span::styled(format!("{glyph} "), model.style(glyph_style)),
        Span::styled(name, model.style(name_style)),
        Span::raw("  "),
        Span::styled(state_words(model, node), model.style(state_style(status))),
    ]);
    let time = elapsed(node.ended_ms.unwrap_or(model.clock.now_ms) - node.started_ms);
    // A time that stands still tells nothing.
    let is_still = node.status.is_busy() && conversation::waits_only_for_person(model);
    let right = if is_still || matches!(node.status, AgentStatus::Idle) {
        String::new()
    } else {
        time
    };
    let mut rows = vec![first];
    if is_roomy {
        rows.push(Line::from(vec![
            Span::styled(branch.rest.clone(), model.style(StyleName::Guide)),
            Span::styled(format!("  {}", figures(node)), model.style(StyleName::Dim)),
        ]));
    }
    Entry { rows, right }
}

fn figures(node: &AgentNode) -> String {
    let used = node.usage.input + node.usage.output;
    // A server that tells no figures leaves them unknown.
    let mut parts = Vec::new();
    parts.extend((used > 0).then(|| format!("{} tok", short(used))));
    parts.extend(node.usage.cost.map(money));
    parts.push(counted(node.calls as usize, "call", "calls"));
    parts.join(" · ")
}

/// What an agent does as a person sees it: a tool that asks the person is no work.
fn status<'a>(model: &Model, node: &'a AgentNode) -> &'a AgentStatus {
    match &node.status {
        AgentStatus::Running { .. } if requests::waits_for(model, &node.id) => &AgentStatus::Asking,
        status => status,
    }
}

fn glyph(model: &Model, status: &AgentStatus) -> (&'static str, StyleName) {
    match status {
        AgentStatus::Idle => ("○", StyleName::Dim),
        AgentStatus::Queued | AgentStatus::Waiting => ("◌", StyleName::Dim),
        AgentStatus::Thinking | AgentStatus::Compacting | AgentStatus::Running { .. } => {
            (conversation::spinner(model), StyleName::Accent)
        }
        AgentStatus::Asking => ("◐", StyleName::Warn),
        AgentStatus::Retrying => ("↻", StyleName::Warn),
        AgentStatus::Done => ("✓", StyleName::Good),
        AgentStatus::Failed { .. } => ("✗", StyleName::Error),
        AgentStatus::Cancelled => ("■", StyleName::Dim),
        AgentStatus::Interrupted => ("‖", StyleName::Warn),
    }
}

fn state_style(status: &AgentStatus) -> StyleName {
    match status {
        AgentStatus::Running { .. } => StyleName::Tool,
        AgentStatus::Asking | AgentStatus::Retrying => StyleName::Warn,
        AgentStatus::Failed { .. } => StyleName::Error,
        _ => StyleName::Dim,
    }
}

fn state_words(model: &Model, node: &AgentNode) -> String {
    match status(model, node) {
        AgentStatus::Idle => "rests".to_owned(),
        AgentStatus::Queued => "waits for its turn".to_owned(),
        AgentStatus::Thinking => "thinks".to_owned(),
        AgentStatus::Running { .. } if typing::waits_for(model, &node.id) => {
            "takes what you type".to_owned()
        }
        AgentStatus::Running { tool } => {
            clean_line(format!("{tool} {}", node.activity).trim_end()).into()
        }
        AgentStatus::Asking => "asks you".to_owned(),
        AgentStatus::Waiting => "waits for its agents".to_owned(),
        AgentStatus::Compacting => "makes room in its window".to_owned(),
        AgentStatus::Retrying => retry_words(model, &node.id),
        AgentStatus::Done => "done".to_owned(),
        AgentStatus::Failed { reason } => format!("failed: {}", clean_line(reason)),
        AgentStatus::Cancelled => "cancelled".to_owned(),
        AgentStatus::Interrupted => "interrupted".to_owned(),
    }
}

fn retry_words(model: &Model, agent: &AgentId) -> String {
    let Some(retry) = model.session.running.retries.get(agent) else {
        return "tries again".to_owned();
    };
    let left = retry.at_elapsed_ms.saturating_sub(model.clock.elapsed_ms);
    let seconds = left.div_ceil(1_000);
    format!("try {} of {} in {seconds}s", retry.attempt, retry.of)
}
