//! The project's instructions: what is sent of them, and what a file of that name cannot do.

use std::os::unix::fs::symlink;

use quarterdeck::{
    domain::record::TurnOutcome, engine::event::EventKind, providers::scripted::Reply,
};

use crate::support::bench::Bench;

/// What the model is told in the first turn, and the warnings that the person sees.
async fn first_turn(bench: &mut Bench) -> (String, Vec<String>) {
    bench.script.reply(Reply::says("Well."));
    bench.say("go");
    assert_eq!(bench.turn_over().await, TurnOutcome::Finished);
    let texts: Vec<String> = bench.script.requests()[0]
        .messages
        .iter()
        .map(quarterdeck::domain::chat::ChatMessage::text)
        .collect();
    let warnings = bench.seen.iter().filter_map(|event| match &event.kind {
        EventKind::Notice(notice) => Some(notice.text.clone()),
        _ => None,
    });
    (texts.join("\n"), warnings.collect())
}

#[tokio::test]
async fn they_are_sent_with_the_first_words() {
    let mut bench = Bench::start().await;
    bench.file("AGENTS.md", "Use tabs.\n");

    let (told, warnings) = first_turn(&mut bench).await;

    assert!(told.contains("Use tabs."), "{told}");
    assert_eq!(warnings, Vec::<String>::new());
}

#[tokio::test]
async fn a_link_to_secrets_is_left_out_and_the_person_is_told() {
    for (target, why) in [
        (".env", "looks like a secret"),
        ("../state/credentials.toml", "a file of quarterdeck itself"),
    ] {
        let mut bench = Bench::start().await;
        bench.file(target, "zebra\n");
        symlink(target, bench.folder.join("AGENTS.md")).unwrap();

        let (told, warnings) = first_turn(&mut bench).await;

        assert!(!told.contains("zebra"), "{told}");
        assert!(warnings[0].contains(why), "{warnings:?}");
    }
}

#[tokio::test]
async fn what_never_ends_is_left_out() {
    let mut endless = Bench::start().await;
    symlink("/dev/zero", endless.folder.join("AGENTS.md")).unwrap();
    let mut silent = Bench::start().await;
    let mode = rustix::fs::Mode::RUSR | rustix::fs::Mode::WUSR;
    let pipe = silent.folder.join("AGENTS.md");
    rustix::fs::mknodat(rustix::fs::CWD, pipe, rustix::fs::FileType::Fifo, mode, 0).unwrap();

    for bench in [&mut endless, &mut silent] {
        let (_, warnings) = first_turn(bench).await;

        assert!(
            warnings[0].starts_with("AGENTS.md was left out: "),
            "{warnings:?}"
        );
    }
}

#[tokio::test]
async fn what_is_cut_for_its_size_is_told_to_the_person_too() {
    let mut bench = Bench::start().await;
    bench.file("AGENTS.md", &"Use tabs.\n".repeat(10_000));

    let (told, warnings) = first_turn(&mut bench).await;

    assert!(told.contains("[cut at 32 KiB: read AGENTS.md for the rest]"));
    assert!(
        warnings[0].starts_with("AGENTS.md is longer than 32 KiB"),
        "{warnings:?}"
    );
}
