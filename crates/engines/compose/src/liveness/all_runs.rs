//! Without fairness: is there a run that violates the claim?
//!
//! The graph has a state for every vector and every set of obligations. A run violates the claim if it meets each acceptance set again
//! and again. So it is looked for in strongly connected components, which have steps of all acceptance sets.

use std::collections::VecDeque;
use std::collections::hash_map::Entry;

use rustc_hash::FxHashMap;
use suppose_control::Context;
use suppose_model::graph::Components;
use suppose_model::{Claim, Counterexample, Lasso, LivenessProof};

use super::fair::{Found, vectors};
use super::graph::{Edge, Failed, Graph, Processes};
use super::letters::Letters;
use super::owed::Owed;
use super::run_of;

/// Decides a claim on its graph.
pub(super) fn decide(
    processes: &Processes<'_>,
    claim: Claim,
    graph: &Graph,
    letters: &mut Letters,
    owed: &Owed<'_>,
    cx: &Context,
) -> Result<Found, Failed> {
    if let Some(state) = graph.halted {
        let steps = run_of(processes, graph, &graph.path_to(state));
        return Ok(Err(lasso(claim, steps.len(), steps)));
    }
    let count = graph.states();
    let components = Components::of_edges(count, |state, edge| {
        graph.edges(state).iter().rev().nth(edge).map(|e| e.target)
    });
    let met = acceptance(graph, letters, owed, &components, cx)?;
    let accepting = |c: &u32| {
        met[*c as usize]
            .as_ref()
            .is_some_and(|m| m.iter().all(|m| *m))
    };
    let found = (0..count as u32).find(|s| accepting(&components.of[*s as usize]));
    if let Some(state) = found {
        let cycle = go_around(graph, letters, owed, &components, state)?;
        let mut path = graph.path_to(state);
        let stem = run_of(processes, graph, &path).len();
        path.extend(cycle);
        return Ok(Err(lasso(claim, stem, run_of(processes, graph, &path))));
    }
    let releases = owed.releases();
    let open = |met: &Option<Vec<bool>>| {
        let at = met.as_ref()?.iter().position(|m| !*m)?;
        Some(releases[at])
    };
    let all: Vec<u32> = (0..count as u32).collect();
    let lefts: Vec<u32> = all.iter().map(|s| graph.left(*s)).collect();
    Ok(Ok(LivenessProof::All {
        owed: owed.table().to_vec(),
        classes: met.iter().map(open).collect(),
        vectors: vectors(processes, graph, &all, letters, &lefts, &[components.of]),
    }))
}

fn lasso(claim: Claim, cycle: usize, steps: Vec<suppose_model::NetworkStep>) -> Counterexample {
    let terminal = None;
    Counterexample {
        claim,
        steps,
        lasso: Some(Box::new(Lasso { cycle, terminal })),
    }
}

/// For every component that has a step inside, which acceptance sets its steps meet.
fn acceptance(
    graph: &Graph,
    letters: &mut Letters,
    owed: &Owed<'_>,
    components: &Components,
    cx: &Context,
) -> Result<Vec<Option<Vec<bool>>>, Failed> {
    let mut met: Vec<Option<Vec<bool>>> = vec![None; components.count()];
    let mut memo: FxHashMap<(u32, u32), Vec<bool>> = FxHashMap::default();
    for state in 0..graph.states() as u32 {
        if state.is_multiple_of(1 << 10) {
            cx.spend(1 << 13)?;
        }
        let own = components.of[state as usize];
        for edge in graph.edges(state) {
            if components.of[edge.target as usize] != own {
                continue;
            }
            let all = meets(graph, letters, owed, *edge, &mut memo)?;
            let met = met[own as usize].get_or_insert_with(|| vec![false; all.len()]);
            for (met, now) in met.iter_mut().zip(all) {
                *met |= now;
            }
        }
    }
    Ok(met)
}

/// The acceptance sets that a step is in.
fn meets<'m>(
    graph: &Graph,
    letters: &mut Letters,
    owed: &Owed<'_>,
    edge: Edge,
    memo: &'m mut FxHashMap<(u32, u32), Vec<bool>>,
) -> Result<&'m [bool], Failed> {
    let letter = graph.letter(edge, letters);
    let after = graph.left(edge.target);
    match memo.entry((letter, after)) {
        Entry::Occupied(known) => Ok(known.into_mut()),
        Entry::Vacant(unknown) => {
            let holds = |proposition| letters.holds(letter, proposition);
            let all = owed.releases().iter();
            let all: Result<Vec<bool>, _> = all.map(|r| owed.meets(*r, after, &holds)).collect();
            Ok(unknown.insert(all?))
        }
    }
}

/// A cycle from a state that meets every acceptance set, by shortest ways from one to the next.
fn go_around(
    graph: &Graph,
    letters: &mut Letters,
    owed: &Owed<'_>,
    components: &Components,
    start: u32,
) -> Result<Vec<Edge>, Failed> {
    let own = components.of[start as usize];
    let mut memo = FxHashMap::default();
    let mut open: Vec<usize> = (0..owed.releases().len()).collect();
    let mut cycle: Vec<Edge> = Vec::new();
    let mut at = start;
    loop {
        let mut came: FxHashMap<u32, (u32, Edge)> = FxHashMap::default();
        let mut queue = VecDeque::from([at]);
        let mut last = None;
        'search: while let Some(state) = queue.pop_front() {
            for edge in graph.edges(state) {
                if components.of[edge.target as usize] != own {
                    continue;
                }
                let met = meets(graph, letters, owed, *edge, &mut memo)?;
                let wanted = match open.is_empty() {
                    true => edge.target == start,
                    false => open.iter().any(|r| met[*r]),
                };
                if wanted {
                    last = Some((state, *edge));
                    break 'search;
                }
                if edge.target != at && !came.contains_key(&edge.target) {
                    came.insert(edge.target, (state, *edge));
                    queue.push_back(edge.target);
                }
            }
        }
        let Some((mut before, edge)) = last else {
            return Ok(cycle);
        };
        let mut way = vec![edge];
        while before != at {
            let (earlier, edge) = came[&before];
            way.push(edge);
            before = earlier;
        }
        way.reverse();
        for edge in &way {
            let met = meets(graph, letters, owed, *edge, &mut memo)?;
            open.retain(|r| !met[*r]);
        }
        let closes = open.is_empty() && edge.target == start;
        at = edge.target;
        cycle.extend(way);
        if closes {
            return Ok(cycle);
        }
    }
}
