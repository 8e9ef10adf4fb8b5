//! `kill -9` at random moments of a turn: every resume shows what was stored, and every call has one result.

use std::{
    collections::BTreeMap,
    io::Read,
    path::{Path, PathBuf},
    sync::mpsc::{self, Receiver},
    thread,
    time::Duration,
};

use portable_pty::{Child, CommandBuilder, NativePtySystem, PtySize, PtySystem};
use proptest::{
    strategy::{Strategy, ValueTree},
    test_runner::TestRunner,
};
use quarterdeck::{
    domain::{
        chat::ChatMessage,
        ids::{CallId, Sequence},
        record::{Record, Stored},
    },
    store::{StoreHandle, StorePlaces},
};
use serde_json::json;
use tempfile::TempDir;

use crate::support::server::{Server, sse_calls, sse_text};

const KILLS: usize = 50;

struct World {
    home: TempDir,
    server: Server,
}

impl World {
    fn new() -> Self {
        let home = tempfile::tempdir().expect("a temporary folder");
        let server = Server::start_blocking();
        let world = Self { home, server };
        world.write(
            &world.home.path().join("qd/config/config.toml"),
            &format!(
                "default_profile = \"test\"\n\
                 [accounts.loop]\nbackend = \"openai-chat-completions\"\nbase_url = \"{}\"\n\
                 [profiles.test]\naccount = \"loop\"\nmodel = \"scripted\"\ncontext_window = 100000\n\
                 [permissions]\nlevel = \"unrestricted\"\nmode = \"open\"\n",
                world.server.url()
            ),
        );
        world.write(&world.project().join("a.txt"), "some words\n");
        world
    }

    fn project(&self) -> PathBuf {
        self.home.path().join("project")
    }

    fn write(&self, path: &Path, content: &str) {
        std::fs::create_dir_all(path.parent().expect("a parent")).expect("the folder");
        #[expect(clippy::disallowed_methods, reason = "a test makes its world")]
        std::fs::write(path, content).expect("the file");
    }

    /// One turn of several steps: words, parallel calls, a command, words.
    fn script_turn(&self, number: usize) {
        let id = |name: &str| format!("{name}_{number}");
        let (read, list, run) = (id("read"), id("list"), id("run"));
        self.server.reply(sse_calls(&[
            (&read, "file_read", json!({"path": "a.txt"})),
            (&list, "checklist_read", json!({})),
        ]));
        self.server.reply(sse_calls(&[(
            &run,
            "shell_execute",
            json!({"command": format!("echo command {number}")}),
        )]));
        self.server.reply(sse_text(
            "That is what I found, in a reply of several words.",
        ));
    }

    fn start(&self) -> (Box<dyn Child + Send + Sync>, Receiver<usize>) {
        let pair = NativePtySystem::default()
            .openpty(PtySize {
                rows: 30,
                cols: 100,
                pixel_width: 0,
                pixel_height: 0,
            })
            .expect("a pseudo-terminal");
        let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_qd"));
        command.args(["--trust", "yes", "--continue", "go on"]);
        command.env_clear();
        command.env("PATH", std::env::var("PATH").unwrap_or_default());
        command.env("HOME", self.home.path());
        command.env("QD_HOME", self.home.path().join("qd"));
        command.env("TERM", "xterm-256color");
        command.cwd(self.project());
        let child = pair
            .slave
            .spawn_command(command)
            .expect("the program starts");
        let reader = pair.master.try_clone_reader().expect("its output");
        drop(pair.slave);
        // The terminal lives as long as somebody reads it.
        std::mem::forget(pair.master);
        (child, counted(reader))
    }

    async fn records(&self) -> Vec<Stored> {
        let home = self.home.path().join("qd");
        let places = StorePlaces::new(home.join("data"), home.join("state"));
        let (store, notices) = StoreHandle::open(places).await.expect("the store opens");
        assert_eq!(
            notices,
            [],
            "a killed program leaves nothing to repair in the file"
        );
        let session = store
            .latest_session(&self.project().canonicalize().expect("the project"))
            .await;
        let records = match session.expect("the list") {
            Some(session) => store.all_records(&session.id).await.expect("the records"),
            None => Vec::new(),
        };
        store.close().await.expect("it closes");
        records
    }
}

/// Everything but text that was still coming: that is replaced as it grows.
fn lasting(records: &[Stored]) -> BTreeMap<Sequence, Record> {
    records
        .iter()
        .filter(|stored| !matches!(stored.record, Record::Partial { .. }))
        .map(|stored| (stored.sequence, stored.record.clone()))
        .collect()
}

fn results_per_call(records: &[Stored]) -> BTreeMap<CallId, usize> {
    let mut counts = BTreeMap::new();
    for stored in records {
        match &stored.record {
            Record::Reply { message, .. } => {
                for call in ChatMessage::calls(message) {
                    counts.entry(call.id.clone()).or_insert(0);
                }
            }
            Record::Result { result } => *counts.entry(result.call.clone()).or_insert(0) += 1,
            _ => {}
        }
    }
    counts
}

#[test]
fn fifty_kills_lose_nothing_that_was_stored_and_pair_every_call() {
    let world = World::new();
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .expect("a runtime");
    let mut random = TestRunner::deterministic();
    let mut before = BTreeMap::new();

    for number in 0..KILLS {
        for turn in 0..2 {
            world.script_turn(number * 2 + turn);
        }
        // A moment is a number of bytes that the screen has got: before the first frame, in a step, after the turn.
        let moment = (0_usize..30_000)
            .new_tree(&mut random)
            .expect("a number")
            .current();
        let (mut child, output) = world.start();
        read_until(&output, moment, Duration::from_millis(300));
        child.kill().expect("it is killed");
        child.wait().expect("it has ended");

        let records = runtime.block_on(world.records());
        let now = lasting(&records);
        for (sequence, record) in &before {
            assert_eq!(
                now.get(sequence),
                Some(record),
                "record {sequence} after kill {number}"
            );
        }
        before = now;
    }

    // Once more, to the end of a turn.
    for turn in 0..3 {
        world.script_turn(1000 + turn);
    }
    let (mut child, output) = world.start();
    read_until(&output, usize::MAX, Duration::from_secs(3));
    child.kill().expect("it is killed");
    child.wait().expect("it has ended");

    let records = runtime.block_on(world.records());
    let unpaired: Vec<(CallId, usize)> = results_per_call(&records)
        .into_iter()
        .filter(|(_, results)| *results != 1)
        .collect();
    assert!(
        world.server.requests().len() > KILLS / 2,
        "the kills came before any work"
    );
    assert_eq!(world.server.violations(), Vec::<String>::new());
    assert_eq!(unpaired, []);
}

/// Reads until this many bytes have come, or none for so long.
fn read_until(output: &Receiver<usize>, bytes: usize, idle: Duration) {
    let mut seen = 0;
    while seen < bytes {
        match output.recv_timeout(idle) {
            Ok(count) => seen += count,
            Err(_) => return,
        }
    }
}

/// How many bytes come, piece by piece.
fn counted(mut reader: Box<dyn Read + Send>) -> Receiver<usize> {
    let (sender, receiver) = mpsc::channel();
    thread::spawn(move || {
        let mut buffer = [0; 512];
        while let Ok(count @ 1..) = reader.read(&mut buffer) {
            if sender.send(count).is_err() {
                break;
            }
        }
    });
    receiver
}
