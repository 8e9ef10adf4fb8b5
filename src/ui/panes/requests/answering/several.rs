//! One answer for several requests: those that the person marked, and those that ask for the very same call.
//!
//! The one invariant: a request is marked only while its box stands on the screen, and one that asks anew is marked no
//! more.

use crossterm::event::KeyEvent;

use crate::{
    domain::{approval::ApprovalDecision, ids::RequestId, notice::Notice},
    ui::{
        Effect, Model,
        panes::requests::{
            State, Waiting,
            approval::Approval,
            approval_keys::say_unseen,
            keyboard::{cycle, give_to_composer},
            state::Request,
        },
    },
};

/// What waits, oldest first; approvals of the very same call stand together.
pub fn groups(requests: &State) -> Vec<Vec<&Waiting>> {
    let mut groups: Vec<Vec<&Waiting>> = Vec::new();
    for waiting in requests.open() {
        let same = groups.iter_mut().find(|group| {
            let first = group.first().and_then(|first| first.as_approval());
            first.is_some_and(|first| is_same(waiting, first))
        });
        match same {
            Some(group) => group.push(waiting),
            None => groups.push(vec![waiting]),
        }
    }
    groups
}

/// How many requests ask for the very same call as this one, itself counted.
pub fn alike(requests: &State, approval: &Approval) -> usize {
    let same = requests.open().filter(|waiting| is_same(waiting, approval));
    same.count()
}

fn is_same(waiting: &Waiting, approval: &Approval) -> bool {
    waiting.as_approval().is_some_and(|other| {
        let (one, two) = (&other.request, &approval.request);
        let folder = |how: &Approval| {
            let circumstances = how.request.circumstances.as_ref();
            circumstances.map(|how| how.folder.clone())
        };
        one.tool == two.tool
            && one.arguments == two.arguments
            && one.hash == two.hash
            && folder(other) == folder(approval)
    })
}

/// Marks the request that has the keyboard, or takes the mark away, and goes on to the next one.
pub fn mark(model: &mut Model, key: KeyEvent) -> Vec<Effect> {
    let requests = &mut model.requests;
    if !requests.is_chosen && !requests.gate.admits(key, model.clock.elapsed_ms) {
        return give_to_composer(model, key);
    }
    let Some(id) = requests.focused.filter(|_| requests.gate.is_seen()) else {
        return Vec::new();
    };
    requests.is_chosen = true;
    if !requests.marked.remove(&id) {
        if !requests.gate.is_whole() {
            return say_unseen(model);
        }
        requests.marked.insert(id);
    }
    requests.answers_marked = false;
    cycle(model, 1)
}

/// From now on the next answer is for all marked requests; once more takes that back.
pub fn take_marked(model: &mut Model, key: KeyEvent) -> Vec<Effect> {
    let requests = &mut model.requests;
    if !requests.gate.admits(key, model.clock.elapsed_ms) {
        return give_to_composer(model, key);
    }
    requests.is_chosen = true;
    if requests.marked.is_empty() {
        model.notify(Notice::info("no request is marked"));
    } else {
        requests.answers_marked = !requests.answers_marked;
    }
    Vec::new()
}

/// What each request is answered that an answer to the shown one is for, the shown one first.
pub fn answers(
    requests: &State,
    decision: &ApprovalDecision,
) -> Vec<(RequestId, String, ApprovalDecision)> {
    let Some(shown) = requests.focused_approval() else {
        return Vec::new();
    };
    // What was written for one call is for that call.
    let is_own = matches!(decision, ApprovalDecision::Edited { .. });
    let is_meant = |waiting: &&Waiting| {
        if requests.answers_marked {
            let marked = requests
                .open()
                .filter(|other| requests.marked.contains(&other.id));
            let mut marked = marked.filter_map(Waiting::as_approval);
            return marked.any(|marked| is_same(waiting, marked));
        }
        waiting.id == shown.request.id || (!is_own && is_same(waiting, shown))
    };
    let mut answers: Vec<_> = requests
        .open()
        .filter(is_meant)
        .filter_map(|waiting| {
            let approval = waiting.as_approval()?;
            let decision = for_one(approval, shown, decision)?;
            Some((waiting.id, approval.request.hash.clone(), decision))
        })
        .collect();
    answers.sort_by_key(|(id, ..)| (*id != shown.request.id, *id));
    answers
}

/// What the decision about the shown call is for another one; `None` when it does not offer that.
fn for_one(
    approval: &Approval,
    shown: &Approval,
    decision: &ApprovalDecision,
) -> Option<ApprovalDecision> {
    let has_rule = approval.request.offers.session_rule.is_some();
    match decision {
        ApprovalDecision::Once | ApprovalDecision::Edited { .. } => Some(match &approval.edited {
            Some(arguments) => ApprovalDecision::Edited {
                arguments: arguments.clone(),
            },
            None => ApprovalDecision::Once,
        }),
        ApprovalDecision::Session if !has_rule || approval.edited.is_some() => None,
        ApprovalDecision::Never if !has_rule => None,
        // A rule is known to cover the shown call.
        ApprovalDecision::Rule { .. } if approval.request.hash != shown.request.hash => None,
        other => Some(other.clone()),
    }
}

impl Waiting {
    /// The approval, if it is one.
    pub fn as_approval(&self) -> Option<&Approval> {
        match &self.request {
            Request::Approval(approval) => Some(approval),
            Request::Form(_) => None,
        }
    }
}
