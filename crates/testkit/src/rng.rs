//! A small seeded generator of random numbers, and loops over seeds that say which one failed.

/// SplitMix64 (Steele, Lea and Flood, 2014): the same numbers for the same seed, everywhere.
#[derive(Clone, Debug)]
pub struct Rng {
    state: u64,
}

impl Rng {
    /// From a seed.
    pub fn new(seed: u64) -> Self {
        Rng { state: seed }
    }

    /// The next number.
    pub fn next_u64(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `bound`; 0 if there is none.
    pub fn below(&mut self, bound: usize) -> usize {
        if bound == 0 {
            return 0;
        }
        (self.next_u64() % bound as u64) as usize
    }

    /// A number from `low` to `high`, both included.
    pub fn between(&mut self, low: usize, high: usize) -> usize {
        low + self.below(high.saturating_sub(low) + 1)
    }

    /// True so many times out of a hundred.
    pub fn percent(&mut self, chance: u32) -> bool {
        self.below(100) < chance as usize
    }

    /// One of them; none if there is none.
    pub fn pick<'a, T>(&mut self, from: &'a [T]) -> Option<&'a T> {
        from.get(self.below(from.len()))
    }

    /// Each of them with that chance (in a hundred).
    pub fn subset<T: Clone>(&mut self, from: &[T], chance: u32) -> Vec<T> {
        let mut chosen = from.to_vec();
        chosen.retain(|_| self.percent(chance));
        chosen
    }
}

/// Runs a test for `count` seeds. A failing one is named on standard error.
///
/// `SUPPOSE_SEED` sets the first seed (and, if `SUPPOSE_CASES` is not set, runs that one only);
/// `SUPPOSE_CASES` sets the number of seeds.
pub fn for_each_seed(count: u64, mut test: impl FnMut(&mut Rng)) {
    let number = |name: &str| std::env::var(name).ok().and_then(|v| v.parse::<u64>().ok());
    let first = number("SUPPOSE_SEED");
    let cases = number("SUPPOSE_CASES");
    let count = cases.unwrap_or(if first.is_some() { 1 } else { count });
    let first = first.unwrap_or(0);
    for seed in (0..count).map(|i| first.wrapping_add(i)) {
        let _announce = Announce(seed);
        test(&mut Rng::new(seed));
    }
}

struct Announce(u64);

impl Drop for Announce {
    #[allow(clippy::print_stderr, reason = "a failing test must say its seed")]
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!("failed with SUPPOSE_SEED={}", self.0);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_numbers_are_the_published_ones() {
        let mut rng = Rng::new(1234567);
        assert_eq!(rng.next_u64(), 6457827717110365317);
        assert_eq!(rng.next_u64(), 3203168211198807973);
    }

    #[test]
    fn bounds_are_kept() {
        let mut rng = Rng::new(1);
        assert_eq!((rng.below(0), rng.between(3, 3)), (0, 3));
        assert!((0..100).all(|_| (2..=4).contains(&rng.between(2, 4))));
        assert_eq!(rng.pick::<u8>(&[]), None);
        assert_eq!(rng.subset(&[1, 2, 3], 100), [1, 2, 3]);
    }
}
