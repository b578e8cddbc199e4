//! A short run to a component and around in it.

use std::collections::VecDeque;

use rustc_hash::FxHashMap;

use super::graph::{Arc, DONE, Graph, NEW};
use crate::finding::End;

/// A step of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct RunStep {
    pub(super) from: u32,
    pub(super) to: u32,
    /// The acceptance sets that the step is in.
    pub(super) sets: u64,
}

/// A run that repeats its second part.
#[derive(Debug, Default)]
pub(super) struct Lasso {
    pub(super) stem: Vec<RunStep>,
    pub(super) cycle: Vec<RunStep>,
}

/// The shortest way to a state.
pub(super) fn way_to<G: Graph>(graph: &mut G, state: u32) -> Result<Option<Vec<RunStep>>, End> {
    let first = graph.first()?;
    if first == state {
        return Ok(Some(Vec::new()));
    }
    path(graph, first, visited, |_, hop| hop.to == state)
}

/// The shortest way to a component, and a short one around in it that has a step of every set.
pub(super) fn around<G: Graph>(graph: &mut G, least: u32, all: u64) -> Result<Option<Lasso>, End> {
    let inside = move |graph: &G, state: u32| {
        let mark = graph.mark(state);
        mark > least && mark < DONE
    };
    let first = graph.first()?;
    let stem = match inside(graph, first) {
        true => Some(Vec::new()),
        false => path(graph, first, visited, |g, hop| inside(g, hop.to))?,
    };
    let Some(stem) = stem else { return Ok(None) };
    let entry = stem.last().map_or(first, |hop| hop.to);
    let mut cycle: Vec<RunStep> = Vec::new();
    let mut open = all;
    let mut at = entry;
    while open != 0 {
        let Some(more) = path(graph, at, inside, |_, hop| hop.sets & open != 0)? else {
            return Ok(None);
        };
        for hop in &more {
            open &= !hop.sets;
            at = hop.to;
        }
        cycle.extend(more);
    }
    if at != entry || cycle.is_empty() {
        let Some(back) = path(graph, at, inside, |_, hop| hop.to == entry)? else {
            return Ok(None);
        };
        cycle.extend(back);
    }
    Ok(Some(Lasso { stem, cycle }))
}

fn visited<G: Graph>(graph: &G, state: u32) -> bool {
    graph.mark(state) != NEW
}

/// The shortest way from a state to a step that is looked for, through states that are allowed; at least that one step.
fn path<G: Graph>(
    graph: &mut G,
    from: u32,
    allowed: impl Fn(&G, u32) -> bool,
    wanted: impl Fn(&G, &RunStep) -> bool,
) -> Result<Option<Vec<RunStep>>, End> {
    let mut before: FxHashMap<u32, RunStep> = FxHashMap::default();
    let mut queue = VecDeque::from([from]);
    let mut arcs: Vec<Arc> = Vec::new();
    let mut steps = 0;
    while let Some(state) = queue.pop_front() {
        arcs.clear();
        graph.again(state, &mut arcs)?;
        steps += arcs.len() as u64;
        graph.pause(steps, before.capacity() as u64 * 24)?;
        for arc in &arcs {
            let hop = RunStep {
                from: state,
                to: arc.to,
                sets: arc.sets,
            };
            if !allowed(graph, hop.to) {
                continue;
            }
            if wanted(graph, &hop) {
                let mut hops = vec![hop];
                let mut at = state;
                while at != from
                    && let Some(hop) = before.get(&at)
                {
                    hops.push(*hop);
                    at = hop.from;
                }
                hops.reverse();
                return Ok(Some(hops));
            }
            if hop.to != from && !before.contains_key(&hop.to) {
                before.insert(hop.to, hop);
                queue.push_back(hop.to);
            }
        }
    }
    Ok(None)
}
