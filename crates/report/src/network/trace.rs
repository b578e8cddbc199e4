//! A counterexample step by step: who took part, and what changed.

use suppose_model::lts::{Label, Network};
use suppose_model::{Claim, Counterexample, Lasso};

use crate::{block, words};

/// One step, with names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Move {
    /// From 1.
    pub number: usize,
    /// The action, for people.
    pub label: String,
    /// Numbers of the components that took part.
    pub participants: Vec<usize>,
    /// What changed, by component.
    pub changes: Vec<Change>,
}

/// A component that changed its state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Change {
    /// Its number.
    pub component: usize,
    /// The state before.
    pub from: String,
    /// The state after.
    pub to: String,
}

impl Change {
    /// With the component's name.
    pub fn named(&self, network: &Network) -> block::Change {
        block::Change {
            name: words::component_name(network, self.component),
            from: self.from.clone(),
            to: self.to.clone(),
        }
    }
}

/// A counterexample with names. Built so that nothing in it can be out of range, whatever the
/// engine handed over.
pub(super) struct Trace {
    /// The steps.
    pub moves: Vec<Move>,
    /// Numbers of the components that take part in any step, in order.
    pub actors: Vec<usize>,
    /// The numbers of the states of every component, before the first step and after each.
    states: Vec<Vec<u32>>,
}

impl Trace {
    /// Reads it off.
    pub fn new(network: &Network, counterexample: &Counterexample) -> Trace {
        let sharing = network.participants();
        let width = network.components.len();
        let initial = network.components.iter().map(|c| c.lts.initial());
        let mut states = vec![initial.collect::<Vec<_>>()];
        let mut moves = Vec::with_capacity(counterexample.steps.len());
        let mut acts = vec![false; width];
        for (at, step) in counterexample.steps.iter().enumerate() {
            let before = &states[at];
            let after: Vec<u32> = (0..width)
                .map(|c| step.states.get(c).copied().unwrap_or(before[c]))
                .collect();
            let changed: Vec<usize> = (0..width).filter(|c| before[*c] != after[*c]).collect();
            let participants = participants(&sharing, step.label, &changed);
            for actor in participants.iter().chain(&changed) {
                acts[*actor] = true;
            }
            let change = |c: usize| Change {
                component: c,
                from: words::state_name(network, c, before[c]),
                to: words::state_name(network, c, after[c]),
            };
            moves.push(Move {
                number: at + 1,
                label: words::label_name(&network.labels, step.label),
                changes: changed.iter().map(|c| change(*c)).collect(),
                participants,
            });
            states.push(after);
        }
        let actors = (0..width).filter(|c| acts[*c]).collect();
        Trace {
            moves,
            actors,
            states,
        }
    }

    /// The state of a component after `steps` steps.
    pub fn state(&self, network: &Network, steps: usize, component: usize) -> String {
        let number = self.states.get(steps).and_then(|s| s.get(component));
        words::state_name(network, component, number.copied().unwrap_or(0))
    }
}

fn participants(sharing: &[Vec<usize>], label: Label, changed: &[usize]) -> Vec<usize> {
    match sharing.get(label.index()) {
        Some(sharing) if !label.is_tau() && !sharing.is_empty() => sharing.clone(),
        _ => changed.to_vec(),
    }
}

/// What is wrong at the end of a counterexample, in a sentence without full stop.
pub(super) fn ending(network: &Network, found: &Counterexample) -> String {
    let (claim, steps) = (found.claim, found.steps.len());
    match claim {
        Claim::Liveness(_) => around(found),
        Claim::DeadlockFree if steps == 0 => "no step is possible at all".to_owned(),
        Claim::DeadlockFree => {
            format!(
                "no step is possible after step {}",
                words::grouped(steps as u64)
            )
        }
        Claim::Property(_) if steps == 0 => "violated at the start".to_owned(),
        Claim::Property(_) => format!(
            "step {} is not allowed by {}",
            words::grouped(steps as u64),
            words::shown(&words::claim_name(network, claim))
        ),
    }
}

/// What a run against a liveness claim repeats for ever.
fn around(found: &Counterexample) -> String {
    let steps = words::grouped(found.steps.len() as u64);
    let is_open = |lasso: &Lasso| lasso.terminal.is_none() && lasso.cycle == found.steps.len();
    match found.lasso.as_deref() {
        None => "violated".to_owned(),
        Some(lasso) if lasso.cycle < found.steps.len() => {
            match words::grouped(lasso.cycle as u64 + 1) {
                first if first == steps => format!("step {steps} is repeated for ever"),
                first => format!("steps {first} to {steps} are repeated for ever"),
            }
        }
        Some(lasso) if is_open(lasso) && found.steps.is_empty() => {
            "violated at the start".to_owned()
        }
        Some(lasso) if is_open(lasso) => format!("violated after step {steps}, whatever follows"),
        Some(_) if found.steps.is_empty() => "nothing ever happens".to_owned(),
        Some(_) => format!("nothing happens after step {steps}"),
    }
}

/// Why a run that is repeated for ever is not unfair.
pub(super) fn remark(found: &Counterexample) -> Option<String> {
    let terminal = found.lasso.as_ref()?.terminal.as_ref()?;
    Some(match terminal.vectors.len() {
        1 => "no choice leads out of there, so fair choice does not help".to_owned(),
        states => format!(
            "no choice leads out of these {} states, so fair choice does not help",
            words::grouped(states as u64)
        ),
    })
}
