//! Pages of the web in the conversation, and the box that asks for one.

use quarterdeck::{
    domain::{
        access::Access,
        approval::{ApprovalRequest, Circumstances, Confinement, Offers},
        display::Display,
        ids::CallId,
        permission::{Network, Risk},
        tool::{CallStatus, ToolResult},
    },
    permission::{self, PreparedCall, grants},
};
use serde_json::json;

use super::approvals::{ask, go};
use crate::support::{sample, talk::Talk};

const PAGE: &str = "# Retrying\n\nA client that gets **503** [waits](https://example.org/wait) and asks again:\n\n\
    1. at once\n2. after `200 ms`\n\n| answer | again |\n| --- | --- |\n| 503 | yes |\n| 404 | no |\n\n\
    ```rust\nlet wait = BASE * 2u32.pow(count);\n```\n\nNever for longer than a minute.\n";

fn fetched(columns: u16, rows: u16) -> Talk {
    let mut talk = Talk::new(columns, rows);
    talk.said("How long does one wait after a 503?");
    let page = Display::Markdown {
        text: PAGE.to_owned(),
    };
    talk.called(
        "web_fetch",
        json!({"url": "https://example.org/book/retrying.html"}),
        sample::result("w1", "200 · 15 lines", 412, page),
    );
    let refusal = "[web_fetch: error 2 (input, robots_refused) — robots.txt of example.com keeps programs away from \
                   /private/. Look elsewhere; a rule of the configuration that names the host goes before it, such as \
                   action = \"web_fetch\", resource = \"https://example.com/*\", verdict = \"allow\"]";
    let failed = ToolResult::plain(CallId::new("w2"), CallStatus::Failed, refusal.to_owned());
    talk.called(
        "web_fetch",
        json!({"url": "https://example.com/private/"}),
        failed,
    );
    talk
}

#[test]
fn a_page_is_folded_and_opens_as_it_reads() {
    for (columns, rows) in [(120, 40), (80, 24), (40, 12)] {
        let mut talk = fetched(columns, rows);
        talk.stage.check(&format!("web_folded_{columns}x{rows}"));
        // In the low pane the page stands above what is seen.
        let keys = if rows < 20 { "home j" } else { "k k" };
        talk.stage.press(&format!("alt+1 {keys} enter"));
        talk.stage.check(&format!("web_open_{columns}x{rows}"));
    }
}

#[test]
fn the_box_that_asks_for_a_page_offers_its_host() {
    for (columns, rows) in [(120, 40), (80, 24)] {
        let url = "https://example.org/book/retrying.html?lang=en";
        let access = Access::fetch(url.to_owned());
        let call = PreparedCall::new("web_fetch", &[], &access, |path| (path.to_owned(), false));
        let mut talk = Talk::new(columns, rows);
        talk.said("How long does one wait after a 503?");
        ask(
            &mut talk.stage,
            ApprovalRequest {
                subject: url.to_owned(),
                tool: "web_fetch".to_owned(),
                arguments: json!({"url": url, "headers": {"Accept-Language": "en"}}),
                circumstances: Some(Circumstances {
                    folder: "/home/ada/src/fetcher".to_owned(),
                    risk: Risk::ReadOnlyNetwork,
                    findings: permission::findings(&call),
                    network: Network::All,
                    confinement: Confinement::Nothing,
                    is_attended: false,
                }),
                offers: Offers {
                    session_rule: grants::session_rule(&call),
                    patterns: grants::patterns(&call),
                    ..Offers::default()
                },
                editable: None,
                ..sample::approval(1)
            },
        );
        go(&mut talk.stage);
        talk.stage.check(&format!("web_approval_{columns}x{rows}"));
    }
}
