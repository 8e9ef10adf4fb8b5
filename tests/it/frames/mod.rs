//! What a person sees, as golden frames.

mod conversation;
mod displays;
mod ladder;
mod overlays;
mod pictures;
mod robust;
mod shell;
