//! Equal slices get equal numbers.

use std::hash::{Hash, Hasher};

use hashbrown::HashTable;
use rustc_hash::FxHasher;

/// Numbers slices of `T`: the same number for the same content, from 0 in order of arrival.
#[derive(Clone, Debug)]
pub(crate) struct Interner<T> {
    data: Vec<T>,
    ends: Vec<usize>,
    table: HashTable<u32>,
}

impl<T: Copy + Eq + Hash> Interner<T> {
    pub(crate) fn new() -> Self {
        Interner {
            data: Vec::new(),
            ends: Vec::new(),
            table: HashTable::new(),
        }
    }

    /// The number of that slice, and whether it is new. Callers bound the total size
    /// ([`Interner::entries`]) far below `u32::MAX` slices.
    pub(crate) fn intern(&mut self, slice: &[T]) -> (u32, bool) {
        let hash = hash_of(slice);
        let (data, ends) = (&self.data, &self.ends);
        if let Some(found) = self
            .table
            .find(hash, |id| slice_of(data, ends, *id) == slice)
        {
            return (*found, false);
        }
        let id = self.ends.len() as u32;
        self.data.extend_from_slice(slice);
        self.ends.push(self.data.len());
        let (data, ends) = (&self.data, &self.ends);
        self.table
            .insert_unique(hash, id, |id| hash_of(slice_of(data, ends, *id)));
        (id, true)
    }

    pub(crate) fn get(&self, id: u32) -> &[T] {
        slice_of(&self.data, &self.ends, id)
    }

    /// The number of distinct slices.
    pub(crate) fn len(&self) -> usize {
        self.ends.len()
    }

    /// All slices, one after another.
    pub(crate) fn into_data(self) -> Vec<T> {
        self.data
    }

    /// The lengths of all slices together.
    pub(crate) fn entries(&self) -> usize {
        self.data.len()
    }
}

fn slice_of<'a, T>(data: &'a [T], ends: &[usize], id: u32) -> &'a [T] {
    let id = id as usize;
    let start = if id == 0 { 0 } else { ends[id - 1] };
    &data[start..ends[id]]
}

fn hash_of<T: Hash>(slice: &[T]) -> u64 {
    let mut hasher = FxHasher::default();
    slice.hash(&mut hasher);
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_slices_share_a_number() {
        let mut interner = Interner::new();
        assert_eq!(interner.intern(&[]), (0, true));
        assert_eq!(interner.intern(&[1, 2]), (1, true));
        assert_eq!(interner.intern(&[1]), (2, true));
        assert_eq!(interner.intern(&[1, 2]), (1, false));
        assert_eq!(interner.intern(&[]), (0, false));
        assert_eq!((interner.get(1), interner.len()), (&[1, 2][..], 3));
        assert_eq!(interner.entries(), 3);
    }
}
