//! Certificates about all runs.

use std::collections::{BTreeMap, BTreeSet};

use suppose_model::lts::{Liveness, PackedStates};

use super::flaw;
use super::residual::{is_paid, refute, refute_all};
use super::vectors::{Processes, Vectors};
use super::word::{before, next};
use crate::cancellation::Cancellation;
use crate::rejection::Rejection;
use crate::summary::Summary;

/// No run violates the claim.
pub(super) fn holds(
    claim: &Liveness,
    processes: &Processes<'_>,
    owed: &[Vec<u32>],
    packed: &PackedStates,
    classes: &[Option<u32>],
    watch: &mut Cancellation<'_>,
) -> Result<Summary, Rejection> {
    let vectors = Vectors::new(claim, processes, packed, 2)?;
    let sets: Vec<BTreeSet<u32>> = owed.iter().map(|s| s.iter().copied().collect()).collect();
    let nodes = claim.nodes.len();
    if sets.iter().flatten().any(|n| *n as usize >= nodes) {
        return Err(flaw("a formula is owed that the claim does not have"));
    }
    let numbers: BTreeMap<&BTreeSet<u32>, u32> = sets.iter().zip(0u32..).collect();
    let start = before(claim);
    for set in refute(claim, claim.root).map_err(flaw)? {
        let known = numbers.get(&set);
        let found = known.and_then(|n| vectors.find(claim, &processes.initial(), &start, *n));
        found.ok_or_else(|| flaw("it does not have the initial states"))?;
    }
    let mut steps = 0;
    for (number, vector) in vectors.iter() {
        let at = |why: &str| Rejection::at_vector(0, number as usize, why);
        let (set, class) = (vector.rest[0] as usize, vector.rest[1]);
        let set = sets.get(set).ok_or_else(|| at("it owes no known set"))?;
        if set.is_empty() {
            return Err(at("nothing is owed, so a run violates the claim"));
        }
        let delayed = classes.get(class as usize);
        let delayed = delayed.ok_or_else(|| at("there is no such class"))?;
        for (label, states) in processes.steps(&vector.states)? {
            watch.tick()?;
            steps += 1;
            let letter = next(claim, &vector.fluents, label);
            for after in refute_all(claim, set, &letter).map_err(flaw)? {
                let known = numbers.get(&after);
                let to = known.and_then(|n| vectors.find(claim, &states, &letter, *n));
                let to = to.and_then(|to| vectors.get(to));
                let to = to.ok_or_else(|| at("a step leads out of the vectors"))?;
                let stays = match to.rest[1].cmp(&class) {
                    std::cmp::Ordering::Less => continue,
                    std::cmp::Ordering::Equal => *delayed,
                    std::cmp::Ordering::Greater => {
                        return Err(at("a step leads to a higher class"));
                    }
                };
                let release =
                    stays.ok_or_else(|| at("a step stays in a class without a formula"))?;
                if (release as usize) >= nodes
                    || is_paid(claim, release, &after, &letter).map_err(flaw)?
                {
                    return Err(at("a step makes the formula of its class false"));
                }
            }
        }
    }
    Ok(Summary {
        vectors: vectors.len() as u64,
        steps,
        ..Summary::default()
    })
}
