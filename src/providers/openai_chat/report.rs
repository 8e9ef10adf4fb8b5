//! What a server reports at the end of a reply, in our terms: why it ended and what it used.

use serde_json::Value;

use crate::{
    domain::{model_info::Price, usage::Usage},
    providers::contract::FinishReason,
};

/// What a reason means; `None` for one that says the reply went wrong.
pub(super) fn finish_reason(reason: &str) -> Option<FinishReason> {
    match reason.to_ascii_lowercase().as_str() {
        "length" | "max_tokens" | "max_output_tokens" | "model_length" => {
            Some(FinishReason::OutputLimit)
        }
        "tool_calls" | "tool_call" | "tool_use" | "function_call" => Some(FinishReason::ToolCalls),
        "content_filter" | "refusal" | "safety" | "sensitive" | "recitation" | "blocklist"
        | "prohibited_content" | "spii" => Some(FinishReason::Refused),
        "error"
        | "abort"
        | "cancelled"
        | "network_error"
        | "insufficient_system_resource"
        | "malformed_function_call" => None,
        // `stop` and every other word for a reply that ended by itself.
        _ => Some(FinishReason::Stop),
    }
}

/// The most tokens of one step that are believed: a hundred times the largest window there is. More is a fault of the
/// server, and no number at all is better than a wrong one.
const MOST_TOKENS: u64 = 100_000_000;

/// The most US dollars for one step that are believed.
const MOST_COST: f64 = 10_000.0;

/// A usage report in our terms; `None` when it says nothing or nothing that can be.
pub(super) fn usage(report: &Value, price: Option<&Price>) -> Option<Usage> {
    let count = |path: &str| report.pointer(path).and_then(Value::as_u64).unwrap_or(0);
    let (input, mut output) = (count("/prompt_tokens"), count("/completion_tokens"));
    let reasoning = count("/completion_tokens_details/reasoning_tokens");
    if [input, output, reasoning]
        .iter()
        .any(|tokens| *tokens > MOST_TOKENS)
    {
        return None;
    }
    if count("/total_tokens") == input + output + reasoning {
        // This server counts reasoning apart.
        output += reasoning;
    }
    if input == 0 && output == 0 {
        return None;
    }
    let cached = count("/prompt_tokens_details/cached_tokens")
        .max(count("/prompt_cache_hit_tokens"))
        .min(input);
    let usage = Usage {
        input,
        cached,
        output,
        cost: None,
    }
    .priced(price);
    let billed = report.get("cost").and_then(Value::as_f64);
    Some(Usage {
        cost: billed
            .filter(|cost| (0.0..=MOST_COST).contains(cost))
            .or(usage.cost),
        ..usage
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn usage_is_read_wherever_it_stands_and_reasoning_is_part_of_the_output() {
        let read = |report: Value, price: Option<&Price>| usage(&report, price);
        let tokens = |input, cached, output, cost| {
            Some(Usage {
                input,
                cached,
                output,
                cost,
            })
        };
        let price = Price {
            input: 2.0,
            cached: Some(0.5),
            output: 8.0,
        };

        let report = json!({"prompt_tokens": 100, "completion_tokens": 20, "total_tokens": 120,
            "prompt_tokens_details": {"cached_tokens": 40}});
        assert_eq!(read(report.clone(), None), tokens(100, 40, 20, None));
        let cost = (60.0 * 2.0 + 40.0 * 0.5 + 20.0 * 8.0) / 1_000_000.0;
        assert_eq!(read(report, Some(&price)), tokens(100, 40, 20, Some(cost)));
        assert_eq!(
            read(
                json!({"prompt_tokens": 100, "completion_tokens": 20, "total_tokens": 150,
                    "completion_tokens_details": {"reasoning_tokens": 30}, "cost": 0.25,
                    "prompt_cache_hit_tokens": 7}),
                Some(&price)
            ),
            tokens(100, 7, 50, Some(0.25))
        );
        for nothing in [
            json!(null),
            json!({}),
            json!("x"),
            json!({"prompt_tokens": null}),
            json!({"prompt_tokens": 0, "completion_tokens": 0}),
            json!({"prompt_tokens": u64::MAX, "completion_tokens": 5}),
            json!({"prompt_tokens": 5, "completion_tokens": u64::MAX}),
            json!({"prompt_tokens": 5, "completion_tokens": 5, "total_tokens": 9,
                "completion_tokens_details": {"reasoning_tokens": u64::MAX}}),
        ] {
            assert_eq!(read(nothing, None), None);
        }
    }
}
