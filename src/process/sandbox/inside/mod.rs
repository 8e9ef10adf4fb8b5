//! The process that puts a command into its sandbox and what it takes: `launcher` is its course, `mounts` (or
//! `bubblewrap` in its place), `landlock` and `seccomp` are the layers, `sys` the system calls.

mod bubblewrap;
mod landlock;
mod launcher;
mod mounts;
mod seccomp;
#[expect(unsafe_code, reason = "system calls that no library offers safely")]
mod sys;

pub use launcher::main;
