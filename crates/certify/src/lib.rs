//! Independent checkers of every certificate and counterexample.

mod certificate;
pub mod file;
mod index;
mod left;
mod premise;
mod rejection;
mod replay;
mod system;
mod watch;

pub use certificate::{Summary, certificate, working_memory};
pub use rejection::{Flaw, Place, Rejection};
pub use replay::counterexample;
