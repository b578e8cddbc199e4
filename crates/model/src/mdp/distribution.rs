//! Distributions, shared and exact.
//!
//! The probabilities of a distribution are kept as positive whole *weights* without a common divisor:
//! the probability of a target is its weight by the sum of all. So a distribution has one form only, equality is by
//! value, products need no division, and a flow between two distributions is a flow of whole numbers.

use std::fmt;
use std::hash::BuildHasher;

use hashbrown::HashTable;
use rustc_hash::{FxBuildHasher, FxHashMap};
use suppose_number::{Int, Rat};

use crate::lts::State;

/// A distribution of a [`Distributions`], by its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct DistId(pub u32);

impl DistId {
    /// The label as an index.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// Positive weights without a common divisor, one for each target.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Weights<'a> {
    /// All of them, and their sum, fit a word.
    Small(&'a [u64]),
    /// Their sum does not.
    Big(&'a [Int]),
}

/// A distribution: targets in ascending order, and their weights.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Dist<'a> {
    targets: &'a [State],
    weights: Weights<'a>,
}

/// Why numbers are no distribution.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BadDistribution {
    /// A probability is negative.
    Negative(Rat),
    /// They do not add up to one but to this.
    Sum(Rat),
}

impl fmt::Display for BadDistribution {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BadDistribution::Negative(p) => write!(f, "the probability {p} is negative"),
            BadDistribution::Sum(p) => write!(f, "the probabilities add up to {p} and not to 1"),
        }
    }
}

impl std::error::Error for BadDistribution {}

impl<'a> Dist<'a> {
    /// The states it can lead to, ascending.
    pub fn targets(self) -> &'a [State] {
        self.targets
    }

    /// The weights of the targets.
    pub fn weights(self) -> Weights<'a> {
        self.weights
    }

    /// How many states it can lead to.
    #[allow(clippy::len_without_is_empty)] // it is never empty
    pub fn len(self) -> usize {
        self.targets.len()
    }

    /// The one state it leads to, if it is certain.
    pub fn dirac(self) -> Option<State> {
        match self.targets {
            [only] => Some(*only),
            _ => None,
        }
    }

    /// The weight of the target at that place.
    pub fn weight(self, at: usize) -> Int {
        match self.weights {
            Weights::Small(w) => int_of(w[at]),
            Weights::Big(w) => w[at].clone(),
        }
    }

    /// The sum of the weights.
    pub fn total(self) -> Int {
        match self.weights {
            Weights::Small(w) => int_of(w.iter().sum()),
            Weights::Big(w) => w.iter().fold(Int::ZERO, |sum, w| &sum + w),
        }
    }

    /// The probability of the target at that place.
    pub fn probability(self, at: usize) -> Rat {
        Rat::new(self.weight(at), self.total())
    }

    /// Targets with their probabilities.
    pub fn probabilities(self) -> impl Iterator<Item = (State, Rat)> + 'a {
        let total = self.total();
        let pairs = self.targets.iter().enumerate();
        pairs.map(move |(at, state)| (*state, Rat::new(self.weight(at), total.clone())))
    }
}

/// A whole number from a word.
pub(super) fn int_of(word: u64) -> Int {
    match i64::try_from(word) {
        Ok(small) => Int::from(small),
        Err(_) => &(&Int::from((word >> 1) as i64) * &Int::from(2)) + &Int::from((word & 1) as i64),
    }
}

/// A store of distributions, each kept once.
#[derive(Clone, Debug, Default)]
pub struct Distributions {
    /// Where each begins; one more than there are.
    starts: Vec<u32>,
    targets: Vec<State>,
    /// Meaningless for the big ones.
    weights: Vec<u64>,
    big: FxHashMap<u32, Box<[Int]>>,
    index: HashTable<u32>,
}

impl Distributions {
    /// Empty.
    pub fn new() -> Self {
        Distributions::default()
    }

    /// The number of them.
    pub fn len(&self) -> usize {
        self.starts.len().saturating_sub(1)
    }

    /// Are there none?
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// All their targets together.
    pub fn entries(&self) -> usize {
        self.targets.len()
    }

    /// That distribution.
    pub fn get(&self, id: DistId) -> Dist<'_> {
        let range = self.starts[id.index()] as usize..self.starts[id.index() + 1] as usize;
        let weights = match self.big.get(&id.0) {
            Some(big) => Weights::Big(big),
            None => Weights::Small(&self.weights[range.clone()]),
        };
        Dist {
            targets: &self.targets[range],
            weights,
        }
    }

    /// The number of a distribution of any store, kept once.
    pub fn insert(&mut self, dist: Dist<'_>) -> DistId {
        let hash = hash(&dist);
        if let Some(id) = self.index.find(hash, |id| self.get(DistId(*id)) == dist) {
            return DistId(*id);
        }
        if self.starts.is_empty() {
            self.starts.push(0);
        }
        let id = u32::try_from(self.len()).unwrap_or(u32::MAX);
        self.targets.extend_from_slice(dist.targets);
        match dist.weights {
            Weights::Small(weights) => self.weights.extend_from_slice(weights),
            Weights::Big(weights) => {
                self.weights.resize(self.targets.len(), 0);
                self.big.insert(id, weights.into());
            }
        }
        let end = u32::try_from(self.targets.len()).unwrap_or(u32::MAX);
        self.starts.push(end);
        let mut index = std::mem::take(&mut self.index);
        index.insert_unique(hash, id, |id| self::hash(&self.get(DistId(*id))));
        self.index = index;
        DistId(id)
    }

    /// The distribution that leads to that state for certain.
    pub fn insert_dirac(&mut self, target: State) -> DistId {
        self.insert(Dist {
            targets: &[target],
            weights: Weights::Small(&[1]),
        })
    }

    /// From weights in any order, with repetitions, zeros and common divisors. None if all are zero.
    pub fn insert_weights(&mut self, parts: &mut Vec<(State, u64)>) -> Option<DistId> {
        merge(parts, |a, b| match a.checked_add(*b) {
            Some(sum) => {
                *a = sum;
                true
            }
            None => false,
        });
        let small = parts.windows(2).all(|w| w[0].0 != w[1].0)
            && parts
                .iter()
                .try_fold(0u64, |sum, (_, w)| sum.checked_add(*w))
                .is_some();
        if !small {
            let mut parts = parts.iter().map(|(s, w)| (*s, int_of(*w))).collect();
            return self.insert_ints(&mut parts);
        }
        parts.retain(|(_, w)| *w != 0);
        let divisor = parts.iter().fold(0, |d, (_, w)| gcd(d, *w));
        let targets: Vec<State> = parts.iter().map(|(s, _)| *s).collect();
        let weights: Vec<u64> = parts.iter().map(|(_, w)| w / divisor.max(1)).collect();
        (!targets.is_empty()).then(|| {
            self.insert(Dist {
                targets: &targets,
                weights: Weights::Small(&weights),
            })
        })
    }

    /// As [`Distributions::insert_weights`], with weights of any size (none negative).
    pub fn insert_ints(&mut self, parts: &mut Vec<(State, Int)>) -> Option<DistId> {
        merge(parts, |a, b| {
            *a = &*a + b;
            true
        });
        parts.retain(|(_, w)| w.is_positive());
        let divisor = parts.iter().fold(Int::ZERO, |d, (_, w)| d.gcd(w));
        if parts.is_empty() {
            return None;
        }
        let targets: Vec<State> = parts.iter().map(|(s, _)| *s).collect();
        let weights: Vec<Int> = parts.iter().map(|(_, w)| w.div_exact(&divisor)).collect();
        let word = |w: &Int| w.to_i64().and_then(|w| u64::try_from(w).ok());
        let small: Option<Vec<u64>> = weights.iter().map(word).collect();
        let sum = |w: &Vec<u64>| {
            w.iter()
                .try_fold(0u64, |sum, w| sum.checked_add(*w))
                .is_some()
        };
        let weights = match &small {
            Some(small) if sum(small) => Weights::Small(small),
            _ => Weights::Big(&weights),
        };
        Some(self.insert(Dist {
            targets: &targets,
            weights,
        }))
    }

    /// From probabilities in any order; zeros are dropped, repetitions added.
    pub fn insert_probabilities(
        &mut self,
        parts: &[(State, Rat)],
    ) -> Result<DistId, BadDistribution> {
        if let Some((_, p)) = parts.iter().find(|(_, p)| p.is_negative()) {
            return Err(BadDistribution::Negative(p.clone()));
        }
        let sum = parts.iter().fold(Rat::ZERO, |sum, (_, p)| &sum + p);
        if sum != Rat::ONE {
            return Err(BadDistribution::Sum(sum));
        }
        let scale = parts.iter().fold(Int::ONE, |d, (_, p)| d.lcm(p.den()));
        let scaled = |(s, p): &(State, Rat)| (*s, p.num() * &scale.div_exact(p.den()));
        let mut weights = parts.iter().map(scaled).collect();
        self.insert_ints(&mut weights)
            .ok_or(BadDistribution::Sum(Rat::ZERO))
    }
}

fn hash(dist: &Dist<'_>) -> u64 {
    FxBuildHasher.hash_one(dist)
}

/// Sorts by target and merges entries with the same target, if `add` can represent the sum.
fn merge<W>(parts: &mut Vec<(State, W)>, mut add: impl FnMut(&mut W, &W) -> bool) {
    parts.sort_by_key(|(state, _)| *state);
    parts.dedup_by(|later, first| later.0 == first.0 && add(&mut first.1, &later.1));
}

pub(super) fn gcd(mut a: u64, mut b: u64) -> u64 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rat(num: i64, den: i64) -> Rat {
        Rat::new(Int::from(num), Int::from(den))
    }

    #[test]
    fn one_form_whatever_the_way_in() {
        let mut all = Distributions::new();
        let a = all.insert_weights(&mut vec![(3, 4), (1, 2), (3, 2), (9, 0)]);
        let b = all
            .insert_probabilities(&[(1, rat(1, 4)), (3, rat(3, 4))])
            .ok();
        let c = all.insert_ints(&mut vec![(3, Int::from(3)), (1, Int::ONE)]);
        assert_eq!((a, a), (b, c));
        let dist = all.get(a.unwrap());
        assert_eq!(dist.weights(), Weights::Small(&[1, 3]));
        assert_eq!(dist.probability(1), rat(3, 4));
        assert_eq!(all.len(), 1);
    }

    #[test]
    fn what_overflows_a_word_is_kept_exactly() {
        let mut all = Distributions::new();
        let a = all
            .insert_weights(&mut vec![(0, u64::MAX), (1, 1), (0, 2)])
            .unwrap();
        let dist = all.get(a);
        assert!(matches!(dist.weights(), Weights::Big(_)));
        let sum = dist
            .probabilities()
            .fold(Rat::ZERO, |sum, (_, p)| &sum + &p);
        assert_eq!(sum, Rat::ONE);
        assert_eq!(dist.weight(0), &int_of(u64::MAX) + &Int::from(2));
    }

    #[test]
    fn what_is_no_distribution_is_said() {
        let mut all = Distributions::new();
        let bad = all.insert_probabilities(&[(0, rat(1, 3)), (1, rat(1, 3))]);
        assert_eq!(bad, Err(BadDistribution::Sum(rat(2, 3))));
        let bad = all.insert_probabilities(&[(0, rat(4, 3)), (1, rat(-1, 3))]);
        assert_eq!(bad, Err(BadDistribution::Negative(rat(-1, 3))));
        assert!(all.is_empty());
    }
}
