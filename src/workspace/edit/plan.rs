//! All edits of a call, resolved against the original text.
