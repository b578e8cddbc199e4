//! What states and choices earn.

use suppose_number::Rat;

/// A reward structure of a system: what is earned by being in a state for one step, and by making a choice.
///
/// A state without choices stays as it is for ever, and goes on earning.
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
