//! A run of the system itself, once a violation is certain.
//!
//! Along must-edges the error is reached from a state of the whole for certain. Such a run names, for
//! every component of the environment, the classes it passes through; since components only share
//! labels, each finds its own states along these classes alone.

use std::collections::VecDeque;
use std::collections::hash_map::Entry;

use rustc_hash::FxHashMap;
use suppose_control::Context;
use suppose_model::lts::{Label, Lts, Network};
use suppose_model::{Claim, Counterexample, NetworkStep, Reason};

use super::abstraction::Member;
use super::bounds::Modality;
use super::process::Composed;
use super::region::{ERROR, Region};
use crate::product::initial_states;

/// A state of the region and one of the process.
type Pair = (u32, u32);

/// One step of an abstract run: its label, who moves in the environment (from class, to class), and where the process is after it.
struct Abstract {
    label: Label,
    movers: Vec<(usize, u32, Option<u32>)>,
    process: u32,
}

/// The shortest run along must-edges into the error, made concrete; none if there is none.
pub(super) fn along_must_edges(
    network: &Network,
    property: usize,
    region: &Region,
    members: &[Member<'_>],
    composed: &Composed,
    components: &[usize],
    cx: &Context,
) -> Result<Option<Counterexample>, Reason> {
    let modality = Modality::new(region, members, cx)?;
    let Some(steps) = search(region, &modality, members, &composed.lts, cx)? else {
        return Ok(None);
    };
    let mut run: Vec<NetworkStep> = Vec::with_capacity(steps.len());
    let initial = initial_states(network);
    for step in &steps {
        let mut states = initial.clone();
        for (slot, component) in components.iter().enumerate() {
            states[*component] = composed.vector(step.process)[slot];
        }
        run.push(NetworkStep {
            label: step.label,
            states,
        });
    }
    for (slot, member) in members.iter().enumerate() {
        let Some(path) = concretise(slot, member, &steps) else {
            return Ok(None);
        };
        for (step, state) in run.iter_mut().zip(path) {
            step.states[member.component] = state;
        }
    }
    Ok(Some(Counterexample {
        claim: Claim::Property(property),
        steps: run,
        lasso: None,
    }))
}

/// Breadth-first over pairs.
fn search(
    region: &Region,
    modality: &Modality,
    members: &[Member<'_>],
    process: &Lts,
    cx: &Context,
) -> Result<Option<Vec<Abstract>>, Reason> {
    let start = (0, process.initial());
    // How each pair was first reached: from which pair, by which edge (none: a private step), with which label.
    let mut from: FxHashMap<Pair, (Pair, Option<usize>, Label)> = FxHashMap::default();
    from.insert(start, (start, None, Label::TAU));
    let mut queue = VecDeque::from([start]);
    let mut count = 0usize;
    while let Some(pair) = queue.pop_front() {
        count += 1;
        if count.is_multiple_of(128) {
            cx.check_states(from.len() as u64)?;
            cx.reserve(from.len() as u64 * 48)?;
        }
        let (state, inner) = pair;
        let mut reach = |next: Pair, edge: Option<usize>, label: Label| {
            if let Entry::Vacant(slot) = from.entry(next) {
                slot.insert((pair, edge, label));
                queue.push_back(next);
            }
        };
        for edge in process.edges(inner) {
            if region.is_private(edge.label) {
                reach((state, edge.target), None, edge.label);
            }
        }
        let mut end = None;
        for number in region.edges_of(state as usize) {
            let edge = region.edges[number];
            if !modality.forward[number] {
                continue;
            }
            let targets: Vec<u32> = match edge.channel {
                0 => vec![inner],
                _ => {
                    let edges = process.successors(inner, edge.label).iter();
                    edges.map(|e| e.target).collect()
                }
            };
            for target in targets {
                match edge.target {
                    ERROR => end = end.or(Some((number, target))),
                    next => reach((next, target), Some(number), edge.label),
                }
            }
        }
        if let Some((number, target)) = end {
            let edge = region.edges[number];
            let mut steps = vec![Abstract {
                label: edge.label,
                movers: region.movers(members, state as usize, &edge),
                process: target,
            }];
            let mut at = pair;
            while at != start {
                let (before, edge, label) = from[&at];
                let movers = edge.map_or(Vec::new(), |number| {
                    region.movers(members, before.0 as usize, &region.edges[number])
                });
                steps.push(Abstract {
                    label,
                    movers,
                    process: at.1,
                });
                at = before;
            }
            steps.reverse();
            return Ok(Some(steps));
        }
    }
    Ok(None)
}

/// States of one member along the classes of a run: first all that fit from the front, then one of
/// them from the back.
fn concretise(slot: usize, member: &Member<'_>, steps: &[Abstract]) -> Option<Vec<u32>> {
    let mut layers = vec![vec![member.lts.initial()]];
    let own = |step: &Abstract| step.movers.iter().find(|m| m.0 == slot).copied();
    let fits = |state: u32, to: Option<u32>| to.is_none_or(|c| member.partition.class(state) == c);
    for step in steps {
        let last = &layers[layers.len() - 1];
        let next = match own(step) {
            None => last.clone(),
            Some((_, _, to)) => {
                let edges = last
                    .iter()
                    .flat_map(|s| member.lts.successors(*s, step.label));
                let mut next: Vec<u32> = edges.map(|e| e.target).filter(|t| fits(*t, to)).collect();
                next.sort_unstable();
                next.dedup();
                next
            }
        };
        if next.is_empty() {
            return None;
        }
        layers.push(next);
    }
    let mut at = *layers.last()?.first()?;
    let mut path = vec![at];
    for (step, layer) in steps.iter().zip(&layers).rev() {
        if own(step).is_some() {
            let leads = |s: &&u32| {
                let edges = member.lts.successors(**s, step.label);
                edges.iter().any(|e| e.target == at)
            };
            at = *layer.iter().find(leads)?;
        }
        path.push(at);
    }
    path.reverse();
    Some(path.split_off(1))
}
