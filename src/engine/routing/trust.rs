//! Whether the folder is trusted, as the person says it and as its own files allow.

use std::sync::Arc;

use super::super::{
    event::EventKind,
    options::{EngineOptions, NotRead, Profiles, Reading},
    worker::{Worker, blocking},
};
use crate::domain::{configured::seen::Asking, notice::Notice};

impl Worker {
    /// The folder is trusted or not: its own configuration is read or dropped, and what both say holds from now on.
    pub(super) async fn trust(&mut self, trusted: bool) -> bool {
        let mut options = self.options.clone();
        let profiles = Arc::clone(&options.profiles);
        let read = blocking(move || {
            Ok(profiles
                .configure(&mut options, trusted)
                .map(|reading| (options, reading)))
        });
        let (mut options, Reading { notices, seen }) = match read.await {
            Ok(Ok(read)) => read,
            Ok(Err(NotRead::Altered(files))) => {
                let asking = Asking::altered(files);
                self.options.asking = asking.clone();
                self.tell(EventKind::TrustAsked(asking)).await;
                return false;
            }
            Ok(Err(NotRead::Wrong(error))) | Err(error) => {
                self.notice(Notice::error(error).with_hint("mend it, then /trust again"))
                    .await;
                return false;
            }
        };
        options.trusted = Some(trusted);
        options.asking = Asking::default();
        options.seen = seen.clone();
        let session = Arc::clone(&self.session);
        let stored = session.store.set_trust(&session.cwd, trusted, seen.clone());
        self.report(stored.await).await;
        session.set_trusted(trusted);
        session.own_files.know(seen);
        session.configure(options.configured.clone()).await;
        let before = std::mem::replace(&mut self.options, options).permissions;
        let now = &self.options.permissions;
        session
            .permissions
            .change(|settings| now.replace(&before, settings, trusted));
        for notice in notices {
            self.notice(notice).await;
        }
        true
    }
}

/// Looks whether the folder's own files are those that were trusted. Where they are not, the options of the next session
/// are those of a folder that was not asked about.
pub(in crate::engine) async fn look_again(
    mut options: EngineOptions,
) -> Result<EngineOptions, String> {
    if options.trusted != Some(true) {
        return Ok(options);
    }
    blocking(move || {
        let profiles: Arc<dyn Profiles> = Arc::clone(&options.profiles);
        if let Some(asking) = profiles.look_again(&mut options)? {
            options.trusted = None;
            options.asking = asking;
        }
        Ok(options)
    })
    .await
}
