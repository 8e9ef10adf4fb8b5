//! The program's own questions: what they must say before somebody answers.

use quarterdeck::{
    domain::configured::seen::{Altered, Asking, Difference, Why},
    domain::ids::{AgentId, QueuedId},
    domain::record::Lane,
    engine::{
        command::Command,
        event::{EventKind, Queued},
    },
    ui::Effect,
};

use crate::support::{golden::Stage, sample};

/// Lets what is asked be seen for long enough.
fn see(stage: &mut Stage) {
    stage.paint();
    stage.advance(1_200);
    stage.paint();
    stage.take_effects();
}

#[test]
fn a_folder_with_an_odd_name_is_shown_as_it_is() {
    for (columns, rows) in [(120, 40), (80, 24), (40, 12)] {
        let mut stage = Stage::new(columns, rows);
        let mut opening = sample::opening();
        opening.info.cwd = "/home/ada/a\u{202e}gpj.src\n/home/bob\u{1b}[2J\u{200b}".into();
        opening.asks_trust = true;
        opening.settings.trusted = false;
        stage.event("main", EventKind::Opened(Box::new(opening)));

        let squeezed: String = stage
            .grid()
            .chars()
            .filter(|character| !character.is_whitespace() && !['│', '┃'].contains(character))
            .collect();

        for part in ["a\\u{202e}gpj.src\\n/home/bob", "\\u{1b}[2J", "\\u{200b}"] {
            assert!(squeezed.contains(part), "{part}: {}", stage.grid());
        }
        stage.check(&format!("trust_odd_{columns}x{rows}"));
    }
}

fn unstored(columns: u16, rows: u16) -> Stage {
    let mut stage = sample::opened(columns, rows);
    let texts = [
        "fix the fetcher, please",
        "I looked at fetch.rs.\nIt gives up.",
    ];
    let texts = texts.map(str::to_owned).to_vec();
    stage.event("main", EventKind::Unstored(texts));
    stage
}

#[test]
fn leaving_while_something_is_not_stored_names_what_would_be_lost() {
    for (columns, rows) in [(120, 40), (80, 24), (40, 12)] {
        let mut stage = unstored(columns, rows);
        stage.event(
            "main",
            EventKind::Queue(vec![Queued {
                id: QueuedId(1),
                lane: Lane::Queue,
                text: "and then push".to_owned(),
            }]),
        );
        stage.take_effects();
        stage.press("ctrl+q");

        assert_eq!(stage.take_commands(), []);
        stage.check(&format!("quit_unstored_{columns}x{rows}"));
        see(&mut stage);
        stage.press("c");

        let copy =
            "fix the fetcher, please\n\nI looked at fetch.rs.\nIt gives up.\n\nand then push";
        assert_eq!(stage.take_effects(), [Effect::Copy(copy.to_owned())]);
        stage.press("ctrl+q");
        see(&mut stage);
        stage.press("l");
        assert_eq!(stage.take_commands(), [Command::Shutdown]);
    }
}

#[test]
fn what_is_stored_again_is_not_asked_about() {
    let mut stage = unstored(80, 24);
    stage.event(AgentId::main().as_str(), EventKind::Unstored(Vec::new()));
    stage.take_effects();

    stage.press("ctrl+q");

    assert_eq!(stage.take_commands(), [Command::Shutdown]);
}

#[test]
fn a_draft_that_is_not_stored_is_asked_about_as_long_as_there_is_one() {
    let mut stage = sample::opened(80, 24);
    stage.type_text("half a sentence");
    stage.event("main", EventKind::DraftUnstored(true));
    stage.take_effects();

    stage.press("ctrl+q");

    assert_eq!(stage.take_commands(), []);
    assert!(
        stage.grid().contains("· half a sentence"),
        "{}",
        stage.grid()
    );
    let mut stage = sample::opened(80, 24);
    stage.event("main", EventKind::DraftUnstored(true));
    stage.take_effects();
    stage.press("ctrl+q");
    assert_eq!(stage.take_commands(), [Command::Shutdown]);
}

#[test]
fn a_draft_that_could_not_be_stored_is_stored_again_after_a_while() {
    let mut stage = sample::opened(80, 24);
    stage.type_text("half a sentence");
    stage.advance(2_000);
    stage.take_effects();
    stage.event("main", EventKind::DraftUnstored(true));

    stage.advance(2_000);
    let early = stage.take_effects();
    stage.advance(4_000);

    let save = Effect::Send(Command::SaveDraft {
        text: "half a sentence".to_owned(),
    });
    assert!(!early.contains(&save), "{early:?}");
    assert_eq!(stage.take_effects(), [save]);
}

fn trusted_before(columns: u16, rows: u16, why: Why, files: &[(&str, Difference)]) -> Stage {
    let mut stage = Stage::new(columns, rows);
    let mut opening = sample::opening();
    opening.asks_trust = true;
    opening.settings.trusted = false;
    let altered = |(name, how): &(&str, Difference)| Altered {
        name: (*name).to_owned(),
        how: *how,
    };
    opening.asking = Asking {
        why,
        files: files.iter().map(altered).collect(),
    };
    stage.event("main", EventKind::Opened(Box::new(opening)));
    stage
}

#[test]
fn a_folder_whose_own_files_differ_is_asked_about_with_what_differs() {
    let files = [
        (".quarterdeck/config.toml", Difference::New),
        (".quarterdeck/agents/tests.md", Difference::Changed),
        (".quarterdeck/agents/docs.md", Difference::Gone),
    ];
    for (columns, rows) in [(120, 40), (80, 24), (40, 12)] {
        let stage = trusted_before(columns, rows, Why::Altered, &files);
        stage.check(&format!("trust_altered_{columns}x{rows}"));
    }
    let older = trusted_before(80, 24, Why::Older, &files[..1]);
    older.check("trust_older_80x24");
    let first = trusted_before(80, 24, Why::First, &files);
    first.check("trust_first_80x24");
}

#[test]
fn what_changes_while_the_folder_is_asked_about_is_asked_about_again() {
    let mut stage = trusted_before(80, 24, Why::First, &[]);
    stage.paint();
    stage.advance(1_000);
    stage.press("t");
    assert!(!stage.model.overlay.asks_trust());
    let file = Altered {
        name: ".quarterdeck/config.toml".to_owned(),
        how: Difference::New,
    };

    stage.event("main", EventKind::TrustAsked(Asking::altered(vec![file])));

    assert!(stage.model.overlay.asks_trust());
    assert!(stage.grid().contains("new      .quarterdeck/config.toml"));
}
