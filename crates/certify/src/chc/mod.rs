//! Evidence about Horn clauses.
//!
//! # Why accepted definitions are a proof
//!
//! If each predicate can be defined such that all clauses are true, no query can be derived: by induction,
//! every derived fact is true under the definitions, and a query says that its body is not. A
//! clause is true for all values iff its refutation formula (see [`Horn::refutation`]) has no model, which
//! its proof shows as follows.
//!
//! Let the formula have a model. Give each quotient of a `Divides` atom the quotient's value: quotients do
//! not stand in the formula itself, and the atom of each speaks only of variables older than it. Then all
//! axioms of [`Proof`](suppose_model::chc::Proof) are true, and each step is, if those before it are: unit
//! propagation is sound, and so is adding up inequalities; over integers, a sum with integer factors can be
//! rounded. The last step has no literals and is not true, so there was no model.
//!
//! Nothing else in the proof matters: its clauses may mention any formulas and variables.
//!
//! # Derivations
//!
//! Each inference gives values to a clause's variables. The constraint is evaluated, each predicate of the
//! body must have been derived for the very same values by an earlier inference, and the last one is of a
//! query. By induction all facts are consequences of the clauses.

mod arithmetic;
mod axioms;
mod derivation;
pub mod file;
mod proof;
mod propagate;
mod theory;

use suppose_control::Context;
use suppose_model::chc::{App, Definitions, Horn, Terms, Var};

use crate::cancellation::Cancellation;
use crate::rejection::{Place, Rejection};

pub use derivation::check_derivation;
pub use theory::check_structured;

/// How much accepted definitions took.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize)]
pub struct Summary {
    /// Clauses.
    pub clauses: u64,
    /// Steps of all proofs.
    pub steps: u64,
}

/// Accepts definitions if they make all clauses true.
///
/// The context is polled every few thousand steps.
pub fn check_definitions(
    horn: &Horn,
    evidence: &Definitions,
    cx: &Context,
) -> Result<Summary, Rejection> {
    check_system(horn)?;
    check_store(horn, evidence).map_err(|why| Rejection::at(Place::Whole, why))?;
    for (number, predicate) in horn.predicates.iter().enumerate() {
        let formula = evidence.definitions[number];
        if formula.index() >= evidence.terms.len() {
            return Err(Rejection::at(
                Place::Definition(number),
                "there is no such formula",
            ));
        }
        let variables = evidence.terms.variables(formula);
        if variables.iter().any(|v| !predicate.formals.contains(v)) {
            let why = format!(
                "it speaks of more than the parameters of `{}`",
                predicate.name
            );
            return Err(Rejection::at(Place::Definition(number), why));
        }
    }
    let known = evidence.terms.len();
    let mut terms = evidence.terms.clone();
    let mut watch = Cancellation::new(cx);
    let mut summary = Summary::default();
    for (number, clause) in horn.clauses.iter().enumerate() {
        let formula = horn.refutation(clause, &mut terms, &evidence.definitions);
        let proof = &evidence.proofs[number];
        proof::check(&mut terms, formula, proof, number, known, &mut watch)?;
        summary.clauses += 1;
        summary.steps += proof.steps.len() as u64;
    }
    Ok(summary)
}

/// The numbers of a system are in range and its sorts fit.
fn check_system(horn: &Horn) -> Result<(), Rejection> {
    let wrong = |why: &str| Err(Rejection::at(Place::System, why));
    let known = |v: &Var| v.index() < horn.terms.var_count();
    if !horn.predicates.iter().all(|p| p.formals.iter().all(known)) {
        return wrong("a predicate has an unknown parameter");
    }
    for clause in &horn.clauses {
        if clause.constraint.index() >= horn.terms.len() {
            return wrong("a clause has an unknown constraint");
        }
        let mut apps = clause.body.iter().chain(&clause.head);
        if !apps.all(|app| fits(horn, app)) {
            return wrong("a predicate is applied to arguments that do not fit");
        }
    }
    Ok(())
}

fn fits(horn: &Horn, app: &App) -> bool {
    let Some(predicate) = horn.predicates.get(app.pred.index()) else {
        return false;
    };
    let pairs = predicate.formals.iter().zip(&app.args);
    let same = |(formal, arg): (&Var, &Var)| {
        arg.index() < horn.terms.var_count() && horn.terms.sort(*formal) == horn.terms.sort(*arg)
    };
    predicate.formals.len() == app.args.len() && pairs.into_iter().all(same)
}

/// The store begins with the system's variables; there is one definition for each predicate and one
/// proof for each clause.
fn check_store(horn: &Horn, evidence: &Definitions) -> Result<(), String> {
    let (ours, theirs): (&Terms, &Terms) = (&horn.terms, &evidence.terms);
    if theirs.var_count() < ours.var_count() {
        return Err("it has fewer variables than the system".to_owned());
    }
    for number in 0..ours.var_count() as u32 {
        let var = Var(number);
        if ours.sort(var) != theirs.sort(var) {
            return Err(format!(
                "variable {number} has another sort than in the system"
            ));
        }
    }
    let (definitions, predicates) = (evidence.definitions.len(), horn.predicates.len());
    if definitions != predicates {
        return Err(format!(
            "it has {definitions} definitions for {predicates} predicates"
        ));
    }
    let (proofs, clauses) = (evidence.proofs.len(), horn.clauses.len());
    if proofs != clauses {
        return Err(format!("it has {proofs} proofs for {clauses} clauses"));
    }
    Ok(())
}
