//! One labelled probabilistic transition system.

use std::sync::Arc;

use fixedbitset::FixedBitSet;
use suppose_number::Rat;

use super::distribution::{BadDistribution, Dist, DistId, Distributions};
use crate::lts::{Label, State};

/// One transition: an action and where it leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Choice {
    /// The action.
    pub label: Label,
    /// The distribution, in the store of the system it belongs to.
    pub dist: DistId,
}

/// A labelled probabilistic transition system: states, an initial one, and the choices of each.
///
/// The choices of a state are sorted by label, then by distribution, and differ from each other. The
/// alphabet may be larger than the labels that occur: such an action is blocked for whoever shares it. `tau` is
/// not in it.
#[derive(Clone, Debug)]
pub struct Lpts {
    name: String,
    initial: State,
    alphabet: Vec<Label>,
    starts: Vec<u32>,
    choices: Vec<Choice>,
    dists: Distributions,
    propositions: Vec<(u32, FixedBitSet)>,
    state_names: Arc<Vec<String>>,
}

impl Lpts {
    /// Its name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// How many states.
    pub fn states(&self) -> usize {
        self.starts.len() - 1
    }

    /// The initial state.
    pub fn initial(&self) -> State {
        self.initial
    }

    /// The actions it takes part in, sorted; without `tau`.
    pub fn alphabet(&self) -> &[Label] {
        &self.alphabet
    }

    /// Does it take part in that action?
    pub fn knows(&self, label: Label) -> bool {
        self.alphabet.binary_search(&label).is_ok()
    }

    /// All choices, in the order of the states.
    pub fn all_choices(&self) -> &[Choice] {
        &self.choices
    }

    /// The choices of a state.
    pub fn choices(&self, state: State) -> &[Choice] {
        &self.choices[self.choice_range(state)]
    }

    /// Where the choices of a state are in [`Lpts::all_choices`].
    pub fn choice_range(&self, state: State) -> std::ops::Range<usize> {
        self.starts[state as usize] as usize..self.starts[state as usize + 1] as usize
    }

    /// The choices of a state with that label.
    pub fn choices_on(&self, state: State, label: Label) -> &[Choice] {
        let all = self.choices(state);
        let from = all.partition_point(|c| c.label < label);
        let upto = from + all[from..].partition_point(|c| c.label == label);
        &all[from..upto]
    }

    /// A distribution of its store.
    pub fn dist(&self, id: DistId) -> Dist<'_> {
        self.dists.get(id)
    }

    /// Its store of distributions.
    pub fn distributions(&self) -> &Distributions {
        &self.dists
    }

    /// How many branches all choices have together (what PRISM calls transitions).
    pub fn branches(&self) -> usize {
        self.choices.iter().map(|c| self.dist(c.dist).len()).sum()
    }

    /// At most one choice for each action of a state?
    pub fn is_reactive(&self) -> bool {
        (0..self.states() as State)
            .all(|s| self.choices(s).windows(2).all(|w| w[0].label != w[1].label))
    }

    /// Every choice certain: an ordinary labelled transition system?
    pub fn is_certain(&self) -> bool {
        self.choices.iter().all(|c| self.dist(c.dist).len() == 1)
    }

    /// Propositions by their number in the [`super::System`], ascending, each with the states where it is true.
    pub fn propositions(&self) -> &[(u32, FixedBitSet)] {
        &self.propositions
    }

    /// Is a proposition that it knows true there?
    pub fn satisfies(&self, state: State, proposition: u32) -> Option<bool> {
        let at = self
            .propositions
            .binary_search_by_key(&proposition, |p| p.0)
            .ok()?;
        Some(self.propositions[at].1.contains(state as usize))
    }

    /// What to call a state: the name it was given, or its number.
    pub fn state_name(&self, state: State) -> String {
        match self.state_names.get(state as usize) {
            Some(name) if !name.is_empty() => name.clone(),
            _ => state.to_string(),
        }
    }

    /// Does any state have a name of its own?
    pub fn has_state_names(&self) -> bool {
        self.state_names.iter().any(|name| !name.is_empty())
    }

    /// The same under another name.
    pub fn renamed(mut self, name: impl Into<String>) -> Self {
        self.name = name.into();
        self
    }
}

/// Builds an [`Lpts`]. States are numbered from 0 as they are mentioned.
#[derive(Clone, Debug, Default)]
pub struct LptsBuilder {
    name: String,
    initial: State,
    states: usize,
    alphabet: Vec<Label>,
    choices: Vec<(State, Choice)>,
    dists: Distributions,
    propositions: Vec<(u32, FixedBitSet)>,
    state_names: Vec<String>,
}

impl LptsBuilder {
    /// One state, 0, which is the initial one.
    pub fn new(name: impl Into<String>) -> Self {
        LptsBuilder {
            name: name.into(),
            states: 1,
            ..LptsBuilder::default()
        }
    }

    /// All of a system but its propositions. Distributions keep their numbers, and so choices their order.
    pub fn of(lpts: &Lpts) -> Self {
        let states = 0..lpts.states() as State;
        let choices = states.flat_map(|s| lpts.choices(s).iter().map(move |c| (s, *c)));
        LptsBuilder {
            name: lpts.name.clone(),
            initial: lpts.initial,
            states: lpts.states(),
            alphabet: lpts.alphabet.clone(),
            choices: choices.collect(),
            dists: lpts.dists.clone(),
            propositions: Vec::new(),
            state_names: lpts.state_names.to_vec(),
        }
    }

    /// At least so many states.
    pub fn states(&mut self, count: usize) -> &mut Self {
        self.states = self.states.max(count);
        self
    }

    /// How many states so far.
    pub fn state_count(&self) -> usize {
        self.states
    }

    /// How many choices so far, repetitions included.
    pub fn choice_count(&self) -> usize {
        self.choices.len()
    }

    /// Begins in that state.
    pub fn initial(&mut self, state: State) -> &mut Self {
        self.initial = state;
        self.states(state as usize + 1)
    }

    /// Takes part in these actions too, whether it ever does them or not.
    pub fn extend_alphabet(&mut self, labels: impl IntoIterator<Item = Label>) -> &mut Self {
        self.alphabet
            .extend(labels.into_iter().filter(|l| !l.is_tau()));
        self
    }

    /// The store, to put distributions in that [`LptsBuilder::choice_of`] refers to.
    pub fn store(&mut self) -> &mut Distributions {
        &mut self.dists
    }

    /// A choice whose distribution is in the store already.
    pub fn choice_of(&mut self, state: State, label: Label, dist: DistId) -> &mut Self {
        let last = self.dists.get(dist).targets().last().copied().unwrap_or(0);
        self.states(state.max(last) as usize + 1);
        self.choices.push((state, Choice { label, dist }));
        self
    }

    /// A choice given by probabilities.
    pub fn choice(
        &mut self,
        state: State,
        label: Label,
        parts: &[(State, Rat)],
    ) -> Result<&mut Self, BadDistribution> {
        let dist = self.dists.insert_probabilities(parts)?;
        Ok(self.choice_of(state, label, dist))
    }

    /// A choice that leads to one state for certain.
    pub fn edge(&mut self, state: State, label: Label, target: State) -> &mut Self {
        let dist = self.dists.insert_dirac(target);
        self.choice_of(state, label, dist)
    }

    /// The states where a proposition of the system is true.
    pub fn proposition(&mut self, number: u32, states: FixedBitSet) -> &mut Self {
        self.propositions.retain(|p| p.0 != number);
        self.propositions.push((number, states));
        self
    }

    /// A name for a state.
    pub fn state_name(&mut self, state: State, name: impl Into<String>) -> &mut Self {
        let at = state as usize;
        if self.state_names.len() <= at {
            self.state_names.resize(at + 1, String::new());
        }
        self.state_names[at] = name.into();
        self.states(at + 1)
    }

    /// The finished system.
    pub fn build(mut self) -> Lpts {
        self.choices.sort_unstable();
        self.choices.dedup();
        let mut starts = vec![0u32; self.states + 1];
        for (state, _) in &self.choices {
            starts[*state as usize + 1] += 1;
        }
        for at in 1..starts.len() {
            starts[at] += starts[at - 1];
        }
        let occurring = self.choices.iter().map(|(_, c)| c.label);
        self.alphabet.extend(occurring.filter(|l| !l.is_tau()));
        self.alphabet.sort_unstable();
        self.alphabet.dedup();
        self.propositions.sort_by_key(|p| p.0);
        for (_, states) in &mut self.propositions {
            states.grow(self.states);
        }
        Lpts {
            name: self.name,
            initial: self.initial,
            alphabet: self.alphabet,
            starts,
            choices: self.choices.into_iter().map(|(_, c)| c).collect(),
            dists: self.dists,
            propositions: self.propositions,
            state_names: Arc::new(self.state_names),
        }
    }
}
