//! The set of states found: rows of words in one arena, and a table of where they are.
//!
//! A record is the head and the words of a state. The upper half of the head is the configuration,
//! which gives the length, and a few flags that are no part of the state; the lower half is where the state
//! came from. The number of a state is the place of its record, so the records themselves are the queue of a
//! breadth-first search, and no further array is needed.

/// Flags in a head, above the configuration.
pub(crate) const FLAGS: u64 = 0xff << 56;
/// The state has been expanded.
pub(crate) const CLOSED: u64 = 1 << 56;
/// The claim moved alone to come here.
pub(crate) const STUTTER: u64 = 1 << 57;
/// The state is on the path of a search for cycles.
pub(crate) const PATH: u64 = 1 << 58;
/// All processes were followed from the state.
pub(crate) const FULL: u64 = 1 << 59;
/// The state has a `progress` label.
pub(crate) const OUTSIDE: u64 = 1 << 60;
/// The state is in a level with an odd number, in a search on several threads.
pub(crate) const ODD: u64 = 1 << 61;
/// The parent of the first state.
pub(crate) const NONE: u32 = u32::MAX;

const CHUNK_BITS: u32 = 17;
const CHUNK: usize = 1 << CHUNK_BITS;

/// Where states are found by their numbers.
pub(crate) trait States {
    /// The words from a record on.
    fn from(&self, id: u32) -> &[u64];

    fn head(&self, id: u32) -> u64 {
        self.from(id)[0]
    }

    /// Where the state came from.
    fn parent(&self, id: u32) -> u32 {
        self.head(id) as u32
    }
}

/// States and where they are. One of `1 << bits` parts of a set, or all of it: the lowest bits of the number of a chunk say to which part it belongs.
pub(crate) struct Store {
    part: u32,
    bits: u32,
    chunks: Vec<Vec<u64>>,
    /// Place of a record plus 1 in the upper half, part of the hash in the lower; 0 is free.
    table: Vec<u64>,
    count: usize,
}

/// The store cannot hold more.
#[derive(Debug)]
pub(crate) struct Full;

/// A hash of a record without flags and parent. Two multiplications a word would be a waste: words are
/// folded into one product each.
#[inline(always)]
pub(crate) fn hash(record: &[u64]) -> u64 {
    const K: u64 = 0x9e37_79b9_7f4a_7c15;
    let mut h = (record[0] & !FLAGS) >> 32;
    for word in &record[1..] {
        let product = u128::from(h ^ word ^ K) * u128::from(0xd6e8_feb8_6659_fd93u64);
        h = (product as u64) ^ (product >> 64) as u64;
    }
    let product = u128::from(h ^ K) * u128::from(K);
    (product as u64) ^ (product >> 64) as u64
}

impl Store {
    pub(crate) fn new() -> Store {
        Store::part(0, 0)
    }

    /// An empty part of a set.
    pub(crate) fn part(part: u32, bits: u32) -> Store {
        Store {
            part,
            bits,
            chunks: Vec::new(),
            table: vec![0; 1 << 10],
            count: 0,
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.count
    }

    /// The bytes taken.
    pub(crate) fn bytes(&self) -> u64 {
        (self.table.capacity() * 8 + self.chunks.len() * CHUNK * 8) as u64
    }

    /// The bytes that the next growth of the table takes, if it is due after `more` states.
    pub(crate) fn growth(&self, more: usize) -> Option<u64> {
        ((self.count + more) * 4 > self.table.len() * 3).then_some(self.table.len() as u64 * 16)
    }

    /// Doubles the table.
    pub(crate) fn grow(&mut self) {
        let mut table = vec![0; self.table.len() * 2];
        let mask = table.len() - 1;
        for entry in self.table.iter().filter(|e| **e != 0) {
            let mut at = *entry as u32 as usize & mask;
            while table[at] != 0 {
                at = (at + 1) & mask;
            }
            table[at] = *entry;
        }
        self.table = table;
    }

    /// Looks at the place in the table, so that it is in the cache when it is needed.
    #[inline(always)]
    pub(crate) fn touch(&self, hash: u64) -> u64 {
        self.table[hash as u32 as usize & (self.table.len() - 1)]
    }

    #[inline(always)]
    pub(crate) fn head_mut(&mut self, id: u32) -> &mut u64 {
        &mut self.chunks[(id >> (CHUNK_BITS + self.bits)) as usize][id as usize & (CHUNK - 1)]
    }

    pub(crate) fn set_flag(&mut self, id: u32, flag: u64) {
        *self.head_mut(id) |= flag;
    }

    pub(crate) fn clear_flag(&mut self, id: u32, flag: u64) {
        *self.head_mut(id) &= !flag;
    }

    /// Another number in the place of where the state came from.
    pub(crate) fn set_parent(&mut self, id: u32, number: u32) {
        let head = self.head_mut(id);
        *head = *head & !0xffff_ffff | u64::from(number);
    }

    #[inline(always)]
    fn same(&self, id: u32, record: &[u64]) -> bool {
        let there = self.from(id);
        (there[0] ^ record[0]) & !FLAGS & !0xffff_ffff == 0
            && there.len() >= record.len()
            && there[1..record.len()] == record[1..]
    }

    /// Finds a state, or the place in the table where it belongs.
    #[inline(always)]
    fn probe(&self, record: &[u64], hash: u64) -> Result<u32, usize> {
        let mask = self.table.len() - 1;
        let mut at = hash as u32 as usize & mask;
        loop {
            let entry = self.table[at];
            if entry == 0 {
                return Err(at);
            }
            let id = (entry >> 32) as u32 - 1;
            if entry as u32 == hash as u32 && self.same(id, record) {
                return Ok(id);
            }
            at = (at + 1) & mask;
        }
    }

    pub(crate) fn find(&self, record: &[u64], hash: u64) -> Option<u32> {
        self.probe(record, hash).ok()
    }

    /// Adds a state unless it is there; true if it was not. The table must have room.
    pub(crate) fn insert(
        &mut self,
        record: &[u64],
        hash: u64,
        parent: u32,
        flags: u64,
    ) -> Result<(u32, bool), Full> {
        let at = match self.probe(record, hash) {
            Ok(id) => return Ok((id, false)),
            Err(at) => at,
        };
        let used = self.chunks.last().map_or(CHUNK, Vec::len);
        if used + record.len() > CHUNK {
            if record.len() > CHUNK || self.chunks.len() >= 1 << (32 - CHUNK_BITS - self.bits) {
                return Err(Full);
            }
            self.chunks.push(Vec::with_capacity(CHUNK));
        }
        let number = self.chunks.len() - 1;
        let chunk = &mut self.chunks[number];
        let id = (number << self.bits | self.part as usize) << CHUNK_BITS | chunk.len();
        let id = id as u32;
        if id == NONE {
            return Err(Full);
        }
        let head = record[0] & !FLAGS & !0xffff_ffff | flags | u64::from(parent);
        chunk.push(head);
        chunk.extend_from_slice(&record[1..]);
        self.table[at] = u64::from(id + 1) << 32 | u64::from(hash as u32);
        self.count += 1;
        Ok((id, true))
    }

    /// A place after all records so far. Of a whole set only.
    pub(crate) fn next(&self) -> u32 {
        let used = self.chunks.last().map_or(0, Vec::len);
        let number = self.chunks.len().saturating_sub(1);
        u32::try_from((number << CHUNK_BITS) + used).unwrap_or(NONE)
    }

    /// The first record at or after that place. Of a whole set only.
    #[inline(always)]
    pub(crate) fn seek(&self, id: u32) -> Option<u32> {
        let chunk = (id >> CHUNK_BITS) as usize;
        let within = id as usize & (CHUNK - 1);
        if within < self.chunks.get(chunk)?.len() {
            return Some(id);
        }
        let next = chunk + 1;
        (next < self.chunks.len()).then_some((next << CHUNK_BITS) as u32)
    }
}

impl States for Store {
    #[inline(always)]
    fn from(&self, id: u32) -> &[u64] {
        &self.chunks[(id >> (CHUNK_BITS + self.bits)) as usize][id as usize & (CHUNK - 1)..]
    }
}

/// A set of states in parts: the hash of a state says to which part it belongs.
pub(crate) struct Parts {
    pub(crate) parts: Vec<Store>,
    bits: u32,
}

impl Parts {
    /// With `1 << bits` parts.
    pub(crate) fn new(bits: u32) -> Parts {
        let parts = (0..1 << bits).map(|part| Store::part(part, bits));
        Parts {
            parts: parts.collect(),
            bits,
        }
    }

    /// The number of the part that a state belongs to. The tables of the parts use the lower half of a hash.
    #[inline(always)]
    pub(crate) fn of(&self, hash: u64) -> usize {
        (hash >> 32) as usize & (self.parts.len() - 1)
    }

    /// The part that has the state of that number.
    #[inline(always)]
    pub(crate) fn with(&mut self, id: u32) -> &mut Store {
        &mut self.parts[(id >> CHUNK_BITS) as usize & ((1 << self.bits) - 1)]
    }

    pub(crate) fn find(&self, record: &[u64], hash: u64) -> Option<u32> {
        self.parts[self.of(hash)].find(record, hash)
    }

    pub(crate) fn bytes(&self) -> u64 {
        self.parts.iter().map(Store::bytes).sum()
    }
}

impl States for Parts {
    #[inline(always)]
    fn from(&self, id: u32) -> &[u64] {
        self.parts[(id >> CHUNK_BITS) as usize & ((1 << self.bits) - 1)].from(id)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn states_are_found_again_and_flags_do_not_matter() {
        let mut store = Store::new();
        let mut ids = Vec::new();
        for i in 0..200_000u64 {
            if store.growth(1).is_some() {
                store.grow();
            }
            let record = [(i % 3) << 32, i, !i][..2 + (i % 3 > 0) as usize].to_vec();
            let (id, new) = store.insert(&record, hash(&record), i as u32, 0).unwrap();
            assert!(new);
            ids.push((id, record));
        }
        store.set_flag(ids[5].0, CLOSED);
        for (i, (id, record)) in ids.iter().enumerate() {
            assert_eq!(store.find(record, hash(record)), Some(*id));
            assert_eq!(store.parent(*id), i as u32);
            let again = store.insert(record, hash(record), 7, STUTTER).unwrap();
            assert_eq!(again, (*id, false));
        }
        let other = [0, 1 << 40];
        assert_eq!(store.find(&other, hash(&other)), None);
        let mut at = 0;
        let mut seen = 0;
        while let Some(id) = store.seek(at) {
            assert_eq!(id, ids[seen].0);
            at = id + ids[seen].1.len() as u32;
            seen += 1;
        }
        assert_eq!(seen, ids.len());
    }
}
