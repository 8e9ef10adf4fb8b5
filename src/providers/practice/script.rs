//! What is said next: a pure function of the conversation.

use serde_json::json;

use super::{draft::Draft, errand, history::History, scout, tour, wish::Wish};
use crate::providers::contract::ChatRequest;

/// Why an item that nobody can finish is put off.
const PUT_OFF: &str = "a script cannot do this by itself; `continue` goes on with the tour";

/// The tools on offer.
#[derive(Clone, Copy)]
pub(super) struct Offer<'a>(&'a ChatRequest);

impl Offer<'_> {
    /// Whether a tool may be called.
    pub(super) fn has(self, tool: &str) -> bool {
        self.0.tools.iter().any(|spec| spec.name == tool)
    }
}

/// The next reply.
pub(super) fn reply(request: &ChatRequest) -> Draft {
    let history = History::new(&request.messages);
    let offer = Offer(request);
    if history.is_nudged() {
        return put_off(&history, offer);
    }
    if history.is_reminded() {
        return Draft::says("I am a script and can reach no goal: `/goal cancel` gives it up.");
    }
    let Some((said, words)) = history.words().next_back() else {
        return Draft::says(errand::HELP);
    };
    if history.last_batch().iter().any(is_putting_off) {
        return Draft::says("What I cannot do is put off; the list says why.");
    }
    match Wish::parse(words) {
        Wish::Tour => tour::next(&history, said, offer),
        Wish::Continue => match last_tour(&history) {
            Some(start) => tour::next(&history, start, offer),
            None => Draft::says("There is no tour to go on with. Say **tour** to start one."),
        },
        Wish::Scout => scout::count(&history, said, offer),
        Wish::Reader(path) => scout::read(&history, said, path.as_deref(), offer),
        wish => errand::next(&wish, &history, said, offer),
    }
}

fn last_tour(history: &History<'_>) -> Option<usize> {
    let mut words = history.words().rev();
    words
        .find(|(_, words)| Wish::parse(words) == Wish::Tour)
        .map(|(index, _)| index)
}

/// The person or an earlier story left items open; a script says that it cannot do them.
fn put_off(history: &History<'_>, offer: Offer<'_>) -> Draft {
    let open = history.open_items();
    if open.is_empty() || !offer.has("checklist_edit") {
        return Draft::says("I am a script: I cannot do what is open on the checklist.");
    }
    let draft = Draft::says(
        "Items are open that a script cannot do. I put them off and say so on the list.",
    );
    open.into_iter().fold(draft, |draft, id| {
        let arguments = json!({"id": id, "status": "deferred", "reason": PUT_OFF});
        draft.call("checklist_edit", arguments)
    })
}

fn is_putting_off(exchange: &super::history::Exchange<'_>) -> bool {
    exchange.argument("reason") == Some(PUT_OFF)
}

#[cfg(test)]
#[path = "script_tests.rs"]
mod tests;
