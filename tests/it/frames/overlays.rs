//! What floats above the panes.

use crossterm::event::{KeyCode, KeyEvent};
use quarterdeck::{
    domain::{
        ids::{AgentId, SessionId},
        job::{JobInfo, ProcessInfo},
        notice::Notice,
        session::{SessionInfo, SessionSettings},
    },
    engine::{
        command::{Command, Fetch, SessionCommand, Setting},
        event::{EventKind, Fetched, Opened, ProfileOffer},
    },
    ui::{
        Effect, Message,
        message::Reload,
        overlays::viewer::{self, Source},
    },
};

use crate::support::{
    golden::{NOW_MS, Stage},
    sample,
};

#[test]
fn the_palette_shows_every_command_with_its_keys() {
    let mut stage = sample::session(120, 30);

    stage.press("ctrl+p");
    stage.check("palette");
    stage.type_text("theme");
    stage.check("palette_narrowed");
    stage.press("enter");
    list_themes(&mut stage, &["default", "light"]);

    stage.check("theme_choice");
}

#[test]
fn the_key_that_opened_the_palette_closes_it() {
    let mut stage = sample::session(80, 24);
    let before = stage.grid();

    stage.press("ctrl+p ctrl+p");

    assert_eq!(stage.grid(), before);
}

#[test]
fn help_shows_the_keys_of_the_pane_that_was_focused() {
    let mut stage = sample::session(120, 40);

    stage.press("alt+4 f1");
    stage.check("help_checklist");
    stage.press("G");

    stage.check("help_checklist_end");
}

#[test]
fn the_manual_goes_on_behind_the_keys() {
    let mut stage = sample::session(80, 24);

    stage.press("alt+1 f1 enter");
    stage.check("manual_guide");
    stage.press("enter enter pagedown");
    stage.check("manual_tools");
    stage.press("enter G enter");
    stage.check("manual_keys_80x24");
    stage.send(Message::Resize(40, 12));
    stage.check("manual_keys_40x12");
}

/// Answers the question for the names of themes.
fn list_themes(stage: &mut Stage, names: &[&str]) {
    assert!(stage.take_effects().contains(&Effect::ListThemes));
    let names = names.iter().map(|name| (*name).to_owned()).collect();
    stage.send(Message::Reload(Reload::Themes(names)));
}

#[test]
fn a_theme_of_ones_own_can_be_chosen() {
    let mut stage = sample::session(80, 24);

    stage.press("alt+y");
    list_themes(&mut stage, &["default", "light", "mine"]);
    stage.press("down down enter");

    assert_eq!(stage.take_effects(), [Effect::LoadTheme("mine".to_owned())]);
}

fn first_run(offers: Vec<ProfileOffer>) -> Stage {
    let mut stage = Stage::new(100, 30);
    let opened = Opened {
        profiles: vec![("practice".to_owned(), "practice".to_owned())],
        prompts: Vec::new(),
        offers,
        ..sample::opening()
    };
    stage.event("main", EventKind::Opened(Box::new(opened)));
    stage
}

fn offer(model_id: &str) -> ProfileOffer {
    ProfileOffer {
        label: "Ollama on this machine".to_owned(),
        name: "ollama".to_owned(),
        base_url: "http://127.0.0.1:11434/v1".to_owned(),
        model_id: model_id.to_owned(),
        api_key_env: None,
    }
}

#[test]
fn a_first_run_offers_what_was_found_and_the_practice_model() {
    let mut stage = first_run(vec![offer("qwen3")]);

    stage.check("start");
    stage.press("enter");

    let added = SessionCommand::AddProfile {
        name: "ollama".to_owned(),
        base_url: "http://127.0.0.1:11434/v1".to_owned(),
        model_id: "qwen3".to_owned(),
        api_key_env: None,
    };
    let effects = stage.take_effects();
    assert!(
        effects.contains(&Effect::Send(Command::Session(added))),
        "{effects:?}"
    );
}

#[test]
fn the_practice_model_is_one_key_away() {
    let mut stage = first_run(Vec::new());

    stage.press("down enter");

    let practice = Setting::Profile("practice".to_owned());
    let effects = stage.take_effects();
    assert!(
        effects.contains(&Effect::Send(Command::Configure(practice))),
        "{effects:?}"
    );
}

#[test]
fn an_offer_without_a_model_opens_the_form_at_that_field() {
    let mut stage = first_run(vec![offer("")]);

    stage.press("enter");

    stage.check("endpoint");
}

#[test]
fn a_new_folder_is_asked_about_and_a_stray_key_does_not_trust_it() {
    let mut stage = Stage::new(100, 30);
    let opened = Opened {
        asks_trust: true,
        ..sample::opening()
    };
    stage.event("main", EventKind::Opened(Box::new(opened)));
    stage.check("trust");

    stage.press("t");
    assert_eq!(
        stage
            .take_effects()
            .iter()
            .filter(|e| matches!(e, Effect::Send(_)))
            .count(),
        0,
        "it was not seen yet"
    );
    stage.paint();
    stage.advance(500);
    stage.take_effects();
    stage.press("ctrl+t");
    assert_eq!(stage.take_effects(), [], "another key");
    stage.advance(1_000);
    stage.press("t");

    let trusted = Effect::Send(Command::Configure(Setting::Trust(true)));
    assert_eq!(stage.take_effects(), [trusted]);
}

#[test]
fn words_typed_while_the_program_asks_answer_nothing_and_go_into_the_message() {
    let mut stage = untrusted(100, 30);
    stage.take_effects();
    stage.paint();
    for character in "test the parser and all".chars() {
        stage.type_text(&character.to_string());
        stage.paint();
        stage.advance(120);
    }
    stage.advance(500);
    let keys = ['t', 'o'].map(|key| KeyEvent::from(KeyCode::Char(key)));
    stage.send(Message::Keys(keys.to_vec()));
    stage.send(Message::Paste(" more".to_owned()));

    assert!(stage.model.overlay.asks_trust());
    let draft = stage.model.composer.editor.text();
    assert_eq!(draft, "test the parser and allto more");
    let answers = stage
        .take_effects()
        .into_iter()
        .filter(|effect| matches!(effect, Effect::Send(Command::Configure(_))));
    assert_eq!(answers.count(), 0);
}

#[test]
fn a_question_that_was_hidden_has_to_be_seen_again() {
    let mut stage = untrusted(100, 30);
    stage.paint();
    stage.advance(600);
    stage.press("f1");
    stage.paint();
    stage.advance(600);
    stage.press("esc t");
    assert!(stage.model.overlay.asks_trust());
    stage.paint();
    stage.advance(1_000);
    stage.press("t");

    assert!(!stage.model.overlay.asks_trust());
}

/// A new folder on a first run.
fn untrusted(columns: u16, rows: u16) -> Stage {
    let mut stage = Stage::new(columns, rows);
    stage.model.screen.welcomes = true;
    let first = sample::opening();
    let opened = Opened {
        asks_trust: true,
        settings: SessionSettings {
            trusted: false,
            ..first.settings.clone()
        },
        profiles: vec![("practice".to_owned(), "practice".to_owned())],
        prompts: Vec::new(),
        ..first
    };
    stage.event("main", EventKind::Opened(Box::new(opened)));
    stage
}

#[test]
fn what_is_opened_over_the_trust_question_gives_it_back() {
    let mut stage = untrusted(100, 30);

    for keys in [
        "f1 esc",
        "f1 f1",
        "f7 esc",
        "ctrl+p ctrl+c",
        "f5 esc",
        "alt+3",
        "alt+z",
    ] {
        stage.press(keys);
        assert!(stage.grid().contains("Trust this folder?"), "{keys}");
    }
    stage.press("esc");

    let grid = stage.grid();
    assert!(grid.contains("Welcome to quarterdeck"), "{grid}");
    stage.press("f1 esc alt+3");
    let grid = stage.grid();
    assert!(grid.contains("Welcome to quarterdeck"), "{grid}");
    stage.press("esc");
    assert!(stage.model.overlay.is_none());
}

#[test]
fn what_is_open_never_grows() {
    let mut stage = untrusted(100, 30);

    for _ in 0..100 {
        stage.press("f1 ctrl+p f5 f7 alt+t alt+m ctrl+q alt+j");
    }
    stage.press("esc esc esc esc esc esc esc esc");

    assert!(stage.model.overlay.is_none(), "{:?}", stage.model.overlay);
}

#[test]
fn the_form_of_an_endpoint_leads_back_to_where_it_was_opened() {
    let mut stage = first_run(Vec::new());

    stage.press("enter");
    assert!(stage.grid().contains("Another endpoint"));
    stage.press("esc");

    let grid = stage.grid();
    assert!(grid.contains("Welcome to quarterdeck"), "{grid}");
}

#[test]
fn trust_is_taken_away_only_after_a_question() {
    let mut stage = sample::session(100, 30);
    stage.take_effects();

    stage.press("alt+u");
    stage.paint();
    stage.advance(500);
    stage.take_effects();
    stage.press("enter");
    assert_eq!(stage.take_effects(), [], "the first answer keeps it");
    stage.press("alt+u");
    stage.paint();
    stage.advance(300);
    stage.check("distrust");
    stage.advance(200);
    stage.press("s");

    let distrusted = Effect::Send(Command::Configure(Setting::Trust(false)));
    assert_eq!(stage.take_effects(), [distrusted]);
}

#[test]
fn lists_show_their_descriptions_whole_on_every_size() {
    for (columns, rows) in [(40, 12), (80, 24), (200, 60)] {
        let mut stage = first_run(vec![offer("qwen3")]);
        stage.send(Message::Resize(columns, rows));
        stage.check(&format!("start_{columns}x{rows}"));
    }
    for (columns, rows) in [(40, 12), (80, 24)] {
        let mut stage = sample::session(columns, rows);
        stage.press("ctrl+p pagedown");
        stage.check(&format!("palette_{columns}x{rows}"));
    }
    let mut stage = first_run(vec![offer("")]);
    stage.send(Message::Resize(40, 12));
    stage.press("enter enter");
    stage.check("endpoint_40x12");
}

#[test]
fn a_small_screen_loses_nothing_of_the_trust_question() {
    let mut stage = untrusted(40, 12);

    stage.check("trust_40x12");
    stage.send(Message::Resize(24, 8));
    stage.check("trust_24x8");
    stage.press("pagedown pagedown pagedown");

    stage.check("trust_24x8_end");
}

#[test]
fn sessions_come_after_they_were_asked_for() {
    let mut stage = sample::session(100, 30);
    let session = |id: &str, title: &str, ago_s: i64, messages| SessionInfo {
        id: SessionId::new(id),
        title: title.to_owned(),
        cwd: "/home/ada/src/fetcher".into(),
        created_ms: 0,
        updated_ms: NOW_MS - ago_s * 1000,
        messages,
    };

    stage.press("f7");
    let sessions = vec![
        session("0192f0c1-session", "add retry to fetcher", 180, 1),
        session("b", "why is the build slow?", 7_200, 12),
        session("c", "各各 wide title", 400_000, 3),
    ];
    stage.event("main", EventKind::Fetched(Fetched::Sessions(sessions)));
    stage.check("sessions");
    stage.press("down enter");

    let resume = SessionCommand::Resume(SessionId::new("b"));
    let effects = stage.take_effects();
    assert!(
        effects.contains(&Effect::Send(Command::Session(resume))),
        "{effects:?}"
    );
}

#[test]
fn jobs_are_listed_and_the_chosen_one_is_ended() {
    let mut stage = sample::session(100, 30);
    let job = |id, command: &str, ago_s: i64, pids: &[i32]| JobInfo {
        id,
        session: SessionId::new("0192f0c1-session"),
        agent: AgentId::main(),
        command: command.to_owned(),
        since_ms: NOW_MS - ago_s * 1000,
        processes: pids
            .iter()
            .map(|pid| ProcessInfo {
                pid: *pid,
                command: "node server.js".to_owned(),
            })
            .collect(),
    };

    stage.press("alt+g");
    let asked = stage.take_effects();
    assert!(asked.contains(&Effect::Send(Command::Fetch(Fetch::Jobs))));
    let jobs = vec![
        job(3, "npm run dev &", 180, &[70, 71]),
        job(
            7,
            "(sleep 600; echo \u{1b}[31mred) &\necho started",
            20,
            &[80],
        ),
    ];
    stage.event("main", EventKind::Fetched(Fetched::Jobs(jobs)));
    stage.check("jobs");
    let header = |stage: &Stage| stage.grid().lines().next().unwrap_or_default().to_owned();
    assert!(header(&stage).contains("2 jobs"), "{}", header(&stage));
    stage.press("down enter");

    let effects = stage.take_effects();
    assert!(
        effects.contains(&Effect::Send(Command::StopJob { id: 7 })),
        "{effects:?}"
    );
}

#[test]
fn a_whole_output_scrolls_and_is_searched() {
    let mut stage = sample::session(80, 24);
    let text: String = (1..=200)
        .map(|n| format!("line {n} of the build\n"))
        .collect();
    viewer::open(
        &mut stage.model,
        "shell_execute cargo build",
        Source::Text(text.into()),
    );

    stage.check("viewer");
    stage.press("/");
    stage.type_text("line 15");
    stage.check("viewer_search");
    stage.press("enter n");
    stage.check("viewer_found");
    stage.press("f");

    stage.check("viewer_follows");
}

#[test]
fn leaving_while_something_runs_is_asked() {
    let mut stage = sample::session(100, 30);

    stage.press("ctrl+q");
    stage.check("quit");
    stage.paint();
    stage.advance(500);
    stage.press("l");

    assert_eq!(
        stage.take_effects().pop(),
        Some(Effect::Send(Command::Shutdown))
    );
}

#[test]
fn the_manual_is_searched_through_all_its_pages() {
    let mut stage = sample::session(80, 24);

    stage.press("alt+1 ? /");
    stage.type_text("approval");
    stage.check("manual_search");
    stage.press("enter");
    let first = stage.grid();
    assert!(first.contains("/approval"), "{first}");
    assert!(first.matches("pproval").count() >= 2, "{first}");
    stage.press("n");
    assert_ne!(stage.grid(), first);
    stage.press("N");
    assert_eq!(stage.grid(), first);
    stage.press("/");
    stage.type_text("no such words");
    stage.press("enter");
    let grid = stage.grid();
    assert!(grid.contains("is nowhere"), "{grid}");
    stage.press("esc");
    assert!(stage.model.overlay.is_none());
}

#[test]
fn a_notice_goes_with_the_next_action_once_it_could_be_read() {
    let mut stage = sample::opened(100, 24);
    let shows = |stage: &Stage| stage.grid().contains("not writable");

    let notice = Notice::warning("the folder is not writable");
    stage.event("main", EventKind::Notice(notice));
    stage.advance(300);
    stage.press("alt+3");
    assert!(shows(&stage), "nobody reads that fast");
    stage.advance(1_000);
    assert!(shows(&stage));
    stage.press("alt+2");

    assert!(!shows(&stage));
}

#[test]
fn a_notice_never_covers_the_keys_of_an_approval() {
    let mut stage = sample::opened(80, 24);
    stage.event(
        "main",
        EventKind::ApprovalAsked(Box::new(sample::approval(1))),
    );
    stage.press("alt+a");
    let long = "the connection was refused by a server that was asked three times for an answer";

    stage.event("main", EventKind::Notice(Notice::warning(long)));

    let grid = stage.grid();
    let footer = grid.lines().last().unwrap_or_default();
    for word in ["once", "session", "reject", "details", "leave"] {
        assert!(footer.contains(word), "{footer}");
    }
    assert!(footer.contains("! the"), "{footer}");
}

#[test]
fn costs_are_read_at_leisure() {
    let mut stage = sample::session(120, 30);

    stage.press("alt+$");

    stage.check("cost");
}

#[test]
fn a_notice_stands_in_the_footer_and_goes_by_itself() {
    let mut stage = sample::opened(100, 24);
    let notice = Notice::warning("the folder is not writable").with_hint("start in another one");

    stage.event("main", EventKind::Notice(notice));
    stage.check("notice");
    stage.advance(9_000);

    assert!(!stage.grid().contains("not writable"));
    assert_eq!(
        stage.model.next_tick_ms(),
        None,
        "nothing is waited for when idle"
    );
}
