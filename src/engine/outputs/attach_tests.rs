use proptest::prelude::*;

use super::*;
use crate::domain::{
    chat::Role,
    ids::CallId,
    media::{MediaKind, MediaSupport},
    tool::CallStatus,
};

fn gate() -> MediaGate {
    MediaGate {
        model_id: "m".to_owned(),
        wire: "w".to_owned(),
        support: MediaSupport {
            takes: [(MediaKind::Image, true)].into(),
            carried: [(MediaKind::Image, 20 << 20)].into(),
        },
    }
}

fn file(name: &str, kind: MediaKind, bytes: u64) -> Attachment {
    Attachment {
        id: ArtifactId::new(name),
        kind,
        mime: "image/png".to_owned(),
        bytes,
        name: name.to_owned(),
    }
}

fn answer(files: Vec<Attachment>) -> ChatMessage {
    let mut result = ToolResult::plain(CallId::new("c"), CallStatus::Done, "text");
    result.attachments = files;
    ChatMessage {
        role: Role::User,
        blocks: vec![ContentBlock::ToolResult(result)],
        provider: None,
    }
}

/// Texts and names of the files that go, by message.
fn shown(messages: Vec<ChatMessage>) -> Vec<(String, Vec<String>)> {
    let chosen = chosen(messages.into(), &gate());
    let results = chosen.iter().flat_map(|message| &message.blocks);
    results
        .filter_map(|block| match block {
            ContentBlock::ToolResult(result) => Some((
                result.text.clone(),
                files_of(result).map(str::to_owned).collect(),
            )),
            _ => None,
        })
        .collect()
}

fn files_of(result: &ToolResult) -> impl Iterator<Item = &str> {
    result.attachments.iter().map(|file| file.name.as_str())
}

#[test]
fn the_latest_files_go_and_each_only_once() {
    let image = |name| file(name, MediaKind::Image, 15 << 20);

    let shown = shown(vec![
        answer(vec![image("a")]),
        answer(vec![image("b"), image("c")]),
        answer(vec![image("c")]),
    ]);

    let text = |note: &str| format!("text\n[{note}]");
    let full = "a is not shown here: later files take all the room; file_read of artifact://a shows it again";
    let below = "c is not shown here: it is shown below, where it was read again";
    assert_eq!(
        shown,
        [
            (text(full), vec![]),
            (text(below), vec!["b".to_owned()]),
            ("text".to_owned(), vec!["c".to_owned()]),
        ]
    );
}

#[test]
fn a_model_that_takes_no_such_file_is_told_that_there_was_one() {
    let shown = shown(vec![answer(vec![
        file("a", MediaKind::Pdf, 1),
        file("b", MediaKind::Image, 21 << 20),
    ])]);

    let (text, files) = &shown[0];
    assert!(files.is_empty());
    assert_eq!(
        text,
        "text\n\
         [a is not shown here: the model m is not known to take PDF documents (`pdf = true` in its profile says that \
         it does)]\n\
         [b is not shown here: it is over the 20 MiB that can be sent]"
    );
}

proptest! {
    #[test]
    fn a_request_is_bounded_and_no_file_is_lost_without_a_word(
        sizes in prop::collection::vec(prop::collection::vec(0..22_u64 << 20, 0..4), 0..30),
    ) {
        let mut number = 0;
        let messages: Vec<ChatMessage> = sizes
            .iter()
            .map(|sizes| {
                let files = sizes.iter().map(|size| {
                    number += 1;
                    file(&number.to_string(), MediaKind::Image, *size)
                });
                answer(files.collect())
            })
            .collect();
        let before: usize = sizes.iter().map(Vec::len).sum();

        let chosen = chosen(messages.into(), &gate());

        let sent: Vec<&Attachment> = chosen.iter().flat_map(files).collect();
        let texts = chosen.iter().flat_map(|message| &message.blocks);
        let notes: usize = texts
            .map(|block| match block {
                ContentBlock::ToolResult(result) => result.text.lines().count() - 1,
                _ => 0,
            })
            .sum();
        prop_assert_eq!(sent.len() + notes, before);
        prop_assert!(sent.len() <= MOST_FILES);
        prop_assert!(sent.iter().map(|file| file.bytes).sum::<u64>() <= MOST_BYTES);
    }
}
