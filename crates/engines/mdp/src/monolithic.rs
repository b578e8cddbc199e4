//! The plain way: compose everything, then look for a simulation.

use std::time::Instant;

use suppose_control::{Context, Event};
use suppose_model::Run;
use suppose_model::mdp::{Certificate, Counterexample, Lpts, System};

use crate::engine::{Failure, answer};
use crate::product::build;
use crate::simulation::{Simulation, relation, simulate};
use crate::{Answer, Verdict};

/// Does the composed system, seen from outside, conform to the specification?
pub fn monolithic(system: &System, spec: &Lpts, cx: &Context) -> Answer {
    let started = Instant::now();
    let mut run = Run {
        groups: vec![(0..system.components.len()).collect()],
        ..Run::default()
    };
    let verdict = check(system, spec, &mut run, cx);
    answer(started, verdict, run)
}

fn check(system: &System, spec: &Lpts, run: &mut Run, cx: &Context) -> Result<Verdict, Failure> {
    let parts = system.parts();
    cx.emit(Event::Phase("composing".to_owned()));
    let whole = build(&system.name, &parts, run, cx)?;
    cx.emit(Event::Phase("simulating".to_owned()));
    match simulate(&whole.lpts, spec, &system.observed, cx)? {
        Simulation::Holds(pairs) => {
            let premise = relation(&parts, &whole, spec, &system.observed, &pairs, cx)?;
            Ok(Verdict::Holds(Box::new(Certificate {
                groups: run.groups.clone(),
                assumptions: Vec::new(),
                premises: vec![premise],
            })))
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
