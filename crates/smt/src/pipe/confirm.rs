//! Asking another solver whether definitions make all clauses true.

use std::time::Duration;

use suppose_control::{Context, Stopped};
use suppose_model::chc::{Definitions, Horn, TermId, Terms};

use super::{ExternalSolver, Solve, SolverError, Tool};
use crate::SatResult;

/// What another solver says of a clause under the definitions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Confirmation {
    /// The formula is valid.
    Confirmed,
    /// It is not valid.
    Refuted,
    /// The solver cannot say.
    Undecided,
    /// The solver failed.
    Failed(SolverError),
}

/// Asks a solver about each clause in turn, each with that time limit. The proofs in the evidence play no part.
///
/// The evidence must be about the system (one definition for each predicate, over its variables): this is
/// to be asked after the proofs were checked.
pub fn confirm(
    horn: &Horn,
    evidence: &Definitions,
    tool: &Tool,
    limit: Duration,
    cx: &Context,
) -> Result<Vec<Confirmation>, Stopped> {
    let mut terms = evidence.terms.clone();
    let mut answers = Vec::with_capacity(horn.clauses.len());
    for clause in &horn.clauses {
        cx.check()?;
        let formula = horn.refutation(clause, &mut terms, &evidence.definitions);
        // A new command for each clause: one that failed on a clause does not spoil the others.
        answers.push(match ExternalSolver::start(tool, limit) {
            Ok(mut solver) => answer(&mut solver, &mut terms, formula, cx)?,
            Err(trouble) => Confirmation::Failed(trouble),
        });
    }
    Ok(answers)
}

fn answer(
    solver: &mut ExternalSolver,
    terms: &mut Terms,
    formula: TermId,
    cx: &Context,
) -> Result<Confirmation, Stopped> {
    solver.assert(terms, formula);
    let outcome = solver.check(terms, &[], cx)?;
    Ok(match (outcome, solver.trouble()) {
        (SatResult::Unsat, None) => Confirmation::Confirmed,
        (SatResult::Sat, None) => Confirmation::Refuted,
        (_, Some(trouble)) => Confirmation::Failed(trouble.clone()),
        (SatResult::Unknown, None) => Confirmation::Undecided,
    })
}
