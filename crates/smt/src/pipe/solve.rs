//! What all solvers have in common.

use suppose_control::{Context, Stopped};
use suppose_model::chc::{Assignment, TermId, Terms};

use crate::{SatResult, Solver};

/// An incremental solver for formulas of one store, like [`Solver`].
pub trait Solve {
    /// From now on the formula is true.
    fn assert(&mut self, terms: &mut Terms, formula: TermId);

    /// Is there a model in which all assumptions are true as well?
    fn check(
        &mut self,
        terms: &mut Terms,
        assumptions: &[TermId],
        cx: &Context,
    ) -> Result<SatResult, Stopped>;

    /// The same where it matters that the question is decided: our own solver tries again with larger bounds.
    fn check_patiently(
        &mut self,
        terms: &mut Terms,
        assumptions: &[TermId],
        cx: &Context,
    ) -> Result<SatResult, Stopped> {
        self.check(terms, assumptions, cx)
    }

    /// After [`SatResult::Sat`]: values for all variables of what was asserted and assumed.
    fn model(&self) -> &Assignment;

    /// After [`SatResult::Unsat`]: assumptions that suffice, in the order given.
    fn core(&self) -> &[TermId];

    /// After [`SatResult::Unsat`]: formulas, each implied by the assumptions in `shared`, that are still inconsistent
    /// with the rest (see [`Solver::weakened_core`]). Without arithmetic to examine, the members of the
    /// core themselves.
    fn weakened_core(&mut self, _terms: &mut Terms, shared: &[TermId]) -> Vec<TermId> {
        let mut core = self.core().to_vec();
        core.retain(|formula| shared.contains(formula));
        core
    }
}

impl Solve for Solver {
    fn assert(&mut self, terms: &mut Terms, formula: TermId) {
        Solver::assert(self, terms, formula);
    }

    fn check(
        &mut self,
        terms: &mut Terms,
        assumptions: &[TermId],
        cx: &Context,
    ) -> Result<SatResult, Stopped> {
        Solver::check(self, terms, assumptions, cx)
    }

    fn check_patiently(
        &mut self,
        terms: &mut Terms,
        assumptions: &[TermId],
        cx: &Context,
    ) -> Result<SatResult, Stopped> {
        Solver::check_patiently(self, terms, assumptions, cx)
    }

    fn model(&self) -> &Assignment {
        Solver::model(self)
    }

    fn core(&self) -> &[TermId] {
        Solver::core(self)
    }

    fn weakened_core(&mut self, terms: &mut Terms, shared: &[TermId]) -> Vec<TermId> {
        Solver::weakened_core(self, terms, shared)
    }
}
