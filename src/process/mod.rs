//! Children: the only folder that starts them.
