//! Sets of states as evidence.

use rustc_hash::FxHashMap;
use suppose_model::fsm::{Decision, Decisions, VarId};

use crate::bdd::{Bdd, Var};

/// A set of valuations of variables with these bits, lowest first, as decisions; none if there would be more than `most`.
pub fn decisions<'a>(
    set: &Bdd,
    vars: impl IntoIterator<Item = (VarId, &'a [Var])>,
    most: usize,
) -> Option<Decisions> {
    if set.size() > most {
        return None;
    }
    let mut places: FxHashMap<Var, (VarId, u32)> = FxHashMap::default();
    for (var, bits) in vars {
        for (at, bit) in bits.iter().enumerate() {
            places.insert(*bit, (var, at as u32));
        }
    }
    let (nodes, root) = set.nodes();
    let decision = |(bit, high, low): (Var, u32, u32)| {
        let (var, bit) = *places.get(&bit)?;
        Some(Decision {
            var,
            bit,
            high,
            low,
        })
    };
    let nodes: Option<Vec<Decision>> = nodes.into_iter().map(decision).collect();
    Some(Decisions {
        nodes: nodes?,
        root,
    })
}
