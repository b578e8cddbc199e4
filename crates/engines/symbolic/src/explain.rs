//! A run that shows why a formula of CTL is false (or true), as far as one run can.

use suppose_control::Stopped;
use suppose_model::fsm::{Branch, Connective, Formula, FormulaId, Quantifier, Shows, Trace};

use crate::bdd::Bdd;
use crate::check::Checker;

impl Checker<'_> {
    /// A run from an initial state where the formula fails, which shows why; none if it fails nowhere.
    pub fn counterexample(
        &mut self,
        formula: FormulaId,
    ) -> Result<Option<(Trace, Shows)>, Stopped> {
        let failing = self.failing(formula)?;
        let Some(state) = self.some_state(&failing) else {
            return Ok(None);
        };
        let mut trace = Trace {
            states: vec![state],
            inputs: Vec::new(),
            loops_to: None,
        };
        let shows = self.show(&mut trace, formula, false)?;
        Ok(Some((trace, shows)))
    }

    /// Goes on from the last state so as to show that the formula is true (or false) there.
    fn show(
        &mut self,
        trace: &mut Trace,
        formula: FormulaId,
        truth: bool,
    ) -> Result<Shows, Stopped> {
        let formulas = self.formulas();
        match formulas.node(formula) {
            Formula::Atom(_) => Ok(Shows::All),
            Formula::Not(a) => self.show(trace, *a, !truth),
            Formula::And(all) => self.show_junction(trace, all, truth, true),
            Formula::Or(all) => self.show_junction(trace, all, truth, false),
            Formula::Connective(Connective::Implies, a, b) => match truth {
                false => self.show_both(trace, &[(*a, true), (*b, false)]),
                true => {
                    let a_fails = !self.holds(trace, *a)?;
                    let part = if a_fails { (*a, false) } else { (*b, true) };
                    self.show(trace, part.0, part.1)
                }
            },
            Formula::Connective(_, a, b) => {
                let parts = [(*a, self.holds(trace, *a)?), (*b, self.holds(trace, *b)?)];
                self.show_both(trace, &parts)
            }
            Formula::Branch(quantifier, branch, None, a) => {
                // `A` is false for the reason that `E` of the dual is true.
                let some = *quantifier == Quantifier::Some;
                match some == truth {
                    true => self.show_branch(trace, *branch, *a, some),
                    false => Ok(Shows::Part),
                }
            }
            Formula::BranchUntil(quantifier, None, a, b) => {
                let some = *quantifier == Quantifier::Some;
                match (some == truth, some) {
                    (true, true) => {
                        let (through, to) = (self.ctl(*a)?, self.ctl(*b)?);
                        let shows = self.show_path(trace, &through, &to, *b, true)?;
                        // That `a` holds on the way is plain to see only if it needs no other runs.
                        Ok(if self.is_temporal(*a) {
                            Shows::Part
                        } else {
                            shows
                        })
                    }
                    (true, false) => self.show_lost(trace, *a, *b),
                    (false, _) => Ok(Shows::Part),
                }
            }
            _ => Ok(Shows::Part),
        }
    }

    fn holds(&mut self, trace: &Trace, formula: FormulaId) -> Result<bool, Stopped> {
        let here = self.here(trace)?;
        here.meets(&self.ctl(formula)?)
    }

    fn here(&self, trace: &Trace) -> Result<Bdd, Stopped> {
        match trace.states.last() {
            Some(state) => self.only(state),
            None => Ok(self.relation().bdds().constant(false)),
        }
    }

    fn is_temporal(&self, formula: FormulaId) -> bool {
        let formulas = self.formulas();
        let within = formulas.within(formula);
        let branches = |f: &FormulaId| {
            matches!(
                formulas.node(*f),
                Formula::Branch(..) | Formula::BranchUntil(..)
            )
        };
        within.iter().any(branches)
    }

    fn show_junction(
        &mut self,
        trace: &mut Trace,
        all: &[FormulaId],
        truth: bool,
        and: bool,
    ) -> Result<Shows, Stopped> {
        if truth == and {
            let parts: Vec<(FormulaId, bool)> = all.iter().map(|a| (*a, truth)).collect();
            return self.show_both(trace, &parts);
        }
        // One part is enough; a part without time needs no more steps.
        let mut chosen = None;
        for part in all {
            if self.holds(trace, *part)? == truth {
                if !self.is_temporal(*part) {
                    return Ok(Shows::All);
                }
                chosen = chosen.or(Some(*part));
            }
        }
        match chosen {
            Some(part) => self.show(trace, part, truth),
            None => Ok(Shows::Part),
        }
    }

    /// All of these; one run can show at most one part that speaks of time.
    fn show_both(
        &mut self,
        trace: &mut Trace,
        parts: &[(FormulaId, bool)],
    ) -> Result<Shows, Stopped> {
        let temporal: Vec<&(FormulaId, bool)> =
            parts.iter().filter(|(f, _)| self.is_temporal(*f)).collect();
        match temporal[..] {
            [] => Ok(Shows::All),
            [(formula, truth)] => self.show(trace, *formula, *truth),
            [(formula, truth), ..] => {
                self.show(trace, *formula, *truth)?;
                Ok(Shows::Part)
            }
        }
    }

    /// `E` of the operator if `some`, else why `A` of it fails.
    fn show_branch(
        &mut self,
        trace: &mut Trace,
        branch: Branch,
        a: FormulaId,
        some: bool,
    ) -> Result<Shows, Stopped> {
        let reached = self.reachable()?;
        let set = match some {
            true => self.ctl(a)?,
            false => reached.minus(&self.ctl(a)?)?,
        };
        let fair = self.fair()?;
        let anything = self.relation().bdds().constant(true);
        match (branch, some) {
            (Branch::Next, _) => {
                let Some(last) = trace.states.last().cloned() else {
                    return Ok(Shows::Part);
                };
                let to = set.and(&fair)?;
                match self.some_step(&last, &anything, &to)? {
                    Some((inputs, state)) => {
                        trace.inputs.push(inputs);
                        trace.states.push(state);
                        self.show(trace, a, some)
                    }
                    None => Ok(Shows::Part),
                }
            }
            (Branch::Finally, true) | (Branch::Globally, false) => {
                self.show_path(trace, &reached, &set, a, some)
            }
            (Branch::Globally, true) | (Branch::Finally, false) => {
                self.go_round(trace, &set)?;
                match self.is_temporal(a) {
                    true => Ok(Shows::Part),
                    false => Ok(Shows::All),
                }
            }
        }
    }

    /// Through states of a set to one of another, and there why `then` is true (or false).
    fn show_path(
        &mut self,
        trace: &mut Trace,
        through: &Bdd,
        to: &Bdd,
        then: FormulaId,
        truth: bool,
    ) -> Result<Shows, Stopped> {
        let to = to.and(&self.fair()?)?;
        if !self.here(trace)?.meets(&to)? {
            let anything = self.relation().bdds().constant(true);
            if !self.go(trace, through, &anything, &to)? {
                return Ok(Shows::Part);
            }
        }
        self.show(trace, then, truth)
    }

    /// Why `A[a U b]` fails: `b` never comes, or `a` is lost before.
    fn show_lost(
        &mut self,
        trace: &mut Trace,
        a: FormulaId,
        b: FormulaId,
    ) -> Result<Shows, Stopped> {
        let reached = self.reachable()?;
        let not_b = reached.minus(&self.ctl(b)?)?;
        let neither = not_b.minus(&self.ctl(a)?)?;
        let fair = self.fair()?;
        let to = neither.and(&fair)?;
        let loses = self.until(&not_b, &to)?;
        if self.here(trace)?.meets(&loses)? {
            let shows = self.show_path(trace, &not_b, &neither, a, false)?;
            return Ok(if self.is_temporal(b) {
                Shows::Part
            } else {
                shows
            });
        }
        self.go_round(trace, &not_b)?;
        match self.is_temporal(b) {
            true => Ok(Shows::Part),
            false => Ok(Shows::All),
        }
    }
}
