//! What the file has instead, when nothing matches.
