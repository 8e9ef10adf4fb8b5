//! Fits new lines to the indentation of the file.
