//! Random choices of a simulation.

use suppose_number::{Int, Rat, SplitMix64};

use super::StepOutcome;

/// A source of random choices: the same choices for the same seed.
#[derive(Clone, Debug)]
pub struct Random(SplitMix64);

impl Random {
    /// From a seed.
    pub fn new(seed: u64) -> Self {
        Random(SplitMix64::new(seed))
    }

    /// The next number.
    pub fn word(&mut self) -> u64 {
        self.0.next_u64()
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
    pub fn outcome(&mut self, outcomes: &[StepOutcome]) -> usize {
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
