//! What a person sees, as golden frames.

mod approvals;
mod called;
mod composer;
mod conversation;
mod displays;
mod goal;
mod hooks;
mod hunks;
mod in_sight;
mod inbox;
mod ladder;
mod levels;
mod overlays;
mod pasting;
mod pictures;
mod requests;
mod robust;
mod rules;
mod sandbox;
mod shell;
mod sidebar;
mod stages;
mod still;
mod viewer;
mod web;
mod withdrawn;
