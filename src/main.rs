//! qd.
fn main() {}
