//! One level of a rule: a group of components and the quotient that stands for it.

use rustc_hash::FxHashMap;
use suppose_model::mdp::{Lpts, State, Whole};

use super::{Abstracted, Classes, Quotient};

/// A group after the first, with what is assumed of those after it if the rule is a chain, and the quotient that stands for both.
#[derive(Debug)]
pub(crate) struct Level<'a> {
    pub(crate) group: Vec<&'a Lpts>,
    pub(crate) whole: Whole,
    pub(crate) classes: Classes,
    pub(crate) quotient: Quotient,
}

impl Level<'_> {
    pub(crate) fn abstracted(&self) -> Abstracted<'_> {
        Abstracted {
            concrete: &self.whole.lpts,
            classes: &self.classes,
            quotient: &self.quotient,
        }
    }

    /// The number of a state of the product, by the states of its parts.
    pub(crate) fn numbers(&self) -> FxHashMap<&[u64], State> {
        let records = self.whole.states.iter().enumerate();
        records.map(|(s, r)| (r, s as State)).collect()
    }

    /// For every state of a finer product the class of the state it comes from; `parent` says where the states of the
    /// finer assumption, its last part, come from.
    pub(crate) fn inherited(&self, finer: &Whole, parent: &[u32]) -> Vec<u32> {
        let known = self.numbers();
        let last = self.group.len();
        let class_of = |state: State| {
            let mut vector = finer.vector(state);
            vector[last] = parent[vector[last] as usize];
            let record = self.whole.states.layout().pack(&vector).unwrap_or_default();
            // Whatever the finer product reaches the coarser one reached too.
            known
                .get(record.as_slice())
                .map_or(0, |s| self.classes.of(*s))
        };
        (0..finer.lpts.states() as State).map(class_of).collect()
    }
}
