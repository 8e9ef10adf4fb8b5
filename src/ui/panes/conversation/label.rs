//! Where a script says that no language model answers: above its first words in each turn.

use super::{
    entry::{Body, Entry},
    transcript::Transcript,
};

impl Transcript {
    /// Whether the next words are the first ones of a script in their turn.
    pub(super) fn label_is_due(&self) -> bool {
        self.is_script && !self.is_labelled()
    }

    /// Whether the last turn says that a script answers.
    pub(super) fn is_labelled(&self) -> bool {
        self.iter()
            .rev()
            .map(|(_, entry)| &entry.body)
            .take_while(|body| !matches!(body, Body::Recap { .. }))
            .any(is_labelled)
    }

    /// What comes in front of the first turn has said so already.
    pub(super) fn drop_first_label(&mut self) {
        let first = self
            .iter()
            .take_while(|(_, entry)| !matches!(entry.body, Body::Recap { .. }))
            .find(|(_, entry)| is_labelled(&entry.body))
            .map(|(key, _)| key);
        if let Some(Entry {
            body: Body::Reply { is_labelled, .. },
            ..
        }) = first.and_then(|key| self.change(key))
        {
            *is_labelled = false;
        }
    }
}

fn is_labelled(body: &Body) -> bool {
    matches!(
        body,
        Body::Reply {
            is_labelled: true,
            ..
        }
    )
}
