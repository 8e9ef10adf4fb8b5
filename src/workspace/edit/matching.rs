//! The three passes by which a piece of text is found.
