//! What is explored.

use suppose_control::Stopped;

/// A graph of packed states, and what can be wrong with a state or a step from it.
///
/// Steps depend on the state alone, never on what was found before: then states, counts and counterexamples are the same for any
/// number of threads, on any medium, and after any interruption. A reduction has to be of that kind.
pub trait Space: Sync {
    /// What one thread needs to expand states.
    type Worker: Send;

    /// How many words a state has. It may grow ([`Space::grow`]); states are filled up with zeros then, so a state and the same state
    /// with zeros behind it are one.
    fn words(&self) -> usize;

    /// How many claims are looked at.
    fn claims(&self) -> usize;

    /// For a thread.
    fn worker(&self) -> Self::Worker;

    /// The states it begins with.
    fn initial(&mut self) -> Result<Vec<Vec<u64>>, Halt>;

    /// Gives all successors of a state to the sink, and what is wrong there.
    fn expand(
        &self,
        worker: &mut Self::Worker,
        state: &[u64],
        sink: &mut impl Sink,
    ) -> Result<(), Halt>;

    /// Makes what a state needs to be expanded ([`Halt::Needs`]). Needs are made one by one and in the same order in every run,
    /// and again before a search goes on.
    fn grow(&mut self, _need: &[u64]) -> Result<Grown, String> {
        Ok(Grown::Whole)
    }

    /// Takes note of what a worker saw, after each batch.
    fn note(&mut self, _worker: &mut Self::Worker) {}

    /// What was noted so far, for when the search goes on.
    fn memo(&self) -> u64 {
        0
    }

    /// What was noted before.
    fn recall(&mut self, _memo: u64) {}

    /// Begins anew after [`Grown::Restart`], without relying on what turned out to be false.
    fn restart(&mut self) -> Result<(), String> {
        Ok(())
    }
}

/// Takes what comes of a state.
pub trait Sink {
    /// A successor.
    fn successor(&mut self, state: &[u64]);

    /// In this state, or in a step from it, the claim of that number is violated.
    fn wrong(&mut self, claim: usize);
}

/// Why a state could not be expanded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Halt {
    /// This has to be made first.
    Needs(Vec<u64>),
    /// The search is to stop.
    Stopped(Stopped),
    /// It cannot be explored.
    Unsupported(String),
}

/// What became of the states found before something was made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Grown {
    /// They count.
    Whole,
    /// They rest on something that is no longer so.
    Restart,
}
