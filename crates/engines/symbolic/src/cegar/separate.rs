//! Separating dead-end from bad states: PolyRefine (Section 4.3) and a squeezed variant.
//!
//! The failure state is a product of one class of each cluster. Two valuations of a cluster may stay together if all their
//! completions by valuations of the other clusters agree on being in a set; the completions are a cofactor of the set. With no
//! irrelevant states this is the coarsest separation. Irrelevant states can be merged with either side, and the coarser result is
//! taken. *Squeezed* merges more where irrelevant states allow it (matrix squeezing, Figure 7), greedily: finding the
//! best is NP-hard.

use suppose_control::Stopped;

use super::Separation;
use crate::bdd::{Bdd, Bdds, Var};

/// The class of one cluster in the failure state.
#[derive(Clone, Debug)]
pub(super) struct Side {
    /// The bits of the cluster.
    pub bits: Vec<Var>,
    /// The class.
    pub class: Bdd,
}

/// For each side the parts that its class is split into; none if there would be more than allowed.
pub(super) type Separated = Vec<Option<Vec<Bdd>>>;

/// Splits classes so that no product of parts meets both sets, which are within the product of the classes and do not meet. A
/// class may be split into `most` parts.
pub(super) fn separate(
    bdds: &Bdds,
    sides: &[Side],
    dead: &Bdd,
    bad: &Bdd,
    how: Separation,
    most: usize,
) -> Result<Separated, Stopped> {
    let mut best = by_cofactors(bdds, sides, &[dead], most)?;
    let other = by_cofactors(bdds, sides, &[bad], most)?;
    if weight(&other) < weight(&best) {
        best = other;
    }
    if how == Separation::Squeezed {
        let mut order: Vec<usize> = (0..sides.len()).collect();
        for _ in 0..2 {
            let other = squeezed(bdds, sides, dead, bad, &order, most)?;
            if weight(&other) < weight(&best) {
                best = other;
            }
            order.reverse();
        }
    }
    Ok(best)
}

/// The number of classes that the product falls into, as its logarithm.
fn weight(separated: &Separated) -> f64 {
    let parts = separated.iter().map(|parts| match parts {
        Some(parts) => (parts.len() as f64).ln(),
        None => 64.0,
    });
    parts.sum()
}

fn by_cofactors(
    bdds: &Bdds,
    sides: &[Side],
    sets: &[&Bdd],
    most: usize,
) -> Result<Separated, Stopped> {
    let mut separated = Vec::new();
    for side in sides {
        let parts = rows(bdds, sides, side, sets, most)?;
        separated.push(parts.map(|rows| rows.into_iter().map(|row| row.values).collect()));
    }
    Ok(separated)
}

/// Valuations of a cluster that are alike, with their completions in each set.
#[derive(Clone, Debug)]
struct Row {
    values: Bdd,
    completions: Vec<Bdd>,
}

/// The valuations of a side's class, put together where their completions in all sets are the same. Picks a valuation, takes its
/// cofactors, and finds all others that have the same.
fn rows(
    bdds: &Bdds,
    sides: &[Side],
    side: &Side,
    sets: &[&Bdd],
    most: usize,
) -> Result<Option<Vec<Row>>, Stopped> {
    let other: Vec<Var> = sides
        .iter()
        .filter(|s| s.bits != side.bits)
        .flat_map(|s| s.bits.iter().copied())
        .collect();
    let other = bdds.cube(&other)?;
    let mut rest = side.class.clone();
    let mut rows: Vec<Row> = Vec::new();
    while let Some(path) = rest.path() {
        if rows.len() == most {
            return Ok(None);
        }
        let set = |v: &Var| path.iter().any(|(p, value)| p == v && *value);
        let literals: Vec<(Var, bool)> = side.bits.iter().map(|v| (*v, set(v))).collect();
        let value = bdds.minterm(&literals)?;
        let (mut alike, mut completions) = (rest.clone(), Vec::new());
        for set in sets {
            let completion = set.constrain(&value)?;
            alike = alike.and(&set.iff(&completion)?.forall(&other)?)?;
            completions.push(completion);
        }
        rest = rest.minus(&alike)?;
        let values = alike;
        rows.push(Row {
            values,
            completions,
        });
    }
    Ok(Some(rows))
}

/// Merges compatible rows of one cluster after another: rows are compatible if no completion is dead-end in one and bad in the other.
fn squeezed(
    bdds: &Bdds,
    sides: &[Side],
    dead: &Bdd,
    bad: &Bdd,
    order: &[usize],
    most: usize,
) -> Result<Separated, Stopped> {
    let (mut dead, mut bad) = (dead.clone(), bad.clone());
    let mut separated: Separated = vec![Some(Vec::new()); sides.len()];
    for at in order {
        let Some(rows) = rows(bdds, sides, &sides[*at], &[&dead, &bad], most)? else {
            separated[*at] = None;
            continue;
        };
        let merged = merged(rows)?;
        (dead, bad) = (bdds.constant(false), bdds.constant(false));
        for row in &merged {
            dead = dead.or(&row.values.and(&row.completions[0])?)?;
            bad = bad.or(&row.values.and(&row.completions[1])?)?;
        }
        separated[*at] = Some(merged.into_iter().map(|row| row.values).collect());
    }
    Ok(separated)
}

fn merged(rows: Vec<Row>) -> Result<Vec<Row>, Stopped> {
    let mut merged: Vec<Row> = Vec::new();
    for row in rows {
        let mut place = None;
        for (at, other) in merged.iter().enumerate() {
            let clash = row.completions[0].meets(&other.completions[1])?
                || row.completions[1].meets(&other.completions[0])?;
            if !clash {
                place = Some(at);
                break;
            }
        }
        match place {
            Some(at) => {
                let other = &mut merged[at];
                other.values = other.values.or(&row.values)?;
                for (so_far, more) in other.completions.iter_mut().zip(&row.completions) {
                    *so_far = so_far.or(more)?;
                }
            }
            None => merged.push(row),
        }
    }
    Ok(merged)
}

#[cfg(test)]
mod tests;
