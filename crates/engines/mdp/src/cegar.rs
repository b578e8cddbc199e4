//! Abstraction refinement of the composed system (Figs. 6.1 and 6.2 of the thesis).
//!
//! It is the rule for groups with nothing in the first one: the assumption alone must conform. So the whole system is composed, but
//! only its quotient is put to the simulation.

use suppose_control::Context;
use suppose_model::mdp::{Lpts, System};

use crate::ConformanceAnswer;
use crate::agar_n::run;
use crate::chain::ChainOptions;

/// Does the composed system, seen from outside, conform to the specification?
pub fn cegar(
    system: &System,
    spec: &Lpts,
    options: ChainOptions,
    cx: &Context,
) -> ConformanceAnswer {
    let all = (0..system.components.len()).collect();
    run(system, spec, vec![Vec::new(), all], options, cx)
}
