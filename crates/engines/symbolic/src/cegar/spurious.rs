//! Does an abstract counterexample stand for a real one? (Section 4.2)
//!
//! `SplitPATH` follows the sets of concrete states along the abstract path until one is empty. `SplitLOOP` does it along the path with its
//! loop unwound: `min + 1` times is enough, where `min` is the size of the smallest abstract state of the loop (Theorem
//! 4.1). Each set depends on the one before it alone, so if the set at the loop's beginning is one that was there in an
//! earlier round, the rounds between repeat for ever and no set will be empty: the answer is known before the bound.

use suppose_control::{Context, Stopped};
use suppose_model::fsm::{State, Trace};
use suppose_number::Int;

use crate::bdd::{Bdd, Var};
use crate::relation::Relation;

/// What following an abstract counterexample found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Split {
    /// The concrete states at each position; never empty.
    Real(Vec<Bdd>),
    /// No concrete initial state is in the first abstract one.
    NoStart,
    /// The concrete states that are reached at a position, in the (unwound) path, from which no step goes on. The second number
    /// is the position of the abstract state after it.
    DeadEnd {
        /// The failure state, by its position in the given path.
        at: usize,
        /// What would come after it.
        then: usize,
        /// The dead-end states.
        dead: Bdd,
    },
}

/// Follows a path; each set is all concrete states of an abstract one.
pub(super) fn split_path(
    relation: &Relation,
    path: &[Bdd],
    cx: &Context,
) -> Result<Split, Stopped> {
    let mut sets: Vec<Bdd> = Vec::new();
    for (at, states) in path.iter().enumerate() {
        cx.check()?;
        let set = match sets.last() {
            None => relation.init().and(states)?,
            Some(last) => relation.image(last)?.and(states)?,
        };
        if set.is_false() {
            return Ok(match sets.pop() {
                None => Split::NoStart,
                Some(dead) => Split::DeadEnd {
                    at: at - 1,
                    then: at,
                    dead,
                },
            });
        }
        sets.push(set);
    }
    Ok(Split::Real(sets))
}

/// Follows a path whose last state leads back to position `back` (and is not repeated there). If it is real, the sets of the stem and
/// of the first round come back.
pub(super) fn split_loop(
    relation: &Relation,
    path: &[Bdd],
    back: usize,
    bits: &[Var],
    cx: &Context,
) -> Result<Split, Stopped> {
    let first = match split_path(relation, path, cx)? {
        Split::Real(sets) => sets,
        dead => return Ok(dead),
    };
    let sizes = path[back..].iter().map(|set| set.count(bits));
    let least = sizes.min().unwrap_or(Int::ZERO);
    let (mut here, mut round) = (first[path.len() - 1].clone(), Int::ONE);
    // Rounds are compared with one of few that are remembered: the round is doubled before a new one is.
    let (mut mark, mut mark_age, mut age) = (first[back].clone(), 1u64, 0u64);
    loop {
        for (at, states) in path.iter().enumerate().skip(back) {
            cx.check()?;
            let set = relation.image(&here)?.and(states)?;
            if set.is_false() {
                let before = if at == back { path.len() - 1 } else { at - 1 };
                return Ok(Split::DeadEnd {
                    at: before,
                    then: at,
                    dead: here,
                });
            }
            here = set.clone();
            if at == back {
                if set == mark {
                    return Ok(Split::Real(first));
                }
                age += 1;
                if age == mark_age {
                    (mark, age) = (set, 0);
                    mark_age = mark_age.saturating_mul(2);
                }
            }
        }
        round = &round + &Int::ONE;
        if round > &least + &Int::ONE {
            return Ok(Split::Real(first));
        }
    }
}

/// For each position of a loop the states from which it can be followed for ever.
fn endless(relation: &Relation, cycle: &[Bdd], cx: &Context) -> Result<Vec<Bdd>, Stopped> {
    let mut stays: Vec<Bdd> = cycle.to_vec();
    loop {
        let mut changed = false;
        for at in (0..stays.len()).rev() {
            cx.check()?;
            let next = &stays[(at + 1) % stays.len()];
            let here = relation.preimage(next)?.and(&stays[at])?;
            changed |= here != stays[at];
            stays[at] = here;
        }
        if !changed {
            return Ok(stays);
        }
    }
}

pub(super) fn push(relation: &Relation, trace: &mut Trace, to: &Bdd) -> Result<bool, Stopped> {
    let Some(last) = trace.states.last() else {
        return Ok(false);
    };
    let literals = relation.layout().literals(last);
    let mut steps = relation.bdds().minterm(&literals)?;
    for cluster in relation.clusters() {
        steps = steps.and(cluster)?;
    }
    let Some(path) = steps.and(&relation.next(to)?)?.path() else {
        return Ok(false);
    };
    let bit = |var: Var| path.iter().any(|(v, value)| *v == var && *value);
    trace.inputs.push(relation.layout().choice(bit));
    trace.states.push(relation.layout().state(true, bit));
    Ok(true)
}

fn some_state(relation: &Relation, set: &Bdd) -> Option<State> {
    let path = set.path()?;
    let bit = |var: Var| path.iter().any(|(v, value)| *v == var && *value);
    Some(relation.layout().state(false, bit))
}

/// A run through the sets of a real path.
pub(super) fn run_through(relation: &Relation, sets: &[Bdd]) -> Result<Option<Trace>, Stopped> {
    // From which the rest of the way is possible.
    let mut ways: Vec<Bdd> = Vec::new();
    for set in sets.iter().rev() {
        ways.push(match ways.last() {
            None => set.clone(),
            Some(next) => relation.preimage(next)?.and(set)?,
        });
    }
    let Some(first) = ways.last().and_then(|w| some_state(relation, w)) else {
        return Ok(None);
    };
    let mut trace = Trace {
        states: vec![first],
        inputs: Vec::new(),
        loops_to: None,
    };
    for way in ways.iter().rev().skip(1) {
        if !push(relation, &mut trace, way)? {
            return Ok(None);
        }
    }
    Ok(Some(trace))
}

/// A run along the stem, given by the sets that a real one goes through, and for ever round the loop of a path.
pub(super) fn run_round(
    relation: &Relation,
    path: &[Bdd],
    sets: &[Bdd],
    back: usize,
    cx: &Context,
) -> Result<Option<Trace>, Stopped> {
    let cycle = &endless(relation, &path[back..], cx)?[..];
    let mut stem = sets[..=back].to_vec();
    stem[back] = stem[back].and(&cycle[0])?;
    let Some(mut trace) = run_through(relation, &stem)? else {
        return Ok(None);
    };
    // Where going round leads to, until that is where it began; should it never be, it goes on from the farthest: each such
    // failure leaves a strongly connected part for ever.
    loop {
        let Some(start) = trace.states.last().cloned() else {
            return Ok(None);
        };
        let head = relation
            .bdds()
            .minterm(&relation.layout().literals(&start))?;
        let mut layers = vec![head.clone()];
        let mut heads = relation.bdds().constant(false);
        let closed = loop {
            for at in 0..cycle.len() {
                cx.check()?;
                let next = &cycle[(at + 1) % cycle.len()];
                let last = &layers[layers.len() - 1];
                layers.push(relation.image(last)?.and(next)?);
            }
            let last = layers.len() - 1;
            if layers[last].meets(&head)? {
                layers[last] = head.clone();
                break true;
            }
            let new = layers[last].minus(&heads)?;
            if new.is_false() {
                break false;
            }
            heads = heads.or(&new)?;
            layers[last] = new;
        };
        if !closed {
            // The last layer had nothing new: the one before the last round did.
            layers.truncate(layers.len() - cycle.len());
        }
        if layers.len() < 2 {
            return Ok(None);
        }
        let from = trace.states.len() - 1;
        for way in ways_back(relation, &layers)?.iter().skip(1) {
            if !push(relation, &mut trace, way)? {
                return Ok(None);
            }
        }
        if closed {
            trace.loops_to = Some(from);
            return Ok(Some(trace));
        }
    }
}

/// The states of each layer from which the last one can be reached layer by layer.
fn ways_back(relation: &Relation, layers: &[Bdd]) -> Result<Vec<Bdd>, Stopped> {
    let mut ways: Vec<Bdd> = Vec::new();
    for set in layers.iter().rev() {
        ways.push(match ways.last() {
            None => set.clone(),
            Some(next) => relation.preimage(next)?.and(set)?,
        });
    }
    ways.reverse();
    Ok(ways)
}

#[cfg(test)]
mod tests;
