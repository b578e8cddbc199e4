//! Ground derivations from facts.

use rustc_hash::FxHashMap;
use suppose_model::chc::{Assignment, Derivation, Inference, Value};
use suppose_smt::{SatResult, Solver};

use super::{Engine, Halt};

/// A fact to be derived of these values.
type Wanted = (usize, Vec<Value>);
/// One that waits to be grounded, or, once it is, for its premises.
type Waiting = (Wanted, Option<(Inference, Vec<Wanted>)>);

impl Engine<'_> {
    /// A derivation of the goal from a fact of it, with values everywhere. Equal facts of equal values are
    /// derived once.
    pub(super) fn derivation(&mut self, goal: usize) -> Result<Derivation, Halt> {
        let mut derivation = Derivation::default();
        let mut known: FxHashMap<Wanted, usize> = FxHashMap::default();
        // A wanted fact is grounded when first met and written after its premises.
        let mut stack: Vec<Waiting> = vec![((goal, Vec::new()), None)];
        while let Some((wanted, grounded)) = stack.pop() {
            if known.contains_key(&wanted) {
                continue;
            }
            match grounded {
                None => {
                    let (inference, premises) = self.ground(&wanted)?;
                    stack.push((wanted, Some((inference, premises.clone()))));
                    stack.extend(premises.into_iter().map(|p| (p, None)));
                }
                Some((mut inference, premises)) => {
                    inference.premises = premises.iter().map(|p| known[p]).collect();
                    known.insert(wanted, derivation.steps.len());
                    derivation.steps.push(inference);
                }
            }
        }
        Ok(derivation)
    }

    /// Values for the rule of a fact, given those of its head; and what they want of its premises.
    fn ground(&mut self, wanted: &Wanted) -> Result<(Inference, Vec<Wanted>), Halt> {
        self.cx.check()?;
        let fact = self.facts[wanted.0].clone();
        let rule = self.rules[fact.rule].clone();
        let formals = self.preds[fact.pred.index()].formals.clone();
        let mut given = Assignment::default();
        for (&formal, value) in formals.iter().zip(&wanted.1) {
            given.set(formal, value.clone());
        }
        let mut parts = vec![rule.formula];
        parts.extend(self.values(&formals, &given));
        for (place, &premise) in fact.premises.iter().enumerate() {
            parts.push(self.at(fact.rule, place, self.facts[premise].formula));
        }
        let formula = self.terms.and(parts);
        let mut solver = Solver::new();
        solver.assert(&mut self.terms, formula);
        if solver.check_patiently(&mut self.terms, &[], self.cx)? != SatResult::Sat {
            return Err(Halt::Undecided);
        }
        let model = solver.model();
        let value = |var| model.value(&self.terms, var);
        let mut values = Assignment::default();
        for &(var, here) in &rule.renamed {
            values.set(var, value(here));
        }
        let wants = rule
            .body
            .iter()
            .zip(&fact.premises)
            .map(|(site, &premise)| (premise, site.args.iter().map(|&v| value(v)).collect()))
            .collect();
        let inference = Inference {
            clause: rule.clause,
            values,
            premises: Vec::new(),
        };
        Ok((inference, wants))
    }
}
