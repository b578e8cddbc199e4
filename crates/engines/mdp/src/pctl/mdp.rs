//! A system as a decision process: choices with numbers, who leads where, and what leads here.

use fixedbitset::FixedBitSet;
use suppose_control::{Context, Stopped};
use suppose_model::mdp::{Dist, Lpts, State, Weights};
use suppose_number::Rat;

use super::graph::POLL;
use super::number::to_float;

/// Lists of numbers, one after another.
#[derive(Debug, Default)]
pub(super) struct Lists {
    starts: Vec<u32>,
    items: Vec<u32>,
}

impl Lists {
    /// From pairs of the number of a list and an item of it, visited twice in the same order.
    pub fn new(lists: usize, mut visit: impl FnMut(&mut dyn FnMut(u32, u32))) -> Self {
        let mut starts = vec![0u32; lists + 1];
        visit(&mut |list, _| starts[list as usize + 1] += 1);
        for at in 1..starts.len() {
            starts[at] += starts[at - 1];
        }
        let mut items = vec![0; starts[lists] as usize];
        let mut place = starts.clone();
        visit(&mut |list, item| {
            items[place[list as usize] as usize] = item;
            place[list as usize] += 1;
        });
        Lists { starts, items }
    }

    pub fn of(&self, list: u32) -> &[u32] {
        &self.items[self.starts[list as usize] as usize..self.starts[list as usize + 1] as usize]
    }
}

/// A system with what the algorithms on it need.
pub(super) struct Mdp<'a> {
    pub lpts: &'a Lpts,
    /// For each distribution of the store the probabilities of its targets, about.
    about: Vec<f64>,
    begins: Vec<u32>,
    /// For each state the choices (over all states) that may lead there.
    incoming: Lists,
    /// The state of each choice.
    owner: Vec<State>,
}

impl<'a> Mdp<'a> {
    pub fn new(lpts: &'a Lpts, cx: &Context) -> Result<Self, Stopped> {
        let store = lpts.distributions();
        let mut about = Vec::with_capacity(store.entries());
        let mut begins = vec![0];
        for id in 0..store.len() {
            if id % POLL == 0 {
                cx.check()?;
            }
            let dist = store.get(suppose_model::mdp::DistId(id as u32));
            match dist.weights() {
                Weights::Small(weights) => {
                    let total: u64 = weights.iter().sum();
                    about.extend(weights.iter().map(|w| *w as f64 / total as f64));
                }
                Weights::Big(_) => {
                    about.extend(dist.probabilities().map(|(_, p)| to_float(&p)));
                }
            }
            begins.push(about.len() as u32);
        }
        cx.check()?;
        let mut owner = vec![0; lpts.all_choices().len()];
        for state in 0..lpts.states() as State {
            owner[lpts.choice_range(state)].fill(state);
        }
        let incoming = Lists::new(lpts.states(), |put| {
            for (choice, of) in lpts.all_choices().iter().enumerate() {
                let targets = lpts.dist(of.dist).targets().iter();
                targets.for_each(|target| put(*target, choice as u32));
            }
        });
        cx.check()?;
        Ok(Mdp {
            lpts,
            about,
            begins,
            incoming,
            owner,
        })
    }

    pub fn states(&self) -> usize {
        self.lpts.states()
    }

    /// The choices of a state, by their numbers over all states.
    pub fn choices(&self, state: State) -> std::ops::Range<usize> {
        self.lpts.choice_range(state)
    }

    pub fn owner(&self, choice: usize) -> State {
        self.owner[choice]
    }

    pub fn incoming(&self, state: State) -> &[u32] {
        self.incoming.of(state)
    }

    pub fn dist(&self, choice: usize) -> Dist<'a> {
        self.lpts.dist(self.lpts.all_choices()[choice].dist)
    }

    pub fn targets(&self, choice: usize) -> &'a [State] {
        self.dist(choice).targets()
    }

    /// Targets and about their probabilities.
    pub fn about(&self, choice: usize) -> impl Iterator<Item = (State, f64)> + '_ {
        let id = self.lpts.all_choices()[choice].dist.index();
        let range = self.begins[id] as usize..self.begins[id + 1] as usize;
        let targets = self.targets(choice).iter().copied();
        targets.zip(self.about[range].iter().copied())
    }

    /// The expectation of numbers after a choice.
    pub fn expected(&self, choice: usize, values: &[Rat]) -> Rat {
        expected(self.dist(choice), |state| &values[state as usize])
    }
}

/// The expectation of numbers under a distribution.
pub(super) fn expected<'v>(dist: Dist<'_>, value: impl Fn(State) -> &'v Rat) -> Rat {
    if let Some(only) = dist.dirac() {
        return value(only).clone();
    }
    let mut sum = Rat::ZERO;
    for (at, target) in dist.targets().iter().enumerate() {
        sum.add_product(&Rat::from(dist.weight(at)), value(*target));
    }
    &sum / &Rat::from(dist.total())
}

/// The states for which it is true.
pub(super) fn states_where(count: usize, mut truth: impl FnMut(State) -> bool) -> FixedBitSet {
    let mut set = FixedBitSet::with_capacity(count);
    for state in 0..count {
        set.set(state, truth(state as State));
    }
    set
}
