//! Looks at abstract counterexamples by images of sets of states, and splits classes as the paper does.

use suppose_control::{Context, Event, Stopped};
use suppose_model::fsm::{Shows, State, Trace};
use suppose_refine::Analysed;

use super::Phases;
use super::engine::{Abstract, Engine, MOST_PARTS, Real, look};
use super::map::Classes;
use super::model::Product;
use super::separate::{Side, separate};
use super::spurious::{Split, push, run_round, run_through, split_loop, split_path};
use crate::bdd::{Bdd, Var};
use crate::relation::Relation;

/// How much the search for a counterexample near a spurious one may take, in questions to the context.
const NEAR_WORK: u64 = 2_000;

/// A run of a question of runs is shown without end if that takes no more steps than this.
const MOST_STEPS: usize = 1_000;

impl Engine<'_> {
    /// Is it real? If not, splits classes, or shuts out what only approximation made.
    pub(super) fn analyse_by_images(
        &mut self,
        found: &Abstract,
        cx: &Context,
    ) -> Result<Analysed<Real>, Stopped> {
        cx.emit(Event::Phase("following the counterexample".to_owned()));
        let relation = self.concrete()?;
        // The last state of a loop is the first again.
        let looping = usize::from(found.trace.loops_to.is_some());
        let states = &found.trace.states[..found.trace.states.len() - looping];
        let mut products = Vec::new();
        let mut path = Vec::new();
        for state in states {
            let product = self.map.sets(&self.encoder, &found.places, state)?;
            path.push(meet(&product, &self.map.everything())?);
            products.push(product);
        }
        let split = match found.trace.loops_to {
            None => split_path(&relation, &path, cx)?,
            Some(back) => {
                let bits: Vec<Var> = self
                    .map
                    .clusters
                    .iter()
                    .flat_map(|c| c.bits.current.clone())
                    .collect();
                split_loop(&relation, &path, back, &bits, cx)?
            }
        };
        match split {
            Split::Real(sets) => {
                let trace = match found.trace.loops_to {
                    None => run_through(&relation, &sets)?,
                    Some(back) => run_round(&relation, &path, &sets, back, cx)?,
                };
                self.real(trace, found.shows, &relation, cx)
            }
            Split::NoStart => self.shut_out_start(&relation, &products[0]),
            Split::DeadEnd { at, then, dead } => {
                if self.options.phases == Phases::Two
                    && let Some((trace, shows)) = self.near(&relation, &path, cx)?
                {
                    return self.real(Some(trace), shows, &relation, cx);
                }
                self.split(
                    &relation,
                    (&products[at], &products[then]),
                    (&path[at], &path[then]),
                    &dead,
                )
            }
        }
    }

    fn real(
        &self,
        trace: Option<Trace>,
        shows: Shows,
        relation: &Relation,
        cx: &Context,
    ) -> Result<Analysed<Real>, Stopped> {
        let Some(mut trace) = trace else {
            let why = "a real counterexample could not be followed";
            return Ok(Analysed::Stuck(why.to_owned()));
        };
        if self.task.lasso && trace.loops_to.is_none() {
            go_on(relation, &mut trace, cx)?;
        }
        Ok(Analysed::Real(Real::Run(trace, shows)))
    }

    /// The first phase of Section 5: is there a real counterexample through the concrete states of the spurious one? Gives up when that
    /// takes long.
    fn near(
        &mut self,
        relation: &Relation,
        path: &[Bdd],
        cx: &Context,
    ) -> Result<Option<(Trace, Shows)>, Stopped> {
        let limited = cx.with_work(NEAR_WORK);
        let bdds = self.encoder.bdds().clone();
        bdds.set_context(limited.clone());
        let found = self.look_near(relation, path, &limited);
        bdds.set_context(cx.clone());
        match found {
            Err(Stopped::Superseded) => {
                cx.check()?;
                Ok(None)
            }
            found => found,
        }
    }

    fn look_near(
        &mut self,
        relation: &Relation,
        path: &[Bdd],
        cx: &Context,
    ) -> Result<Option<(Trace, Shows)>, Stopped> {
        let mut any = path[0].clone();
        for states in &path[1..] {
            any = any.or(states)?;
        }
        let mut checker = self.checker(relation.within(&any)?, false, cx)?;
        let found = look(self.task, &mut checker)?;
        Ok(found.filter(|(_, shows)| *shows == Shows::All))
    }

    /// No initial state is among these: says so to the abstract system, of as many states as it is true of.
    fn shut_out_start(
        &mut self,
        relation: &Relation,
        product: &Product,
    ) -> Result<Analysed<Real>, Stopped> {
        let general = generalised(product, relation.init())?;
        self.maker.not_initial.push(general);
        self.maker.care += 1;
        Ok(Analysed::Refined)
    }

    /// Splits classes so that the dead-end states of the failure state are apart from the bad ones.
    fn split(
        &mut self,
        relation: &Relation,
        products: (&Product, &Product),
        states: (&Bdd, &Bdd),
        dead: &Bdd,
    ) -> Result<Analysed<Real>, Stopped> {
        let bad = relation.preimage(states.1)?.and(states.0)?;
        if bad.is_false() {
            return self.shut_out_step(relation, products, states);
        }
        let parted = self.parted(products.0, dead, &bad)?;
        if parted {
            return Ok(Analysed::Refined);
        }
        let why = "dead-end and bad states are in one class of every cluster";
        Ok(Analysed::Stuck(why.to_owned()))
    }

    /// There is no step between these: says so to the abstract system, of as many as it is true of.
    fn shut_out_step(
        &mut self,
        relation: &Relation,
        products: (&Product, &Product),
        states: (&Bdd, &Bdd),
    ) -> Result<Analysed<Real>, Stopped> {
        let from = generalised(products.0, &relation.preimage(states.1)?)?;
        let wider = meet(&from, relation.states())?;
        let to = generalised(products.1, &relation.image(&wider)?)?;
        self.maker.no_step.push((from, to));
        self.maker.care += 1;
        Ok(Analysed::Refined)
    }

    fn parted(&mut self, product: &Product, dead: &Bdd, bad: &Bdd) -> Result<bool, Stopped> {
        // What is told apart wholly has one value here.
        let bdds = self.encoder.bdds().clone();
        let mut fixed = bdds.constant(true);
        for (number, set) in product {
            if self.map.clusters[*number].is_exact() {
                fixed = fixed.and(set)?;
            }
        }
        let (dead, bad) = (dead.constrain(&fixed)?, bad.constrain(&fixed)?);
        let mut numbers: Vec<usize> = [&dead, &bad]
            .iter()
            .flat_map(|set| self.map.touched(set).0)
            .filter(|n| !self.map.clusters[*n].is_exact())
            .collect();
        numbers.sort_unstable();
        numbers.dedup();
        let (numbers, dead, bad) = self.needed(numbers, dead, bad)?;
        let mut sides = Vec::new();
        for number in &numbers {
            let cluster = &self.map.clusters[*number];
            let class = product.iter().find(|(n, _)| n == number);
            let whole = match &cluster.classes {
                Classes::Some(classes) => classes[0].clone(),
                Classes::Exact => bdds.constant(true),
            };
            sides.push(Side {
                bits: cluster.bits.current.clone(),
                class: class.map_or(whole, |(_, set)| set.clone()),
            });
        }
        let how = self.options.separation;
        let separated = separate(&bdds, &sides, &dead, &bad, how, MOST_PARTS)?;
        let mut parted = false;
        for ((number, side), parts) in numbers.iter().zip(&sides).zip(separated) {
            match parts {
                None => self.map.make_exact(*number),
                Some(parts) if parts.len() < 2 => continue,
                Some(parts) => {
                    let Classes::Some(classes) = &self.map.clusters[*number].classes else {
                        continue;
                    };
                    let Some(class) = classes.iter().position(|c| *c == side.class) else {
                        continue;
                    };
                    self.map.split_class(*number, class, parts);
                }
            }
            parted = true;
        }
        Ok(parted)
    }

    /// Leaves out clusters without which the two sets are apart too; those with more bits first.
    fn needed(
        &self,
        numbers: Vec<usize>,
        mut dead: Bdd,
        mut bad: Bdd,
    ) -> Result<(Vec<usize>, Bdd, Bdd), Stopped> {
        let bdds = self.encoder.bdds();
        let mut order = numbers.clone();
        let key = |n: &usize| {
            let cluster = &self.map.clusters[*n];
            (cluster.is_trivial(), cluster.bits.current.len(), *n)
        };
        order.sort_unstable_by_key(|n| std::cmp::Reverse(key(n)));
        let mut needed = Vec::new();
        for number in order {
            let cube = bdds.cube(&self.map.clusters[number].bits.current)?;
            let (wider, worse) = (dead.exists(&cube)?, bad.exists(&cube)?);
            match wider.meets(&worse)? {
                true => needed.push(number),
                false => (dead, bad) = (wider, worse),
            }
        }
        needed.sort_unstable();
        Ok((needed, dead, bad))
    }
}

/// The states of a product, within a set.
fn meet(product: &Product, set: &Bdd) -> Result<Bdd, Stopped> {
    let mut all = set.clone();
    for (_, part) in product {
        all = all.and(part)?;
    }
    Ok(all)
}

/// A part of a product that does not meet a set either.
fn generalised(product: &Product, set: &Bdd) -> Result<Product, Stopped> {
    let mut kept = product.clone();
    let mut at = 0;
    while at < kept.len() {
        let mut fewer = kept.clone();
        fewer.remove(at);
        match meet(&fewer, set)?.is_false() {
            true => kept = fewer,
            false => at += 1,
        }
    }
    Ok(kept)
}

/// Goes on from the last state until the run is back at a state it was in; gives up after some steps.
fn go_on(relation: &Relation, trace: &mut Trace, cx: &Context) -> Result<(), Stopped> {
    let only = |state: &State| relation.bdds().minterm(&relation.layout().literals(state));
    let mut seen = relation.bdds().constant(false);
    for state in &trace.states {
        seen = seen.or(&only(state)?)?;
    }
    let start = trace.states.len();
    let mut longer = trace.clone();
    for _ in 0..MOST_STEPS {
        cx.check()?;
        let Some(last) = longer.states.last() else {
            return Ok(());
        };
        let next = relation.image(&only(last)?)?;
        let back = next.and(&seen)?;
        let to = if back.is_false() { &next } else { &back };
        if !push(relation, &mut longer, to)? {
            return Ok(());
        }
        let reached = longer.states.len() - 1;
        if !back.is_false() {
            let target = &longer.states[reached];
            longer.loops_to = longer.states[..reached].iter().position(|s| s == target);
            *trace = longer;
            return Ok(());
        }
        seen = seen.or(&only(&longer.states[reached])?)?;
    }
    debug_assert!(trace.states.len() == start);
    Ok(())
}
