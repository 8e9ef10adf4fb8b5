//! `qd session list` and `qd session show`: what is stored, without opening it to write.

use std::path::Path;

use serde_json::json;

use super::{
    arguments::Format,
    failure::Failure,
    run::Streams,
    startup::{Setting, block_on},
    table, transcript,
};
use crate::{
    domain::{record::Stored, session::SessionInfo},
    store::{StoreError, StoreHandle},
    text::figures::counted,
};

pub(super) fn list(
    setting: &Setting,
    all: bool,
    limit: usize,
    format: Format,
    streams: &mut Streams<'_>,
) -> Result<(), Failure> {
    let cwd = (!all).then_some(setting.cwd.as_path());
    let sessions = with_store(setting, streams, async |store| {
        store.list_sessions(cwd, limit).await
    })?
    .unwrap_or_default();
    match format {
        Format::Json => streams.json(&sessions),
        Format::Text => {
            let rows: Vec<Vec<String>> = sessions.iter().map(|info| row(info, all)).collect();
            table::write(streams.out, &rows)?;
            if sessions.is_empty() {
                streams.complain(if all {
                    "There is no session yet."
                } else {
                    "There is no session of this folder; --all shows those of every folder."
                });
            }
            Ok(())
        }
    }
}

pub(super) fn show(
    setting: &Setting,
    id: Option<&str>,
    format: Format,
    streams: &mut Streams<'_>,
) -> Result<(), Failure> {
    let found = with_store(setting, streams, async |store| {
        read(store, id, &setting.cwd).await
    })?;
    let (info, records) = found.ok_or_else(|| missing(id))?;
    match format {
        Format::Json => streams.json(&json!({ "session": info, "records": records })),
        Format::Text => {
            write!(streams.out, "{}", transcript::text(&info, &records))?;
            Ok(())
        }
    }
}

async fn read(
    store: &StoreHandle,
    id: Option<&str>,
    cwd: &Path,
) -> Result<(SessionInfo, Vec<Stored>), StoreError> {
    let info = match id {
        Some(id) => store.find_session(id).await?,
        None => store
            .latest_session(cwd)
            .await?
            .ok_or_else(|| missing(None))?,
    };
    let records = store.all_records(&info.id).await?;
    Ok((info, records))
}

fn missing(id: Option<&str>) -> StoreError {
    StoreError::NoSession(id.unwrap_or("of this folder").to_owned())
}

/// Asks the store; `None` when there is none.
fn with_store<T>(
    setting: &Setting,
    streams: &mut Streams<'_>,
    ask: impl AsyncFnOnce(&StoreHandle) -> Result<T, StoreError>,
) -> Result<Option<T>, Failure> {
    let (outcome, notices) = block_on(async {
        match setting.existing_store().await {
            Ok(Some((store, notices))) => {
                let outcome = ask(&store).await;
                // What was read is read; a failure to tidy up is not the person's business.
                let _ = store.close().await;
                (outcome.map(Some), notices)
            }
            Ok(None) => (Ok(None), Vec::new()),
            Err(error) => (Err(error), Vec::new()),
        }
    })?;
    for notice in &notices {
        streams.tell(notice);
    }
    Ok(outcome?)
}

fn row(info: &SessionInfo, with_folder: bool) -> Vec<String> {
    let messages = counted(info.messages as usize, "message", "messages");
    let mut row = vec![
        info.id.to_string(),
        transcript::day_and_time(info.updated_ms),
        messages,
    ];
    if with_folder {
        row.push(info.cwd.display().to_string());
    }
    row.push(info.title.clone());
    row
}
