//! Fetching pages of the web.

use std::{
    io::{BufRead as _, BufReader, Write as _},
    net::{SocketAddr, TcpListener},
    sync::Arc,
};

use quarterdeck::{
    domain::{
        access::{Links, Places, Resource},
        display::Display,
        media::MediaKind,
        permission::{Level, Risk, Rule, Verdict},
    },
    tools::{error::ToolError, registry},
    workspace::root,
};
use serde_json::json;
use tokio::sync::mpsc;

use crate::support::host::Workbench;

const PAGE: &str = "<!doctype html><title>T</title><nav>Home</nav><h1>Ships</h1>\
    <p>See <a href='/more'>more</a>.<script>x()</script><ul><li>sloop<li>brig</ul>";
const PNG: &[u8] = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\x02\x80\0\0\x01\xe0\x08\x06\0\0\0";

const PHOTO: &[u8] = include_bytes!("../../fixtures/media/dot.jpg");

/// A site on loopback. `/held` never ends, and tells that it was asked.
struct Site {
    address: SocketAddr,
    asked: mpsc::UnboundedReceiver<String>,
}

impl Site {
    fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let (tell, asked) = mpsc::unbounded_channel();
        std::thread::spawn(move || {
            let mut held = Vec::new();
            for socket in listener.incoming() {
                let mut socket = socket.unwrap();
                let lines = BufReader::new(socket.try_clone().unwrap()).lines();
                let head: Vec<String> = lines
                    .map_while(Result::ok)
                    .take_while(|line| !line.is_empty())
                    .collect();
                let path = head.first().and_then(|line| line.split(' ').nth(1));
                let path = path.unwrap_or_default().to_owned();
                let (status, kind, body) = answer(&path);
                // More than comes.
                let more = if path == "/held" { 99 } else { 0 };
                let length = body.len() + more;
                let head = format!(
                    "HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n"
                );
                // A client that breaks off is no fault of the server's.
                let _ = socket.write_all(&[head.as_bytes(), &body].concat());
                if path == "/held" {
                    held.push(socket);
                }
                if tell.send(path).is_err() {
                    break;
                }
            }
        });
        Self { address, asked }
    }

    fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    /// A folder whose configuration opens this site, and where the file `output` may be written.
    fn bench(&self) -> Workbench {
        let mut bench = Workbench::new();
        let named = bench.path.join("page.md");
        let real = root::resolve(&named).unwrap();
        bench.context.places = Some(Arc::new(Places {
            places: vec![quarterdeck::domain::access::Place {
                named,
                real,
                opened: false,
            }],
            links: Links {
                configured: vec![Rule {
                    action: "web_fetch".to_owned(),
                    resource: self.url("/*"),
                    verdict: Verdict::Allow,
                }],
                ..Links::default()
            },
        }));
        bench
    }
}

fn answer(path: &str) -> (&'static str, &'static str, Vec<u8>) {
    let lines = || {
        (0..9000)
            .map(|line| format!("line {line}\n"))
            .collect::<String>()
    };
    match path {
        "/page" | "/held" => ("200 OK", "text/html; charset=utf-8", PAGE.into()),
        "/json" => (
            "200 OK",
            "application/json",
            b"{\"a\": \"\x1b[31mred\"}".into(),
        ),
        "/long" => ("200 OK", "text/plain", lines().into_bytes()),
        "/picture" => ("200 OK", "text/html", PNG.into()),
        "/photo" => ("200 OK", "application/octet-stream", PHOTO.into()),
        "/paper" => (
            "200 OK",
            "text/html",
            b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n".into(),
        ),
        "/menu" => ("200 OK", "text/html", b"<nav>Home</nav>".into()),
        _ => ("404 Not Found", "text/plain", b"no such ship".into()),
    }
}

#[tokio::test]
async fn a_page_is_shown_as_markdown_below_what_the_server_said() {
    let site = Site::start();
    let bench = site.bench();

    let shown = bench
        .call("webfetch", json!({"url": site.url("/page")}))
        .await
        .unwrap();

    let markdown = format!(
        "# Ships\n\nSee [more]({}).\n\n- sloop\n- brig\n",
        site.url("/more")
    );
    assert_eq!(
        shown.text,
        format!(
            "final_url: {}\nstatus_code: 200\ncontent_type: text/html; charset=utf-8\ntruncated: false\n\n{markdown}",
            site.url("/page")
        )
    );
    assert_eq!(shown.display, Display::Markdown { text: markdown });
    assert_eq!(shown.outcome, "200 · 6 lines");
    let raw = bench
        .text("web_fetch", json!({"url": site.url("/page"), "raw": true}))
        .await;
    assert!(raw.ends_with(PAGE), "{raw}");
    let based = json!({"url": site.url("/page"), "base_url": "https://example.org/x/"});
    assert!(
        bench
            .text("web_fetch", based)
            .await
            .contains("https://example.org/more")
    );
    let missing = bench
        .text("web_fetch", json!({"url": site.url("/none")}))
        .await;
    assert!(missing.contains("status_code: 404\n") && missing.ends_with("\n\nno such ship"));
    let json = bench
        .text("web_fetch", json!({"url": site.url("/json")}))
        .await;
    assert!(json.ends_with("{\"a\": \"red\"}"), "{json}");
}

#[tokio::test]
async fn a_long_page_is_cut_and_kept_whole() {
    let site = Site::start();
    let bench = site.bench();
    let url = site.url("/long");

    let shown = bench.call("web_fetch", json!({"url": url})).await.unwrap();
    assert!(shown.text.len() < 30_000);
    assert!(
        shown
            .text
            .ends_with("[shown: the first 28,000 of 88,890 characters]"),
        "{}",
        &shown.text[27_900..]
    );
    let whole = std::fs::read_to_string(&shown.whole.unwrap().path).unwrap();
    assert!(whole.starts_with("final_url: ") && whole.ends_with("\nline 8999\n"));

    let few = json!({"url": url, "max_content_chars": 13});
    let few = bench.text("web_fetch", few).await;
    assert!(
        few.ends_with("line 0\nline 1\n[shown: the first 13 of 88,890 characters]"),
        "{few}"
    );
    let found = json!({"url": url, "regex": "^line 12.4$"});
    let found = bench.call("web_fetch", found).await.unwrap();
    assert!(found.text.ends_with("truncated: false\n\n1205: line 1204\n1215: line 1214\n1225: line 1224\n1235: line 1234\n1245: line 1244\n1255: line 1254\n1265: line 1264\n1275: line 1274\n1285: line 1284\n1295: line 1294"), "{}", found.text);
    assert_eq!(found.whole, None);
}

#[tokio::test]
async fn what_a_scratchpad_entry_takes_is_the_whole_page_unless_a_limit_says_otherwise() {
    let site = Site::start();
    let mut bench = site.bench();
    bench.context.keeps = true;
    let url = site.url("/long");

    let whole = bench.text("web_fetch", json!({"url": url})).await;
    let part = bench
        .text("web_fetch", json!({"url": url, "limit": 6}))
        .await;

    assert!(whole.starts_with("final_url: ") && whole.ends_with("\nline 8999\n"));
    assert!(
        part.ends_with("line 0\n[shown: the first 6 of 88,890 characters]")
            || part.ends_with("line 0[shown: the first 6 of 88,890 characters]"),
        "{part}"
    );
}

#[tokio::test]
async fn b161_what_is_no_text_is_named_and_not_shown() {
    let site = Site::start();
    let bench = site.bench();

    let picture = bench
        .call("web_fetch", json!({"url": site.url("/picture")}))
        .await
        .unwrap();
    assert!(
        picture.text.contains(
            "[a PNG image, 640×480 pixels, 29 bytes, is not shown: the model test is not known"
        ),
        "{}",
        picture.text
    );
    assert_eq!(picture.outcome, "200 · a PNG image, 640×480 pixels");
    let paper = bench
        .text("web_fetch", json!({"url": site.url("/paper")}))
        .await;
    assert!(
        paper.starts_with("refused: [web_fetch: error 1 (conversion, unsupported_content_type) — ")
            && paper
                .contains("is a PDF document, 15 bytes, which is not shown: the model test is not"),
        "{paper}"
    );
    let raw = json!({"url": site.url("/paper"), "raw": true});
    assert_eq!(bench.text("web_fetch", raw).await, paper);
    let menu = bench
        .text("web_fetch", json!({"url": site.url("/menu")}))
        .await;
    assert!(menu.contains("no text content once scripts"), "{menu}");
}

#[tokio::test]
async fn a_whole_image_is_shown_to_a_model_that_takes_images() {
    let site = Site::start();
    let mut bench = site.bench();
    let support = &mut bench.context.media.support;
    support.takes.insert(MediaKind::Image, true);
    support.carried.insert(MediaKind::Image, 1 << 20);

    let photo = bench
        .call("web_fetch", json!({"url": site.url("/photo")}))
        .await
        .unwrap();
    let damaged = bench
        .text("web_fetch", json!({"url": site.url("/picture")}))
        .await;

    assert!(
        photo
            .text
            .ends_with("[photo: a JPEG image, 24×16 pixels, 802 bytes, shown with this answer]"),
        "{}",
        photo.text
    );
    assert_eq!(photo.outcome, "200 · a JPEG image, 24×16 pixels, 802 bytes");
    assert_eq!(photo.files.len(), 1);
    assert_eq!(
        (photo.files[0].mime, &photo.files[0].bytes[..]),
        ("image/jpeg", PHOTO)
    );
    assert!(
        damaged.contains("29 bytes, is not shown: it is damaged. Save it"),
        "{damaged}"
    );
}

#[tokio::test]
async fn a_page_is_saved_by_the_gate_of_every_write() {
    let site = Site::start();
    let bench = site.bench();
    let save = |path: &str| json!({"url": site.url(path), "output": "page.md"});

    let preview = bench
        .preview("web_fetch", save("/page"))
        .await
        .unwrap()
        .unwrap();
    let asks = format!("creates page.md with what {} answers", site.url("/page"));
    assert_eq!(preview.display, Display::text(asks));
    let saved = bench.call("web_fetch", save("/page")).await.unwrap();
    assert!(
        saved.text.ends_with(&format!(
            "[web_fetch: saved 6 lines of Markdown ({} bytes) from {} to page.md — the content is not shown]",
            bench.bytes("page.md").len(),
            site.url("/page")
        )),
        "{}",
        saved.text
    );
    assert!(bench.bytes("page.md").starts_with(b"# Ships\n"));
    // What it wrote itself it may write again; what somebody else wrote it has to read first.
    bench.call("web_fetch", save("/picture")).await.unwrap();
    assert_eq!(bench.bytes("page.md"), PNG);
    bench.put("page.md", "of somebody else");
    let refused = bench.text("web_fetch", save("/page")).await;
    assert!(refused.contains("changed"), "{refused}");
    assert_eq!(bench.bytes("page.md"), b"of somebody else");
    let missing = site.bench();
    for (path, words) in [("/none", "http_status"), ("/menu", "nothing saved")] {
        let answer = missing.text("web_fetch", save(path)).await;
        assert!(answer.contains(words), "{answer}");
    }
    assert!(missing.names().is_empty());
}

#[tokio::test]
async fn b161_a_call_ends_when_it_is_cancelled() {
    let mut site = Site::start();
    let bench = site.bench();
    let call = bench.call("web_fetch", json!({"url": site.url("/held")}));
    let cancel = bench.context.cancel.clone();
    let stop = async {
        while site.asked.recv().await.as_deref() != Some("/held") {}
        cancel.cancel();
    };

    let (ended, ()) = tokio::join!(call, stop);

    assert!(matches!(ended, Err(ToolError::Interrupted(_))), "{ended:?}");
}

#[tokio::test]
async fn arguments_that_cannot_be_are_refused_by_number_before_anything_is_asked() {
    let bench = Workbench::new();
    for (arguments, words) in [
        (
            json!({"url": "file:///etc/hostname"}),
            "error 3 (usage, invalid_url)",
        ),
        (
            json!({"url": "http://a.example", "regex": "("}),
            "error 3 (usage, invalid_argument)",
        ),
        (
            json!({"url": "http://a.example", "base_url": "docs/"}),
            "`base_url` is not absolute",
        ),
        (
            json!({"url": "http://a.example", "headers": {"Cookie": "a=b"}}),
            "the header cookie",
        ),
        (
            json!({"url": "http://a.example", "tables": "all"}),
            "`tables`",
        ),
        (
            json!({"url": "http://127.0.0.1:1/"}),
            "error 2 (input, invalid_url)",
        ),
    ] {
        let preview = bench.preview("web_fetch", arguments.clone()).await;
        let failed = bench.text("web_fetch", arguments.clone()).await;
        if words.contains("error 2") {
            // The port belongs to another service.
            assert!(failed.contains("port 1"), "{failed}");
            continue;
        }
        assert!(failed.contains(words), "{arguments}: {failed}");
        assert!(preview.is_err(), "{arguments}");
    }
    let closed = bench
        .text("web_fetch", json!({"url": "http://127.0.0.1:8080/"}))
        .await;
    assert!(
        closed.contains("error 2 (input, network_refused)")
            && closed.contains("resource = \"http://127.0.0.1:8080/*\""),
        "{closed}"
    );
}

#[test]
fn a_fetch_reads_the_network_and_one_that_saves_writes() {
    let bench = Workbench::new();
    let tool = registry::find("fetch_url").unwrap();
    let access = |arguments| {
        let checked = tool.check(&arguments).unwrap();
        tool.access(&checked, &bench.context).unwrap()
    };
    let url = Resource::Url {
        url: "https://example.org/".to_owned(),
    };

    let reads = access(json!({"url": "example.org"}));
    assert_eq!(
        (reads.level, reads.risk),
        (Level::Read, Risk::ReadOnlyNetwork)
    );
    assert_eq!(reads.resources, std::slice::from_ref(&url));
    let saves = access(json!({"url": "example.org", "output": "a.md"}));
    assert_eq!(
        (saves.level, saves.risk),
        (Level::Workspace, Risk::WorkspaceWrite)
    );
    let path = bench.path.join("a.md");
    assert_eq!(saves.resources, [url, Resource::Write { path }]);
}
