//! The gate alone and around a scripted wire.

use futures::poll;

use super::*;
use crate::{
    domain::{chat::ChatMessage, ids::AgentId},
    providers::scripted::{Gate, Reply, Scripted},
};

fn request(words: &str) -> ChatRequest {
    ChatRequest {
        agent: AgentId::main(),
        model: Scripted::model_info("test"),
        system: Arc::from(""),
        messages: Arc::from(vec![ChatMessage::user(words)]),
        tools: Arc::from(Vec::new()),
        media: Default::default(),
    }
}

#[tokio::test]
async fn only_so_many_pass_and_a_dropped_pass_lets_the_next_in() {
    let gate = RateGate::new(2);
    let first = gate.enter().await.unwrap();
    let _second = gate.enter().await.unwrap();
    let mut third = Box::pin(gate.enter());
    assert!(poll!(&mut third).is_pending());

    drop(first);

    assert!(third.await.is_ok());
}

#[tokio::test]
async fn nobody_passes_before_the_wait_is_over() {
    let gate = RateGate::new(8);
    let start = Instant::now();
    let wait = Duration::from_millis(30);
    gate.refused(Some(wait));
    gate.refused(Some(Duration::ZERO));

    let waiting = || async {
        gate.enter().await.unwrap();
        start.elapsed()
    };
    let (one, two) = tokio::join!(waiting(), waiting());

    assert!(one >= wait && two >= wait, "{one:?} {two:?}");
}

#[tokio::test]
async fn a_wait_that_is_too_long_to_hang_for_is_handed_back() {
    let gate = RateGate::new(8);
    gate.refused(Some(Duration::from_mins(10)));

    let error = gate.enter().await.unwrap_err();

    let asked = error.retry_after().unwrap();
    assert!(asked > Duration::from_mins(9) && asked <= Duration::from_mins(10));
}

#[tokio::test]
async fn a_wait_that_nobody_waits_for_does_not_shut_the_account() {
    let gate = RateGate::new(8);
    gate.refused(Some(Duration::from_secs(99_999_999_999)));
    gate.refused(Some(Duration::from_mins(11)));

    let pass = gate.enter().await;

    assert!(pass.is_ok(), "{:?}", pass.err());
}

#[tokio::test]
async fn the_limit_falls_to_what_was_accepted_and_rises_after_good_replies() {
    let gate = RateGate::new(6);
    let mut passes = Vec::new();
    for _ in 0..6 {
        passes.push(gate.enter().await.unwrap());
    }

    // The server bears two: four are refused, one after the other.
    for _ in 0..4 {
        gate.refused(Some(Duration::ZERO));
        passes.pop();
    }
    assert_eq!(gate.limit(), 2);

    for _ in 0..8 {
        gate.succeeded();
    }
    assert_eq!(gate.limit(), 3);
}

#[tokio::test]
async fn a_reply_holds_its_place_until_it_has_ended_or_is_dropped() {
    let script = Scripted::new();
    let open = Gate::new();
    for _ in 0..3 {
        script.reply(Reply::new().gate(&open).stop());
    }
    let gated = Gated::new(Arc::new(script.clone()), RateGate::new(1));

    let first = gated.stream(request("1")).await.unwrap();
    let mut second = gated.stream(request("2"));
    assert!(poll!(&mut second).is_pending());
    assert_eq!(script.requests().len(), 1);
    drop(first);
    let mut second = second.await.unwrap();
    open.open();
    assert_eq!(
        second.next().await,
        Some(Ok(StreamEvent::Finished(
            crate::providers::contract::FinishReason::Stop
        )))
    );

    // The finished stream is still held by its reader, its place is free.
    assert!(gated.stream(request("3")).await.is_ok());
}

#[tokio::test]
async fn a_refused_request_holds_all_others_back() {
    let script = Scripted::new();
    let wait = Duration::from_millis(30);
    let refusal = ProviderError::new(
        Fault::RateLimited {
            retry_after: Some(wait),
        },
        "slow down",
    );
    script
        .reply(Reply::refused(refusal.clone()))
        .reply(Reply::says("hi"));
    let gated = Gated::new(Arc::new(script.clone()), RateGate::new(8));

    let start = Instant::now();
    assert_eq!(gated.stream(request("1")).await.err(), Some(refusal));
    assert!(gated.stream(request("2")).await.is_ok());

    assert!(start.elapsed() >= wait);
}
