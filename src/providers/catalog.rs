//! What is known of well-known language models: window, output limit, price.
//!
//! Only what is certain stands here; everything else is `None` and shown as unknown. A window goes by the model's
//! name; a price only by name and host, since others sell the same model for other prices.

use super::media;
use crate::domain::{
    media::{MediaKind, MediaSupport},
    model_info::{ModelInfo, Price},
};

/// What is known of a language model.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Known {
    /// Context window in tokens.
    pub context_window: Option<u64>,
    /// Most output tokens per step.
    pub max_output_tokens: Option<u64>,
    /// Price at its own maker.
    pub price: Option<Price>,
    /// Whether it sees images.
    pub vision: Option<bool>,
    /// Whether it reads PDF documents at its own maker.
    pub pdf: Option<bool>,
}

struct Row {
    /// The name without a date at its end.
    name: &'static str,
    window: u64,
    output: u64,
    /// Input, cached input, output: US dollars per million tokens at `maker`.
    price: Option<(f64, f64, f64)>,
    maker: &'static str,
}

impl Row {
    /// All that stand here see images, but for this one.
    fn vision(&self) -> bool {
        self.name != "o3-mini"
    }
}

const OPENAI: &str = "api.openai.com";
const ANTHROPIC: &str = "api.anthropic.com";

const fn row(
    name: &'static str,
    window: u64,
    output: u64,
    price: (f64, f64, f64),
    maker: &'static str,
) -> Row {
    Row {
        name,
        window,
        output,
        price: Some(price),
        maker,
    }
}

const ROWS: &[Row] = &[
    row("gpt-4o", 128_000, 16_384, (2.5, 1.25, 10.0), OPENAI),
    row("gpt-4o-mini", 128_000, 16_384, (0.15, 0.075, 0.6), OPENAI),
    row("gpt-4.1", 1_047_576, 32_768, (2.0, 0.5, 8.0), OPENAI),
    row("gpt-4.1-mini", 1_047_576, 32_768, (0.4, 0.1, 1.6), OPENAI),
    row("gpt-4.1-nano", 1_047_576, 32_768, (0.1, 0.025, 0.4), OPENAI),
    row("gpt-5", 400_000, 128_000, (1.25, 0.125, 10.0), OPENAI),
    row("gpt-5-mini", 400_000, 128_000, (0.25, 0.025, 2.0), OPENAI),
    row("gpt-5-nano", 400_000, 128_000, (0.05, 0.005, 0.4), OPENAI),
    row("o3", 200_000, 100_000, (2.0, 0.5, 8.0), OPENAI),
    row("o3-mini", 200_000, 100_000, (1.1, 0.55, 4.4), OPENAI),
    row("o4-mini", 200_000, 100_000, (1.1, 0.275, 4.4), OPENAI),
    row(
        "claude-sonnet-4",
        200_000,
        64_000,
        (3.0, 0.3, 15.0),
        ANTHROPIC,
    ),
    row(
        "claude-opus-4",
        200_000,
        32_000,
        (15.0, 1.5, 75.0),
        ANTHROPIC,
    ),
    row(
        "claude-opus-4-1",
        200_000,
        32_000,
        (15.0, 1.5, 75.0),
        ANTHROPIC,
    ),
    row(
        "claude-haiku-4-5",
        200_000,
        64_000,
        (1.0, 0.1, 5.0),
        ANTHROPIC,
    ),
    row(
        "claude-sonnet-4-5",
        200_000,
        64_000,
        (3.0, 0.3, 15.0),
        ANTHROPIC,
    ),
];

/// Fills in what the profile leaves open. The output limit stays open: servers have good ones of their own.
pub fn complete(model: ModelInfo, base_url: &str) -> ModelInfo {
    let known = known(base_url, &model.model_id);
    let mut takes = model.media.takes;
    for (kind, known) in [
        (MediaKind::Image, known.vision),
        (MediaKind::Pdf, known.pdf),
    ] {
        if let Some(known) = known {
            takes.entry(kind).or_insert(known);
        }
    }
    ModelInfo {
        context_window: model.context_window.or(known.context_window),
        price: model.price.or(known.price),
        media: MediaSupport {
            carried: media::carried(&model.backend, base_url, &model.model_id),
            takes,
        },
        ..model
    }
}

/// What is known of this model at this address.
pub fn known(base_url: &str, model_id: &str) -> Known {
    let host = base_url
        .split_once("://")
        .map_or(base_url, |(_, rest)| rest)
        .split(['/', ':'])
        .next()
        .unwrap_or_default();
    // A relay puts the maker's name in front.
    let name = model_id.rsplit('/').next().unwrap_or(model_id);
    let name = without_date(name).replace('.', "-");
    let Some(row) = ROWS.iter().find(|row| row.name.replace('.', "-") == name) else {
        return Known::default();
    };
    let is_maker = |maker| row.maker == maker && host.eq_ignore_ascii_case(maker);
    let price = row.price.filter(|_| is_maker(row.maker));
    Known {
        context_window: Some(row.window),
        max_output_tokens: Some(row.output),
        vision: Some(row.vision()),
        pdf: is_maker(OPENAI).then(|| row.vision()),
        price: price.map(|(input, cached, output)| Price {
            input,
            cached: Some(cached),
            output,
        }),
    }
}

/// `gpt-4o-2024-08-06` and `claude-sonnet-4-20250514` without their dates.
fn without_date(name: &str) -> &str {
    let is_date = |text: &str| {
        let digits = text.bytes().filter(u8::is_ascii_digit).count();
        text.starts_with("-20")
            && digits == 8
            && text
                .bytes()
                .all(|byte| byte.is_ascii_digit() || byte == b'-')
    };
    [11, 9]
        .iter()
        .filter_map(|length| name.len().checked_sub(*length))
        .find_map(|at| {
            let (head, tail) = name.split_at_checked(at)?;
            is_date(tail).then_some(head)
        })
        .unwrap_or(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn windows_go_by_name_and_prices_by_name_and_host() {
        let openai = known("https://api.openai.com/v1", "gpt-4o-2024-08-06");
        assert_eq!(
            openai,
            Known {
                context_window: Some(128_000),
                max_output_tokens: Some(16_384),
                price: Some(Price {
                    input: 2.5,
                    cached: Some(1.25),
                    output: 10.0
                }),
                vision: Some(true),
                pdf: Some(true),
            }
        );

        let relay = known("https://openrouter.ai/api/v1", "openai/gpt-4o");
        assert_eq!((relay.context_window, relay.price), (Some(128_000), None));
        let relay = known(
            "https://openrouter.ai/api/v1",
            "anthropic/claude-sonnet-4.5",
        );
        assert_eq!(relay.context_window, Some(200_000));
        let dated = known("https://api.anthropic.com/v1", "claude-sonnet-4-20250514");
        assert_eq!(dated.max_output_tokens, Some(64_000));
        assert_eq!((relay.vision, relay.pdf), (Some(true), None));
    }

    #[test]
    fn what_is_not_known_stays_unknown() {
        for model in [
            "qwen3:4b",
            "gpt-4",
            "gpt-4o-audio-preview",
            "gpt-9",
            "",
            "各",
            "-2024-08-06",
        ] {
            assert_eq!(
                known("http://127.0.0.1:11434/v1", model),
                Known::default(),
                "{model}"
            );
        }
    }
}
