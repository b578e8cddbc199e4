//! From what an engine found to evidence that needs no solver to check.

use rustc_hash::FxHashMap;
use suppose_control::{Context, Stopped};
use suppose_model::chc::{Definitions, Horn, Proof, TermId, Terms};

/// Definitions for the clauses, with a proof for each; `None` if some clause could not be proved.
pub fn with_proofs(
    horn: &Horn,
    from: &Terms,
    definitions: &[TermId],
    cx: &Context,
) -> Result<Option<Definitions>, Stopped> {
    let mut terms = horn.terms.clone();
    let mut moved = FxHashMap::default();
    let definitions: Vec<TermId> = definitions
        .iter()
        .map(|&d| terms.import(from, d, &mut moved))
        .collect();
    let mut proofs = Vec::with_capacity(horn.clauses.len());
    for clause in &horn.clauses {
        let formula = horn.refutation(clause, &mut terms, &definitions);
        let proof = if formula == Terms::FALSE {
            Some(trivial())
        } else {
            suppose_smt::prove(&mut terms, formula, cx)?
        };
        match proof {
            Some(proof) => proofs.push(proof),
            None => return Ok(None),
        }
    }
    Ok(Some(Definitions {
        terms,
        definitions,
        proofs,
        about: None,
    }))
}

/// False as a clause of one literal and the axiom that true is true need no more.
fn trivial() -> Proof {
    Proof {
        steps: vec![suppose_model::chc::ProofStep::Propagation { clause: Vec::new() }],
    }
}
