//! Reduction by direct simulation.
//!
//! A state simulates another if it is accepting where the other is, and has for every edge of the other one that is allowed at
//! least as often and leads to a state that simulates the other's target. States that simulate each other accept the same words
//! and can be one; of two edges of a state one is superfluous if the other simulates it (Etessami and Holzmann, CONCUR
//! 2000; Somenzi and Bloem, CAV 2000).

use super::Cube;
use super::buchi::Buchi;

/// Larger automata are left as they are.
const STATES: usize = 600;
const EDGES: usize = 6000;

/// The automaton with fewer states and edges.
pub(super) fn reduced(automaton: Buchi) -> Buchi {
    let (states, edges) = automaton.size();
    if states > STATES || edges > EDGES {
        return automaton;
    }
    let automaton = quotient(automaton);
    let automaton = without_superfluous(automaton);
    without_transient(automaton)
}

/// `relation[q][p]`: `q` simulates `p`.
type Relation = Vec<Vec<bool>>;

fn quotient(automaton: Buchi) -> Buchi {
    let relation = simulation(&automaton, |q| automaton.accepting[q]);
    let count = automaton.edges.len();
    let mutual = |a: usize, b: usize| relation[a][b] && relation[b][a];
    let first: Vec<u32> = (0..count)
        .map(|s| (0..=s).find(|o| mutual(s, *o)).unwrap_or(s) as u32)
        .collect();
    automaton.renamed(|state| first[state as usize])
}

/// A state on no cycle is visited once, so it may count as accepting or not. If another state has the same words by that,
/// it takes its place: one at a time, since this relation is not transitive.
fn without_transient(automaton: Buchi) -> Buchi {
    let on_cycle = automaton.on_cycle();
    if on_cycle.iter().all(|c| *c) {
        return automaton;
    }
    let relation = simulation(&automaton, |q| automaton.accepting[q] || !on_cycle[q]);
    let components = automaton.components();
    for state in (0..automaton.edges.len()).filter(|s| !on_cycle[*s]) {
        let replaces = |other: &usize| {
            let later = components.of[*other] < components.of[state];
            later && relation[state][*other] && relation[*other][state]
        };
        if let Some(other) = (0..automaton.edges.len()).find(replaces) {
            return automaton.renamed(|s| if s as usize == state { other as u32 } else { s });
        }
    }
    automaton
}

fn without_superfluous(mut automaton: Buchi) -> Buchi {
    let relation = simulation(&automaton, |q| automaton.accepting[q]);
    let beats = |(guard, target): &(Cube, u32), other: &(Cube, u32)| {
        guard.covers(other.0)
            && relation[*target as usize][other.1 as usize]
            && (*guard != other.0 || *target != other.1)
    };
    for row in &mut automaton.edges {
        let mut kept: Vec<(Cube, u32)> = Vec::new();
        for (number, edge) in row.iter().enumerate() {
            // Of two that beat each other the first stays.
            let beaten = row.iter().enumerate().any(|(other, e)| {
                other != number && beats(e, edge) && (other < number || !beats(edge, e))
            });
            if !beaten {
                kept.push(*edge);
            }
        }
        *row = kept;
    }
    automaton.renamed(|state| state)
}

/// The largest simulation, where `counts` says which states are accepting enough to simulate one that is.
fn simulation(automaton: &Buchi, counts: impl Fn(usize) -> bool) -> Relation {
    let count = automaton.edges.len();
    let may = |p: usize, q: usize| !automaton.accepting[p] || counts(q);
    let mut relation: Relation = (0..count)
        .map(|q| (0..count).map(|p| may(p, q)).collect())
        .collect();
    loop {
        let mut changed = false;
        for q in 0..count {
            for p in 0..count {
                if relation[q][p] && !follows(automaton, &relation, p, q) {
                    relation[q][p] = false;
                    changed = true;
                }
            }
        }
        if !changed {
            return relation;
        }
    }
}

fn follows(automaton: &Buchi, relation: &Relation, p: usize, q: usize) -> bool {
    let matched = |(guard, target): &(Cube, u32)| {
        let mut ways = automaton.edges[q].iter();
        ways.any(|(g, t)| g.covers(*guard) && relation[*t as usize][*target as usize])
    };
    automaton.edges[p].iter().all(matched)
}
