//! What a person is asked: approvals and question forms of the whole tree, oldest first.

use std::{
    collections::BTreeMap,
    sync::{Mutex, MutexGuard, PoisonError},
};

use tokio::sync::oneshot;

use crate::domain::{
    approval::{ApprovalDecision, ApprovalRequest},
    ids::{AgentId, CallId, RequestId},
    question::{FormOutcome, QuestionForm},
};

/// Open requests.
#[derive(Debug, Default)]
pub struct Requests {
    open: Mutex<BTreeMap<RequestId, Open>>,
}

/// Where the answer to an approval goes, when it is not the agent's turn that waits for it.
pub type Answer = oneshot::Sender<ApprovalDecision>;

#[derive(Debug)]
enum Open {
    Approval(Box<ApprovalRequest>, Option<Answer>),
    Form(Box<QuestionForm>, oneshot::Sender<FormOutcome>),
}

impl Requests {
    fn lock(&self) -> MutexGuard<'_, BTreeMap<RequestId, Open>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Opens an approval.
    pub fn ask_approval(&self, request: ApprovalRequest) {
        self.lock()
            .insert(request.id, Open::Approval(Box::new(request), None));
    }

    /// Opens an approval for a call that a running call makes; the answer comes over the channel.
    pub fn ask_within(&self, request: ApprovalRequest) -> oneshot::Receiver<ApprovalDecision> {
        let (sender, receiver) = oneshot::channel();
        let id = request.id;
        let open = Open::Approval(Box::new(request), Some(sender));
        self.lock().insert(id, open);
        receiver
    }

    /// Opens a form; the answer comes over the channel.
    pub fn ask_form(&self, form: QuestionForm) -> oneshot::Receiver<FormOutcome> {
        let (sender, receiver) = oneshot::channel();
        self.lock()
            .insert(form.id, Open::Form(Box::new(form), sender));
        receiver
    }

    /// The approval of this number.
    pub fn approval(&self, id: RequestId) -> Option<ApprovalRequest> {
        match self.lock().get(&id) {
            Some(Open::Approval(request, _)) => Some((**request).clone()),
            _ => None,
        }
    }

    /// Closes an approval, when it is open; says where the answer goes.
    pub fn close_approval(&self, id: RequestId) -> Option<(ApprovalRequest, Option<Answer>)> {
        let mut open = self.lock();
        if !matches!(open.get(&id), Some(Open::Approval(..))) {
            return None;
        }
        match open.remove(&id) {
            Some(Open::Approval(request, answer)) => Some((*request, answer)),
            _ => None,
        }
    }

    /// Answers a form, when it is open; returns it.
    pub fn answer_form(&self, id: RequestId, outcome: FormOutcome) -> Option<QuestionForm> {
        let mut open = self.lock();
        if !matches!(open.get(&id), Some(Open::Form(..))) {
            return None;
        }
        match open.remove(&id) {
            Some(Open::Form(form, sender)) => {
                // Nobody listens any more when the call was stopped meanwhile.
                let _ = sender.send(outcome);
                Some(*form)
            }
            _ => None,
        }
    }

    /// Closes whatever an agent asks about a call; returns the numbers.
    pub fn withdraw(&self, agent: &AgentId, call: &CallId) -> Vec<RequestId> {
        let mut open = self.lock();
        let ids: Vec<RequestId> = open
            .iter()
            .filter(|(_, request)| request.belongs_to(agent, call))
            .map(|(id, _)| *id)
            .collect();
        for id in &ids {
            open.remove(id);
        }
        ids
    }
}

impl Open {
    fn belongs_to(&self, agent: &AgentId, call: &CallId) -> bool {
        let (asker, about) = match self {
            Self::Approval(request, _) => (&request.agent, &request.call),
            Self::Form(form, _) => (&form.agent, &form.call),
        };
        asker == agent && about == call
    }
}
