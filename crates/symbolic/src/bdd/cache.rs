//! Results of earlier operations.

use super::store::Edge;

/// What was done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub(super) enum Op {
    Nothing,
    And,
    Xor,
    Ite,
    Exists,
    AndExists,
    Constrain,
    Restrict,
    Rename,
}

#[derive(Clone, Copy, Debug)]
struct Entry {
    op: Op,
    key: [Edge; 3],
    result: Edge,
}

const EMPTY: Entry = Entry {
    op: Op::Nothing,
    key: [0; 3],
    result: 0,
};

/// One place for each hash: a new result takes the place of an old one.
#[derive(Clone, Debug)]
pub(super) struct Cache {
    entries: Vec<Entry>,
}

const LEAST: usize = 1 << 14;
const MOST: usize = 1 << 22;

impl Cache {
    pub(super) fn new() -> Self {
        Cache {
            entries: vec![EMPTY; LEAST],
        }
    }

    pub(super) fn clear(&mut self) {
        self.entries.fill(EMPTY);
    }

    /// Forgets generalised cofactors: which ones they are depends on the order of the variables.
    pub(super) fn forget_cofactors(&mut self) {
        for entry in &mut self.entries {
            if matches!(entry.op, Op::Constrain | Op::Restrict) {
                *entry = EMPTY;
            }
        }
    }

    /// Forgets what has to do with edges that are not to be kept.
    pub(super) fn retain(&mut self, keep: impl Fn(Edge) -> bool) {
        for entry in &mut self.entries {
            let edges = match entry.op {
                Op::Nothing => continue,
                // The second is the number of the renaming.
                Op::Rename => &entry.key[..1],
                _ => &entry.key[..],
            };
            if !keep(entry.result) || !edges.iter().all(|e| keep(*e)) {
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

    fn place(&self, op: Op, key: [Edge; 3]) -> usize {
        let low = u64::from(key[0]) << 32 | u64::from(key[1]);
        let high = u64::from(key[2]) << 8 | op as u64;
        let mixed =
            low.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ high.wrapping_mul(0xc2b2_ae3d_27d4_eb4f);
        (mixed >> 29) as usize & (self.entries.len() - 1)
    }

    pub(super) fn get(&self, op: Op, key: [Edge; 3]) -> Option<Edge> {
        let entry = &self.entries[self.place(op, key)];
        (entry.op == op && entry.key == key).then_some(entry.result)
    }

    pub(super) fn put(&mut self, op: Op, key: [Edge; 3], result: Edge) {
        let place = self.place(op, key);
        self.entries[place] = Entry { op, key, result };
    }
}
