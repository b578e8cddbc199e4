//! Assume-guarantee reasoning with learned assumptions.
//!
//! After Cobleigh, Giannakopoulou and Pasareanu (TACAS 2003) and Gheorghiu, Giannakopoulou and
//! Pasareanu (TACAS 2007), as summarised in Section 2 of the paper on assume-guarantee abstraction
//! refinement. What is different here: membership is not asked of a model checker, word by word,
//! but of a subset construction that remembers what it has built (`weakest`); there is a
//! choice of learners ([`learner`]); a conjecture is handed on in its smallest form, without
//! its rejecting state.

use std::time::Instant;

use crate::decompose::cover;
use suppose_control::{Context, Event};
use suppose_model::lts::Network;
use suppose_model::{Answer, Claim, Reason, Run, Verdict};

use self::chain::Chain;

mod chain;
pub mod dfa;
pub mod learner;
mod level;
pub mod lstar;
mod premise;
mod replay;
mod tree;
pub mod ttt;
mod weakest;

/// Levels nest, so there are not arbitrarily many: the groups past this number are one.
const MOST_GROUPS: usize = 128;

/// Which learner.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Algorithm {
    /// Angluin's observation table with Rivest and Schapire's counterexample analysis.
    #[default]
    LStar,
    /// The discrimination-tree learner TTT.
    Ttt,
}

/// How to learn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct LearningOptions {
    /// Which learner.
    pub algorithm: Algorithm,
    /// Start with the property's labels and add interface labels only when needed.
    pub refine_alphabet: bool,
}

/// Decides property number `property` by rule 3 over the groups of components, in that order (two groups: rule 1).
///
/// Components that are in no group join the last one, the environment joins the first.
pub fn check(
    network: &Network,
    property: usize,
    groups: &[Vec<usize>],
    options: &LearningOptions,
    cx: &Context,
) -> Answer {
    let begun = Instant::now();
    let groups = whole(network, groups);
    let mut run = Run::default();
    let verdict = match refusal(network, property) {
        Some(why) => Verdict::Unknown(Reason::Unsupported(why)),
        None => {
            cx.emit(Event::Phase("learning assumptions".to_owned()));
            let mut chain = Chain::new(network, &groups, options, cx);
            let verdict = chain.verdict(property);
            run = chain.run;
            verdict
        }
    };
    run.groups = groups;
    run.elapsed = begun.elapsed();
    Answer {
        claim: Claim::Property(property),
        engine: "learn".to_owned(),
        verdict,
        run,
    }
}

fn refusal(network: &Network, property: usize) -> Option<String> {
    if network.priority.is_some() {
        let why = "with priority, the traces of the parts do not give those of the whole";
        return Some(why.to_owned());
    }
    match network.properties.get(property) {
        None => Some(format!("there is no property number {property}")),
        Some(p) if !p.lts.is_deterministic() => {
            Some(format!("property {} is not deterministic", p.name()))
        }
        Some(_) => None,
    }
}

/// The groups with every component in one of them, and no more than the recursion takes.
fn whole(network: &Network, groups: &[Vec<usize>]) -> Vec<Vec<usize>> {
    let mut whole = cover(network, groups);
    if whole.len() > MOST_GROUPS {
        let tail = whole.drain(MOST_GROUPS - 1..).flatten().collect();
        whole.push(tail);
    }
    whole
}

fn too_wide(words: usize) -> Reason {
    Reason::Unsupported(format!(
        "a state takes {words} words of 64 bits, more than the engine packs"
    ))
}
