//! The level by one key, and whether anything is asked at all.

use quarterdeck::{
    domain::permission::Level,
    engine::{
        command::{Command, Setting},
        event::EventKind,
    },
};

use crate::support::{golden::Stage, sample};

fn at(level: Level, trusted: bool) -> Stage {
    let mut stage = sample::opened(100, 30);
    let mut settings = sample::settings();
    settings.level = level;
    settings.trusted = trusted;
    stage.event("main", EventKind::Settings(settings));
    stage.take_effects();
    stage
}

fn level(level: Level) -> Command {
    Command::Configure(Setting::Level(level))
}

#[test]
fn one_key_takes_the_next_level() {
    for (from, trusted, to) in [
        (Level::None, true, Level::Read),
        (Level::Read, true, Level::Workspace),
        (Level::Read, false, Level::None),
        (Level::Unrestricted, true, Level::None),
    ] {
        let mut stage = at(from, trusted);
        stage.press("shift+tab");
        assert_eq!(stage.take_commands(), [level(to)], "{from:?} {trusted}");
    }
}

/// The same key again, or one that was on its way, lifts nothing.
#[test]
fn what_lifts_every_bound_is_asked_about() {
    let mut stage = at(Level::Workspace, true);
    stage.press("shift+tab shift+tab u");
    assert_eq!(stage.take_commands(), []);
    stage.paint();
    stage.advance(600);
    stage.check("unrestrict");
    stage.press("esc");
    assert_eq!(stage.take_commands(), []);

    stage.press("shift+tab");
    stage.paint();
    stage.advance(600);
    stage.press("u");

    assert_eq!(stage.take_commands(), [level(Level::Unrestricted)]);
}

#[test]
fn that_nothing_is_asked_stands_in_the_header() {
    let mut stage = at(Level::Workspace, true);
    stage.type_text("/asking");
    stage.press("enter");
    assert_eq!(
        stage.take_commands(),
        [Command::Configure(Setting::Approvals(false))]
    );
    let mut settings = sample::settings();
    settings.approvals = false;
    stage.event("main", EventKind::Settings(settings));

    let header = stage.grid().lines().next().unwrap_or_default().to_owned();
    assert!(header.contains("asks nothing"), "{header}");
}
