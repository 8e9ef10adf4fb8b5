//! The session store on real files: what is stored stays, in order, whatever happens to the program.

mod collecting;
mod damage;
mod log;
mod opening;
mod outputs;
mod rows;
mod sessions;
pub(crate) mod world;
