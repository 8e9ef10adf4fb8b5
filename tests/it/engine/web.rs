//! Pages of the web, as a session lets its agent fetch them.

use std::{
    io::{BufRead as _, BufReader, Write as _},
    net::{SocketAddr, TcpListener},
};

use quarterdeck::{
    domain::{
        approval::ApprovalDecision,
        permission::{Mode, Network, Rule, Verdict},
        tool::{CallStatus, ToolResult},
    },
    providers::scripted::Reply,
};
use serde_json::json;

use crate::support::bench::Bench;

/// A site on loopback: `/to/REST` redirects to the URL `REST`, everything else is a page.
fn site() -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    std::thread::spawn(move || {
        for socket in listener.incoming() {
            let mut socket = socket.unwrap();
            let lines = BufReader::new(socket.try_clone().unwrap()).lines();
            let head: Vec<String> = lines
                .map_while(Result::ok)
                .take_while(|line| !line.is_empty())
                .collect();
            let path = head.first().and_then(|line| line.split(' ').nth(1));
            let path = path.unwrap_or_default();
            let answer = match path.strip_prefix("/to/") {
                Some(target) => format!("302 Found\r\nLocation: {target}\r\nContent-Length: 0"),
                None => "200 OK\r\nContent-Type: text/html\r\nContent-Length: 12".to_owned(),
            };
            let body = if path.starts_with("/to/") {
                ""
            } else {
                "<p>a <b>ship"
            };
            // A client that breaks off is no fault of the server's.
            let _ = write!(
                socket,
                "HTTP/1.1 {answer}\r\nConnection: close\r\n\r\n{body}"
            );
        }
    });
    address
}

fn rule(resource: String, verdict: Verdict) -> Rule {
    Rule {
        action: "web_fetch".to_owned(),
        resource,
        verdict,
    }
}

/// An agent that fetches these pages, one after the other.
async fn fetched(rules: Vec<Rule>, network: Network, urls: &[String]) -> Vec<ToolResult> {
    let mut bench = Bench::start_with(|options| {
        options.permissions.rules = rules;
        options.permissions.network = network;
    })
    .await;
    for url in urls {
        bench
            .script
            .reply(Reply::calls("web_fetch", json!({"url": url})));
    }
    bench.script.reply(Reply::says("Seen."));
    bench.say("look at them");
    bench.turn_over().await;
    bench.results()
}

#[tokio::test]
async fn b113_only_what_a_rule_names_is_reached_here_by_redirects_too() {
    let (mine, other) = (site(), site());
    let rules = vec![
        rule(format!("http://{mine}/*"), Verdict::Allow),
        rule(format!("http://{mine}/secret*"), Verdict::Deny),
    ];
    let urls = [
        format!("http://{mine}/page"),
        format!("http://{mine}/to//page"),
        format!("http://{other}/page"),
        format!("http://{mine}/to/http://{other}/page"),
        format!("http://{mine}/to//secret"),
        format!("http://{mine}/%73ecret"),
    ];

    let results = fetched(rules.clone(), Network::All, &urls).await;

    let told: Vec<(CallStatus, &str)> = results
        .iter()
        .map(|result| (result.status, result.text.as_str()))
        .collect();
    let is = |index: usize, status: CallStatus, words: &str| {
        let (found, text) = told[index];
        assert!(
            found == status && text.contains(words),
            "{index}: {found:?} {text}"
        );
    };
    is(0, CallStatus::Done, "\n\na **ship**\n");
    is(
        1,
        CallStatus::Done,
        &format!("final_url: http://{mine}/page\n"),
    );
    is(
        2,
        CallStatus::Refused,
        "leads to this machine; it stays closed unless a rule",
    );
    is(3, CallStatus::Failed, "refused: this machine");
    is(4, CallStatus::Failed, "a rule says deny web_fetch");
    is(5, CallStatus::Refused, "a rule says deny web_fetch");
    let results = fetched(rules, Network::None, &urls[..1]).await;
    assert!(
        results[0].text.contains("the network is closed"),
        "{}",
        results[0].text
    );
}

#[tokio::test]
async fn an_answer_for_the_session_stands_for_the_host() {
    let mine = site();
    let mut bench = Bench::start_with(|options| {
        options.permissions.mode = Mode::Strict;
        options.permissions.rules = vec![
            rule(format!("http://{mine}/*"), Verdict::Allow),
            rule(format!("http://{mine}/asked*"), Verdict::Ask),
        ];
    })
    .await;
    for path in ["asked", "asked/again"] {
        let url = format!("http://{mine}/{path}");
        bench
            .script
            .reply(Reply::calls("web_fetch", json!({"url": url})));
    }
    bench.script.reply(Reply::says("Seen."));
    bench.say("look");

    let request = bench.approval().await;
    let offered = request.offers.session_rule.clone().unwrap();
    assert_eq!(offered.resource, format!("http://{mine}/*"));
    bench.decide(&request, ApprovalDecision::Session);
    bench.turn_over().await;

    let statuses: Vec<CallStatus> = bench.results().iter().map(|result| result.status).collect();
    assert_eq!(statuses, [CallStatus::Done; 2]);
}
