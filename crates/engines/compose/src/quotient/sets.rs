//! Bit sets of equal width in one arena, one for every state of a graph.

/// Numbered sets of states of the process.
#[derive(Clone, Debug)]
pub(super) struct Sets {
    width: usize,
    words: usize,
    data: Vec<u64>,
}

impl Sets {
    /// So many empty sets over `0..width`.
    pub fn new(count: usize, width: usize) -> Self {
        let words = width.div_ceil(64).max(1);
        Sets {
            width,
            words,
            data: vec![0; count * words],
        }
    }

    /// How many sets.
    pub fn len(&self) -> usize {
        self.data.len() / self.words
    }

    /// Over how many elements.
    pub fn width(&self) -> usize {
        self.width
    }

    /// One more empty set.
    pub fn push(&mut self) {
        self.data.resize(self.data.len() + self.words, 0);
    }

    pub fn row(&self, number: usize) -> &[u64] {
        &self.data[number * self.words..][..self.words]
    }

    pub fn row_mut(&mut self, number: usize) -> &mut [u64] {
        &mut self.data[number * self.words..][..self.words]
    }

    pub fn fill(&mut self, number: usize) {
        let full = full(self.width);
        self.row_mut(number).copy_from_slice(&full);
    }

    /// The images under a map of the elements.
    pub fn mapped(&self, map: &[u32], width: usize) -> Sets {
        let mut image = Sets::new(self.len(), width);
        for number in 0..self.len() {
            let row = image.row_mut(number);
            for element in ones(self.row(number)) {
                insert(row, map[element as usize]);
            }
        }
        image
    }
}

/// A set of its own with all of `0..width`.
pub(super) fn full(width: usize) -> Vec<u64> {
    let mut set = vec![u64::MAX; width.div_ceil(64).max(1)];
    let last = set.len() - 1;
    set[last] = match width % 64 {
        0 if width > 0 => u64::MAX,
        bits => (1u64 << bits) - 1,
    };
    set
}

pub(super) fn contains(set: &[u64], element: u32) -> bool {
    set[element as usize / 64] >> (element % 64) & 1 == 1
}

/// Adds an element; was it new?
pub(super) fn insert(set: &mut [u64], element: u32) -> bool {
    let word = &mut set[element as usize / 64];
    let before = *word;
    *word |= 1 << (element % 64);
    *word != before
}

pub(super) fn remove(set: &mut [u64], element: u32) {
    set[element as usize / 64] &= !(1 << (element % 64));
}

/// Adds all of another set; was any new?
pub(super) fn unite(set: &mut [u64], other: &[u64]) -> bool {
    let mut grown = 0;
    for (word, more) in set.iter_mut().zip(other) {
        grown |= more & !*word;
        *word |= more;
    }
    grown != 0
}

pub(super) fn is_empty(set: &[u64]) -> bool {
    set.iter().all(|w| *w == 0)
}

pub(super) fn is_subset(set: &[u64], other: &[u64]) -> bool {
    set.iter().zip(other).all(|(a, b)| a & !b == 0)
}

pub(super) fn meet(set: &[u64], other: &[u64]) -> bool {
    set.iter().zip(other).any(|(a, b)| a & b != 0)
}

/// The elements, in order.
pub(super) fn ones(set: &[u64]) -> impl Iterator<Item = u32> + '_ {
    set.iter().enumerate().flat_map(|(at, word)| {
        let mut rest = *word;
        std::iter::from_fn(move || {
            (rest != 0).then(|| {
                let bit = rest.trailing_zeros();
                rest &= rest - 1;
                at as u32 * 64 + bit
            })
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn full_sets_have_exactly_their_elements() {
        for width in [0, 1, 63, 64, 65, 128, 130] {
            let set = full(width);
            let all: Vec<u32> = ones(&set).collect();
            assert_eq!(all, (0..width as u32).collect::<Vec<_>>());
        }
    }

    #[test]
    fn images_are_taken_set_by_set() {
        let mut sets = Sets::new(2, 70);
        insert(sets.row_mut(1), 69);
        insert(sets.row_mut(1), 3);
        let map: Vec<u32> = (0..70).map(|e| e / 35).collect();
        let image = sets.mapped(&map, 2);
        assert_eq!(ones(image.row(1)).collect::<Vec<_>>(), [0, 1]);
        assert!(is_empty(image.row(0)));
    }
}
