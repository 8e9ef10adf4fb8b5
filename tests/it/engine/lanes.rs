//! Talking to an agent that is at work.

use std::sync::Arc;

use quarterdeck::{
    domain::{
        ids::AgentId,
        record::{Lane, Record, ReplyEnd, TurnOutcome},
    },
    engine::{
        command::{Command, Setting},
        event::EventKind,
        options::{NewProfile, OpenedProfile, Profiles},
    },
    providers::{
        error::ProviderError,
        scripted::{Gate, Reply},
    },
};
use tokio::sync::mpsc;

use crate::support::bench::Bench;

fn said(bench: &Bench) -> Vec<String> {
    bench
        .records()
        .into_iter()
        .filter_map(|stored| match stored.record {
            Record::Said { text, .. } => Some(text),
            _ => None,
        })
        .collect()
}

#[tokio::test]
async fn steering_is_read_before_the_turn_may_end_and_queueing_after_it() {
    let mut bench = Bench::start().await;
    let gate = Gate::new();
    bench
        .script
        .reply(Reply::new().text("Working").gate(&gate).stop());
    bench.script.reply(Reply::says("Steered."));
    bench.script.reply(Reply::says("Queued."));
    bench.say("start");
    gate.reached().await;

    bench.say_by(Lane::Queue, "later");
    bench.say_by(Lane::Steer, "sooner");
    bench
        .until(
            "both wait",
            |event| matches!(&event.kind, EventKind::Queue(queue) if queue.len() == 2),
        )
        .await;
    gate.open();
    bench.turn_over().await;
    bench.turn_over().await;

    assert_eq!(said(&bench), ["start", "sooner", "later"]);
}

#[tokio::test]
async fn interrupting_keeps_what_came_and_goes_on() {
    let mut bench = Bench::start().await;
    let never = Gate::new();
    bench
        .script
        .reply(Reply::new().text("I will now rewrite").gate(&never).stop());
    bench.script.reply(Reply::says("Stopped."));
    bench.say("start");
    never.reached().await;

    bench.say_by(Lane::Interrupt, "no, wait");
    let outcome = bench.turn_over().await;

    assert_eq!(outcome, TurnOutcome::Finished);
    let ends: Vec<ReplyEnd> = bench
        .records()
        .into_iter()
        .filter_map(|stored| match stored.record {
            Record::Reply { end, .. } => Some(end),
            _ => None,
        })
        .collect();
    assert_eq!(ends, [ReplyEnd::Interrupted, ReplyEnd::Complete]);
}

#[tokio::test]
async fn a_queued_message_can_be_taken_back() {
    let mut bench = Bench::start().await;
    let gate = Gate::new();
    bench
        .script
        .reply(Reply::new().gate(&gate).text("done").stop());
    bench.say("start");
    gate.reached().await;
    bench.say_by(Lane::Queue, "never mind");
    let queued = bench
        .until(
            "it waits",
            |event| matches!(&event.kind, EventKind::Queue(queue) if queue.len() == 1),
        )
        .await;
    let EventKind::Queue(queue) = queued.kind else {
        panic!("not a queue");
    };

    bench.send(Command::TakeBack {
        message: queue[0].id,
    });
    bench
        .until(
            "it is gone",
            |event| matches!(&event.kind, EventKind::Queue(queue) if queue.is_empty()),
        )
        .await;
    gate.open();
    bench.turn_over().await;

    assert_eq!(said(&bench), ["start"]);
}

/// Profiles of which one waits until it is let go, as a program that prints a key may.
struct Slow {
    profiles: Arc<dyn Profiles>,
    begun: mpsc::UnboundedSender<()>,
    go_on: std::sync::Mutex<std::sync::mpsc::Receiver<()>>,
}

impl Profiles for Slow {
    fn list(&self) -> Vec<(String, String)> {
        self.profiles.list()
    }

    fn open(&self, name: &str) -> Result<OpenedProfile, ProviderError> {
        if name == "slow" {
            self.begun.send(()).unwrap();
            let _ = self.go_on.lock().unwrap().recv();
        }
        self.profiles.open(name)
    }

    fn add(&self, profile: &NewProfile) -> Result<(), String> {
        self.profiles.add(profile)
    }
}

#[tokio::test]
async fn a_cancel_does_not_wait_for_a_program_that_prints_a_key() {
    let (begun, mut has_begun) = mpsc::unbounded_channel();
    let (let_go, go_on) = std::sync::mpsc::channel();
    let mut bench = Bench::start_with(|options| {
        options.profiles = Arc::new(Slow {
            profiles: Arc::clone(&options.profiles),
            begun,
            go_on: go_on.into(),
        });
    })
    .await;
    let never = Gate::new();
    bench.script.reply(Reply::new().gate(&never).stop());
    bench.say("go");
    never.reached().await;

    bench.send(Command::Configure(Setting::Profile("slow".to_owned())));
    has_begun.recv().await.unwrap();
    bench.send(Command::Cancel {
        agent: AgentId::main(),
    });
    let outcome = bench.turn_over().await;
    let_go.send(()).unwrap();
    bench
        .until("the profile", |event| {
            matches!(&event.kind, EventKind::Settings(settings) if settings.model.profile == "slow")
        })
        .await;

    assert_eq!(outcome, TurnOutcome::Cancelled);
}
