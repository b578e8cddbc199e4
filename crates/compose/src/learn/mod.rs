//! Assume-guarantee reasoning with learned assumptions.

pub mod dfa;
pub mod learner;
pub mod lstar;
mod tree;
pub mod ttt;

use suppose_model::lts::Network;
use suppose_model::{Answer, Claim, Reason, Run, Verdict};
use suppose_refine::Context;

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
pub struct Options {
    /// Which learner.
    pub algorithm: Algorithm,
    /// Start with the property's labels and add interface labels only when needed.
    pub refine_alphabet: bool,
}

/// Decides property number `property` by rule 3 over the groups of components, in that order (two groups: rule 1).
pub fn check(
    network: &Network,
    property: usize,
    groups: &[Vec<usize>],
    options: &Options,
    cx: &Context,
) -> Answer {
    let _ = (network, groups, options, cx);
    Answer {
        claim: Claim::Property(property),
        engine: "learn".to_owned(),
        verdict: Verdict::Unknown(Reason::Unsupported("not built yet".to_owned())),
        run: Run::default(),
    }
}
