//! The session store on real files: what is stored stays, in order, whatever happens to the program.

mod log;
mod world;
