//! How large will an exploration become?
//!
//! Two answers, each wrong at times. The levels of a breadth-first search of components that run beside each other
//! grow and shrink as the binomial coefficients do: level `j` is followed by one about `a / j - b` times as large.
//! Both numbers are fitted to the later half of the levels seen, and the levels to come follow from them. In a chain
//! of arbiters levels shrink and grow again, so this is believed only when it has stayed the same for a while, or
//! when [random walks](crate::walk) say about the same at once. This only says whether to go on now or to
//! try something else first; no verdict depends on it.

use crate::product::{Product, Scratch};
use crate::walk::{Progress, Walks};

/// With fewer states expanded nothing is foreseen.
const FIRST: usize = 512;

/// What is foreseen of an exploration.
#[derive(Clone, Debug)]
pub(crate) struct Forecast<const W: usize> {
    levels: Levels,
    walks: Walks<W>,
    /// At growing numbers of expanded states, how many the levels said that there would be in all.
    past: Vec<(usize, f64)>,
    told_at: usize,
}

impl<const W: usize> Forecast<W> {
    pub fn new() -> Self {
        Forecast {
            levels: Levels::default(),
            walks: Walks::new(),
            past: Vec::new(),
            told_at: 0,
        }
    }

    /// A state is about to be expanded, of so many that were found.
    #[inline]
    pub fn expand(&mut self, state: usize, found: usize) {
        self.levels.expand(state, found);
    }

    /// Have enough states been expanded since the last forecast for another one?
    pub fn is_due(&self, expanded: usize) -> bool {
        expanded >= FIRST && expanded >= self.told_at + self.told_at / 8
    }

    /// Walks anew when that was long ago; how many transitions were looked at.
    pub fn walk(
        &mut self,
        product: &Product,
        scratch: &mut Scratch<W>,
        expanded: usize,
        found: usize,
    ) -> u64 {
        let progress = self.progress(expanded, found);
        match self.walks.are_old(expanded) {
            true => self.walks.walk(product, scratch, progress),
            false => 0,
        }
    }

    fn progress(&self, expanded: usize, found: usize) -> Progress {
        Progress {
            depth: self.levels.sizes.len(),
            expanded,
            found,
        }
    }

    /// How many states there will probably be in all; none if that cannot be told.
    pub fn total(
        &mut self,
        expanded: usize,
        found: usize,
        is_found: impl Fn(&[u64; W]) -> bool,
    ) -> Option<f64> {
        self.told_at = expanded;
        let levels = self.levels.total()?;
        let earlier = self.past.iter().rev();
        let earlier = earlier.clone().find(|(at, _)| at + at / 2 <= expanded);
        let is_steady = earlier.is_some_and(|(_, old)| near(*old, levels, 1.6));
        self.past.push((expanded, levels));
        let walks = self.walks.total(self.progress(expanded, found), is_found);
        match walks {
            Some(walks) if near(walks, levels, 2.5) => Some((walks * levels).sqrt()),
            _ => is_steady.then_some(levels),
        }
    }
}

/// Is neither more than so many times the other?
fn near(a: f64, b: f64, times: f64) -> bool {
    a <= times * b && b <= times * a
}

/// The sizes of the levels so far.
#[derive(Clone, Debug, Default)]
pub(crate) struct Levels {
    sizes: Vec<usize>,
    /// Where the level ends that is being expanded.
    end: usize,
}

/// With fewer levels nothing is foreseen.
const FEWEST: usize = 6;
/// A system of more states than this is as good as infinite.
const MOST: f64 = 1e12;
/// Levels that are looked ahead: levels of one size each would go on for ever.
const FARTHEST: usize = 10_000;

impl Levels {
    /// A state is about to be expanded, of so many that were found.
    #[inline]
    pub fn expand(&mut self, state: usize, found: usize) {
        if state == self.end {
            self.sizes.push(found - self.end);
            self.end = found;
        }
    }

    /// How many states there will probably be in all; none if that cannot be told.
    pub fn total(&self) -> Option<f64> {
        let count = self.sizes.len();
        if count < FEWEST {
            return None;
        }
        let size = |level: usize| self.sizes[level] as f64;
        let ratios = (count / 2..count - 1).map(|j| (1.0 / (j + 1) as f64, size(j + 1) / size(j)));
        let (a, b) = line(ratios)?;
        let mut total = self.end as f64;
        let mut last = size(count - 1);
        let mut level = count;
        while last >= 1.0 && total < MOST {
            if level - count == FARTHEST {
                return None;
            }
            last *= a / level as f64 + b;
            total += last.max(0.0);
            level += 1;
        }
        (total < MOST && total.is_finite()).then_some(total)
    }
}

/// The line `a x + b` that fits the points best.
fn line(points: impl Iterator<Item = (f64, f64)> + Clone) -> Option<(f64, f64)> {
    let count = points.clone().count() as f64;
    let sum = |of: fn((f64, f64)) -> f64| points.clone().map(of).sum::<f64>();
    let (x, y) = (sum(|p| p.0) / count, sum(|p| p.1) / count);
    let spread: f64 = points.clone().map(|p| (p.0 - x).powi(2)).sum();
    let common: f64 = points.map(|p| (p.0 - x) * (p.1 - y)).sum();
    let a = common / spread;
    a.is_finite().then_some((a, y - a * x))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The levels of a hypercube, as far as they are given.
    fn cube(dimensions: usize, levels: usize) -> Levels {
        let mut seen = Levels::default();
        let (mut size, mut found) = (1.0f64, 0);
        for level in 0..levels {
            found += size.round() as usize;
            seen.sizes.push(size.round() as usize);
            size *= (dimensions - level) as f64 / (level + 1) as f64;
        }
        seen.end = found;
        seen
    }

    #[test]
    fn a_cube_is_foreseen_from_its_first_levels() {
        for (dimensions, levels) in [(12, 6), (20, 7), (20, 12), (30, 8)] {
            let expected = (1u64 << dimensions) as f64;
            let total = cube(dimensions, levels).total().unwrap();
            let near = (0.5..2.0).contains(&(total / expected));
            assert!(near, "{dimensions} dimensions, {levels} levels: {total}");
        }
    }

    #[test]
    fn levels_of_one_size_are_not_followed_for_ever() {
        let seen = Levels {
            sizes: vec![1; 8],
            end: 8,
        };
        assert_eq!(seen.total(), None);
    }

    #[test]
    fn what_grows_without_end_is_not_foreseen() {
        let mut seen = Levels::default();
        for level in 0..20 {
            seen.sizes.push(1 << level);
        }
        seen.end = 1 << 20;
        assert_eq!(seen.total(), None);
        assert_eq!(cube(20, 3).total(), None);
    }
}
