//! The order in which items are composed.
//!
//! Pairs that share labels are ranked by their sizes and by how much of what they share is hidden afterwards. The best few of them are
//! composed and minimised, and the one that leaves least is taken; the others are kept for the next time. A pair whose composition exceeds the limit is put off, until all are; then the limit grows.

use std::collections::BTreeMap;

use suppose_control::{Context, Stopped};
use suppose_model::Run;

use super::step::{self, Step};
use super::{Forest, Part};

/// The first limit on the states of a composition, its growth, and the last.
const FIRST_LIMIT: u64 = 10_000;
const GROWTH: u64 = 4;
const LAST_LIMIT: u64 = 40_000_000;
/// The number of pairs that are tried before one is taken; only one where compositions have more states than this.
const TRIES: usize = 3;
const COSTLY: usize = 3_000;

/// Compositions that were tried, by the members of the pair.
#[derive(Default)]
pub(super) struct Order {
    grown: u32,
    built: BTreeMap<[usize; 2], Step>,
    /// Pairs that were larger than this limit.
    failed: BTreeMap<[usize; 2], u64>,
}

impl Order {
    /// How many states a composition may have.
    pub fn limit(&self) -> u64 {
        FIRST_LIMIT.saturating_mul(GROWTH.saturating_pow(self.grown))
    }

    /// Raises the limit; none if it is at its end.
    pub fn allow_more(&mut self) -> Option<()> {
        self.grown += 1;
        (self.limit() <= LAST_LIMIT).then_some(())
    }

    /// The pair to be composed next, and what becomes of it. None if all pairs exceed the limit.
    pub fn next(
        &mut self,
        forest: &Forest,
        run: &mut Run,
        cx: &Context,
    ) -> Result<Option<([usize; 2], Step)>, Stopped> {
        let limit = self.limit();
        let within = cx.with_state_limit(limit);
        let mut best: Option<([usize; 2], usize)> = None;
        let mut tries = 0;
        for pair in ranked(forest) {
            let key = key(forest, pair);
            if self.failed.get(&key).is_some_and(|at| *at >= limit) {
                continue;
            }
            if !self.built.contains_key(&key) {
                let Some(step) = step::build(forest, &pair, &within)? else {
                    cx.check()?;
                    self.failed.insert(key, limit);
                    continue;
                };
                step.count(run);
                self.built.insert(key, step);
            }
            let step = &self.built[&key];
            let cost = step.lts.states() + step.lts.transitions();
            if best.is_none_or(|(_, least)| cost < least) {
                best = Some((pair, cost));
            }
            tries += 1;
            if tries == TRIES || step.whole.len() > COSTLY {
                break;
            }
        }
        let Some((pair, _)) = best else {
            return Ok(None);
        };
        let taken = key(forest, pair);
        let step = self.built.remove(&taken);
        let is_left = |k: &[usize; 2]| k.iter().all(|part| !taken.contains(part));
        self.built.retain(|k, _| is_left(k));
        self.failed.retain(|k, _| is_left(k));
        Ok(step.map(|step| (pair, step)))
    }
}

/// Steps and components have different numbers.
fn key(forest: &Forest, pair: [usize; 2]) -> [usize; 2] {
    pair.map(|i| match forest.items[i].part {
        Part::Component(number) => number,
        Part::Step(number) => forest.network.components.len() + number,
    })
}

/// The pairs that share a label, best first; all if none does.
fn ranked(forest: &Forest) -> Vec<[usize; 2]> {
    let mut having = vec![Vec::new(); forest.labels()];
    for (number, item) in forest.items.iter().enumerate() {
        for label in item.lts.alphabet() {
            having[label.index()].push(number);
        }
    }
    having[forest.ended.index()].clear();
    let mut pairs: Vec<[usize; 2]> = Vec::new();
    for who in &having {
        for (at, first) in who.iter().enumerate() {
            pairs.extend(who[at + 1..].iter().map(|second| [*first, *second]));
        }
    }
    if pairs.is_empty() {
        let count = forest.items.len();
        pairs = (0..count)
            .flat_map(|first| (first + 1..count).map(move |second| [first, second]))
            .collect();
    }
    pairs.sort_unstable();
    pairs.dedup();
    let mut scored: Vec<(f64, [usize; 2])> = pairs
        .into_iter()
        .map(|pair| (score(forest, &having, pair), pair))
        .collect();
    scored.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    scored.into_iter().map(|(_, pair)| pair).collect()
}

/// The smaller, the sooner: the logarithm of how many states the pair may have, less for what it shares and for what it hides.
fn score(forest: &Forest, having: &[Vec<usize>], pair: [usize; 2]) -> f64 {
    let [first, second] = pair.map(|i| &forest.items[i].lts);
    let own = first.alphabet().len() + second.alphabet().len();
    let shared = first.alphabet().iter().filter(|l| second.has_label(**l));
    let shared = shared.count();
    let all = (own - shared).max(1) as f64;
    let hidden = having.iter().filter(|who| who.as_slice() == pair).count() as f64;
    let size = (first.states() as f64).ln() + (second.states() as f64).ln();
    size - 3.0 * hidden / all - shared as f64 / all
}
