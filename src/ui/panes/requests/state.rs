//! What waits for the person and what of it has the keyboard.
//!
//! The one invariant: a request leaves the queue only when the engine says that it is over; one that was answered
//! here stays, marked, until then, and cannot be answered twice.

use std::collections::BTreeSet;

use super::{
    answering::{held::Held, several},
    approval::Approval,
    form::Form,
    gate::Gate,
};
use crate::{
    domain::{
        approval::ApprovalRequest,
        ids::{AgentId, CallId, RequestId},
        question::QuestionForm,
    },
    engine::event::Covered,
    ui::focus::Pane,
};

/// What waits and what has the keyboard.
#[derive(Debug, Default)]
pub struct State {
    /// Everything that waits, oldest first.
    pub queue: Vec<Waiting>,
    /// The approval that has the keyboard.
    pub focused: Option<RequestId>,
    /// The form in the composer's place.
    pub open_form: Option<RequestId>,
    /// When a key may answer what has the keyboard.
    pub gate: Gate,
    /// Whether the person went there (else it took the keyboard by itself).
    pub is_chosen: bool,
    /// Whether a first key has passed the gate of the open form.
    pub is_begun: bool,
    /// When the person answered, while no other key came since: they are here to answer.
    pub answered_ms: Option<u64>,
    /// An answer that waits whether words follow.
    pub held: Option<Held>,
    /// Where the keyboard goes when nothing waits any more.
    pub came_from: Option<CameFrom>,
    /// Approvals that the person marked.
    pub marked: BTreeSet<RequestId>,
    /// Whether the next answer is for all that is marked.
    pub answers_marked: bool,
}

/// Where the person was before they went to a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CameFrom {
    /// The pane.
    pub pane: Pane,
    /// The agent whose transcript was shown.
    pub shown: AgentId,
    /// Whether its end was followed.
    pub follows: bool,
}

/// Something that waits.
#[derive(Debug)]
pub struct Waiting {
    /// Its number.
    pub id: RequestId,
    /// What it is.
    pub request: Request,
    /// Whether it was answered here; the engine has not closed it yet.
    pub is_answered: bool,
    /// Whether it may take the keyboard by itself; not any more once it was left.
    pub may_take: bool,
    /// When it was asked here, in milliseconds since 1970, for showing only.
    pub at_ms: i64,
}

/// What waits.
#[derive(Debug)]
pub enum Request {
    /// An approval.
    Approval(Box<Approval>),
    /// A question form.
    Form(Box<Form>),
}

/// What an approval box shows beside the request itself.
#[derive(Clone, Copy, Debug)]
pub struct ApprovalBox<'a> {
    /// The approval.
    pub approval: &'a Approval,
    /// Whether it has the keyboard.
    pub has_keyboard: bool,
    /// Whether a key would answer now; the keys are drawn faint until then.
    pub is_armed: bool,
    /// Its place among all that waits, from 1.
    pub place: usize,
    /// How many wait.
    pub count: usize,
    /// How many ask for the very same call, itself counted.
    pub alike: usize,
    /// Whether it is marked.
    pub is_marked: bool,
    /// How many the next answer is for beside it, when it is for what is marked.
    pub for_marked: Option<usize>,
}

impl Waiting {
    /// An approval that has just been asked.
    pub fn approval(request: ApprovalRequest, at_ms: i64) -> Self {
        Self {
            id: request.id,
            request: Request::Approval(Box::new(Approval::new(request))),
            is_answered: false,
            may_take: true,
            at_ms,
        }
    }

    /// A form that has just been asked.
    pub fn form(form: QuestionForm, at_ms: i64) -> Self {
        Self {
            id: form.id,
            request: Request::Form(Box::new(Form::new(form))),
            is_answered: false,
            may_take: true,
            at_ms,
        }
    }

    /// Who asks.
    pub fn agent(&self) -> &AgentId {
        match &self.request {
            Request::Approval(approval) => &approval.request.agent,
            Request::Form(form) => &form.form.agent,
        }
    }

    /// The call that waits.
    pub fn call(&self) -> &CallId {
        match &self.request {
            Request::Approval(approval) => &approval.request.call,
            Request::Form(form) => &form.form.call,
        }
    }

    /// Whether it is an approval.
    pub fn is_approval(&self) -> bool {
        matches!(self.request, Request::Approval(_))
    }
}

impl State {
    /// What still needs an answer, oldest first.
    pub fn open(&self) -> impl Iterator<Item = &Waiting> {
        self.queue.iter().filter(|waiting| !waiting.is_answered)
    }

    /// How many approvals and how many forms need an answer.
    pub fn counts(&self) -> (usize, usize) {
        let approvals = self.open().filter(|waiting| waiting.is_approval()).count();
        (approvals, self.open().count() - approvals)
    }

    /// The approval boxes in an agent's transcript, oldest first.
    pub fn boxes(&self, agent: &AgentId, now_ms: u64) -> Vec<ApprovalBox<'_>> {
        let count = self.open().count();
        self.open()
            .enumerate()
            .filter(|(_, waiting)| waiting.agent() == agent)
            .filter_map(|(index, waiting)| match &waiting.request {
                Request::Approval(approval) => {
                    let has_keyboard = self.focused == Some(waiting.id);
                    Some(ApprovalBox {
                        approval,
                        has_keyboard,
                        is_armed: has_keyboard && self.gate.is_armed(now_ms),
                        place: index + 1,
                        count,
                        alike: several::alike(self, approval),
                        is_marked: self.marked.contains(&waiting.id),
                        for_marked: self.answers_marked.then_some(self.marked.len()),
                    })
                }
                Request::Form(_) => None,
            })
            .collect()
    }

    /// The approval that has the keyboard.
    pub fn focused_approval(&self) -> Option<&Approval> {
        let id = self.focused?;
        self.open().find_map(|waiting| match &waiting.request {
            Request::Approval(approval) if waiting.id == id => Some(approval.as_ref()),
            _ => None,
        })
    }

    /// The same, to change it.
    pub fn focused_approval_mut(&mut self) -> Option<&mut Approval> {
        let id = self.focused?;
        self.queue
            .iter_mut()
            .filter(|waiting| !waiting.is_answered && waiting.id == id)
            .find_map(|waiting| match &mut waiting.request {
                Request::Approval(approval) => Some(approval.as_mut()),
                Request::Form(_) => None,
            })
    }

    /// The engine has said what a rule would have answered for.
    pub fn covered(&mut self, covered: &Covered) {
        for waiting in &mut self.queue {
            if let Request::Approval(approval) = &mut waiting.request
                && let Some(rule) = &mut approval.rule
            {
                rule.found(covered);
            }
        }
    }

    /// The form in the composer's place.
    pub fn form(&self) -> Option<&Form> {
        let id = self.open_form?;
        self.open().find_map(|waiting| match &waiting.request {
            Request::Form(form) if waiting.id == id => Some(form.as_ref()),
            _ => None,
        })
    }

    /// The same, to change it.
    pub fn form_mut(&mut self) -> Option<&mut Form> {
        let id = self.open_form?;
        self.queue
            .iter_mut()
            .filter(|waiting| !waiting.is_answered && waiting.id == id)
            .find_map(|waiting| match &mut waiting.request {
                Request::Form(form) => Some(form.as_mut()),
                Request::Approval(_) => None,
            })
    }

    /// Forgets everything that can be made again; the next frame is the same.
    pub fn forget(&self) {
        for waiting in &self.queue {
            if let Request::Approval(approval) = &waiting.request {
                approval.change_memo().forget();
            }
        }
    }

    /// Puts a request in its place; one of the same number is asked again from the beginning.
    pub fn put(&mut self, waiting: Waiting) {
        self.unmark(waiting.id);
        match self.queue.iter_mut().find(|known| known.id == waiting.id) {
            Some(known) => {
                if self.focused == Some(waiting.id) || self.open_form == Some(waiting.id) {
                    self.gate.close();
                    self.is_begun = false;
                }
                *known = waiting;
            }
            None => {
                let at = self.queue.partition_point(|known| known.id < waiting.id);
                self.queue.insert(at, waiting);
            }
        }
    }

    /// Marks a request as answered here.
    pub fn mark_answered(&mut self, id: RequestId) {
        self.unmark(id);
        if let Some(waiting) = self.queue.iter_mut().find(|waiting| waiting.id == id) {
            waiting.is_answered = true;
        }
    }

    /// A request that is over, or asks anew, is not marked.
    fn unmark(&mut self, id: RequestId) {
        self.marked.remove(&id);
        self.answers_marked &= !self.marked.is_empty();
    }

    /// An answer that was given here did not arrive.
    pub fn mark_open(&mut self, id: RequestId) {
        if let Some(waiting) = self.queue.iter_mut().find(|waiting| waiting.id == id) {
            waiting.is_answered = false;
        }
    }

    /// A request that was left does not take the keyboard by itself any more.
    pub fn mark_left(&mut self, id: RequestId) {
        if let Some(waiting) = self.queue.iter_mut().find(|waiting| waiting.id == id) {
            waiting.may_take = false;
        }
    }

    /// What comes after the request that has the keyboard (before it for a negative `by`); the ends meet.
    pub fn neighbour(&self, by: isize) -> Option<RequestId> {
        let ids: Vec<RequestId> = self.open().map(|waiting| waiting.id).collect();
        let here = self.focused.or(self.open_form);
        let at = here.and_then(|here| ids.iter().position(|id| *id == here));
        let target = match at {
            Some(at) => (at as isize + by).rem_euclid(ids.len() as isize) as usize,
            None => 0,
        };
        ids.get(target).copied()
    }
}
