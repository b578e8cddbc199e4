//! Fair choice: what is true of almost all runs.
//!
//! Every run ends up in a *terminal set* of the graph, a strongly connected component that no step leaves, and almost every
//! run goes every way in it again and again. So in each terminal set the formulas that are true again and again, and those
//! that are true from some time on, are the same for almost all runs ([`recurrence`](super::recurrence) finds them), and they decide the claim: see
//! `certify::liveness` for the argument, which is that of the "master theorem" of Esparza, Křetínský and Sickert ("One theorem to rule
//! them all", LICS 2018), used on a graph instead of an automaton.

use std::collections::VecDeque;

use suppose_control::Context;
use suppose_model::graph::Components;
use suppose_model::lts::{Layout, PackedStates};
use suppose_model::{
    Claim, Counterexample, Lasso, LivenessProof, RecurrentSet, Residual, TerminalSet,
};

use super::graph::{Edge, Failed, Graph, Plan, Processes, Track};
use super::letters::Letters;
use super::recurrence::{Decided, Recurrence};
use super::residual::{FALSE, Reading, Residuals, TRUE, TooLarge};
use super::run_of;

impl Track for Residuals<'_> {
    fn initial(&mut self) -> Result<Vec<u32>, TooLarge> {
        let root = self.root();
        Ok(vec![self.of(root)?])
    }

    fn after(&mut self, left: u32, letter: u32, letters: &Letters) -> Result<Vec<u32>, TooLarge> {
        let holds = |proposition| letters.holds(letter, proposition);
        Ok(vec![Residuals::after(self, left, Reading::Plain, &holds)?])
    }

    fn plan(&self, left: u32) -> Plan {
        match left {
            TRUE => Plan::Leaf,
            FALSE => Plan::Halt,
            _ => Plan::Expand,
        }
    }
}

/// What is known in the end.
pub(super) type Found = Result<LivenessProof, Counterexample>;

/// Decides a claim on its graph.
pub(super) fn decide(
    processes: &Processes<'_>,
    claim: Claim,
    graph: &Graph,
    letters: &mut Letters,
    residuals: &mut Residuals<'_>,
    cx: &Context,
) -> Result<Found, Failed> {
    if let Some(state) = graph.halted {
        let steps = run_of(processes, graph, &graph.path_to(state));
        let cycle = steps.len();
        let lasso = Some(Box::new(Lasso {
            cycle,
            terminal: None,
        }));
        return Ok(Err(Counterexample {
            claim,
            steps,
            lasso,
        }));
    }
    let terminal = terminal_sets(graph);
    let mut sets = Vec::new();
    for states in &terminal {
        cx.check()?;
        let recurrence = Recurrence::new(graph, states, letters, residuals, cx);
        match recurrence.decide()? {
            Decided::Holds(set) => sets.push(set),
            Decided::Violated(set, walk) => {
                return violated(
                    processes, claim, graph, states, set, &walk, letters, residuals,
                );
            }
        }
    }
    Ok(Ok(proof(
        processes, graph, &terminal, sets, letters, residuals,
    )))
}

/// Terminal sets, those that are reached soonest first; each sorted.
fn terminal_sets(graph: &Graph) -> Vec<Vec<u32>> {
    let count = graph.states();
    let components = Components::of_edges(count, |state, edge| {
        graph.edges(state).iter().rev().nth(edge).map(|e| e.target)
    });
    let mut closed = vec![true; components.count()];
    for state in 0..count as u32 {
        let own = components.of[state as usize];
        let leaves = |e: &Edge| components.of[e.target as usize] != own;
        if graph.left(state) == TRUE || graph.edges(state).iter().any(leaves) {
            closed[own as usize] = false;
        }
    }
    let mut place = vec![None; closed.len()];
    let mut sets: Vec<Vec<u32>> = Vec::new();
    for state in 0..count as u32 {
        let own = components.of[state as usize] as usize;
        if closed[own] {
            let at = *place[own].get_or_insert_with(|| {
                sets.push(Vec::new());
                sets.len() - 1
            });
            sets[at].push(state);
        }
    }
    sets
}

/// Numbers of the residuals that evidence mentions.
#[derive(Default)]
struct Mentioned {
    new: Vec<Option<u32>>,
    table: Vec<Residual>,
}

impl Mentioned {
    fn number(&mut self, residuals: &Residuals<'_>, old: u32) -> u32 {
        let at = old as usize;
        if self.new.len() <= at {
            self.new.resize(at + 1, None);
        }
        if let Some(new) = self.new[at] {
            return new;
        }
        let new = self.table.len() as u32;
        self.table.push(residuals.get(old).clone());
        self.new[at] = Some(new);
        new
    }

    fn renumber(&mut self, residuals: &Residuals<'_>, set: &mut RecurrentSet) {
        for pair in &mut set.pairs {
            pair.1 = self.number(residuals, pair.1);
        }
        set.pairs.sort_unstable();
    }
}

/// Distances to the targets; all other states can reach one.
fn ranks(graph: &Graph, states: impl Iterator<Item = u32> + Clone, targets: &[u32]) -> Vec<u32> {
    let count = graph.states();
    let mut starts = vec![0u32; count + 1];
    for edge in states.clone().flat_map(|s| graph.edges(s)) {
        starts[edge.target as usize + 1] += 1;
    }
    for at in 1..starts.len() {
        starts[at] += starts[at - 1];
    }
    let mut next = starts.clone();
    let mut sources = vec![0u32; starts[count] as usize];
    for state in states {
        for edge in graph.edges(state) {
            let at = &mut next[edge.target as usize];
            sources[*at as usize] = state;
            *at += 1;
        }
    }
    let mut ranks = vec![u32::MAX; count];
    let mut queue = VecDeque::new();
    for target in targets {
        ranks[*target as usize] = 0;
        queue.push_back(*target);
    }
    while let Some(state) = queue.pop_front() {
        let s = state as usize;
        for source in &sources[starts[s] as usize..starts[s + 1] as usize] {
            if ranks[*source as usize] == u32::MAX {
                ranks[*source as usize] = ranks[s] + 1;
                queue.push_back(*source);
            }
        }
    }
    ranks
}

/// The vectors of some states, with more slots after the residual.
pub(super) fn vectors(
    processes: &Processes<'_>,
    graph: &Graph,
    states: &[u32],
    letters: &Letters,
    lefts: &[u32],
    more: &[Vec<u32>],
) -> PackedStates {
    let sizes = processes
        .members
        .iter()
        .map(|i| processes.network.components[*i].lts.states() as u32);
    let fluents = letters.slots(letters.initial()).map(|_| 2);
    let most = |column: &[u32]| column.iter().copied().max().unwrap_or(0) + 1;
    let rest = std::iter::once(most(lefts)).chain(more.iter().map(|c| most(c)));
    let layout = Layout::new(sizes.chain(fluents).chain(rest));
    let mut packed = PackedStates::new(layout.clone());
    let mut record = vec![0; layout.words()];
    for (at, state) in states.iter().enumerate() {
        let states =
            graph.process_states(processes.product.layout(), *state, processes.members.len());
        let fluents = letters.slots(graph.fluents(*state));
        let rest = std::iter::once(lefts[at]).chain(more.iter().map(|c| c[at]));
        for (slot, value) in states.chain(fluents).chain(rest).enumerate() {
            layout.set(&mut record, slot, value);
        }
        packed.push(&record);
    }
    packed
}

fn proof(
    processes: &Processes<'_>,
    graph: &Graph,
    terminal: &[Vec<u32>],
    mut sets: Vec<RecurrentSet>,
    letters: &Letters,
    residuals: &Residuals<'_>,
) -> LivenessProof {
    let all: Vec<u32> = (0..graph.states() as u32).collect();
    let mut targets: Vec<u32> = sets.iter().map(|s| s.home).collect();
    targets.extend(all.iter().filter(|s| graph.left(**s) == TRUE));
    let ranks = ranks(graph, all.iter().copied(), &targets);
    let mut set_of = vec![0; all.len()];
    for (number, states) in terminal.iter().enumerate() {
        for state in states {
            set_of[*state as usize] = number as u32 + 1;
        }
    }
    let mut mentioned = Mentioned::default();
    let lefts: Vec<u32> = all
        .iter()
        .map(|s| mentioned.number(residuals, graph.left(*s)))
        .collect();
    for set in &mut sets {
        mentioned.renumber(residuals, set);
    }
    LivenessProof::Fair {
        vectors: vectors(processes, graph, &all, letters, &lefts, &[set_of, ranks]),
        residuals: mentioned.table,
        sets,
    }
}

#[allow(clippy::too_many_arguments)]
fn violated(
    processes: &Processes<'_>,
    claim: Claim,
    graph: &Graph,
    states: &[u32],
    mut set: RecurrentSet,
    walk: &[Edge],
    letters: &Letters,
    residuals: &Residuals<'_>,
) -> Result<Found, Failed> {
    let ranks = ranks(graph, states.iter().copied(), &[set.home]);
    let ranks: Vec<u32> = states.iter().map(|s| ranks[*s as usize]).collect();
    let mut mentioned = Mentioned::default();
    let lefts: Vec<u32> = states
        .iter()
        .map(|s| mentioned.number(residuals, graph.left(*s)))
        .collect();
    mentioned.renumber(residuals, &mut set);
    let mut path = graph.path_to(set.home);
    path.extend_from_slice(walk);
    // Evidence numbers the vectors of the set alone.
    let place = |state: u32| states.binary_search(&state).unwrap_or(0) as u32;
    set.home = place(set.home);
    for visit in &mut set.walk {
        visit.vector = place(visit.vector);
    }
    for pair in &mut set.pairs {
        pair.0 = place(pair.0);
    }
    let steps = run_of(processes, graph, &path);
    let turns = walk.iter().filter(|e| e.action().is_some()).count();
    let terminal = TerminalSet {
        residuals: mentioned.table,
        vectors: vectors(processes, graph, states, letters, &lefts, &[ranks]),
        set,
    };
    let lasso = Some(Box::new(Lasso {
        cycle: steps.len() - turns,
        terminal: Some(terminal),
    }));
    Ok(Err(Counterexample {
        claim,
        steps,
        lasso,
    }))
}
