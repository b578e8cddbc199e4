//! The abstract system: existential abstraction, exact or by early approximation (Sections 2 and 5).
//!
//! The abstraction of a conjunction of parts is exact if the parts that speak of a common variable are put together before the variable
//! is quantified away; it is approximate, but cheaper, if each is abstracted by itself. Which it is to be is chosen for each
//! cluster (and each input) by the size of the parts that would be put together. Parts that only say the value of a variable that is
//! abstracted away can always be met and are left out; if other parts speak of that variable too, this is a further approximation. So it
//! is where a part takes too much to encode: boolean expressions in it (as a comparison with a product) are then free, or the part is left out.

use rustc_hash::FxHashMap;
use suppose_control::{Context, Stopped};
use suppose_model::fsm::VarId;

use super::atoms::leaves;
use super::map::Map;
use super::parts::{Of, Part};
use super::{CegarOptions, Early};
use crate::bdd::{Bdd, Bdds, Var};
use crate::encode::Encoder;
use crate::relation::{Parts, Relation, run, schedule};

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
    options: CegarOptions,
    /// How much care was asked for: more than none if approximation made a counterexample.
    pub care: u32,
    /// Between these there is no step.
    pub no_step: Vec<(Product, Product)>,
    /// None of these is initial.
    pub not_initial: Vec<Product>,
    known: FxHashMap<Key, Vec<Bdd>>,
    /// Parts that took too much to encode, and with how much care that was.
    large: FxHashMap<usize, u32>,
    /// How many boolean expressions are free.
    cut: usize,
    /// Was anything left out because it took too much?
    pub left_out: bool,
}

impl Maker {
    /// For these parts.
    pub fn new(parts: Vec<Part>, options: CegarOptions) -> Self {
        Maker {
            parts,
            early: options.early,
            options,
            care: 0,
            no_step: Vec::new(),
            not_initial: Vec::new(),
            known: FxHashMap::default(),
            large: FxHashMap::default(),
            cut: 0,
            left_out: false,
        }
    }

    /// The abstract system.
    pub fn relation(
        &mut self,
        map: &Map,
        encoder: &mut Encoder<'_>,
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
        Relation::of_parts(encoder.bdds().clone(), layout, parts, self.options.relation)
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
        let mut grew = careful;
        while grew {
            let used = self.used(&kept, trivial.len());
            let more: Vec<usize> = (0..self.parts.len())
                .filter(|p| !kept[*p] && self.parts[*p].is_needed(&used))
                .collect();
            grew = !more.is_empty();
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
        fresh: &mut FxHashMap<Key, Vec<Bdd>>,
        cx: &Context,
    ) -> Result<Vec<Bdd>, Stopped> {
        let (mut functions, mut found) = (Vec::new(), Vec::new());
        for (part, next) in pieces {
            cx.check()?;
            let Some(function) = self.encoded(*part, map, encoder, cx)? else {
                continue;
            };
            found.push((*part, *next));
            functions.push(match next {
                true => function.rename(&map.to_next)?,
                false => function,
            });
        }
        let mut results = Vec::new();
        for group in self.groups(&functions, map) {
            let members: Vec<Piece> = group.iter().map(|at| found[*at]).collect();
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
                (None, None) => self.together(together, map, encoder, cx)?,
            };
            results.extend(result.iter().cloned());
            fresh.insert(key, result);
        }
        Ok(results)
    }

    /// The abstraction of functions together; where that takes too much, of each by itself, and of none that takes too much then.
    fn together(
        &mut self,
        functions: Vec<Bdd>,
        map: &Map,
        encoder: &Encoder<'_>,
        cx: &Context,
    ) -> Result<Vec<Bdd>, Stopped> {
        let bdds = encoder.bdds();
        let done = self.limited(bdds, self.options.work, cx, || {
            existential(functions.clone(), map, encoder)
        })?;
        if let Some(done) = done {
            return Ok(vec![done]);
        }
        let mut results = Vec::new();
        for function in functions {
            let alone = || existential(vec![function.clone()], map, encoder);
            match self.limited(bdds, self.options.work, cx, alone)? {
                Some(done) => results.push(done),
                None => self.left_out = true,
            }
        }
        Ok(results)
    }

    /// Does something for which only so much work is allowed; none if it takes more. More is allowed with more care, and if nothing may
    /// be approximated, anything is.
    fn limited<T>(
        &self,
        bdds: &Bdds,
        work: u64,
        cx: &Context,
        mut act: impl FnMut() -> Result<T, Stopped>,
    ) -> Result<Option<T>, Stopped> {
        if self.early == Early::Never {
            return act().map(Some);
        }
        if self.options.work == 0 {
            return Ok(None);
        }
        // Looking for a better order would cost more than it can gain here.
        bdds.set_reordering(false);
        bdds.set_context(cx.with_work(work << (2 * self.care.min(16))));
        let done = act();
        bdds.set_context(cx.clone());
        bdds.set_reordering(self.options.relation.reorder);
        match done {
            Ok(done) => Ok(Some(done)),
            Err(Stopped::Superseded) => {
                cx.check()?;
                Ok(None)
            }
            Err(why) => Err(why),
        }
    }

    /// The function of a part. Boolean expressions in it that take too much to encode are free; if that is not enough, none.
    fn encoded(
        &mut self,
        part: usize,
        map: &Map,
        encoder: &mut Encoder<'_>,
        cx: &Context,
    ) -> Result<Option<Bdd>, Stopped> {
        if self.large.get(&part) == Some(&self.care) {
            return Ok(None);
        }
        let bdds = encoder.bdds().clone();
        let mut it = self.parts[part].clone();
        // What is said of states is said of two, and a free truth would be the same in both.
        let cuts = (it.of == Of::States).then(|| encoder.uncut());
        let done = self.limited(&bdds, self.options.work, cx, || it.function(encoder));
        if let Some(cuts) = cuts {
            encoder.recut(cuts);
        }
        let mut done = done?;
        if done.is_none() && it.of != Of::States {
            let system = encoder.system();
            let exprs = it.expr().map(|expr| leaves(system, expr));
            for leaf in exprs.unwrap_or_default() {
                let fits =
                    self.limited(&bdds, self.options.work / 2, cx, || encoder.truth(leaf))?;
                if fits.is_none()
                    && let Some(bit) = map.spare.get(self.cut)
                {
                    encoder.cut(leaf, bdds.literal(*bit, true)?);
                    self.cut += 1;
                }
            }
            done = self.limited(&bdds, self.options.work, cx, || it.function(encoder))?;
        }
        encoder.forget();
        match &done {
            Some(_) => self.parts[part] = it,
            None => {
                self.large.insert(part, self.care);
            }
        }
        self.left_out |= done.is_none() || self.cut > 0;
        Ok(done)
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
    let vars = encoder.system().variables.len();
    for number in inputs {
        if let Some(free) = number.checked_sub(vars) {
            gone.push(map.spare[free]);
            continue;
        }
        let input = VarId(number as u32);
        functions.push(encoder.valid(input, false)?);
        gone.extend(&encoder.bits(input).current);
    }
    let bdds = encoder.bdds();
    run(&schedule(bdds, &functions, &gone)?, &bdds.constant(true))
}
