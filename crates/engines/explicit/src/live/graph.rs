//! What a search for cycles needs of a graph.

use crate::finding::End;
use suppose_model::program::Violation;

/// A step from one state to another, or several that are as good as one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Arc {
    /// Where it leads.
    pub(super) to: u32,
    /// The acceptance sets that it is in.
    pub(super) sets: u64,
}

/// A mark of a state that was not visited yet.
pub(super) const NEW: u32 = 0;
/// From here on, a mark is this plus the number of a finished component; below, it is 1 plus the place on the stack.
pub(super) const DONE: u32 = 1 << 31;

/// A graph that is made while it is searched.
pub(super) trait Graph {
    /// The first state.
    fn first(&mut self) -> Result<u32, End>;

    /// All steps from a state that was not expanded before, or what is wrong with it: there the search is over.
    fn expand(&mut self, state: u32, arcs: &mut Vec<Arc>) -> Result<Option<Violation>, End>;

    /// The same steps again.
    fn again(&mut self, state: u32, arcs: &mut Vec<Arc>) -> Result<(), End>;

    /// Is the state in no component, because it has a `progress` label?
    fn is_outside(&self, state: u32) -> bool;

    /// The mark of a state.
    fn mark(&self, state: u32) -> u32;

    /// Sets it.
    fn set_mark(&mut self, state: u32, mark: u32);

    /// Puts a state on the path of the search, or takes it away.
    fn set_path(&mut self, state: u32, on: bool);

    /// Looks at limits.
    fn pause(&mut self, steps: u64, held: u64) -> Result<(), End>;
}
