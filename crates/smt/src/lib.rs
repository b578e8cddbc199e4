//! The embedded solver: Booleans, linear integers and rationals.
//!
//! A [`Solver`] decides whether formulas have a model, many times over, under assumptions. It gives models,
//! cores, cores weakened by the arithmetic that refuted them ([`Solver::weakened_core`]), and, on demand,
//! proofs that need no solver to check ([`prove`]). [`project`] removes variables from a formula
//! along a model.

pub mod pipe;
mod project;

pub use pipe::Solve;
pub use project::{implicant, project, project_cube};

mod encode;
mod integer;
mod justify;
mod proof;
mod sat;
mod search;
mod simplex;
mod weaken;

use suppose_model::horn::{Assignment, TermId, Terms};
use suppose_refine::{Context, Stopped};

pub use proof::prove;
use search::Search;

/// What a check found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// There is a model.
    Sat,
    /// There is none.
    Unsat,
    /// Not decided within the bounds on integer search. Never to be read as one of the others.
    Unknown,
}

/// An incremental solver for formulas of one store.
///
/// What is asserted stays. A part that must be retractable is asserted behind a fresh Boolean
/// variable (`v => formula`) which is assumed when the part is meant.
#[derive(Debug, Default)]
pub struct Solver {
    search: Search,
}

impl Solver {
    /// Without any formula.
    pub fn new() -> Self {
        Solver::default()
    }

    /// From now on the formula is true.
    pub fn assert(&mut self, terms: &mut Terms, formula: TermId) {
        self.search.assert(terms, formula);
    }

    /// Is there a model in which all assumptions (any formulas; best literals) are true as well?
    pub fn check(
        &mut self,
        terms: &mut Terms,
        assumptions: &[TermId],
        cx: &Context,
    ) -> Result<Outcome, Stopped> {
        self.search.check(terms, assumptions, cx)
    }

    /// After [`Outcome::Sat`]: values for all variables of what was asserted and assumed.
    pub fn model(&self) -> &Assignment {
        &self.search.model
    }

    /// After [`Outcome::Unsat`]: assumptions that suffice, in the order given.
    pub fn core(&self) -> &[TermId] {
        &self.search.core
    }

    /// After [`Outcome::Unsat`]: makes the core minimal, so that without any one of its formulas there is a model
    /// (or the bounds were reached). Asks a question for each.
    pub fn minimise_core(&mut self, terms: &mut Terms, cx: &Context) -> Result<(), Stopped> {
        let mut needed: Vec<TermId> = Vec::new();
        let mut open: Vec<TermId> = self.core().to_vec();
        while let Some(tried) = open.pop() {
            let rest: Vec<TermId> = open.iter().chain(&needed).copied().collect();
            if self.check(terms, &rest, cx)? == Outcome::Unsat {
                let core = self.core();
                open.retain(|f| core.contains(f));
                needed.retain(|f| core.contains(f));
            } else {
                needed.push(tried);
            }
        }
        needed.reverse();
        // The answer to the last question may be another one; the core is of this.
        self.check(terms, &needed, cx)?;
        Ok(())
    }

    /// After [`Outcome::Unsat`]: formulas, each implied by the assumptions in `shared`, that are still
    /// inconsistent with the asserted formulas and the assumptions that are not in `shared`. Where the refutation
    /// used several inequalities of `shared` together, with factors, their sum stands for them: so the negation
    /// of their conjunction is an interpolant.
    pub fn weakened_core(&mut self, terms: &mut Terms, shared: &[TermId]) -> Vec<TermId> {
        self.search.weakened_core(terms, shared)
    }
}
