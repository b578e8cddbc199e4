//! Samples of the states of a product.
//!
//! Random walks leave the neighbourhood of the initial state much sooner than a breadth-first search does, and end in
//! states that are typical of the system. The share of them that the search has found already is about the share of
//! all states that it has found, as in capture and recapture, if the typical states are not few: where most walks
//! soon end in a few states (any one of ten components can stop all), too little is foreseen.

use crate::product::{Product, Scratch};

/// At least so many steps are walked, and for large explorations so many hundredths of the states expanded.
const STEPS: usize = 2_000;
const HUNDREDTHS: usize = 6;
/// One state in so many along a walk is a sample.
const SPACING: usize = 4;
/// With fewer samples nothing is foreseen.
const FEWEST: usize = 16;

/// What a search has found so far.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Progress {
    /// Complete breadth-first levels.
    pub depth: usize,
    pub expanded: usize,
    pub found: usize,
}

/// Samples of the states of a product.
#[derive(Clone, Debug)]
pub(crate) struct Walks<const W: usize> {
    /// States near the beginnings of walks.
    early: Vec<[u64; W]>,
    /// States that were reached after more steps than the search is deep.
    late: Vec<[u64; W]>,
    random: u64,
    /// States expanded when the samples were taken.
    taken_at: usize,
}

impl<const W: usize> Walks<W> {
    pub fn new() -> Self {
        Walks {
            early: Vec::new(),
            late: Vec::new(),
            random: 0x9E37_79B9_7F4A_7C15,
            taken_at: 0,
        }
    }

    /// Have enough been expanded for other samples?
    pub fn are_old(&self, expanded: usize) -> bool {
        expanded >= 2 * self.taken_at
    }

    /// Takes samples; how many transitions were looked at.
    pub fn walk(&mut self, product: &Product, scratch: &mut Scratch<W>, progress: Progress) -> u64 {
        self.taken_at = progress.expanded;
        self.early.clear();
        self.late.clear();
        let mut initial = [0; W];
        initial.copy_from_slice(product.initial());
        let steps = STEPS.max(progress.expanded / 100 * HUNDREDTHS);
        let late = (2 * progress.depth.max(16)).min(steps / 2);
        let (mut at, mut walked, mut seen) = (initial, 0, 0);
        for step in 0..steps {
            let next = match walked < 2 * late {
                true => self.step(product, scratch, &at, &mut seen),
                false => None,
            };
            let Some(next) = next else {
                (at, walked) = (initial, 0);
                continue;
            };
            (at, walked) = (next, walked + 1);
            if step.is_multiple_of(SPACING) {
                match walked > late {
                    true => self.late.push(at),
                    false => self.early.push(at),
                }
            }
        }
        seen
    }

    /// A step to another state, any of them with the same probability; none where there is none.
    fn step(
        &mut self,
        product: &Product,
        scratch: &mut Scratch<W>,
        at: &[u64; W],
        seen: &mut u64,
    ) -> Option<[u64; W]> {
        let (mut chosen, mut count) = (None, 0u64);
        product.steps(at, scratch, |_, to| {
            *seen += 1;
            let Some(to) = to.filter(|to| to != at) else {
                return;
            };
            count += 1;
            // Xorshift: the quality of its numbers matters little here.
            self.random ^= self.random << 13;
            self.random ^= self.random >> 7;
            self.random ^= self.random << 17;
            if (self.random >> 32) * count < 1 << 32 {
                chosen = Some(to);
            }
        });
        chosen
    }

    /// How many states there will probably be in all; none if that cannot be told.
    pub fn total(&self, progress: Progress, is_found: impl Fn(&[u64; W]) -> bool) -> Option<f64> {
        let hits = |samples: &[[u64; W]]| samples.iter().filter(|s| is_found(s)).count() as f64;
        let (early, late) = (hits(&self.early), hits(&self.late));
        // What a walk cannot leave any more may be small, and all found, while what leads there is not.
        let all = self.early.len() + self.late.len();
        let shares = [(late, self.late.len()), (early + late, all)];
        let share = shares
            .into_iter()
            .filter(|(_, of)| *of >= FEWEST)
            .map(|(hits, of)| (hits + 0.5) / (of as f64 + 0.5))
            .min_by(f64::total_cmp)?;
        Some(progress.found as f64 / share)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::explore::{Exploration, Goal};
    use suppose_control::Context;
    use suppose_model::lts::{Label, Lts, LtsBuilder};

    /// A component that goes round through so many states by itself.
    fn cycle(label: u32, states: u32) -> Lts {
        let mut lts = LtsBuilder::new("cycle");
        for state in 0..states {
            lts.edge(state, Label(label), (state + 1) % states);
        }
        lts.build()
    }

    /// What is foreseen of a product when so many states were expanded.
    fn foreseen(parts: &[Lts], expanded: u64) -> f64 {
        let parts: Vec<&Lts> = parts.iter().collect();
        let product = Product::new(&parts, None, 32);
        let mut exploration = Exploration::<1>::new(&product);
        let cx = Context::default().with_state_limit(expanded);
        assert!(exploration.run(&product, Goal::Violations, &cx).is_err());
        let mut walks = Walks::<1>::new();
        let progress = Progress {
            depth: 8,
            expanded: exploration.expanded(),
            found: exploration.states(),
        };
        walks.walk(&product, &mut Scratch::default(), progress);
        let is_found = |record: &[u64; 1]| exploration.find(record).is_some();
        walks.total(progress, is_found).unwrap()
    }

    #[test]
    fn components_side_by_side_are_foreseen() {
        for (count, states) in [(6u32, 4u32), (12, 2), (5, 6), (3, 20)] {
            let parts: Vec<Lts> = (0..count).map(|i| cycle(i + 1, states)).collect();
            let expected = f64::from(states).powi(count as i32);
            for share in [4, 8, 16] {
                let total = foreseen(&parts, expected as u64 / share);
                let near = (0.3..3.5).contains(&(total / expected));
                assert!(near, "{states}^{count}, 1/{share} found: {total}");
            }
        }
    }

    #[test]
    fn what_is_far_larger_is_seen_to_be() {
        let parts: Vec<Lts> = (0..20).map(|i| cycle(i + 1, 4)).collect();
        assert!(foreseen(&parts, 2_000) > 200_000.0);
    }
}
