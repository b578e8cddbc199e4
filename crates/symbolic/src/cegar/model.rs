//! The abstract system: existential abstraction, exact or by early approximation (Sections 2 and 5).
//!
//! The abstraction of a conjunction of parts is exact if the parts that speak of a common variable are put together before the variable
//! is quantified away; it is approximate, but cheaper, if each is abstracted by itself. Which it is to be is chosen for each
//! cluster (and each input) by the size of the parts that would be put together. Parts that only say the value of a variable that is
//! abstracted away can always be met and are left out; if other parts speak of that variable too, this is a further approximation.

use rustc_hash::FxHashMap;
use suppose_model::symbolic::VarId;
use suppose_refine::{Context, Stopped};

use super::Early;
use super::map::Map;
use super::parts::{Of, Part};
use crate::bdd::{Bdd, Var};
use crate::encode::Encoder;
use crate::relation::{Options, Parts, Relation, run, schedule};

/// Parts up to so many nodes together are abstracted exactly.
const EXACT: usize = 20_000;

/// A part, of this state or of the next.
type Piece = (usize, bool);

/// What must be the same for an abstraction of parts to be the same: the parts, and the versions of the clusters they speak of.
type Key = (Vec<Piece>, Vec<(usize, u64)>);

/// For clusters sets of valuations; together the states that are in all of them.
pub(super) type Product = Vec<(usize, Bdd)>;

/// Makes abstract systems, and keeps what does not change between them.
#[derive(Debug)]
pub(super) struct Maker {
    parts: Vec<Part>,
    early: Early,
    /// How much care was asked for: more than none if approximation made a counterexample.
    pub care: u32,
    /// Between these there is no step.
    pub no_step: Vec<(Product, Product)>,
    /// None of these is initial.
    pub not_initial: Vec<Product>,
    known: FxHashMap<Key, Bdd>,
}

impl Maker {
    /// For these parts.
    pub fn new(parts: Vec<Part>, early: Early) -> Self {
        Maker {
            parts,
            early,
            care: 0,
            no_step: Vec::new(),
            not_initial: Vec::new(),
            known: FxHashMap::default(),
        }
    }

    /// The abstract system.
    pub fn relation(
        &mut self,
        map: &Map,
        encoder: &mut Encoder<'_>,
        options: Options,
        cx: &Context,
    ) -> Result<Relation, Stopped> {
        let kept = self.kept(map, encoder);
        let mut fresh = FxHashMap::default();
        let mut parts = Parts::default();
        let of = |it: &Self, wanted: Of| -> Vec<usize> {
            let all = kept.iter().copied();
            all.filter(|p| it.parts[*p].of == wanted).collect()
        };
        let (states, initial, steps) = (
            of(self, Of::States),
            of(self, Of::Initial),
            of(self, Of::Steps),
        );
        for (number, cluster) in map.clusters.iter().enumerate() {
            if cluster.is_exact() {
                for var in &cluster.vars {
                    parts.always.push(encoder.valid(*var, false)?);
                }
            } else if !cluster.is_trivial() {
                parts.always.push(map.numbers(number)?);
            }
        }
        parts.always.retain(|p| !p.is_true());
        let now = |list: &[usize]| list.iter().map(|p| (*p, false)).collect::<Vec<Piece>>();
        let next = |list: &[usize]| list.iter().map(|p| (*p, true)).collect::<Vec<Piece>>();
        let pieces = now(&states);
        let more = self.abstracted(&pieces, map, encoder, &mut fresh, cx)?;
        parts.always.extend(more);
        let pieces = [now(&states), now(&initial)].concat();
        parts.init = self.abstracted(&pieces, map, encoder, &mut fresh, cx)?;
        let pieces = [now(&steps), now(&states), next(&states)].concat();
        parts.steps = self.abstracted(&pieces, map, encoder, &mut fresh, cx)?;
        self.known = fresh;
        for product in &self.not_initial {
            parts.init.push(self.product(map, product)?.not());
        }
        for (from, to) in &self.no_step {
            let to = self.product(map, to)?.rename(&map.to_next)?;
            parts.steps.push(self.product(map, from)?.and(&to)?.not());
        }
        let (layout, _) = map.layout(encoder);
        Relation::of_parts(encoder.bdds().clone(), layout, parts, options)
    }

    fn product(&self, map: &Map, product: &Product) -> Result<Bdd, Stopped> {
        let mut all: Option<Bdd> = None;
        for (number, set) in product {
            let set = map.abstracted(*number, set)?;
            all = Some(match all {
                Some(all) => all.and(&set)?,
                None => set,
            });
        }
        match all {
            Some(all) => Ok(all),
            // The product of no clusters is everything.
            None => map.of_states(&map.everything()),
        }
    }

    /// The parts that the abstract system is made of.
    fn kept(&self, map: &Map, encoder: &Encoder<'_>) -> Vec<usize> {
        let mut trivial = vec![true; encoder.system().variables.len()];
        for cluster in map.clusters.iter().filter(|c| !c.is_trivial()) {
            cluster.vars.iter().for_each(|v| trivial[v.index()] = false);
        }
        let is_trivial = |v: &VarId| trivial[v.index()];
        let careful = self.early == Early::Never || self.care > 0;
        let first = |part: &Part| match part.defines() {
            Some(var) => !is_trivial(&var),
            None => {
                let mut all = part.now.iter().chain(&part.next);
                self.early == Early::Never || !all.all(is_trivial)
            }
        };
        let mut kept: Vec<bool> = self.parts.iter().map(first).collect();
        while careful {
            let used = self.used(&kept, trivial.len());
            let more: Vec<usize> = (0..self.parts.len())
                .filter(|p| !kept[*p] && self.parts[*p].is_needed(&used))
                .collect();
            if more.is_empty() {
                break;
            }
            more.into_iter().for_each(|p| kept[p] = true);
        }
        (0..kept.len()).filter(|p| kept[*p]).collect()
    }

    /// Which variables the kept parts speak of: in initial states, before and after steps.
    fn used(&self, kept: &[bool], vars: usize) -> [Vec<bool>; 3] {
        let mut used = [vec![false; vars], vec![false; vars], vec![false; vars]];
        for (part, _) in self.parts.iter().zip(kept).filter(|(_, k)| **k) {
            let (now, next) = match part.of {
                Of::States => (&[0, 1, 2][..], &[][..]),
                Of::Initial => (&[0][..], &[][..]),
                Of::Steps => (&[1][..], &[2][..]),
            };
            for at in now {
                part.now.iter().for_each(|v| used[*at][v.index()] = true);
            }
            for at in next {
                part.next.iter().for_each(|v| used[*at][v.index()] = true);
            }
        }
        used
    }

    /// The abstraction of parts together, as functions that hold together.
    fn abstracted(
        &mut self,
        pieces: &[Piece],
        map: &Map,
        encoder: &mut Encoder<'_>,
        fresh: &mut FxHashMap<Key, Bdd>,
        cx: &Context,
    ) -> Result<Vec<Bdd>, Stopped> {
        let mut functions = Vec::new();
        for (part, next) in pieces {
            cx.check()?;
            let function = self.parts[*part].function(encoder)?;
            functions.push(match next {
                true => function.rename(&map.to_next)?,
                false => function,
            });
        }
        let mut results = Vec::new();
        for group in self.groups(&functions, map) {
            let members: Vec<Piece> = group.iter().map(|at| pieces[*at]).collect();
            let mut clusters = Vec::new();
            for at in &group {
                let (now, next, _) = map.touched(&functions[*at]);
                clusters.extend(now.into_iter().chain(next));
            }
            clusters.sort_unstable();
            clusters.dedup();
            let version = |c: usize| (c, map.clusters[c].version);
            let key = (members, clusters.into_iter().map(version).collect());
            let together: Vec<Bdd> = group.iter().map(|at| functions[*at].clone()).collect();
            let result = match (fresh.get(&key), self.known.get(&key)) {
                (Some(known), _) | (None, Some(known)) => known.clone(),
                (None, None) => existential(together, map, encoder)?,
            };
            results.push(result.clone());
            fresh.insert(key, result);
        }
        Ok(results)
    }

    /// Which functions to put together, by their numbers.
    fn groups(&self, functions: &[Bdd], map: &Map) -> Vec<Vec<usize>> {
        // The functions that speak of what is to be quantified, by what it is.
        let mut by: std::collections::BTreeMap<(u8, usize), Vec<usize>> = Default::default();
        for (at, function) in functions.iter().enumerate() {
            let (now, next, inputs) = map.touched(function);
            for (kind, list) in [(0, now), (1, next), (2, inputs)] {
                let gone = |n: &usize| kind == 2 || !map.clusters[*n].is_exact();
                for number in list.into_iter().filter(gone) {
                    by.entry((kind, number)).or_default().push(at);
                }
            }
        }
        let mut group: Vec<usize> = (0..functions.len()).collect();
        let sizes: Vec<usize> = functions.iter().map(Bdd::size).collect();
        for members in by.values() {
            let size: usize = members.iter().map(|at| sizes[*at]).sum();
            let together = match self.early {
                Early::Never => true,
                Early::Always => false,
                Early::Auto => size <= EXACT << (3 * self.care.min(3)),
            };
            if together {
                let numbers: Vec<usize> = members.iter().map(|at| group[*at]).collect();
                let least = numbers.iter().copied().min().unwrap_or(0);
                for it in group.iter_mut().filter(|g| numbers.contains(g)) {
                    *it = least;
                }
            }
        }
        let mut groups: Vec<Vec<usize>> = vec![Vec::new(); functions.len()];
        for (at, number) in group.into_iter().enumerate() {
            groups[number].push(at);
        }
        groups.retain(|g| !g.is_empty());
        groups
    }
}

impl Part {
    /// Would leaving it out lose something, given the variables that the other parts speak of?
    fn is_needed(&self, used: &[Vec<bool>; 3]) -> bool {
        let at = |times: &[usize], v: &VarId| times.iter().any(|t| used[*t][v.index()]);
        match (self.of, self.defines()) {
            (Of::States, Some(var)) => at(&[0, 1, 2], &var),
            (Of::Initial, Some(var)) => at(&[0], &var),
            (Of::Steps, Some(var)) => at(&[2], &var),
            (Of::States, None) => self.now.iter().any(|v| at(&[0, 1, 2], v)),
            (Of::Initial, None) => self.now.iter().any(|v| at(&[0], v)),
            (Of::Steps, None) => {
                self.now.iter().any(|v| at(&[1], v)) || self.next.iter().any(|v| at(&[2], v))
            }
        }
    }
}

/// The existential abstraction of functions together.
pub(super) fn existential(
    mut functions: Vec<Bdd>,
    map: &Map,
    encoder: &Encoder<'_>,
) -> Result<Bdd, Stopped> {
    let (mut now, mut next, mut inputs) = (Vec::new(), Vec::new(), Vec::new());
    for function in &functions {
        let touched = map.touched(function);
        now.extend(touched.0);
        next.extend(touched.1);
        inputs.extend(touched.2);
    }
    for list in [&mut now, &mut next, &mut inputs] {
        list.sort_unstable();
        list.dedup();
    }
    let mut gone: Vec<Var> = Vec::new();
    for number in now.into_iter().filter(|n| !map.clusters[*n].is_exact()) {
        functions.push(map.membership(number)?);
        gone.extend(&map.clusters[number].bits.current);
    }
    for number in next.into_iter().filter(|n| !map.clusters[*n].is_exact()) {
        functions.push(map.membership(number)?.rename(&map.to_next)?);
        gone.extend(&map.clusters[number].bits.next);
    }
    for number in inputs {
        let input = VarId(number as u32);
        functions.push(encoder.valid(input, false)?);
        gone.extend(&encoder.bits(input).current);
    }
    let bdds = encoder.bdds();
    run(&schedule(bdds, &functions, &gone)?, &bdds.constant(true))
}
