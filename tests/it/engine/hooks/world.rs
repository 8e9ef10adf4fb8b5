//! A bench with hooks, and what they did.

use quarterdeck::{
    domain::{
        hook::{Hook, HookCommand, HookDeed, HookEvent},
        record::Record,
    },
    engine::options::EngineOptions,
    process::supervisor,
    providers::scripted::Reply,
};
use serde_json::{Value, json};

use crate::support::bench::Bench;

/// A hook that runs a line of bash, for every tool, with the rights of the person.
pub(super) fn hook(name: &str, event: HookEvent, line: &str) -> Hook {
    Hook {
        name: name.to_owned(),
        event,
        command: HookCommand::Line(line.to_owned()),
        matcher: "*".to_owned(),
        timeout_ms: 10_000,
        required: false,
        sandbox: false,
    }
}

/// One that prints this answer.
pub(super) fn says(name: &str, event: HookEvent, answer: &Value) -> Hook {
    hook(
        name,
        event,
        &format!("cat >/dev/null; cat <<'END'\n{answer}\nEND"),
    )
}

/// A bench with these hooks.
pub(super) async fn bench(hooks: Vec<Hook>) -> Bench {
    bench_with(hooks, |_| {}).await
}

/// The same with other options.
pub(super) async fn bench_with(hooks: Vec<Hook>, change: impl FnOnce(&mut EngineOptions)) -> Bench {
    supervisor::use_program(env!("CARGO_BIN_EXE_qd"));
    Bench::start_with(|options| {
        options.configured.hooks = hooks.into();
        change(options);
    })
    .await
}

/// Lets the model read the file `a.txt`, and then say a word.
pub(super) fn reads_a_file(bench: &Bench) {
    bench.file("a.txt", "content of a\n");
    bench
        .script
        .reply(Reply::calls("file_read", json!({"path": "a.txt"})));
    bench.script.reply(Reply::says("Read."));
}

/// What hooks did so far, in short.
pub(super) fn deeds(bench: &Bench) -> Vec<String> {
    let records = bench.records().into_iter();
    let notes = records.filter_map(|stored| match stored.record {
        Record::Hooked { note } => Some(note),
        _ => None,
    });
    notes
        .map(|note| {
            let deed = match note.deed {
                HookDeed::Changed { from, to } => format!("changed {from} to {to}"),
                HookDeed::Denied { words } => format!("denied {words}"),
                HookDeed::Asked { words } => format!("asked {words}"),
                HookDeed::Added { text } => format!("added {text}"),
                HookDeed::Replaced { characters } => format!("replaced {characters}"),
                HookDeed::Blocked { text, words } => format!("blocked {text} ({words})"),
                HookDeed::Failed { why, stopped } => format!("failed {why} {stopped}"),
            };
            format!("{} {deed}", note.hook)
        })
        .collect()
}

/// The last request as text.
pub(super) fn last_request(bench: &Bench) -> String {
    let requests = bench.script.requests();
    format!("{:?}", requests.last().expect("a request").messages)
}
