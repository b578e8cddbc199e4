//! What proves a verdict on Horn clauses.
//!
//! A system holds because of [`Definitions`]: a formula for each predicate, and for each clause a [`Proof`]
//! that it is true under them. It is violated because of a [`Derivation`]: clauses with values, one after
//! another, up to a query.

use std::sync::Arc;

use suppose_number::Rat;

use super::Horn;
use super::terms::{Lit, TermId, Terms};
use super::value::Assignment;

/// Definitions of all predicates, with a proof for every clause.
///
/// The formulas live in `terms`, whose variables begin with those of the system it is about, under the
/// same numbers; further variables are quotients of `Divides` atoms (see [`Terms::quotient`]).
#[derive(Clone, Debug)]
pub struct Definitions {
    /// The store of the formulas below.
    pub terms: Terms,
    /// For each predicate a formula over its formal parameters.
    pub definitions: Vec<TermId>,
    /// For each clause the proof that its *refutation formula* has no model: the conjunction of
    /// its constraint, the definitions of its body, and the negation of the definition of its
    /// head, each over the clause's own variables.
    pub proofs: Vec<Proof>,
    /// The plain clauses these are about, where the clauses that were read have arrays, recursive datatypes or
    /// uninterpreted sorts (see [`theory`](super::theory)).
    pub about: Option<Arc<Horn>>,
}

impl Definitions {
    /// The clauses these are about, if those that were read are these.
    pub fn system<'a>(&'a self, read: &'a Horn) -> &'a Horn {
        self.about.as_deref().unwrap_or(read)
    }
}

/// A proof that a formula has no model, checkable without search.
///
/// Its clauses are over formulas of the store as propositions. Given without steps ("axioms") are
/// - the formula itself as a clause of one literal;
/// - for every `And`, `Or`, `Iff` that occurs in the formula or the proof, the clauses which say that
///   it is true iff its parts make it so; likewise that true is true and false is not;
/// - for every `Eq(t)`: it is true iff both its [`Terms::halves`] are;
/// - for every `Divides(d, t)` with its [`Terms::quotient`] `q`: `t - d*q >= 0`, `t - d*q <= d - 1`,
///   and that it is true iff `t - d*q <= 0`.
///
/// The last step is the empty clause. A [`Lit`] never contains a `Not`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Proof {
    /// The steps, each using the axioms and earlier steps.
    pub steps: Vec<ProofStep>,
}

/// One clause and why it holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ProofStep {
    /// Assuming the negation of all its literals, unit propagation over axioms and earlier steps ends in a
    /// contradiction.
    Propagation {
        /// The clause.
        clause: Vec<Lit>,
    },
    /// The negations of its literals, each an inequality, times these numbers, add up to `c <= 0` with
    /// `c > 0`, or to `c < 0` with `c >= 0`. The literals are `Le`, `Lt` of either sign, or a negative `Eq`
    /// (its negation is an equation, the only place where a number may be negative). The negation
    /// of `t <= 0` is `-t + 1 <= 0` if all variables are integers, else `-t < 0`.
    Farkas {
        /// The clause.
        clause: Vec<Lit>,
        /// One number for each literal, none negative except for equations.
        factors: Vec<Rat>,
    },
    /// All literals but the last as in `Farkas`: they add up to `s + c <= 0` with integer variables and integer
    /// factors in `s`; the last literal says `s <= floor(-c)` (rounding a cut), in the canonical form.
    Cut {
        /// The clause, its conclusion last.
        clause: Vec<Lit>,
        /// One number for each literal but the last.
        factors: Vec<Rat>,
    },
}

/// One application of a clause.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Inference {
    /// The clause's number.
    pub clause: usize,
    /// Values of its variables; what is not set counts as false or 0.
    pub values: Assignment,
    /// For each predicate of its body the number of the earlier inference whose head it is.
    pub premises: Vec<usize>,
}

/// A derivation of a query: each inference uses earlier ones only, and the last one is of a clause
/// without head.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Derivation {
    /// The inferences.
    pub steps: Vec<Inference>,
}
