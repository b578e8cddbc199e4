//! Counterexamples of abstraction and refinement to questions about runs, judged by the checker.

use suppose_certify::fsm::{Accepted, CheckLimits, Meaning, check_run};
use suppose_control::Context;
use suppose_model::fsm::{Property, Question, Shows, System, Trace};
use suppose_symbolic::cegar::Phases;
use suppose_symbolic::{Cegar, CegarOptions, SymbolicVerdict};
use suppose_testkit::Rng;
use suppose_testkit::smv::{Shape, random};

use super::read;

/// A counterexample and the refinements before it, with as few variables as possible to begin with.
fn refuted(system: &System, property: &Property, phases: Phases) -> Option<(Trace, u64)> {
    let options = CegarOptions {
        phases,
        far: Some(0),
        ..CegarOptions::default()
    };
    let engine = Cegar::new(system, options, &Context::default());
    let answer = engine.decide(property).unwrap();
    match answer.found {
        SymbolicVerdict::Fails(trace, _) => Some((trace, answer.effort.refinements)),
        _ => None,
    }
}

/// With two phases fewer classes are split: what is saved was found in the first phase, among the concrete states of a spurious
/// counterexample. For universal CTL that is a run on which the formula is false without its quantifiers, which the checker must take as a
/// counterexample to the formula of CTL.
#[test]
fn lassos_of_universal_ctl_found_near_spurious_ones_are_accepted() {
    let limits = CheckLimits::default();
    let (mut lassos, mut near) = (0, 0);
    for seed in 0..250 {
        let text = random(&mut Rng::new(seed), Shape::default());
        let system = read(&text);
        for property in &system.properties {
            let Question::Ctl(formula) = property.question else {
                continue;
            };
            let is_universal = Cegar::can_decide(&system, property);
            if !is_universal || system.formulas.always(formula).is_some() {
                continue;
            }
            let Some((trace, refinements)) = refuted(&system, property, Phases::Two) else {
                continue;
            };
            if trace.loops_to.is_none() {
                continue;
            }
            lassos += 1;
            let shows = Shows::All;
            let found = check_run(&system, &property.question, &trace, shows, &limits);
            let accepted = matches!(
                found,
                Ok(Accepted::Run {
                    meaning: Meaning::Violates,
                    ..
                })
            );
            assert!(
                accepted,
                "seed {seed}, {:?}\n{text}\n{trace:?}\n{found:?}",
                property.name
            );
            let later = refuted(&system, property, Phases::One);
            near += usize::from(later.is_some_and(|(_, more)| more > refinements));
        }
    }
    println!("{lassos} lassos, {near} of them near spurious ones");
    assert!(lassos > 20 && near > 2, "{near} of {lassos}");
}
