//! The sandbox: what the kernel lets a command do.
//!
//! Read `policy` first (what a command may touch, as data), then `wanted` (from what a session allows to a policy, with
//! `protect` and `nested` for git, `readable` for confined reading, `tmp` for temporary files and `sockets` for what listens),
//! `backend` (what can hold a command), `inside` (the process that puts it there, told by an `order`, from which a `handover` comes; on macOS with
//! `seatbelt`), `start` (how that is started), `probe` (whether a backend really holds) and `state` (what was found out in this run).

pub mod backend;
pub(in crate::process) mod handover;
#[cfg(target_os = "linux")]
pub mod inside;
#[cfg(target_os = "macos")]
#[path = "macos.rs"]
pub mod inside;
#[cfg(not(any(target_os = "linux", target_os = "macos")))]
#[path = "elsewhere.rs"]
pub mod inside;
mod nested;
pub mod order;
pub mod policy;
pub mod probe;
mod protect;
mod readable;
#[cfg(any(target_os = "macos", test))]
mod seatbelt;
mod sockets;
pub(crate) mod start;
pub mod state;
pub mod tmp;
pub mod wanted;
