//! Commands about what happens inside the open session, each to the place that owns it.

use std::sync::Arc;

use super::super::{
    command::{Command, PersonChecklistEdit, ScratchpadEdit, Setting, WindowCommand},
    event::EventKind,
    jobs, person_shell,
    turn::input::Input,
    worker::{self, TITLE_CHARS, Worker, one_line},
};
use crate::{
    domain::{
        approval::ApprovalDecision,
        ids::{AgentId, CallId, RequestId},
        notice::Notice,
        permission::{Grant, Level},
        question::FormOutcome,
        record::{Lane, Record, Speaker},
        scratchpad::ScratchpadOrigin,
        terminal::TerminalInput,
    },
    store::{DraftKey, StoreError},
};

impl Worker {
    pub(in crate::engine) async fn route(&mut self, command: Command) {
        match command {
            Command::Send { agent, text, lane } => self.send(agent, text, lane).await,
            Command::TakeBack { message } => self.take_back(message).await,
            Command::Cancel { agent } => worker::cancel(&self.session, &agent).await,
            Command::DeleteAgent { agent } => self.delete_agent(&agent).await,
            Command::Decide {
                request,
                hash,
                decision,
            } => self.decide(request, &hash, decision).await,
            Command::Answer { request, outcome } => self.answer(request, outcome).await,
            Command::Configure(setting) => self.configure(setting).await,
            Command::EditChecklist { agent, edit } => self.edit_checklist(&agent, &edit).await,
            Command::Goal(command) => self.session.command_goal(command).await,
            Command::EditScratchpad { agent, edit } => self.edit_scratchpad(&agent, edit).await,
            Command::Fetch(fetch) => self.fetch(fetch).await,
            Command::RunShell {
                command,
                shared,
                attended,
            } => self.run_shell(command, shared, attended),
            Command::Terminal { agent, call, input } => self.type_in(&agent, &call, input).await,
            Command::Window { agent, command } => {
                let input = match command {
                    WindowCommand::Compact(focus) => Input::RoomAsked(focus),
                    WindowCommand::Edit(edit) => Input::WindowEdited(edit),
                };
                self.input(&agent, input).await;
            }
            Command::Grant(grant) => self.grant(grant).await,
            Command::StopJob { id } => jobs::stop(&self.session, id),
            Command::SaveDraft { text } => self.save_draft(text).await,
            Command::Session(_) | Command::Shutdown => {}
        }
    }

    pub(super) async fn report(&self, outcome: Result<(), StoreError>) {
        if let Err(error) = outcome {
            self.notice(Notice::error(error.to_string())).await;
        }
    }

    async fn send(&self, agent: AgentId, text: String, lane: Lane) {
        if text.trim().is_empty() {
            return;
        }
        let session = &self.session;
        self.report(session.store.add_prompt(&session.cwd, text.clone()).await)
            .await;
        for key in self.draft_keys() {
            self.report(session.store.save_draft(key, String::new()).await)
                .await;
        }
        if agent.is_main() && !session.take_title() {
            let title = one_line(&text, TITLE_CHARS);
            session.log(&agent, Record::Titled { title }).await;
        }
        let id = session.next_queued();
        let said = Input::Said {
            id,
            speaker: Speaker::Person,
            lane,
            text,
        };
        self.input(&agent, said).await;
    }

    async fn take_back(&self, message: crate::domain::ids::QueuedId) {
        for mailbox in self.session.tree.mailboxes() {
            let _ = mailbox.send(Input::TakenBack(message)).await;
        }
    }

    async fn delete_agent(&self, agent: &AgentId) {
        let gone = self.session.tree.remove(agent);
        if gone.is_empty() {
            self.notice(
                Notice::warning(format!(
                    "{agent} cannot be removed while it or an agent below it runs"
                ))
                .with_hint("cancel it first"),
            )
            .await;
        }
        for agent in gone {
            let recorded = self
                .session
                .recorder
                .record(&agent, Record::AgentRemoved)
                .await;
            self.report(recorded.map(|_| ())).await;
            self.session.tell(&agent, EventKind::AgentRemoved).await;
            if self.session.permissions.end_agent(&agent) {
                self.rules_changed().await;
                self.session.tell_standing_grants().await;
            }
        }
    }

    async fn decide(&self, id: RequestId, hash: &str, decision: ApprovalDecision) {
        let session = &self.session;
        let Some(request) = session.requests.approval(id) else {
            self.tell(EventKind::RequestClosed(id)).await;
            return;
        };
        if request.hash != hash {
            session
                .tell(
                    &request.agent.clone(),
                    EventKind::ApprovalAsked(Box::new(request)),
                )
                .await;
            return;
        }
        let Some((request, waits)) = session.requests.close_approval(id) else {
            return;
        };
        // The rules hold before the asker hears of the answer, which is when it judges the others again.
        let grants = request.grants(&decision);
        let changes: Vec<(Grant, bool)> = grants
            .into_iter()
            .flat_map(|grant| session.permissions.grant(grant))
            .collect();
        let agent = request.agent.clone();
        if let Some(waits) = waits {
            // Nobody listens any more when the call was stopped meanwhile.
            let _ = waits.send(decision);
        } else {
            let decided = Input::Decided {
                call: request.call.clone(),
                request: id,
                decision,
            };
            self.input(&agent, decided).await;
        }
        session.tell(&agent, EventKind::RequestClosed(id)).await;
        if !changes.is_empty() {
            self.rules_changed().await;
            session.tell_grants(changes).await;
        }
    }

    async fn answer(&self, request: RequestId, outcome: FormOutcome) {
        if self
            .session
            .requests
            .answer_form(request, outcome)
            .is_none()
        {
            self.tell(EventKind::RequestClosed(request)).await;
        }
    }

    async fn configure(&mut self, setting: Setting) {
        let session = Arc::clone(&self.session);
        match setting {
            Setting::Level(level) if level > Level::Read && !session.is_trusted() => {
                self.notice(
                    Notice::warning("an untrusted folder can only be read")
                        .with_hint("trust it with /trust first"),
                )
                .await;
                return;
            }
            Setting::Level(level) => session
                .permissions
                .change(|settings| settings.level = level),
            Setting::Mode(mode) => session.permissions.change(|settings| settings.mode = mode),
            Setting::Network(network) => session
                .permissions
                .change(|settings| settings.network = network),
            Setting::Approvals(on) => session
                .permissions
                .change(|settings| settings.approvals = on),
            Setting::Profile(name) => {
                let profiles = Arc::clone(&session.profiles);
                let open = move || profiles.open(&name).map_err(|error| error.to_string());
                match worker::blocking(open).await {
                    Ok(profile) => session.set_profile(profile),
                    Err(error) => {
                        self.notice(Notice::error(error)).await;
                        return;
                    }
                }
            }
            Setting::Trust(trusted) => {
                if !self.trust(trusted).await {
                    return;
                }
            }
        }
        // First the agents: nothing may start by the old settings while the new ones are stored and told.
        self.rules_changed().await;
        session.tell_settings().await;
    }

    async fn edit_checklist(&self, agent: &AgentId, edit: &PersonChecklistEdit) {
        let changed = self.session.change_checklist(agent, |list| {
            let before = list.clone();
            edit.apply(list)?;
            Ok(edit.told(&before))
        });
        match changed {
            Ok((list, change)) => {
                let note = format!(
                    "[the person changed the checklist; it is now]\n{}",
                    list.items
                        .iter()
                        .map(|item| format!("{} [{}] {}", item.id, item.status.name(), item.text))
                        .collect::<Vec<_>>()
                        .join("\n")
                );
                let record = Record::ChecklistChanged {
                    checklist: list.clone(),
                    speaker: Speaker::Person,
                    change,
                };
                self.session.log(agent, record).await;
                let told = EventKind::Checklist {
                    checklist: list,
                    nudges: 0,
                };
                self.session.tell(agent, told).await;
                self.input(agent, Input::Noted(note)).await;
                if agent.is_main() {
                    self.session.settle_goal().await;
                }
            }
            Err(text) => self.notice(Notice::warning(text)).await,
        }
    }

    async fn edit_scratchpad(&self, agent: &AgentId, edit: ScratchpadEdit) {
        let (session, store) = (&self.session, &self.session.store);
        let outcome = match edit {
            ScratchpadEdit::Write { name, content } => store
                .scratchpad_write(&session.id, agent, &name, content, ScratchpadOrigin::Person)
                .await
                .map(|_| ()),
            ScratchpadEdit::Delete { name } => store
                .scratchpad_delete(&session.id, agent, &name)
                .await
                .map(|_| ()),
            ScratchpadEdit::Rename { name, to } => {
                store
                    .scratchpad_rename(&session.id, agent, &name, &to)
                    .await
            }
        };
        self.report(outcome).await;
        session.tell_scratchpad().await;
    }

    async fn grant(&self, grant: Grant) {
        let changes = self.session.permissions.grant(grant);
        self.rules_changed().await;
        self.session.tell_grants(changes).await;
    }

    async fn type_in(&self, agent: &AgentId, call: &CallId, input: TerminalInput) {
        if !self.session.terminals.pass_on(agent, call, input) {
            let notice = Notice::warning("not typed: the program takes nothing now");
            self.notice(notice).await;
        }
    }

    fn run_shell(&self, command: String, shared: bool, attended: bool) {
        let session = Arc::clone(&self.session);
        let task = person_shell::run(session, command, shared, attended);
        self.session.tasks.spawn(task);
    }

    fn draft_keys(&self) -> [DraftKey; 2] {
        [
            DraftKey::Session(self.session.id.clone()),
            DraftKey::Folder(self.session.cwd.clone()),
        ]
    }

    async fn save_draft(&self, text: String) {
        // A session that is not begun yet is not listed: its draft waits for the next one in the folder.
        let mut failed = None;
        for key in self.draft_keys() {
            let outcome = self.session.store.save_draft(key, text.clone()).await;
            failed = failed.or(outcome.err());
        }
        let is_unstored = failed.is_some() && !text.is_empty();
        let was_unstored = self.session.set_draft_unstored(is_unstored);
        // It is tried again and again: the reason is told once.
        if let Some(error) = failed.filter(|_| !was_unstored) {
            self.report(Err(error)).await;
        }
        if is_unstored || was_unstored {
            self.session
                .tell(&AgentId::main(), EventKind::DraftUnstored(is_unstored))
                .await;
        }
    }
}
