//! What states and choices earn.

use rustc_hash::FxHashMap;
use suppose_number::Rat;

/// A reward structure of a system: what is earned by being in a state for one step, and by making a choice.
///
/// A state without choices stays as it is forever, and continues earning.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Rewards {
    /// Its number in the [`super::System`].
    pub number: u32,
    /// The different numbers that occur, none negative.
    pub distinct: Vec<Rat>,
    /// By state, which of them.
    pub states: Vec<u32>,
    /// By choice over all states, which of them: of the choice alone.
    pub choices: Vec<u32>,
}

impl Rewards {
    /// What a state earns.
    pub fn state(&self, state: usize) -> &Rat {
        &self.distinct[self.states[state] as usize]
    }

    /// What a choice earns, by its number over all states.
    pub fn choice(&self, choice: usize) -> &Rat {
        &self.distinct[self.choices[choice] as usize]
    }
}

/// Numbers that are kept once.
#[derive(Clone, Debug, Default)]
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

/// The reward structures of a system while its states and choices are found.
///
/// A choice is known by a tag, which says what it earns in every structure: [`super::LptsBuilder::choice_tagged`] keeps choices apart that
/// earn differently.
#[derive(Clone, Debug, Default)]
pub struct RewardsBuilder {
    distinct: Vec<Distinct>,
    /// By structure, by state.
    states: Vec<Vec<u32>>,
    /// By tag: for every structure one of its numbers.
    tags: Vec<Vec<u32>>,
    tag_of: FxHashMap<Vec<u32>, u32>,
}

impl RewardsBuilder {
    /// So many structures, of no states yet.
    pub fn new(structures: usize) -> Self {
        let mut none = Distinct::default();
        none.number(Rat::ZERO);
        RewardsBuilder {
            distinct: vec![none; structures],
            states: vec![Vec::new(); structures],
            ..RewardsBuilder::default()
        }
    }

    /// How many structures there are.
    pub fn structures(&self) -> usize {
        self.distinct.len()
    }

    /// The next state, with what it earns in every structure.
    pub fn state(&mut self, earned: impl IntoIterator<Item = Rat>) {
        for (structure, amount) in earned.into_iter().enumerate() {
            let number = self.distinct[structure].number(amount);
            self.states[structure].push(number);
        }
    }

    /// The tag of a choice that earns this, structure by structure.
    pub fn choice(&mut self, earned: impl IntoIterator<Item = Rat>) -> u32 {
        let numbered = earned.into_iter().zip(&mut self.distinct);
        let all: Vec<u32> = numbered.map(|(a, d)| d.number(a)).collect();
        if let Some(tag) = self.tag_of.get(&all) {
            return *tag;
        }
        let tag = self.tags.len() as u32;
        self.tags.push(all.clone());
        self.tag_of.insert(all, tag);
        tag
    }

    /// The reward structures of a system whose choices have these tags.
    pub fn finish(self, tags: &[u32]) -> Vec<Rewards> {
        let known = self.tags;
        let all = self.distinct.into_iter().zip(self.states).enumerate();
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
