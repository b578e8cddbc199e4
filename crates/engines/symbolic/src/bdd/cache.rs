//! Results of earlier operations.

use super::store::Edge;

/// What was done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub(super) enum Op {
    And,
    Xor,
    Ite,
    Exists,
    AndExists,
    Constrain,
    Restrict,
    Rename,
}

/// The operation is in the highest bits of the last part of the key, so that an entry has the size of a quarter of a line of
/// memory. Edges are smaller than that ([`MOST_NODES`]).
const OP: u32 = 29;

/// More nodes than this cannot be told apart by a key.
pub(super) const MOST_NODES: usize = 1 << (OP - 1);

#[derive(Clone, Copy, Debug)]
#[repr(align(16))]
struct Entry {
    key: [u32; 3],
    result: Edge,
}

/// No operation has this key: a conjunction with a constant is never looked up.
const EMPTY: Entry = Entry {
    key: [0; 3],
    result: 0,
};

impl Entry {
    fn is_empty(&self) -> bool {
        self.key == EMPTY.key
    }

    fn op(&self) -> u32 {
        self.key[2] >> OP
    }
}

/// One place for each hash: a new result takes the place of an old one.
#[derive(Clone, Debug)]
pub(super) struct Cache {
    entries: Vec<Entry>,
}

const LEAST: usize = 1 << 12;
const MOST: usize = 1 << 22;

impl Cache {
    pub(super) fn new() -> Self {
        Cache {
            entries: vec![EMPTY; LEAST],
        }
    }

    /// How many places there are.
    pub(super) fn len(&self) -> usize {
        self.entries.len()
    }

    pub(super) fn clear(&mut self) {
        self.entries.fill(EMPTY);
    }

    /// Forgets generalised cofactors: which ones they are depends on the order of the variables.
    pub(super) fn forget_cofactors(&mut self) {
        for entry in &mut self.entries {
            if [Op::Constrain as u32, Op::Restrict as u32].contains(&entry.op()) {
                *entry = EMPTY;
            }
        }
    }

    /// Forgets what has to do with edges that are not to be kept.
    pub(super) fn retain(&mut self, keep: impl Fn(Edge) -> bool) {
        for entry in &mut self.entries {
            if entry.is_empty() {
                continue;
            }
            let [first, second, third] = entry.key;
            // The second of a renaming is its number.
            let second = if entry.op() == Op::Rename as u32 {
                0
            } else {
                second
            };
            let third = third & ((1 << OP) - 1);
            if !(keep(entry.result) && keep(first) && keep(second) && keep(third)) {
                *entry = EMPTY;
            }
        }
    }

    /// As many places as suit so many nodes; forgets everything if that changes.
    pub(super) fn fit(&mut self, nodes: usize) {
        let size = nodes.next_power_of_two().clamp(LEAST, MOST);
        if size > self.entries.len() {
            self.entries = vec![EMPTY; size];
        }
    }

    fn place(&self, key: [u32; 3]) -> usize {
        let low = u64::from(key[0]) << 32 | u64::from(key[1]);
        let mixed = low.wrapping_mul(0x9e37_79b9_7f4a_7c15)
            ^ u64::from(key[2]).wrapping_mul(0xc2b2_ae3d_27d4_eb4f);
        (mixed >> 29) as usize & (self.entries.len() - 1)
    }

    #[inline]
    pub(super) fn get(&self, op: Op, key: [Edge; 3]) -> Option<Edge> {
        let key = [key[0], key[1], key[2] | (op as u32) << OP];
        let entry = &self.entries[self.place(key)];
        (entry.key == key).then_some(entry.result)
    }

    #[inline]
    pub(super) fn put(&mut self, op: Op, key: [Edge; 3], result: Edge) {
        let key = [key[0], key[1], key[2] | (op as u32) << OP];
        let place = self.place(key);
        self.entries[place] = Entry { key, result };
    }
}
