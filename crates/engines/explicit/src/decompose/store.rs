//! Shared data as transition systems: one for each cluster of cells that some statement uses together.

use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;
use suppose_model::program::Program;
use suppose_model::program::semantics::State;

use super::ops::{Cell, Op};

/// Which cells belong together. Joining two is remembered across attempts.
#[derive(Clone, Debug)]
pub struct Clusters {
    parent: Vec<usize>,
}

impl Clusters {
    /// Each cell for itself.
    pub fn new(cells: usize) -> Self {
        let parent = (0..cells).collect();
        Clusters { parent }
    }

    /// The cell that stands for the cluster of this one.
    pub fn find(&self, cell: Cell) -> usize {
        let mut at = cell;
        while self.parent[at] != at {
            at = self.parent[at];
        }
        at
    }

    /// Puts all these into one cluster; true if they were not.
    pub fn join(&mut self, cells: &[Cell]) -> bool {
        let Some((first, rest)) = cells.split_first() else {
            return false;
        };
        let mut joined = false;
        for cell in rest {
            let (a, b) = (self.find(*first), self.find(*cell));
            if a != b {
                self.parent[a.max(b)] = a.min(b);
                joined = true;
            }
        }
        joined
    }
}

/// The values one cluster can have, as far as found.
#[derive(Clone, Debug, Default)]
pub struct Store {
    /// The states; cells of other clusters are as at the start.
    pub states: Vec<State>,
    numbers: HashMap<State, u32, FxBuildHasher>,
    /// The tracks that run here.
    pub tracks: Vec<usize>,
}

impl Store {
    /// The number of a state, and whether it is new.
    pub fn intern(&mut self, state: State) -> (u32, bool) {
        let next = self.states.len() as u32;
        match self.numbers.entry(state) {
            hashbrown::hash_map::Entry::Occupied(known) => (*known.get(), false),
            hashbrown::hash_map::Entry::Vacant(free) => {
                self.states.push(free.key().clone());
                free.insert(next);
                (next, true)
            }
        }
    }
}

/// The part of a label that one cluster sees.
#[derive(Clone, Debug)]
pub struct Track {
    /// Which cluster.
    pub cluster: usize,
    /// What is done there, in order.
    pub ops: Vec<Op>,
    /// How many states of the cluster it was tried on.
    pub tried: usize,
    /// Where it leads, when it is closed.
    pub edges: Vec<(u32, u32)>,
    /// The values it gave, when it is open.
    pub outputs: Vec<Vec<i32>>,
    /// Which operations went wrong somewhere.
    pub wrong: Vec<usize>,
    /// How many of the stretches that wait for its values have had those known by now.
    pub resumed: usize,
}

/// What came of running a track on one state.
#[derive(Clone, Debug)]
pub enum Ran {
    /// It is not possible there.
    Blocked,
    /// The operation of that number goes wrong.
    Wrong(usize),
    /// It leads there, and gives these values.
    To(State, Vec<i32>),
}

impl Track {
    /// Is there an operation whose values are wanted?
    pub fn is_open(&self) -> bool {
        self.ops.last().is_some_and(Op::is_open)
    }

    /// Has it been tried on all states that its store has by now?
    pub fn is_settled(&self, stores: &HashMap<usize, Store, FxBuildHasher>) -> bool {
        let store = stores.get(&self.cluster);
        store.is_some_and(|store| self.tried == store.states.len())
    }

    /// Runs it on a state of its cluster.
    pub fn run(&self, program: &Program, state: &State) -> Ran {
        let (mut state, mut outputs) = (state.clone(), Vec::new());
        for (number, op) in self.ops.iter().enumerate() {
            match op.run(program, &mut state, &mut outputs) {
                Ok(true) => {}
                Ok(false) => return Ran::Blocked,
                Err(_) => return Ran::Wrong(number),
            }
        }
        Ran::To(state, outputs)
    }
}
