use proptest::prelude::*;

use super::*;
use crate::{
    domain::{
        access::Access,
        permission::{Level, Mode, OwnPlaces},
    },
    permission::{evaluate, grants},
};

fn rule(resource: &str, verdict: Verdict) -> Rule {
    Rule {
        action: "webfetch".to_owned(),
        resource: resource.to_owned(),
        verdict,
    }
}

fn call(url: &str) -> PreparedCall {
    let access = Access::fetch(url.to_owned());
    PreparedCall::new("web_fetch", &["webfetch"], &access, |path| {
        (path.to_owned(), false)
    })
}

fn settings(network: Network, rules: Vec<Rule>) -> PermissionSettings {
    PermissionSettings {
        level: Level::Read,
        mode: Mode::Strict,
        network,
        rules,
        approvals: true,
        confine_reads: false,
        roots: Vec::new(),
        own: OwnPlaces::default(),
    }
}

fn verdict(url: &str, network: Network, rules: &[Rule]) -> (Verdict, String) {
    let settings = settings(network, rules.to_vec());
    let judgement = evaluate(&call(url), &settings, &Grants::default());
    (judgement.verdict, judgement.reason)
}

#[test]
fn rules_name_pages_by_url_or_by_host() {
    let allow = [rule("https://docs.rs/*", Verdict::Allow)];
    let host = [rule("docs.rs", Verdict::Allow)];
    for (rules, url, expected) in [
        (&allow, "https://docs.rs/regex", Verdict::Allow),
        (&allow, "https://docs.rs/", Verdict::Allow),
        (&allow, "https://docs.rs.evil.example/", Verdict::Ask),
        (&allow, "http://docs.rs/", Verdict::Ask),
        (&host, "https://docs.rs/regex?a=b", Verdict::Allow),
        (&host, "https://evil.example/docs.rs", Verdict::Ask),
    ] {
        assert_eq!(verdict(url, Network::All, rules).0, expected, "{url}");
    }
}

#[test]
fn a_denial_is_about_every_spelling_of_a_page() {
    let rules = [
        rule("https://evil.example/*", Verdict::Deny),
        rule("*", Verdict::Allow),
        rule("https://ok.example/private*", Verdict::Ask),
    ];
    for (url, expected) in [
        ("https://evil.example/a", Verdict::Deny),
        ("HTTP://EVIL.example/a", Verdict::Deny),
        ("https://evil.example./a", Verdict::Deny),
        ("https://ok.example/%70rivate/x", Verdict::Ask),
        ("https://ok.example/x", Verdict::Allow),
    ] {
        assert_eq!(verdict(url, Network::All, &rules).0, expected, "{url}");
    }
}

#[test]
fn b113_local_addresses_are_out_of_bounds_unless_a_rule_names_them() {
    let all = [rule("*", Verdict::Allow), rule("http://*", Verdict::Allow)];
    for url in [
        "http://127.0.0.1:8080/",
        "http://localhost/",
        "http://169.254.169.254/latest/meta-data",
        "http://[::1]/",
        "http://2130706433/",
        "http://printer.local/",
    ] {
        for network in [Network::All, Network::Remote] {
            let (verdict, reason) = verdict(url, network, &all);
            assert_eq!(verdict, Verdict::Deny, "{url}");
            assert!(reason.contains("it stays closed"), "{reason}");
        }
    }
    let named = [rule("http://127.0.0.1:8080/*", Verdict::Allow)];
    let judged = |url, network| verdict(url, network, &named).0;

    assert_eq!(
        judged("http://127.0.0.1:8080/x", Network::All),
        Verdict::Allow
    );
    assert_eq!(
        judged("http://127.0.0.1:8081/x", Network::All),
        Verdict::Deny
    );
    assert_eq!(
        judged("http://127.0.0.1:8080/x", Network::Remote),
        Verdict::Deny
    );
    assert_eq!(judged("https://example.org/", Network::None), Verdict::Deny);
}

#[test]
fn an_answer_for_the_session_stands_for_the_host() {
    let call = call("https://docs.rs:8443/regex?x=*");

    let rule = grants::session_rule(&call).unwrap();

    assert_eq!(rule.resource, "https://docs.rs:8443/*");
    assert_eq!(
        grants::patterns(&call),
        [
            "https://docs.rs:8443/regex?x=\\*".replace('?', "\\?"),
            "https://docs.rs:8443/*".to_owned(),
        ]
    );
    assert!(grants::covers_call(std::slice::from_ref(&rule), &call, &[]));
}

#[test]
fn a_redirect_is_followed_as_far_as_rules_answers_and_documents_let_it() {
    let links = Links {
        configured: vec![
            rule("https://asked.example/*", Verdict::Ask),
            rule("https://denied.example/*", Verdict::Deny),
        ],
        refused: vec![rule("never.example", Verdict::Deny)],
        documents: Vec::new(),
    };
    let documents = Links {
        documents: vec![vec![rule("https://docs.rs/*", Verdict::Allow)]],
        ..Links::default()
    };

    assert_eq!(follow(&links, "https://free.example/"), Ok(()));
    for host in ["asked", "denied", "never"] {
        assert!(
            follow(&links, &format!("http://{host}.example/x")).is_err(),
            "{host}"
        );
    }
    assert_eq!(follow(&documents, "https://docs.rs/x"), Ok(()));
    assert!(follow(&documents, "https://free.example/").is_err());
}

#[test]
fn only_a_rule_that_names_the_host_opens_it() {
    let url = "http://intranet.example/wiki";
    for (resource, expected) in [
        ("http://intranet.example/*", true),
        ("intranet.example", true),
        ("http://intranet.example/wiki", true),
        ("http://*.example/*", false),
        ("http*", false),
        ("*", false),
    ] {
        let rules = [rule(resource, Verdict::Allow)];
        assert_eq!(is_opened(&rules, url), expected, "{resource}");
    }
    let asked = [rule("http://intranet.example/*", Verdict::Ask)];
    assert!(is_opened(&asked, url));
    let denied = [
        rule("http://intranet.example/*", Verdict::Allow),
        rule("http://intranet.example/wiki*", Verdict::Deny),
    ];
    assert!(!is_opened(&denied, url));
}

proptest! {
    #[test]
    fn any_text_is_judged(text in "(http://)?[a-z0-9.%/:@?#*é\\[\\]-]{0,40}") {
        let _ = verdict(&text, Network::All, &[rule("http://a*", Verdict::Allow)]);
        prop_assert!(wide(&normal(&text)).contains(&normal(&text)));
        prop_assert!(grants::covers_call(&[grants::session_rule(&call(&text)).unwrap()], &call(&text), &[]));
    }
}
