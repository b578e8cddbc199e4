//! State vectors packed into fixed-width records of 64-bit words.

/// Where each slot of a state vector lies. No slot straddles a word.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layout {
    words: usize,
    slots: Vec<Slot>,
}

/// One slot: word, shift and (unshifted) mask.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Slot {
    word: u32,
    shift: u32,
    mask: u64,
}

impl Layout {
    /// A slot for every domain size: slot `i` holds numbers below `sizes[i]`.
    pub fn new(sizes: impl IntoIterator<Item = u32>) -> Self {
        let mut slots = Vec::new();
        let (mut word, mut used) = (0u32, 0u32);
        for size in sizes {
            let bits = u32::BITS - size.saturating_sub(1).leading_zeros();
            if used + bits > u64::BITS {
                word += 1;
                used = 0;
            }
            slots.push(Slot {
                word,
                shift: if bits == 0 { 0 } else { used },
                mask: (1u64 << bits) - 1,
            });
            used += bits;
        }
        Layout {
            words: word as usize + 1,
            slots,
        }
    }

    /// The same slots in records of at least this many words.
    pub fn padded(mut self, words: usize) -> Self {
        self.words = self.words.max(words);
        self
    }

    /// Words a record.
    pub fn words(&self) -> usize {
        self.words
    }

    /// The number of slots.
    pub fn slots(&self) -> usize {
        self.slots.len()
    }

    /// The word a slot lies in, its shift, and its mask before shifting.
    pub fn place(&self, slot: usize) -> (usize, u32, u64) {
        let s = self.slots[slot];
        (s.word as usize, s.shift, s.mask)
    }

    /// Reads a slot.
    pub fn get(&self, record: &[u64], slot: usize) -> u32 {
        let s = self.slots[slot];
        ((record[s.word as usize] >> s.shift) & s.mask) as u32
    }

    /// Writes a slot. The value must fit; debug builds check.
    pub fn set(&self, record: &mut [u64], slot: usize, value: u32) {
        let s = self.slots[slot];
        debug_assert!(u64::from(value) <= s.mask, "{value} does not fit its slot");
        let word = &mut record[s.word as usize];
        *word = (*word & !(s.mask << s.shift)) | ((u64::from(value) & s.mask) << s.shift);
    }

    /// Can the slot hold that value?
    pub fn fits(&self, slot: usize, value: u32) -> bool {
        u64::from(value) <= self.slots[slot].mask
    }

    /// Packs a whole vector; none if it has the wrong length or a value does not fit.
    pub fn pack(&self, values: &[u32]) -> Option<Vec<u64>> {
        let fits = |(slot, value): (usize, &u32)| self.fits(slot, *value);
        if values.len() != self.slots.len() || !values.iter().enumerate().all(fits) {
            return None;
        }
        let mut record = vec![0; self.words];
        for (slot, value) in values.iter().enumerate() {
            self.set(&mut record, slot, *value);
        }
        Some(record)
    }

    /// Unpacks a whole record.
    pub fn unpack(&self, record: &[u64]) -> Vec<u32> {
        (0..self.slots.len())
            .map(|slot| self.get(record, slot))
            .collect()
    }
}

/// A list of records in one arena.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PackedStates {
    layout: Layout,
    data: Vec<u64>,
}

impl PackedStates {
    /// Empty.
    pub fn new(layout: Layout) -> Self {
        PackedStates {
            layout,
            data: Vec::new(),
        }
    }

    /// From an arena that an engine filled; its length must be a multiple of the record's.
    pub fn from_arena(layout: Layout, data: Vec<u64>) -> Self {
        assert!(
            data.len().is_multiple_of(layout.words()),
            "a record is cut off"
        );
        PackedStates { layout, data }
    }

    /// Appends a record.
    pub fn push(&mut self, record: &[u64]) {
        debug_assert_eq!(record.len(), self.layout.words());
        self.data.extend_from_slice(record);
    }

    /// The layout of the records.
    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    /// The number of records.
    pub fn len(&self) -> usize {
        self.data.len() / self.layout.words
    }

    /// None at all?
    pub fn is_empty(&self) -> bool {
        self.data.is_empty()
    }

    /// A record by number.
    pub fn record(&self, index: usize) -> &[u64] {
        let words = self.layout.words;
        &self.data[index * words..(index + 1) * words]
    }

    /// All records, in order.
    pub fn iter(&self) -> impl Iterator<Item = &[u64]> {
        self.data.chunks_exact(self.layout.words)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slots_keep_their_values_across_words() {
        let sizes = [1, 2, u32::MAX, 5, u32::MAX, 1 << 20, 3];
        let layout = Layout::new(sizes);
        let values = [0, 1, u32::MAX - 1, 4, 7, (1 << 20) - 1, 2];
        let record = layout.pack(&values).unwrap();
        assert_eq!(layout.unpack(&record), values);
        assert_eq!(layout.pack(&[1, 0, 0, 0, 0, 0, 0]), None);
        assert_eq!(layout.pack(&[0]), None);
    }

    #[test]
    fn a_layout_without_slots_has_one_word() {
        let layout = Layout::new([]);
        assert_eq!((layout.words(), layout.pack(&[])), (1, Some(vec![0])));
    }
}
