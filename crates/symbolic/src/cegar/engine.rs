//! The loop: check the abstract system, look whether the counterexample is real, split classes.

use rustc_hash::FxHashMap;
use suppose_model::symbolic::{ExprId, Fairness, Shows, State, System, Trace, VarId};
use suppose_refine::{Abstraction, Analysed, Checked, Context, Event, Stopped};

use super::atoms::{Atoms, distances};
use super::map::{Classes, Map, Place};
use super::model::{Maker, Product};
use super::parts::parts;
use super::sat::{Remedy, Unrolling, Verdict};
use super::separate::{Side, separate};
use super::spurious::{Split, run_round, run_through, split_loop, split_path};
use super::task::{Goal, Task};
use super::{CegarOptions, Spurious};
use crate::answer::Effort;
use crate::bdd::{Bdd, Bdds, Var};
use crate::check::{Atoms as Functions, Checker, Fair};
use crate::encode::Encoder;
use crate::relation::Relation;

/// How much the search for a counterexample near a spurious one may take, in questions to the context.
const NEAR_WORK: u64 = 2_000;

/// After so many transitions that only approximation made, more care is taken.
const PATIENCE: usize = 16;

/// A class is split into no more parts than this: before that its cluster is told apart wholly.
const MOST_PARTS: usize = 1 << 8;

/// A run of a question of runs is shown without end if that takes no more steps than this.
const MOST_STEPS: usize = 1_000;

/// What the loop ends with, if the property was not shown.
#[derive(Debug)]
pub(super) enum Real {
    /// A counterexample.
    Run(Trace, Shows),
    /// The abstract counterexample is of a kind that cannot be judged, for the reason said.
    Beyond(String),
}

/// An abstract counterexample.
#[derive(Debug)]
pub(super) struct Abstract {
    trace: Trace,
    shows: Shows,
    places: Vec<Place>,
}

/// An abstraction with all it takes.
pub(super) struct Engine<'a> {
    task: &'a Task,
    options: CegarOptions,
    encoder: Encoder<'a>,
    pub(super) map: Map,
    maker: Maker,
    concrete: Option<Relation>,
    unrolling: Option<Unrolling<'a>>,
    /// How far variables are from the property.
    distances: Vec<Option<u32>>,
    /// The abstract states reached in the last check, if it went through all.
    pub(super) reached: Option<Bdd>,
    effort: Effort,
}

impl<'a> Engine<'a> {
    /// With the first abstraction.
    pub fn new(
        task: &'a Task,
        atoms: &Atoms,
        options: CegarOptions,
        cx: &Context,
    ) -> Result<Self, Stopped> {
        let bdds = Bdds::new(cx.clone());
        bdds.set_reordering(options.relation.reorder);
        let (mut map, mut encoder) = Map::new(&task.system, atoms, task.own, options.far, &bdds);
        map.split_by_atoms(&mut encoder, atoms, task.own, options.far, cx)?;
        let coarse = map.clusters.iter().filter(|c| !c.is_exact());
        let abstracted = coarse.map(|c| c.vars.len()).sum();
        Ok(Engine {
            task,
            options,
            encoder,
            map,
            maker: Maker::new(parts(&task.system), options),
            concrete: None,
            unrolling: None,
            distances: distances(&task.system, atoms),
            reached: None,
            effort: Effort {
                abstracted,
                ..Effort::default()
            },
        })
    }

    pub(super) fn encoder(&self) -> &Encoder<'a> {
        &self.encoder
    }

    pub(super) fn truth(&mut self, expr: ExprId) -> Result<Bdd, Stopped> {
        self.function(expr, false)
    }

    pub(super) fn task(&self) -> &'a Task {
        self.task
    }

    /// What it took.
    pub fn effort(&self) -> Effort {
        let bdds = self.encoder.bdds();
        Effort {
            abstract_bits: self.map.width(),
            checking_nodes: bdds.peak().saturating_sub(self.effort.relation_nodes),
            reorderings: bdds.reorderings(),
            ..self.effort.clone()
        }
    }

    /// The run without the variables that were added.
    pub fn cut(&self, mut trace: Trace, system: &System) -> Trace {
        let slots = system.state_vars().count();
        for state in &mut trace.states {
            *state = state[..slots].into();
        }
        trace
    }

    /// The expressions that the goal and fairness ask for, by a function for each.
    fn functions(
        &mut self,
        of_abstract: bool,
    ) -> Result<(FxHashMap<ExprId, Bdd>, Vec<Fair>), Stopped> {
        let system = &self.task.system;
        let mut exprs: Vec<ExprId> = match self.task.goal {
            Goal::Always(expr) | Goal::NoRun(expr) => vec![expr],
            Goal::Universal(formula) => system.formulas.atoms(formula),
        };
        exprs.extend(self.task.claim);
        let mut known = FxHashMap::default();
        for expr in exprs {
            let function = self.function(expr, of_abstract)?;
            known.insert(expr, function);
        }
        let mut fairness = Vec::new();
        for constraint in &system.fairness {
            fairness.push(match *constraint {
                Fairness::Justice(a) => Fair::Justice(self.function(a, of_abstract)?),
                Fairness::Compassion(a, b) => {
                    let first = self.function(a, of_abstract)?;
                    Fair::Compassion(first, self.function(b, of_abstract)?)
                }
            });
        }
        self.encoder.forget();
        Ok((known, fairness))
    }

    /// What a property or fairness says is never free.
    fn function(&mut self, expr: ExprId, of_abstract: bool) -> Result<Bdd, Stopped> {
        let cuts = self.encoder.uncut();
        let function = self.encoder.truth(expr);
        self.encoder.recut(cuts);
        let function = function?;
        match of_abstract {
            true => self.map.of_states(&function),
            false => Ok(function),
        }
    }

    fn checker(
        &mut self,
        relation: Relation,
        of_abstract: bool,
        cx: &Context,
    ) -> Result<Checker<'a>, Stopped> {
        let (known, mut fairness) = self.functions(of_abstract)?;
        if matches!(self.task.goal, Goal::Always(_)) {
            fairness.clear();
        }
        let formulas = &self.task.system.formulas;
        let atoms = Functions::Given(known);
        Ok(Checker::of(relation, formulas, atoms, fairness, cx))
    }

    /// The relation of the system itself, made when it is first needed.
    fn concrete(&mut self) -> Result<Relation, Stopped> {
        if let Some(known) = &self.concrete {
            return Ok(known.clone());
        }
        let cuts = self.encoder.uncut();
        let made = Relation::new(&mut self.encoder, self.options.relation)?;
        self.encoder.recut(cuts);
        self.concrete = Some(made.clone());
        Ok(made)
    }
}

/// Looks for a counterexample to a goal on any relation.
fn look(task: &Task, checker: &mut Checker<'_>) -> Result<Option<(Trace, Shows)>, Stopped> {
    let (mut trace, shows) = match task.goal {
        Goal::Always(expr) => {
            let bad = checker.states_where(expr)?.not();
            let bad = bad.and(checker.relation().states())?;
            return Ok(checker.path_to(&bad)?.map(|trace| (trace, Shows::All)));
        }
        Goal::Universal(formula) => match checker.counterexample(formula)? {
            Some(found) => found,
            None => return Ok(None),
        },
        Goal::NoRun(expr) => {
            let fair = checker.fair()?;
            let first = checker.states_where(expr)?.and(&fair)?;
            let first = first.and(checker.relation().init())?;
            let Some(state) = checker.some_state(&first) else {
                return Ok(None);
            };
            let trace = Trace {
                states: vec![state],
                inputs: Vec::new(),
                loops_to: None,
            };
            (trace, Shows::All)
        }
    };
    if task.endless && trace.loops_to.is_none() && shows == Shows::All {
        let fair = checker.fair()?;
        checker.go_round(&mut trace, &fair)?;
    }
    Ok(Some((trace, shows)))
}

impl Abstraction for Engine<'_> {
    type Counterexample = Abstract;
    type Real = Real;

    fn size(&self) -> u64 {
        let shut = self.maker.no_step.len() + self.maker.not_initial.len();
        self.map.size() + shut as u64 + u64::from(self.maker.care)
    }

    fn check(&mut self, cx: &Context) -> Result<Checked<Abstract>, Stopped> {
        self.reached = None;
        let relation = self.maker.relation(&self.map, &mut self.encoder, cx)?;
        let (_, places) = self.map.layout(&self.encoder);
        self.effort.relation_nodes = self.effort.relation_nodes.max(relation.size());
        let mut checker = self.checker(relation, true, cx)?;
        let found = look(self.task, &mut checker)?;
        self.effort.depth = self.effort.depth.max(checker.rings().len());
        Ok(match found {
            None => {
                self.reached = Some(checker.reachable()?);
                Checked::Holds
            }
            Some((trace, shows)) => Checked::Fails(Abstract {
                trace,
                shows,
                places,
            }),
        })
    }

    fn analyse(&mut self, found: Abstract, cx: &Context) -> Result<Analysed<Real>, Stopped> {
        if found.shows == Shows::Part {
            let why = "The property fails on an abstraction of the system, in a way that no single run shows, so it is not known \
                       whether it fails on the system.";
            return Ok(Analysed::Real(Real::Beyond(why.to_owned())));
        }
        let analysed = match self.options.spurious {
            Spurious::Bdd => self.analyse_by_images(&found, cx)?,
            Spurious::Sat => self.analyse_by_search(&found, cx)?,
        };
        if matches!(analysed, Analysed::Refined) {
            self.effort.refinements += 1;
            self.map.tidy(&self.task.system);
        }
        Ok(analysed)
    }
}

impl Engine<'_> {
    fn analyse_by_images(
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
                if let Some((trace, shows)) = self.near(&relation, &path, cx)? {
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

impl<'a> Engine<'a> {
    fn analyse_by_search(
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
                match unrolling.remedy(&path, back, (at, then, frame), &bits)? {
                    Remedy::NoStep(from, to) => {
                        let (from, to) = (only(&products[at], &from), only(&products[then], &to));
                        self.maker.no_step.push((from, to));
                        if self.maker.left_out && self.maker.no_step.len() % PATIENCE == 0 {
                            self.maker.care += 1;
                        }
                        Ok(Analysed::Refined)
                    }
                    Remedy::Bits(bits) => self.split_by_bits(&products[at], &bits),
                }
            }
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
        if !super::spurious::push(relation, &mut longer, to)? {
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
