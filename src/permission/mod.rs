//! May it? Pure judgement of prepared calls.
