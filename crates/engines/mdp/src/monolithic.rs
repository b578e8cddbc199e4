//! The plain way: compose everything, then look for a simulation.

use suppose_control::{Context, Event};
use suppose_model::mdp::{Lpts, System};

use crate::engine::{on_whole, one_premise};
use crate::simulation::{Simulation, relation, simulate};
use crate::{ConformanceAnswer, ConformanceVerdict};

/// Does the composed system, seen from outside, conform to the specification?
pub fn monolithic(system: &System, spec: &Lpts, cx: &Context) -> ConformanceAnswer {
    let seen = &system.observed;
    on_whole(system, cx, |parts, whole, run| {
        cx.emit(Event::Phase("simulating".to_owned()));
        match simulate(&whole.lpts, spec, seen, cx)? {
            Simulation::Holds(pairs) => {
                let premise = relation(parts, whole, spec, seen, &pairs, cx)?;
                Ok(one_premise(run, premise))
            }
            Simulation::Fails(tree) => Ok(ConformanceVerdict::Violated(Box::new(
                whole.counterexample(&tree),
            ))),
        }
    })
}
