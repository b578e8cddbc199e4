//! Labelled transition systems and networks of them.
//!
//! The vocabulary is that of LTSA (Magee and Kramer) and of the paper on assume-guarantee
//! abstraction refinement: a system is a [`Network`] of components, each an [`Lts`]; labels that
//! components share happen together, all others interleave; `tau` is never shared.

mod graph;
mod label;
mod network;
mod packed;

pub use graph::{Edge, Lts, LtsBuilder, State};
pub use label::{Label, Labels};
pub use network::{Component, ComponentKind, ERROR_PROPERTY, Network, Priority, Property};
pub use packed::{Layout, PackedStates};
