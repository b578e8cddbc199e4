//! How large a model is, counted as PRISM and Storm count.

use suppose_number::Int;

use super::explore::{Bounds, OnFault, Sink, explore};
use super::initial::initial_states;
use super::machine::{Joint, Machine};
use super::resolved::Resolved;
use super::{Exploration, ExplorationError, ModelType, PrismModel};

/// The size of a model. As in Storm, a deadlock is given a choice that stays where it is, and counts with it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Reachable states.
    pub states: usize,
    /// Initial ones among them.
    pub initial: usize,
    /// Choices: enabled commands, or combinations of them; one for each state of a `dtmc`.
    pub choices: usize,
    /// Branches of all choices; those of one choice to the same state are one.
    pub transitions: usize,
    /// States where no command is enabled.
    pub deadlocks: usize,
}

struct Counter {
    ty: ModelType,
    counts: Counts,
    /// Targets of all choices of the present state of a `dtmc`.
    merged: Vec<u32>,
}

impl Sink for Counter {
    fn choice(&mut self, _: u32, _: Option<u32>, targets: &mut Vec<(u32, Int)>) {
        if self.ty == ModelType::Dtmc {
            self.merged.extend(targets.iter().map(|t| t.0));
            return;
        }
        self.counts.choices += 1;
        if targets.len() > 1 {
            targets.sort_unstable_by_key(|t| t.0);
            targets.dedup_by_key(|t| t.0);
        }
        self.counts.transitions += targets.len();
    }

    fn state(&mut self, _: u32, count: usize) {
        self.counts.states += 1;
        if count == 0 {
            self.counts.deadlocks += 1;
            self.counts.choices += 1;
            self.counts.transitions += 1;
        } else if self.ty == ModelType::Dtmc {
            self.merged.sort_unstable();
            self.merged.dedup();
            self.counts.choices += 1;
            self.counts.transitions += self.merged.len();
            self.merged.clear();
        }
    }

    fn branches(&self) -> usize {
        self.counts.transitions
    }
}

/// A machine of the whole model; the label of a joint action is its vector's number.
pub(super) fn whole_machine(model: &Resolved) -> Machine<'_> {
    let modules: Vec<usize> = (0..model.modules.len()).collect();
    let variables: Vec<u32> = (0..model.variables.len() as u32).collect();
    let joints = model
        .vectors
        .iter()
        .enumerate()
        .map(|(number, vector)| Joint {
            label: number as u32,
            parts: vector.parts.clone(),
        });
    Machine::new(model, &modules, &variables, joints.collect())
}

impl PrismModel {
    /// Explores the whole model and counts. Several initial states are explored together.
    pub fn count(&self, how: &Exploration<'_>) -> Result<Counts, ExplorationError> {
        let model = &self.resolved;
        let states = initial_states(model, how.limits.states, how.stop)?;
        let mut machine = whole_machine(model);
        let initial: Vec<Vec<u64>> = states.iter().map(|s| machine.pack(s)).collect();
        let mut counter = Counter {
            ty: model.ty,
            counts: Counts::default(),
            merged: Vec::new(),
        };
        let bounds = Bounds {
            limits: how.limits,
            stop: how.stop,
            on_fault: OnFault::Refuse,
            what: "the model",
        };
        explore(model, &mut machine, &initial, &bounds, &mut counter)?;
        counter.counts.initial = states.len();
        Ok(counter.counts)
    }
}
