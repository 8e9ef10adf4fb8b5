//! Strings as a terminal sees them: widths, wrapping, cutting, cleaning.
