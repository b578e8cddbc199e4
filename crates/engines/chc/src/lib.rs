//! Engines on Horn clauses.
//!
//! [`recmc`] is the algorithm of Komuravelli's thesis, chapter 2: a goal-directed search with may- and
//! must-summaries of every predicate. [`abstraction`] is that of chapter 3 on top of it: only those parts of the
//! clauses are kept that the proofs so far have needed. [`invariants`] finds invariants of a fixed form without
//! any search. [`evidence`] makes what it found checkable without a solver.
//!
//! ```
//! use suppose_chc::recmc::{RecmcOptions, solve};
//! use suppose_chc::ChcVerdict;
//! use suppose_control::Context;
//!
//! let text = "
//!     (set-logic HORN)
//!     (declare-fun P (Int) Bool)
//!     (assert (forall ((x Int)) (=> (= x 0) (P x))))
//!     (assert (forall ((x Int) (y Int)) (=> (and (P x) (= y (+ x 2))) (P y))))
//!     (assert (forall ((x Int)) (=> (and (P x) (< x 0)) false)))";
//! let (read, _) = suppose_frontends::smtlib::read_text("p.smt2", text).unwrap();
//! let (found, _) = solve(&read.horn, RecmcOptions::default(), &Context::default());
//! assert!(matches!(found, ChcVerdict::Holds { .. }));
//! ```

pub mod abstraction;
pub mod bmc;
pub mod evidence;
pub mod induction;
pub mod invariants;
pub mod portfolio;
pub mod preprocess;
pub mod recmc;
mod rules;
pub mod theory;
mod unroll;

use suppose_model::Reason;
use suppose_model::chc::{Derivation, TermId, Terms};

/// What an engine found.
#[derive(Clone, Debug)]
pub enum ChcVerdict {
    /// A definition of every predicate that makes all clauses true. The formulas are in `terms`.
    Holds {
        /// The store.
        terms: Box<Terms>,
        /// For each predicate a formula over its formal parameters.
        definitions: Vec<TermId>,
    },
    /// A derivation of a query.
    Violated(Derivation),
    /// Neither, with what is known so far.
    Unknown {
        /// Why.
        reason: Reason,
        /// The depth of derivations up to which no query can be derived.
        bound: Option<u32>,
        /// Formulas that are true of all predicates up to that depth.
        candidates: Option<Candidates>,
    },
}

impl ChcVerdict {
    /// No verdict, after looking at derivations below that depth.
    pub(crate) fn unknown(reason: Reason, depth: u32) -> ChcVerdict {
        ChcVerdict::Unknown {
            reason,
            bound: depth.checked_sub(1),
            candidates: None,
        }
    }
}

/// Why there is no verdict when the solver gives up.
pub(crate) const UNDECIDED: &str =
    "the solver did not decide a question about integers within its bounds";

/// What may become definitions: what is known of the predicates up to some depth.
#[derive(Clone, Debug)]
pub struct Candidates {
    /// The store.
    pub terms: Box<Terms>,
    /// For each predicate a formula over its formal parameters.
    pub formulas: Vec<TermId>,
}

/// What an engine did.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Work {
    /// Questions to the solver.
    pub queries: u64,
    /// Proof obligations looked at.
    pub obligations: u64,
    /// May-summaries learned.
    pub lemmas: u64,
    /// Must-summaries learned.
    pub facts: u64,
    /// The last bound on the depth of derivations.
    pub bound: u32,
}
