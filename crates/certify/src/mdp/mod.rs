//! Evidence about probabilistic systems.
//!
//! # Why an accepted certificate is a proof
//!
//! `L ≼ R` says that `R` strongly simulates `L`: there is a relation between their states with the initial pair in
//! it, and for every pair `(s, t)` of it and every choice `s -a-> μ` there is a choice `t -a-> ν` and a *weight
//! function*: it sends the probability of every state of `μ` to states of `ν` that it is related to, such that each state
//! of `ν` receives its own. A relation with all choices and weight functions passes in one look at each pair.
//!
//! 1. `≼` is transitive: relations compose, and so do weight functions.
//! 2. If `L ≼ R` and the alphabet of `R` is within that of `L`, then `M ∥ L ≼ M ∥ R` for every `M`: an action that `M` does
//!    alone on the left it does alone on the right, as `R` knows no action that `L` does not know. One that both do on the left
//!    both do on the right, or, if `R` does not know it, never: `R` could not match it. The weight function of
//!    a joint step is the product of that of `L` and `R` and the identity on `M`.
//! 3. So, from the last premise to the first: the groups from `i + 1` on, together, are simulated by assumption `i`. The last
//!    premise says it of the last group. By 2 group `i` with all groups after it is simulated by group `i` with assumption
//!    `i`, and by premise `i` and 1 by assumption `i - 1`. Premise 0 says it of the specification and of actions as
//!    they are seen from outside, which changes names on the left side only, after all have been done together.
//!
//! A proposition that a right side knows is known by some part of the left side, and both agree in every
//! related pair. Only components that a proposition is about and assumptions know it, each assumption from the premise
//! after it, so what the specification says of the system's propositions is true of the component's own.
//!
//! # Counterexamples
//!
//! Mapping each node to its states makes the system simulate the tree: each choice of a node is one of
//! the system's, with the same probability for each vector of states. If the specification simulated the system,
//! it would simulate the tree by 1. Whether it does is computed from the leaves up, which is exact as the
//! tree has no cycle.

mod certificate;
mod counterexample;
mod deadlock;
pub mod file;
mod flow;
pub mod property;

use suppose_model::lts::State;
use suppose_model::mdp::{Lpts, Product, System, Weight};
use suppose_number::Int;

use crate::rejection::{Place, Rejection};

pub use certificate::{Summary, check_certificate, working_memory};
pub use counterexample::check_counterexample;
pub use deadlock::{check_deadlock, check_no_deadlock};

/// A choice with more branches is not looked at.
const MOST_BRANCHES: u64 = 1 << 28;

/// The propositions of a system belong to the components that they are about.
fn check_system(system: &System, specification: &Lpts) -> Result<(), Rejection> {
    let wrong = |why: String| Err(Rejection::at(Place::System, why));
    for (number, component) in system.components.iter().enumerate() {
        for (proposition, _) in component.lpts.propositions() {
            let owner = system.propositions.get(*proposition as usize);
            if owner.is_none_or(|p| p.component != number) {
                let name = component.lpts.name();
                return wrong(format!("`{name}` has a proposition that is not about it"));
            }
        }
    }
    let known = |p: u32| {
        let owner = system.propositions.get(p as usize)?;
        let component = system.components.get(owner.component)?;
        component.lpts.satisfies(component.lpts.initial(), p)
    };
    for (proposition, _) in specification.propositions() {
        if known(*proposition).is_none() {
            let why = format!("the specification has a proposition {proposition} of no component");
            return wrong(why);
        }
    }
    Ok(())
}

/// The branches of a choice, written out: states of all parts, and weights.
#[derive(Default)]
struct Branches {
    states: Vec<State>,
    weights: Vec<Int>,
    total: Int,
}

impl Branches {
    /// Those of a choice of a product, in its order. Fails if there are too many.
    fn read(
        &mut self,
        product: &Product<'_>,
        state: &[State],
        moves: &[Option<suppose_model::mdp::DistId>],
    ) -> Result<(), String> {
        self.states.clear();
        self.weights.clear();
        self.total = Int::ZERO;
        let sizes = product.parts().iter().zip(moves);
        let sizes = sizes.filter_map(|(part, dist)| Some(part.dist((*dist)?).len() as u64));
        if sizes.fold(1, u64::saturating_mul) > MOST_BRANCHES {
            return Err("a choice has too many branches".to_owned());
        }
        product.branches(state, moves, |next, weight| {
            self.states.extend_from_slice(next);
            self.weights.push(match weight {
                Weight::Small(w) => Int::from(w),
                Weight::Big(w) => w,
            });
        });
        for weight in &self.weights {
            self.total = &self.total + weight;
        }
        Ok(())
    }

    /// How many.
    fn len(&self) -> usize {
        self.weights.len()
    }

    /// The states of one, of this many parts.
    fn state(&self, at: usize, parts: usize) -> &[State] {
        &self.states[at * parts..(at + 1) * parts]
    }
}
