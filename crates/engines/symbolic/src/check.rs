//! Sets of states: reachable ones, fair ones, and those where formulas of CTL hold.
//!
//! Everything is computed within the reachable states. Fair runs are found as by Emerson and Lei, with strong fairness after Kesten, Pnueli and
//! Raviv: within the largest set that every state can leave into, fulfil each justice constraint, and either fulfil the second
//! part of a compassion constraint or avoid the first.

pub mod memory;

use rustc_hash::FxHashMap;
use suppose_control::{Context, Event, Stopped};
use suppose_model::fsm::{
    Bound, Branch, Connective, ExprId, Fairness, Formula, FormulaId, Formulas, Quantifier, System,
};

use crate::bdd::{Bdd, Bdds};
use crate::encode::Encoder;
use crate::order::interleaved;
use crate::relation::{Relation, RelationOptions};

/// A constraint of fairness.
#[derive(Clone, Debug)]
pub(crate) enum Fair {
    /// Of state and inputs.
    Justice(Bdd),
    /// The first of the state alone (see [`crate::tableau::plain_fairness`]), the second of state and inputs.
    Compassion(Bdd, Bdd),
}

/// Where the functions of boolean expressions come from.
#[derive(Debug)]
pub(crate) enum Atoms<'a> {
    /// They are encoded when they are asked for.
    Encoded(Encoder<'a>),
    /// Those that will be asked for are given.
    Given(FxHashMap<ExprId, Bdd>),
}

fn smaller(one: &Bdd, other: Bdd) -> Bdd {
    match other.size() < one.size() {
        true => other,
        false => one.clone(),
    }
}

/// The constraints of fairness of a system.
fn fair_steps(system: &System, encoder: &mut Encoder<'_>) -> Result<Vec<Fair>, Stopped> {
    let mut fairness = Vec::new();
    for constraint in &system.fairness {
        fairness.push(match constraint {
            Fairness::Justice(it) => Fair::Justice(encoder.truth(*it)?),
            Fairness::Compassion(a, b) => Fair::Compassion(encoder.truth(*a)?, encoder.truth(*b)?),
        });
    }
    Ok(fairness)
}

/// A system with what is known of its states.
pub struct Checker<'a> {
    relation: Relation,
    formulas: &'a Formulas,
    atoms: Atoms<'a>,
    cx: Context,
    /// The states reached in so many steps, and not before: none if all are reached.
    frontier: Bdd,
    depth: usize,
    reached: Bdd,
    fairness: Vec<Fair>,
    fair: Option<Bdd>,
    known: FxHashMap<FormulaId, Bdd>,
    /// The latest sets that fair cycles were looked for in, and what was found: a counterexample asks again.
    hulls: Vec<(Bdd, Bdd)>,
    /// A search that was stopped, to be continued when it is asked for again.
    unfinished: Option<Backward>,
}

/// A backward search through a set within the reachable states, up to some point.
#[derive(Clone, Debug)]
struct Backward {
    reached: Bdd,
    through: Bdd,
    to: Bdd,
    /// All states found.
    all: Bdd,
    /// Those of them that the latest step found.
    new: Bdd,
}

/// What a checker knows within the states that it takes for the reachable ones.
pub(crate) struct Explored {
    frontier: Bdd,
    depth: usize,
    reached: Bdd,
    fair: Option<Bdd>,
    known: FxHashMap<FormulaId, Bdd>,
    hulls: Vec<(Bdd, Bdd)>,
}

/// So many of the latest hulls are kept.
const HULLS: usize = 4;

impl<'a> Checker<'a> {
    /// Encodes a system whose fairness is plain ([`crate::tableau::plain_fairness`]); explores nothing yet.
    pub fn new(
        system: &'a System,
        options: RelationOptions,
        cx: &Context,
    ) -> Result<Self, Stopped> {
        let bdds = Bdds::new(cx.clone());
        bdds.set_reordering(options.reorder);
        bdds.set_most(options.nodes);
        let mut encoder = Encoder::new(system, &interleaved(system), bdds);
        let relation = Relation::new(&mut encoder, options)?;
        let fairness = fair_steps(system, &mut encoder)?;
        let atoms = Atoms::Encoded(encoder);
        Ok(Checker::of(relation, &system.formulas, atoms, fairness, cx))
    }

    /// On a relation of any kind, with what formulas and fairness say on it.
    pub(crate) fn of(
        relation: Relation,
        formulas: &'a Formulas,
        atoms: Atoms<'a>,
        fairness: Vec<Fair>,
        cx: &Context,
    ) -> Self {
        // What it took to make the relation is not what it takes to check.
        relation.bdds().restart_peak();
        let first = relation.init().clone();
        Checker {
            relation,
            formulas,
            atoms,
            cx: cx.clone(),
            frontier: first.clone(),
            depth: 1,
            reached: first,
            fairness,
            fair: None,
            known: FxHashMap::default(),
            hulls: Vec::new(),
            unfinished: None,
        }
    }

    /// Are all reachable states known?
    pub(crate) fn is_explored(&self) -> bool {
        self.frontier.is_false()
    }

    /// From now on takes all states for reachable: what holds in a state does not depend on how it is reached. Gives back what it
    /// knew before.
    pub(crate) fn widen(&mut self) -> Explored {
        let all = self.relation.states().clone();
        let none = self.relation.bdds().constant(false);
        self.exchange(Explored {
            frontier: none,
            depth: 1,
            reached: all,
            fair: None,
            known: FxHashMap::default(),
            hulls: Vec::new(),
        })
    }

    /// Goes on with what was known before.
    pub(crate) fn exchange(&mut self, with: Explored) -> Explored {
        Explored {
            frontier: std::mem::replace(&mut self.frontier, with.frontier),
            depth: std::mem::replace(&mut self.depth, with.depth),
            reached: std::mem::replace(&mut self.reached, with.reached),
            fair: std::mem::replace(&mut self.fair, with.fair),
            known: std::mem::replace(&mut self.known, with.known),
            hulls: std::mem::replace(&mut self.hulls, with.hulls),
        }
    }

    /// The functions of the system.
    pub fn relation(&self) -> &Relation {
        &self.relation
    }

    pub(crate) fn formulas(&self) -> &'a Formulas {
        self.formulas
    }

    pub(crate) fn fairness(&self) -> &[Fair] {
        &self.fairness
    }

    /// The states that one step more reaches; false if there are none.
    pub fn step(&mut self) -> Result<bool, Stopped> {
        if self.is_explored() {
            return Ok(false);
        }
        self.cx.check()?;
        // Any set between the frontier and all that is reached has the same new states behind it.
        let others = self.reached.minus(&self.frontier)?;
        let from = smaller(&self.frontier, self.frontier.restrict(&others.not())?);
        let next = self.relation.image(&from)?.minus(&self.reached)?;
        self.depth += 1;
        if !next.is_false() {
            self.reached = self.reached.or(&next)?;
            self.cx.emit(Event::Explored {
                states: self.depth as u64,
                transitions: self.reached.size() as u64,
            });
        }
        self.frontier = next;
        Ok(!self.is_explored())
    }

    /// All reachable states.
    pub fn reachable(&mut self) -> Result<Bdd, Stopped> {
        while self.step()? {}
        Ok(self.reached.clone())
    }

    /// The states reached so far.
    pub(crate) fn reached(&self) -> &Bdd {
        &self.reached
    }

    /// Those of them that the latest step reached first.
    pub(crate) fn frontier(&self) -> &Bdd {
        &self.frontier
    }

    /// How many steps were looked at, the beginning included.
    pub fn depth(&self) -> usize {
        self.depth
    }

    /// Reachable states without a step.
    pub fn deadlocks(&mut self) -> Result<Bdd, Stopped> {
        let reached = self.reachable()?;
        let alive = self.relation.preimage(self.relation.states())?;
        reached.minus(&alive)
    }

    /// A boolean expression over states as a set of states.
    pub fn states_where(&mut self, expr: ExprId) -> Result<Bdd, Stopped> {
        match &mut self.atoms {
            Atoms::Encoded(encoder) => encoder.truth(expr),
            Atoms::Given(known) => Ok(known
                .get(&expr)
                .cloned()
                .unwrap_or_else(|| self.relation.bdds().constant(false))),
        }
    }

    /// From where one step within the reachable states leads there.
    pub(crate) fn before(&mut self, to: &Bdd) -> Result<Bdd, Stopped> {
        let to = self.target(to)?;
        self.relation.preimage(&to)?.and(&self.reached)
    }

    /// As [`Checker::before`], by a step that satisfies a function of state and inputs.
    pub(crate) fn before_by(&mut self, step: &Bdd, to: &Bdd) -> Result<Bdd, Stopped> {
        let to = self.target(to)?;
        self.relation.preimage_by(step, &to)?.and(&self.reached)
    }

    /// A set with the same reachable states. Steps from reachable states lead to no others, so the rest is free, and a smaller function
    /// does as well.
    fn target(&mut self, to: &Bdd) -> Result<Bdd, Stopped> {
        let reached = self.reachable()?;
        self.cx.check()?;
        let to = to.and(&reached)?;
        Ok(smaller(&to, to.restrict(&reached)?))
    }

    /// From where a path through `through` leads to `to` (which need not be in `through`). If it is stopped it goes on from there when it
    /// is asked for again.
    pub(crate) fn until(&mut self, through: &Bdd, to: &Bdd) -> Result<Bdd, Stopped> {
        let reached = self.reachable()?;
        let is_same =
            |it: &Backward| it.reached == reached && it.through == *through && it.to == *to;
        let mut search = match self.unfinished.take_if(|it| is_same(it)) {
            Some(unfinished) => unfinished,
            None => Backward {
                all: to.clone(),
                new: to.and(&reached)?,
                reached,
                through: through.clone(),
                to: to.clone(),
            },
        };
        match self.search(&mut search) {
            Ok(()) => Ok(search.all),
            Err(why) => {
                self.unfinished = Some(search);
                Err(why)
            }
        }
    }

    /// Completes a backward search, changing it only by whole steps.
    fn search(&self, it: &mut Backward) -> Result<(), Stopped> {
        let mut left = it.through.minus(&it.all)?.and(&it.reached)?;
        while !it.new.is_false() && !left.is_false() {
            self.cx.check()?;
            // Any set between what is new and all has the same new states before it, and what is not reached is free.
            let others = it.all.minus(&it.new)?;
            let target = smaller(&it.new, it.new.restrict(&it.reached.minus(&others)?)?);
            let new = self.relation.preimage(&target)?.and(&left)?;
            left = left.minus(&new)?;
            it.all = it.all.or(&new)?;
            it.new = new;
        }
        Ok(())
    }

    /// From where a fair run stays in a set for ever.
    pub(crate) fn fair_globally(&mut self, set: &Bdd) -> Result<Bdd, Stopped> {
        let hull = self.fair_hull(set)?;
        self.until(set, &hull)
    }

    /// Within a set the states that fair cycles are made of, and those between them.
    pub(crate) fn fair_hull(&mut self, set: &Bdd) -> Result<Bdd, Stopped> {
        if let Some((_, hull)) = self.hulls.iter().find(|(of, _)| of == set) {
            return Ok(hull.clone());
        }
        let hull = self.find_hull(set)?;
        self.hulls.truncate(HULLS - 1);
        self.hulls.insert(0, (set.clone(), hull.clone()));
        Ok(hull)
    }

    fn find_hull(&mut self, set: &Bdd) -> Result<Bdd, Stopped> {
        let mut hull = set.clone();
        loop {
            let before = hull.clone();
            hull = hull.and(&self.before(&hull)?)?;
            for constraint in self.fairness.clone() {
                hull = match constraint {
                    Fair::Justice(step) => {
                        let by = self.before_by(&step, &hull)?.and(&hull)?;
                        self.until(&hull, &by)?
                    }
                    Fair::Compassion(first, second) => {
                        let by = self.before_by(&second, &hull)?.and(&hull)?;
                        let fulfilled = self.until(&hull, &by)?;
                        fulfilled.or(&hull.minus(&first)?)?
                    }
                };
            }
            if hull == before {
                return Ok(hull);
            }
        }
    }

    /// Reachable states from which there is a fair run.
    pub fn fair(&mut self) -> Result<Bdd, Stopped> {
        if let Some(fair) = &self.fair {
            return Ok(fair.clone());
        }
        let reached = self.reachable()?;
        let fair = self.fair_globally(&reached)?;
        self.fair = Some(fair.clone());
        Ok(fair)
    }

    /// The reachable states where a formula of CTL holds.
    pub fn ctl(&mut self, formula: FormulaId) -> Result<Bdd, Stopped> {
        if let Some(known) = self.known.get(&formula) {
            return Ok(known.clone());
        }
        let formulas = self.formulas;
        for it in formulas.within(formula) {
            if !self.known.contains_key(&it) {
                let set = self.node(formulas.node(it))?;
                self.known.insert(it, set);
            }
        }
        Ok(self.part(formula))
    }

    /// The valuations, reachable or not, where a formula without time holds.
    pub fn timeless(&mut self, formula: FormulaId) -> Result<Bdd, Stopped> {
        let formulas = self.formulas;
        let mut sets: FxHashMap<FormulaId, Bdd> = FxHashMap::default();
        let none = self.relation.bdds().constant(false);
        for it in formulas.within(formula) {
            let set = |f: &FormulaId| sets.get(f).unwrap_or(&none);
            let made = match formulas.node(it) {
                Formula::Atom(expr) => self.states_where(*expr)?,
                Formula::Not(a) => set(a).not(),
                Formula::And(all) => all.iter().try_fold(none.not(), |s, a| s.and(set(a)))?,
                Formula::Or(all) => all.iter().try_fold(none.clone(), |s, a| s.or(set(a)))?,
                Formula::Connective(Connective::Implies, a, b) => set(a).implies(set(b))?,
                Formula::Connective(Connective::Iff, a, b) => set(a).iff(set(b))?,
                Formula::Connective(Connective::Xor, a, b) => set(a).xor(set(b))?,
                _ => none.clone(),
            };
            sets.insert(it, made);
        }
        Ok(sets.remove(&formula).unwrap_or(none))
    }

    /// Is it plain that a fair run goes on from every state: no fairness is asked for, and every state, reachable or not, has a step?
    pub(crate) fn goes_on(&self) -> Result<bool, Stopped> {
        if !self.fairness.is_empty() {
            return Ok(false);
        }
        let states = self.relation.states();
        states.is_within(&self.relation.preimage(states)?)
    }

    fn part(&self, formula: FormulaId) -> Bdd {
        let none = || self.relation.bdds().constant(false);
        self.known.get(&formula).cloned().unwrap_or_else(none)
    }

    fn node(&mut self, node: &Formula) -> Result<Bdd, Stopped> {
        let reached = self.reachable()?;
        match node {
            Formula::Atom(expr) => self.states_where(*expr)?.and(&reached),
            Formula::Not(a) => reached.minus(&self.part(*a)),
            Formula::And(all) => {
                let mut parts = all.iter().map(|a| self.part(*a));
                parts.try_fold(reached, |so_far, part| so_far.and(&part))
            }
            Formula::Or(all) => {
                let none = self.relation.bdds().constant(false);
                let mut parts = all.iter().map(|a| self.part(*a));
                parts.try_fold(none, |so_far, part| so_far.or(&part))
            }
            Formula::Connective(op, a, b) => {
                let (a, b) = (self.part(*a), self.part(*b));
                let set = match op {
                    Connective::Implies => a.implies(&b)?,
                    Connective::Iff => a.iff(&b)?,
                    Connective::Xor => a.xor(&b)?,
                };
                set.and(&reached)
            }
            Formula::Branch(quantifier, branch, bound, a) => {
                self.branch(*quantifier, *branch, *bound, &self.part(*a))
            }
            Formula::BranchUntil(quantifier, bound, a, b) => {
                let (a, b) = (self.part(*a), self.part(*b));
                self.branch_until(*quantifier, *bound, &a, &b)
            }
            // No formula of CTL.
            Formula::Linear(..) | Formula::LinearPair(..) => {
                Ok(self.relation.bdds().constant(false))
            }
        }
    }

    fn branch(
        &mut self,
        quantifier: Quantifier,
        branch: Branch,
        bound: Option<Bound>,
        set: &Bdd,
    ) -> Result<Bdd, Stopped> {
        let reached = self.reachable()?;
        if quantifier == Quantifier::All {
            let dual = match branch {
                Branch::Next => Branch::Next,
                Branch::Finally => Branch::Globally,
                Branch::Globally => Branch::Finally,
            };
            let other = reached.minus(set)?;
            let some = self.branch(Quantifier::Some, dual, bound, &other)?;
            return reached.minus(&some);
        }
        let fair = self.fair()?;
        match (branch, bound) {
            (Branch::Next, _) => self.before(&set.and(&fair)?),
            (Branch::Finally, None) => self.until(&reached, &set.and(&fair)?),
            (Branch::Globally, None) => self.fair_globally(set),
            (Branch::Finally, Some(bound)) => self.within(bound, &reached, &set.and(&fair)?),
            (Branch::Globally, Some(bound)) => {
                let mut here = set.and(&fair)?;
                for _ in bound.low..bound.high {
                    here = self.before(&here)?.and(set)?;
                }
                for _ in 0..bound.low {
                    here = self.before(&here)?;
                }
                Ok(here)
            }
        }
    }

    /// From where a path through `through` leads to `to` in so many steps. During the steps before the bound begins, `to` does not count.
    fn within(&mut self, bound: Bound, through: &Bdd, to: &Bdd) -> Result<Bdd, Stopped> {
        let mut here = to.clone();
        for _ in bound.low..bound.high {
            here = self.before(&here)?.and(through)?.or(to)?;
        }
        for _ in 0..bound.low {
            here = self.before(&here)?.and(through)?;
        }
        Ok(here)
    }

    fn branch_until(
        &mut self,
        quantifier: Quantifier,
        bound: Option<Bound>,
        a: &Bdd,
        b: &Bdd,
    ) -> Result<Bdd, Stopped> {
        let reached = self.reachable()?;
        if quantifier == Quantifier::Some {
            let fair = self.fair()?;
            let to = b.and(&fair)?;
            return match bound {
                None => self.until(a, &to),
                Some(bound) => self.within(bound, a, &to),
            };
        }
        let fair = self.fair()?;
        match bound {
            // A[a U b] fails where some fair run has no b for ever, or loses a before b.
            None => {
                let not_b = reached.minus(b)?;
                let neither = not_b.minus(a)?.and(&fair)?;
                let loses = self.until(&not_b, &neither)?;
                let never = self.fair_globally(&not_b)?;
                reached.minus(&loses.or(&never)?)
            }
            Some(bound) => {
                // From the end: within the bound `b` holds, or `a` and so on after every step; before it begins `a` must hold.
                let mut fails = reached.minus(b)?.and(&fair)?;
                for _ in bound.low..bound.high {
                    let lost = reached.minus(a)?.and(&fair)?;
                    fails = self.before(&fails)?.or(&lost)?.minus(b)?;
                }
                for _ in 0..bound.low {
                    let lost = reached.minus(a)?.and(&fair)?;
                    fails = self.before(&fails)?.or(&lost)?;
                }
                reached.minus(&fails)
            }
        }
    }

    /// The initial states where a formula of CTL fails, of those from which there is a fair run.
    pub fn failing(&mut self, formula: FormulaId) -> Result<Bdd, Stopped> {
        let holds = self.ctl(formula)?;
        let fair = self.fair()?;
        self.relation.init().and(&fair)?.minus(&holds)
    }
}
