//! What a learner is: it asks whether words belong to a language and conjectures an automaton.

use suppose_control::Stopped;

use super::dfa::{Dfa, Symbol};

/// Answers whether a word belongs to the language.
pub trait Membership {
    /// Does it?
    fn member(&mut self, word: &[Symbol]) -> Result<bool, Stopped>;
}

impl<F: FnMut(&[Symbol]) -> Result<bool, Stopped>> Membership for F {
    fn member(&mut self, word: &[Symbol]) -> Result<bool, Stopped> {
        self(word)
    }
}

/// What is known of the language beforehand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    /// Nothing.
    Any,
    /// With a word, all its prefixes belong to it: so no extension of a rejected word is asked for.
    PrefixClosed,
}

/// Learns a regular language from answers.
///
/// The states of a learner have pairwise different futures, so there are never more of them than
/// in the smallest automaton of the language, and [`Learner::refine`] adds at least one.
pub trait Learner {
    /// The current conjecture. The first call asks the first questions.
    fn conjecture(&mut self, oracle: &mut dyn Membership) -> Result<Dfa, Stopped>;

    /// Learns from a word on which the conjecture errs. False, and nothing learned, if it does not err.
    fn refine(&mut self, word: &[Symbol], oracle: &mut dyn Membership) -> Result<bool, Stopped>;

    /// States of the conjecture.
    fn states(&self) -> usize;
}

/// Where a counterexample shows that two words which the conjecture identifies differ.
pub(super) struct Breakpoint {
    /// The conjecture's state before the step.
    pub state: u32,
    /// The step.
    pub symbol: Symbol,
    /// Where the rest of the word begins: the suffix that tells the two apart.
    pub rest: usize,
    /// Is `access(state) symbol rest` in the language? (`access(step(state, symbol)) rest` is not, or conversely.)
    pub member: bool,
}

/// What the analysis of a counterexample needs of a conjecture.
pub(super) trait Hypothesis {
    /// One step; the initial state is 0.
    fn step(&self, state: u32, symbol: Symbol) -> u32;
    /// Does it accept in that state?
    fn accepting(&self, state: u32) -> bool;
    /// The word by which the learner knows the state.
    fn access(&self, state: u32) -> Vec<Symbol>;
}

/// Rivest and Schapire's analysis: replaces ever longer prefixes of the word by the access
/// sequence of the state they lead to, and finds by binary search a step at which the answer
/// flips. None if the conjecture does not err on the word.
pub(super) fn breakpoint(
    word: &[Symbol],
    hypothesis: &dyn Hypothesis,
    oracle: &mut dyn Membership,
) -> Result<Option<Breakpoint>, Stopped> {
    let mut states = vec![0];
    for symbol in word {
        states.push(hypothesis.step(states[states.len() - 1], *symbol));
    }
    let first = oracle.member(word)?;
    if word.is_empty() || first == hypothesis.accepting(states[word.len()]) {
        return Ok(None);
    }
    // Invariant: the answer at `low` is `first`, at `high` it is not.
    let (mut low, mut high) = (0, word.len());
    while high - low > 1 {
        let middle = low + (high - low) / 2;
        let mut asked = hypothesis.access(states[middle]);
        asked.extend_from_slice(&word[middle..]);
        match oracle.member(&asked)? == first {
            true => low = middle,
            false => high = middle,
        }
    }
    Ok(Some(Breakpoint {
        state: states[low],
        symbol: word[low],
        rest: low + 1,
        member: first,
    }))
}
