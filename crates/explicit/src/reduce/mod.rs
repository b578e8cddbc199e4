//! What can be left out of a search, found by looking at the program once.

use crate::machine::{Options, Written};
use suppose_model::program::Program;

/// What is known of each location of each proctype.
pub(crate) struct Facts {
    pub(crate) locations: Vec<Vec<Fact>>,
}

/// What is known of a location.
#[derive(Clone, Debug, Default)]
pub(crate) struct Fact {
    /// Local variables whose values do not matter to a process that comes here.
    pub(crate) dead: Vec<u32>,
    /// All edges are steps that no other process can notice or hinder.
    pub(crate) ample: bool,
    /// Such a step can be taken at once, without keeping the state here.
    pub(crate) merge: bool,
}

impl Facts {
    pub(crate) fn new(program: &Program, _written: &Written, _options: &Options) -> Facts {
        let locations = program
            .proctypes
            .iter()
            .map(|text| vec![Fact::default(); text.locations.len()])
            .collect();
        Facts { locations }
    }
}
