//! Liveness in parts.
//!
//! What is left of the system after the steps is decided like any other ([`crate::liveness`]). A run of it that violates the claim is translated into one
//! of the components. About all runs, that run is followed until it repeats itself; about fair choice it leads to where the system itself
//! is explored, since the evidence is a set of its states that no step leaves.

use std::collections::BTreeMap;
use std::time::Instant;

use suppose_control::Context;
use suppose_model::lts::{Component, ComponentKind, Fairness, Label, Liveness, Lts, Network};
use suppose_model::{Answer, Claim, Counterexample, Lasso, Reason, Run, Verdict};

use super::run::Lifting;
use super::{Forest, proof};
use crate::liveness;

/// So often the cycle of a run of the parts is followed until the components repeat their states.
const TURNS: usize = 10_000;

/// Why no claim about liveness can be decided in parts of this system, if so.
pub fn is_indivisible(network: &Network) -> Option<&'static str> {
    if network.priority.is_some() {
        return Some("with priority, the parts do not determine the whole");
    }
    (!network.errors.is_empty()).then_some("a process that reaches ERROR stops all others")
}

/// Why this claim cannot be decided in parts, if so.
pub fn unsuitable(network: &Network, number: usize) -> Option<&'static str> {
    let ignores = network.liveness[number].ignores_foreign_steps();
    let why = "the formula may depend on steps that it does not speak of";
    is_indivisible(network).or((!ignores).then_some(why))
}

/// Decides a claim about liveness in parts.
pub fn check(network: &Network, number: usize, cx: &Context) -> Answer {
    let begun = Instant::now();
    let claim = Claim::Liveness(number);
    let mut run = Run::default();
    let verdict = match unsuitable(network, number) {
        Some(why) => Verdict::Unknown(Reason::Unsupported(why.to_owned())),
        None => decide(network, number, &mut run, cx).unwrap_or_else(Verdict::Unknown),
    };
    run.elapsed = begun.elapsed();
    Answer {
        claim,
        engine: "minimise".to_owned(),
        verdict,
        run,
    }
}

fn decide(
    network: &Network,
    number: usize,
    run: &mut Run,
    cx: &Context,
) -> Result<Verdict, Reason> {
    let claim = &network.liveness[number];
    let mut forest = Forest::new(network, Some(claim));
    let mut explore = |forest: &Forest, run: &mut Run, cx: &Context| {
        let rest = rest(forest, claim);
        let answer = liveness::check(&rest, 0, cx);
        run.states += answer.run.states;
        run.transitions += answer.run.transitions;
        run.largest = run.largest.max(answer.run.states);
        match answer.verdict {
            Verdict::Unknown(reason) => Err(reason),
            verdict => Ok(verdict),
        }
    };
    let found = forest.reduce(run, cx, &mut explore)?;
    let lost = |what: &str| Reason::Internal(format!("{what} of the parts is none of the whole"));
    match found {
        Verdict::Holds(certificate) => {
            let rest = certificate.liveness.ok_or_else(|| lost("a proof"))?;
            let claim = Claim::Liveness(number);
            let certificate = proof::of_liveness(&forest, claim, *rest);
            Ok(Verdict::Holds(Box::new(certificate)))
        }
        Verdict::Violated(example) if claim.fairness == Fairness::None => {
            let whole = repeated(&forest, number, &example);
            whole.map(Verdict::Violated).ok_or_else(|| lost("a run"))
        }
        Verdict::Violated(example) => {
            let cycle = example.lasso.as_ref().map_or(0, |l| l.cycle);
            let stem = along(&forest, &example, cycle).ok_or_else(|| lost("a run"))?;
            from_there(network, number, stem, run, cx)
        }
        Verdict::Unknown(reason) => Err(reason),
    }
}

/// What is left, as a system. Labels that have gone cannot happen; those that no process had may still happen at any time.
fn rest(forest: &Forest, claim: &Liveness) -> Network {
    let network = forest.network;
    let component = |lts: &Lts| Component {
        lts: lts.clone(),
        kind: ComponentKind::Process,
    };
    let free = network.free_labels();
    let is_kept = |l: Label| {
        free.binary_search(&l).is_ok() || forest.items.iter().any(|i| i.lts.has_label(l))
    };
    Network {
        name: network.name.clone(),
        labels: network.labels.clone(),
        components: forest.items.iter().map(|i| component(&i.lts)).collect(),
        liveness: vec![claim.without(|l| !is_kept(l))],
        ..Network::default()
    }
}

/// The components after the first steps of a run of the parts.
fn along<'a>(
    forest: &'a Forest<'a>,
    example: &Counterexample,
    steps: usize,
) -> Option<Lifting<'a>> {
    let mut lifting = Lifting::new(forest);
    for step in &example.steps[..steps] {
        lifting.step(step.label, &step.states)?;
    }
    Some(lifting)
}

/// The run of the components beside one of the parts that repeats itself.
fn repeated(forest: &Forest, number: usize, example: &Counterexample) -> Option<Counterexample> {
    let claim = Claim::Liveness(number);
    let cycle = example.lasso.as_ref()?.cycle;
    let mut lifting = along(forest, example, cycle)?;
    let stops = cycle == example.steps.len();
    if stops && has_stopped(forest, example) {
        lifting.stop()?;
    }
    let mut seen = BTreeMap::new();
    let mut turns = 0;
    let cycle = loop {
        if stops {
            break lifting.moves.len();
        }
        if let Some(before) = seen.insert(lifting.states.clone(), lifting.moves.len()) {
            break before;
        }
        for step in &example.steps[cycle..] {
            lifting.step(step.label, &step.states)?;
        }
        turns += 1;
        if turns > TURNS {
            return None;
        }
    };
    Some(Counterexample {
        claim,
        steps: lifting.moves,
        lasso: Some(Box::new(Lasso {
            cycle,
            terminal: None,
        })),
    })
}

/// Can nothing happen any more at the end of a run of the parts? Otherwise its beginning violates the claim.
fn has_stopped(forest: &Forest, example: &Counterexample) -> bool {
    let initial: Vec<u32> = forest.items.iter().map(|i| i.lts.initial()).collect();
    let states = example.steps.last().map_or(&initial, |s| &s.states);
    let can = |label: Label| {
        let mut having = forest.items.iter().zip(states);
        having.all(|(i, s)| !i.lts.has_label(label) || !i.lts.successors(*s, label).is_empty())
    };
    let mut edges = forest
        .items
        .iter()
        .zip(states)
        .flat_map(|(i, s)| i.lts.edges(*s));
    !edges.any(|e| e.label.is_tau() || can(e.label))
}

/// The evidence is looked for from the states that a run leads to.
fn from_there(
    network: &Network,
    number: usize,
    stem: Lifting,
    run: &mut Run,
    cx: &Context,
) -> Result<Verdict, Reason> {
    let labels: Vec<Label> = stem.moves.iter().map(|m| m.label).collect();
    let claim = liveness::after(network, number, &labels);
    let claim = claim.ok_or_else(|| Reason::Unsupported("its formula is too large".to_owned()))?;
    let mut there = network.clone();
    for (component, state) in there.components.iter_mut().zip(&stem.states) {
        component.lts = component.lts.clone().beginning_at(*state);
    }
    there.liveness = vec![claim];
    let answer = liveness::check(&there, 0, cx);
    run.states += answer.run.states;
    run.transitions += answer.run.transitions;
    run.largest = run.largest.max(answer.run.states);
    match answer.verdict {
        Verdict::Violated(mut found) => {
            found.claim = Claim::Liveness(number);
            let steps = stem.moves.len();
            if let Some(lasso) = &mut found.lasso {
                lasso.cycle += steps;
            }
            found.steps = stem.moves.into_iter().chain(found.steps).collect();
            Ok(Verdict::Violated(found))
        }
        Verdict::Holds(_) => {
            let why = "the parts violate the claim, and the whole does not";
            Err(Reason::Internal(why.to_owned()))
        }
        Verdict::Unknown(reason) => Err(reason),
    }
}
