//! Looks at abstract counterexamples by satisfiability, and splits classes by bits.

use suppose_control::{Context, Event, Stopped};
use suppose_model::fsm::{Trace, VarId};
use suppose_refine::Analysed;

use super::Phases;
use super::engine::{Abstract, Engine, MOST_PARTS, Real};
use super::map::Classes;
use super::model::Product;
use super::sat::{self, Remedy, Unrolling, Verdict};
use super::task::Goal;

/// After so many transitions that only approximation made, more care is taken.
const PATIENCE: usize = 16;

/// How much the search for loops near spurious ones may take in all, in questions to the context.
const NEAR_WORK: u64 = 500;

impl Engine<'_> {
    /// Is it real? If not, splits classes, or shuts out what only approximation made.
    pub(super) fn analyse_by_search(
        &mut self,
        found: &Abstract,
        cx: &Context,
    ) -> Result<Analysed<Real>, Stopped> {
        cx.emit(Event::Phase("following the counterexample".to_owned()));
        let back = found.trace.loops_to;
        let states = &found.trace.states[..found.trace.states.len() - usize::from(back.is_some())];
        let (mut products, mut path) = (Vec::new(), Vec::new());
        for state in states {
            let product = self.map.sets(&self.encoder, &found.places, state)?;
            let mut shown = Vec::new();
            for (number, set) in &product {
                let Some(set) = self.decisions(set, &self.task.system) else {
                    return Err(Stopped::Memory);
                };
                shown.push((*number, set));
            }
            path.push(shown);
            products.push(product);
        }
        let bits = self.bits_to_split();
        let system = &self.task.system;
        let unrolling = self
            .unrolling
            .get_or_insert_with(|| Unrolling::new(system, cx));
        let only = |product: &Product, clusters: &[usize]| -> Product {
            let kept = product.iter().filter(|(n, _)| clusters.contains(n));
            kept.cloned().collect()
        };
        match unrolling.follow(&path, back, self.task.lasso)? {
            Verdict::Real(trace) => Ok(Analysed::Real(Real::Run(trace, found.shows))),
            Verdict::NoStart(clusters) => {
                self.maker.not_initial.push(only(&products[0], &clusters));
                Ok(Analysed::Refined)
            }
            Verdict::DeadEnd { at, then, frame } => {
                if self.options.phases == Phases::Two
                    && let Some(trace) = self.near_by_search(&path, cx)?
                {
                    return Ok(Analysed::Real(Real::Run(trace, found.shows)));
                }
                let unrolling = self
                    .unrolling
                    .get_or_insert_with(|| Unrolling::new(system, cx));
                match unrolling.remedy(&path, back, (at, then, frame), &bits)? {
                    Remedy::NoStep(from, to) => {
                        let (from, to) = (only(&products[at], &from), only(&products[then], &to));
                        self.maker.no_step.push((from, to));
                        if self.maker.left_out && self.maker.no_step.len().is_multiple_of(PATIENCE)
                        {
                            self.maker.care += 1;
                        }
                        Ok(Analysed::Refined)
                    }
                    Remedy::Bits(bits) => self.split_by_bits(&products[at], &bits),
                }
            }
        }
    }

    /// The first phase of Section 5: a real counterexample through the concrete states of a spurious one. For a claim on all states any run
    /// to the last of them is one; else a fair run without end is looked for, as long as that takes little work in all.
    fn near_by_search(
        &mut self,
        path: &[sat::Product],
        cx: &Context,
    ) -> Result<Option<Trace>, Stopped> {
        if let Goal::Always(_) = self.task.goal {
            return match &mut self.unrolling {
                Some(unrolling) => unrolling.near(path, self.task.lasso),
                None => Ok(None),
            };
        }
        let Some((system, from)) = self.task.runs() else {
            return Ok(None);
        };
        if self.local.is_over {
            return Ok(None);
        }
        let unrolling = self
            .local
            .unrolling
            .get_or_insert_with(|| Unrolling::new(system, &cx.with_work(NEAR_WORK)));
        match unrolling.near_loop(path, from) {
            Err(Stopped::Superseded) => {
                cx.check()?;
                self.local.is_over = true;
                Ok(None)
            }
            found => found,
        }
    }

    /// The bits that can be told apart: the cluster, the place in it, the variable and the number of the bit. Those that are abstracted
    /// away and those far from the property come last.
    fn bits_to_split(&self) -> Vec<(usize, usize, VarId, usize)> {
        let mut bits = Vec::new();
        for (number, cluster) in self.map.clusters.iter().enumerate() {
            if cluster.is_exact() {
                continue;
            }
            let mut place = 0;
            for var in &cluster.vars {
                for bit in 0..self.encoder.bits(*var).current.len() {
                    let far = self.distances[var.index()].unwrap_or(u32::MAX);
                    bits.push((cluster.is_trivial(), far, (number, place, *var, bit)));
                    place += 1;
                }
            }
        }
        bits.sort_unstable();
        bits.into_iter().map(|(_, _, bit)| bit).collect()
    }

    fn split_by_bits(
        &mut self,
        product: &Product,
        bits: &[(usize, usize)],
    ) -> Result<Analysed<Real>, Stopped> {
        let mut numbers: Vec<usize> = bits.iter().map(|(n, _)| *n).collect();
        numbers.sort_unstable();
        numbers.dedup();
        let before = self.map.size();
        for number in numbers {
            let cluster = &self.map.clusters[number];
            let Classes::Some(classes) = &cluster.classes else {
                continue;
            };
            let set = product.iter().find(|(n, _)| *n == number);
            let class = set.map_or(Some(0), |(_, set)| classes.iter().position(|c| c == set));
            let Some(class) = class else {
                continue;
            };
            let mut parts = vec![classes[class].clone()];
            let mut fits = true;
            for (_, place) in bits.iter().filter(|(n, _)| *n == number) {
                let bit = self
                    .encoder
                    .bdds()
                    .literal(cluster.bits.current[*place], true)?;
                let mut finer = Vec::new();
                for part in &parts {
                    for half in [part.and(&bit)?, part.minus(&bit)?] {
                        if !half.is_false() {
                            finer.push(half);
                        }
                    }
                }
                parts = finer;
                fits &= parts.len() <= MOST_PARTS;
                if !fits {
                    break;
                }
            }
            match fits {
                true if parts.len() > 1 => self.map.split_class(number, class, parts),
                true => {}
                false => self.map.make_exact(number),
            }
        }
        Ok(match self.map.size() > before {
            true => Analysed::Refined,
            false => Analysed::Stuck("no bit tells dead-end from bad states".to_owned()),
        })
    }
}
