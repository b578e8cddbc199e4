//! Assume-guarantee abstraction refinement.

use suppose_model::lts::Network;
use suppose_model::{Answer, Claim, Reason, Run, Verdict};
use suppose_refine::Context;

/// Which classes a spurious counterexample splits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Splitting {
    /// Where the concrete run gets stuck, as in the paper.
    #[default]
    Stuck,
    /// The earliest class from which the rest cannot be followed.
    Earliest,
    /// All of them.
    All,
}

/// How to refine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Options {
    /// Start with the property's labels and add interface labels only when needed.
    pub refine_alphabet: bool,
    /// Which classes to split.
    pub splitting: Splitting,
    /// Explore premise 1 anew after every refinement, as in the paper, instead of keeping what is valid.
    pub restart: bool,
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
        engine: "agar".to_owned(),
        verdict: Verdict::Unknown(Reason::Unsupported("not built yet".to_owned())),
        run: Run::default(),
    }
}
