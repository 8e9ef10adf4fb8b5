//! Addresses in a reply are links of the terminal.

use crate::support::{
    server::{Server, sse_text},
    terminal::{Setup, Terminal},
};

const REPLY: &str = "See [the fetch page](https://example.org/fetch?a=1) and <https://example.org/plain>, not \
                     [this](javascript:alert(1)).\n\nA [very long name of a link that goes on over the end of its row \
                     and is open in none of both](https://example.org/long)";

/// A workbench whose model says [`REPLY`].
fn answered(server: &Server, setup: Setup, settings: &str) -> Terminal {
    server.reply(sse_text(REPLY));
    let script = format!(
        "mkdir -p $HOME/qd/config; printf '[accounts.a]\\nbackend = \"openai-chat-completions\"\\nbase_url = \"{}\"\\n\
         [profiles.p]\\naccount = \"a\"\\nmodel = \"m\"\\n{settings}' >$HOME/qd/config/config.toml; exec QD",
        server.url()
    );
    let mut terminal = setup.profile("p").in_shell(&script);
    terminal.wait_for("2 Message");
    terminal.send("hello\r");
    terminal.wait_for("open in none");
    terminal
}

/// Every opened link and what stands in it, row by row: nothing moves the cursor to another row inside.
fn links(bytes: &[u8]) -> Vec<(String, String)> {
    let text = String::from_utf8_lossy(bytes).into_owned();
    let mut found = Vec::new();
    let mut open: Option<String> = None;
    for piece in text.split("\x1b]8;").skip(1) {
        let (sequence, rest) = piece.split_once("\x1b\\").expect("a whole sequence");
        let address = sequence.strip_prefix(';').expect("no parameters");
        match open.take() {
            None => {
                assert!(!address.is_empty(), "closed before it was opened");
                let rows: Vec<&str> = rest
                    .split("\x1b[")
                    .skip(1)
                    .filter_map(|code| code.split_once('H'))
                    .filter(|(code, _)| code.chars().all(|c| c.is_ascii_digit() || c == ';'))
                    .filter_map(|(code, _)| code.split(';').next())
                    .collect();
                assert!(rows.windows(2).all(|pair| pair[0] == pair[1]), "{rows:?}");
                let mut screen = vt100::Parser::new(
                    std::num::NonZero::new(60).unwrap(),
                    std::num::NonZero::new(200).unwrap(),
                    0,
                );
                screen.process(rest.as_bytes());
                found.push((
                    address.to_owned(),
                    screen.screen().contents().trim().to_owned(),
                ));
                open = Some(address.to_owned());
            }
            Some(_) => assert!(address.is_empty(), "opened twice: {address}"),
        }
    }
    assert_eq!(open, None, "closed at the end");
    found
}

#[test]
fn what_leads_somewhere_is_a_link_that_is_closed_in_its_row() {
    let server = Server::start_blocking();
    let mut terminal = answered(&server, Setup::new(100, 30), "");
    terminal.wait_until("the links are drawn", |terminal| {
        let bytes = String::from_utf8_lossy(&terminal.bytes).into_owned();
        bytes.contains("]8;;https://example.org/long")
    });

    let links = links(&terminal.bytes);
    let leads = |words: &str, address: &str| {
        let of = |(to, text): &(String, String)| to == address && text == words;
        assert!(links.iter().any(of), "{words}: {links:?}");
    };
    leads("the fetch page", "https://example.org/fetch?a=1");
    leads("https://example.org/plain", "https://example.org/plain");
    let long = links
        .iter()
        .filter(|(to, _)| to == "https://example.org/long");
    assert!(long.count() > 1, "a part in each row: {links:?}");
    assert!(
        links.iter().all(|(to, _)| !to.contains("javascript")),
        "{links:?}"
    );
    assert!(
        terminal.grid().contains("(javascript:alert(1))"),
        "{}",
        terminal.grid()
    );
}

#[test]
fn without_links_none_is_written_and_the_screen_is_the_same() {
    let server = Server::start_blocking();
    let grid = answered(&server, Setup::new(100, 30), "").grid();

    for (setup, settings) in [
        (Setup::new(100, 30), "[ui]\\nlinks = false\\n"),
        (Setup::new(100, 30).variable("TERM", "linux"), ""),
    ] {
        let terminal = answered(&server, setup, settings);
        assert!(!super::stories::contains(&terminal.bytes, b"\x1b]8;"));
        let words = |grid: &str| {
            grid.lines()
                .filter(|line| line.contains("fetch page"))
                .count()
        };
        assert_eq!(words(&terminal.grid()), words(&grid));
    }
}
