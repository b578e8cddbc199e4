//! Labelled transition systems and networks of them.
//!
//! The vocabulary is that of LTSA (Magee and Kramer) and of the paper on assume-guarantee
//! abstraction refinement: a system is a [`Network`] of components, each an [`Lts`]; labels that
//! components share happen together, all others interleave; `tau` is never shared.

mod compose;
mod determinise;
mod graph;
mod inclusion;
mod interner;
mod label;
mod minimise;
mod network;
mod ops;
mod packed;
mod size;
mod stutter;
mod temporal;

pub use compose::{Composition, Counts, Rules, complete, compose, compose_by, count, rearm};
pub use determinise::{Determinised, determinise};
pub use graph::{Edge, Lts, LtsBuilder, State};
pub use inclusion::{Inclusion, includes, includes_over};
pub(crate) use interner::Interner;
pub use label::{Label, Labels};
pub use minimise::{Equivalence, Quotient, ignoring_divergence, keeping_divergence, minimise};
pub use network::{Component, ComponentKind, ERROR_PROPERTY, Network, Priority, Property};
pub use ops::{hide, keep, reachable, reachable_states, relabel};
pub use packed::{Layout, PackedStates};
pub use size::{SizeLimits, TooLarge};
pub use temporal::{EVERY_ACTION, Fairness, Liveness, LivenessKind, Proposition, Temporal};
