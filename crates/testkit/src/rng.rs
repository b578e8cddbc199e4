//! A small seeded generator of random numbers, and loops over seeds that say which one failed.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use suppose_number::SplitMix64;

/// A seeded generator: the same numbers for the same seed.
#[derive(Clone, Debug)]
pub struct Rng(SplitMix64);

impl Rng {
    /// From a seed.
    pub fn new(seed: u64) -> Self {
        Rng(SplitMix64::new(seed))
    }

    /// The next number.
    pub fn next_u64(&mut self) -> u64 {
        self.0.next_u64()
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

/// The long mode of a comparison: runs a test for the seeds from `SUPPOSE_SEED` (or `first`) on, as many as `SUPPOSE_CASES` (or `count`) says, on
/// `SUPPOSE_WORKERS` threads (or one for each core). A seed that fails does not end the run: its message is on standard error.
///
/// # Panics
///
/// At the end, with the seeds that failed.
pub fn long_run(first: u64, count: u64, test: impl Fn(u64, &mut Rng) + Sync) {
    let number = |name: &str| std::env::var(name).ok().and_then(|v| v.parse::<u64>().ok());
    let first = number("SUPPOSE_SEED").unwrap_or(first);
    let count = number("SUPPOSE_CASES").unwrap_or(count);
    let cores = std::thread::available_parallelism().map_or(1, |n| n.get() as u64);
    let workers = number("SUPPOSE_WORKERS").unwrap_or(cores);
    run_seeds(first, count, workers, test);
}

#[allow(
    clippy::print_stderr,
    reason = "a long run must say how far it has come"
)]
fn run_seeds(first: u64, count: u64, workers: u64, test: impl Fn(u64, &mut Rng) + Sync) {
    let next = AtomicU64::new(0);
    let failed = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..workers.max(1) {
            scope.spawn(|| {
                loop {
                    let done = next.fetch_add(1, Ordering::Relaxed);
                    if done >= count {
                        break;
                    }
                    if done > 0 && done.is_multiple_of(1000) {
                        eprintln!("{done} of {count}");
                    }
                    let seed = first.wrapping_add(done);
                    let run = AssertUnwindSafe(|| test(seed, &mut Rng::new(seed)));
                    if catch_unwind(run).is_err() {
                        eprintln!("failed with SUPPOSE_SEED={seed}");
                        failed.lock().expect("no panic there").push(seed);
                    }
                }
            });
        }
    });
    let mut failed = failed.into_inner().expect("no panic there");
    failed.sort_unstable();
    assert!(failed.is_empty(), "failed with the seeds {failed:?}");
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
    fn a_long_run_goes_on_behind_a_failure() {
        let seen = Mutex::new(Vec::new());
        let run = catch_unwind(AssertUnwindSafe(|| {
            run_seeds(10, 5, 2, |seed, _| {
                seen.lock().unwrap().push(seed);
                assert_ne!(seed, 12);
            });
        }));
        let said = run.unwrap_err();
        let said = said.downcast_ref::<String>().unwrap();
        assert_eq!(said, "failed with the seeds [12]");
        let mut seen = seen.into_inner().unwrap_or_else(|e| e.into_inner());
        seen.sort_unstable();
        assert_eq!(seen, [10, 11, 12, 13, 14]);
    }

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
