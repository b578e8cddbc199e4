//! The symbolic engine on finite-domain transition systems.

pub mod bdd;
