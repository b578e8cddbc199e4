//! Why a premise is true: the vectors of states that its components can come to.

use std::borrow::Cow;
use std::sync::Arc;

use crate::lts::{Layout, PackedStates};

/// The relation of a premise.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Relation {
    /// Its vectors, of this premise alone.
    Vectors(PackedStates),
    /// A part of a relation that premises about the same components share.
    Shared {
        /// The whole.
        whole: Arc<SharedRelation>,
        /// Which of its columns holds the guarantee's states; none if the guarantee has no states
        /// (freedom from deadlock).
        column: Option<usize>,
    },
}

/// Vectors of states of some components, each once, and with each of them the set of states in which each of
/// several properties can be by then.
///
/// Column `c` represents the relation of all vectors `(s, x)` with `s` a vector and `x` a state in its
/// set of the column. So `k` properties take one list of vectors instead of `k`, and a property
/// whose state does not follow from those of the components never multiplies with another such.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SharedRelation {
    /// The vectors, with one slot a component.
    pub vectors: PackedStates,
    /// The columns.
    pub columns: Vec<Column>,
    /// Words in a row.
    pub width: usize,
    /// One row of bits for each vector.
    pub rows: Vec<u64>,
}

/// Where the sets of a property are in the rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Column {
    /// The number of the property in the network.
    pub property: usize,
    /// The bit of its state 0; the others follow.
    pub first: usize,
    /// How many states it has.
    pub states: usize,
}

impl Column {
    /// The states whose bits are set in a row, ascending.
    pub fn states_in<'r>(&self, row: &'r [u64]) -> impl Iterator<Item = u32> + use<'r> {
        let (first, states) = (self.first, self.states);
        let is_set = move |bit: usize| row[bit / 64] >> (bit % 64) & 1 == 1;
        (0..states as u32).filter(move |state| is_set(first + *state as usize))
    }
}

impl SharedRelation {
    /// The row of a vector.
    pub fn row(&self, vector: usize) -> &[u64] {
        &self.rows[vector * self.width..(vector + 1) * self.width]
    }

    /// How many vectors a column represents.
    pub fn count(&self, column: usize) -> usize {
        let column = &self.columns[column];
        let rows = (0..self.vectors.len()).map(|vector| self.row(vector));
        rows.map(|row| column.states_in(row).count()).sum()
    }

    /// The vectors that a column represents, written out.
    fn written_out(&self, column: usize) -> PackedStates {
        let column = &self.columns[column];
        let old = self.vectors.layout();
        let sizes = (0..old.slots()).map(|slot| {
            let (_, _, mask) = old.place(slot);
            u32::try_from(mask + 1).unwrap_or(u32::MAX)
        });
        let layout = Layout::new(sizes.chain([column.states as u32]));
        let mut written = PackedStates::new(layout.clone());
        let mut record = vec![0; layout.words()];
        for (vector, from) in self.vectors.iter().enumerate() {
            for slot in 0..old.slots() {
                layout.set(&mut record, slot, old.get(from, slot));
            }
            for state in column.states_in(self.row(vector)) {
                layout.set(&mut record, old.slots(), state);
                written.push(&record);
            }
        }
        written
    }
}

impl Relation {
    /// How many vectors.
    pub fn len(&self) -> usize {
        match self {
            Relation::Vectors(vectors) => vectors.len(),
            Relation::Shared { whole, column } => match column {
                Some(column) => whole.count(*column),
                None => whole.vectors.len(),
            },
        }
    }

    /// None at all?
    pub fn is_empty(&self) -> bool {
        match self {
            Relation::Vectors(vectors) => vectors.is_empty(),
            Relation::Shared { whole, .. } => whole.vectors.is_empty(),
        }
    }

    /// The vectors, written out if they are shared.
    pub fn vectors(&self) -> Cow<'_, PackedStates> {
        match self {
            Relation::Vectors(vectors) => Cow::Borrowed(vectors),
            Relation::Shared { whole, column } => match column {
                Some(column) => Cow::Owned(whole.written_out(*column)),
                None => Cow::Borrowed(&whole.vectors),
            },
        }
    }

    /// The same, taking the relation apart.
    pub fn into_vectors(self) -> PackedStates {
        match self {
            Relation::Vectors(vectors) => vectors,
            shared @ Relation::Shared { .. } => shared.vectors().into_owned(),
        }
    }
}

impl From<PackedStates> for Relation {
    fn from(vectors: PackedStates) -> Self {
        Relation::Vectors(vectors)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_column_stands_for_its_vectors() {
        let layout = Layout::new([4, 3]);
        let mut vectors = PackedStates::new(layout.clone());
        for vector in [[0, 0], [3, 2]] {
            vectors.push(&layout.pack(&vector).unwrap());
        }
        let column = |property, first, states| Column {
            property,
            first,
            states,
        };
        let whole = Arc::new(SharedRelation {
            vectors,
            columns: vec![column(0, 0, 2), column(2, 2, 3)],
            width: 1,
            rows: vec![0b00101, 0b11010],
        });
        let relation = |column| Relation::Shared {
            whole: Arc::clone(&whole),
            column,
        };
        let unpacked = |relation: Relation| {
            let vectors = relation.vectors().into_owned();
            assert_eq!(vectors.len(), relation.len());
            let unpack = |r| vectors.layout().unpack(r);
            vectors.iter().map(unpack).collect::<Vec<_>>()
        };
        assert_eq!(unpacked(relation(None)), [[0, 0], [3, 2]]);
        assert_eq!(unpacked(relation(Some(0))), [[0, 0, 0], [3, 2, 1]]);
        let last = [[0, 0, 0], [3, 2, 1], [3, 2, 2]];
        assert_eq!(unpacked(relation(Some(1))), last);
    }
}
