//! What all engines have in common: groups that make sense, answers, counterexamples made small.

use std::time::Instant;

use suppose_control::{Context, Event, Stopped};
use suppose_model::mdp::{Certificate, Counterexample, Lpts, Relation, System, Whole};
use suppose_model::{Reason, Run};
use suppose_refine::Refined;

use crate::product::build;
use crate::simulation::{Simulation, simulate};
use crate::{ConformanceAnswer, ConformanceVerdict};

/// Why an engine gave up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Failure {
    /// It was told to stop.
    Stopped(Stopped),
    /// A bug.
    Bug(String),
    /// It was asked for what it does not do.
    Unsupported(String),
}

impl From<Stopped> for Failure {
    fn from(stopped: Stopped) -> Self {
        Failure::Stopped(stopped)
    }
}

impl From<Failure> for Reason {
    fn from(failure: Failure) -> Reason {
        match failure {
            Failure::Stopped(stopped) => stopped.into(),
            Failure::Bug(what) => Reason::Internal(what),
            Failure::Unsupported(what) => Reason::Unsupported(what),
        }
    }
}

/// An answer from a verdict or a failure.
pub(crate) fn answer(
    started: Instant,
    verdict: Result<ConformanceVerdict, Failure>,
    mut run: Run,
) -> ConformanceAnswer {
    run.elapsed = started.elapsed();
    let verdict = verdict.unwrap_or_else(|failure| ConformanceVerdict::Unknown(failure.into()));
    ConformanceAnswer { verdict, run }
}

/// Runs an engine on all components, composed.
pub(crate) fn on_whole(
    system: &System,
    cx: &Context,
    check: impl FnOnce(&[&Lpts], &Whole, &mut Run) -> Result<ConformanceVerdict, Failure>,
) -> ConformanceAnswer {
    let started = Instant::now();
    let mut run = Run {
        groups: vec![(0..system.components.len()).collect()],
        ..Run::default()
    };
    cx.emit(Event::Phase("composing".to_owned()));
    let parts = system.parts();
    let whole = build(&system.name, &parts, &mut run, cx);
    let verdict = match whole {
        Ok(whole) => check(&parts, &whole, &mut run),
        Err(stopped) => Err(stopped.into()),
    };
    answer(started, verdict, run)
}

/// The certificate of one premise without assumptions.
pub(crate) fn one_premise(run: &Run, premise: Relation) -> ConformanceVerdict {
    ConformanceVerdict::Holds(Box::new(Certificate {
        groups: run.groups.clone(),
        assumptions: Vec::new(),
        premises: vec![premise],
    }))
}

/// Checks that every component is in exactly one group.
pub(crate) fn cover(system: &System, groups: &[Vec<usize>]) -> Result<(), Failure> {
    let mut all = groups.concat();
    all.sort_unstable();
    if all.iter().copied().eq(0..system.components.len()) {
        return Ok(());
    }
    let what = "every component must be in exactly one group".to_owned();
    Err(Failure::Unsupported(what))
}

/// The end of a refinement that did not hold.
pub(crate) fn violation(
    outcome: Refined<Counterexample>,
    system: &System,
    spec: &Lpts,
    cx: &Context,
) -> Result<ConformanceVerdict, Failure> {
    match outcome {
        Refined::Fails(found) => {
            let small = reduce(found, system, spec, cx)?;
            Ok(ConformanceVerdict::Violated(Box::new(small)))
        }
        Refined::Stuck(why) => Err(Failure::Bug(why)),
        Refined::Holds => Err(Failure::Bug("there is no proof".to_owned())),
    }
}

/// What of a behaviour is needed to show that the specification does not simulate it. It was put together from pieces, some of
/// which may have become idle; this also makes sure of it.
pub(crate) fn reduce(
    found: Counterexample,
    system: &System,
    spec: &Lpts,
    cx: &Context,
) -> Result<Counterexample, Failure> {
    match simulate(&found.tree, spec, &system.observed, cx)? {
        Simulation::Fails(tree) => {
            Ok(tree.counterexample(|node| found.states[node as usize].clone()))
        }
        Simulation::Holds(_) => Err(Failure::Bug("a counterexample conforms".to_owned())),
    }
}
