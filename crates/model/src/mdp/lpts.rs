//! One labelled probabilistic transition system.

use std::sync::Arc;

use fixedbitset::FixedBitSet;
use suppose_number::Rat;

use super::distribution::{BadDistribution, Dist, DistId, Distributions};
use super::rewards::Rewards;
use crate::lts::{Label, PackedStates, State};

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
/// The choices of a state are sorted by label, then by distribution, and differ from each other, if only in their rewards. The
/// alphabet may be larger than the labels that occur: such an action is blocked for all components that share it. `tau` is
/// not in it.
#[derive(Clone, Debug)]
pub struct Lpts {
    name: String,
    /// At least one.
    initial: Vec<State>,
    alphabet: Vec<Label>,
    starts: Vec<u32>,
    choices: Vec<Choice>,
    dists: Distributions,
    propositions: Vec<(u32, FixedBitSet)>,
    rewards: Vec<Rewards>,
    names: Names,
}

/// What the states of a system are called.
#[derive(Clone, Debug)]
enum Names {
    Given(Arc<Vec<String>>),
    Variables(Arc<Variables>),
}

/// States that are values of variables: `x=1, ready=true`.
#[derive(Clone, Debug)]
pub struct Variables {
    /// For each state a record of its values, less the least value of each variable.
    pub states: PackedStates,
    /// The variables in the order of the record: name, least value, and whether 0 and 1 are `false` and `true`.
    pub variables: Vec<(String, i64, bool)>,
}

impl Variables {
    /// The variables with their values, as the language writes them.
    fn values(&self, state: State) -> Option<Vec<(String, String)>> {
        if state as usize >= self.states.len() {
            return None;
        }
        let record = self.states.record(state as usize);
        let shown = self.variables.iter().enumerate();
        let shown = shown.map(|(slot, (name, low, is_bool))| {
            let value = low + i64::from(self.states.layout().get(record, slot));
            let value = match is_bool {
                true => (value != 0).to_string(),
                false => value.to_string(),
            };
            (name.clone(), value)
        });
        Some(shown.collect())
    }

    fn name(&self, state: State) -> Option<String> {
        let shown = self.values(state)?.into_iter();
        let shown = shown.map(|(name, value)| format!("{name}={value}"));
        Some(shown.collect::<Vec<_>>().join(", "))
    }
}

impl Names {
    fn get(&self, state: State) -> Option<String> {
        let name = match self {
            Names::Given(names) => names.get(state as usize).cloned(),
            Names::Variables(them) => them.name(state),
        };
        name.filter(|name| !name.is_empty())
    }
}

impl Default for Names {
    fn default() -> Self {
        Names::Given(Arc::default())
    }
}

impl Lpts {
    /// Its name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The number of states.
    pub fn states(&self) -> usize {
        self.starts.len() - 1
    }

    /// The initial state; the first, if there are several.
    pub fn initial(&self) -> State {
        self.initial[0]
    }

    /// All initial states, at least one, ascending except for the first. Only systems of one component may have several, and
    /// only properties and sizes of these are defined: true means in all of them.
    pub fn initials(&self) -> &[State] {
        &self.initial
    }

    /// Reward structures by their number in the [`super::System`].
    pub fn rewards(&self, number: u32) -> Option<&Rewards> {
        self.rewards.iter().find(|r| r.number == number)
    }

    /// The same with these rewards, which fit its states and choices.
    pub fn with_rewards(mut self, rewards: Vec<Rewards>) -> Self {
        self.rewards = rewards;
        self
    }

    /// The same with these propositions and no others.
    pub fn with_propositions(mut self, mut propositions: Vec<(u32, FixedBitSet)>) -> Self {
        propositions.sort_by_key(|p| p.0);
        for (_, states) in &mut propositions {
            states.grow(self.states());
        }
        self.propositions = propositions;
        self
    }

    /// The same with states that are values of variables.
    pub fn with_variables(mut self, variables: Variables) -> Self {
        self.names = Names::Variables(Arc::new(variables));
        self
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

    /// The variables of a state with their values, if states are values of variables.
    pub fn state_values(&self, state: State) -> Option<Vec<(String, String)>> {
        match &self.names {
            Names::Given(_) => None,
            Names::Variables(them) => them.values(state),
        }
    }

    /// What to call a state: the name it was given, or its number.
    pub fn state_name(&self, state: State) -> String {
        let name = self.names.get(state);
        name.unwrap_or_else(|| state.to_string())
    }

    /// Is any state named?
    pub fn has_state_names(&self) -> bool {
        match &self.names {
            Names::Given(names) => names.iter().any(|name| !name.is_empty()),
            Names::Variables(them) => !them.variables.is_empty(),
        }
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
    /// Beside the first.
    others: Vec<State>,
    states: usize,
    alphabet: Vec<Label>,
    /// With what the caller knows them by.
    choices: Vec<(State, Choice, u32)>,
    dists: Distributions,
    propositions: Vec<(u32, FixedBitSet)>,
    names: Names,
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

    /// All of a system but its propositions and rewards. Distributions keep their numbers, and so choices their order.
    pub fn of(lpts: &Lpts) -> Self {
        let states = 0..lpts.states() as State;
        let choices = states.flat_map(|s| lpts.choices(s).iter().map(move |c| (s, *c, 0)));
        LptsBuilder {
            name: lpts.name.clone(),
            initial: lpts.initial(),
            others: lpts.initial[1..].to_vec(),
            states: lpts.states(),
            alphabet: lpts.alphabet.clone(),
            choices: choices.collect(),
            dists: lpts.dists.clone(),
            propositions: Vec::new(),
            names: lpts.names.clone(),
        }
    }

    /// At least this many states.
    pub fn states(&mut self, count: usize) -> &mut Self {
        self.states = self.states.max(count);
        self
    }

    /// How many states so far.
    pub fn state_count(&self) -> usize {
        self.states
    }

    /// Begins in that state.
    pub fn initial(&mut self, state: State) -> &mut Self {
        self.initial = state;
        self.states(state as usize + 1)
    }

    /// May begin in that state too.
    pub fn also_initial(&mut self, state: State) -> &mut Self {
        self.others.push(state);
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
        self.choice_tagged(state, label, dist, 0)
    }

    /// A choice with a number of the caller's: choices with different ones stay apart.
    pub fn choice_tagged(
        &mut self,
        state: State,
        label: Label,
        dist: DistId,
        tag: u32,
    ) -> &mut Self {
        let last = self.dists.get(dist).targets().last().copied().unwrap_or(0);
        self.states(state.max(last) as usize + 1);
        self.choices.push((state, Choice { label, dist }, tag));
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
        if let Names::Variables(_) = self.names {
            self.names = Names::default();
        }
        if let Names::Given(names) = &mut self.names {
            let names = Arc::make_mut(names);
            if names.len() <= at {
                names.resize(at + 1, String::new());
            }
            names[at] = name.into();
        }
        self.states(at + 1)
    }

    /// The finished system.
    pub fn build(self) -> Lpts {
        self.build_tagged().0
    }

    /// The finished system, and the caller's numbers of its choices.
    pub fn build_tagged(mut self) -> (Lpts, Vec<u32>) {
        if !self.choices.is_sorted() {
            self.choices.sort_unstable();
        }
        self.choices.dedup();
        let mut starts = vec![0u32; self.states + 1];
        for (state, ..) in &self.choices {
            starts[*state as usize + 1] += 1;
        }
        for at in 1..starts.len() {
            starts[at] += starts[at - 1];
        }
        let occurring = self.choices.iter().map(|(_, c, _)| c.label);
        self.alphabet.extend(occurring.filter(|l| !l.is_tau()));
        self.others.retain(|state| *state != self.initial);
        self.others.sort_unstable();
        self.others.dedup();
        self.others.insert(0, self.initial);
        self.alphabet.sort_unstable();
        self.alphabet.dedup();
        self.propositions.sort_by_key(|p| p.0);
        for (_, states) in &mut self.propositions {
            states.grow(self.states);
        }
        let tags = self.choices.iter().map(|(_, _, tag)| *tag).collect();
        let lpts = Lpts {
            name: self.name,
            initial: self.others,
            alphabet: self.alphabet,
            starts,
            choices: self.choices.into_iter().map(|(_, c, _)| c).collect(),
            dists: self.dists,
            propositions: self.propositions,
            rewards: Vec::new(),
            names: self.names,
        };
        (lpts, tags)
    }
}
