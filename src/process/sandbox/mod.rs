//! The sandbox: what the kernel lets a command do.
//!
//! Read `policy` first (what a command may touch, as data), then `wanted` (from what a session allows to a policy, with
//! `protect` for git, `readable` for confined reading and `tmp` for temporary files, `sockets` for what listens), `backend` (what can hold a command), `launcher` (the
//! process that puts it inside; `mounts`, `landlock`, `seccomp` are its layers and `sys` its system calls), `start`
//! (how it is started), `probe` (whether a backend really holds) and `state` (what was found out in this run).

pub mod backend;
mod landlock;
pub mod launcher;
mod mounts;
pub mod policy;
pub mod probe;
mod protect;
mod readable;
mod seccomp;
mod sockets;
pub(crate) mod start;
pub mod state;
#[expect(unsafe_code, reason = "system calls that no library offers safely")]
mod sys;
pub mod tmp;
pub mod wanted;
