//! What can be chosen in a picker, how each picker is filled, and what follows from a choice.

use super::{Overlay, endpoint, picker, picker::Row};
use crate::{
    domain::{
        ids::SessionId,
        job::JobInfo,
        permission::{Level, Mode, Network},
        session::SessionInfo,
    },
    engine::{
        command::{Command, Fetch, SessionCommand, Setting},
        event::ProfileOffer,
    },
    text::{figures::counted, sanitize::clean_line},
    ui::{
        Effect, Model, focus,
        keymap::{Action, Scope},
        panes::offered::offered,
        update,
    },
};

/// Something that was chosen.
#[derive(Clone, Debug, PartialEq)]
pub enum Choice {
    /// Do this.
    Action(Action),
    /// Change this setting.
    Setting(Setting),
    /// Use this theme.
    Theme(String),
    /// Use this keymap.
    Keymap(String),
    /// Open this session.
    Session(SessionId),
    /// Make a profile of this.
    Offer(ProfileOffer),
    /// Say where another endpoint is.
    Endpoint,
    /// End this job.
    Job(u32),
}

/// Does what was chosen; the list it was chosen from is closed already.
pub fn choose(model: &mut Model, choice: Choice) -> Vec<Effect> {
    match choice {
        Choice::Action(action) => update::by_name(model, action),
        Choice::Setting(setting) => vec![Effect::Send(Command::Configure(setting))],
        Choice::Theme(name) => vec![Effect::LoadTheme(name)],
        Choice::Keymap(name) => vec![Effect::LoadKeymap(name)],
        Choice::Job(id) => vec![Effect::Send(Command::StopJob { id })],
        Choice::Session(id) => {
            vec![Effect::Send(Command::Session(SessionCommand::Resume(id)))]
        }
        Choice::Offer(offer) if offer.model_id.is_empty() => {
            model
                .overlay
                .open(Overlay::Endpoint(endpoint::State::of(&offer)));
            Vec::new()
        }
        Choice::Offer(offer) => {
            let command = SessionCommand::AddProfile {
                name: offer.name,
                base_url: offer.base_url,
                model_id: offer.model_id,
                api_key_env: offer.api_key_env,
            };
            vec![Effect::Send(Command::Session(command))]
        }
        Choice::Endpoint => {
            model
                .overlay
                .open(Overlay::Endpoint(endpoint::State::default()));
            Vec::new()
        }
    }
}

fn row(label: impl Into<String>, detail: impl Into<String>, choice: Choice) -> Row {
    Row {
        label: label.into(),
        detail: detail.into(),
        note: String::new(),
        also: String::new(),
        choice,
    }
}

/// Every command that does something here, with its keys.
pub fn palette(model: &Model) -> picker::State {
    let scope = focus::scope(model);
    let actions = offered(model).into_iter();
    let rows = actions.map(|action| command_row(model, scope, action));
    picker::State::new("Commands", rows.collect())
}

fn command_row(model: &Model, scope: Scope, action: Action) -> Row {
    let keys = model.keymap.keys(scope, action);
    Row {
        label: match action.slash().first() {
            Some(slash) => format!("/{slash}"),
            None => action.name().replace('_', " "),
        },
        detail: action.doc().trim_end_matches('.').to_owned(),
        note: keys.into_iter().take(2).collect::<Vec<_>>().join("  "),
        also: format!(
            "{} {}",
            action.name().replace('_', " "),
            action.slash().join(" ")
        ),
        choice: Choice::Action(action),
    }
}

/// How far the agent may reach.
pub fn levels(model: &Model) -> picker::State {
    let rows = [
        (Level::None, "only words"),
        (Level::Read, "reads files, changes nothing"),
        (
            Level::Workspace,
            "writes inside the folder, runs commands after asking",
        ),
        (Level::Unrestricted, "everything that your account may do"),
    ]
    .map(|(level, detail)| row(level.name(), detail, Choice::Setting(Setting::Level(level))));
    let state = picker::State::new("Level", rows.to_vec());
    match &model.session.settings {
        Some(settings) => state.select(&Choice::Setting(Setting::Level(settings.level))),
        None => state,
    }
}

/// When to ask.
pub fn modes(model: &Model) -> picker::State {
    let rows = [
        (Mode::Strict, "asks for everything but local reads"),
        (Mode::Adaptive, "asks for the first of a kind"),
        (Mode::Open, "runs what no rule asks about"),
    ]
    .map(|(mode, detail)| row(mode.name(), detail, Choice::Setting(Setting::Mode(mode))));
    let state = picker::State::new("Mode", rows.to_vec());
    match &model.session.settings {
        Some(settings) => state.select(&Choice::Setting(Setting::Mode(settings.mode))),
        None => state,
    }
}

/// Where connections may go.
pub fn networks(model: &Model) -> picker::State {
    let rows = [
        (Network::All, "anywhere"),
        (
            Network::Remote,
            "not to this machine and not to private addresses",
        ),
        (Network::None, "nowhere"),
    ]
    .map(|(network, detail)| {
        row(
            network.name(),
            detail,
            Choice::Setting(Setting::Network(network)),
        )
    });
    let state = picker::State::new("Network", rows.to_vec());
    match &model.session.settings {
        Some(settings) => state.select(&Choice::Setting(Setting::Network(settings.network))),
        None => state,
    }
}

/// Account and language model.
pub fn profiles(model: &Model) -> picker::State {
    let mut rows: Vec<Row> = model
        .session
        .profiles
        .iter()
        .map(|(name, model_id)| {
            row(
                clean_line(name),
                clean_line(model_id),
                Choice::Setting(Setting::Profile(name.clone())),
            )
        })
        .collect();
    rows.push(row(
        "another endpoint…",
        "name, address and model of your own",
        Choice::Endpoint,
    ));
    let state = picker::State::new("Profile", rows);
    match &model.session.settings {
        Some(settings) => {
            let now = Setting::Profile(settings.model.profile.clone());
            state.select(&Choice::Setting(now))
        }
        None => state,
    }
}

/// Colours.
pub fn themes(model: &Model, names: Vec<String>) -> picker::State {
    let detail = |name: &str| match name {
        "auto" => "dark or light, as the terminal is",
        "default" => "dark",
        "light" => "ink on paper",
        "contrast" => "full colours on black",
        "colorblind" => "blue and orange in place of green and red",
        "sixteen" => "only the colours of the terminal's own settings",
        _ => "your own",
    };
    let row = |name: String| {
        row(
            clean_line(&name),
            detail(&name),
            Choice::Theme(name.clone()),
        )
    };
    picker::State::new("Theme", names.into_iter().map(row).collect())
        .select(&Choice::Theme(model.theme.name.clone()))
}

/// Keys.
pub fn keymaps(model: &Model, names: Vec<String>) -> picker::State {
    let row = |name: String| row(clean_line(&name).into_owned(), "", Choice::Keymap(name));
    picker::State::new("Keymap", names.into_iter().map(row).collect())
        .select(&Choice::Keymap(model.keymap.name.clone()))
}

/// The sessions of this folder; they are asked for and come later.
pub fn sessions(model: &mut Model) -> Vec<Effect> {
    let state = picker::State::new("Sessions of this folder", Vec::new()).when_empty("looking…");
    model.overlay.open(Overlay::Sessions(state));
    vec![Effect::Send(Command::Fetch(Fetch::Sessions))]
}

/// Rows of the sessions.
pub fn session_rows(model: &Model, sessions: &[SessionInfo]) -> Vec<Row> {
    let here = model.session.info.as_ref().map(|info| &info.id);
    sessions
        .iter()
        .map(|info| {
            let title = match info.title.as_str() {
                "" => "untitled".to_owned(),
                title => clean_line(title).into_owned(),
            };
            let is_open = if here == Some(&info.id) {
                " · open"
            } else {
                ""
            };
            let messages = counted(info.messages as usize, "message", "messages");
            Row {
                label: title,
                detail: String::new(),
                note: format!("{messages} · {}{is_open}", model.clock.age(info.updated_ms)),
                also: String::new(),
                choice: Choice::Session(info.id.clone()),
            }
        })
        .collect()
}

/// The jobs of this session; they are asked for and come later.
pub fn jobs(model: &mut Model) -> Vec<Effect> {
    let state = picker::State::new("Jobs: commands that run on", Vec::new())
        .with_intro(vec![
            "They end with the session. Enter ends one now.".to_owned(),
        ])
        .when_empty("looking…");
    model.overlay.open(Overlay::Jobs(state));
    vec![Effect::Send(Command::Fetch(Fetch::Jobs))]
}

/// Rows of the jobs.
pub fn job_rows(model: &Model, jobs: &[JobInfo]) -> Vec<Row> {
    jobs.iter()
        .map(|job| Row {
            label: clean_line(&job.command).into_owned(),
            detail: what_runs(job),
            note: format!(
                "{} · {} · {}",
                clean_line(job.agent.as_str()),
                counted(job.processes.len(), "process", "processes"),
                model.clock.age(job.since_ms)
            ),
            also: String::new(),
            choice: Choice::Job(job.id),
        })
        .collect()
}

/// What of a job runs, as far as the command that left it does not say it.
fn what_runs(job: &JobInfo) -> String {
    let processes = job.processes.iter();
    let told = processes
        .map(|process| clean_line(&process.command).into_owned())
        .filter(|command| !job.command.contains(command.as_str()));
    told.collect::<Vec<_>>().join(", ")
}

/// The page of a first run: what was found, another endpoint, the practice model.
pub fn start(model: &Model) -> picker::State {
    let mut rows: Vec<Row> = model
        .session
        .found
        .offers
        .iter()
        .map(|offer| {
            let detail = match (offer.model_id.as_str(), &offer.api_key_env) {
                ("", _) => format!("{} · you name the model", offer.base_url),
                (model_id, Some(key)) => format!("{model_id} · key in {key}"),
                (model_id, None) => format!("{model_id} · {}", offer.base_url),
            };
            row(
                clean_line(&offer.label),
                clean_line(&detail),
                Choice::Offer(offer.clone()),
            )
        })
        .collect();
    rows.push(row(
        "another endpoint…",
        "anything that speaks OpenAI chat completions",
        Choice::Endpoint,
    ));
    rows.push(row(
        "practice model",
        "built in and offline: a script that drives the real tools",
        Choice::Setting(Setting::Profile("practice".to_owned())),
    ));
    picker::State::new("Welcome to quarterdeck", rows).with_intro(vec![
        "Work with an agent in this folder: it reads, edits and runs, you watch and decide."
            .to_owned(),
        "Which language model shall answer? /profile changes it at any time.".to_owned(),
    ])
}
