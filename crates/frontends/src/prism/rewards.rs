//! What the states and choices of a model earn, computed while it is explored.
//!
//! A reward for an action counts once for a choice, however many modules act together; a choice of a `dtmc` that is drawn among several commands
//! earns the mean of theirs.

use suppose_model::lts::{Label, Labels};
use suppose_model::mdp::{Rewards, RewardsBuilder};
use suppose_number::{Int, Rat};
use suppose_source::Diagnostic;

use super::ExplorationError;
use super::code::Guard;
use super::lower::intern_action;
use super::resolved::{EarnerInfo, Resolved};
use super::term::{Term, TermKind};
use super::value;

/// One line of a reward structure.
struct Item {
    structure: usize,
    /// None: for being in the state.
    label: Option<Label>,
    guard: Guard,
    value: Term,
    /// The value, if no state decides it.
    fixed: Option<Rat>,
}

impl Item {
    /// What is earned in a state; none if the condition is not true there.
    fn earned(&self, values: &[i64]) -> Result<Option<Rat>, Diagnostic> {
        if !self
            .guard
            .holds(values)
            .map_err(|fault| fault.diagnostic())?
        {
            return Ok(None);
        }
        let earned = match &self.fixed {
            Some(earned) => earned.clone(),
            None => {
                let state = |v: u32| values.get(v as usize).copied();
                let number = value::number(&self.value, &state);
                number.map_err(|fault| fault.diagnostic())?
            }
        };
        match earned.is_negative() {
            false => Ok(Some(earned)),
            true => {
                let message = format!("the reward {earned} is negative");
                let it = Diagnostic::error(self.value.span, message);
                Err(it.label("expected at least 0"))
            }
        }
    }
}

/// All reward structures of a model.
pub(super) struct Earning {
    items: Vec<Item>,
    asked: bool,
    built: RewardsBuilder,
    /// What actions earn in the present state: structure, label, how much.
    present: Vec<(usize, Label, Rat)>,
}

impl Earning {
    /// An error in a reward matters only if a property uses it.
    pub(super) fn new(model: &Resolved, labels: &mut Labels, asked: bool) -> Earning {
        let range = |v: u32| {
            let info = &model.variables[v as usize];
            (info.low, info.high)
        };
        let mut items = Vec::new();
        for (structure, info) in model.rewards.iter().enumerate() {
            for item in &info.items {
                let label = match &item.earner {
                    EarnerInfo::State => None,
                    EarnerInfo::Silent => Some(Label::TAU),
                    EarnerInfo::Action(name) => Some(intern_action(labels, name)),
                };
                let fixed = match &item.value.kind {
                    TermKind::Int(n) => Some(Rat::from(*n)),
                    TermKind::Real(r) => Some((**r).clone()),
                    _ => None,
                };
                items.push(Item {
                    structure,
                    label,
                    guard: Guard::new(&item.guard, &range),
                    value: item.value.clone(),
                    fixed,
                });
            }
        }
        Earning {
            items,
            asked,
            built: RewardsBuilder::new(model.rewards.len()),
            present: Vec::new(),
        }
    }

    /// A new state: what it earns, and what actions earn in it.
    pub(super) fn state(&mut self, values: &[i64]) -> Result<(), ExplorationError> {
        self.present.clear();
        let mut sums = vec![Rat::ZERO; self.built.structures()];
        for item in &self.items {
            let earned = match item.earned(values) {
                Ok(Some(earned)) => earned,
                Ok(None) => continue,
                Err(it) if self.asked => return Err(ExplorationError::Invalid(vec![it])),
                Err(_) => continue,
            };
            match item.label {
                None => sums[item.structure] += &earned,
                Some(label) => self.present.push((item.structure, label, earned)),
            }
        }
        self.built.state(sums);
        Ok(())
    }

    /// The number of a choice of the present state that is drawn among these labels.
    pub(super) fn choice(&mut self, drawn: &[Label]) -> u32 {
        let present = &self.present;
        let mean = |structure: usize| {
            let mut sum = Rat::ZERO;
            for (of, label, earned) in present {
                let times = drawn.iter().filter(|l| *l == label).count();
                if *of == structure && times > 0 {
                    sum.add_product(earned, &Rat::from(times as i64));
                }
            }
            match drawn.len() {
                0 | 1 => sum,
                many => &sum / &Rat::from(Int::from(many as i64)),
            }
        };
        let structures = 0..self.built.structures();
        self.built.choice(structures.map(mean))
    }

    /// The reward structures of a system with choices of these numbers.
    pub(super) fn finish(self, tags: &[u32]) -> Vec<Rewards> {
        self.built.finish(tags)
    }
}
