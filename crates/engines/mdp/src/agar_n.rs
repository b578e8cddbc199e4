//! Assume-guarantee abstraction refinement for any number of groups (AGAR-N, Fig. 6.6 of the thesis).

use std::time::Instant;

use suppose_control::Context;
use suppose_model::Run;
use suppose_model::mdp::{Lpts, System};
use suppose_refine::{Refined, refine};

use crate::chain::{Chain, ChainOptions};
use crate::engine::{Failure, answer, cover, violation};
use crate::{ConformanceAnswer, ConformanceVerdict};

/// Does the system, seen from outside, conform to the specification?
///
/// The groups are those of the rule, in its order: the first is checked with an assumption about all others. With two groups this is AGAR
/// (Fig. 6.3) with one assumption about the second group as a whole. Empty groups are allowed. [`crate::order()`] suggests an order.
pub fn agar_n(
    system: &System,
    spec: &Lpts,
    groups: &[Vec<usize>],
    options: ChainOptions,
    cx: &Context,
) -> ConformanceAnswer {
    let started = Instant::now();
    if let Err(failure) = cover(system, groups) {
        return answer(started, Err(failure), Run::default());
    }
    if groups.len() < 2 {
        return crate::monolithic(system, spec, cx);
    }
    run(system, spec, groups.to_vec(), options, cx)
}

/// The same for groups that are known to make sense, at least two.
pub(crate) fn run(
    system: &System,
    spec: &Lpts,
    groups: Vec<Vec<usize>>,
    options: ChainOptions,
    cx: &Context,
) -> ConformanceAnswer {
    let started = Instant::now();
    let mut chain = match Chain::new(system, spec, groups, options, cx) {
        Ok(chain) => chain,
        Err(stopped) => return answer(started, Err(stopped.into()), Run::default()),
    };
    let verdict = decide(&mut chain, system, spec, cx);
    answer(started, verdict, chain.run)
}

fn decide(
    chain: &mut Chain<'_>,
    system: &System,
    spec: &Lpts,
    cx: &Context,
) -> Result<ConformanceVerdict, Failure> {
    match refine(chain, cx)? {
        Refined::Holds => match chain.certificate(cx)? {
            Some(certificate) => Ok(ConformanceVerdict::Holds(Box::new(certificate))),
            None => Err(Failure::Bug("there is no proof".to_owned())),
        },
        other => violation(other, system, spec, cx),
    }
}
