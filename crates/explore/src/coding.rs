//! Sorted states as bytes.
//!
//! The first state of a block is in the index; each of the others is the difference to the one before: which word is the first that
//! differs (a byte), by how much it is larger (seven bits a byte), and the words behind it, each as a byte that says which of its
//! bytes changed and these bytes.

/// States in a block.
pub(crate) const BLOCK: usize = 128;

/// No state is wider.
pub(crate) const MOST_WORDS: usize = 4096;

/// No encoded state is longer than this.
pub(crate) const fn longest(words: usize) -> usize {
    13 + 9 * words
}

/// The encoded states of one partition.
#[derive(Default)]
pub(crate) struct Segment {
    pub(crate) data: Vec<u8>,
    /// For each block its first state and where the others begin.
    pub(crate) index: Vec<u8>,
    pub(crate) count: u64,
}

/// Encodes states, in order.
pub(crate) struct Encoder {
    segment: Segment,
    previous: Vec<u64>,
    in_block: usize,
}

impl Encoder {
    pub(crate) fn new(words: usize) -> Encoder {
        Encoder {
            segment: Segment::default(),
            previous: vec![0; words],
            in_block: 0,
        }
    }

    /// Adds a state that is larger than the last one.
    pub(crate) fn push(&mut self, state: &[u64]) {
        let segment = &mut self.segment;
        if self.in_block == 0 {
            for word in state {
                segment.index.extend_from_slice(&word.to_le_bytes());
            }
            let at = segment.data.len() as u64;
            segment.index.extend_from_slice(&at.to_le_bytes());
        } else {
            encode(&self.previous, state, &mut segment.data);
        }
        self.in_block = (self.in_block + 1) % BLOCK;
        segment.count += 1;
        self.previous.copy_from_slice(state);
    }

    pub(crate) fn finish(self) -> Segment {
        self.segment
    }
}

fn encode(before: &[u64], state: &[u64], to: &mut Vec<u8>) {
    let mut pairs = before.iter().zip(state);
    let Some(first) = pairs.position(|(a, b)| a != b) else {
        return;
    };
    if first < 255 {
        to.push(first as u8);
    } else {
        to.push(255);
        to.extend_from_slice(&(first as u16).to_le_bytes());
    }
    let mut rest = state[first].wrapping_sub(before[first]);
    while rest >= 0x80 {
        to.push(rest as u8 | 0x80);
        rest >>= 7;
    }
    to.push(rest as u8);
    for (a, b) in before[first + 1..].iter().zip(&state[first + 1..]) {
        let changed = (a ^ b).to_le_bytes();
        let at = to.len();
        to.push(0);
        for (bit, byte) in changed.into_iter().enumerate() {
            if byte != 0 {
                to[at] |= 1 << bit;
                to.push(byte);
            }
        }
    }
}

/// Changes a state into the next one; how many bytes that took. None if the bytes are no state, or end before it does.
pub(crate) fn decode(state: &mut [u64], bytes: &[u8]) -> Option<usize> {
    let mut at = 1;
    let mut first = usize::from(*bytes.first()?);
    if first == 255 {
        first = usize::from(u16::from_le_bytes([*bytes.get(1)?, *bytes.get(2)?]));
        at = 3;
    }
    let (mut more, mut shift) = (0u64, 0);
    loop {
        let byte = *bytes.get(at)?;
        at += 1;
        more |= u64::from(byte & 0x7f).checked_shl(shift)?;
        if byte & 0x80 == 0 {
            break;
        }
        shift += 7;
    }
    let word = state.get_mut(first)?;
    *word = word.checked_add(more).filter(|w| *w != *word)?;
    for word in &mut state[first + 1..] {
        let mut mask = *bytes.get(at)?;
        at += 1;
        while mask != 0 {
            let byte = u64::from(*bytes.get(at)?);
            at += 1;
            *word ^= byte << (8 * mask.trailing_zeros());
            mask &= mask - 1;
        }
    }
    Some(at)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn states_come_back_and_hostile_bytes_end() {
        let mut seed = 7u64;
        let mut next = || {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            seed >> 20
        };
        for words in [1, 2, 3, 300] {
            let mut states: Vec<Vec<u64>> = (0..200)
                .map(|_| {
                    (0..words)
                        .map(|w| if w % 3 == 2 { next() } else { next() % 3 })
                        .collect()
                })
                .collect();
            states.push(vec![u64::MAX; words]);
            states.sort();
            states.dedup();
            for pair in states.windows(2) {
                let mut bytes = Vec::new();
                encode(&pair[0], &pair[1], &mut bytes);
                assert!(bytes.len() <= longest(words));
                let mut state = pair[0].clone();
                assert_eq!(decode(&mut state, &bytes), Some(bytes.len()));
                assert_eq!(state, pair[1]);
                assert_eq!(
                    decode(&mut pair[0].clone(), &bytes[..bytes.len() - 1]),
                    None
                );
            }
        }
        for _ in 0..20_000 {
            let bytes: Vec<u8> = (0..next() % 40).map(|_| next() as u8).collect();
            let used = decode(&mut [next(), next(), next()], &bytes);
            assert!(used.is_none_or(|used| used <= bytes.len()));
        }
    }
}
