//! The top line: title, profile, folder, level, mode, network, and how many requests wait. Where they do not all fit
//! they are shortened; only where even that is too much the least important are left out. The level and what waits for
//! the person go last.

use std::path::Path;

use ratatui::{
    buffer::Buffer,
    layout::Rect,
    style::Style,
    text::{Line, Span},
};

use crate::{
    domain::{permission::Level, sandbox::Standing, session::SessionSettings},
    text::{
        figures::counted,
        sanitize::clean_line,
        truncate::{head, tail},
    },
    ui::{
        Model,
        focus::Pane,
        layout::Arrangement,
        panes::{agents, requests},
        theme::StyleName,
        widgets::text::{line_width, put, put_line},
    },
};

/// How short the parts are written, the longest first, and the columns that the title keeps then.
const LENGTHS: [(Length, usize); 3] = [
    (Length::Whole, 16),
    (Length::Short, 16),
    (Length::Shortest, 8),
];
/// Columns of the title that the level and what waits for the person leave to it.
const TITLE_LEAST: usize = 3;
/// The rank of what is told only where it takes nothing from anything else.
const EXTRA: u8 = 5;
/// Blanks between parts.
const GAP: usize = 2;

/// How short a part is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Length {
    Whole,
    Short,
    Shortest,
}

type Part = Vec<Span<'static>>;

/// Draws the line.
pub fn view(model: &Model, area: Rect, buffer: &mut Buffer) {
    let right = right(model, usize::from(area.width));
    let right_width = line_width(&right).min(usize::from(area.width)) as u16;
    let left_width = area.width - right_width;
    put_line(buffer, area.x, area.y, left_width, &title(model));
    let line = Line::from(right);
    put_line(buffer, area.x + left_width, area.y, right_width, &line);
}

/// Everything but the title, as long as it can be.
fn right(model: &Model, width: usize) -> Part {
    let mut chosen = (Vec::new(), 0);
    for (length, title) in LENGTHS {
        chosen = (parts(model, length), title);
        let columns: usize = chosen
            .0
            .iter()
            .filter(|(rank, _)| *rank < EXTRA)
            .map(|(_, part)| line_width(part) + GAP)
            .sum();
        if columns + title <= width {
            break;
        }
    }
    let (parts, title) = chosen;
    // From the most important on, as long as the title keeps its columns.
    let mut shown = vec![false; parts.len()];
    let mut used = 0;
    for (index, (rank, part)) in by_importance(&parts) {
        let columns = line_width(part) + GAP;
        let title = if *rank <= 1 { TITLE_LEAST } else { title };
        if used + columns + title <= width {
            used += columns;
            if let Some(place) = shown.get_mut(index) {
                *place = true;
            }
        }
    }
    let mut right = Part::new();
    for ((_, part), _) in parts.into_iter().zip(shown).filter(|(_, shown)| *shown) {
        right.push(Span::raw(" ".repeat(GAP)));
        right.extend(part);
    }
    right
}

fn title(model: &Model) -> Line<'static> {
    let mut spans = vec![Span::styled(" qd", model.style(StyleName::Accent))];
    if let Some(info) = &model.session.info {
        let title = match info.title.as_str() {
            "" => "new session".to_owned(),
            title => clean_line(title).into_owned(),
        };
        spans.push(Span::styled(" · ", model.style(StyleName::Dim)));
        spans.push(Span::styled(title, model.style(StyleName::Header)));
    }
    Line::from(spans)
}

/// The parts of the right side in the order in which they stand, each with its rank: the lowest goes last.
fn parts(model: &Model, length: Length) -> Vec<(u8, Part)> {
    let mut parts = Vec::new();
    if let Some(settings) = &model.session.settings {
        parts.push((2, profile(model, settings, length)));
        if let Some(info) = &model.session.info {
            let folder = clean_line(&folder(&info.cwd, &model.screen.home)).into_owned();
            let folder = match length {
                Length::Whole => folder,
                Length::Short => tail(&folder, 24).into_owned(),
                Length::Shortest => {
                    tail(folder.rsplit('/').next().unwrap_or_default(), 12).into_owned()
                }
            };
            parts.push((4, vec![Span::styled(folder, model.style(StyleName::Dim))]));
        }
        parts.push((1, level(model, settings)));
        parts.extend(held(model, settings, length));
        let mode = if settings.approvals {
            settings.mode.name()
        } else {
            "asks nothing"
        };
        let network = settings.network.name();
        let reach = match length {
            Length::Whole => format!("{mode} · net:{network}"),
            Length::Short | Length::Shortest => format!("{mode} net:{network}"),
        };
        parts.push((3, vec![Span::styled(reach, model.style(StyleName::Dim))]));
    }
    let jobs = model.session.running.jobs;
    if jobs > 0 {
        let words = counted(jobs, "job", "jobs");
        parts.push((3, vec![Span::styled(words, model.style(StyleName::Tool))]));
    }
    if let Some(waiting) = waiting(model, length) {
        let style = model.style(StyleName::Approval);
        parts.push((0, vec![Span::styled(format!("{waiting} "), style)]));
    } else if !parts.is_empty() {
        parts.push((1, vec![Span::raw("")]));
    }
    parts
}

fn level(model: &Model, settings: &SessionSettings) -> Part {
    let name = settings.level.name();
    let mut part = vec![Span::styled(name, model.style(level_style(settings.level)))];
    if !settings.trusted {
        part.push(Span::styled(" untrusted", model.style(StyleName::Dim)));
    }
    part
}

/// What holds commands. Where something does it is told as long as there is room; where nothing does it is always told.
fn held(model: &Model, settings: &SessionSettings, length: Length) -> Option<(u8, Part)> {
    let standing = model.session.sandbox.as_ref()?.standing;
    let (rank, style) = match standing {
        Standing::Whole | Standing::Part if length == Length::Whole => (2, StyleName::Dim),
        Standing::Whole | Standing::Part => (EXTRA, StyleName::Dim),
        Standing::Off | Standing::Broken => (2, StyleName::Warn),
    };
    // No command runs below `read`, and at `unrestricted` none is held.
    let is_asked = matches!(settings.level, Level::Read | Level::Workspace);
    is_asked.then(|| {
        let name = Span::styled(standing.name(), model.style(style));
        (rank, vec![name])
    })
}

/// What waits for the person; `None` when nothing does.
fn waiting(model: &Model, length: Length) -> Option<String> {
    let (approvals, forms) = requests::waiting(model);
    let mut waiting = Vec::new();
    if approvals > 0 {
        waiting.push(counted(approvals, "approval", "approvals"));
    }
    if forms > 0 {
        waiting.push(counted(forms, "question", "questions"));
    }
    match (waiting.len(), length) {
        (0, _) => None,
        (2, Length::Shortest) => Some(format!("{} waiting", approvals + forms)),
        _ => Some(waiting.join(" · ")),
    }
}

fn by_importance(parts: &[(u8, Part)]) -> Vec<(usize, &(u8, Part))> {
    let mut ranked: Vec<_> = parts.iter().enumerate().collect();
    ranked.sort_by_key(|(_, (rank, _))| *rank);
    ranked
}

fn profile(model: &Model, settings: &SessionSettings, length: Length) -> Part {
    let name = clean_line(&settings.model.profile).into_owned();
    if settings.model.is_script {
        let text = match length {
            Length::Whole => format!("{name} (a script, no model)"),
            Length::Short => format!("{name} (a script)"),
            Length::Shortest => "script".to_owned(),
        };
        return vec![Span::styled(text, model.style(StyleName::Script))];
    }
    let model_id = clean_line(&settings.model.model_id).into_owned();
    let style = model.style(StyleName::Header);
    match length {
        Length::Whole => vec![
            Span::styled(name, style),
            Span::styled(" ▸ ", model.style(StyleName::Dim)),
            Span::styled(model_id, style),
        ],
        // Providers put their own name in front of a model's.
        Length::Short => vec![Span::styled(tail(&model_id, 20).into_owned(), style)],
        Length::Shortest => {
            let short = model_id.rsplit('/').next().unwrap_or_default();
            vec![Span::styled(head(short, 14).into_owned(), style)]
        }
    }
}

fn level_style(level: Level) -> StyleName {
    match level {
        Level::None => StyleName::LevelNone,
        Level::Read => StyleName::LevelRead,
        Level::Workspace => StyleName::LevelWorkspace,
        Level::Unrestricted => StyleName::LevelUnrestricted,
    }
}

/// The folder with the home folder as `~`.
pub fn folder(cwd: &Path, home: &Path) -> String {
    if home.as_os_str().is_empty() {
        return cwd.to_string_lossy().into_owned();
    }
    match cwd.strip_prefix(home) {
        Ok(rest) if rest.as_os_str().is_empty() => "~".to_owned(),
        Ok(rest) => format!("~/{}", rest.to_string_lossy()),
        Err(_) => cwd.to_string_lossy().into_owned(),
    }
}

/// Draws the tabs of the single-pane arrangement.
pub fn tabs(model: &Model, area: Rect, buffer: &mut Buffer) {
    draw_tabs(model, &Pane::ALL, model.screen.focus, area, buffer);
}

/// Draws the tabs of the right column into its upper border.
pub fn right_tabs(model: &Model, outer: Rect, buffer: &mut Buffer) {
    let area = right_tabs_area(outer);
    let panes = right_panes(model);
    draw_tabs(model, &panes, model.screen.tab, area, buffer);
    let is_own = matches!(model.screen.tab, Pane::Checklist | Pane::Context);
    let Some(name) = agents::shown_name(model).filter(|_| is_own) else {
        return;
    };
    // Whose they are stands at the lower border: the tabs have the upper one.
    let label = format!(
        " {} ",
        head(&name, usize::from(area.width.saturating_sub(4)))
    );
    let y = outer.bottom().saturating_sub(1);
    put(
        buffer,
        outer.x + 2,
        y,
        area.width,
        &label,
        model.style(StyleName::Accent),
    );
}

/// The pane whose tab stands in a cell, in the single-pane arrangement or in the right column's border.
pub fn tab_at(model: &Model, area: Rect, column: u16) -> Option<Pane> {
    let (panes, current) = match model.screen.arrangement() {
        Arrangement::Single => (Pane::ALL.to_vec(), model.screen.focus),
        _ => (right_panes(model), model.screen.tab),
    };
    let places = places(&panes, current, area);
    let (pane, _, _) = places
        .into_iter()
        .find(|(_, x, label)| (*x..*x + label.chars().count() as u16).contains(&column))?;
    Some(pane)
}

/// Where the tabs of the right column stand.
pub fn right_tabs_area(outer: Rect) -> Rect {
    Rect::new(outer.x + 1, outer.y, outer.width.saturating_sub(2), 1)
}

fn right_panes(model: &Model) -> Vec<Pane> {
    Pane::RIGHT
        .into_iter()
        .filter(|pane| !model.screen.hidden.contains(pane))
        .collect()
}

/// Every tab with its column and label: all names where they fit, else the numbers and the current name.
fn places(panes: &[Pane], current: Pane, area: Rect) -> Vec<(Pane, u16, String)> {
    let label = |pane: &Pane, long: bool| {
        if long || *pane == current {
            format!("{} {}", pane.number(), pane.name())
        } else {
            pane.number().to_string()
        }
    };
    let columns = |long| -> usize {
        let labels = panes.iter().map(|pane| label(pane, long).chars().count());
        labels.map(|columns| columns + 3).sum()
    };
    let long = columns(true) <= usize::from(area.width);
    let mut x = area.x + 1;
    let mut places = Vec::new();
    for pane in panes {
        let label = label(pane, long);
        let columns = label.chars().count() as u16;
        if x + columns > area.right() {
            break;
        }
        places.push((*pane, x, label));
        x += columns + 3;
    }
    places
}

fn draw_tabs(model: &Model, panes: &[Pane], current: Pane, area: Rect, buffer: &mut Buffer) {
    let rule = model.style(StyleName::Border);
    let mut first = true;
    for (pane, x, label) in places(panes, current, area) {
        let style: Style = if pane == current && model.screen.focus == pane {
            model.style(StyleName::TitleFocused)
        } else if pane == current {
            model.style(StyleName::Strong)
        } else {
            model.style(StyleName::Title)
        };
        let width = label.chars().count() as u16;
        // A style without a colour of its own would keep that of the border below.
        buffer.set_style(Rect::new(x, area.y, width, 1), Style::reset());
        if !first {
            put(buffer, x - 2, area.y, 1, "│", rule);
        }
        put(buffer, x - 1, area.y, 1, " ", rule);
        let used = put(
            buffer,
            x,
            area.y,
            area.right().saturating_sub(x),
            &label,
            style,
        );
        if x + used < area.right() {
            put(buffer, x + used, area.y, 1, " ", rule);
        }
        first = false;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_home_folder_is_shown_as_a_tilde() {
        let home = Path::new("/home/ada");

        assert_eq!(folder(Path::new("/home/ada/src/x"), home), "~/src/x");
        assert_eq!(folder(Path::new("/home/ada"), home), "~");
        assert_eq!(folder(Path::new("/home/adam"), home), "/home/adam");
        assert_eq!(folder(Path::new("/x"), Path::new("")), "/x");
    }

    #[test]
    fn tabs_shrink_to_numbers_around_the_current_one() {
        let labels = |width| -> Vec<String> {
            places(&Pane::ALL, Pane::Agents, Rect::new(0, 0, width, 1))
                .into_iter()
                .map(|(_, _, label)| label)
                .collect()
        };

        assert_eq!(
            labels(30),
            ["1", "2", "3 Agents", "4", "5", "6"].map(str::to_owned)
        );
        assert_eq!(labels(120).len(), 6);
        assert!(labels(120)[0].ends_with("Conversation"));
    }
}
