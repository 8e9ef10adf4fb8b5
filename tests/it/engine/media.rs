//! Files that are no text, from the disk to the body of the request.

use std::{
    fs::File,
    io::Write as _,
    path::{Path, PathBuf},
    sync::Arc,
};

use base64::{Engine as _, prelude::BASE64_STANDARD};
use quarterdeck::{
    domain::{
        media::{MediaKind, MediaSupport},
        model_info::ModelInfo,
        record::TurnOutcome,
    },
    engine::options::{NewProfile, OpenedProfile, Profiles},
    providers::{account::Account, contract::Provider, error::ProviderError, media, registry},
    text::truncate::grouped,
};
use serde_json::{Value, json};

use crate::support::{
    bench::Bench,
    server::{Reply, Server, sse_calls, sse_text},
};

const WIRE: &str = "openai-chat-completions";
const JPEG: &[u8] = include_bytes!("../../fixtures/media/dot.jpg");

/// A model behind the real wire that takes these kinds of files.
struct Wire {
    provider: Arc<dyn Provider>,
    takes: Vec<MediaKind>,
}

impl Wire {
    fn to(server: &Server, takes: &[MediaKind]) -> Arc<dyn Profiles> {
        let account = Account::new("loop", WIRE, server.url());
        Arc::new(Self {
            provider: registry::build(&account).expect("the wire is known"),
            takes: takes.to_vec(),
        })
    }
}

impl Profiles for Wire {
    fn list(&self) -> Vec<(String, String)> {
        vec![("test".to_owned(), "model".to_owned())]
    }

    fn open(&self, name: &str) -> Result<OpenedProfile, ProviderError> {
        Ok(OpenedProfile {
            provider: Arc::clone(&self.provider),
            model: ModelInfo {
                profile: name.to_owned(),
                backend: WIRE.to_owned(),
                model_id: "model".to_owned(),
                context_window: Some(100_000),
                max_output_tokens: None,
                price: None,
                is_script: false,
                thinking: Default::default(),
                media: MediaSupport {
                    takes: self.takes.iter().map(|kind| (*kind, true)).collect(),
                    carried: media::carried(WIRE, "http://127.0.0.1/v1", "model"),
                },
            },
        })
    }

    fn add(&self, _profile: &NewProfile) -> Result<(), String> {
        Err("not here".to_owned())
    }
}

fn put(folder: &Path, name: &str, bytes: &[u8]) -> PathBuf {
    let path = folder.join(name);
    let mut file = File::create(&path).expect("the file");
    file.write_all(bytes).expect("its content");
    path
}

fn png(width: u32, height: u32) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, width, height);
    encoder.set_color(png::ColorType::Rgb);
    let mut writer = encoder.write_header().expect("a head");
    let points = vec![90; (width * height * 3) as usize];
    writer.write_image_data(&points).expect("points");
    drop(writer);
    bytes
}

/// Reads these files in one reply and answers what the model was sent then.
async fn read(bench: &mut Bench, server: &Server, names: &[&str]) -> Vec<Value> {
    let calls: Vec<(&str, &str, Value)> = names
        .iter()
        .map(|name| (*name, "file_read", json!({"path": name})))
        .collect();
    server.reply(sse_calls(&calls)).reply(sse_text("I see."));
    bench.say("look");
    bench.turn_over().await;
    assert_eq!(server.violations(), Vec::<String>::new());
    messages(server)
}

/// The messages of the last request.
fn messages(server: &Server) -> Vec<Value> {
    let requests = server.requests();
    let body = &requests.last().expect("a request").body;
    body["messages"].as_array().expect("messages").clone()
}

fn decoded(url: &Value, head: &str) -> Vec<u8> {
    let data = url.as_str().and_then(|url| url.strip_prefix(head));
    BASE64_STANDARD.decode(data.expect(head)).expect("base64")
}

#[tokio::test]
async fn images_and_documents_go_behind_the_results_and_again_after_a_restart() {
    let server = Server::start().await;
    let profiles = Wire::to(&server, &[MediaKind::Image, MediaKind::Pdf]);
    let mut bench = Bench::start_with(|options| options.profiles = profiles.clone()).await;
    let picture = png(640, 480);
    let document = b"%PDF-1.4\ntrailer\n<<>>\nstartxref\n9\n%%EOF\n".to_vec();
    // Told by its content, whatever its name says.
    put(&bench.folder, "logo.txt", &picture);
    put(&bench.folder, "paper.pdf", &document);
    put(&bench.folder, "photo.jpg", JPEG);

    let sent = read(&mut bench, &server, &["logo.txt", "paper.pdf", "photo.jpg"]).await;

    let [first, second, third, turn] = &sent[sent.len() - 4..] else {
        panic!("{sent:?}")
    };
    assert_eq!(
        first["content"],
        format!(
            "[logo.txt: a PNG image, 640×480 pixels, {} bytes, shown with this answer]",
            grouped(picture.len())
        )
    );
    assert_eq!(
        second["content"],
        "[paper.pdf: a PDF document, 40 bytes, shown with this answer]"
    );
    assert_eq!(
        third["content"],
        "[photo.jpg: a JPEG image, 24×16 pixels, 802 bytes, shown with this answer]"
    );
    let parts = turn["content"].as_array().expect("parts");
    assert_eq!(parts.len(), 6);
    assert_eq!(parts[0]["text"], "[logo.txt]");
    let url = &parts[1]["image_url"]["url"];
    assert_eq!(decoded(url, "data:image/png;base64,"), picture);
    assert_eq!(parts[3]["file"]["filename"], "paper.pdf");
    let data = &parts[3]["file"]["file_data"];
    assert_eq!(decoded(data, "data:application/pdf;base64,"), document);
    let url = &parts[5]["image_url"]["url"];
    assert_eq!(decoded(url, "data:image/jpeg;base64,"), JPEG);

    // The files may change or go: what was shown stays what it was.
    std::fs::remove_file(bench.folder.join("logo.txt")).expect("the file is there");
    let mut bench = bench.restart().await;
    server.reply(sse_text("Still there."));
    bench.say("and now?");
    bench.turn_over().await;

    let again = messages(&server);
    let at = sent.len() - 1;
    assert_eq!(again[..at], sent[..at]);
    assert_eq!(again[at]["content"].as_array().map(Vec::len), Some(6));
}

#[tokio::test]
async fn a_file_that_the_model_does_not_get_is_named_with_the_reason() {
    let server = Server::start().await;
    let profiles = Wire::to(&server, &[MediaKind::Image, MediaKind::Video]);
    let mut bench = Bench::start_with(|options| options.profiles = profiles).await;
    let whole = png(8, 8);
    put(&bench.folder, "cut.png", &whole[..whole.len() - 9]);
    put(&bench.folder, "paper.pdf", b"%PDF-1.4\n%%EOF\n");
    put(&bench.folder, "clip.mp4", b"\0\0\0\x18ftypisom\0\0\0\0");
    put(&bench.folder, "song", b"RIFF\x10\0\0\0WAVEfmt ");
    put(&bench.folder, "all.zip", b"PK\x03\x04\0\0");
    let large = put(&bench.folder, "large.png", &whole);
    let large = File::options().write(true).open(large).expect("the file");
    large.set_len(21 << 20).expect("room");

    let names = [
        "cut.png",
        "paper.pdf",
        "clip.mp4",
        "song",
        "all.zip",
        "large.png",
    ];
    let sent = read(&mut bench, &server, &names).await;

    let texts: Vec<&str> = sent[sent.len() - 6..]
        .iter()
        .map(|message| message["content"].as_str().expect("only words"))
        .collect();
    let end = "Ask the person what is in it, or look into it with shell_execute";
    assert_eq!(
        texts,
        [
            format!(
                "cut.png is a PNG image ({} bytes) and cannot be shown: it is damaged. {end}",
                whole.len() - 9
            ),
            format!(
                "paper.pdf is a PDF document (15 bytes) and cannot be shown: the model model is not known to take \
                 PDF documents (`pdf = true` in its profile says that it does). {end}"
            ),
            format!(
                "clip.mp4 is an MP4 video (16 bytes) and cannot be shown: the wire {WIRE} carries no video to model. \
                 {end}"
            ),
            format!(
                "song is a WAV recording (16 bytes) and cannot be shown: the wire {WIRE} carries no audio to model. \
                 {end}"
            ),
            "all.zip is a ZIP archive (6 bytes), not text".to_owned(),
            format!(
                "large.png is a PNG image (22,020,096 bytes) and cannot be shown: it is over the 20 MiB that can be \
                 sent. {end}"
            ),
        ]
    );
}

#[tokio::test]
async fn a_server_that_refuses_the_files_is_not_asked_in_vain_for_ever() {
    let server = Server::start().await;
    let profiles = Wire::to(&server, &[MediaKind::Image, MediaKind::Pdf]);
    let mut bench = Bench::start_with(|options| options.profiles = profiles).await;
    put(&bench.folder, "photo.jpg", JPEG);
    let body = json!({"error": {"message": "image input is not supported"}});
    server
        .reply(sse_calls(&[(
            "c",
            "file_read",
            json!({"path": "photo.jpg"}),
        )]))
        .reply(Reply::json(400, &body));
    bench.say("look");

    let outcome = bench.turn_over().await;

    let TurnOutcome::Failed { reason } = outcome else {
        panic!("{outcome:?}")
    };
    assert!(
        reason.contains("image input is not supported")
            && reason.ends_with(
                "; files go with it: if the model cannot take them, write `vision = false` into profile test"
            ),
        "{reason}"
    );
}

#[tokio::test]
async fn an_image_that_was_shown_is_read_again_by_its_address() {
    let server = Server::start().await;
    let profiles = Wire::to(&server, &[MediaKind::Image]);
    let mut bench = Bench::start_with(|options| options.profiles = profiles).await;
    put(&bench.folder, "photo.jpg", JPEG);
    read(&mut bench, &server, &["photo.jpg"]).await;
    let results = bench.results();
    let address = format!("artifact://{}", results[0].attachments[0].id);

    let sent = read(&mut bench, &server, &[&address]).await;

    let turn = sent.last().expect("the turn");
    let is_named = sent.iter().any(|message| {
        let text = message["content"].as_str();
        text.is_some_and(|text| text.ends_with("it is shown below, where it was read again]"))
    });
    assert!(is_named, "{sent:?}");
    assert_eq!(turn["content"][0]["text"], format!("[{address}]"));
}
