//! Rows of the transcript, one file per kind of entry.
