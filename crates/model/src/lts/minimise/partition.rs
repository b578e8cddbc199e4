//! Blocks of states that fall apart into smaller ones.

use super::graph::Graph;
use crate::lts::SizeLimits;
use crate::lts::TooLarge;
use crate::lts::interner::Interner;

/// A partition, and the signature each state had when it was last examined.
///
/// Between rounds, the states of a block that are not to be examined again have the same stored
/// signature, and it is still right.
pub(super) struct Partition {
    /// The block of every state.
    pub(super) block: Vec<u32>,
    size: Vec<u32>,
    /// Members of all blocks, blocks contiguous; `place` is the inverse.
    members: Vec<u32>,
    place: Vec<u32>,
    first: Vec<u32>,
    signature: Vec<u32>,
    store: Interner<u64>,
    /// Entries in the store after it was last cleaned.
    cleaned: usize,
    limits: SizeLimits,
}

impl Partition {
    /// The error state, if any, alone; all others together. Nothing has a signature yet, so the
    /// first call of [`Partition::split`] must give one to every state.
    pub(super) fn new(graph: &Graph, limits: &SizeLimits) -> Self {
        let n = graph.nodes as u32;
        let mut partition = Partition {
            block: vec![0; graph.nodes],
            size: vec![n],
            members: (0..n).collect(),
            place: (0..n).collect(),
            first: vec![0],
            signature: vec![u32::MAX; graph.nodes],
            store: Interner::new(),
            cleaned: 0,
            limits: *limits,
        };
        if let Some(error) = graph.error.filter(|_| n > 1) {
            partition.detach(0, &[error]);
        }
        partition
    }

    /// Numbers a signature (sorted, without duplicates).
    pub(super) fn intern(&mut self, signature: &[u64]) -> Result<u32, TooLarge> {
        let (id, new) = self.store.intern(signature);
        if new {
            self.limits.check_transitions(self.store.entries())?;
        }
        Ok(id)
    }

    /// The number of the union of stored signatures and further entries (sorted, without
    /// duplicates). Mostly one signature contains all the rest; then nothing is copied, which is
    /// what keeps large signatures that many states inherit from being made again and again.
    pub(super) fn intern_union(
        &mut self,
        inherited: &mut Vec<u32>,
        own: &mut Vec<u64>,
    ) -> Result<u32, TooLarge> {
        inherited.sort_unstable();
        inherited.dedup();
        let largest = inherited
            .iter()
            .copied()
            .max_by_key(|id| self.store.get(*id).len());
        if let Some(largest) = largest {
            let all = self.store.get(largest);
            let within = |part: &[u64]| part.iter().all(|e| all.binary_search(e).is_ok());
            let others = inherited.iter().filter(|id| **id != largest);
            if within(own) && others.map(|id| self.store.get(*id)).all(within) {
                return Ok(largest);
            }
            for id in inherited.iter() {
                own.extend_from_slice(self.store.get(*id));
            }
            // Sorted runs: the stable sort merges them.
            own.sort();
            own.dedup();
        }
        self.intern(own)
    }

    /// The number of a state's signature.
    pub(super) fn signature_of(&self, state: u32) -> u32 {
        self.signature[state as usize]
    }

    /// Gives a state the signature it has now.
    pub(super) fn set_signature(&mut self, state: u32, id: u32) {
        self.signature[state as usize] = id;
    }

    /// Splits the blocks of the states given (each once), whose signatures are new, by signature.
    /// Returns the states whose block has another number now.
    pub(super) fn split(&mut self, looked_at: &[u32]) -> Vec<u32> {
        let mut keyed: Vec<(u32, u32, u32)> = looked_at
            .iter()
            .map(|s| (self.block[*s as usize], self.signature[*s as usize], *s))
            .collect();
        keyed.sort_unstable();
        let mut moved = Vec::new();
        for same_block in keyed.chunk_by(|x, y| x.0 == y.0) {
            self.split_block(same_block[0].0, same_block, &mut moved);
        }
        self.clean();
        moved
    }

    /// `keyed`: the (block, signature, state) of the block's states that were examined, sorted.
    fn split_block(&mut self, block: u32, keyed: &[(u32, u32, u32)], moved: &mut Vec<u32>) {
        let clean = self.size[block as usize] as usize - keyed.len();
        let clean_signature = self.clean_signature(block, keyed, clean);
        let groups: Vec<&[(u32, u32, u32)]> = keyed.chunk_by(|x, y| x.1 == y.1).collect();
        // The states not examined stay with those of their signature; the largest group stays.
        let size = |group: &[(u32, u32, u32)]| {
            let with_clean = Some(group[0].1) == clean_signature;
            group.len() + if with_clean { clean } else { 0 }
        };
        let largest = groups.iter().map(|g| size(g)).max().unwrap_or(0);
        let clean_alone = clean > 0 && groups.iter().all(|g| Some(g[0].1) != clean_signature);
        let mut kept = clean_alone && clean >= largest;
        let mut parts: Vec<Vec<u32>> = Vec::new();
        for group in &groups {
            if !kept && size(group) == largest {
                kept = true;
                continue;
            }
            let mut part: Vec<u32> = group.iter().map(|k| k.2).collect();
            if Some(group[0].1) == clean_signature {
                part.extend(self.clean_members(block, keyed));
            }
            parts.push(part);
        }
        if clean_alone && clean < largest {
            parts.push(self.clean_members(block, keyed));
        }
        for part in parts {
            self.detach(block, &part);
            moved.extend(part);
        }
    }

    /// The common signature of the block's members that were not examined.
    fn clean_signature(&self, block: u32, keyed: &[(u32, u32, u32)], clean: usize) -> Option<u32> {
        if clean == 0 {
            return None;
        }
        let mut dirty: Vec<u32> = keyed.iter().map(|k| k.2).collect();
        dirty.sort_unstable();
        // At most `keyed.len()` of the first `keyed.len() + 1` members were examined.
        let mut members = self.members_of(block).iter().take(keyed.len() + 1);
        let clean = members.find(|s| dirty.binary_search(s).is_err())?;
        Some(self.signature[*clean as usize])
    }

    fn clean_members(&self, block: u32, keyed: &[(u32, u32, u32)]) -> Vec<u32> {
        let mut dirty: Vec<u32> = keyed.iter().map(|k| k.2).collect();
        dirty.sort_unstable();
        let is_clean = |s: &u32| dirty.binary_search(s).is_err();
        self.members_of(block)
            .iter()
            .copied()
            .filter(is_clean)
            .collect()
    }

    fn members_of(&self, block: u32) -> &[u32] {
        let first = self.first[block as usize] as usize;
        &self.members[first..first + self.size[block as usize] as usize]
    }

    /// Makes some members of a block (not all) a block of their own.
    fn detach(&mut self, block: u32, part: &[u32]) {
        let new = self.size.len() as u32;
        let mut last = self.first[block as usize] + self.size[block as usize];
        for state in part {
            last -= 1;
            let (here, other) = (self.place[*state as usize], self.members[last as usize]);
            self.members.swap(here as usize, last as usize);
            self.place[other as usize] = here;
            self.place[*state as usize] = last;
            self.block[*state as usize] = new;
        }
        self.size[block as usize] -= part.len() as u32;
        self.size.push(part.len() as u32);
        self.first.push(last);
    }

    /// Forgets signatures that no state has, when they have become the larger part.
    fn clean(&mut self) {
        if self.store.entries() < 2 * self.cleaned + (1 << 16) {
            return;
        }
        let old = std::mem::replace(&mut self.store, Interner::new());
        let mut number = vec![u32::MAX; old.len()];
        for signature in &mut self.signature {
            if *signature == u32::MAX {
                continue;
            }
            let new = &mut number[*signature as usize];
            if *new == u32::MAX {
                *new = self.store.intern(old.get(*signature)).0;
            }
            *signature = *new;
        }
        self.cleaned = self.store.entries();
    }
}

/// A set of states with cheap emptying.
pub(super) struct Marks {
    stamp: Vec<u32>,
    now: u32,
}

impl Marks {
    pub(super) fn new(states: usize) -> Self {
        Marks {
            stamp: vec![0; states],
            now: 1,
        }
    }

    pub(super) fn clear(&mut self) {
        if self.now == u32::MAX {
            self.stamp.fill(0);
            self.now = 0;
        }
        self.now += 1;
    }

    /// Adds a state; false if it was there.
    pub(super) fn add(&mut self, state: u32) -> bool {
        std::mem::replace(&mut self.stamp[state as usize], self.now) != self.now
    }
}

/// An entry of a signature.
pub(super) fn entry(label: u32, block: u32) -> u64 {
    (u64::from(label) << 32) | u64::from(block)
}
