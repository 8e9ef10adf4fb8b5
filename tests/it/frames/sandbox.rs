//! What holds commands: in the header where it matters, and whole with `/doctor`.

use quarterdeck::{
    domain::{
        permission::Level,
        sandbox::{SandboxReport, Standing},
    },
    engine::{
        command::{Command, Fetch},
        event::{EventKind, Fetched},
        session::permissions::Configured,
        toolset::{self, Around},
    },
    process::sandbox::{backend::Choice, state::State},
};

use crate::support::{golden::Stage, sample};

fn held(standing: Standing, level: Level, columns: u16) -> Stage {
    held_in(standing, level, (columns, 30))
}

fn held_in(standing: Standing, level: Level, (columns, rows): (u16, u16)) -> Stage {
    let mut stage = sample::opened(columns, rows);
    let report = SandboxReport {
        standing,
        rows: vec![
            ("sandbox", "namespaces (each of these was tried)".to_owned()),
            (
                "holds",
                "nothing outside the workspace is changed".to_owned(),
            ),
        ],
    };
    stage.event("main", EventKind::Sandbox(Box::new(report)));
    let mut settings = sample::settings();
    settings.level = level;
    stage.event("main", EventKind::Settings(settings));
    stage
}

fn header(stage: &Stage) -> String {
    stage.grid().lines().next().unwrap_or_default().to_owned()
}

/// Where nothing holds commands it is said on every width; that all is well is said where columns are free.
#[test]
fn what_holds_commands_stands_beside_the_level() {
    for (standing, wide, narrow) in [
        (Standing::Whole, true, false),
        (Standing::Part, true, false),
        (Standing::Off, true, true),
        (Standing::Broken, true, true),
    ] {
        for (columns, shown) in [(140, wide), (100, wide), (80, narrow)] {
            let stage = held(standing, Level::Workspace, columns);
            let header = header(&stage);
            assert_eq!(header.contains(standing.name()), shown, "{header}");
        }
        let header = header(&held(standing, Level::Unrestricted, 140));
        assert!(!header.contains("sandbox"), "{header}");
    }
}

#[test]
fn the_doctor_tells_what_holds_and_how_far_the_session_reaches() {
    let mut stage = held(Standing::Whole, Level::Workspace, 120);
    stage.type_text("/doctor");
    stage.press("enter");
    stage.check("doctor");
}

#[test]
fn the_tools_are_listed_with_what_they_need_and_why_some_are_not_offered() {
    for (columns, rows) in [(120, 40), (80, 24), (40, 12)] {
        let mut stage = held_in(Standing::Whole, Level::Workspace, (columns, rows));
        stage.type_text("/tools");
        stage.press("enter");
        let asked = Command::Fetch(Fetch::Tools);
        assert!(stage.take_commands().contains(&asked), "nothing is asked");
        let listed = toolset::listed(
            &Configured {
                disabled: vec!["web_fetch".to_owned()],
                levels: [("file_find".to_owned(), Level::Workspace)].into(),
                ..Configured::default()
            },
            Around {
                may_spawn: true,
                has_goal: false,
                is_held: true,
                has_notebooks: false,
                may_unload: false,
            },
        );
        stage.event("main", EventKind::Fetched(Fetched::Tools(listed)));
        stage.check(&format!("tools_{columns}x{rows}"));
    }
}

/// What the program found is what it says, for every state.
#[test]
fn each_state_is_reported_with_what_follows() {
    let broken = State::Broken {
        backend: quarterdeck::process::sandbox::backend::Backend::Landlock,
        why: "no such call".to_owned(),
    };
    for (state, standing, says) in [
        (
            State::Off { tried: Vec::new() },
            Standing::Off,
            "every command needs level unrestricted",
        ),
        (
            broken,
            Standing::Broken,
            "no command runs below level unrestricted",
        ),
    ] {
        let report = state.report(Choice::Auto);
        assert_eq!(report.standing, standing);
        assert!(report.rows[0].1.contains(says), "{report:?}");
    }
}
