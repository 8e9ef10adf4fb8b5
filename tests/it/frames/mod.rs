//! What a person sees, as golden frames.
mod ladder;
mod overlays;
mod pictures;
mod robust;
mod shell;
