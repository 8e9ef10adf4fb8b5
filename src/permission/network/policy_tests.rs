//! URLs in every spelling, redirects, and what an exception opens.

use core::net::{IpAddr, Ipv4Addr};

use proptest::prelude::*;

use super::*;

fn remote() -> NetworkPolicy {
    NetworkPolicy::of(Network::Remote)
}

fn refusal(text: &str) -> Option<Refusal> {
    remote().judge_url(text).err()
}

/// B113: what leads to this machine or to a cloud's metadata is refused before any byte is sent.
#[test]
fn b113_local_urls_are_refused_in_every_spelling() {
    for text in [
        "http://127.0.0.1/",
        "http://127.1/",
        "http://2130706433/",
        "http://0x7f000001/",
        "http://0x7f.0.0.1/",
        "http://0177.0.0.1/",
        "http://017700000001/",
        "http://127.0.0.1./",
        "http://127.0.0.1:8080/",
        "http://%31%32%37.0.0.1/",
        "http://\u{2460}27.0.0.1/",
        "http://127\u{3002}0\u{3002}0\u{3002}1/",
        "http:127.0.0.1/",
        "http:\\\\127.0.0.1\\",
        "http://\t127.0.\n0.1/",
        "http://[::1]/",
        "http://[0:0:0:0:0:0:0:1]/",
        "http://[::ffff:127.0.0.1]/",
        "http://[::127.0.0.1]/",
        "http://[64:ff9b::127.0.0.1]/",
        "http://[2002:7f00:1::]/",
        "http://0/",
        "http://[::]/",
    ] {
        assert_eq!(
            refusal(text),
            Some(Refusal::Place(Place::ThisMachine)),
            "{text}"
        );
    }
    for text in [
        "http://localhost/",
        "http://LOCALHOST./",
        "http://a.localhost:3000/",
        "http://metadata.google.internal/",
    ] {
        assert_eq!(refusal(text), Some(Refusal::Name), "{text}");
    }
    assert_eq!(
        refusal("http://169.254.169.254/latest/meta-data/"),
        Some(Refusal::Place(Place::Metadata))
    );
}

#[test]
fn what_is_no_plain_url_of_the_web_is_refused() {
    let scheme = |name: &str| Refusal::Scheme(name.to_owned());
    let table = [
        ("file:///etc/hostname", scheme("file")),
        ("ftp://example.org/", scheme("ftp")),
        ("gopher://example.org/", scheme("gopher")),
        ("data:text/plain,x", scheme("data")),
        ("javascript:x", scheme("javascript")),
        ("view-source:http://example.org", scheme("view-source")),
        ("http://example.org@127.0.0.1/", Refusal::Credentials),
        ("http://127.0.0.1@example.org/", Refusal::Credentials),
        ("http://:x@example.org/", Refusal::Credentials),
        ("http://example.org:25/", Refusal::Port(25)),
        ("http://example.org:0/", Refusal::Port(0)),
        ("http://example.org:99999/", Refusal::Malformed),
        ("http://1.2.3.256/", Refusal::Malformed),
        ("http://[fe80::1%25eth0]/", Refusal::Malformed),
        ("http://", Refusal::Malformed),
        ("example.org", Refusal::Malformed),
        ("", Refusal::Malformed),
    ];

    for (text, expected) in table {
        assert_eq!(refusal(text), Some(expected), "{text}");
    }
    let long = format!("http://example.org/{}", "a".repeat(target::LONGEST_URL));
    assert_eq!(refusal(&long), Some(Refusal::TooLong));
}

#[test]
fn public_urls_pass() {
    for text in [
        "https://example.org/",
        "http://example.org:8080/a?b#c",
        "https://1.1.1.1/",
        "https://[2606:4700:4700::1111]/",
        "https://b\u{fc}cher.example/",
    ] {
        assert_eq!(refusal(text), None, "{text}");
    }
}

#[test]
fn every_redirect_is_judged_again() {
    let from = Url::parse("https://example.org/a/b").unwrap();
    let redirect = |location: &str, number| {
        remote()
            .judge_redirect(&from, location, number)
            .map(|(url, _)| url.to_string())
    };

    assert_eq!(redirect("../c", 1), Ok("https://example.org/c".to_owned()));
    assert_eq!(
        redirect("//example.com/", MOST_REDIRECTS),
        Ok("https://example.com/".to_owned())
    );
    let this_machine = Err(Refusal::Place(Place::ThisMachine));
    assert_eq!(redirect("//127.1/", 1), this_machine);
    assert_eq!(redirect("http://[::1]:9/", 1), Err(Refusal::Port(9)));
    assert_eq!(redirect("http://[::1]:90/", 1), this_machine);
    assert_eq!(redirect("http://example.org/", 1), Err(Refusal::Downgrade));
    assert_eq!(
        redirect("file:///etc/passwd", 1),
        Err(Refusal::Scheme("file".to_owned()))
    );
    assert_eq!(redirect("/", MOST_REDIRECTS + 1), Err(Refusal::Redirects));
}

#[test]
fn each_network_has_its_own_answer_and_an_exception_is_one_address() {
    let near: SocketAddr = "127.0.0.1:80".parse().unwrap();
    let other: SocketAddr = "127.0.0.1:81".parse().unwrap();
    let far: SocketAddr = "1.1.1.1:80".parse().unwrap();
    let with = NetworkPolicy {
        network: Network::Remote,
        allowed: vec![near],
    };
    let judged = |policy: &NetworkPolicy| {
        [near, other, far].map(|address| policy.judge_address(address).is_ok())
    };

    assert_eq!(judged(&NetworkPolicy::of(Network::All)), [true; 3]);
    assert_eq!(judged(&remote()), [false, false, true]);
    assert_eq!(judged(&with), [true, false, true]);
    let none = NetworkPolicy {
        network: Network::None,
        ..with
    };
    assert_eq!(judged(&none), [false; 3]);
    assert_eq!(none.judge_authority("example.org:1"), Err(Refusal::Closed));
}

/// Ways to write an address of version 4.
fn spellings(address: Ipv4Addr) -> Vec<String> {
    let bits = address.to_bits();
    let [a, b, c, d] = address.octets();
    vec![
        address.to_string(),
        format!("{bits}"),
        format!("{bits:#x}"),
        format!("0{bits:o}"),
        format!("{a:#x}.{b}.0{c:o}.{d}"),
        format!("{a}.{}", bits & 0x00ff_ffff),
        format!("{a}.{b}.{}", bits & 0xffff),
        format!("[::ffff:{address}]"),
        format!("[64:ff9b::{address}]"),
        format!("{address}."),
    ]
}

proptest! {
    #[test]
    fn the_spelling_changes_no_verdict(bits: u32, special in 0_usize..6) {
        let first = [0, 0x7f00_0000, 0x0a00_0000, 0xc0a8_0000, 0xa9fe_a900, 0x6440_0000][special];
        for bits in [bits, first | bits & 0xff] {
            let address = Ipv4Addr::from_bits(bits);
            let expected = remote().judge_address(SocketAddr::new(IpAddr::V4(address), 80));
            for text in spellings(address) {
                let url = remote().judge_url(&format!("http://{text}/")).map(drop);
                prop_assert_eq!(&url, &expected, "{}", text);
                let authority = remote().judge_authority(&format!("{text}:80")).map(drop);
                prop_assert_eq!(&authority, &expected, "{}", text);
            }
        }
    }

    #[test]
    fn no_text_ends_the_judge(text in "\\PC{0,80}") {
        let _ = remote().judge_url(&text);
        let _ = remote().judge_url(&format!("http://{text}"));
        let _ = remote().judge_authority(&text);
    }
}
