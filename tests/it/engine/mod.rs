//! Whole turns with scripted replies.
