//! Sessions of the past, as long as a figure needs them.

use std::path::Path;

use quarterdeck::{
    domain::{
        chat::ChatMessage,
        ids::{AgentId, Sequence, TurnId},
        record::{Lane, Record, ReplyEnd, Speaker, TurnOutcome, TurnRecap},
        usage::Usage,
        window::{Compaction, CompactionBy, Kept},
    },
    store::{StoreHandle, StorePlaces},
};

/// The last words of every session that is made here.
pub(crate) const LAST_WORDS: &str = "ENDOFTHEPAST";

/// Bytes that a language model's window holds: what was said before, a summary stands for.
const WINDOW: usize = 600_000;

/// Makes a session of that many messages (words and replies in turn), each as long as told; says its id.
pub(crate) fn make(home: &Path, messages: usize, bytes: usize) -> String {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    runtime.block_on(async {
        let places = StorePlaces::new(home.join("qd/data"), home.join("qd/state"));
        let (store, _) = StoreHandle::open(places).await.unwrap();
        let folder = home.join("project").canonicalize().unwrap();
        let info = store.create_session(&folder).await.unwrap();
        let turns = messages / 2;
        let mut said = 0;
        for turn in 0..turns {
            let records = records(turn, turn + 1 == turns, bytes);
            let records = records.map(|record| (AgentId::main(), record));
            let stored = store.append_many(&info.id, records.into()).await.unwrap();
            said += bytes;
            if said > WINDOW {
                said = 0;
                let last = stored.iter().map(|stored| stored.sequence);
                let record = compacted(last.collect());
                store
                    .append(&info.id, &AgentId::main(), record)
                    .await
                    .unwrap();
            }
        }
        store.close().await.unwrap();
        info.id.to_string()
    })
}

fn records(turn: usize, is_last: bool, bytes: usize) -> [Record; 4] {
    let sentence = |number| format!("Paragraph {turn}.{number} has **some** words and `code`.\n\n");
    let count = (bytes / sentence(0).len()).max(1);
    let mut reply: String = (0..count).map(sentence).collect();
    if is_last {
        reply.push_str(LAST_WORDS);
    }
    let turn = TurnId(turn as u64 + 1);
    [
        Record::TurnStarted { turn },
        Record::Said {
            speaker: Speaker::Person,
            lane: Lane::Steer,
            text: format!("question {}", turn.0),
        },
        Record::Reply {
            message: ChatMessage::assistant(reply),
            end: ReplyEnd::Complete,
            usage: Usage::default(),
        },
        Record::TurnFinished {
            turn,
            outcome: TurnOutcome::Finished,
            recap: TurnRecap::default(),
        },
    ]
}

fn compacted(last: Vec<Sequence>) -> Record {
    let kept = last.into_iter().map(|sequence| Kept {
        sequence,
        is_dropped: false,
        is_pinned: false,
    });
    Record::Compacted {
        compaction: Compaction {
            summary: "What was said before.".to_owned(),
            kept: kept.collect(),
            by: CompactionBy::Agent,
            before: 170_000,
            after: 12_000,
            usage: Usage::default(),
        },
    }
}
