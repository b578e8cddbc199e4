//! Quotients by strong, branching and weak bisimulation.
//!
//! All three are computed by refining a partition with *signatures*: what a state can do, in
//! terms of blocks (Blom and Orzan, "Distributed branching bisimulation reduction"; Blom and van
//! de Pol). When a block falls apart its largest piece keeps the block's number, so a state
//! changes number at most log2(n) times, and only states whose signature mentions a changed
//! number are examined again.
//!
//! Weak bisimulation is LTSA's `minimal`. As there, divergence is ignored, the error state is
//! equivalent to nothing else, and the end is distinguished from a deadlock by what can be observed
//! of it: a state that can only do `tau` until it is at the end is equivalent to the end.

mod branching;
mod condense;
mod graph;
mod partition;
mod strong;
mod weak;

use suppose_control::Context;

use super::size::{SizeLimits, TooLarge};
use super::{Lts, LtsBuilder, State};
use condense::condense;
use graph::{DIVERGES, Graph};

/// Which states count as the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Equivalence {
    /// `tau` is a label like any other.
    Strong,
    /// Blind to `tau` steps that change nothing; keeps the branching structure.
    Branching,
    /// The same, but divergence-sensitive: states with a cycle of `tau` inside their class differ from those without. Deadlocks are
    /// kept in every context.
    DivergencePreserving,
    /// Observational equivalence, as LTSA's `minimal`.
    Weak,
}

/// A quotient and where each state went.
#[derive(Clone, Debug)]
pub struct Quotient {
    /// One state for each class, numbered by the smallest state in it.
    pub lts: Lts,
    /// The class of every state of the original.
    pub class: Vec<State>,
}

/// The quotient of an LTS. Edges are those of all members of a class, without `tau` loops unless
/// the equivalence is strong, or keeps divergence and the class diverges. Unreachable states are kept.
///
/// Strong signatures are never larger than the transitions. Branching ones rarely are; weak ones
/// can be quadratic, as they hold what is silently reachable. The limit on transitions bounds
/// their entries, those no longer needed included until the next cleaning.
pub fn minimise(
    lts: &Lts,
    equivalence: Equivalence,
    limits: &SizeLimits,
) -> Result<Quotient, TooLarge> {
    let class = match equivalence {
        Equivalence::Strong => strong::classes(&Graph::new(lts), limits)?,
        Equivalence::Branching => condensed(lts, branching, limits)?,
        Equivalence::DivergencePreserving => {
            return keeping_divergence(lts, limits, &Context::default());
        }
        Equivalence::Weak => return weakly(lts, limits),
    };
    Ok(quotient(lts, &class, |_| {
        equivalence == Equivalence::Strong
    }))
}

/// The quotient by branching bisimulation that keeps divergence, for those who may be stopped meanwhile.
pub fn keeping_divergence(
    lts: &Lts,
    limits: &SizeLimits,
    cx: &Context,
) -> Result<Quotient, TooLarge> {
    let (graph, node) = condense(&Graph::new(lts), true);
    cx.spend(20 * lts.transitions() as u64)
        .map_err(TooLarge::Stopped)?;
    let block = branching::classes(&graph, limits, cx)?;
    let diverges = |n: u32| graph.visible.row(n).iter().any(|e| e.0 == DIVERGES);
    let mut loops = vec![false; graph.nodes];
    for n in (0..graph.nodes as u32).filter(|n| diverges(*n)) {
        loops[block[n as usize] as usize] = true;
    }
    let class: Vec<u32> = node.iter().map(|n| block[*n as usize]).collect();
    Ok(quotient(lts, &class, |block| loops[block as usize]))
}

/// The quotient by branching bisimulation that is blind to divergence, for those who may be stopped meanwhile.
pub fn ignoring_divergence(
    lts: &Lts,
    limits: &SizeLimits,
    cx: &Context,
) -> Result<Quotient, TooLarge> {
    let (graph, node) = condense(&Graph::new(lts), false);
    cx.spend(20 * lts.transitions() as u64)
        .map_err(TooLarge::Stopped)?;
    let block = branching::classes(&graph, limits, cx)?;
    let class: Vec<u32> = node.iter().map(|n| block[*n as usize]).collect();
    Ok(quotient(lts, &class, |_| false))
}

fn branching(graph: &Graph, limits: &SizeLimits) -> Result<Vec<u32>, TooLarge> {
    branching::classes(graph, limits, &Context::default())
}

/// Branching bisimulation is finer than weak and much cheaper, so it goes first.
fn weakly(lts: &Lts, limits: &SizeLimits) -> Result<Quotient, TooLarge> {
    let first = minimise(lts, Equivalence::Branching, limits)?;
    let class = condensed(&first.lts, weak::classes, limits)?;
    let mut second = quotient(&first.lts, &class, |_| false);
    second.class = first
        .class
        .iter()
        .map(|c| second.class[*c as usize])
        .collect();
    Ok(second)
}

type Classes = fn(&Graph, &SizeLimits) -> Result<Vec<u32>, TooLarge>;

/// The states of a `tau` cycle are branching bisimilar, so each is one node.
fn condensed(lts: &Lts, classes: Classes, limits: &SizeLimits) -> Result<Vec<u32>, TooLarge> {
    let (graph, node) = condense(&Graph::new(lts), false);
    let class = classes(&graph, limits)?;
    Ok(node.iter().map(|n| class[*n as usize]).collect())
}

/// Numbers the classes by their smallest state and gathers the edges; `tau` loops only of the blocks for which it is said.
fn quotient(lts: &Lts, block: &[u32], has_loop: impl Fn(u32) -> bool) -> Quotient {
    let blocks = block.iter().max().map_or(0, |b| *b as usize + 1);
    let mut number = vec![None; blocks];
    let mut builder = LtsBuilder::new(lts.name());
    let mut class = Vec::with_capacity(block.len());
    for (state, block) in block.iter().enumerate() {
        let number = number[*block as usize].get_or_insert_with(|| {
            let new = builder.state();
            if let Some(name) = lts.given_name(state as State) {
                builder.state_name(new, name);
            }
            new
        });
        class.push(*number);
    }
    builder
        .initial(class[lts.initial() as usize])
        .extend_alphabet(lts.alphabet().iter().copied());
    if let Some(error) = lts.error() {
        builder.error(class[error as usize]);
    }
    if let Some(end) = lts.end() {
        builder.end(class[end as usize]);
    }
    for (from, label, target) in lts.all_edges() {
        let (source, target) = (class[from as usize], class[target as usize]);
        let silent = label.is_tau() && source == target;
        if !silent || has_loop(block[from as usize]) {
            builder.edge(source, label, target);
        }
    }
    let lts = builder.build();
    Quotient { lts, class }
}
