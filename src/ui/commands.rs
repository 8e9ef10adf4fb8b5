//! Actions of the whole screen, with the words behind them when they come as a slash command.

use super::{
    Effect, Model, focus,
    focus::Pane,
    keymap::{Action, action},
    overlays::{
        Overlay,
        ask::{self, Subject},
        choices, help, inbox, line, open, rules,
        viewer::{self, Source},
    },
    panes, pointer, reports,
};
use crate::{
    domain::{ids::AgentId, notice::Notice, permission::Level, record::Record, window::WindowEdit},
    engine::{
        command::{Command, SessionCommand, Setting, WindowCommand},
        event::{CallState, Event, EventKind},
    },
};

/// Within this time a second Ctrl+C leaves.
pub const QUIT_WINDOW_MS: u64 = 1_000;

/// Runs `/name words`; `None` when there is no such command.
pub fn slash(model: &mut Model, line: &str) -> Option<Vec<Effect>> {
    let line = line.strip_prefix('/')?;
    let (name, words) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    let action = action::by_slash(name)?;
    Some(if action.scopes().contains(&super::keymap::Scope::Global) {
        update(model, action, words.trim())
    } else {
        focus::focus(model, Pane::Composer);
        panes::update(model, Pane::Composer, action)
    })
}

/// Does an action of the whole screen. `words` is empty unless it came as a slash command with words.
pub fn update(model: &mut Model, action: Action, words: &str) -> Vec<Effect> {
    match action {
        Action::FocusConversation => focus::focus(model, Pane::Conversation),
        Action::FocusComposer => focus::focus(model, Pane::Composer),
        Action::FocusAgents => focus::focus(model, Pane::Agents),
        Action::FocusChecklist => focus::focus(model, Pane::Checklist),
        Action::FocusScratchpad => focus::focus(model, Pane::Scratchpad),
        Action::FocusContext => focus::focus(model, Pane::Context),
        Action::NextPane => step(model, 1),
        Action::PreviousPane => step(model, Pane::ALL.len() - 1),
        Action::Zoom
        | Action::HidePane
        | Action::ResetLayout
        | Action::WidenRight
        | Action::NarrowRight
        | Action::Taller
        | Action::Shorter => arrange(model, action),
        Action::Approvals => inbox::open(model),
        Action::Grants => rules::open(model, rules::Page::Grants),
        Action::Rules => rules::open(model, rules::Page::Rules),
        Action::Security => rules::open(model, rules::Page::Judged),
        Action::Doctor => {
            viewer::open(model, "doctor", Source::Text(reports::doctor(model).into()))
        }
        Action::Tools => viewer::open(model, "Tools", Source::Tools),
        Action::Goal => panes::goal::slash(model, words),
        Action::TypeInto if !words.is_empty() => panes::typing::run(model, words),
        Action::TypeInto => panes::typing::begin(model),
        Action::Compact => window(model, WindowCommand::Compact(words.to_owned())),
        Action::UndoCompaction => window(model, WindowCommand::Edit(WindowEdit::Uncompact)),
        Action::Later => panes::requests::later(model),
        Action::Interrupt => interrupt(model),
        Action::CancelTurn => cancel(model),
        Action::NewSession => vec![Effect::Send(Command::Session(SessionCommand::New))],
        Action::Title if !words.is_empty() => {
            let title = SessionCommand::Title(words.to_owned());
            vec![Effect::Send(Command::Session(title))]
        }
        Action::Palette => open(model, |model| Overlay::Palette(choices::palette(model))),
        Action::Help => open(model, |model| {
            Overlay::Help(help::State::of(focus::scope(model)))
        }),
        Action::Sessions => choices::sessions(model),
        Action::Jobs => choices::jobs(model),
        Action::Title => open(model, |model| Overlay::Line(line::State::title(model))),
        Action::CycleLevel => cycle_level(model),
        Action::ToggleAsking => toggle_asking(model),
        Action::ChooseLevel
        | Action::ChooseMode
        | Action::ChooseNetwork
        | Action::ChooseProfile
        | Action::ChooseTheme
        | Action::ChooseKeymap => choose(model, action, words),
        Action::Cost => viewer::open(model, "Cost", Source::Text(reports::cost(model).into())),
        Action::Notices => notices(model),
        Action::ToggleMouse => {
            model.screen.has_mouse = !model.screen.has_mouse;
            vec![Effect::CaptureMouse(model.screen.has_mouse)]
        }
        Action::Redraw => vec![Effect::Redraw],
        Action::Suspend => vec![Effect::Suspend],
        Action::Quit => quit(model),
        Action::Trust => trust(model),
        // Everything else belongs to a pane or an overlay.
        _ => Vec::new(),
    }
}

fn window(model: &Model, command: WindowCommand) -> Vec<Effect> {
    let agent = model.conversation.shown.clone();
    vec![Effect::Send(Command::Window { agent, command })]
}

fn open(model: &mut Model, overlay: impl FnOnce(&Model) -> Overlay) -> Vec<Effect> {
    let overlay = overlay(model);
    model.overlay.open(overlay);
    Vec::new()
}

/// The next level. What lifts every bound is asked about first: a key is pressed by mistake.
fn cycle_level(model: &mut Model) -> Vec<Effect> {
    let Some(settings) = &model.session.settings else {
        return Vec::new();
    };
    let next = match settings.level {
        Level::None => Level::Read,
        // Nothing is written in a folder that is not trusted.
        Level::Read if !settings.trusted => Level::None,
        Level::Read => Level::Workspace,
        Level::Workspace => return ask(model, Subject::Unrestrict),
        Level::Unrestricted => Level::None,
    };
    vec![Effect::Send(Command::Configure(Setting::Level(next)))]
}

fn toggle_asking(model: &mut Model) -> Vec<Effect> {
    let Some(settings) = &model.session.settings else {
        return Vec::new();
    };
    let asks = !settings.approvals;
    model.notify(if asks {
        Notice::info("you are asked again")
    } else {
        Notice::warning("nothing is asked: what would be is refused")
            .with_hint("/asking turns it back")
    });
    vec![Effect::Send(Command::Configure(Setting::Approvals(asks)))]
}

/// Opens the choice, or takes the one that was named: `/permission read`.
fn choose(model: &mut Model, action: Action, words: &str) -> Vec<Effect> {
    let state = match action {
        Action::ChooseLevel => choices::levels(model),
        Action::ChooseMode => choices::modes(model),
        Action::ChooseNetwork => choices::networks(model),
        Action::ChooseProfile => choices::profiles(model),
        Action::ChooseTheme if !words.is_empty() => {
            return vec![Effect::LoadTheme(words.to_owned())];
        }
        Action::ChooseKeymap if !words.is_empty() => {
            return vec![Effect::LoadKeymap(words.to_owned())];
        }
        Action::ChooseTheme => return vec![Effect::ListThemes],
        _ => return vec![Effect::ListKeymaps],
    };
    if words.is_empty() {
        model.overlay.open(Overlay::Choose(state));
        return Vec::new();
    }
    match state.named(words) {
        Some(choice) => choices::choose(model, choice.clone()),
        None => {
            let what = state.title().to_lowercase();
            let known = state.labels().join(", ");
            model.notify(Notice::error(format!("there is no {what} `{words}`")).with_hint(known));
            Vec::new()
        }
    }
}

fn notices(model: &mut Model) -> Vec<Effect> {
    let lines: Vec<String> = model
        .notices
        .list
        .iter()
        .map(|(notice, _)| match &notice.hint {
            Some(hint) => format!("{} · {hint}", notice.text),
            None => notice.text.clone(),
        })
        .collect();
    viewer::open(model, "Notices", Source::Text(lines.join("\n").into()))
}

fn trust(model: &mut Model) -> Vec<Effect> {
    let trusted = model.session.settings.as_ref().is_some_and(|s| s.trusted);
    ask(
        model,
        if trusted {
            Subject::Distrust
        } else {
            Subject::Trust
        },
    )
}

fn ask(model: &mut Model, subject: Subject) -> Vec<Effect> {
    open(model, |_| Overlay::Ask(ask::State::new(subject)))
}

/// What of an event concerns the whole screen.
pub fn apply(model: &mut Model, event: &Event) -> Vec<Effect> {
    match &event.kind {
        EventKind::Notice(notice) => {
            model.notify(notice.clone());
            Vec::new()
        }
        EventKind::Opened(opened) => {
            model.screen.zoomed = None;
            model.screen.welcomes &= !opened.resumed;
            if opened.asks_trust {
                ask(model, Subject::Trust);
            }
            welcome(model);
            vec![retitle(model)]
        }
        EventKind::TrustAsked(_) => ask(model, Subject::Trust),
        EventKind::Settings(_) => {
            welcome(model);
            Vec::new()
        }
        EventKind::Recorded(stored) if matches!(stored.record, Record::Titled { .. }) => {
            vec![retitle(model)]
        }
        EventKind::ApprovalAsked(request) => {
            vec![Effect::Notify(format!("{} waits for you", request.tool))]
        }
        EventKind::QuestionAsked(_) => vec![Effect::Notify("a question waits for you".to_owned())],
        EventKind::Call {
            state: CallState::Attended,
            ..
        } => vec![Effect::Notify(
            "a program waits for what you type".to_owned(),
        )],
        EventKind::Turn { running: false, .. } if event.agent.is_main() => {
            vec![Effect::Notify("the agent rests".to_owned())]
        }
        _ => Vec::new(),
    }
}

/// Shows the page of a first run once it is due: the folder is asked about first. It lies beneath whatever is being
/// looked at.
pub fn welcome(model: &mut Model) {
    let is_due = model.screen.welcomes
        && !model.overlay.asks_trust()
        && has_no_profile(&model.session.profiles)
        && model.session.turns_done == 0;
    if is_due {
        let page = Overlay::Start(choices::start(model));
        model.overlay.open_beneath(page);
        model.screen.welcomes = false;
    }
}

fn has_no_profile(profiles: &[(String, String)]) -> bool {
    profiles.iter().all(|(name, _)| name == "practice")
}

fn retitle(model: &Model) -> Effect {
    let title = model
        .session
        .info
        .as_ref()
        .map_or("", |info| info.title.as_str());
    Effect::SetTitle(match title {
        "" => "qd".to_owned(),
        title => format!("qd · {title}"),
    })
}

fn step(model: &mut Model, by: usize) -> Vec<Effect> {
    let shown: Vec<Pane> = Pane::ALL
        .into_iter()
        .filter(|pane| !model.screen.hidden.contains(pane))
        .collect();
    let here = shown.iter().position(|pane| *pane == model.screen.focus);
    let by = if by == 1 {
        1
    } else {
        shown.len().saturating_sub(1)
    };
    let next = (here.unwrap_or(0) + by) % shown.len().max(1);
    match shown.get(next) {
        Some(pane) => focus::focus(model, *pane),
        None => Vec::new(),
    }
}

fn arrange(model: &mut Model, action: Action) -> Vec<Effect> {
    let pane = model.screen.focus;
    let right = model.screen.right_width();
    match action {
        Action::Zoom => {
            model.screen.zoomed = match model.screen.zoomed {
                Some(_) => None,
                None => Some(pane),
            };
        }
        Action::HidePane => {
            if !matches!(pane, Pane::Conversation | Pane::Composer) {
                model.screen.zoomed = None;
                focus::focus(model, Pane::Composer);
                model.screen.hide(pane);
            }
        }
        Action::ResetLayout => {
            model.screen.hidden.clear();
            model.screen.extra_rows.clear();
            model.screen.right_columns = None;
            model.screen.zoomed = None;
        }
        Action::WidenRight => model.screen.right_columns = Some(right.saturating_add(2)),
        Action::NarrowRight => model.screen.right_columns = Some(right.saturating_sub(2)),
        Action::Taller => pointer::grow(model, pane, 1),
        _ => pointer::grow(model, pane, -1),
    }
    Vec::new()
}

/// One rung per press: what is open is closed, a draft is cleared, a turn is stopped, and only then, twice within a
/// second, the program is left.
fn interrupt(model: &mut Model) -> Vec<Effect> {
    if model.overlay.is_some() {
        open::close(model);
        return Vec::new();
    }
    if panes::requests::scope(model).is_some() {
        return panes::requests::interrupt(model);
    }
    if !panes::composer::is_empty(model) {
        return panes::composer::clear(model);
    }
    if can_stop(model) {
        return cancel(model);
    }
    let now = model.clock.elapsed_ms;
    if model
        .screen
        .quit_armed_until
        .is_some_and(|until| now < until)
    {
        return quit(model);
    }
    model.screen.quit_armed_until = Some(now + QUIT_WINDOW_MS);
    Vec::new()
}

fn cancel(model: &mut Model) -> Vec<Effect> {
    let agent = shown_agent(model);
    if !can_stop(model) {
        model.notify(Notice::info("nothing is running here"));
        return Vec::new();
    }
    vec![Effect::Send(Command::Cancel { agent })]
}

/// Whether the agent on the screen is at work, or a command of the person's is.
pub(super) fn can_stop(model: &Model) -> bool {
    model.session.is_agent_busy(&shown_agent(model))
        || model.conversation.transcript().runs_for_person()
}

fn shown_agent(model: &Model) -> AgentId {
    model.conversation.shown.clone()
}

fn quit(model: &mut Model) -> Vec<Effect> {
    let session = &model.session;
    let loses_draft = session.unstored.has_draft && !panes::composer::is_empty(model);
    let loses = session.unstored.texts().next().is_some() || loses_draft;
    if session.is_busy() || session.unsent() > 0 || loses {
        return ask(model, Subject::Quit);
    }
    vec![Effect::Send(Command::Shutdown)]
}
