//! Which records a relation has.

use std::hash::{BuildHasher, Hasher, RandomState};

use suppose_model::lts::PackedStates;

/// A set of the records of a relation: open addressing, two slots of 32 bits for each record.
///
/// A slot holds the record's number plus one (0 is empty) in its low bits, and as much of the
/// record's hash as fits above it, so that a look-up seldom reads a record that is not the one.
/// The hash has a random seed (nothing that is reported depends on it), so a file cannot be made to
/// have all its records in one place.
pub(crate) struct Index<'a> {
    relation: &'a PackedStates,
    slots: Vec<u32>,
    /// The low bits of a slot, which hold a number; at most 31.
    number_bits: u32,
    seed: u64,
}

/// Bytes an index takes for this many records.
pub(crate) fn bytes(records: usize) -> u64 {
    (records as u64).saturating_mul(8)
}

/// The most records an index can hold.
pub(crate) const MOST: usize = (u32::MAX >> 1) as usize;

/// How many records are looked up together.
pub(crate) const BATCH: usize = 256;

impl<'a> Index<'a> {
    /// Empty; records are added by [`Index::add`]. The relation must not have more than [`MOST`].
    pub fn new(relation: &'a PackedStates) -> Self {
        let records = relation.len().min(MOST);
        Index {
            relation,
            slots: vec![0; records.max(1) * 2],
            number_bits: u32::BITS - (records as u32).leading_zeros(),
            seed: RandomState::new().build_hasher().finish(),
        }
    }

    fn hash(&self, record: &[u64]) -> u64 {
        let mix = |a: u64, b: u64| {
            let wide = u128::from(a) * u128::from(b);
            (wide as u64) ^ ((wide >> 64) as u64)
        };
        let word = |h: u64, word: &u64| mix(h ^ word, 0x9e37_79b9_7f4a_7c15);
        mix(record.iter().fold(self.seed, word), 0xd6e8_feb8_6659_fd93)
    }

    /// Where a hash goes first: its high bits, scaled to the number of slots.
    fn position(&self, hash: u64) -> usize {
        ((u128::from(hash) * self.slots.len() as u128) >> 64) as usize
    }

    /// The part of a slot that comes from the hash: its low bits, above the number.
    fn tag(&self, hash: u64) -> u32 {
        (hash as u32) << self.number_bits
    }

    /// The number of the record that a slot holds.
    fn number(&self, slot: u32) -> u32 {
        (slot & ((1u32 << self.number_bits) - 1)) - 1
    }

    fn holds(&self, slot: u32, tag: u32, record: &[u64]) -> bool {
        let numbers = (1u32 << self.number_bits) - 1;
        let number = self.number(slot) as usize;
        slot & !numbers == tag && same(self.relation.record(number), record)
    }

    /// Adds a record of the relation by its number, unless an equal one is there.
    pub fn add(&mut self, number: usize) {
        let record = self.relation.record(number);
        let hash = self.hash(record);
        let (tag, mut at) = (self.tag(hash), self.position(hash));
        while self.slots[at] != 0 {
            if self.holds(self.slots[at], tag, record) {
                return;
            }
            at = self.after(at);
        }
        self.slots[at] = tag | (number as u32 + 1);
    }

    fn after(&self, at: usize) -> usize {
        if at + 1 == self.slots.len() {
            0
        } else {
            at + 1
        }
    }

    /// Is an equal record there?
    pub fn contains(&self, record: &[u64]) -> bool {
        self.find(record).is_some()
    }

    /// The number of the first equal record.
    pub fn find(&self, record: &[u64]) -> Option<u32> {
        let hash = self.hash(record);
        self.probe(record, hash, self.position(hash))
    }

    /// At most half the slots are taken, so the walk ends at an empty one.
    fn probe(&self, record: &[u64], hash: u64, mut at: usize) -> Option<u32> {
        let tag = self.tag(hash);
        while self.slots[at] != 0 {
            if self.holds(self.slots[at], tag, record) {
                return Some(self.number(self.slots[at]));
            }
            at = self.after(at);
        }
        None
    }

    /// The first of the records that is not there.
    pub fn first_missing(&self, records: &[u64], found: &mut Vec<(u64, u32)>) -> Option<usize> {
        self.fetch(records, found);
        let mut each = self.pairs(records, found);
        each.position(|(record, hash, slot)| self.at(record, hash, slot).is_none())
    }

    /// The numbers of all the records, or the first that is not there.
    pub fn find_all(
        &self,
        records: &[u64],
        found: &mut Vec<(u64, u32)>,
        numbers: &mut Vec<u32>,
    ) -> Option<usize> {
        self.fetch(records, found);
        numbers.clear();
        for (record, hash, slot) in self.pairs(records, found) {
            match self.at(record, hash, slot) {
                Some(number) => numbers.push(number),
                None => return Some(numbers.len()),
            }
        }
        None
    }

    /// Reads slots before any record is read, all in one go, so that the machine fetches them side
    /// by side.
    fn fetch(&self, records: &[u64], found: &mut Vec<(u64, u32)>) {
        let words = self.relation.layout().words();
        found.clear();
        found.extend(records.chunks_exact(words).map(|record| {
            let hash = self.hash(record);
            (hash, self.slots[self.position(hash)])
        }));
    }

    /// The records with their hashes and first slots.
    fn pairs<'r>(
        &self,
        records: &'r [u64],
        found: &'r [(u64, u32)],
    ) -> impl Iterator<Item = (&'r [u64], u64, u32)> + use<'r> {
        let records = records.chunks_exact(self.relation.layout().words());
        let pairs = records.zip(found);
        pairs.map(|(record, (hash, slot))| (record, *hash, *slot))
    }

    fn at(&self, record: &[u64], hash: u64, slot: u32) -> Option<u32> {
        match slot != 0 && self.holds(slot, self.tag(hash), record) {
            true => Some(self.number(slot)),
            false => self.probe(record, hash, self.position(hash)),
        }
    }
}

/// Are two records equal? Most are one word, for which a comparison of slices is a long way round.
fn same(a: &[u64], b: &[u64]) -> bool {
    a[0] == b[0] && (a.len() == 1 || a[1..] == b[1..])
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use suppose_model::lts::Layout;

    use super::*;

    fn numbers(seed: u64) -> impl Iterator<Item = u32> {
        let mut state = seed;
        std::iter::repeat_with(move || {
            state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
            (state >> 33) as u32
        })
    }

    #[test]
    fn an_index_is_a_set() {
        for (slots, below, count) in [(1, 1, 3), (1, 50, 40), (3, 9, 400), (5, 4, 900), (0, 1, 2)] {
            let layout = Layout::new(vec![u32::MAX; slots]);
            let mut source = numbers(count as u64).map(|n| n % below);
            let mut vector = || source.by_ref().take(slots).collect::<Vec<u32>>();
            let mut relation = PackedStates::new(layout.clone());
            let mut set = BTreeSet::new();
            for _ in 0..count {
                let vector = vector();
                relation.push(&layout.pack(&vector).unwrap());
                set.insert(vector);
            }
            let mut index = Index::new(&relation);
            (0..count).for_each(|number| index.add(number));
            let taken = index.slots.iter().filter(|slot| **slot != 0).count();
            assert_eq!(taken, set.len());
            let mut found = vec![];
            for _ in 0..2000 {
                let vector = vector();
                let record = layout.pack(&vector).unwrap();
                assert_eq!(index.contains(&record), set.contains(&vector));
                let known = relation.record(0);
                let missing = index.first_missing(&[known, &record].concat(), &mut found);
                assert_eq!(missing, (!set.contains(&vector)).then_some(1));
            }
        }
    }

    #[test]
    fn an_equal_hash_is_not_an_equal_record() {
        let mut relation = PackedStates::new(Layout::new([8]));
        relation.push(&[5]);
        let mut index = Index::new(&relation);
        index.add(0);
        let slot = index.slots.iter().copied().find(|slot| *slot != 0).unwrap();
        let tag = index.tag(index.hash(&[5]));
        assert!(index.holds(slot, tag, &[5]) && !index.holds(slot, tag, &[6]));
    }

    #[test]
    fn an_empty_index_has_nothing() {
        let relation = PackedStates::new(Layout::new([5]));
        let index = Index::new(&relation);
        assert!(!index.contains(&[0]) && !index.contains(&[3]));
        assert_eq!(index.first_missing(&[], &mut vec![]), None);
    }
}
