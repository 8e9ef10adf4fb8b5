//! Whether an error means that the request does not fit into the context window.
//!
//! Every server says it in its own words. What says "your output limit is too large" must not match: making the
//! conversation shorter would not mend it.

/// Codes and types that mean it.
const CODES: &[&str] = &[
    "context_length_exceeded",
    "context_window_exceeded",
    "exceed_context_size_error",
    "model_max_prompt_tokens_exceeded",
    "prompt_too_long",
    "request_too_large",
    "input_too_long",
];

/// Words that mean it, in lower case.
const WORDS: &[&str] = &[
    "maximum context length",
    "context length exceeded",
    "context window exceeded",
    "exceeds the context window",
    "exceeds the context length",
    "exceeds the available context",
    "exceeds the model's context",
    "exceeds the maximum context",
    "exceed context limit",
    "exceeds context limit",
    "exceeds the context limit",
    "context window is full",
    "context size has been exceeded",
    "exceeded the context",
    "exceeds context",
    "greater than the context length",
    "larger than the context",
    "longer than the context",
    "context length of only",
    "context the overflows",
    "prompt is too long",
    "prompt too long",
    "prompt exceeds max length",
    "input is too long",
    "input too long",
    "input length exceeds",
    "inputs tokens exceed",
    "maximum prompt length",
    "maximum number of tokens allowed",
    "maximum input length",
    "exceeded model token limit",
    "exceed model limit",
    "exceeds the model's maximum",
    "range of input length should be",
    "more than max tokens allowed",
    "reduce the length of the messages",
    "reduce the length of the prompt",
    "reduce the length of your prompt",
    "request too large",
    "request entity too large",
    "payload too large",
    "`inputs` tokens + `max_new_tokens`",
];

/// Names of the output limit.
const OUTPUT_LIMITS: &[&str] = &[
    "max_tokens",
    "max_completion_tokens",
    "max_output_tokens",
    "max_new_tokens",
    "maxoutputtokens",
];

/// What is said of an output limit that is itself too large.
const TOO_LARGE: &[&str] = &[
    "too large",
    "too high",
    "too big",
    "must be less",
    "must be lower",
    "less than or equal",
    "must be at most",
    "at most",
    "exceeds the maximum",
    "exceeds the model's maximum output",
    "supports at most",
];

/// Whether a status with these codes and words means "window full".
pub(super) fn is_window_full(status: u16, codes: &[String], words: &str) -> bool {
    if codes.iter().any(|code| CODES.contains(&code.as_str())) {
        return true;
    }
    let words = words.to_lowercase();
    if is_output_limit(&words) {
        return false;
    }
    status == 413 || WORDS.iter().any(|mark| words.contains(mark))
}

/// Whether it is the output limit that is refused. Words that count input against the window as well
/// (`input length and max_tokens exceed context limit`) do not say "too large".
fn is_output_limit(words: &str) -> bool {
    OUTPUT_LIMITS.iter().any(|name| words.contains(name))
        && TOO_LARGE.iter().any(|mark| words.contains(mark))
        && !words.contains("reduce the length")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_spellings_mean_a_full_window() {
        for words in [
            "This model's maximum context length is 8192 tokens. However, you requested 9000 tokens (5000 in the \
             messages, 4000 in the completion). Please reduce the length of the messages or completion.",
            "prompt is too long: 210 tokens > 200 maximum",
            "request (900 tokens) exceeds the available context size (800 tokens), try increasing it",
            "input length and `max_tokens` exceed context limit: 188240 + 21333 > 200000, decrease input length or \
             `max_tokens` and try again",
            "The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).",
            "This model's maximum prompt length is 131072 but the request contains 537812 tokens.",
            "Invalid request: Your request exceeded model token limit: 131072 (requested: 140000)",
            "<400> InternalError.Algo.InvalidParameter: Range of input length should be [1, 129024]",
            "Trying to keep the first 5000 tokens when context the overflows. However, the model is loaded with \
             context length of only 4096 tokens, which is not enough.",
            "Prompt contains 65673 tokens and 0 draft tokens, too large for model with 32768 maximum context length",
            "Input is too long for requested model.",
            "`inputs` tokens + `max_new_tokens` must be <= 4096. Given: 4000 `inputs` tokens and 200 `max_new_tokens`",
            "Request too large for gpt-4o in organization x on tokens per min (TPM): Limit 30000, Requested 45000.",
            "Your input exceeds the context window of this model. Please adjust your input and try again.",
        ] {
            assert!(is_window_full(400, &[], words), "{words}");
        }
        let code = |code: &str| vec!["400".to_owned(), code.to_owned()];
        assert!(is_window_full(400, &code("context_length_exceeded"), "no"));
        assert!(is_window_full(400, &code("exceed_context_size_error"), ""));
        assert!(is_window_full(413, &[], ""));
    }

    #[test]
    fn other_limits_do_not() {
        for words in [
            "max_tokens too large",
            "max_tokens is too large: 50000. This model supports at most 16384 completion tokens, whereas you \
             provided 50000.",
            "max_tokens: 100000 > 64000, which is the maximum allowed number of output tokens: must be at most 64000",
            "'max_completion_tokens' is too large: 30000. This model's maximum context length is 32768 tokens",
            "Rate limit reached for requests",
            "Invalid value: 'tool'. Supported values are: 'system', 'assistant', 'user'",
            "Expected 'messages' to be an array",
            "",
        ] {
            assert!(!is_window_full(400, &["400".to_owned()], words), "{words}");
        }
    }
}
