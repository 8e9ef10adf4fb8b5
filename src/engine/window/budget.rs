//! How much of the window is used: the provider's last report plus an estimate of what came since.

use crate::{
    domain::{
        chat::{ChatMessage, ContentBlock},
        media::{Attachment, MediaKind},
        model_info::ModelInfo,
        usage::Usage,
        window::{ContextGauge, WindowShares},
    },
    text::tokens,
};

/// What the messages take up.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Budget {
    conversation: u64,
    outputs: u64,
    reported: Option<u64>,
    since_report: u64,
}

impl Budget {
    /// Words in the user's role were added.
    pub fn said(&mut self, text: &str) {
        let tokens = tokens::estimate(text) as u64;
        self.conversation += tokens;
        self.since_report += tokens;
    }

    /// A reply was added.
    pub fn replied(&mut self, message: &ChatMessage) {
        let tokens: u64 = message.blocks.iter().map(block_tokens).sum();
        self.conversation += tokens;
        self.since_report += tokens;
    }

    /// A tool's answer was added, with the files that go with it.
    pub fn answered(&mut self, text: &str, files: &[Attachment]) {
        let files: u64 = files.iter().map(file_tokens).sum();
        let tokens = tokens::estimate(text) as u64 + files;
        self.outputs += tokens;
        self.since_report += tokens;
    }

    /// The provider reported what a step used, that step's reply included.
    pub fn reported(&mut self, usage: &Usage) {
        if usage.input > 0 {
            self.reported = Some(usage.input.saturating_add(usage.output));
            self.since_report = 0;
        }
    }

    /// What all of it takes up, estimated.
    pub fn estimate(&self) -> u64 {
        self.conversation + self.outputs
    }

    /// The gauge. `system` and `tools` are estimates of what stands in front of the messages.
    pub fn gauge(
        &self,
        model: &ModelInfo,
        ceiling_percent: u8,
        system: u64,
        tools: u64,
    ) -> ContextGauge {
        let estimate = system + tools + self.estimate();
        ContextGauge {
            used: self.reported.map_or(estimate, |reported| {
                reported.saturating_add(self.since_report)
            }),
            window: model.context_window,
            ceiling_percent,
            reported: self.reported.is_some(),
            shares: WindowShares {
                system,
                tools,
                conversation: self.conversation,
                outputs: self.outputs,
            },
        }
    }
}

/// What a piece of a message takes up.
fn block_tokens(block: &ContentBlock) -> u64 {
    let tokens = match block {
        ContentBlock::Text { text } | ContentBlock::Reasoning { text } => tokens::estimate(text),
        ContentBlock::ToolCall(call) => {
            tokens::estimate(&call.name) + tokens::estimate(&call.arguments.to_string())
        }
        ContentBlock::ToolResult(result) => {
            let files: u64 = result.attachments.iter().map(file_tokens).sum();
            return tokens::estimate(&result.text) as u64 + files;
        }
    };
    tokens as u64
}

/// What a file takes up, until the provider says.
fn file_tokens(file: &Attachment) -> u64 {
    match file.kind {
        MediaKind::Image => 1_500,
        MediaKind::Pdf => 1_500 + file.bytes / 100,
        MediaKind::Audio | MediaKind::Video => 10_000,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn model() -> ModelInfo {
        ModelInfo {
            profile: "p".to_owned(),
            backend: "b".to_owned(),
            model_id: "m".to_owned(),
            context_window: Some(1000),
            max_output_tokens: None,
            price: None,
            is_script: false,
            thinking: crate::domain::model_info::Thinking::default(),
            media: Default::default(),
        }
    }

    #[test]
    fn a_report_without_measure_overflows_nothing() {
        let absurd = Usage {
            input: u64::MAX,
            cached: u64::MAX,
            output: 5,
            cost: None,
        };
        let mut budget = Budget::default();

        budget.reported(&absurd);
        budget.said("more words");
        let mut total = absurd;
        total.add(&absurd);

        let gauge = budget.gauge(&model(), 85, 10, 20);
        assert_eq!(gauge.used, u64::MAX);
        assert!(gauge.percent() > Some(u64::from(u32::MAX)));
        assert_eq!((total.input, total.output), (u64::MAX, 10));
    }

    #[test]
    fn a_report_replaces_the_estimate_and_later_text_is_added_to_it() {
        let mut budget = Budget::default();
        budget.said("some words of the person");
        let estimated = budget.gauge(&model(), 85, 10, 20);

        budget.reported(&Usage {
            input: 400,
            cached: 0,
            output: 50,
            cost: None,
        });
        let reported = budget.gauge(&model(), 85, 10, 20);
        budget.answered("a tool's answer", &[]);
        let later = budget.gauge(&model(), 85, 10, 20);

        assert!(!estimated.reported && estimated.used > 30);
        assert_eq!((reported.reported, reported.used), (true, 450));
        assert_eq!(later.used, 450 + tokens::estimate("a tool's answer") as u64);
        assert_eq!(later.percent(), Some(45));
    }
}
