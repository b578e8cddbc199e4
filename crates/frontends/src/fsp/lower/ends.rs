//! When a composition has ended rather than stopped.
//!
//! LTSA's rule, for machines that are composed: it has ended if all that have an END are at it, and
//! every visible label is one of theirs. What a process hides is not visible, what the composition
//! itself hides still is. An END from the start does not count.
//!
//! A part that hides actions is composed by LTSA before it is used; it has an END if the rule, applied
//! inside, makes one that can be reached. Such parts stay lists here, so what they are to the end of the
//! whole is noted at their machines: inside a part, all labels count as those of something that
//! ends, or none does.

use rustc_hash::FxHashSet;
use suppose_model::lts::{Lts, Rules, SizeLimits, State, compose_by};

use super::Lowering;
use super::machine::{Ending, Interned, Machine, Name};

/// How far a part is explored to see whether it can end; one that is larger is taken to be able to.
const EXPLORED: SizeLimits = SizeLimits {
    states: 100_000,
    transitions: 1_000_000,
};

/// Which machines must be at their end for the whole to have ended; none if it never has.
pub(super) fn success<'m>(
    machines: impl Iterator<Item = &'m Machine> + Clone,
) -> Option<Vec<bool>> {
    let covering = machines.clone().filter(|m| m.ending().covers);
    let known: FxHashSet<&Name> = covering.flat_map(Machine::alphabet).collect();
    let all = || machines.clone().flat_map(|m| m.labels.iter().flatten());
    let ends = machines.clone().any(|m| m.ending().covers);
    let covered = all().all(|n| !n.is_visible() || known.contains(n));
    (ends && covered).then(|| machines.map(|m| m.ending().required).collect())
}

impl Lowering<'_> {
    /// Notes at the machines of a part that hides actions what they are to the end of the whole.
    pub(super) fn settle_ends(&self, machines: &mut [Machine]) {
        let required = success(machines.iter()).filter(|ends| can_end(machines, ends));
        for (number, machine) in machines.iter_mut().enumerate() {
            machine.ending = Some(Ending {
                required: required.as_ref().is_some_and(|r| r[number]),
                covers: required.is_some(),
            });
        }
    }
}

/// Can the part, alone, get to its end by a step?
fn can_end(machines: &[Machine], required: &[bool]) -> bool {
    if let [one] = machines {
        return one.ending().covers;
    }
    let edges = machines.iter().map(Machine::edge_count);
    if edges.fold(0usize, usize::saturating_add) > EXPLORED.transitions {
        return true;
    }
    let mut names = Interned::default();
    let parts: Vec<Lts> = machines.iter().map(|m| m.to_lts(&mut names)).collect();
    let parts: Vec<&Lts> = parts.iter().collect();
    let rules = Rules {
        success: Some(ends(required, &parts)),
        ..Rules::default()
    };
    match compose_by("", &parts, rules, &EXPLORED) {
        Ok(whole) => whole.lts.end().is_some_and(|e| e != whole.lts.initial()),
        Err(_) => true,
    }
}

/// Where those that are required to be at their end must be.
pub(super) fn ends(required: &[bool], parts: &[&Lts]) -> Vec<Option<State>> {
    let end = |(required, lts): (&bool, &&Lts)| lts.end().filter(|_| *required);
    required.iter().zip(parts).map(end).collect()
}
