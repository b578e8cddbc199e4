//! The embedded SMT solver for Booleans and linear integer and rational arithmetic.
//!
//! A [`Solver`] decides satisfiability incrementally, under assumptions. It gives models,
//! unsatisfiable cores, cores weakened by the arithmetic that refuted them ([`Solver::weakened_core`]), and, on demand,
//! proofs that need no solver to check ([`prove`]). [`project`] is model-based
//! projection.
//!
//! ```
//! use suppose_control::Context;
//! use suppose_model::chc::{Lin, Sort, Terms};
//! use suppose_smt::{SatResult, Solver};
//!
//! let mut terms = Terms::default();
//! let x = terms.fresh("x", Sort::Int);
//! let at_most_0 = terms.le(Lin::var(x));
//! let positive = terms.not(at_most_0);
//! let mut solver = Solver::new();
//! solver.assert(&mut terms, positive);
//! let cx = Context::default();
//! assert_eq!(solver.check(&mut terms, &[], &cx), Ok(SatResult::Sat));
//! assert_eq!(solver.check(&mut terms, &[at_most_0], &cx), Ok(SatResult::Unsat));
//! ```
//!
//! # Design
//! Engines for Horn clauses make tens of thousands of small queries to long-lived solvers, most of whose formulas are
//! no longer relevant. So the cost of a query must not grow with the number of formulas ever asserted:
//! - `encode`: a formula becomes a literal once, with clauses for the signs it is used with. Asserted clauses
//!   behind guards (Boolean variables with one sign) are looked up by the guards a query assumes.
//! - `justify`: decisions are made only where a formula that must be true is not yet made true.
//! - `sat`: clause learning with watched literals, activities, restarts and reduction, whose clauses all have their
//!   antecedents in a log.
//! - `simplex`: bounds on linear forms; only forms that are bounded now have rows.
//! - `integer`: rounding of equations, rounding of rows, branching; bounded.
//! - `weaken`, `proof`: read off the log.
//!
//! The search is our own. Theory lemmas with their factors, antecedents of learnt clauses and cores must come
//! from one place, and the public solvers that could be used instead (batsat, CaDiCaL) do not give antecedents.
//! They are kept for every learnt clause instead of running a question again to find them: learning takes less than a
//! hundredth of the time in a profile, and a weakened core is asked for after most refutations.
//!
//! # Measured
//! `cargo run --release -p suppose-smt --example queries`: 5,000 questions about 8 integers under 16 guards, the core
//! or model read back: 0.11 CPU-s, where z3 5.4 takes 3.0 CPU-s for the same questions as text. With a
//! formula added before each question (`--grow`), 0.19 CPU-s; z3 answers a sixth of them in 17 CPU-s. With
//! three clauses a guard (`--hard`), 1.2 CPU-s; z3 takes 21 CPU-s. A third of that time goes into pivoting, a
//! seventh into unit propagation. Dropping rows of idle forms instead of pivoting them saved a tenth; common
//! divisors by halving, and none for rows that were not multiplied, a quarter.

pub mod pipe;
mod project;

pub use pipe::Solve;
pub use project::{implicant, project, project_cube};

mod encode;
mod justify;
mod proof;
mod sat;
mod search;
mod simplex;
mod weaken;

use suppose_control::{Context, Stopped};
use suppose_model::chc::{Assignment, TermId, Terms};

pub use proof::prove;
use search::Search;

/// The result of a satisfiability check.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SatResult {
    /// Satisfiable; there is a model.
    Sat,
    /// Unsatisfiable.
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

    /// Restarts, forgets and tidies up at every occasion. Slower, with the same answers: for tests of just that.
    #[doc(hidden)]
    pub fn hurried() -> Self {
        let mut solver = Solver::new();
        solver.search.hurry();
        solver
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
    ) -> Result<SatResult, Stopped> {
        self.search.check(terms, assumptions, cx)
    }

    /// The same with larger and larger bounds on the search for integers, as long as it takes up to the largest.
    pub fn check_patiently(
        &mut self,
        terms: &mut Terms,
        assumptions: &[TermId],
        cx: &Context,
    ) -> Result<SatResult, Stopped> {
        self.search.check_patiently(terms, assumptions, cx)
    }

    /// After [`SatResult::Sat`]: values for all variables of what was asserted and assumed.
    pub fn model(&self) -> &Assignment {
        &self.search.model
    }

    /// After [`SatResult::Unsat`]: assumptions that suffice, in the order given.
    pub fn core(&self) -> &[TermId] {
        &self.search.core
    }

    /// After [`SatResult::Unsat`]: formulas, each implied by the assumptions in `shared`, that are still
    /// inconsistent with the asserted formulas and the assumptions that are not in `shared`. Where the refutation
    /// used several inequalities of `shared` together, with factors, their sum represents them: so the negation
    /// of their conjunction is an interpolant.
    pub fn weakened_core(&mut self, terms: &mut Terms, shared: &[TermId]) -> Vec<TermId> {
        self.search.weakened_core(terms, shared)
    }
}
