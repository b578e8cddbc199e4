//! The plain way: compose everything, then look for a simulation.

use suppose_control::{Context, Event};
use suppose_model::Run;
use suppose_model::mdp::{Counterexample, Lpts, System};

use crate::engine::{Failure, on_whole, one_premise};
use crate::product::build;
use crate::simulation::{Simulation, relation, simulate};
use crate::{Answer, Verdict};

/// Does the composed system, seen from outside, conform to the specification?
pub fn monolithic(system: &System, spec: &Lpts, cx: &Context) -> Answer {
    on_whole(system, |run| check(system, spec, run, cx))
}

fn check(system: &System, spec: &Lpts, run: &mut Run, cx: &Context) -> Result<Verdict, Failure> {
    let parts = system.parts();
    cx.emit(Event::Phase("composing".to_owned()));
    let whole = build(&system.name, &parts, run, cx)?;
    cx.emit(Event::Phase("simulating".to_owned()));
    match simulate(&whole.lpts, spec, &system.observed, cx)? {
        Simulation::Holds(pairs) => {
            let premise = relation(&parts, &whole, spec, &system.observed, &pairs, cx)?;
            Ok(one_premise(run, premise))
        }
        Simulation::Fails(tree) => {
            let states = tree.states().iter();
            let states = states.map(|state| whole.vector(*state).into_boxed_slice());
            Ok(Verdict::Violated(Box::new(Counterexample {
                states: states.collect(),
                tree: tree.shape().clone(),
            })))
        }
    }
}
