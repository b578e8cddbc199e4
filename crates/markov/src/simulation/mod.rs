//! Strong simulation of one system by another.

mod counterexample;
mod local;
mod relation;
mod reverse;
mod screen;
mod table;

use suppose_model::lts::Label;
use suppose_model::markov::{Lpts, Tree};
use suppose_refine::{Context, Stopped};

pub use relation::relation;

pub(crate) use local::range_on;
use local::{DENSE, Local};
pub(crate) use screen::{Screen, Seen};

/// Is the left system simulated?
#[derive(Clone, Debug)]
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
    simulate_within(left, right, seen, DENSE, cx)
}

/// As [`simulate`], with an array of marks for up to so many pairs.
fn simulate_within(
    left: &Lpts,
    right: &Lpts,
    seen: &[Label],
    dense: usize,
    cx: &Context,
) -> Result<Simulation, Stopped> {
    let mut local = Local::new(left, right, Seen(seen), dense, cx)?;
    if local.run()? {
        let pairs = local.into_pairs();
        return Ok(Simulation::Holds(Pairs { pairs }));
    }
    let tree = counterexample::extract(&local, cx)?;
    Ok(Simulation::Fails(tree))
}

#[cfg(test)]
mod tests;
