//! Numbers by chance.

use suppose_number::{Int, Rat};

use super::Outcome;

/// SplitMix64 (Steele, Lea and Flood, 2014): the same numbers for the same seed, everywhere.
#[derive(Clone, Debug)]
pub struct Random {
    state: u64,
}

impl Random {
    /// From a seed.
    pub fn new(seed: u64) -> Self {
        Random { state: seed }
    }

    /// The next number.
    pub fn word(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `bound`; 0 if there is none.
    pub fn below(&mut self, bound: usize) -> usize {
        match bound {
            0 => 0,
            // The high word of the product: even but for one part in 2^64.
            _ => ((u128::from(self.word()) * bound as u128) >> 64) as usize,
        }
    }

    /// Heads or tails.
    pub fn flip(&mut self) -> bool {
        self.word() >> 63 == 1
    }

    /// The number of one of the outcomes, by their probabilities, to one part in 2^64.
    pub fn outcome(&mut self, outcomes: &[Outcome]) -> usize {
        let drawn = Rat::new(Int::from(self.word()), Int::from(1i128 << 64));
        let mut sum = Rat::from(0i64);
        for (number, outcome) in outcomes.iter().enumerate() {
            match &outcome.probability {
                Some(probability) => sum = &sum + probability,
                None => return self.below(outcomes.len()),
            }
            if drawn < sum {
                return number;
            }
        }
        outcomes.len().saturating_sub(1)
    }
}
