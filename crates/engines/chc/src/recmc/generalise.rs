//! From an excluded cube to a lemma that excludes more.

use suppose_model::chc::{Assignment, Pred, TermId, Var};
use suppose_smt::{SatResult, Solve};

use super::{Engine, Halt};

impl Engine<'_> {
    /// The solver has just excluded the cube (of literals without equations) at the level: learns why.
    pub(super) fn exclude(&mut self, pred: Pred, level: u32, cube: &[TermId]) -> Result<(), Halt> {
        let solver = &mut self.preds[pred.index()].solver;
        let core: Vec<TermId> = if self.options.interpolation {
            solver.weakened_core(&mut self.terms, cube)
        } else {
            let core = solver.core().to_vec();
            cube.iter().copied().filter(|l| core.contains(l)).collect()
        };
        let cube = self.drop_literals(pred, level, core)?;
        let lemma = self.learn(pred, cube, level);
        self.climb(lemma)?;
        self.guide(lemma);
        Ok(())
    }

    /// Leaves out literals as long as what is left is excluded relative to itself.
    fn drop_literals(
        &mut self,
        pred: Pred,
        level: u32,
        mut cube: Vec<TermId>,
    ) -> Result<Vec<TermId>, Halt> {
        let mut next = 0;
        while next < cube.len() && cube.len() > 1 {
            let mut fewer = cube.clone();
            fewer.remove(next);
            match self.excludes(pred, level, &fewer)? {
                Some(core) => {
                    cube = core;
                    next = 0;
                }
                None => next += 1,
            }
        }
        Ok(cube)
    }

    /// Is the cube excluded at the level if its negation is assumed one level below? If so, the part of
    /// it that was needed.
    pub(super) fn excludes(
        &mut self,
        pred: Pred,
        level: u32,
        cube: &[TermId],
    ) -> Result<Option<Vec<TermId>>, Halt> {
        let mut assumptions = self.step_question(pred, level, cube);
        if level > 0 {
            let conjunction = self.terms.and(cube.iter().copied());
            let lemma = self.terms.not(conjunction);
            for number in self.preds[pred.index()].rules.clone() {
                for place in 0..self.rules[number].body.len() {
                    if self.rules[number].body[place].pred == pred {
                        let instance = self.at(number, place, lemma);
                        let rule = self.switches[number].rule;
                        assumptions.push(self.terms.implies(rule, instance));
                    }
                }
            }
        }
        if self.ask_softly(pred, &assumptions)? != SatResult::Unsat {
            return Ok(None);
        }
        let core = self.preds[pred.index()].solver.core();
        // A part of the cube has a stronger negation, so what was shown of the whole is true of the part.
        Ok(Some(
            cube.iter().copied().filter(|l| core.contains(l)).collect(),
        ))
    }

    /// Pushes a lemma to higher levels while it still excludes its cube there, up to the bound.
    pub(super) fn climb(&mut self, lemma: usize) -> Result<(), Halt> {
        while self.lemmas[lemma].level < self.bound {
            let it = &self.lemmas[lemma];
            let (pred, level, cube) = (it.pred, it.level + 1, it.cube.clone());
            if self.excludes(pred, level, &cube)?.is_none() {
                break;
            }
            self.raise(lemma, level);
        }
        Ok(())
    }

    /// The literals that give variables the values they have in a model.
    pub(super) fn values(&mut self, vars: &[Var], model: &Assignment) -> Vec<TermId> {
        vars.iter()
            .map(|&var| {
                let value = model.value(&self.terms, var);
                self.terms.has_value(var, &value)
            })
            .collect()
    }
}
