//! Whole turns with scripted replies: a real engine, a real store, real tools.

mod agents;
mod answers;
mod approvals;
mod declared;
mod goals;
mod hooks;
mod instructions;
mod job;
mod jobs;
mod kill;
mod lanes;
mod lent;
mod media;
mod notebooks;
mod outputs;
mod own_files;
mod own_places;
mod person;
mod questions;
mod resume;
mod rules;
mod terminals;
mod trust;
mod turns;
mod unstored;
mod web;
