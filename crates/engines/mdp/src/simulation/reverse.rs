//! From a state back to the choices that can lead to it.

use suppose_model::lts::State;
use suppose_model::mdp::Lpts;

/// Lists of numbers, one after another.
#[derive(Clone, Debug, Default)]
struct Lists {
    starts: Vec<u32>,
    items: Vec<u32>,
}

impl Lists {
    /// `visit` is called twice and must say the same pairs of a list and an item.
    fn new(count: usize, visit: impl Fn(&mut dyn FnMut(usize, u32))) -> Self {
        let mut starts = vec![0u32; count + 1];
        visit(&mut |list, _| starts[list + 1] += 1);
        for at in 1..starts.len() {
            starts[at] += starts[at - 1];
        }
        let mut ends = starts.clone();
        let mut items = vec![0; starts[count] as usize];
        visit(&mut |list, item| {
            items[ends[list] as usize] = item;
            ends[list] += 1;
        });
        Lists { starts, items }
    }

    fn get(&self, list: usize) -> &[u32] {
        &self.items[self.starts[list] as usize..self.starts[list + 1] as usize]
    }
}

/// The choices that can lead to a state, by way of the distributions.
#[derive(Clone, Debug)]
pub(crate) struct Reverse {
    /// For a state the distributions that lead to it.
    dists: Lists,
    /// For a distribution the choices that have it.
    choices: Lists,
    /// For a choice its state.
    states: Vec<State>,
}

impl Reverse {
    pub(crate) fn new(lpts: &Lpts) -> Self {
        let dists = Lists::new(lpts.states(), |add| {
            for id in 0..lpts.distributions().len() as u32 {
                for target in lpts.dist(suppose_model::mdp::DistId(id)).targets() {
                    add(*target as usize, id);
                }
            }
        });
        let choices = Lists::new(lpts.distributions().len(), |add| {
            for (number, choice) in lpts.all_choices().iter().enumerate() {
                add(choice.dist.index(), number as u32);
            }
        });
        let mut states = Vec::with_capacity(lpts.all_choices().len());
        for state in 0..lpts.states() as State {
            states.resize(lpts.choice_range(state).end, state);
        }
        Reverse {
            dists,
            choices,
            states,
        }
    }

    /// How many bytes it takes, about.
    pub(crate) fn bytes(lpts: &Lpts) -> u64 {
        let (entries, choices) = (lpts.distributions().entries(), lpts.all_choices().len());
        4 * (entries + 2 * choices + 2 * lpts.states() + 2 * lpts.distributions().len()) as u64
    }

    /// Distributions that lead to the state.
    pub(crate) fn dists(&self, state: State) -> &[u32] {
        self.dists.get(state as usize)
    }

    /// Choices with the distribution, by their place among all choices.
    pub(crate) fn choices(&self, dist: u32) -> &[u32] {
        self.choices.get(dist as usize)
    }

    /// Whose choice it is.
    pub(crate) fn state(&self, choice: u32) -> State {
        self.states[choice as usize]
    }
}
