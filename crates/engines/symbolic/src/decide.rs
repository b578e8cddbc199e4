//! Properties, one by one, on the system itself (no abstraction).

use suppose_control::{Context, Stopped};
use suppose_model::fsm::{
    Constraint, ExprId, FormulaId, Proof, Property, Question, Shows, System, Trace,
};
use suppose_source::Span;

use crate::answer::{Answer, Effort, SymbolicVerdict};
use crate::bdd::Bdd;
use crate::check::Checker;
use crate::check::memory::Memory;
use crate::induction;
use crate::proof::decisions;
use crate::relation::RelationOptions;
use crate::tableau::{plain_fairness, watch};
use crate::trace::Back;

/// A proof with more decisions than this is not made: nobody would want to check it.
const MOST_DECISIONS: usize = 1 << 20;

/// How much work going backwards may take, in questions whether to stop.
const BACKWARDS: u64 = 60;

/// How much work finding the reachable states may take before all states are looked at.
const FORWARDS: u64 = 60;

/// How much work finding a run into bad states that are known to be reachable may take backwards, and then by unrolling the system for a SAT
/// solver.
const PATH: u64 = 60;
const UNROLLING: u64 = 600;

/// The concrete engine.
pub struct Concrete<'a> {
    system: &'a System,
    options: RelationOptions,
    cx: Context,
    memory: Memory,
}

impl<'a> Concrete<'a> {
    /// For a system.
    pub fn new(system: &'a System, options: RelationOptions, cx: &Context) -> Self {
        Concrete {
            system,
            options,
            cx: cx.clone(),
            memory: Memory::default(),
        }
    }

    /// The same, with what was found out about other parts of the same system.
    pub fn remembering(self, memory: &Memory) -> Self {
        Concrete {
            memory: memory.clone(),
            ..self
        }
    }

    /// Runs with a checker that knows what was found out before, and keeps what it finds out, even if it is stopped.
    fn with_checker<'s, T>(
        &self,
        system: &'s System,
        work: impl FnOnce(&mut Checker<'s>) -> Result<T, Stopped>,
    ) -> Result<T, Stopped> {
        let mut checker = self.memory.checker(system, self.options, &self.cx)?;
        let done = work(&mut checker);
        self.memory.keep(system, &checker);
        done
    }

    /// A reachable state without a step, with a run that leads there.
    pub fn deadlock(&self) -> Result<Option<Trace>, Stopped> {
        self.with_checker(self.system, |checker| {
            let deadlocks = checker.deadlocks()?;
            checker.path_to(&deadlocks)
        })
    }

    /// Decides one property.
    pub fn decide(&self, property: &Property) -> Result<Answer, Stopped> {
        match property.question {
            Question::Invariant(expr) => self.invariant(expr),
            Question::Ctl(formula) => self.ctl(formula),
            Question::Ltl(formula) => self.ltl(formula),
            Question::ComputeMin(from, to) => self.compute(from, to, true),
            Question::ComputeMax(from, to) => self.compute(from, to, false),
        }
    }

    /// Looks for a state (or a step, if it speaks of inputs or the next state) that violates the invariant, ring by ring.
    fn invariant(&self, expr: ExprId) -> Result<Answer, Stopped> {
        let support = self.system.exprs.support(expr);
        let inputs = support.current.iter().any(|v| self.system.is_input(*v));
        self.with_checker(self.system, |checker| {
            let wrong = checker.states_where(expr)?.not();
            let of_steps = !support.next.is_empty() || inputs;
            let bad = match of_steps {
                true => sources(checker, &wrong)?,
                false => wrong.and(checker.relation().states())?,
            };
            let question = (!of_steps).then_some(Question::Invariant(expr));
            let found = match self.avoided(checker, &bad, question)? {
                Avoided::Never(proof) => SymbolicVerdict::Holds(proof),
                Avoided::Reached(mut trace) => {
                    if of_steps {
                        take(checker, &mut trace, &wrong)?;
                    }
                    SymbolicVerdict::Fails(trace, Shows::All)
                }
            };
            Ok(answer(found, checker))
        })
    }

    /// Whether a set of states is never reached: backwards from it as long as that is cheap, and then forwards. A proof that was found
    /// backwards is most often the smaller one, as it speaks only of what matters. If there is a question, the states are those that break
    /// its claim.
    fn avoided(
        &self,
        checker: &mut Checker<'_>,
        bad: &Bdd,
        question: Option<Question>,
    ) -> Result<Avoided, Stopped> {
        if !checker.is_explored() {
            match self.briefly(checker, BACKWARDS, |checker| checker.back_from(bad, None))? {
                Some(Back::Never(set)) => {
                    return Ok(Avoided::Never(self.inductive(&set, checker)));
                }
                Some(Back::Run(trace)) => return Ok(Avoided::Reached(trace)),
                None => {}
            }
        }
        let found = match checker.reach(bad)? {
            Some(here) => self.path(checker, &here, question)?,
            None => None,
        };
        Ok(match found {
            Some(trace) => Avoided::Reached(trace),
            None => {
                let set = checker.reachable()?;
                Avoided::Never(self.inductive(&set, checker))
            }
        })
    }

    /// A shortest run into a set of reached states: backwards as long as that is cheap. Sets of states that lead there can be large though
    /// each of the runs is plain, so then a SAT solver is asked; and if it does not know either, backwards after all.
    fn path(
        &self,
        checker: &mut Checker<'_>,
        here: &Bdd,
        question: Option<Question>,
    ) -> Result<Option<Trace>, Stopped> {
        let Some(question) = question.filter(|_| self.has_own_states(checker)) else {
            return checker.path_back(here);
        };
        if let Some(found) = self.briefly(checker, PATH, |checker| checker.path_back(here))? {
            return Ok(found);
        }
        let limited = self.cx.with_work(UNROLLING);
        let most = checker.depth();
        match induction::shortest_violation(self.system, &question, most, &limited) {
            Ok(Some(trace)) => return Ok(Some(trace)),
            Err(Stopped::Superseded) | Ok(None) => self.cx.check()?,
            Err(why) => return Err(why),
        }
        checker.path_back(here)
    }

    /// Are the states of a checker those of the system, with no variables added?
    fn has_own_states(&self, checker: &Checker<'_>) -> bool {
        let layout = checker.relation().layout();
        layout.states.len() == self.system.state_vars().count()
    }

    /// A set that no step leaves as a proof, if it speaks of the system's own variables and is not too large.
    fn inductive(&self, set: &Bdd, checker: &Checker<'_>) -> Option<Proof> {
        if !self.has_own_states(checker) {
            return None;
        }
        let layout = checker.relation().layout();
        let bits = self.system.state_vars().zip(&layout.states);
        let bits = bits.map(|(var, slot)| (var, &slot.bits.current[..]));
        let decisions = decisions(set, bits, MOST_DECISIONS);
        decisions.map(Proof::Invariant)
    }

    fn ctl(&self, formula: FormulaId) -> Result<Answer, Stopped> {
        let system = plain_fairness(self.system);
        self.with_checker(&system, |checker| {
            let found = match self.timeless(formula, false) {
                Some(claim) => {
                    let bad = checker.timeless(claim)?.not();
                    self.always(bad, checker, Some(Question::Ctl(formula)), false)?
                }
                None => match self.counterexample(checker, formula)? {
                    Some((trace, shows)) => SymbolicVerdict::Fails(self.cut(trace), shows),
                    None => SymbolicVerdict::Holds(None),
                },
            };
            Ok(answer(found, checker))
        })
    }

    /// Looks for a counterexample among the reachable states if these are found with little work; else among all states as long as that is
    /// cheap, as they need not be found; and then among the reachable ones after all.
    fn counterexample(
        &self,
        checker: &mut Checker<'_>,
        formula: FormulaId,
    ) -> Result<Option<(Trace, Shows)>, Stopped> {
        let explored = checker.is_explored()
            || self
                .briefly(checker, FORWARDS, |checker| checker.reachable())?
                .is_some();
        if !explored {
            let known = checker.widen();
            let tried = self.briefly(checker, BACKWARDS, |checker| {
                checker.counterexample(formula)
            });
            checker.exchange(known);
            if let Some(found) = tried? {
                return Ok(found);
            }
        }
        checker.counterexample(formula)
    }

    /// What comes of something that must not take much work; none if it takes more.
    fn briefly<T>(
        &self,
        checker: &mut Checker<'_>,
        limit: u64,
        work: impl FnOnce(&mut Checker<'_>) -> Result<T, Stopped>,
    ) -> Result<Option<T>, Stopped> {
        let bdds = checker.relation().bdds().clone();
        bdds.set_context(self.cx.with_work(limit));
        let tried = work(checker);
        bdds.set_context(self.cx.clone());
        match tried {
            Err(Stopped::Superseded) => {
                self.cx.check()?;
                Ok(None)
            }
            tried => tried.map(Some),
        }
    }

    fn ltl(&self, formula: FormulaId) -> Result<Answer, Stopped> {
        if let Some(claim) = self.timeless(formula, true) {
            let system = plain_fairness(self.system);
            return self.with_checker(&system, |checker| {
                let bad = checker.timeless(claim)?.not();
                let found = self.always(bad, checker, Some(Question::Ltl(formula)), true)?;
                Ok(answer(found, checker))
            });
        }
        if let Some((system, formula)) = self.branching(formula) {
            return self.with_checker(&system, |checker| {
                let found = match self.counterexample(checker, formula)? {
                    Some((trace, _)) => self.endless(trace, checker)?,
                    None => SymbolicVerdict::Holds(None),
                };
                Ok(answer(found, checker))
            });
        }
        if let Some(claim) = self.system.formulas.history(formula) {
            let watched = watch(self.system, claim);
            let system = plain_fairness(&watched.system);
            let mut checker = Checker::new(&system, self.options, &self.cx)?;
            let bad = checker.states_where(watched.fails)?;
            let found = match self.always(bad, &mut checker, None, true)? {
                // Without anything to remember (`H [0, 0] p`) no variable is added, but the formula still is none that an invariant shows.
                SymbolicVerdict::Holds(_) => SymbolicVerdict::Holds(None),
                found => found,
            };
            return Ok(answer(found, &checker));
        }
        self.linear(formula)
    }

    /// A formula of CTL that says the same as one of LTL, with a system that has it, if there is a plain one.
    fn branching(&self, formula: FormulaId) -> Option<(System, FormulaId)> {
        let support = self
            .system
            .exprs
            .support_of_all(self.system.formulas.atoms(formula));
        if !support.next.is_empty() || support.current.iter().any(|v| self.system.is_input(*v)) {
            return None;
        }
        let mut system = plain_fairness(self.system);
        let formula = system.formulas.branching(formula)?;
        Some((system, formula))
    }

    /// A run that breaks a formula of LTL, going on for ever.
    fn endless(
        &self,
        mut trace: Trace,
        checker: &mut Checker<'_>,
    ) -> Result<SymbolicVerdict, Stopped> {
        if trace.loops_to.is_none() {
            let set = checker.fair()?;
            checker.go_round(&mut trace, &set)?;
        }
        Ok(SymbolicVerdict::Fails(self.cut(trace), Shows::All))
    }

    /// By a system that watches the formula, and begins only where it is false.
    fn linear(&self, formula: FormulaId) -> Result<Answer, Stopped> {
        let mut watched = watch(self.system, formula);
        let span = Span::default();
        let expr = watched.fails;
        watched.system.init.push(Constraint { expr, span });
        let system = plain_fairness(&watched.system);
        let mut checker = Checker::new(&system, self.options, &self.cx)?;
        let fair = checker.fair()?;
        let first = checker.relation().init().and(&fair)?;
        let Some(state) = checker.some_state(&first) else {
            return Ok(answer(SymbolicVerdict::Holds(None), &checker));
        };
        let mut trace = Trace {
            states: vec![state],
            inputs: Vec::new(),
            loops_to: None,
        };
        let reached = checker.reachable()?;
        checker.go_round(&mut trace, &reached)?;
        Ok(answer(
            SymbolicVerdict::Fails(self.cut(trace), Shows::All),
            &checker,
        ))
    }

    /// What a formula says of all states, if that is all it says and needs nothing but the state.
    fn timeless(&self, formula: FormulaId, linear: bool) -> Option<FormulaId> {
        let claim = self.system.formulas.always(formula)?;
        let atoms = self.system.formulas.atoms(claim);
        let support = self.system.exprs.support_of_all(atoms);
        let inputs = support.current.iter().any(|v| self.system.is_input(*v));
        (!linear || (support.next.is_empty() && !inputs)).then_some(claim)
    }

    /// Whether no state of a set is on a fair run: as for invariants, and with the fair states only if one is reached. An endless run is
    /// asked for if `endless`.
    fn always(
        &self,
        bad: Bdd,
        checker: &mut Checker<'_>,
        question: Option<Question>,
        endless: bool,
    ) -> Result<SymbolicVerdict, Stopped> {
        let bad = bad.and(checker.relation().states())?;
        let mut trace = match self.avoided(checker, &bad, question)? {
            Avoided::Never(proof) => return Ok(SymbolicVerdict::Holds(proof)),
            Avoided::Reached(trace) => trace,
        };
        let goes_on = checker.goes_on()?;
        if !goes_on {
            let fair = checker.fair()?;
            match checker.path_to(&bad.and(&fair)?)? {
                Some(other) => trace = other,
                None => return Ok(SymbolicVerdict::Holds(None)),
            }
        }
        if endless && !(goes_on && checker.wander(&mut trace)?) {
            let set = checker.fair()?;
            checker.go_round(&mut trace, &set)?;
        }
        Ok(SymbolicVerdict::Fails(self.cut(trace), Shows::All))
    }

    /// The run without the variables that were added.
    fn cut(&self, mut trace: Trace) -> Trace {
        let slots = self.system.state_vars().count();
        for state in &mut trace.states {
            *state = state[..slots].into();
        }
        trace
    }

    /// The shortest, or the longest, way from a set of reachable states to another. Only states from which a fair run goes on count, as for
    /// NuSMV; whatever leads to such a state is one itself.
    fn compute(&self, from: FormulaId, to: FormulaId, least: bool) -> Result<Answer, Stopped> {
        let system = plain_fairness(self.system);
        self.with_checker(&system, |checker| {
            let fair = checker.fair()?;
            let (from, to) = (checker.ctl(from)?.and(&fair)?, checker.ctl(to)?.and(&fair)?);
            if !least && (from.is_false() || to.is_false()) {
                let which = if from.is_false() { "first" } else { "second" };
                let why = format!(
                    "the number is undefined, as for NuSMV: no reachable state with a fair run is in the {which} set"
                );
                return Ok(answer(SymbolicVerdict::Unknown(why), checker));
            }
            let steps = match least {
                true => checker.shortest(&from, &to)?,
                false => checker.longest(&from, &to)?,
            };
            Ok(answer(SymbolicVerdict::Steps(steps), checker))
        })
    }
}

/// Whether a set of states is reached.
enum Avoided {
    Never(Option<Proof>),
    Reached(Trace),
}

/// Where steps of a set begin.
fn sources(checker: &Checker<'_>, steps: &Bdd) -> Result<Bdd, Stopped> {
    let relation = checker.relation();
    let mut steps = steps.clone();
    for cluster in relation.clusters() {
        steps = steps.and(cluster)?;
    }
    relation.sources(&steps)?.and(relation.states())
}

/// Takes a step of a set at the end of a run.
fn take(checker: &Checker<'_>, trace: &mut Trace, steps: &Bdd) -> Result<(), Stopped> {
    let everywhere = checker.relation().bdds().constant(true);
    if let Some(last) = trace.states.last().cloned()
        && let Some((inputs, state)) = checker.some_step(&last, steps, &everywhere)?
    {
        trace.inputs.push(inputs);
        trace.states.push(state);
    }
    Ok(())
}

fn answer(found: SymbolicVerdict, checker: &Checker<'_>) -> Answer {
    let relation = checker.relation();
    let relation_nodes = relation.size();
    let effort = Effort {
        relation_nodes,
        checking_nodes: relation.bdds().peak().saturating_sub(relation_nodes),
        reorderings: relation.bdds().reorderings(),
        depth: checker.depth(),
        ..Effort::default()
    };
    Answer { found, effort }
}

impl Checker<'_> {
    /// Steps of a shortest way between two sets of reachable states.
    fn shortest(&mut self, from: &Bdd, to: &Bdd) -> Result<Option<u64>, Stopped> {
        let (mut all, mut new, mut steps) = (to.clone(), to.clone(), 0);
        while !new.is_false() {
            if new.meets(from)? {
                return Ok(Some(steps));
            }
            new = self.before(&new)?.minus(&all)?;
            all = all.or(&new)?;
            steps += 1;
        }
        Ok(None)
    }

    /// Steps of a longest way, part of a fair run, out of the first set before the second is reached.
    fn longest(&mut self, from: &Bdd, to: &Bdd) -> Result<Option<u64>, Stopped> {
        let outside = self.fair()?.minus(to)?;
        // States from which a way of that many steps stays outside.
        let (mut stays, mut steps) = (outside.clone(), 0);
        loop {
            if !stays.meets(from)? {
                return Ok(Some(steps));
            }
            let longer = self.before(&stays)?.and(&outside)?;
            if longer == stays {
                return Ok(None);
            }
            stays = longer;
            steps += 1;
        }
    }
}
