//! What the states and choices of a model earn, computed while it is explored.
//!
//! A reward for an action counts once for a choice, however many modules act together; a choice of a `dtmc` that is drawn among several commands
//! earns the mean of theirs.

use rustc_hash::FxHashMap;
use suppose_model::lts::{Label, Labels};
use suppose_model::markov::Rewards;
use suppose_number::{Int, Rat};
use suppose_source::Diagnostic;

use super::Failure;
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

/// Numbers that are kept once.
#[derive(Default)]
struct Distinct {
    list: Vec<Rat>,
    index: FxHashMap<Rat, u32>,
}

impl Distinct {
    fn number(&mut self, value: Rat) -> u32 {
        if let Some(number) = self.index.get(&value) {
            return *number;
        }
        let number = self.list.len() as u32;
        self.list.push(value.clone());
        self.index.insert(value, number);
        number
    }
}

/// All reward structures of a model.
pub(super) struct Earning {
    items: Vec<Item>,
    asked: bool,
    distinct: Vec<Distinct>,
    /// By structure, by state.
    states: Vec<Vec<u32>>,
    /// What actions earn in the present state: structure, label, how much.
    present: Vec<(usize, Label, Rat)>,
    /// What choices earn, by the number they are known by: for every structure one of its numbers.
    tags: Vec<Vec<u32>>,
    tag_of: FxHashMap<Vec<u32>, u32>,
}

impl Earning {
    /// What goes wrong matters only if somebody asks.
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
        let count = model.rewards.len();
        let mut distinct: Vec<Distinct> = Vec::new();
        for _ in 0..count {
            let mut none = Distinct::default();
            none.number(Rat::ZERO);
            distinct.push(none);
        }
        Earning {
            items,
            asked,
            distinct,
            states: vec![Vec::new(); count],
            present: Vec::new(),
            tags: Vec::new(),
            tag_of: FxHashMap::default(),
        }
    }

    /// A new state: what it earns, and what actions earn in it.
    pub(super) fn state(&mut self, values: &[i64]) -> Result<(), Failure> {
        self.present.clear();
        let mut sums = vec![Rat::ZERO; self.distinct.len()];
        for item in &self.items {
            let earned = match item.earned(values) {
                Ok(Some(earned)) => earned,
                Ok(None) => continue,
                Err(it) if self.asked => return Err(Failure::Invalid(vec![it])),
                Err(_) => continue,
            };
            match item.label {
                None => sums[item.structure] += &earned,
                Some(label) => self.present.push((item.structure, label, earned)),
            }
        }
        for (structure, sum) in sums.into_iter().enumerate() {
            let number = self.distinct[structure].number(sum);
            self.states[structure].push(number);
        }
        Ok(())
    }

    /// The number of a choice of the present state that is drawn among these labels.
    pub(super) fn choice(&mut self, drawn: &[Label]) -> u32 {
        let mut all = Vec::with_capacity(self.distinct.len());
        for (structure, distinct) in self.distinct.iter_mut().enumerate() {
            let mut sum = Rat::ZERO;
            for (of, label, earned) in &self.present {
                let times = drawn.iter().filter(|l| *l == label).count();
                if *of == structure && times > 0 {
                    sum.add_product(earned, &Rat::from(times as i64));
                }
            }
            if drawn.len() > 1 {
                sum = &sum / &Rat::from(Int::from(drawn.len() as i64));
            }
            all.push(distinct.number(sum));
        }
        if let Some(tag) = self.tag_of.get(&all) {
            return *tag;
        }
        let tag = self.tags.len() as u32;
        self.tags.push(all.clone());
        self.tag_of.insert(all, tag);
        tag
    }

    /// The reward structures of a system with choices of these numbers.
    pub(super) fn finish(self, tags: &[u32]) -> Vec<Rewards> {
        let Earning {
            distinct,
            states,
            tags: known,
            ..
        } = self;
        let all = distinct.into_iter().zip(states).enumerate();
        all.map(|(structure, (distinct, states))| Rewards {
            number: structure as u32,
            distinct: distinct.list,
            states,
            choices: tags
                .iter()
                .map(|tag| known[*tag as usize][structure])
                .collect(),
        })
        .collect()
    }
}
