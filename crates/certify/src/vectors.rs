//! The vectors of a premise's relation, and what is checked of them whatever the premise guarantees.

use std::borrow::Cow;

use suppose_model::lts::{Network, PackedStates, State};
use suppose_model::{Premise, Relation};

use crate::cancellation::Cancellation;
use crate::index::{Index, MOST};
use crate::rejection::{Place, Rejection};
use crate::relation;

/// The vectors of a premise's relation, written out if they are shared.
pub(crate) fn vectors<'a>(
    network: &Network,
    premise: &'a Premise,
) -> Result<Cow<'a, PackedStates>, String> {
    if let Relation::Shared { whole, .. } = &premise.relation {
        relation::shape(network, whole)?;
        relation::matches(&premise.relation, premise.guarantee)?;
    }
    Ok(premise.relation.vectors())
}

/// Every slot is there and wide enough for every state of its LTS, so that writing a successor
/// into a record never loses bits.
pub(crate) fn shape(relation: &PackedStates, sizes: &[u32]) -> Result<(), String> {
    let layout = relation.layout();
    if layout.slots() != sizes.len() {
        let (has, wants) = (layout.slots(), sizes.len());
        return Err(format!("its vectors have {has} slots instead of {wants}"));
    }
    let narrow = |(slot, size): (usize, &u32)| !layout.fits(slot, size - 1);
    if let Some(slot) = sizes.iter().enumerate().position(narrow) {
        return Err(format!("slot {slot} of its vectors is too narrow"));
    }
    if relation.len() > MOST {
        return Err("its relation has too many vectors".to_owned());
    }
    Ok(())
}

/// A relation of the right shape, with an index of its vectors.
pub(crate) struct Vectors<'a> {
    number: usize,
    sizes: &'a [u32],
    pub relation: &'a PackedStates,
    pub index: Index<'a>,
}

impl<'a> Vectors<'a> {
    /// Indexes the relation of a premise. Its [`shape`] must have been checked.
    pub fn new(
        number: usize,
        relation: &'a PackedStates,
        sizes: &'a [u32],
        watch: &mut Cancellation,
    ) -> Result<Self, Rejection> {
        let mut index = Index::new(relation);
        for vector in 0..relation.len() {
            watch.tick()?;
            index.add(vector);
        }
        Ok(Vectors {
            number,
            sizes,
            relation,
            index,
        })
    }

    /// The vector of initial states is in the relation.
    pub fn has_initial(&self, initial: &[State]) -> Result<(), Rejection> {
        match self.relation.layout().pack(initial) {
            Some(record) if self.index.contains(&record) => Ok(()),
            _ => {
                let why = "its relation does not have the initial states";
                Err(Rejection::at(Place::Premise(self.number), why))
            }
        }
    }

    /// Unpacks a vector; each slot must hold a state of its LTS.
    pub fn states(
        &self,
        vector: usize,
        record: &[u64],
        states: &mut Vec<State>,
    ) -> Result<(), Rejection> {
        states.clear();
        for (slot, size) in self.sizes.iter().enumerate() {
            let state = self.relation.layout().get(record, slot);
            if state >= *size {
                return Err(self.flaw(vector, format!("slot {slot} is no state")));
            }
            states.push(state);
        }
        Ok(())
    }

    /// A vector is not as it must be.
    pub fn flaw(&self, vector: usize, why: impl Into<String>) -> Rejection {
        Rejection::at_vector(self.number, vector, why)
    }
}
