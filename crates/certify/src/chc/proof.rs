//! The proof that a formula has no model.

use suppose_model::chc::{Lit, Node, Proof, ProofStep, TermId, Terms};

use super::arithmetic;
use super::axioms::{Atoms, axioms};
use super::propagate::{Clauses, Code};
use crate::cancellation::Cancellation;
use crate::rejection::{Place, Rejection};

/// Accepts a proof that the formula has no model. `number` is that of the clause it is about; the proof may
/// mention the first `known` formulas.
pub(super) fn check(
    terms: &mut Terms,
    formula: TermId,
    proof: &Proof,
    number: usize,
    known: usize,
    watch: &mut Cancellation,
) -> Result<(), Rejection> {
    let whole = |why: &str| Err(Rejection::at(Place::Clause(number), why));
    let variables = terms.variables(formula);
    if variables.iter().any(|&v| terms.quotient_of(v).is_some()) {
        return whole("a quotient of the proof stands in the clause");
    }
    if !proof
        .steps
        .last()
        .is_some_and(|step| literals(step).is_empty())
    {
        return whole("the proof does not end with the empty clause");
    }
    let mut roots = vec![formula];
    for (step, proven) in proof.steps.iter().enumerate() {
        for lit in literals(proven) {
            if lit.atom.index() >= known || matches!(terms.node(lit.atom), Node::Not(_)) {
                let place = Place::ProofStep {
                    clause: number,
                    step,
                };
                return Err(Rejection::at(place, "a literal is not one of an atom"));
            }
            roots.push(lit.atom);
        }
    }
    let mut atoms = Atoms::default();
    let codes: Vec<Vec<Code>> = proof
        .steps
        .iter()
        .map(|step| {
            literals(step)
                .iter()
                .map(|&lit| atoms.literal(lit))
                .collect()
        })
        .collect();
    let claim = atoms.formula(terms, formula);
    let mut clauses = axioms(terms, &mut atoms, &roots, watch)?;
    clauses.add(&[claim], watch)?;
    for (step, (proven, code)) in proof.steps.iter().zip(&codes).enumerate() {
        watch.tick()?;
        if let Err(why) = follows(terms, &mut clauses, proven, code, watch)? {
            let place = Place::ProofStep {
                clause: number,
                step,
            };
            return Err(Rejection::at(place, why));
        }
        clauses.add(code, watch)?;
    }
    Ok(())
}

fn literals(step: &ProofStep) -> &[Lit] {
    match step {
        ProofStep::Propagation { clause }
        | ProofStep::Farkas { clause, .. }
        | ProofStep::Cut { clause, .. } => clause,
    }
}

/// The inner error says why a step does not follow.
fn follows(
    terms: &mut Terms,
    clauses: &mut Clauses,
    step: &ProofStep,
    code: &[Code],
    watch: &mut Cancellation,
) -> Result<Result<(), String>, Rejection> {
    Ok(match step {
        ProofStep::Propagation { .. } => match clauses.implies(code, watch)? {
            true => Ok(()),
            false => Err("it does not follow by propagation".to_owned()),
        },
        ProofStep::Farkas { clause, factors } => arithmetic::farkas(terms, clause, factors),
        ProofStep::Cut { clause, factors } => arithmetic::cut(terms, clause, factors),
    })
}
