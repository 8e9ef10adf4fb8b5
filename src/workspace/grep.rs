//! Lines that match, file by file.
