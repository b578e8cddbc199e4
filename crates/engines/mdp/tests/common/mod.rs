//! Random systems of components with specifications, and verdicts with their evidence checked.
#![allow(dead_code, reason = "each test uses some of it")]

use suppose_mdp::{ConformanceAnswer, ConformanceVerdict};
use suppose_model::Reason;
use suppose_model::mdp::{
    Component, Label, Labels, Lpts, LptsBuilder, SizeLimits, State, System, compose, quotient,
};
use suppose_testkit::markov::{LptsShape, flow_exists, naive_simulation_by, random_lpts, relative};
use suppose_testkit::rng::Rng;

/// A context without limits.
pub fn free() -> suppose_control::Context {
    suppose_control::Context::default()
}

/// A component that knows some of its labels by other names, and some actions it never does.
fn component(rng: &mut Rng, shape: &LptsShape, labels: usize) -> Lpts {
    let own = random_lpts(rng, shape);
    let names: Vec<Label> = (0..=shape.labels)
        .map(|_| Label(rng.between(1, labels) as u32))
        .collect();
    let mut it = LptsBuilder::new("component");
    it.states(own.states());
    it.initial(own.initial());
    for state in 0..own.states() as State {
        for choice in own.choices(state) {
            let label = match choice.label.is_tau() {
                true => choice.label,
                false => names[choice.label.index()],
            };
            let dist = it.store().insert(own.dist(choice.dist));
            it.choice_of(state, label, dist);
        }
    }
    if rng.percent(20) {
        it.extend_alphabet([Label(rng.between(1, labels) as u32)]);
    }
    it.build()
}

/// With its labels as they are seen from outside.
pub fn observed(lpts: &Lpts, system: &System) -> Lpts {
    let mut it = LptsBuilder::new("seen");
    it.states(lpts.states());
    it.initial(lpts.initial());
    it.extend_alphabet(lpts.alphabet().iter().map(|l| system.observe(*l)));
    for state in 0..lpts.states() as State {
        for choice in lpts.choices(state) {
            let dist = it.store().insert(lpts.dist(choice.dist));
            it.choice_of(state, system.observe(choice.label), dist);
        }
    }
    for (number, states) in lpts.propositions() {
        it.proposition(*number, states.clone());
    }
    it.build()
}

/// The composed system.
pub fn whole(system: &System) -> Lpts {
    compose(
        "whole",
        &system.parts(),
        &SizeLimits::default(),
        &mut |_| Ok(()),
    )
    .expect("it is small")
    .lpts
}

/// A system with a specification that often holds.
pub fn random_system(rng: &mut Rng, components: usize, most: usize) -> (System, Lpts) {
    let mut shape = LptsShape::any(rng);
    shape.states = (most.div_ceil(2), most);
    shape.propositions = 0;
    shape.choices = (1, shape.choices.1.max(2));
    if shape.weight > 10 {
        shape.weight = 1 << 20;
    }
    let names = rng.between(1, 4);
    let mut labels = Labels::new();
    for name in 1..=names + 1 {
        labels.intern(&format!("a{name}"));
    }
    let mut system = System::new("random", labels);
    for _ in 0..components {
        let lpts = component(rng, &shape, names);
        let members = Vec::new();
        system.components.push(Component { lpts, members });
    }
    if rng.percent(30) {
        for _ in 0..rng.between(1, 3) {
            let label = Label(rng.between(1, names) as u32);
            system.observe_as(label, Label(rng.between(0, names + 1) as u32));
        }
    }
    let seen = observed(&whole(&system), &system);
    let spec = match rng.below(20) {
        0 => random_lpts(rng, &shape),
        1..6 => cut(rng, &seen),
        6..8 => relative(rng, &shape, &seen),
        8..19 => {
            let merged = merge(rng, &seen);
            match rng.below(3) {
                0 => merged,
                1 => cut(rng, &merged),
                _ => relative(rng, &shape, &merged),
            }
        }
        _ => seen,
    };
    (system, spec)
}

/// Merges some states into others, few as often as many.
fn merge(rng: &mut Rng, lpts: &Lpts) -> Lpts {
    let mut class_of: Vec<u32> = (0..lpts.states() as u32).collect();
    for _ in 0..rng.between(1, 2 * lpts.states()) {
        let (one, other) = (rng.below(lpts.states()), rng.below(lpts.states()));
        let (one, other) = (class_of[one], class_of[other]);
        class_of
            .iter_mut()
            .filter(|c| **c == one)
            .for_each(|c| *c = other);
        if rng.percent(15) {
            break;
        }
    }
    quotient(lpts, &class_of, lpts.states())
}

/// The same without some choices, which may matter or not.
fn cut(rng: &mut Rng, lpts: &Lpts) -> Lpts {
    let mut it = LptsBuilder::new("cut");
    it.states(lpts.states());
    it.initial(lpts.initial());
    it.extend_alphabet(lpts.alphabet().iter().copied());
    let lost = rng.below(lpts.all_choices().len().max(1));
    for state in 0..lpts.states() as State {
        for number in lpts.choice_range(state) {
            let choice = lpts.all_choices()[number];
            if number != lost && !rng.percent(3) {
                let dist = it.store().insert(lpts.dist(choice.dist));
                it.choice_of(state, choice.label, dist);
            }
        }
    }
    it.build()
}

/// The verdict of the definition.
pub fn conforms(system: &System, spec: &Lpts) -> bool {
    let all = whole(system);
    let related = naive_simulation_by(&all, spec, &system.observed, flow_exists);
    related[all.initial() as usize][spec.initial() as usize]
}

/// The verdict, after its evidence has been checked; none if undecided for lack of rounds or time.
pub fn verdict(system: &System, spec: &Lpts, answer: &ConformanceAnswer) -> Option<bool> {
    use suppose_certify::mdp::{check_certificate, check_counterexample};
    match &answer.verdict {
        ConformanceVerdict::Holds(certificate) => {
            check_certificate(system, spec, certificate, &free()).expect("a proof");
            Some(true)
        }
        ConformanceVerdict::Violated(found) => {
            check_counterexample(system, spec, found, &free()).expect("a counterexample");
            Some(false)
        }
        ConformanceVerdict::Unknown(Reason::Iterations | Reason::Timeout) => None,
        ConformanceVerdict::Unknown(why) => panic!("{why:?}"),
    }
}
