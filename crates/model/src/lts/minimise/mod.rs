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

use super::size::{Limits, TooLarge};
use super::{Lts, LtsBuilder, State};
use condense::condense;
use graph::Graph;

/// Which states count as the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Equivalence {
    /// `tau` is a label like any other.
    Strong,
    /// Blind to `tau` steps that change nothing; keeps the branching structure.
    Branching,
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
/// the equivalence is strong. Unreachable states are kept.
///
/// Strong signatures are never larger than the transitions. Branching ones rarely are; weak ones
/// can be quadratic, as they hold what is silently reachable. The limit on transitions bounds
/// their entries, those no longer needed included until the next cleaning.
pub fn minimise(
    lts: &Lts,
    equivalence: Equivalence,
    limits: &Limits,
) -> Result<Quotient, TooLarge> {
    let class = match equivalence {
        Equivalence::Strong => strong::classes(&Graph::new(lts), limits)?,
        Equivalence::Branching => condensed(lts, branching::classes, limits)?,
        Equivalence::Weak => return weakly(lts, limits),
    };
    Ok(quotient(lts, &class, equivalence))
}

/// Branching bisimulation is finer than weak and much cheaper, so it goes first.
fn weakly(lts: &Lts, limits: &Limits) -> Result<Quotient, TooLarge> {
    let first = minimise(lts, Equivalence::Branching, limits)?;
    let class = condensed(&first.lts, weak::classes, limits)?;
    let mut second = quotient(&first.lts, &class, Equivalence::Weak);
    second.class = first
        .class
        .iter()
        .map(|c| second.class[*c as usize])
        .collect();
    Ok(second)
}

type Classes = fn(&Graph, &Limits) -> Result<Vec<u32>, TooLarge>;

/// The states of a `tau` cycle are branching bisimilar, so each is one node.
fn condensed(lts: &Lts, classes: Classes, limits: &Limits) -> Result<Vec<u32>, TooLarge> {
    let (graph, node) = condense(&Graph::new(lts));
    let class = classes(&graph, limits)?;
    Ok(node.iter().map(|n| class[*n as usize]).collect())
}

/// Numbers the classes by their smallest state and gathers the edges.
fn quotient(lts: &Lts, block: &[u32], equivalence: Equivalence) -> Quotient {
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
    for (source, label, target) in lts.all_edges() {
        let (source, target) = (class[source as usize], class[target as usize]);
        let silent = label.is_tau() && source == target;
        if !silent || equivalence == Equivalence::Strong {
            builder.edge(source, label, target);
        }
    }
    let lts = builder.build();
    Quotient { lts, class }
}
