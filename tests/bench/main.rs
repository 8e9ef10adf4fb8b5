//! The whole program in a pseudo-terminal, measured from outside beside a floor program of the same run.
//!
//! `cargo bench --bench program` prints a table, `cargo bench --bench program -- work` only its second half, `-- sandbox` only what a sandbox costs. Times are medians unless said; CPU comes from the kernel's
//! accounting of the process, memory is the proportional set size. The load is a server on the loopback
//! interface that streams chat completions. Nothing here fails by a figure.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "a benchmark may fail loudly and prints its table"
)]

mod driver;
mod figures;
mod floor;
mod load;
mod past;
mod sandbox;
mod work;

fn main() {
    let mut arguments = std::env::args().skip(1);
    match arguments.next().as_deref() {
        Some(floor::ARGUMENT) => floor::run(),
        Some("--list") => {}
        Some("work") => figures::print_work(),
        Some("sandbox") => sandbox::print(),
        _ => figures::print(),
    }
}
