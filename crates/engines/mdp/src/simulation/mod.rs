//! Strong simulation of one system by another (Section 4.4 of the thesis), and why it fails (Section 4.5).
//!
//! # Algorithm
//! The greatest fixpoint is computed locally. A pair of states is looked at only if the initial pair is or a flow uses it; a flow between two
//! distributions may use every pair that has not fallen, and prefers those that were looked at. For each choice of the left state
//! of a pair one matching choice of the right state is remembered. When a pair falls, the matches that may need it are looked at again: first whether
//! they still match, then the choices after them; those before have failed for good.
//!
//! - `screen`: labels and propositions rule most pairs out without a flow.
//! - `table`: a mark for every pair, in an array (4 bytes a pair) or a map.
//! - `reverse`: who can lead to a pair; made when the first one falls.
//! - `local`: the fixpoint. Flows of 64 edges or more are kept and repaired when an edge is lost; smaller ones are
//!   found anew, which takes less than a microsecond and no memory.
//! - `counterexample`, `sketch`: trees. Only the order in which pairs fell is kept; why they fell is worked out when it is asked for.
//! - `relation`: evidence.
//!
//! # Measured
//! `cargo run --release -p suppose-mdp --example large`, CPU time: a product of 255,879 states, 1.97 million choices and 4.3 million
//! branches against a specification of 16 states and 412 choices: 1.0 s (building the product takes 2.1 s); 826,686 states, 6.9 million
//! choices and 15.4 million branches against 16 states: 2.8 s (10.6 s). With choices of up to 256 branches (30,618 states, 2.4 million
//! branches): 0.27 s. That a changed specification does not simulate it is told in the same time or less, with a
//! tree of 11 or 14 nodes.
//!
//! Going over to a quotient by bisimulation first does not pay: see [`crate::bisimulation`].

mod counterexample;
mod local;
mod relation;
mod reverse;
mod screen;
mod sketch;
mod table;

use suppose_control::{Context, Stopped};
use suppose_model::lts::Label;
use suppose_model::mdp::{Lpts, Tree};

pub use relation::relation;

pub(crate) use local::range_on;
use local::{Local, LocalLimits};
pub(crate) use screen::{Screen, Seen};

/// Is the left system simulated?
#[derive(Clone, Debug)]
#[allow(clippy::large_enum_variant, reason = "there is one at a time")]
pub enum Simulation {
    /// Yes, by these pairs.
    Holds(Pairs),
    /// No: a behaviour of the left that the right does not simulate.
    Fails(Tree),
}

/// A strong simulation that relates the initial states: pairs of a left and a right state, sorted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Pairs {
    /// The pairs.
    pub pairs: Vec<(u32, u32)>,
}

impl Pairs {
    /// Is that pair among them?
    pub fn contains(&self, left: u32, right: u32) -> bool {
        self.pairs.binary_search(&(left, right)).is_ok()
    }
}

/// Does `right` strongly simulate `left`, whose labels are seen as `seen` says (those beyond its end as they are)?
///
/// Propositions that the right side knows must agree in related states; one that the left side does not know is false
/// in it. The tree has the labels of the left side, not what is seen of them, and its propositions.
pub fn simulate(
    left: &Lpts,
    right: &Lpts,
    seen: &[Label],
    cx: &Context,
) -> Result<Simulation, Stopped> {
    simulate_within(left, right, seen, LocalLimits::default(), cx)
}

/// As [`simulate`], within those limits.
fn simulate_within(
    left: &Lpts,
    right: &Lpts,
    seen: &[Label],
    limits: LocalLimits,
    cx: &Context,
) -> Result<Simulation, Stopped> {
    let mut local = Local::new(left, right, Seen(seen), limits, cx)?;
    if local.run()? {
        let pairs = local.into_pairs();
        return Ok(Simulation::Holds(Pairs { pairs }));
    }
    let tree = counterexample::extract(&local, cx)?;
    Ok(Simulation::Fails(tree))
}

#[cfg(test)]
mod tests;
